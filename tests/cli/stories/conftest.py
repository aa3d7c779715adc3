"""A workspace of invented templates whose stories can be told."""

import shutil
from pathlib import Path

import pytest

GIVEN = Path(__file__).parents[2] / "scenarios" / "stories" / "given" / "work"


@pytest.fixture
def workspace(tmp_path):
    return Path(shutil.copytree(GIVEN, tmp_path / "work"))
