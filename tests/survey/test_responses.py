"""Counting the answers of `responses.csv`."""

import csv
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.records.messages import CurateError
from curation.records.survey import QuestionKind
from survey.answers import RESPONSE_COLUMNS, count_answers
from survey.readers.normalise import read_answers
from tests.survey.conftest import Make

HEADER = ",".join(RESPONSE_COLUMNS)
CHOICE = Make().choice("A", "B", id="q-choice")
SEVERAL = Make().select_all(*"ABCD", id="q-several")
UNDERSTOOD = Make().comprehension(id="c-001")
QUESTIONS = (CHOICE, SEVERAL, UNDERSTOOD)


def text_of(rows):
    lines = [
        f"{who},{asked.id},{asked.kind},{option},{state},1,2.5"
        for who, asked, option, state in rows
    ]
    return "\n".join([HEADER, *lines, ""])


def counts(tallies):
    return {tally.question.id: (tally.respondents, tally.votes) for tally in tallies}


@pytest.fixture
def count(tmp_path):
    """Count a file with a content: votes by question, and what is said of respondents."""

    def read(content):
        path = tmp_path / "responses.csv"
        if not isinstance(content, str | bytes):
            content = text_of(content)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        tallies, findings = count_answers(read_answers(path, QUESTIONS))
        assert [item.question for item in tallies] == [
            item for item in QUESTIONS if item in {tally.question for tally in tallies}
        ]
        said = [(item.where.removeprefix(f"{path}, "), item.message) for item in findings]
        return counts(tallies), [f"{row}: {text.partition(';')[0]}" for row, text in said]

    return read


