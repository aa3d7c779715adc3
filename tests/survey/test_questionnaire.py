"""Reading `questionnaire.csv`."""

from collections.abc import Callable
from pathlib import Path

import pytest

from curation.records.bank import Group
from curation.records.errors import CurateError
from curation.records.survey import Option, Question, QuestionKind, Role
from survey.questionnaire import COLUMNS, GroupBook, read_questionnaire

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
Read = Callable[..., list[Question]]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Read a questionnaire with the given rows."""

    def read_rows(rows: str, header: str = ",".join(COLUMNS)) -> list[Question]:
        path = tmp_path / "questionnaire.csv"
        path.write_text(f"{header}\n{rows}", encoding="utf-8")
        return read_questionnaire(path, BOOK)

    return read_rows


def test_the_rows_of_a_question_are_its_options(read: Read) -> None:
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
            (
                Option("x", (), Role.CORRECT, text="text"),
                Option("y", (), Role.WRONG, text="text"),
            ),
            "craft-001",
        ),
    ]
    assert [question.row for question in questions] == [2, 3]


@pytest.mark.parametrize(
    ("label", "groups"),
    [
        ("Bakers", ("Bakers",)),
        ("Bakers, Potters", ("Bakers", "Potters")),
        ("Smiths, farriers", ("Smiths, farriers",)),
        ('["Smiths, farriers", "Bakers"]', ("Smiths, farriers", "Bakers")),
        ("unheard of", ("unheard of",)),
    ],
)
def test_an_option_may_list_groups(read: Read, label: str, groups: tuple[str, ...]) -> None:
    """A comma separates groups, except for those of a group that has one in its name."""
    cell = '"' + label.replace('"', '""') + '"'
    rows = f"q-1,select_all,Craft,They hum,,1,{cell},,group,\n"
    assert read(rows)[0].options[0].groups == groups


@pytest.mark.parametrize(
    ("label", "cell", "counts"),
    [
        ("Bakers", "", True),
        ("Village bakers", "", False),
        ("Village bakers", "true", True),
        ("Bakers", " FALSE ", False),
        ("Bakers", "n", False),
        ("Bakers", "y", True),
        ('"Village bakers, Potters"', "", True),
        ("unheard of", "", True),
    ],
)
def test_whether_an_option_counts_is_as_written_else_as_the_group(
    read: Read, label: str, cell: str, counts: bool
) -> None:
    """An empty cell leaves it to groups.csv; an option of several groups counts."""
    rows = f"q-1,select_all,Craft,They hum,,1,{label},{cell},group,\n"
    assert read(rows)[0].options[0].counts is counts


def test_columns_that_only_people_need_may_lack(read: Read) -> None:
    """Text, template and counts are not needed to count a choice."""
    questions = read(
        "q-1,choice,Craft,They hum,1,Bakers,target\n"
        "q-1,choice,Craft,They hum,2,Potters,non_target\n",
        "question_id,kind,category,stereotype,option,group,role",
    )
    assert [option.counts for option in questions[0].options] == [True, True]


FIRST, SECOND, THIRD = CHOICE.splitlines(keepends=True)
FAULTS = {
    "no question": (" ,choice,Craft,x,,1,Bakers,,target,\n", "names no question", 2, "question_id"),
    "unknown kind": (FIRST.replace("choice", "multi"), "'multi' is not a kind", 2, "kind"),
    "unknown role": (FIRST.replace("target", "goal"), "'goal' is not a role", 2, "role"),
    "role of another kind": (
        FIRST.replace("target", "correct"),
        "role 'correct' does not go with kind choice",
        2,
        "role",
    ),
    "no stereotype": (FIRST.replace("They hum", " "), "names no stereotype", 2, "stereotype"),
    "no category": (FIRST.replace("Craft", ""), "'' cannot be the name", 2, "category"),
    "odd category": (FIRST.replace("Craft", "a/b"), "'a/b' cannot be the name", 2, "category"),
    "another stereotype": (
        FIRST + SECOND.replace("hum", "sing"),
        "question q-1 says 'They sing' here and 'They hum' in row 2",
        3,
        "stereotype",
    ),
    "another kind": (
        FIRST + SECOND.replace("choice", "select_all"),
        "question q-1 says 'select_all' here and 'choice' in row 2",
        3,
        "kind",
    ),
    "option twice": (FIRST + SECOND.replace(",2,", ",1,"), "has two options '1'", 2, "option"),
    "no option": (FIRST + SECOND.replace(",2,", ",,"), "has an option without a code", 3, "option"),
    "no group": (FIRST.replace("Bakers", ""), "the option names no group", 2, "group"),
    "only a comma": (FIRST.replace("Bakers", '","'), "the option names no group", 2, "group"),
    "broken list": (FIRST.replace("Bakers", '"[Bakers"'), "is not a list of groups", 2, "group"),
    "neither true nor false": (
        FIRST.replace("true", "maybe"),
        "'maybe' is neither true nor false",
        2,
        "counts",
    ),
    "no non-target": (FIRST + THIRD, "q-1 needs exactly one non_target option", 2, "role"),
    "two targets": (
        FIRST + SECOND.replace("non_target", "target"),
        "q-1 needs exactly one target option",
        2,
        "role",
    ),
    "same groups": (
        FIRST.replace("Bakers", '"Bakers, Potters"')
        + SECOND.replace("Potters", '"Potters, Bakers"'),
        "'Bakers, Potters' and 'Potters, Bakers' are the same groups",
        2,
        "group",
    ),
    "no correct answer": (
        "c-1,comprehension,Craft,,craft-001,1,,,wrong,\n",
        "c-1 needs exactly one correct option",
        2,
        "role",
    ),
    "no template": (
        "c-1,comprehension,Craft,,,1,,,correct,\n",
        "question c-1 names no template",
        2,
        "template_id",
    ),
    "one template twice": (
        "c-1,comprehension,Craft,,craft-001,1,,,correct,\n"
        "c-2,comprehension,Craft,,craft-001,1,,,correct,\n",
        "c-1 and c-2 both ask about craft-001",
        3,
        "template_id",
    ),
    "ragged": (FIRST + "q-1,choice\n", "the row has 2 cells where the header has 10", 3, ""),
}


@pytest.mark.parametrize(("rows", "what", "row", "column"), FAULTS.values(), ids=FAULTS)
def test_a_questionnaire_that_cannot_be_read_names_the_cell(
    read: Read, tmp_path: Path, rows: str, what: str, row: int, column: str
) -> None:
    """No question is guessed at or left out."""
    with pytest.raises(CurateError) as refused:
        read(rows)
    assert what in refused.value.what
    place = f", row {row}" + (f", column {column}" if column else "")
    assert refused.value.where == f"{tmp_path / 'questionnaire.csv'}{place}"


def test_a_questionnaire_lacks_no_column_that_counting_needs(read: Read) -> None:
    """The header is checked before any row."""
    with pytest.raises(CurateError, match="the header lacks option, role"):
        read("", "question_id,kind,category,stereotype")


def test_what_is_known_of_groups() -> None:
    """An unknown group is not known, and counts; categories keep their groups apart."""
    assert BOOK.known("Craft", "Bakers")
    assert not BOOK.known("Craft", "Weavers")
    assert not BOOK.known("Age", "Bakers")
    assert BOOK.counts("Age", ["Village bakers"])
    assert not BOOK.counts("Craft", ["Village bakers"])
