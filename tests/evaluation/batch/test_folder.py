"""Tests of the index of a round."""

from pathlib import Path

import pytest

from curation.records.errors import CurateError
from evaluation.batch.folder import INDEX, Index
from evaluation.requests import ASKED

HEAD = f"custom_id,request_id,key,size,file,{ASKED}"


def _index(folder: Path, *names: str) -> Path:
    lines = [f"{name},r{at},{at:064x},{at},1,{at:016x}" for at, name in enumerate(names)]
    path = folder / INDEX
    path.write_text("\n".join((HEAD, *lines, "")), encoding="utf-8", newline="")
    return path


def _found(index: Index, *wanted: str) -> list[tuple[str, str, int]]:
    return [(row.custom_id, row.request_id, row.size) for row in index.rows(wanted)]


def test_the_requests_of_some_custom_ids_come_in_their_order(tmp_path: Path) -> None:
    """Those that share one are all there; one that is not there has none."""
    index = Index(_index(tmp_path, "a", "b", "a", "é", "c"))
    assert _found(index, "c", "a", "nobody") == [("a", "r0", 0), ("a", "r2", 2), ("c", "r4", 4)]
    assert _found(index, "é") == [("é", "r3", 3)]
    assert _found(index) == []
    assert [row.custom_id for row in index.rows()] == ["a", "b", "a", "é", "c"]
    assert list(index.replies())[3] == ("r3", (3).to_bytes(32, "big"), 1)


def test_lines_that_are_no_rows_are_read_as_cells(tmp_path: Path) -> None:
    """A cell in quotation marks may hold a comma or the end of a line."""
    index = Index(_index(tmp_path, '"a,1"', "b", '"c\nd"', "e"))
    assert _found(index, "a,1", "c\nd", "e") == [
        ("a,1", "r0", 0),
        ("c\nd", "r2", 2),
        ("e", "r3", 3),
    ]


def test_the_file_is_gone_through_once(tmp_path: Path) -> None:
    """Later only the lines that are wanted are read."""
    path = _index(tmp_path, "a", "b", "c")
    index = Index(path)
    assert _found(index, "b") == [("b", "r1", 1)]
    text = path.read_bytes()
    path.write_bytes(text.replace(b"a,r0", b"c,r9"))
    assert _found(index, "c") == [("c", "r2", 2)]


@pytest.mark.parametrize("wanted", [None, ("a", "b")])
def test_a_damaged_line_is_refused(tmp_path: Path, wanted: tuple[str, ...] | None) -> None:
    """Whether all are asked for or some."""
    path = _index(tmp_path, "a", "b")
    path.write_text(path.read_text(encoding="utf-8").replace("b,r1,0", "b,r1,x"), encoding="utf-8")
    with pytest.raises(CurateError, match=r"index\.csv cannot be read: non-hexadecimal"):
        list(Index(path).rows(wanted))
    path.write_text(f"{HEAD}\na,r0\n", encoding="utf-8")
    with pytest.raises(CurateError, match=r"index\.csv cannot be read: it has a line of 2 cells"):
        list(Index(path).rows(wanted))
    with pytest.raises(CurateError, match=r"index\.csv cannot be read: it has a line of 2 cells"):
        list(Index(path).replies())
