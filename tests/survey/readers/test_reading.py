"""A mapping, applied to a file to the letter."""

import numpy as np
import pytest
from pydantic import ValidationError

from curation.records.errors import CurateError
from curation.records.survey import Option, Question, QuestionKind, Role
from survey.answers import MISSING, SELECTED, SHOWN
from survey.mapping import Mapping
from survey.readers.received import read_survey

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
QUESTIONS = (GROUPS, PAIR)
MULTI = {
    "id": "q-a",
    "kind": "select_all",
    "columns": "A{code}",
    "options": {"1": "1", "2": "2", "3": "none"},
}
SINGLE = {
    "id": "q-b",
    "kind": "choice",
    "column": "B",
    "options": {"1": "1", "2": "2", "3": "none"},
}
MARKS = {SELECTED: "x", SHOWN: ".", MISSING: "?"}


def read(tmp_path, text, questions=(), *, respondent=None, name="file.csv", **mapping):
    """Read a file given as text."""
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    parts = {"respondent": {"id": "id", **(respondent or {})}, "questions": questions, **mapping}
    return read_survey(path, Mapping.model_validate(parts), QUESTIONS, "en", shown_as=name)


def states(received, question="q-a"):
    """What each respondent did with each option: x chosen, . shown, ? missing, - no row."""
    answers = received.answers
    at = [item.id for item in answers.questions].index(question)
    found = {}
    for who, name in enumerate(answers.respondents):
        marks = ["-"] * len(answers.questions[at].options)
        for row in np.flatnonzero((answers.respondent == who) & (answers.question == at)):
            marks[answers.option[row]] = MARKS[answers.state[row]]
        found[name] = "".join(marks)
    return found


def refused(tmp_path, text, questions=(), **mapping):
    """Read a file that cannot be read; give the error."""
    with pytest.raises(CurateError) as caught:
        read(tmp_path, text, questions, **mapping)
    assert caught.value.hint
    return caught.value


# --- One column an option ---------------------------------------------------------------------


def test_chosen_not_chosen_not_answered_and_not_shown_are_four_things(tmp_path):
    """An empty row is a question that was not shown, unless the mapping says otherwise."""
    text = "id,A1,A2,A3\na,1,,\nb,,,\nc,-99,-99,-99\nd,0,0,0\ne,1,0,1\n"
    expected = {"a": "x..", "b": "---", "c": "???", "d": "???", "e": "x.x"}
    assert states(read(tmp_path, text, [MULTI])) == expected
    unanswered = {**MULTI, "missing": ["", "-99"]}
    assert states(read(tmp_path, text, [unanswered])) == {**expected, "b": "???"}


def test_a_column_may_hold_the_options_own_text_or_number(tmp_path):
    """By `label` and `code` among `selected`."""
    text = 'id,A1,A2,A3\na,Potters,"Bakers, Millers",\nb,,2,\n'
    part = {**MULTI, "selected": ["label", "code"]}
    assert states(read(tmp_path, text, [part])) == {"a": "xx.", "b": ".x."}


def test_an_empty_cell_that_says_nothing_is_missing_and_said(tmp_path):
    """Where a company leaves 0 for 'not chosen' and nothing for 'not answered'."""
    text = "id,A1,A2,A3\na,1,,0\n"
    received = read(tmp_path, text, [{**MULTI, "not_selected": ["0"]}])
    assert states(received) == {"a": "x?."}
    assert [item.rule for item in received.findings] == ["survey-partial-answer"]


def test_an_undeclared_value_names_row_column_value_and_what_is_declared(tmp_path):
    """So that the mapping can be fixed at once."""
    error = refused(tmp_path, "id,A1,A2,A3\na,1,,\nb,,yes,\n", [MULTI])
    assert error.what == "question q-a: 'yes' says neither that '2' was chosen nor that it was not"
    assert error.where == "file.csv, row 3, column A2"
    assert "'1', 'Bakers, Millers'" in error.hint


def test_another_options_text_in_a_column_is_refused(tmp_path):
    """Columns that changed places are found out."""
    error = refused(tmp_path, 'id,A1,A2,A3\na,"Bakers, Millers",,\n', [MULTI])
    assert error.where == "file.csv, row 2, column A1"


