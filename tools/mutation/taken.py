"""A plugin of pytest: how long each test takes, and which marks it has."""

import json
import os
from pathlib import Path

import pytest
from mutants import begin_test

_marks: dict[str, list[str]] = {}


def pytest_collection_finish(session: pytest.Session) -> None:
    """Note the marks of tests, where they are collected."""
    for item in session.items:
        found = {mark.name for mark in item.iter_markers()} & {"slow", "server", "command"}
        _marks[item.nodeid] = sorted(found)


def pytest_runtest_logstart() -> None:
    """A test begins."""
    begin_test()


_seconds: dict[str, float] = {}


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up set-up, call and tear-down."""
    _seconds[report.nodeid] = _seconds.get(report.nodeid, 0.0) + report.duration


def pytest_sessionfinish() -> None:
    """Write what this process has seen; the one that distributes tests has seen all of them."""
    folder = Path(os.environ["MUTANT_HITS"])
    name = f"{os.environ.get('PYTEST_XDIST_WORKER', 'main')}-{os.getpid()}.json"
    (folder / name).write_text(json.dumps({"seconds": _seconds, "marks": _marks}))
