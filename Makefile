.PHONY: setup test lint demo docs docs-output bench

PYTHON ?= python3

setup:  ## a virtual environment with everything that development needs
	$(PYTHON) -m venv .venv
	.venv/bin/python -m pip install -q -e '.[test]'

test:  ## the tests
	$(PYTHON) -m pytest -n auto

lint:  ## style, types and import contracts
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy
	lint-imports

demo:  ## write exports/demo again from templates_src/demo
	$(PYTHON) tools/export_demo.py

docs:  ## the documentation, in docs/_build/html
	$(PYTHON) -m sphinx -W --keep-going -b html docs docs/_build/html

docs-output:  ## what commands print now, into the pages that show it
	$(PYTHON) tools/refresh_docs.py

bench:  ## every figure, as a ratio against something run side by side
	$(PYTHON) -m benchmarks
