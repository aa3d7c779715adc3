"""Rows that somebody put above the headings of a platform's file."""

import pytest

from curation.records.messages import CurateError
from survey.platforms import head_of, platforms, recognise, rows_above
from survey.readers.inspection import inspect_file
from survey.readers.opening import open_file
from tests.survey.readers.population import put, put_book
from tests.survey.readers.test_shapes import questions_of_shapes

OTHERS = {"generic", "normal", "simple", "spss", "surveyjs", "xlsform"}
"""Those that have no rows of headings of their own, or are read below a title as tables are."""
FIRST_ROWS = [
    (name, [[*(mark.replace("*", "x") for mark in marks), "Q1"], ["1"] * (len(marks) + 1)])
    for name, platform in platforms().items()
    for marks in platform.marks
    if name not in OTHERS
]
FIRST_ROWS += [
    ("google_forms", [["Timestamp", "Q1"], ["2026/03/02 9:01:11", "Ann"]]),
    ("jspsych", [["trial_type", "trial_index", "response"], ["survey", "1", '{"Q0": "Ann"}']]),
    ("limesurvey", [["Response ID", "Date submitted", "Last page", "Seed"], ["1", "x", "2", "3"]]),
    ("panel", [["respondent_id", "form", "attention"], ["a", "f01", "1"], ["b", "f01", "1"]]),
    ("qualtrics", [["ResponseId", "StartDate", "Status", "Finished"], ["R_1", "x", "0", "1"]]),
    ("qualtrics", [["A", "B", "C"], [f'{{"ImportId": "{at}"}}' for at in "abc"], ["1", "2", "3"]]),
    ("surveymonkey", [["Respondent ID", "Collector ID", "Q1"], ["", "", "Ann"], ["1", "2", "Ann"]]),
    ("workbook", [["respondent_id", "Q1"], ["Name", "Who?"], ["", "Ann"], ["a", "x"]]),
]
TITLES = [["Judgments"]], [["Judgments"], ["of March"]], [["Judgments"], [""], ["of March"]]


def saved(path, rows):
    return put(path, rows) if path.suffix == ".csv" else put_book(path, A=rows)


def test_headings_of_a_platform_below_a_title_are_refused(tmp_path):
    """Read as any table, rows that the platform rejected would count."""
    assert {name for name, _ in FIRST_ROWS} == platforms().keys() - OTHERS
    for name, rows in FIRST_ROWS:
        for ending in ("csv", "xlsx")[name == "workbook" :]:
            path = tmp_path / f"a.{ending}"
            head = head_of(open_file(saved(path, rows)))
            assert (recognise(head)[1].preset, rows_above(head)) == (name, 0)
            for titles in TITLES:
                above = [[*row, *[""] * (len(rows[0]) - len(row))] for row in titles]
                opened = open_file(saved(path, [*above, *rows]))
                with pytest.raises(CurateError, match=f"row {len(above) + 1}, below a title"):
                    inspect_file(opened, questions_of_shapes(), tmp_path)


def test_a_second_sheet_with_a_title_is_another_table(tmp_path):
    """It has rows below the same headings, and would not be counted."""
    rows = [["_uuid", "_submission_time", "q-craft-c3"], ["u1", "x", "Ann"]]
    path = put_book(tmp_path / "a.xlsx", A=rows, B=[["Wave 2"], *rows])
    with pytest.raises(CurateError, match="both hold answers"):
        inspect_file(open_file(path), questions_of_shapes(), tmp_path)
