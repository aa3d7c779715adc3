"""A mapping, applied to a file to the letter."""

import math
from pathlib import Path

import numpy as np
import pytest
from openpyxl import Workbook

from curation.records.messages import CurateError, own_yaml
from curation.records.survey import Option, Question, QuestionKind, Role
from survey.answers import MISSING, SELECTED, SHOWN
from survey.mapping import Mapping
from survey.readers.normalise import read_survey, unread_finding
from survey.readers.opening import open_file

GROUPS = Question(
    "q-a",
    QuestionKind.SELECT_ALL,
    "Craft",
    "Singing",
    (
        Option("1", ("Potters",), Role.GROUP, True, "Potters"),
        Option("2", ("Bakers", "Millers"), Role.GROUP, True, "Bakers, Millers"),
        Option("none", (), Role.NONE, False, "No such stereotype"),
    ),
)
PAIR = Question(
    "q-b",
    QuestionKind.CHOICE,
    "Craft",
    "Losing keys",
    (
        Option("1", ("Potters",), Role.TARGET, True, "Potters"),
        Option("2", ("Bakers",), Role.NON_TARGET, True, "Bakers"),
        Option("none", (), Role.NONE, False, "No such stereotype"),
    ),
)
OPTIONS = {"1": "1", "2": "2", "3": "none"}
PARTS = {
    "A": {"id": "q-a", "kind": "select_all", "columns": "A{code}", "options": OPTIONS},
    "B": {"id": "q-b", "kind": "choice", "column": "B", "options": OPTIONS},
}
MARKS = {SELECTED: "x", SHOWN: ".", MISSING: "?"}
CASES = own_yaml(Path(__file__).with_name("reading.yaml").read_text("utf-8"))
TOLD = {
    *("why", "file", "refused", "hint", "q-a", "q-b", "findings", "positions", "seconds"),
    *("excluded", "told", "unread"),
}
"""What a case says of the result; the rest is the mapping."""


def part(given):
    if isinstance(given, str):
        return PARTS[given]
    ((name, changes),) = given.items()
    return {**PARTS[name], **changes}


def read(case, folder):
    path = folder / "file.csv"
    path.write_text(case["file"], encoding="utf-8")
    mapping = {key: value for key, value in case.items() if key not in TOLD}
    mapping["respondent"] = {"id": "id", **case.get("respondent", {})}
    mapping["questions"] = [part(given) for given in case.get("questions", [])]
    opened = open_file(path)
    return read_survey(opened, Mapping.model_validate(mapping), (GROUPS, PAIR))


def states(received, question):
    answers = received.answers
    at = [item.id for item in answers.questions].index(question)
    found = {}
    for who, name in enumerate(answers.respondents):
        marks = ["-"] * len(answers.questions[at].options)
        for row in np.flatnonzero((answers.respondent == who) & (answers.question == at)):
            marks[answers.option[row]] = MARKS[answers.state[row]]
        found[name] = "".join(marks)
    return found


def result(received, key):
    answers = received.answers
    people = [answers.respondent == who for who in range(len(answers.respondents))]
    match key:
        case "q-a" | "q-b":
            return states(received, key)
        case "findings":
            return [item.rule for item in received.findings]
        case "positions":
            return [answers.position[rows].tolist() for rows in people]
        case "seconds":
            taken = [float(answers.duration[rows][0]) for rows in people]
            return [None if math.isnan(value) else value for value in taken]
        case "excluded":
            return [[item.rule, item.respondent] for item in received.excluded]
        case "told":
            return {name: list(values) for name, values in answers.attributes.items()}
    return [item.column for item in unread_finding("file.csv", received.unread)]


def outcome(case, folder):
    """What a case says of its file, as it is read."""
    try:
        received = read(case, folder)
    except CurateError as error:
        assert error.hint and case.get("hint", "") in f"{error.what} {error.hint}"
        return {"refused": (error.where or "").removeprefix(f"{folder / 'file.csv'}, ")}
    return {key: result(received, key) for key in TOLD & case.keys() - {"why", "file"}}


@pytest.mark.parametrize("dense", [50, 0])
def test_files_are_read_by_their_mappings(dense, tmp_path, monkeypatch):
    """What each respondent did, what is said of him, or the place of what is refused.

    Large files are searched in another way, and give the same.
    """
    monkeypatch.setattr("survey.readers.normalise._DENSE", dense)
    for case in CASES:
        found = outcome(case, tmp_path)
        wanted = {key: case[key] for key in TOLD & case.keys() - {"why", "file", "hint"}}
        if wanted.get("refused") == "":  # no row or column has the fault
            found.pop("refused")
            wanted = {}
        assert found == wanted, case["why"]


def test_a_formula_in_an_answer_is_refused_and_elsewhere_is_not(tmp_path):
    """What it shows is not what a respondent said."""
    book = Workbook()
    sheet = book.worksheets[0]
    for row in (["id", "B", "note"], ["a", "=1+0", "=2"], ["b", 1, "=3"]):
        sheet.append(row)
    path = tmp_path / "book.xlsx"
    mapping = Mapping.model_validate({"respondent": {"id": "id"}, "questions": [PARTS["B"]]})
    book.save(path)
    with pytest.raises(CurateError) as caught:
        read_survey(open_file(path), mapping, (PAIR,))
    assert caught.value.where.endswith("book.xlsx, row 2, column B")
    sheet["B2"] = 2
    book.save(path)
    received = read_survey(open_file(path), mapping, (PAIR,))
    assert states(received, "q-b") == {"a": ".x.", "b": "x.."}
