"""`releases.csv`."""

from dataclasses import replace
from pathlib import Path

import pytest

from curation.records.culture import RELEASE_COLUMNS, Release
from curation.records.messages import CurateError
from exports.releases import add_release, before, read_releases

ONE = Release("1.0", "2026-01-01", 80, 8, "aa", "bb", 1, "0.1.0", 42, "cc")
TWO = replace(ONE, version="1.1", samples_sha256="dd")


def test_releases_are_appended_and_read_back(tmp_path: Path) -> None:
    """What stands there is kept to the byte, and the same is not added twice."""
    path = tmp_path / "releases.csv"
    assert read_releases(path) == ()
    assert add_release(path, ONE)
    first = path.read_bytes()
    assert (
        first == f"{','.join(RELEASE_COLUMNS)}\n1.0,2026-01-01,80,8,aa,bb,1,0.1.0,42,cc\n".encode()
    )
    assert not add_release(path, ONE)
    assert path.read_bytes() == first
    assert add_release(path, TWO)
    assert path.read_bytes().startswith(first)
    assert read_releases(path) == (ONE, TWO)
    assert not add_release(path, ONE)


def test_a_damaged_list_is_refused_and_not_added_to(tmp_path: Path) -> None:
    """With its row."""
    path = tmp_path / "releases.csv"
    add_release(path, ONE)
    path.write_text(path.read_text("utf-8").replace(",80,", ",many,"), encoding="utf-8")
    with pytest.raises(CurateError, match="a number is wrong") as refused:
        add_release(path, TWO)
    assert refused.value.where.endswith("releases.csv, row 2")


def test_a_version_follows_the_one_before_its_first_record() -> None:
    """Also where it has been recorded again since."""
    again = replace(ONE, manifest_sha256="ee")
    assert before((), "1.0") is None
    assert before((ONE,), "1.0") is None
    assert before((ONE, again), "1.1") == again
    assert before((ONE, TWO, again), "1.1") == ONE
