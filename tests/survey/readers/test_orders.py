"""Where options were shown, in files that say it by the form or by a list."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from curation.records.errors import CurateError
from survey.answers import Answers
from survey.readers.orders import by_form, completed, form_orders, order_findings
from tests.survey.readers.platforms import put
from tests.survey.readers.test_simple import QUESTIONS, read

FORMS = (("f01", "q-1", "12n", "123"), ("f02", "q-1", "12n", "213"), ("f01", "q-2", "123n", "3124"))
CODES = [
    ["platform", "form", "column", "code", "question_id", "option", "position", "text"],
    *(
        ["csv", form, "Q", "", asked, {"n": "none"}.get(code, code), place, ""]
        for form, asked, codes, places in FORMS
        for code, place in zip(codes, places, strict=True)
    ),
]


def seen(answers: Answers) -> dict[tuple[str, str], dict[str, str]]:
    """By respondent and question each option's place, with a star where it was chosen."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for at in range(len(answers)):
        asked = answers.questions[answers.question[at]]
        key = answers.respondents[answers.respondent[at]], asked.id
        place = f"{answers.position[at]}{'*' if answers.state[at] == 0 else ''}"
        found.setdefault(key, {})[asked.options[answers.option[at]].code] = place
    return found


def placed(folder: Path, rows: list[list[str]], codes: Any = CODES) -> tuple[Answers, list[Any]]:
    """Read a table beside forms."""
    put(folder / "codes.csv", codes)
    answers = read(folder, rows).answers
    assert answers is not None
    return by_form(answers, form_orders(folder / "codes.csv", QUESTIONS))


def test_a_form_tells_where_every_option_stood(tmp_path: Path) -> None:
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
    answers, findings = placed(tmp_path, wide)
    assert seen(answers) == wanted
    assert findings == []
    rows = [
        ["respondent", "form", "question", "answer"],
        *(["a", "f01", "q-1", "Bakers"], ["a", "f01", "q-2", "Bakers"]),
        *(["a", "f01", "q-2", "Weavers"], ["b", "f02", "q-1", "1"]),
    ]
    assert seen(placed(tmp_path, rows)[0]) == wanted


def test_a_form_that_was_not_built_is_named(tmp_path: Path) -> None:
    """With how many answered it; and answers to questions that a form does not ask."""
    rows = [["id", "form", "q-1", "q-2"], ["a", "f9", "1", ""], ["b", "f02", "1", "1"]]
    answers, (unknown, others) = placed(tmp_path, rows)
    assert unknown.message == "1 respondent answered a form that was not built: 'f9' (1)"
    assert others.message.endswith("b answered q-2, not in f02")
    assert seen(answers)["a", "q-1"] == {"1": "0*"}


def test_a_platform_that_mixes_tells_no_position(tmp_path: Path) -> None:
    """Forms of LimeSurvey are written in one order and shown in others."""
    codes = [[{"csv": "limesurvey"}.get(cell, cell) for cell in row] for row in CODES]
    answers, _ = placed(tmp_path, [["id", "form", "q-1"], ["a", "f01", "1"]], codes)
    assert not answers.position.any()
    (finding,) = order_findings(answers, form_orders(tmp_path / "codes.csv", QUESTIONS))
    assert "limesurvey shows each person a different order" in finding.message


def test_a_list_tells_the_order(tmp_path: Path) -> None:
    """In rows and beside a question's column; what always stays last may be left out."""
    rows = [
        ["respondent", "question", "answer", "shown"],
        ["a", "q-1", "Bakers", "Potters | Bakers | There is none"],
        ["b", "q-1", "none", "1;2"],
        ["c", "q-2", "Bakers", "Weavers | Potters; glazers | Bakers"],
    ]
    found = read(tmp_path, rows).answers
    assert found is not None
    assert seen(found) == {
        ("a", "q-1"): {"1": "2*", "2": "1", "none": "3"},
        ("b", "q-1"): {"1": "1", "2": "2", "none": "3*"},
        ("c", "q-2"): {"1": "3*", "2": "2", "3": "1", "none": "4"},
    }
    wide = [["id", "q-1", "q-1 shown"], ["a", "Bakers", "2|1|none"], ["b", "none", "1|2|none"]]
    found = read(tmp_path, wide).answers
    assert found is not None
    assert seen(found)["a", "q-1"] == {"1": "2*", "2": "1", "none": "3"}
    assert seen(found)["b", "q-1"] == {"1": "1", "2": "2", "none": "3*"}


@pytest.mark.parametrize(
    ("shown", "what"),
    [
        ("1", "is not a list of all options"),
        ("1|2|2", "is not a list of all"),
        ("1|9", "is not a list"),
    ],
)
def test_a_list_that_lacks_options_is_refused(tmp_path: Path, shown: str, what: str) -> None:
    """With what to write."""
    rows = [["respondent", "question", "answer", "shown"], ["a", "q-1", "1", shown]]
    with pytest.raises(CurateError, match=what) as caught:
        read(tmp_path, rows)
    assert "join all of them by | or ; in the order shown: '1: Bakers'" in caught.value.hint


def test_two_orders_of_one_question_are_refused(tmp_path: Path) -> None:
    """A respondent saw one."""
    rows = [
        ["respondent", "question", "answer", "shown"],
        ["a", "q-2", "1", "1|2|3|none"],
        ["a", "q-2", "2", "3|2|1|none"],
    ]
    with pytest.raises(CurateError, match="rows 2 and 3 list two orders"):
        read(tmp_path, rows)


def test_the_place_of_a_group_tells_that_of_the_other(tmp_path: Path) -> None:
    """Of two, where none stays last; where a group was third, nothing follows."""
    rows = [
        ["respondent", "question", "answer", "position"],
        *(["a", "q-1", "1", "2"], ["b", "q-1", "2", "2"], ["c", "q-1", "none", "3"]),
    ]
    found = read(tmp_path, rows).answers
    assert found is not None
    assert seen(completed(found)) == {
        ("a", "q-1"): {"1": "2*", "2": "1", "none": "3"},
        ("b", "q-1"): {"1": "1", "2": "2*", "none": "3"},
        ("c", "q-1"): {"none": "3*"},
    }
    third = read(tmp_path, [*rows, ["d", "q-1", "1", "3"]]).answers
    assert third is not None
    assert completed(third) is third or np.array_equal(completed(third).position, third.position)


def test_nothing_known_of_the_order_is_said(tmp_path: Path) -> None:
    """With what a file has to hold."""
    found = read(tmp_path, [["id", "q-1"], ["a", "1"]]).answers
    assert found is not None
    (finding,) = order_findings(found, form_orders(tmp_path / "codes.csv", QUESTIONS))
    assert finding.message.startswith("nothing says where each option was shown")
    assert "column 'form'" in finding.hint
