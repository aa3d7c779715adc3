"""Counting the answers of `responses.csv`."""

import csv
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as given_with
from hypothesis import strategies as st

from curation.records.errors import CurateError
from curation.records.survey import Option, Question, QuestionKind, Role, Tally
from survey.answers import COLUMNS, Answers, read_answers
from survey.votes import read_responses

HEADER = ",".join(COLUMNS)
NONE = Option("none", (), Role.NONE)
CHOICE = Question(
    "q-choice",
    QuestionKind.CHOICE,
    "Craft",
    "they hum",
    (Option("1", ("A",), Role.TARGET), Option("2", ("B",), Role.NON_TARGET), NONE),
)
SEVERAL = Question(
    "q-several",
    QuestionKind.SELECT_ALL,
    "Craft",
    "they sing",
    (*(Option(str(at), (name,), Role.GROUP) for at, name in enumerate("ABCD")), NONE),
)
UNDERSTOOD = Question(
    "c-001",
    QuestionKind.COMPREHENSION,
    "Craft",
    "",
    (Option("1", (), Role.CORRECT), Option("2", (), Role.WRONG), Option("3", (), Role.WRONG)),
    "craft-001",
)
QUESTIONS = (CHOICE, SEVERAL, UNDERSTOOD)
Row = tuple[str, Question, str, str]  # respondent, question, option, state
Count = Callable[..., tuple[dict[str, tuple[int, tuple[int, ...]]], list[str]]]


def text_of(rows: Sequence[Row]) -> str:
    """Write rows as a file holds them."""
    lines = [
        f"{who},{asked.id},{asked.kind},{option},{state},1,2.5"
        for who, asked, option, state in rows
    ]
    return "\n".join([HEADER, *lines, ""])


def counts(tallies: Sequence[Tally]) -> dict[str, tuple[int, tuple[int, ...]]]:
    """Respondents and votes by question."""
    return {tally.question.id: (tally.respondents, tally.votes) for tally in tallies}


@pytest.fixture
def count(tmp_path: Path) -> Count:
    """Count a file with a content: votes by question, and what is said of respondents."""

    def read(content: str | bytes | Sequence[Row]) -> Any:
        path = tmp_path / "responses.csv"
        if not isinstance(content, str | bytes):
            content = text_of(content)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        tallies, findings = read_responses(path, QUESTIONS)
        assert [item.question for item in tallies] == [
            item for item in QUESTIONS if item in {tally.question for tally in tallies}
        ]
        return counts(tallies), [f"{item.where}: {item.message}" for item in findings]

    return read


def test_who_chose_something_is_counted_once_for_each_question(count: Count) -> None:
    """Votes stand in the order of the options; what was only shown is no vote."""
    found, findings = count(
        [
            ("r1", CHOICE, "1", "selected"),
            ("r1", CHOICE, "2", "shown"),
            ("r1", CHOICE, "none", "shown"),
            ("r2", CHOICE, "none", "selected"),
            ("r1", SEVERAL, "3", "selected"),
            ("r1", SEVERAL, "0", "selected"),
            ("r2", SEVERAL, "3", "selected"),
            ("r1", UNDERSTOOD, "1", "selected"),
            ("r2", UNDERSTOOD, "3", "selected"),
        ]
    )
    assert found == {
        "q-choice": (2, (1, 0, 1)),
        "q-several": (2, (1, 0, 0, 2, 0)),
        "c-001": (2, (1, 0, 1)),
    }
    assert findings == []


def test_who_chose_nothing_has_not_answered(count: Count) -> None:
    """Missing and merely shown options make no respondent; the question is there all the same."""
    found, findings = count(
        [
            ("r1", CHOICE, "1", "missing"),
            ("r1", CHOICE, "2", "missing"),
            ("r2", CHOICE, "1", "shown"),
            ("r3", CHOICE, "2", "selected"),
            ("r1", SEVERAL, "0", "missing"),
        ]
    )
    assert found == {"q-choice": (1, (0, 1, 0)), "q-several": (0, (0, 0, 0, 0, 0))}
    assert findings == []


def test_a_question_that_the_file_does_not_hold_has_no_counts(count: Count) -> None:
    """Only what was asked is counted, so that nothing is decided on what was not."""
    assert list(count([("r1", SEVERAL, "0", "selected")])[0]) == ["q-several"]


