"""Files that platforms import, sign by sign."""

from pathlib import Path
from typing import Any

import pytest

from survey.platforms import platform

GOLDEN = Path(__file__).parent / "golden"
CASES = {
    "qualtrics": ("f01.txt",),
    "limesurvey": ("f01.txt",),
    "label_studio": ("f01.xml", "f01.tasks.json"),
    "csv": ("cover.csv", "f01.csv", "codebook.csv"),
}


@pytest.mark.parametrize(
    ("name", "file"), [(name, file) for name, files in CASES.items() for file in files]
)
def test_golden(kit: Any, tmp_path: Path, name: str, file: str) -> None:
    """A form is written as it was looked at and found right."""
    written = platform(name).write(tmp_path, kit)
    assert tmp_path / file in written
    assert (tmp_path / file).read_bytes() == (GOLDEN / name / file).read_bytes()