def test_who_contradicts_himself_is_left_out_of_the_question_and_named(count):
    """Two options of a choice, or 'no stereotype' with a group, are a warning each."""
    found, findings = count(
        [
            ("r1", CHOICE, "1", "selected"),
            ("r1", CHOICE, "2", "selected"),
            ("r2", CHOICE, "1", "selected"),
            ("r1", SEVERAL, "2", "selected"),
            ("r1", SEVERAL, "1", "selected"),
            ("r2", SEVERAL, "none", "selected"),
            ("r2", SEVERAL, "1", "selected"),
            ("r3", SEVERAL, "2", "selected"),
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
    assert findings == [
        "row 2: question q-choice: 1 respondent chose more than one option",
        "row 7: question q-several: 2 respondents chose 'no stereotype' together with a group",
        "row 11: question c-001: 1 respondent chose more than one option",
    ]
    assert count([("r1", CHOICE, "1", "selected"), ("r2", CHOICE, "2", "selected")]) == (
        {"q-choice": (2, (1, 1, 0))},
        [],
    )


GOOD = "r1,q-choice,choice,1,selected,1,1"
BEFORE = {f"{GOOD}\n": 3, f"{GOOD}\n\n,,,,,,\n": 5, '"r\n9",q-choice,choice,1,selected,1,1\n': 3}
"""Rows before a wrong one, and the number of that, as a spreadsheet counts."""
WRONG = [
    ("r2,q-other,choice,1,selected,1,1", "question_id"),
    ("r2,,choice,1,selected,1,1", "question_id"),
    ("r2,q-choice,choice,3,selected,1,1", "option"),
    ("r2,q-several,select_all,2.0,shown,1,1", "option"),
    ("r2,q-choice,multi,1,selected,1,1", "kind"),
    ("r2,q-choice,select_all,1,selected,1,1", "kind"),
    ("r2,q-choice,choice,1,Selected,1,1", "state"),
    (" ,q-choice,choice,1,selected,1,1", "respondent_id"),
    ("r2,q-choice,choice,1,selected,first,1", "position"),
    ("r2,q-choice,choice,1,selected,1.5,1", "position"),
    ("r2,q-choice,choice,1,selected,1e12,1", "position"),
    ("r2,q-choice,choice,1,selected,-1,1", "position"),
    ("r2,q-choice,choice,1,selected,1,-0.5", "duration_s"),
    ("r2,q-choice,choice,1,selected,1,inf", "duration_s"),
]


def refused(tmp_path, content):
    path = tmp_path / "responses.csv"
    path.write_bytes(content)
    with pytest.raises(CurateError) as caught:
        count_answers(read_answers(path, QUESTIONS))
    assert caught.value.what
    return (caught.value.where or "").removeprefix(str(path)).removeprefix(", ")


def test_what_the_questionnaire_does_not_hold_is_refused_with_its_row(tmp_path):
    """Rows are numbered as a spreadsheet numbers them, blank ones counted, broken lines not."""
    for row, column in WRONG:
        for before, number in BEFORE.items():
            content = f"{HEADER}\n{before}{row}\n".encode()
            assert refused(tmp_path, content) == f"row {number}, column {column}", row


BROKEN = {
    b"": "",
    b"\xef\xbb\xbf\n": "",
    f"{HEADER}\n".encode(): "",
    f"{HEADER}\n{GOOD}\n{GOOD},9\n".encode(): "row 3",
    f"{HEADER}\n\n{GOOD}\nr2,q-choice,choice,1\n".encode(): "row 4",
    f"{HEADER.replace('state', 'kind')}\n{GOOD}\n".encode(): "row 1",
    f"{HEADER.replace('state', 'status')}\n{GOOD}\n".encode(): "row 1",
    f'{HEADER}\n"r1,q-choice,choice,1,selected,1,1\n'.encode(): "row 2",
    f"{HEADER}\n응답자,q-choice,choice,1,selected,,\n".encode("cp949"): "line 2",
    HEADER.encode("utf-16"): "",
    b"PK\x03\x04...": "",
    b"\x7fELF\x00\x01": "line 1",
    f"{HEADER}\n{GOOD}\nr2{GOOD[2:]}\n{GOOD}\n".encode(): "row 4",  # an answer given twice
    f"{HEADER}\n{GOOD}\n\n r1 ,q-choice,choice,1,shown,,\n".encode(): "row 4",
}


def test_what_is_no_table_of_answers_is_refused(tmp_path):
    """A damaged file is never counted in part, nothing is counted twice, and places are named."""
    for content, place in BROKEN.items():
        assert refused(tmp_path, content) == place, content


def slowly(rows):
    """Count rows the plain way, one respondent after the other."""
    found = {}
    for question in QUESTIONS:
        mine = [row for row in rows if row[1] is question]
        if not mine:
            continue
        chosen = {}
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
def answers(draw):
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
def test_counting_agrees_with_counting_by_hand(tmp_path_factory, rows):
    """Any answers, missing, contradictory or blank-padded, give what a plain count gives."""
    path = tmp_path_factory.mktemp("answers") / "responses.csv"
    path.write_text(text_of(rows), encoding="utf-8")
    assert counts(count_answers(read_answers(path, QUESTIONS))[0]) == slowly(rows)


@pytest.mark.slow
def test_a_file_of_many_blocks_is_counted_whole(tmp_path):
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
        writer.writerow([*RESPONSE_COLUMNS, "padding"])
        writer.writerows([w, q.id, q.kind.value, o, s, "", "", padding] for w, q, o, s in rows)
    assert path.stat().st_size > 16 << 20
    assert counts(count_answers(read_answers(path, QUESTIONS))[0]) == slowly(rows)


# What else is known of answers and respondents.


def read(tmp_path, content):
    path = tmp_path / "responses.csv"
    path.write_bytes(content.encode())
    return read_answers(path, QUESTIONS)


def test_position_and_duration_are_numbers_or_unknown(tmp_path):
    """An empty cell, or a file without the columns, leaves them open."""
    found = read(
        tmp_path,
        f"{HEADER}\nr1,q-choice,choice,1,selected, 3 , 2.5\nr2,q-choice,choice,1,shown,,\n"
        "r3,q-choice,choice,2,missing,,0\n",
    )
    assert found.position.tolist() == [3, 0, 0]
    assert [str(value) for value in found.duration] == ["2.5", "nan", "0.0"]
    assert found.state.tolist() == [0, 1, 2]
    bare = read(tmp_path, f"{','.join(RESPONSE_COLUMNS[:5])}\nr1,q-choice,choice,1,selected\n")
    assert (bare.position.tolist(), str(bare.duration[0])) == ([0], "nan")


def test_attributes_of_respondents_stand_beside(tmp_path):
    """One value for each respondent, empty where nothing is known of him."""
    (tmp_path / "respondents.csv").write_text(
        "age,respondent_id\n 30 ,\u200e r2 \n20,r1\n9,other\n", "utf-8"
    )
    rows = [(who, CHOICE, "1", "selected") for who in ("r1", "r2", "r3")]
    assert dict(read(tmp_path, text_of(rows)).attributes) == {"age": ("20", "30", "")}


def test_a_respondent_has_one_row_of_attributes(tmp_path):
    """Which of two holds is not guessed."""
    (tmp_path / "respondents.csv").write_text("respondent_id,age\nr1,20\n\nr1 ,30\n")
    with pytest.raises(CurateError, match="respondent r1 occurs twice, in rows 2 and 4"):
        read(tmp_path, text_of([("r1", CHOICE, "1", "selected")]))
