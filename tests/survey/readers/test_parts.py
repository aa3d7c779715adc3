"""Small parts of reading: times, codebooks, crowd forms, names of columns, mappings."""

import pytest

from curation.records.messages import CurateError
from survey.mapping import RespondentPart, load_mapping, save_mapping
from survey.readers.frames import column_of
from survey.readers.opening import open_file
from survey.readers.people import instant, names_each_row
from survey.readers.placing import read_codebook
from survey.readers.structured import holds_answers


def test_times_are_ordered():
    """In the ways that platforms write them."""
    for earlier, later in [
        ("2026-01-01 09:00", "2026-01-01 09:00:01"),
        ("2026-01-31", "2026-02-01"),
        ("2026/01/01 11:59:59 AM GMT+9", "2026/01/01 12:00:00 PM GMT+9"),
        ("2026/01/01 12:30:00 AM", "2026/01/01 1:00:00 AM"),
        ("2026. 1. 1 오전 11:00:00", "2026. 1. 1 오후 1:00:00"),
        ("2026-01-01T10:00:00.000000Z", "2026-01-01T10:00:00.500000Z"),
        ("2026-01-01T10:00:00+09:00", "2026-01-01T02:00:00Z"),
        ("2026年1月1日 午前9:00", "2026年1月1日 午後9:00"),
        ("1767225600", "1767225600.5"),
    ]:
        first, second = instant(earlier), instant(later)
        assert first is not None
        assert second is not None
        assert first < second
        assert instant("2026-01-01 09:00") == instant("2026-01-01T09:00Z")


def test_what_is_no_time_for_sure_is_none():
    """Day and month can be exchanged, or there is no such day."""
    for text in ["1/2/2026 09:00", "01.02.2026", "2026-13-01", "2026-02-30", "yesterday", ""]:
        assert instant(text) is None


def test_times_of_what_was_sent_tell_rows_apart():
    """As tools of any language write a day and a time of it; a day alone does not."""
    for text, tells in (
        ("3/2/2026 9:02 AM", True),
        ("2026-03-02T09:02:11+01:00", True),
        ("2026-03-02 \uc624\uc804 09:02:11", True),
        ("02-Mar-2026 09:02:11", True),
        ("02.03.2026, 09:02:11", True),
        ("2026-03-02", False),
    ):
        assert names_each_row("When", column_of([text])) is tells, text


def test_a_codebook_goes_on_where_the_variable_is_empty():
    """With the question's text in the variable's first row, under a title or not."""
    rows = [
        ["Codes of the survey", "", "", ""],
        ["변수", "문항", "코드", "보기"],
        ["Q1", "어느 쪽?", "1", "노인"],
        ["", "", "2", "청년, 중년"],
        ["", "", "9", ""],
        ["Q2", "그리고?", "1", "예"],
    ]
    assert read_codebook(rows) == (
        {"Q1": "어느 쪽?", "Q2": "그리고?"},
        {"Q1": {"1": "노인", "2": "청년, 중년"}, "Q2": {"1": "예"}},
    )


def test_what_an_spss_file_declares_missing_is_kept_and_named(tmp_path):
    """Values and ranges of them, as the file itself has them; what is empty is no value."""
    import pandas
    import pyreadstat

    frame = pandas.DataFrame({"V1": [1.0, 8.0, 9.5, None], "V2": ["a", "x", "b", ""]})
    ranges = {"V1": [{"lo": 8, "hi": 10}], "V2": ["x"]}
    pyreadstat.write_sav(frame, str(tmp_path / "a.sav"), missing_ranges=ranges)
    opened = open_file(tmp_path / "a.sav")
    assert opened.cells == [["V1", "1", "8", "9.5", ""], ["V2", "a", "x", "b", ""]]
    assert opened.source.missing == {"V1": ("8", "9.5"), "V2": ("x",)}


# --- mapping.yaml -----------------------------------------------------------------------------

HEAD = "respondent: {id: id}\n"


def load(tmp_path, text):
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


ONE = "{id: q, kind: choice, column: B, options: {}}"
CONTRADICTORY = [
    "read: {header_rows: 2, header: 3}\n",
    "read: {rows: 0}\n",
    "attributes: {status: S}\nfinished: {Done: [Yes]}\n",
    "attributes: {attention: A}\nattention: [{column: B, expect: [x]}]\n",
    "attributes: {gender: {values: {1: x}}}\n",
    "questions: [{id: q, kind: choice, options: {}}]\n",
    "questions: [{id: q, kind: choice, column: B, columns: 'B{code}', options: {}}]\n",
    "questions: [{id: q, kind: choice, columns: B, options: {}}]\n",
    "questions: [{id: q, kind: choice, column: B, joined: ',', options: {}}]\n",
    "questions: [{id: q, kind: select_all, columns: 'B{code}', joined: ',', options: {}}]\n",
    "questions: [{id: q, kind: choice, column: B, selected: ['0'], options: {}}]\n",
    "questions: [{id: q, kind: choice, column: B, options: {}, shown: {f01: ['1']}}]\n",
    f"questions: [{ONE}, {ONE.replace('id: q', 'id: r')}]\n",
    f"questions: [{ONE}, {ONE.replace('column: B', 'column: C')}]\n",
    "long: {question: q, answer: a}\nquestions: [{id: q, kind: choice, columns: 'B{code}', "
    "options: {}}]\n",
    f"long: {{question: q, answer: a}}\nquestions: [{ONE[:-1]}, asked: {{form: [f01]}}}}]\n",
]


def test_a_mapping_that_contradicts_itself_is_refused(tmp_path):
    """Before a file is read by it."""
    for text in CONTRADICTORY:
        assert refused(tmp_path, HEAD + text), text
    with pytest.raises(ValueError, match="'started' needs 'submitted'"):
        RespondentPart(id="who", started="from")
    text = HEAD + "long: {question: q, answer: a}\nquestions: [{id: q, kind: choice, options: {}}]"
    assert load(tmp_path, text).questions[0].column is None


def test_what_is_no_survey_file_is_said_in_a_line(tmp_path):
    """Text that is called a workbook, half a JSON, JSON of something else."""
    for name, text, said in (
        ("a.xlsx", "id,q\n1,2\n", "is called a workbook and is a text file"),
        ("a.json", '[{"id": 1, "q": "Coa', "it ends too early"),
        ("b.json", "[1, 2]", "is not a list of objects"),
        ("c.json", '{"items": [{"answers": [{"text": "x"}]}]}', "export the answers as a table"),
        ("a.jsonl", '{"id": 1}\n{"id": ', "it ends too early"),
    ):
        (tmp_path / name).write_text(text, "utf-8")
        with pytest.raises(CurateError, match=said):
            open_file(tmp_path / name)
    assert holds_answers(tmp_path / "c.json")  # so that it is not refused as counts


def test_json_is_a_row_an_object(tmp_path):
    """Objects within have names with a dot, lists stay as they are; keys may hold all, and each."""
    (tmp_path / "a.json").write_text(
        '{"data": [{"1": {"id": 1, "q": ["x"], "m": {"a": true}}}, {"2": {"id": 2, "n": null}}]}',
        "utf-8",
    )
    frame = open_file(tmp_path / "a.json").frame()
    cells = [[column.cell(at) for column in frame.columns] for at in range(len(frame))]
    assert frame.titles == ("id", "q", "m.a", "n")
    assert cells == [["1", '["x"]', "true", ""], ["2", "", "", ""]]
