"""Questions that only some rows were asked, such as those of one form among several."""

import pytest

from survey.mapping import Mapping
from tests.survey.readers.test_reading import MULTI, SINGLE, read, refused, states

FIRST = {"asked": {"form": ["f01", "f02"]}}
"""Said of a question that two of the forms hold."""


def test_a_blank_is_no_answer_where_the_question_was_asked(tmp_path):
    """And nothing at all where it was not."""
    text = "id,form,A1,A2,A3,B\na,f01,1,0,0,\nb,f02,,,,\nc,f03,,,,2\n"
    single = {**SINGLE, "missing": ["", "-99"], "asked": {"form": ["f02", "f03"]}}
    several = {**MULTI, "missing": ["", "-99"], "not_selected": ["0"], **FIRST}
    received = read(tmp_path, text, [several, single], attributes={"form": "form"})
    assert states(received, "q-a") == {"a": "x..", "b": "???", "c": "---"}
    assert states(received, "q-b") == {"a": "---", "b": "???", "c": ".x."}
    assert received.findings == ()


def test_zeros_of_a_question_that_was_not_asked_say_nothing(tmp_path):
    """Companies fill columns of other forms with 0."""
    text = "id,form,A1,A2,A3\na,f01,0,1,0\nc,f03,0,0,0\n"
    received = read(tmp_path, text, [{**MULTI, **FIRST}])
    assert states(received) == {"a": ".x.", "c": "---"}


@pytest.mark.parametrize("form", ["f03", "", "F01"])
def test_an_answer_to_what_was_not_asked_is_refused(tmp_path, form):
    """One of the two is wrong: the form, or the answer."""
    text = f"id,form,A1,A2,A3,B\na,f01,0,1,0,1\nc,{form},0,0,1,1\n"
    error = refused(tmp_path, text, [{**MULTI, **FIRST}, SINGLE])
    assert error.what == (
        f"question q-a: the row answers it but was not asked it: form is '{form}'"
    )
    assert error.where == "file.csv, row 3, column A1"
    assert error.hint.startswith("it is asked where form is f01, f02;")


def test_a_column_that_says_who_was_asked_must_be_there(tmp_path):
    """It is looked for like any other."""
    error = refused(tmp_path, "id,B\na,1\n", [{**SINGLE, **FIRST}])
    assert error.what == "question q-b, asked: the file has no column 'form'"


def test_a_long_file_tells_by_its_rows_what_was_asked():
    """There it does not go."""
    parts = {"respondent": {"id": "id"}, "long": {"question": "Q", "answer": "A"}}
    question = {"id": "q-b", "kind": "choice", "options": {"1": "1"}, **FIRST}
    with pytest.raises(ValueError, match="'asked' does not go with 'long'"):
        Mapping.model_validate({**parts, "questions": [question]})
