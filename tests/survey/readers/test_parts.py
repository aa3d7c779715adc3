"""Small parts of reading: times, codebooks, crowd forms, names of columns, mappings."""

import json
from pathlib import Path

import pytest

from curation.records.errors import CurateError
from survey.mapping import Mapping, ReadPart, load_mapping, save_mapping
from survey.platforms.mturk import with_task_answers
from survey.readers.duplicates import instant
from survey.readers.grid import Names, column_names, plain, read_grid
from survey.readers.hints import read_codebook
from survey.readers.sheets import column_letters, column_number


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("2026-01-01 09:00", "2026-01-01 09:00:01"),
        ("2026-01-31", "2026-02-01"),
        ("2026/01/01 11:59:59 AM GMT+9", "2026/01/01 12:00:00 PM GMT+9"),
        ("2026/01/01 12:30:00 AM", "2026/01/01 1:00:00 AM"),
        ("2026. 1. 1 오전 11:00:00", "2026. 1. 1 오후 1:00:00"),
        ("2026-01-01T10:00:00.000000Z", "2026-01-01T10:00:00.500000Z"),
        ("2026-01-01T10:00:00+09:00", "2026-01-01T02:00:00Z"),
        ("2026年1月1日 午前9:00", "2026年1月1日 午後9:00"),
        ("1767225600", "1767225600.5"),
    ],
)
def test_times_are_ordered(earlier, later):
    """In the ways that platforms write them."""
    first, second = instant(earlier), instant(later)
    assert first is not None
    assert second is not None
    assert first < second


@pytest.mark.parametrize(
    "text", ["1/2/2026 09:00", "01.02.2026", "2026-13-01", "2026-02-30", "yesterday", ""]
)
def test_what_is_no_time_for_sure_is_none(text):
    """Day and month can be exchanged, or there is no such day."""
    assert instant(text) is None


def test_a_codebook_goes_on_where_the_variable_is_empty():
    """With the question's text in the variable's first row, under a title or not."""
    rows = [
        ["Codes of the survey", "", "", ""],
        ["변수", "문항", "코드", "보기"],
        ["Q1", "어느 쪽?", "1", "노인"],
        ["", "", "2", "청년, 중년"],
        ["Q2", "그리고?", "1", "예"],
    ]
    assert read_codebook(rows) == (
        {"Q1": "어느 쪽?", "Q2": "그리고?"},
        {"Q1": {"1": "노인", "2": "청년, 중년"}, "Q2": {"1": "예"}},
    )


def test_a_sheet_that_is_no_codebook_tells_nothing():
    """Its columns are not called so."""
    assert read_codebook([["a", "b"], ["1", "2"]]) == ({}, {})


def test_columns_are_called_by_letters():
    """As a spreadsheet calls them."""
    assert [column_letters(at) for at in (0, 25, 26, 701, 702)] == ["A", "Z", "AA", "ZZ", "AAA"]
    assert all(column_number(column_letters(at)) == at for at in range(2000))


def test_a_name_is_seen_without_what_cannot_be_seen():
    """Blanks of other widths, marks, letters in parts; a formula's mark."""
    assert plain(" a\u00a0\u200b b\n") == "a b"
    assert plain("각") == "각"
    assert plain("'=1") == "=1"
    assert plain("'tis") == "'tis"


def test_names_that_are_json_are_compared_as_json():
    """Blanks and order of keys do not matter."""
    names = Names(column_names([['{"b":1, "a":"x"}', "c"]], 1, "qualtrics"), "file", 1)
    assert names.find('{ "a":"x","b":1 }', "column") == 0


def test_a_crowd_form_has_a_column_for_each_answer(tmp_path):
    """Checks by option, texts as they are; what a respondent was not shown is empty."""
    path = tmp_path / "a.csv"
    cells = [
        json.dumps([{"q": {"1": True, "2": False}, "t": "x", "n": 3}]),
        json.dumps([{"q": {"1": False, "2": True}, "u": None}]),
    ]
    quoted = ['"' + cell.replace('"', '""') + '"' for cell in cells]
    path.write_text(f"id,Answer.taskAnswers\na,{quoted[0]}\nb,{quoted[1]}\n", encoding="utf-8")
    grid, titles = with_task_answers(
        read_grid(path, ReadPart(), "en"), ["id", "Answer.taskAnswers"]
    )
    assert titles[2:] == ["Answer.q.1", "Answer.q.2", "Answer.t", "Answer.n", "Answer.u"]
    assert [row[2:] for row in grid.records()] == [
        ["true", "false", "x", "3", ""],
        ["false", "true", "", "", ""],
    ]


