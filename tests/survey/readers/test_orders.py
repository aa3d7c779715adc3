"""Where options were shown, in files that say it by the form or by a list."""

import numpy as np

from survey.readers.normalise import completed, form_findings, form_orders, in_forms
from tests.survey.readers.population import put
from tests.survey.readers.test_simple import QUESTIONS, answers, read

FORMS = (("f01", "q-1", "12n", "123"), ("f02", "q-1", "12n", "213"), ("f01", "q-2", "123n", "3124"))
CODES = [
    ["platform", "form", "column", "code", "question_id", "option", "position", "text"],
    *(
        ["csv", form, "Q", "", asked, {"n": "none"}.get(code, code), place, ""]
        for form, asked, codes, places in FORMS
        for code, place in zip(codes, places, strict=True)
    ),
]


def seen(answers):
    """By respondent and question each option's place, with a star where it was chosen."""
    found = {}
    for at in range(len(answers)):
        asked = answers.questions[answers.question[at]]
        key = answers.respondents[answers.respondent[at]], asked.id
        place = f"{answers.position[at]}{'*' if answers.state[at] == 0 else ''}"
        found.setdefault(key, {})[asked.options[answers.option[at]].code] = place
    return found


def placed(folder, rows, codes=CODES):
    put(folder / "codes.csv", codes)
    forms = form_orders(folder / "codes.csv", QUESTIONS)
    assert forms is not None
    return in_forms(answers(read(folder, rows)), forms[0])


def test_a_form_tells_where_every_option_stood(tmp_path):
    """Of a column a question and of rows, in French as well; who chose nothing gets no rows."""
    wide = [
        ["id", "Formulaire", "q-1", "q-2"],
        ["a", "f01", "Bakers", "Weavers; Bakers"],
        ["b", "F02", "Bakers", ""],
    ]
    wanted = {
        ("a", "q-1"): {"1": "1*", "2": "2", "none": "3"},
        ("a", "q-2"): {"1": "3*", "2": "1", "3": "2*", "none": "4"},
        ("b", "q-1"): {"1": "2*", "2": "1", "none": "3"},
    }
    assert seen(placed(tmp_path, wide)) == wanted
    rows = [
        ["respondent", "form", "question", "answer"],
        *(["a", "f01", "q-1", "Bakers"], ["a", "f01", "q-2", "Bakers"]),
        *(["a", "f01", "q-2", "Weavers"], ["b", "f02", "q-1", "1"]),
    ]
    assert seen(placed(tmp_path, rows)) == wanted


def test_forms_that_were_not_built_or_do_not_ask_are_named(tmp_path):
    """Their people's answers count; where their options stood is not known."""
    rows = [
        ["id", "form", "q-1", "q-2"],
        *(["a", "f01", "Bakers", "Weavers"], ["b", "f9", "Bakers", ""]),
        *(["c", "f02", "Bakers", "Weavers"], ["d", "", "Bakers", ""]),
    ]
    put(tmp_path / "codes.csv", CODES)
    given = answers(read(tmp_path, rows))
    forms = form_orders(tmp_path / "codes.csv", QUESTIONS)
    found = {item.rule: item for item in form_findings(given, forms)}
    assert "1 respondent answered" in found["survey-form-unknown"].message
    assert "'f9'" in found["survey-form-unknown"].message
    said = found["survey-form-question"]
    assert (said.message[:8], said.row) == ("1 answer", 4)
    assert "c answered q-2, not in f02" in said.message
    assert form_orders(tmp_path / "none.csv", QUESTIONS) is None


def test_the_place_of_a_group_tells_that_of_the_other(tmp_path):
    """Of two, where none stays last; where a group was third, nothing follows."""
    rows = [
        ["respondent", "question", "answer", "position"],
        *(["a", "q-1", "1", "2"], ["b", "q-1", "2", "2"], ["c", "q-1", "none", "3"]),
    ]
    found = answers(read(tmp_path, rows))
    assert seen(completed(found)) == {
        ("a", "q-1"): {"1": "2*", "2": "1", "none": "3"},
        ("b", "q-1"): {"1": "1", "2": "2*", "none": "3"},
        ("c", "q-1"): {"none": "3*"},
    }
    third = answers(read(tmp_path, [*rows, ["d", "q-1", "1", "3"]]))
    assert completed(third) is third or np.array_equal(completed(third).position, third.position)
