"""`releases.csv`."""

from dataclasses import replace

import pytest

from curation.records.culture import Release
from curation.records.messages import CurateError
from exports.releases import RELEASED, before

ONE = Release("1.0", "2026-01-01", 80, 8, "aa", "bb", 1, "0.1.0", 42, "cc")
TWO = replace(ONE, version="1.1", samples_sha256="dd")
COLUMNS = (
    "version,date,samples,test_samples,samples_sha256,test_samples_sha256,data_format,"
    "tool_version,seed,manifest_sha256"
)


def test_releases_are_appended_and_read_back(tmp_path):
    """What stands there is kept to the byte; a damaged list is refused and not added to."""
    path = tmp_path / "releases.csv"
    RELEASED.append(path, [ONE])
    first = path.read_bytes()
    assert first == f"{COLUMNS}\n1.0,2026-01-01,80,8,aa,bb,1,0.1.0,42,cc\n".encode()
    RELEASED.append(path, [TWO])
    assert path.read_bytes().startswith(first)
    assert RELEASED.read(path) == [ONE, TWO]
    path.write_text(path.read_text("utf-8").replace(",80,", ",many,", 1), encoding="utf-8")
    with pytest.raises(CurateError) as refused:
        RELEASED.append(path, [TWO])
    assert refused.value.where.endswith("releases.csv, row 2, column samples")


def test_a_version_follows_the_one_before_its_first_record():
    """Also where it has been recorded again since."""
    again = replace(ONE, manifest_sha256="ee")
    assert before((), "1.0") is None
    assert before((ONE,), "1.0") is None
    assert before((ONE, again), "1.1") == again
    assert before((ONE, TWO, again), "1.1") == ONE
