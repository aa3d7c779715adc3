"""A file that is read in blocks gives what it gives when it is read at once."""

import random

import pytest

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
    monkeypatch.setattr(cells, "_AT_A_TIME", 2)
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


def test_a_respondent_who_stands_in_two_blocks_is_found(tmp_path, monkeypatch):
    """By the rows that he has."""
    in_blocks(monkeypatch)
    _, _, _, trial = inspected(write(tmp_path, FILES["twice"]), tmp_path)
    assert trial[3][0] == "respondent R_001 answers in rows 3, 42"


def test_texts_are_read_in_any_order(monkeypatch):
    """They are a sequence as any other."""
    import pyarrow as pa

    monkeypatch.setattr(cells, "_AT_A_TIME", 2)
    texts = cells.Texts(pa.array(["a", "", "c", "d", "e"]))
    assert list(texts) == ["a", "", "c", "d", "e"]
    assert [texts[at] for at in (4, 0, 3, -1, -5)] == ["e", "a", "d", "e", "a"]
    assert texts[1:4] == ["", "c", "d"]
    assert list(cells.emptied(texts, 2)) == ["a", "", "", "d", "e"]
    with pytest.raises(IndexError):
        texts[5]
    with pytest.raises(IndexError):
        texts[-6]


@pytest.mark.parametrize("size", [127, 128, 32767, 32768])
def test_codes_are_as_wide_as_they_must_be(size):
    """The largest of them stays what it is."""
    import numpy as np

    assert cells.narrow(np.array([0, size - 1]), size).tolist() == [0, size - 1]


def test_different_texts_are_counted_without_their_blanks(tmp_path):
    """One that stands with and without them is one."""
    path = tmp_path / "a.csv"
    path.write_text("id,q\n1, a\n2,a\n3,b \n4,b\n5, c\n6,\n", encoding="utf-8")
    from survey.mapping import ReadPart

    column = grid.read_grid(path, ReadPart(), "en").columns[1]
    assert sorted(column.distinct()) == ["", "a", "b", "c"]
    assert column.count() == 6