def test_a_column_that_is_not_there_is_refused_with_those_near_it(tmp_path):
    """It was misspelt, or the export lacks it."""
    error = refused(tmp_path, "id,A1,A_2,A3\na,1,,\n", [MULTI])
    assert error.what == "question q-a, columns: the file has no column 'A2'"
    assert "A_2" in error.hint


def test_two_columns_of_one_name_must_be_told_apart(tmp_path):
    """By their number."""
    text = "id,B,B\na,1,2\n"
    assert "2 columns are named 'B'" in refused(tmp_path, text, [SINGLE]).what
    assert states(read(tmp_path, text, [{**SINGLE, "column": "B#2"}]), "q-b") == {"a": ".x."}


def test_two_columns_of_one_option_are_refused(tmp_path):
    """Which of them holds would be a guess."""
    part = {**MULTI, "options": {"1": "1", "2": "2", "3": "none", "4": "1"}}
    error = refused(tmp_path, "id,A1,A2,A3,A4\na,1,,,\n", [part])
    assert "columns 'A1' and 'A4' are one option" in error.what


# --- One column a question --------------------------------------------------------------------


def test_a_choice_is_read_by_key_and_by_text(tmp_path):
    """Exports by code and by label; -99 is no answer; nothing is a question not shown."""
    text = "id,B\na,1\nb,Bakers\nc,-99\nd,\ne,No such stereotype\n"
    assert states(read(tmp_path, text, [SINGLE]), "q-b") == {
        "a": "x..",
        "b": ".x.",
        "c": "???",
        "d": "---",
        "e": "..x",
    }


def test_zeros_before_a_number_are_kept(tmp_path):
    """`01` is not `1`: nothing is taken for a number."""
    error = refused(tmp_path, "id,B\na,01\n", [SINGLE])
    assert error.what == "question q-b: '01' is not declared"
    assert error.where == "file.csv, row 2, column B"
    part = {**SINGLE, "options": {"01": "1", "02": "2", "03": "none"}}
    assert states(read(tmp_path, "id,B\n07,01\n", [part]), "q-b") == {"07": "x.."}


def test_an_option_renamed_between_waves_is_refused_until_it_is_declared(tmp_path):
    """Then both names lead to it."""
    text = "id,B\na,Potters\nb,Pot makers\n"
    assert "'Pot makers' is not declared" in refused(tmp_path, text, [SINGLE]).what
    part = {**SINGLE, "options": {**SINGLE["options"], "Pot makers": "1"}}
    assert states(read(tmp_path, text, [part]), "q-b") == {"a": "x..", "b": "x.."}


def test_numbers_run_together_are_refused_and_explained(tmp_path):
    """`12` is no option, and may be 1 and 2."""
    part = {**MULTI, "columns": None, "column": "A", "joined": ","}
    error = refused(tmp_path, "id,A\na,12\n", [part])
    assert error.what == "question q-a: '12' lists an option that is not declared"
    assert error.hint.startswith("if these are 1 and 2 run together, export one column")


def test_a_joined_cell_is_split_by_the_options(tmp_path):
    """Labels hold commas."""
    part = {**MULTI, "columns": None, "column": "A", "joined": ", "}
    text = 'id,A\na,"Potters, Bakers, Millers"\nb,"1,2"\nc,"Bakers, Millers"\nd,\n'
    expected = {"a": "xx.", "b": "xx.", "c": ".x.", "d": "---"}
    assert states(read(tmp_path, text, [part])) == expected


def test_a_joined_cell_of_two_readings_names_both(tmp_path):
    """Nobody can tell which was meant."""
    options = {"Potters": "1", "Bakers, Millers": "2", "Bakers": "none", "Millers": "1"}
    part = {**MULTI, "columns": None, "column": "A", "joined": ", ", "options": options}
    error = refused(tmp_path, 'id,A\na,"Bakers, Millers"\n', [part])
    assert error.what == (
        "question q-a: 'Bakers, Millers' can be read as '2: Bakers, Millers' or as "
        "'none: No such stereotype' + '1: Potters'"
    )