@pytest.mark.parametrize("cell", ["x", "[]", "{}", "[1]", "[{},{}]"])
def test_a_crowd_form_that_is_none_is_refused(tmp_path, cell):
    """With its row."""
    path = tmp_path / "a.csv"
    path.write_text(f'id,Answer.taskAnswers\na,"{cell}"\n', encoding="utf-8")
    with pytest.raises(CurateError) as caught:
        with_task_answers(read_grid(path, ReadPart(), "en"), ["id", "Answer.taskAnswers"])
    assert caught.value.where.endswith("row 2, column Answer.taskAnswers")


# --- mapping.yaml -----------------------------------------------------------------------------

HEAD = "respondent: {id: id}\n"


def load(tmp_path, text):
    """Read a mapping given as text."""
    path = tmp_path / "mapping.yaml"
    path.write_text(text, encoding="utf-8")
    return load_mapping(path)


def refused(tmp_path, text):
    """Read a mapping that is refused; give the error's first line."""
    with pytest.raises(CurateError) as caught:
        load(tmp_path, text)
    return caught.value.what


def test_values_stay_as_they_are_written(tmp_path):
    """`01` is no number, `No` no truth value, and 1 and "1" are one."""
    text = HEAD + "keep: {Done: [Yes, 01, 1]}\nquestions:\n  - {id: q, kind: choice, column: B, "
    mapping = load(tmp_path, text + "options: {01: a, No: b, 1.0: c, 2026-01-01: e}}\n")
    assert mapping.keep == {"Done": ("Yes", "01", "1")}
    assert list(mapping.questions[0].options) == ["01", "No", "1.0", "2026-01-01"]
    save_mapping(tmp_path / "mapping.yaml", mapping)
    assert load_mapping(tmp_path / "mapping.yaml") == mapping


def test_a_key_that_stands_twice_is_refused(tmp_path):
    """The last would win in silence."""
    text = HEAD + "questions:\n- {id: q, kind: choice, column: B, options: {1: a, 1: b}}\n"
    assert refused(tmp_path, text) == "mapping.yaml is not valid YAML: '1' occurs twice"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("read: {header_rows: 2, header: 3}\n", "'header' is 3 of 2 header rows"),
        ("read: {rows: 0}\n", "greater than or equal to 1"),
        ("attributes: {status: S}\n", "'status' is reserved, choose another name"),
        (
            "questions: [{id: q, kind: choice, options: {}}]\n",
            "give 'column', 'columns' or 'mentions'",
        ),
        (
            "questions: [{id: q, kind: choice, column: B, columns: 'B{code}', options: {}}]\n",
            "give one of 'column', 'columns' and 'mentions'",
        ),
        (
            "questions: [{id: q, kind: choice, columns: B, options: {}}]\n",
            "'columns' needs {code}",
        ),
        (
            "questions: [{id: q, kind: choice, column: B, joined: ',', options: {}}]\n",
            "'joined' goes with select_all",
        ),
        (
            "questions: [{id: q, kind: select_all, columns: 'B{code}', joined: ',', options: {}}]",
            "'joined' goes with 'column'",
        ),
        (
            "questions: [{id: q, kind: choice, column: B, selected: ['0'], options: {}}]\n",
            "'0' is both in 'selected' and in 'not_selected'",
        ),
        (
            "questions: [{id: q, kind: choice, column: B, options: {}}, "
            "{id: r, kind: choice, column: B, options: {}}]\n",
            "questions q and r are both in 'B'",
        ),
        (
            "questions: [{id: q, kind: choice, column: B, options: {}}, "
            "{id: q, kind: choice, column: C, options: {}}]\n",
            "question q occurs twice",
        ),
        (
            "long: {question: q, answer: a}\n"
            "questions: [{id: q, kind: choice, columns: 'B{code}', options: {}}]\n",
            "'columns' does not go with 'long'",
        ),
    ],
)
def test_a_mapping_that_contradicts_itself_is_refused(tmp_path, text, what):
    """Before a file is read by it."""
    assert what in refused(tmp_path, HEAD + text)


def test_a_long_file_may_have_questions_without_a_place(tmp_path):
    """They are called by their ids there."""
    text = HEAD + "long: {question: q, answer: a}\nquestions: [{id: q, kind: choice, options: {}}]"
    assert isinstance(load(tmp_path, text), Mapping)


def test_the_example_of_the_documentation_is_a_mapping(tmp_path):
    """It is what people copy."""
    page = (Path(__file__).parents[3] / "docs" / "survey.md").read_text("utf-8")
    example = page.split("### mapping.yaml\n\n```yaml\n")[1].split("```")[0]
    assert len(load(tmp_path, example).questions) == 2