def test_who_contradicts_himself_is_left_out_of_the_question_and_named(
    count: Count, tmp_path: Path
) -> None:
    """Two options of a choice, or 'no stereotype' with a group, are a warning each."""
    found, findings = count(
        [
            ("r1", CHOICE, "1", "selected"),
            ("r1", CHOICE, "2", "selected"),
            ("r2", CHOICE, "1", "selected"),
            ("r1", SEVERAL, "0", "selected"),
            ("r1", SEVERAL, "1", "selected"),
            ("r2", SEVERAL, "none", "selected"),
            ("r2", SEVERAL, "1", "selected"),
            ("r3", SEVERAL, "0", "selected"),
            ("r3", SEVERAL, "none", "selected"),
            ("r1", UNDERSTOOD, "1", "selected"),
            ("r1", UNDERSTOOD, "2", "selected"),
        ]
    )
    assert found == {
        "q-choice": (1, (1, 0, 0)),
        "q-several": (1, (1, 1, 0, 0, 0)),
        "c-001": (0, (0, 0, 0)),
    }
    path = tmp_path / "responses.csv"
    not_counted = "their answers to it are not counted"
    assert findings == [
        f"{path}, row 2: question q-choice: 1 respondent chose more than one "
        "option; their answers to it are not counted: r1",
        f"{path}, row 7: question q-several: 2 respondents chose 'no stereotype' "
        f"together with a group; {not_counted}: r2, r3",
        f"{path}, row 11: question c-001: 1 respondent chose more than one option; "
        f"{not_counted}: r1",
    ]


@pytest.mark.parametrize(("people", "more"), [(5, ""), (7, ", ...")])
def test_at_most_five_who_contradict_themselves_are_named(
    count: Count, people: int, more: str
) -> None:
    """A long list of respondents does not drown the message."""
    rows = [(f"r{at}", CHOICE, code, "selected") for at in range(people) for code in ("1", "2")]
    assert count(rows)[1][0].endswith(
        f"{people} respondents chose more than one option; their answers "
        f"to it are not counted: r0, r1, r2, r3, r4{more}"
    )


@pytest.mark.parametrize(
    "content",
    [
        f"{HEADER}\nr1,q-choice,choice,1,selected,,\n r2 ,q-choice , choice, 1,selected ,,\n"
        "r2,q-choice,choice,2 ,shown,,\nr1,q-choice,choice,none,shown,,\n",
        f"\ufeff{HEADER}\r\nr1,q-choice,choice,1,selected,,\r\nr2,q-choice,choice,1,selected,,\r\n",
        f"{HEADER}\n\nr1,q-choice,choice,1,selected,,\n\n,,,,,,\nr2,q-choice,choice,1,selected,,",
        'state,"comment",respondent_id,option,kind,question_id\n'
        'selected,"a, ""b""\nc",r1,1,choice,q-choice\nselected,,r2,1,choice,q-choice\n',
        " respondent_id , question_id,kind,option,state\nr1,q-choice,choice,1,selected\n"
        "r2,q-choice,choice,1,selected\n",
    ],
    ids=["blanks", "byte-order mark and CRLF", "blank rows", "other columns", "blanks in header"],
)
def test_how_the_file_was_saved_makes_no_difference(count: Count, content: str) -> None:
    """Blanks around values, line ends, blank rows and the order of columns change no count."""
    assert count(content) == ({"q-choice": (2, (2, 0, 0))}, [])


@pytest.mark.parametrize("name", ["NA", "null", "None", "007", "NaN", "-", "r,1", "응답자"])
def test_the_name_of_a_respondent_is_a_text(count: Count, name: str) -> None:
    """No name is taken for a number or for nothing."""
    rows = f'{HEADER}\n"{name}",q-choice,choice,1,selected,,\n7,q-choice,choice,1,selected,,\n'
    assert count(rows)[0] == {"q-choice": (2, (2, 0, 0))}


GOOD = "r1,q-choice,choice,1,selected,1,1"
BAD_ROWS = {
    "unknown question": (
        "r2,q-other,choice,1,selected,1,1",
        "question_id 'q-other' is not in the questionnaire (1 row)",
        "question_id",
    ),
    "no question": (
        "r2,,choice,1,selected,1,1",
        "question_id '' is not in the questionnaire (1 row)",
        "question_id",
    ),
    "unknown option": (
        "r2,q-choice,choice,3,selected,1,1",
        "option '3' is not an option of its question (1 row)",
        "option",
    ),
    "option of another question": (
        "r2,q-several,select_all,2.0,shown,1,1",
        "option '2.0' is not an option of its question (1 row)",
        "option",
    ),
    "unknown kind": (
        "r2,q-choice,multi,1,selected,1,1",
        "kind 'multi' where question q-choice is of kind choice (1 row)",
        "kind",
    ),
    "kind of another question": (
        "r2,q-choice,select_all,1,selected,1,1",
        "kind 'select_all' where question q-choice is of kind choice (1 row)",
        "kind",
    ),
    "unknown state": (
        "r2,q-choice,choice,1,Selected,1,1",
        "state 'Selected' is not a state (1 row)",
        "state",
    ),
    "nobody": (
        " ,q-choice,choice,1,selected,1,1",
        "respondent_id '' names nobody (1 row)",
        "respondent_id",
    ),
    "empty name": (
        ",q-choice,choice,1,selected,1,1",
        "respondent_id '' names nobody (1 row)",
        "respondent_id",
    ),
}


