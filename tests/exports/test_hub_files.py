"""The dataset folder, of records alone."""

import hashlib
from dataclasses import replace

import pytest
from published import SAMPLE, facts

from curation.records.messages import CurateError
from exports.hub_files import write_folder


def told(size, sample=SAMPLE):
    """Give a folder with nothing but a test set of so many rows."""
    only = replace(facts().tables[0], size=size, rows=[sample] * 2)
    return facts(tables=(only,), survey=None)


def test_every_file_is_among_the_checksums(tmp_path):
    """Card, metadata and data, except for the list itself."""
    assert write_folder(tmp_path, told(2)) == {"test_samples": 2}
    lines = (tmp_path / "checksums.txt").read_text(encoding="utf-8").splitlines()
    listed = dict(reversed(line.split("  ")) for line in lines)
    files = {path.relative_to(tmp_path).as_posix(): path for path in tmp_path.rglob("*.*")}
    assert set(listed) == set(files) - {"checksums.txt"}
    assert listed == {name: hashlib.sha256(files[name].read_bytes()).hexdigest() for name in listed}


def test_half_a_sign_is_refused(tmp_path):
    """With the table that holds it."""
    with pytest.raises(CurateError, match="parquet: a cell holds half of a surrogate pair"):
        write_folder(tmp_path, told(1, SAMPLE._replace(context="김 came\ud800")))
