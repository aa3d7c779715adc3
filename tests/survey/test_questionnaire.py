"""Reading `questionnaire.csv`."""

import pytest

from curation.files.bank import GroupBook
from curation.files.questionnaire import COLUMNS, read_questionnaire
from curation.records.bank import Group
from curation.records.messages import CurateError
from curation.records.survey import Option, Question, QuestionKind, Role

BOOK = GroupBook(
    [
        Group("Craft", "Bakers"),
        Group("Craft", "Potters"),
        Group("Craft", "Smiths, farriers"),
        Group("Craft", "Village bakers", parent="Bakers", counts=False),
    ]
)
CHOICE = """\
q-1,choice,Craft,They hum,,1,Bakers,true,target,The bakers
q-1,choice,Craft,They hum,,2,Potters,true,non_target,The potters
q-1,choice,Craft,They hum,,none,,,none,Nobody does
"""
HEADER = ",".join(COLUMNS)


@pytest.fixture
def read(tmp_path):
    def read_rows(rows, header=HEADER):
        path = tmp_path / "questionnaire.csv"
        path.write_text(f"{header}\n{rows}", encoding="utf-8")
        return read_questionnaire(path, BOOK)

    return read_rows


def test_the_rows_of_a_question_are_its_options(read):
    """Options keep their order; the question knows its first row."""
    rows = CHOICE.splitlines(keepends=True)
    other = "c-1,comprehension,Craft,,craft-001,{},,,{},text\n"
    questions = read(
        rows[0] + other.format("x", "correct") + "".join(rows[1:]) + other.format("y", "wrong")
    )
    assert questions == [
        Question(
            "q-1",
            QuestionKind.CHOICE,
            "Craft",
            "They hum",
            (
                Option("1", ("Bakers",), Role.TARGET, True, "The bakers"),
                Option("2", ("Potters",), Role.NON_TARGET, True, "The potters"),
                Option("none", (), Role.NONE, True, "Nobody does"),
            ),
        ),
        Question(
            "c-1",
            QuestionKind.COMPREHENSION,
            "Craft",
            "",
            (Option("x", (), Role.CORRECT, text="text"), Option("y", (), Role.WRONG, text="text")),
            "craft-001",
        ),
    ]
    assert [question.row for question in questions] == [2, 3]


def test_an_option_may_list_groups(read):
    """A comma separates groups, except for those of a group that has one in its name."""
    for label, groups in [
        ("Bakers", ("Bakers",)),
        ("Bakers, Potters", ("Bakers", "Potters")),
        ("Smiths, farriers", ("Smiths, farriers",)),
        ('["Smiths, farriers", "Bakers"]', ("Smiths, farriers", "Bakers")),
        ("unheard of", ("unheard of",)),
    ]:
        cell = '"' + label.replace('"', '""') + '"'
        rows = f"q-1,select_all,Craft,They hum,,1,{cell},,group,\n"
        assert read(rows)[0].options[0].groups == groups


def test_whether_an_option_counts_is_as_written_else_as_the_group(read):
    """An empty cell leaves it to groups.csv; an option of several groups counts."""
    for label, cell, counts in [
        ("Bakers", "", True),
        ("Village bakers", "", False),
        ("Village bakers", "true", True),
        ("Bakers", " FALSE ", False),
        ("Bakers", "n", False),
        ("Bakers", "y", True),
        ('"Village bakers, Potters"', "", True),
        ("unheard of", "", True),
    ]:
        rows = f"q-1,select_all,Craft,They hum,,1,{label},{cell},group,\n"
        assert read(rows)[0].options[0].counts is counts


FIRST, SECOND, THIRD = CHOICE.splitlines(keepends=True)
UNDERSTOOD = "c-1,comprehension,Craft,,craft-001,1,,,correct,\n"
FAULTS = [
    (" ,choice,Craft,x,,1,Bakers,,target,\n", "row 2, column question_id"),
    (FIRST.replace("choice", "multi"), "row 2, column kind"),
    (FIRST.replace("target", "goal"), "row 2, column role"),
    (FIRST.replace("target", "correct"), "row 2, column role"),
    (FIRST.replace("They hum", " "), "row 2, column stereotype"),
    (FIRST.replace("Craft", ""), "row 2, column category"),
    (FIRST.replace("Craft", "a/b"), "row 2, column category"),
    (FIRST + SECOND.replace("hum", "sing"), "row 3, column stereotype"),
    (FIRST + SECOND.replace("choice", "select_all"), "row 3, column kind"),
    (FIRST + SECOND.replace(",2,", ",1,"), "row 2, column option"),
    (FIRST + SECOND.replace(",2,", ",,"), "row 3, column option"),
    (FIRST.replace("Bakers", ""), "row 2, column group"),
    (FIRST.replace("Bakers", '","'), "row 2, column group"),
    (FIRST.replace("Bakers", '"[Bakers"'), "row 2, column group"),
    (FIRST.replace("true", "maybe"), "row 2, column counts"),
    (FIRST + THIRD, "row 2, column role"),
    (FIRST + SECOND.replace("non_target", "target"), "row 2, column role"),
    (
        FIRST.replace("Bakers", '"Bakers, Potters"')
        + SECOND.replace("Potters", '"Potters, Bakers"'),
        "row 2, column group",
    ),
    (UNDERSTOOD.replace("correct", "wrong"), "row 2, column role"),
    (UNDERSTOOD.replace("craft-001", ""), "row 2, column template_id"),
    (UNDERSTOOD + UNDERSTOOD.replace("c-1", "c-2"), "row 3, column template_id"),
    (FIRST + "q-1,choice\n", "row 3"),
]


def test_a_questionnaire_that_cannot_be_read_names_the_cell(read, tmp_path):
    """No question is guessed at or left out."""
    for rows, place in FAULTS:
        with pytest.raises(CurateError) as refused:
            read(rows)
        assert refused.value.where == f"{tmp_path / 'questionnaire.csv'}, {place}", rows


def test_a_questionnaire_lacks_no_column_that_counting_needs(read):
    """The header is checked before any row."""
    with pytest.raises(CurateError, match="the header lacks option, role"):
        read("", "question_id,kind,category,stereotype")
