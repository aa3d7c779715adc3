"""`releases.csv`."""

from dataclasses import replace

import pytest

from curation.records.culture import Release
from exports.releases import _CODE, _PEOPLE, _people, before

ONE = Release("1.0", "2026-01-01", 80, 8, "aa", "bb", 1, "0.1.0", 42, "cc")
TWO = replace(ONE, version="1.1", samples_sha256="dd")


def test_initials_and_codes_are_no_names():
    """A whole name may have two letters in Chinese or Korean, and is looked for in a release."""
    assert all(map(_CODE.fullmatch, ("A1", "M.", "MK", "Bo2", "\uae40", "\uae401")))
    assert not any(map(_CODE.fullmatch, ("Ann", "\u738b\u4f1f", "\ubbfc\uc218", "\u5065\u592a")))


@pytest.mark.parametrize(("file", "column"), _PEOPLE)
def test_whoever_worked_on_it_is_looked_for(tmp_path, file, column):
    """Not the toolkit, which decides too, nor a code."""
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text(f"{column}\nAnn Lee\nA1\ncurate 0.1.0\n")
    assert _people(tmp_path) == {"Ann Lee"}


def test_a_version_follows_the_one_before_its_first_record():
    """Also where it has been recorded again since."""
    again = replace(ONE, manifest_sha256="ee")
    assert before((), "1.0") is None
    assert before((ONE,), "1.0") is None
    assert before((ONE, again), "1.1") == again
    assert before((ONE, TWO, again), "1.1") == ONE