def test_a_multi_select_without_a_sign_holds_one_option_or_a_json_list(tmp_path):
    """As Label Studio writes it."""
    part = {**MULTI, "columns": None, "column": "A"}
    text = 'id,A\na,1\nb,"{""choices"": [""1"", ""3""]}"\n'
    assert states(read(tmp_path, text, [part])) == {"a": "x..", "b": "x.x"}
    assert "is not declared" in refused(tmp_path, 'id,A\na,"1,2"\n', [part]).what


# --- Positions and seconds --------------------------------------------------------------------


def positions(received):
    """The positions of one question's options, respondent by respondent."""
    answers = received.answers
    return [
        answers.position[answers.respondent == who].tolist()
        for who in range(len(answers.respondents))
    ]


def test_positions_are_read_from_a_list_or_from_columns(tmp_path):
    """Both say where each option was shown, from 1."""
    listed = {**SINGLE, "order": "O"}
    text = "id,B,O\na,1,3|1|2\nb,2,\nc,2,No such stereotype|Bakers|Potters\n"
    expected = [[2, 3, 1], [0, 0, 0], [3, 2, 1]]
    assert positions(read(tmp_path, text, [listed])) == expected
    columns = {**SINGLE, "order": "O{code}"}
    text = "id,B,O1,O2,O3\na,1,2,3,1\nb,2,,,\nc,2,3,2,1\n"
    assert positions(read(tmp_path, text, [columns])) == expected


@pytest.mark.parametrize("cell", ["1|9", "1|1", "12"])
def test_a_list_of_other_options_is_refused(tmp_path, cell):
    """Or one that names an option twice."""
    error = refused(tmp_path, f"id,B,O\na,1,{cell}\n", [{**SINGLE, "order": "O"}])
    assert error.where == "file.csv, row 2, column O"


@pytest.mark.parametrize("cells", ["0,1,2", "1,1,2", "x,1,2", "1.0,2,3", "-1,1,2"])
def test_positions_that_are_none_are_refused(tmp_path, cells):
    """They count from 1, and no two options share one."""
    part = {**SINGLE, "order": "O{code}"}
    refused(tmp_path, f"id,B,O1,O2,O3\na,1,{cells}\n", [part])


def test_seconds_are_read_and_refused_where_they_are_none(tmp_path):
    """A comma is no point: `1,5` may be 15 thousand to somebody."""
    part = {**SINGLE, "duration": "T"}
    received = read(tmp_path, "id,B,T\na,1,2.5\nb,1,\n", [part])
    assert received.answers.duration[0] == 2.5
    assert np.isnan(received.answers.duration[3])
    assert "not a number of seconds" in refused(tmp_path, 'id,B,T\na,1,"2,5"\n', [part]).what


# --- Respondents ------------------------------------------------------------------------------

STATUS = "id,Status,Finished,Out,T,S,B\n"


def test_rows_that_do_not_count_are_left_out_one_by_one(tmp_path):
    """Each with its row, column and value; and a finding counts them."""
    text = STATUS + "a,0,1,,9,x,1\nb,1,1,,9,x,9\nc,8,1,,9,x,1\n"
    received = read(tmp_path, text, [SINGLE], keep={"Status": ["0", "IP Address"]})
    assert received.answers.respondents == ("a",)
    assert [(x.rule, x.respondent, x.detail) for x in received.excluded] == [
        ("keep", "b", "row 3: Status is '1'"),
        ("keep", "c", "row 4: Status is '8'"),
    ]
    messages = [item.message for item in received.findings]
    assert messages == [
        "1 of 3 rows are left out: Status is '1'",
        "1 of 3 rows are left out: Status is '8'",
    ]


def test_leaving_out_everybody_is_refused(tmp_path):
    """The platform wrote the value in another language."""
    text = STATUS + "a,IP-Adresse,1,,9,x,1\n"
    error = refused(tmp_path, text, [SINGLE], keep={"Status": ["IP Address"]})
    assert error.what == (
        "'keep' leaves no row: Status holds 'IP-Adresse' where 'IP Address' is kept"
    )