@pytest.mark.parametrize(("row", "what", "column"), BAD_ROWS.values(), ids=BAD_ROWS)
@pytest.mark.parametrize(
    ("before", "number"),
    [(f"{GOOD}\n", 3), (f"{GOOD}\n\n,,,,,,\n", 5), ('r9,q-choice,choice,1,selected,"1\n2",1\n', 3)],
    ids=["second", "after blank rows", "after a line break in a cell"],
)
def test_what_the_questionnaire_does_not_hold_is_refused_with_its_row(
    count: Count, tmp_path: Path, row: str, what: str, column: str, before: str, number: int
) -> None:
    """Rows are numbered as a spreadsheet numbers them, blank ones counted, broken lines not."""
    with pytest.raises(CurateError) as refused:
        count(f"{HEADER}\n{before}{row}\n")
    assert refused.value.what == what
    assert refused.value.where == f"{tmp_path / 'responses.csv'}, row {number}, column {column}"
    assert refused.value.hint


def test_several_unknown_values_are_counted(count: Count) -> None:
    """The first is named with how many others there are, and in how many rows."""
    rows = "".join(f"r1,q-{at % 3},choice,1,selected,,\n" for at in range(7))
    with pytest.raises(CurateError, match=r"'q-0' is not in the questionnaire, and 2 more like it"):
        count(f"{HEADER}\n{rows}")


@pytest.mark.parametrize(
    ("rows", "what", "row"),
    [
        (
            [GOOD, "r2,q-choice,choice,1,selected,1,1", GOOD],
            "respondent r1 answers option '1' of question q-choice twice, in rows 2 and 4",
            4,
        ),
        (
            [GOOD, "", " r1 ,q-choice,choice,1,shown,,"],
            "respondent r1 answers option '1' of question q-choice twice, in rows 2 and 4",
            4,
        ),
        (
            [
                "r2,q-several,select_all,none,shown,,",
                *[GOOD] * 3,
                "r2,q-several,select_all,none,selected,,",
            ],
            "respondent r1 answers option '1' of question q-choice twice, in rows 3 and 4; "
            "2 respondents do so",
            4,
        ),
    ],
    ids=["the same row again", "another state", "two respondents"],
)
def test_an_answer_given_twice_is_refused_with_both_rows(
    count: Count, tmp_path: Path, rows: list[str], what: str, row: int
) -> None:
    """Respondent, question and both rows are named; nothing is counted twice."""
    with pytest.raises(CurateError) as refused:
        count("\n".join([HEADER, *rows, ""]))
    assert (refused.value.what, refused.value.where) == (
        what,
        f"{tmp_path / 'responses.csv'}, row {row}",
    )


@pytest.mark.parametrize(
    ("content", "what", "place"),
    [
        (b"", "responses.csv is empty", ""),
        (b"\xef\xbb\xbf\n", "responses.csv is empty", ""),
        (f"{HEADER}\n".encode(), "responses.csv holds no answers", ""),
        (HEADER.encode(), "responses.csv holds no answers", ""),
        (
            f"{HEADER}\n{GOOD}\n{GOOD},9\n".encode(),
            "the row has 8 cells where the header has 7",
            ", row 3",
        ),
        (
            f"{HEADER}\n\n{GOOD}\nr2,q-choice,choice,1\n".encode(),
            "the row has 4 cells where the header has 7",
            ", row 4",
        ),
        (
            f"{HEADER.replace('state', 'kind')}\n{GOOD}\n".encode(),
            "column 'kind' occurs twice in the header",
            ", row 1",
        ),
        (
            f"{HEADER.replace('state', 'status')}\n{GOOD}\n".encode(),
            "the header lacks state",
            ", row 1",
        ),
        (
            f'{HEADER}\n"r1,q-choice,choice,1,selected,1,1\n'.encode(),
            "row 2 cannot be read: unexpected end of data",
            ", row 2",
        ),
        (
            f"{HEADER}\n응답자,q-choice,choice,1,selected,,\n".encode("cp949"),
            "responses.csv is not UTF-8 (byte 64, line 2)",
            "",
        ),
        (HEADER.encode("utf-16"), "responses.csv is UTF-16", ""),
        (b"PK\x03\x04...", "responses.csv is an XLSX workbook or ZIP file, not a text table", ""),
        (b"\x7fELF\x00\x01", "responses.csv is a binary file", ""),
    ],
)
def test_what_is_no_table_of_answers_is_refused(
    count: Count, tmp_path: Path, content: bytes, what: str, place: str
) -> None:
    """A damaged file is never counted in part, and the place is named."""
    with pytest.raises(CurateError) as refused:
        count(content)
    assert refused.value.what == what
    assert refused.value.where == f"{tmp_path / 'responses.csv'}{place}"


