.PHONY: setup test quick oldest pythons lint demo docs docs-output bench

PYTHON ?= python3

# Compiled tests are kept: compiling them takes longer than running many of them.
unexport PYTHONDONTWRITEBYTECODE

setup:  ## a virtual environment with everything that development needs
	$(PYTHON) -m venv .venv
	.venv/bin/python -m pip install -q -e '.[test]'

test:  ## the tests
	$(PYTHON) -m pytest -n auto

quick:  ## the tests of the library that start nothing: thousands in less than a minute
	$(PYTHON) -m pytest -n 2 -q -m "not slow and not server and not command"

oldest:  ## quick tests and whole commands, with the oldest versions that pyproject.toml allows
	tools/try_versions.sh --resolution lowest-direct

pythons:  ## the same with the newest versions, on each Python that there is of 3.11, 3.12 and 3.13
	for version in 3.11 3.12 3.13; do tools/try_versions.sh --python $$version || exit 1; done

lint:  ## style, types and import contracts
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy
	lint-imports

demo:  ## write exports/demo again from templates_src/demo
	$(PYTHON) tools/export_demo.py

docs:  ## the documentation, in docs/_build/html
	$(PYTHON) -m sphinx -W --keep-going -b html docs docs/_build/html

docs-output:  ## what commands print now, into the pages that show it, and the README's picture
	$(PYTHON) tools/refresh_docs.py
	PYTHONPATH=. $(PYTHON) tools/draw_item.py

bench:  ## every figure, as a ratio against something run side by side
	$(PYTHON) -m benchmarks