def test_leaving_out_most_is_a_warning(tmp_path):
    """It may be meant."""
    text = STATUS + "a,0,1,,9,x,1\nb,z,1,,9,x,1\nc,z,1,,9,x,1\n"
    received = read(tmp_path, text, [SINGLE], keep={"Status": ["0"]})
    assert [item.severity.value for item in received.findings] == ["warning"]


def test_attributes_tell_who_finished_was_screened_out_or_failed_a_check(tmp_path):
    """Nobody is left out for it here."""
    text = STATUS + "a,0,1,,60,3,1\nb,0,0,,5,1,1\nc,0,1,Screened,7,,\n"
    received = read(
        tmp_path,
        text,
        [SINGLE],
        respondent={"duration": "T"},
        finished={"Finished": ["1"]},
        screened_out={"Out": ["*"]},
        attention=[{"column": "S", "expect": "3"}],
        attributes={"wave": "Status"},
    )
    assert received.answers.attributes == {
        "status": ("complete", "partial", "screened_out"),
        "attention": ("passed", "failed", ""),
        "duration_s": ("60", "5", "7"),
        "wave": ("0", "0", "0"),
    }


@pytest.mark.parametrize(
    ("policy", "expected"),
    [("first", {"a": "x..", "b": "x.."}), ("last", {"a": ".x.", "b": "x.."})],
)
def test_one_answer_of_a_respondent_stays(tmp_path, policy, expected):
    """By the time of submission, not by the row; the other one is recorded."""
    text = "id,S,B\na,2026-01-02 09:00,2\na,2026-01-01 23:00,1\nb,2026-01-01 23:00,1\n"
    who = {"duplicates": policy, "submitted": "S"}
    received = read(tmp_path, text, [SINGLE], respondent=who)
    assert states(received, "q-b") == expected
    (left,) = received.excluded
    assert (left.rule, left.respondent) == ("duplicate", "a")
    assert f"is kept ({policy})" in left.detail


FORMS = {"f01": ["2", "1", "none"], "f02": ["1", "2", "none"]}


def test_the_form_tells_where_options_were_shown(tmp_path):
    """By the form that the row answers; a form that the mapping does not list tells nothing."""
    part, form = {**SINGLE, "shown": FORMS}, {"attributes": {"form": "F"}}
    found = read(tmp_path, "id,F,B\na,f01,1\nb,f02,1\nc,f03,3\nd,,1\n", [part], **form)
    assert positions(found) == [[2, 1, 3], [1, 2, 3], [0, 0, 0], [0, 0, 0]]
    found = read(tmp_path, "id,B\na,1\n", [part], respondent={"form": "f01"})
    assert positions(found) == [[2, 1, 3]]


def test_the_form_tells_it_in_a_long_file(tmp_path):
    """A row for each answer is of the form that it names."""
    text = "id,F,Q,A\na,f01,q-b,1\nb,f02,q-b,3\n"
    options = {"id": "q-b", "kind": "choice", "options": SINGLE["options"], "shown": FORMS}
    mapping = {"attributes": {"form": "F"}, "long": {"question": "Q", "answer": "A"}}
    assert positions(read(tmp_path, text, [options], **mapping)) == [[2, 1, 3], [1, 2, 3]]


@pytest.mark.parametrize("listed", [["1", "2"], ["1", "2", "2"], ["1", "2", "3"]])
def test_a_form_shows_each_option_once(tmp_path, listed):
    """By its code in the questionnaire, which is not what the file writes for it."""
    part = {**SINGLE, "shown": {"f01": listed}}
    error = refused(tmp_path, "id,B\na,1\n", [part], respondent={"form": "f01"})
    assert error.what == f"question q-b, shown: f01 lists {', '.join(listed)}"
    assert "1, 2, none" in str(error.hint)


@pytest.mark.parametrize(
    ("part", "words"), [({"order": "O"}, "either 'order'"), ({}, "the form of a row is not known")]
)
def test_what_is_shown_goes_by_the_form_alone(part, words):
    """Without a form, or beside a column that tells the order, `shown` is refused."""
    with pytest.raises(ValidationError, match=words):
        Mapping.model_validate(
            {"respondent": {"id": "id"}, "questions": [{**SINGLE, "shown": FORMS, **part}]}
        )