def slowly(rows: Sequence[Row]) -> dict[str, tuple[int, tuple[int, ...]]]:
    """Count rows the plain way, one respondent after the other."""
    found = {}
    for question in QUESTIONS:
        mine = [row for row in rows if row[1] is question]
        if not mine:
            continue
        chosen: dict[str, set[str]] = {}
        for who, _, option, state in mine:
            if state == "selected":
                chosen.setdefault(who.strip(), set()).add(option.strip())
        votes = dict.fromkeys((option.code for option in question.options), 0)
        respondents = 0
        for options in chosen.values():
            if question.kind is QuestionKind.SELECT_ALL:
                contradicts = "none" in options and len(options) > 1
            else:
                contradicts = len(options) > 1
            if contradicts:
                continue
            respondents += 1
            for option in options:
                votes[option] += 1
        found[question.id] = (respondents, tuple(votes.values()))
    return found


@st.composite
def answers(draw: st.DrawFn) -> list[Row]:
    """Draw rows in any order, each option of a respondent at most once."""
    people = draw(st.integers(1, 8))
    cells = [
        (f"r{who}", question, option.code)
        for who in range(people)
        for question in QUESTIONS
        for option in question.options
    ]
    picked = draw(st.lists(st.sampled_from(cells), unique=True, min_size=1, max_size=60))
    states = st.sampled_from(["selected", "selected", "shown", "missing"])
    blanks = st.sampled_from(["", "", " "])
    return [
        (draw(blanks) + who, question, option + draw(blanks), draw(states))
        for who, question, option in picked
    ]


@given(rows=answers())
def test_counting_agrees_with_counting_by_hand(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Row]
) -> None:
    """Any answers, missing, contradictory or blank-padded, give what a plain count gives."""
    path = tmp_path_factory.mktemp("answers") / "responses.csv"
    path.write_text(text_of(rows), encoding="utf-8")
    assert counts(read_responses(path, QUESTIONS)[0]) == slowly(rows)


@given_with(max_examples=30)
@given(rows=answers(), order=st.randoms(use_true_random=False), shift=st.integers(1, 7))
def test_neither_the_order_of_rows_nor_the_names_of_people_matter(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Row], order: random.Random, shift: int
) -> None:
    """Permuting rows or respondents changes no count."""
    path = tmp_path_factory.mktemp("answers") / "responses.csv"
    path.write_text(text_of(rows), encoding="utf-8")
    before = counts(read_responses(path, QUESTIONS)[0])
    renamed = [(f"p{(int(row[0].strip()[1:]) + shift) % 8}", *row[1:]) for row in rows]
    order.shuffle(renamed)
    path.write_text(text_of(renamed), encoding="utf-8")
    assert counts(read_responses(path, QUESTIONS)[0]) == before


@pytest.mark.slow
def test_a_file_of_many_blocks_is_counted_whole(tmp_path: Path) -> None:
    """Rows are neither lost nor doubled where a large file is read in parts."""
    path = tmp_path / "responses.csv"
    generator = random.Random(7)  # noqa: S311  # a seeded draw
    options = [option.code for option in SEVERAL.options]
    rows = [
        (f"respondent-{who:06d}", SEVERAL, code, generator.choice(["selected", "shown"]))
        for who in range(40_000)
        for code in options
    ]
    padding = "x" * 40
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow([*COLUMNS, "padding"])
        writer.writerows([w, q.id, q.kind.value, o, s, "", "", padding] for w, q, o, s in rows)
    assert path.stat().st_size > 16 << 20
    assert counts(read_responses(path, QUESTIONS)[0]) == slowly(rows)


