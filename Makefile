.PHONY: setup test nightly quick near scenarios mutants oldest pythons lint demo docs docs-output bench

PYTHON ?= python3

# Compiled tests are kept: compiling them takes longer than running many of them.
unexport PYTHONDONTWRITEBYTECODE

setup:  ## a virtual environment with everything that development needs
	$(PYTHON) -m venv .venv
	.venv/bin/python -m pip install -q uv
	.venv/bin/uv pip install -q --python .venv/bin/python -e '.[test]'

test:  ## the tests
	$(PYTHON) -m pytest -n auto

nightly:  ## all tests, and the broader ones that take long
	$(PYTHON) -m pytest -n auto -m "nightly or not nightly"

near:  ## the quick tests that belong to the files changed since BASE, the last commit
	$(PYTHON) tools/near.py $(BASE)

scenarios:  ## write what comes out of the scenarios now; read the difference before you commit it
	$(PYTHON) tools/scenarios.py

mutants:  ## break 60 places one at a time and see which tests notice; SEED=2 takes others
	$(PYTHON) tools/mutate.py --seed $(or $(SEED),1)

quick:  ## the tests of the library that start nothing: thousands of them, a minute and a half on two cores
	$(PYTHON) -m pytest -n 2 -q --hypothesis-profile=quick -m "not slow and not server and not command"

oldest:  ## quick tests and whole commands, with the oldest versions that pyproject.toml allows
	tools/try_versions.sh --resolution lowest-direct

pythons:  ## the same with the newest versions, on each Python that there is of 3.11, 3.12 and 3.13
	for version in 3.11 3.12 3.13; do tools/try_versions.sh --python $$version || exit 1; done

lint:  ## style, types, import contracts and the bounds of size
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy
	lint-imports
	$(PYTHON) tools/size.py --check

demo:  ## write exports/demo again from templates_src/demo
	$(PYTHON) tools/export_demo.py

docs:  ## the documentation, in docs/_build/html
	$(PYTHON) -m sphinx -W --keep-going -b html docs docs/_build/html

docs-output:  ## what commands print now, into the pages that show it, and the README's pictures
	$(PYTHON) tools/refresh_docs.py
	PYTHONPATH=. $(PYTHON) tools/draw_item.py
	cp docs/reference/pictures/browse-template-*.webp docs/_static/  # made by make docs

bench:  ## every figure, as a ratio against something run side by side
	$(PYTHON) -m benchmarks
