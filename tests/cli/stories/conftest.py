"""A workspace of invented templates whose stories can be told."""

import csv
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

GIVEN = Path(__file__).parents[2] / "scenarios" / "stories" / "given" / "work"
Rows = list[dict[str, str]]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace of three templates, in two categories."""
    return Path(shutil.copytree(GIVEN, tmp_path / "work"))


@pytest.fixture
def table() -> Callable[[Path], Rows]:
    """Read a table without the toolkit's own reader."""

    def read(path: Path) -> Rows:
        with path.open(encoding="utf-8", newline="") as stream:
            return list(csv.DictReader(stream))

    return read