def test_without_a_time_the_order_of_rows_decides(tmp_path):
    """And the most complete answer is the one with most questions answered."""
    text = "id,A1,A2,A3,B\na,,,,1\na,1,0,0,2\na,0,1,0,\n"
    received = read(tmp_path, text, [MULTI, SINGLE], respondent={"duplicates": "last"})
    assert states(received) == {"a": ".x."}
    received = read(tmp_path, text, [MULTI, SINGLE], respondent={"duplicates": "complete"})
    assert states(received) == {"a": "x.."}
    assert [x.detail for x in received.excluded] == [
        "row 2: row 3 is kept (complete)",
        "row 4: row 3 is kept (complete)",
    ]


def test_a_respondent_who_is_there_twice_is_an_error_unless_the_mapping_says_what_to_do(tmp_path):
    """With the rows; ids that differ by blanks alone are one."""
    error = refused(tmp_path, "id,B\na,1\nb,1\na ,2\n", [SINGLE])
    assert error.what == "respondent a answers in rows 2, 4"


def test_a_time_that_leaves_day_and_month_open_is_refused(tmp_path):
    """1/2 is two dates."""
    who = {"duplicates": "last", "submitted": "S"}
    text = "id,S,B\na,1/2/2026 09:00,2\na,2/1/2026 09:00,1\n"
    assert (
        "not a time that can be ordered" in refused(tmp_path, text, [SINGLE], respondent=who).what
    )


@pytest.mark.parametrize("total", ["Total", "합계", "GESAMT", "합 계", "Total:"])
def test_a_row_of_sums_is_refused_unless_it_is_left_out(tmp_path, total):
    """Its numbers would be taken for answers."""
    text = f"id,Done,B\na,1,1\n{total},,2\n"
    error = refused(tmp_path, text, [SINGLE])
    assert error.what == f"the row of '{total}' holds sums, not a respondent's answers"
    assert error.where == "file.csv, row 3, column id"
    assert read(tmp_path, text, [SINGLE], keep={"Done": ["1"]}).answers.respondents == ("a",)


def test_a_row_of_nobody_is_refused(tmp_path):
    """Its answers belong to no one."""
    error = refused(tmp_path, "id,B\na,1\n,2\n", [SINGLE])
    assert (error.what, error.where) == (
        "the row names no respondent",
        "file.csv, row 3, column id",
    )


def test_rows_may_be_their_own_respondents(tmp_path):
    """Where a platform names nobody; a row of sums is refused all the same."""
    text = "time,B\n1,1\n1,2\n"
    received = read(tmp_path, text, [SINGLE], respondent={"id": "#row"})
    assert received.answers.respondents == ("row-2", "row-3")
    error = refused(tmp_path, text + "Total,2\n", [SINGLE], respondent={"id": "#row"})
    assert error.where == "file.csv, row 4, column time"


# --- One row a respondent and question --------------------------------------------------------

LONG = {"question": "q", "answer": "x"}


def test_a_long_file_needs_no_list_of_questions_where_it_uses_their_ids(tmp_path):
    """And the codes or texts of their options; an empty answer is no answer."""
    text = 'id,q,x\na,q-b,1\na,q-a,"Potters; none"\nb,q-b,\nb,q-a,"Bakers, Millers"\n'
    received = read(tmp_path, text, long={**LONG, "joined": ";"})
    assert states(received) == {"a": "x.x", "b": ".x."}
    assert states(received, "q-b") == {"a": "x..", "b": "???"}


def test_a_long_file_may_have_a_row_for_each_chosen_option(tmp_path):
    """They are joined; the same option twice is a second answer."""
    text = "id,q,x\na,q-a,1\na,q-a,none\nb,q-a,\na,q-b,2\n"
    long = {**LONG, "row": "option"}
    received = read(tmp_path, text, long=long)
    assert states(received) == {"a": "x.x", "b": "???"}
    assert "in rows 2, 6" in refused(tmp_path, text + "a,q-a,1\n", long=long).what
    assert (
        "another row of this respondent" in refused(tmp_path, text + "a,q-a,-99\n", long=long).what
    )


