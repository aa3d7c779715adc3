"""Answers in the shape that a platform gives back are read by the mapping of the form."""

import csv
import json
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from ods import save_ods

from curation.records.errors import CurateError
from curation.records.survey import Question, QuestionKind
from survey.answers import STATES
from survey.mapping import Mapping, QuestionPart, load_mapping
from survey.platforms import PLATFORMS, platform, write_forms
from survey.readers.received import read_survey

HUMS, RISES, SILENT = "q-craft-00000001", "q-craft-00000002", "c-craft-001"
PEOPLE: dict[str, dict[str, list[str]]] = {
    "p1": {HUMS: ["2"], RISES: ["1", "3"], SILENT: ["2"]},
    "p2": {HUMS: ["none"], RISES: [], SILENT: ["3"]},
    "p3": {HUMS: ["1"], RISES: ["none"], SILENT: ["1"]},
}
KIND = QuestionKind.SELECT_ALL


def cells(part: QuestionPart, chosen: list[str], blank: str = "") -> dict[str, str]:
    """Write one answer as the mapping says that it stands in the file."""
    keys = {option: key for key, option in part.options.items()}
    if part.columns:
        left = next((value for value in part.not_selected if value), blank)
        if not chosen:
            left = blank
        return {
            part.columns.replace("{code}", key): part.selected[0] if option in chosen else left
            for option, key in keys.items()
        }
    if part.kind is KIND and len(chosen) > 1:
        return {str(part.column): json.dumps({"choices": [keys[code] for code in chosen]})}
    return {str(part.column): keys[chosen[0]] if chosen else blank}


def record(name: str, mapping: Mapping, answers: dict[str, list[str]]) -> dict[str, str]:
    """Write one respondent: all that the mapping names, the attention check passed."""
    row = {mapping.respondent.id: name}
    for part in mapping.attributes.values():
        east = next((cell for cell, value in part.values.items() if value == "east"), "east")
        row[part.column] = east
    row |= {column: values[0] for column, values in {**mapping.keep, **mapping.finished}.items()}
    row |= {check.column: check.expect[0] for check in mapping.attention}
    for column in (mapping.respondent.duration, mapping.respondent.submitted):
        row |= {column: "61" if column == mapping.respondent.duration else ""} if column else {}
    for part in mapping.questions:
        row |= cells(part, answers[part.id])
        if part.order:
            row[part.order] = "|".join(part.options)
    return row


def export(path: Path, mapping: Mapping) -> Path:
    """Write what the platform gives back; rows above the answers repeat the names."""
    rows = [record(name, mapping, answers) for name, answers in PEOPLE.items()]
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0].keys(), quoting=csv.QUOTE_ALL)
        for _ in range(mapping.read.header_rows):
            writer.writeheader()
        writer.writerows(rows)
    return path


def filled_in(path: Path, mapping: Mapping) -> Path:
    """Fill in the workbook as a person would, in the rows that are there for it."""
    book = openpyxl.load_workbook(path)
    sheet = book[str(mapping.read.sheet)]
    places = {cell.value: cell.column for cell in sheet[1]}
    for row, (name, answers) in enumerate(PEOPLE.items(), start=4):
        for column, value in record(name, mapping, answers).items():
            if value:
                sheet.cell(row, places[column], value)
    book.save(path)
    return path


@pytest.mark.parametrize("name", PLATFORMS)
def test_round_trip(kit: Any, tmp_path: Path, name: str) -> None:
    """Every answer of three people comes back, what was left blank as missing."""
    write_forms(tmp_path, kit, [name])
    mapping = load_mapping(tmp_path / name / "f01.mapping.yaml")
    if name == "workbook":
        path = filled_in(tmp_path / name / "forms.xlsx", mapping)
    else:
        path = export(tmp_path / "answers.csv", mapping)
    questions = [item.question for item in kit.sheets[0].items]
    verify(path, mapping, questions)


def test_an_open_document_of_the_workbook_is_read(kit: Any, tmp_path: Path) -> None:
    """And a formula in it is no answer."""
    write_forms(tmp_path, kit, ["workbook"])
    mapping = load_mapping(tmp_path / "workbook" / "f01.mapping.yaml")
    made = filled_in(tmp_path / "workbook" / "forms.xlsx", mapping)
    questions = [item.question for item in kit.sheets[0].items]
    book = openpyxl.load_workbook(made)
    path = save_ods(book, tmp_path / "back.ods")
    verify(path, mapping, questions)
    book["f01"]["C4"] = "=1+1"
    with pytest.raises(CurateError, match="the cell holds a formula") as refused:
        read_survey(save_ods(book, path), mapping, questions, "en")
    assert refused.value.where == f"{path}, row 4, column Q001"


def verify(path: Path, mapping: Mapping, questions: list[Question]) -> None:
    """What the three people answered is what is read."""
    received = read_survey(path, mapping, questions, "en")
    assert not received.excluded
    named = {f"{mapping.respondent.prefix}{name}": answers for name, answers in PEOPLE.items()}
    assert chosen(received.answers, questions) == named
    missing = [
        received.answers.respondents[who]
        for who, state in zip(received.answers.respondent, received.answers.state, strict=True)
        if STATES[state] == "missing"
    ]
    assert set(missing) == {[*named][1]} and len(missing) == len(questions[1].options)
    assert received.answers.attributes["attention"] == ("passed",) * 3
    assert received.answers.attributes["region"] == ("east",) * 3


def chosen(answers: Any, questions: list[Question]) -> dict[str, dict[str, list[str]]]:
    """What everybody chose, by question."""
    found: dict[str, dict[str, list[str]]] = {
        name: {question.id: [] for question in questions} for name in answers.respondents
    }
    for at in answers.selected.nonzero()[0]:
        question = questions[answers.question[at]]
        code = question.options[answers.option[at]].code
        found[answers.respondents[answers.respondent[at]]][question.id].append(code)
    return found


def test_order_is_read(kit: Any, tmp_path: Path) -> None:
    """Label Studio's task says where each option was shown."""
    mapping = platform("label_studio").mapping(kit, kit.sheets[0])
    rows = record("p1", mapping, PEOPLE["p1"])
    rows["order_Q001"] = "2|1|none"
    path = tmp_path / "answers.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, rows.keys())
        writer.writeheader()
        writer.writerow(rows)
    answers = read_survey(path, mapping, [i.question for i in kit.sheets[0].items], "en").answers
    first = answers.question == 0
    assert sorted(zip(answers.option[first], answers.position[first], strict=True)) == [
        (0, 2),
        (1, 1),
        (2, 3),
    ]
