"""A file that is read in blocks gives what it gives when it is read at once."""

import csv
import random

import numpy as np
import pytest

from survey.mapping import ReadPart
from survey.readers import cells, grid
from survey.readers.inspection import inspect_file
from tests.survey.readers.population import QUESTIONS

CHOICE = QUESTIONS[1]


def write(folder, rows, *, quoted=False):
    """Write respondents, their answers to one question, and a remark that none else makes."""
    path = folder / "a.csv"
    lines = [f"participant,{CHOICE.id},comment"]
    mark = '"' if quoted else ""
    lines += [f"{who},{answer},{mark}said  {at}{mark}" for at, (who, answer) in enumerate(rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def people(count):
    """Some respondents and their answers."""
    draw = random.Random(3)  # noqa: S311
    return [(f"R_{at:03d}", draw.choice(["1", "2", "none", ""])) for at in range(count)]


def inspected(path, folder):
    """All that is found out, as one comparable thing."""
    found = inspect_file(path, QUESTIONS, "ko", folder / "forms")
    problem = found.trial.problem
    said = problem and (problem.what, problem.where, problem.hint)
    trial = (found.trial.respondents, found.trial.rows, found.trial.findings, said)
    return found.columns, found.draft, found.grid.rows.tolist(), trial


def in_blocks(monkeypatch):
    """Read three rows or so at a time, and hold more than three texts as UTF-8."""
    monkeypatch.setattr(grid, "PLAIN_FROM", 0)
    monkeypatch.setattr(grid, "BLOCK", 70)
    monkeypatch.setattr("survey.readers.source._CELLS", 9)
    monkeypatch.setattr("survey.readers.source._FIRST", 3)
    monkeypatch.setattr("survey.readers.text_files._MARKED", 1)
    monkeypatch.setattr(cells, "_AT_A_TIME", 2)
    monkeypatch.setattr(cells, "_SEARCHED", 2)
    for module in (cells, grid):
        monkeypatch.setattr(module, "MANY", 4)


FILES = {
    "plain": people(40),
    "twice": [*people(40), ("R_001", "2")],
    "ambiguous": [*people(40), ("R_999", "1;2")],
    "unknown": [*people(40), ("R_999", "9")],
    "blanks": [*people(40), ("R_998", " 1"), ("  R_002", "1 ")],
}


@pytest.mark.parametrize("quoted", [False, True])
@pytest.mark.parametrize("name", FILES)
def test_blocks_give_what_the_whole_gives(name, quoted, tmp_path, monkeypatch):
    """Columns, draft and trial, whatever stands in the last block alone."""
    path = write(tmp_path, FILES[name], quoted=quoted)
    whole = inspected(path, tmp_path)
    in_blocks(monkeypatch)
    assert inspected(path, tmp_path) == whole


def parts_of(monkeypatch, searched):
    """The whole of a column of three parts, with few texts looked through at once."""
    import pyarrow as pa

    monkeypatch.setattr(cells, "_SEARCHED", searched)
    parts = cells.Parts()
    parts.add(np.array([1, 0, 1, 2]), ("ab", "", "ba"))
    parts.add(np.array([0, 1, 2, 3]), pa.array(["x", "노인", "", "ba", "y"], pa.string()).slice(1))
    parts.add(np.array([0, 0, 1]), ("c", "ab"))
    return parts.whole()


@pytest.mark.parametrize("wide", [1 << 31, 1])
@pytest.mark.parametrize("searched", [0, 1 << 20])
def test_equal_texts_of_parts_are_one(searched, wide, monkeypatch):
    """`ab` and `ba` have the same letters and are two; texts stand in the order of the parts."""
    monkeypatch.setattr(cells, "_WIDE", wide)
    codes, texts = parts_of(monkeypatch, searched)
    assert list(texts) == ["ab", "", "ba", "노인", "y", "c"]
    assert codes.tolist() == [1, 0, 1, 2, 3, 1, 2, 4, 5, 5, 0]


NASTY = [
    "one\ntwo",
    'said "so"',
    '"',
    '""',
    "",
    "a\r\nb",
    "a\rb",
    '"\n"',
    "\n",
    "comma, here",
    '\n""\n',
    "ends",
]


@pytest.mark.parametrize("block", [1, 7, 30, 1 << 20])
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("quoted", [False, True])
def test_quoted_cells_go_over_the_ends_of_blocks(
    quoted, encoding, ends, block, tmp_path, monkeypatch
):
    """Line breaks and marks within quotes end no record, wherever a block ends."""
    in_blocks(monkeypatch)
    monkeypatch.setattr("survey.readers.text_files._MARKED", block)
    path = tmp_path / "a.csv"
    rows = [[str(at), cell, f"노인 {at}"] for at, cell in enumerate(NASTY)]
    with path.open("w", encoding=encoding, newline="") as stream:
        csv.writer(stream, quoting=csv.QUOTE_ALL, lineterminator=ends).writerows(
            [["id", "q", "comment"], *rows]
        )
    read = grid.read_grid(path, ReadPart(delimiter=","), "ko", quoted=quoted)
    assert [list(cells_read) for cells_read in read.records()] == rows
    assert read.rows.tolist() == list(range(2, len(rows) + 2))
