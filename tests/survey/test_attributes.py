"""What is said of respondents is known, or refused: nobody who failed is counted unseen."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curation.languages import available, received_words
from curation.records.culture import Culture, SurveySettings
from curation.records.errors import CurateError
from survey.answers import Answers
from survey.attributes import (
    check_people,
    check_respondents,
    compared,
    quality_value,
    with_people,
)
from survey.quality import flag

SETTINGS = SurveySettings()
Answering = Callable[..., Answers]


@pytest.mark.parametrize(
    "word",
    [
        *("failed", "Failed", "FAIL", "no", "0", "false", "Screened out", "not_passed", " FALSE "),
        *("durchgefallen", "fallado", "\uc2e4\ud328", "\uc544\ub2c8\uc694", "\u4e0d\u5408\u683c"),
        *("\u4e0d\u5408\u683c", "Ne", "HAYIR", "\u041d\u0435\u0442", "\uff26\uff41\uff49\uff4c"),
    ],
)
def test_who_failed_in_any_words_is_flagged(make: Any, answering: Answering, word: str) -> None:
    """Case, blanks and the language make no difference."""
    answers = answering(
        [make.choice(id="q0")],
        {"r1": {"q0": "1"}, "r2": {"q0": "1"}, "r3": {"q0": "1"}},
        attention=(word, "Passed", ""),
    )
    flagged = flag(answers, SETTINGS)
    assert [(item.rule, item.respondent) for item in flagged.exclusions] == [("attention", "r1")]
    assert flagged.flags["attention"].tolist() == [True, False, False]


@pytest.mark.parametrize(
    ("word", "rule"),
    [
        ("Terminated", "screened_out"),
        ("screen-out", "screened_out"),
        ("Screened out", "screened_out"),
        ("Incomplete", "partial"),
        ("Completed", None),
    ],
)
def test_status_is_read_by_its_words(
    make: Any, answering: Answering, word: str, rule: str | None
) -> None:
    """Who was screened out or broke off is flagged by the rule for it."""
    answers = answering([make.choice(id="q0")], {"r1": {"q0": "1"}}, status=(word,))
    assert list(flag(answers, SETTINGS).flags) == ([rule] if rule else [])


def test_a_value_that_no_word_stands_for_is_refused(make: Any, answering: Answering) -> None:
    """The message counts the respondents by what is written of them."""
    answers = answering(
        [make.choice(id="q0")],
        {name: {"q0": "1"} for name in ("r1", "r2", "r3", "r4")},
        attention=("maybe", "passed", "maybe", "3/4"),
    )
    with pytest.raises(CurateError) as refused:
        flag(answers, SETTINGS)
    assert refused.value.what == (
        "attention of 3 respondents has values that are not known: 'maybe' (2), '3/4' (1)"
    )
    assert "survey.quality.values: {attention: {failed: [...]}}" in refused.value.hint


def test_own_words_go_before_those_of_the_packs(make: Any, answering: Answering) -> None:
    """Where 1 marks who failed, the settings say so."""
    settings = SurveySettings.model_validate(
        {"quality": {"values": {"attention": {"failed": [1, "3/4"], "passed": False}}}}
    )
    answers = answering(
        [make.choice(id="q0")],
        {name: {"q0": "1"} for name in ("r1", "r2", "r3", "r4")},
        attention=("1", "no", "false", "3/4"),
    )
    assert flag(answers, settings).flags["attention"].tolist() == [True, False, False, True]


@pytest.mark.parametrize(
    "values",
    [
        {"attention": {"dropped": ["x"]}},
        {"mood": {"failed": ["x"]}},
        {"attention": {"failed": ["x"], "passed": ["x"]}},
    ],
)
def test_settings_of_values_that_are_none_are_refused(values: dict[str, Any]) -> None:
    """A value that no check knows, an attribute of none, a word with two meanings."""
    with pytest.raises(ValueError, match=r"attention|mood"):
        SurveySettings.model_validate({"quality": {"values": values}})


def test_a_duration_that_is_no_number_is_refused(make: Any, answering: Answering) -> None:
    """It was passed over as not known, and nobody was a speeder."""
    answers = answering(
        [make.choice(id="q0")],
        {"r1": {"q0": "1"}, "r2": {"q0": "1"}},
        duration_s=("00:12", "-3"),
    )
    with pytest.raises(CurateError, match="not a number of seconds for 2 respondents: '00:12'"):
        flag(answers, SETTINGS)


def test_no_word_of_the_packs_has_two_meanings() -> None:
    """What says failed says passed in no language, and so on."""
    assert len(available()) > 15
    for lists in (
        ("attention_failed", "attention_passed", "status_screened_out"),
        ("status_complete", "status_partial", "status_screened_out"),
    ):
        seen: dict[str, str] = {}
        for name in lists:
            for word in map(compared, received_words(name)):
                assert seen.setdefault(word, name) == name, word
    assert quality_value("status", "no", SETTINGS) is None


CULTURE = Culture.model_validate({"culture": "Marevia", "language": "en", "unknown": "unknown"})


def checked(folder: Path, text: str) -> list[tuple[str, str]]:
    """What is found of respondents r1 to r3."""
    (folder / "respondents.csv").write_text(text, encoding="utf-8")
    found = check_respondents(folder / "responses.csv", ("r1", "r2", "r3"), CULTURE)
    return [(item.rule, item.message) for item in found]


def test_respondents_are_those_of_the_answers(tmp_path: Path) -> None:
    """Ids of nobody, people of whom nothing is said and columns of no use are counted."""
    assert checked(tmp_path, "respondent_id,gender\nr1,f\nr2,f\nr3,m\n") == []
    assert checked(tmp_path, "respondent_id,gender,pet\nr1,f,cat\nR2,f,\nr9,m,\n") == [
        (
            "survey-respondents-unmatched",
            "2 ids of respondents.csv are not in the answers: 'R2', 'r9'",
        ),
        (
            "survey-respondents-unknown",
            "2 respondents with answers are not in respondents.csv: 'r2', 'r3'",
        ),
        ("survey-respondents-columns", "1 column of respondents.csv is not used: pet"),
    ]


def test_respondents_of_other_answers_are_refused(tmp_path: Path) -> None:
    """Where no id fits, whatever the file says of failed checks would be lost."""
    with pytest.raises(CurateError, match=r"none of the 2 ids .* it has 'x1', 'x2', the answers"):
        checked(tmp_path, "respondent_id,attention\nx1,failed\nx2,failed\n")


@pytest.mark.parametrize("name", ["attention_check", "duration-s"])
def test_a_column_that_seems_to_be_a_check_is_refused(tmp_path: Path, name: str) -> None:
    """It would be gone by if it were called so."""
    with pytest.raises(CurateError, match=f"column '{name}' seems to be what quality checks know"):
        checked(tmp_path, f"respondent_id,{name}\nr1,1\nr2,1\nr3,1\n")


def test_a_second_column_beside_the_check_is_only_unused(tmp_path: Path) -> None:
    """With the column that is gone by, another one is a note."""
    found = checked(
        tmp_path, "respondent_id,attention,attention_item\nr1,passed,c\nr2,passed,c\nr3,failed,a\n"
    )
    assert [rule for rule, _ in found] == ["survey-respondents-columns"]


def test_what_an_attention_check_leaves_open_is_said(make: Any, answering: Answering) -> None:
    """Nobody is counted as having passed without a word; a column that says nothing is none."""
    people = {name: {"q0": "1"} for name in ("r1", "r2", "r3")}
    some = answering([make.choice(id="q0")], people, attention=("failed", "", " "))
    assert [(item.rule, item.message) for item in check_people(some)] == [
        ("survey-attention-empty", "attention is empty for 2 respondents of 3")
    ]
    for cells in (("failed", "passed", "passed"), ("", "", "")):
        assert check_people(answering([make.choice(id="q0")], people, attention=cells)) == []
    assert check_people(answering([make.choice(id="q0")], people)) == []


def test_ids_that_may_be_one_person_s_are_said(make: Any, answering: Answering) -> None:
    """They stay two people: nobody is guessed to be another one."""
    people = {name: {"q0": "1"} for name in ("P005", "p005", "p006")}
    (found,) = check_people(answering([make.choice(id="q0")], people))
    assert (found.rule, found.message) == (
        "survey-respondents-alike",
        "2 ids of respondents differ from another only in capital letters: 'P005', 'p005'",
    )


@pytest.mark.parametrize(
    ("name", "own", "beside", "found"),
    [
        ("status", "complete", "APPROVED", "complete"),
        ("status", "complete", "REJECTED", "REJECTED"),
        ("status", "screened_out", "approved", "screened_out"),
        ("attention", "failed", "passed", "failed"),
        ("attention", "passed", "hm", "hm"),
        ("gender", "female", "", "female"),
        ("gender", "", "Female", "Female"),
        ("gender", "female", "Female", "female"),
    ],
)
def test_the_worse_of_two_words_on_a_respondent_holds(
    tmp_path: Path, name: str, own: str, beside: str, found: str
) -> None:
    """A panel may reject a person that a platform calls complete; other words are refused later."""
    (tmp_path / "respondents.csv").write_text(f"respondent_id,{name}\nr1,{beside}\n", "utf-8")
    settings = SurveySettings()
    joined = with_people(tmp_path / "answers.csv", ["r1"], {name: [own]}, settings)
    assert joined == {name: (found,)}


def test_two_files_that_contradict_each_other_on_a_respondent(tmp_path: Path) -> None:
    """It is refused, with both words."""
    (tmp_path / "respondents.csv").write_text("respondent_id,gender\nr1,male\n", "utf-8")
    with pytest.raises(CurateError, match=r"gender of r1 is 'female' in answers.csv, and 'male'"):
        with_people(tmp_path / "answers.csv", ["r1"], {"gender": ["female"]}, SurveySettings())