def test_many_questions_and_respondents_need_no_table_of_all_pairs(tmp_path: Path) -> None:
    """Seven thousand people who answer one of as many questions each are counted as few are."""
    questions = [
        Question(f"q-{at}", CHOICE.kind, "Craft", "they hum", CHOICE.options) for at in range(7200)
    ]
    path = tmp_path / "responses.csv"
    rows = [(f"r{at}", questions[at], "1", "selected") for at in range(7200)]
    rows += [("r0", questions[1], "2", "selected"), ("r0", questions[0], "none", "selected")]
    path.write_text(text_of(rows), encoding="utf-8")
    tallies, findings = read_responses(path, questions)
    assert [item.votes for item in tallies[:3]] == [(0, 0, 0), (1, 1, 0), (1, 0, 0)]
    assert [item.respondents for item in tallies] == [0, 2] + [1] * 7198
    assert [item.row for item in findings] == [2]


# What else is known of answers and respondents.


def read(tmp_path: Path, content: str) -> Answers:
    """Read a file with a content."""
    path = tmp_path / "responses.csv"
    path.write_bytes(content.encode())
    return read_answers(path, QUESTIONS)


def test_position_and_duration_are_numbers_or_unknown(tmp_path: Path) -> None:
    """An empty cell, or a file without the columns, leaves them open."""
    found = read(
        tmp_path,
        f"{HEADER}\nr1,q-choice,choice,1,selected, 3 , 2.5\nr2,q-choice,choice,1,shown,,\n"
        "r3,q-choice,choice,2,missing,,0\n",
    )
    assert found.position.tolist() == [3, 0, 0]
    assert [str(value) for value in found.duration] == ["2.5", "nan", "0.0"]
    assert found.state.tolist() == [0, 1, 2]
    bare = read(tmp_path, f"{','.join(COLUMNS[:5])}\nr1,q-choice,choice,1,selected\n")
    assert (bare.position.tolist(), str(bare.duration[0])) == ([0], "nan")


@pytest.mark.parametrize(
    ("cells", "what", "column"),
    [
        ("first,1", "position 'first' is not a whole number from 0", "position"),
        ("1.5,1", "position '1.5' is not a whole number from 0", "position"),
        ("1e12,1", "position '1e12' is not a whole number from 0", "position"),
        ("-1,1", "position '-1' is not a whole number from 0", "position"),
        ("1,-0.5", "duration_s '-0.5' is not a number from 0", "duration_s"),
        ("1,inf", "duration_s 'inf' is not a number from 0", "duration_s"),
        ('1,"2,5"', "duration_s '2,5' is not a number from 0", "duration_s"),
    ],
)
def test_what_is_no_number_is_refused_with_its_row(
    tmp_path: Path, cells: str, what: str, column: str
) -> None:
    """The first row that holds it is named."""
    with pytest.raises(CurateError) as refused:
        read(tmp_path, f"{HEADER}\n{GOOD}\n\nr2,q-choice,choice,1,selected,{cells}\n")
    assert refused.value.what == what
    assert refused.value.where == f"{tmp_path / 'responses.csv'}, row 4, column {column}"


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
@pytest.mark.parametrize(
    ("lines", "rows"),
    [
        ([GOOD, "r2,q-choice,choice,1,selected,,"], [2, 3]),
        (["", GOOD, "r2,q-choice,choice,1,selected,,"], [3, 4]),
        ([GOOD, "", "", "r2,q-choice,choice,1,selected,,"], [2, 5]),
        ([GOOD, ",,,,,,", "r2,q-choice,choice,1,selected,,"], [2, 4]),
        (['"r\n1",q-choice,choice,1,selected,,', GOOD], [2, 3]),
    ],
)
def test_answers_know_their_rows(
    tmp_path: Path, lines: list[str], rows: list[int], end: str
) -> None:
    """Blank rows count, a line break in a cell does not, and neither does the end of the file."""
    found = read(tmp_path, "\n".join([HEADER, *lines]) + end)
    assert found.row.tolist() == rows


def test_attributes_of_respondents_stand_beside(tmp_path: Path) -> None:
    """One value for each respondent, empty where nothing is known of him."""
    (tmp_path / "respondents.csv").write_text("age,respondent_id\n 30 , r2 \n20,r1\n9,other\n")
    rows = [(who, CHOICE, "1", "selected") for who in ("r1", "r2", "r3")]
    assert dict(read(tmp_path, text_of(rows)).attributes) == {"age": ("20", "30", "")}


def test_a_respondent_has_one_row_of_attributes(tmp_path: Path) -> None:
    """Which of two holds is not guessed."""
    (tmp_path / "respondents.csv").write_text("respondent_id,age\nr1,20\n\nr1 ,30\n")
    with pytest.raises(CurateError, match="respondent r1 occurs twice, in rows 2 and 4"):
        read(tmp_path, text_of([("r1", CHOICE, "1", "selected")]))