def test_two_answers_to_one_question_are_settled_by_the_mapping(tmp_path):
    """As those of a whole respondent are."""
    text = "id,q,x\na,q-b,1\nb,q-b,1\na,q-b,2\n"
    assert (
        "respondent a answers question q-b in rows 2, 4" in refused(tmp_path, text, long=LONG).what
    )
    received = read(tmp_path, text, long=LONG, respondent={"duplicates": "last"})
    assert states(received, "q-b") == {"a": ".x.", "b": "x.."}
    assert [(x.rule, x.question_id) for x in received.excluded] == [("duplicate", "q-b")]


def test_a_question_that_nobody_knows_is_refused_or_ignored_by_name(tmp_path):
    """What is ignored is recorded row by row."""
    text = "id,q,x\na,q-b,1\na,warm-up,9\n"
    error = refused(tmp_path, text, long=LONG)
    assert error.what == "'warm-up' is not a question of the questionnaire"
    assert error.where == "file.csv, row 3, column q"
    received = read(tmp_path, text, long=LONG, ignored=["warm-up"])
    assert [(x.rule, x.detail) for x in received.excluded] == [("ignored", "row 3: q is 'warm-up'")]


def test_what_rows_say_of_a_respondent_must_agree(tmp_path):
    """Except for the status, of which the worst holds."""
    text = "id,q,x,g,f\na,q-b,1,F,1\na,q-a,1,F,0\n"
    received = read(tmp_path, text, long=LONG, attributes={"gender": "g"}, finished={"f": ["1"]})
    assert received.answers.attributes == {"status": ("partial",), "gender": ("F",)}
    error = refused(tmp_path, text.replace("F,0", "M,0"), long=LONG, attributes={"gender": "g"})
    assert error.what == "gender of a is 'M' here and 'F' in row 2"


# --- Mapping and questionnaire ----------------------------------------------------------------


def test_a_question_that_the_questionnaire_lacks_is_refused(tmp_path):
    """Or one that is of another kind there."""
    error = refused(tmp_path, "id,B\na,1\n", [{**SINGLE, "id": "q-z"}])
    assert error.what == "question q-z of the mapping is not in the questionnaire"
    error = refused(tmp_path, "id,B\na,1\n", [{**SINGLE, "kind": "comprehension"}])
    assert "is of kind choice in the questionnaire and comprehension in the mapping" in error.what


def test_a_mapping_without_questions_is_refused(tmp_path):
    """And one of the normal form, which needs none."""
    assert "names no question" in refused(tmp_path, "id,B\na,1\n").what
    assert "normal form" in refused(tmp_path, "id,B\na,1\n", preset="normal").what


def test_a_formula_in_an_answer_is_refused_and_elsewhere_is_not(tmp_path):
    """What it shows is not what a respondent said."""
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.worksheets[0]
    for row in (["id", "B", "note"], ["a", "=1+0", "=2"], ["b", 1, "=3"]):
        sheet.append(row)
    book.save(tmp_path / "book.xlsx")
    data = (tmp_path / "book.xlsx").read_bytes()
    error = refused(tmp_path, data, [SINGLE], name="book.xlsx")
    assert error.what == "the cell holds a formula, no answer"
    assert error.where == "book.xlsx, row 2, column B"
    sheet["B2"] = 2
    book.save(tmp_path / "book.xlsx")
    data = (tmp_path / "book.xlsx").read_bytes()
    received = read(tmp_path, data, [SINGLE], name="book.xlsx")
    assert states(received, "q-b") == {"a": ".x.", "b": "x.."}


def test_a_file_without_a_last_line_end_is_a_warning(tmp_path):
    """It may have been cut off within the last cell, which nothing else shows."""
    received = read(tmp_path, "id,B\na,1\nb,2", [SINGLE])
    assert [item.rule for item in received.findings] == ["survey-file-end"]


def test_every_row_is_read_or_left_out(tmp_path):
    """Also those whose respondent answered nothing."""
    received = read(tmp_path, "id,B\na,1\nb,\nc,-99\n", [SINGLE])
    assert received.answers.respondents == ("a", "b", "c")
    assert states(received, "q-b") == {"a": "x..", "b": "---", "c": "???"}
