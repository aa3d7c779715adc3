"""What is said of respondents is known, or refused: nobody who failed is counted unseen."""

import pytest

from curation.records.culture import Culture, SurveySettings
from curation.records.messages import CurateError
from survey.attributes import PeopleList, check_people
from survey.quality import flag

SETTINGS = SurveySettings()


FAILED = (
    *("failed", "Failed", "FAIL", "no", "0", "false", "Screened out", "not_passed", " FALSE "),
    *("durchgefallen", "fallado", "\uc2e4\ud328", "\uc544\ub2c8\uc694", "\u4e0d\u5408\u683c"),
    *("Ne", "HAYIR", "\u041d\u0435\u0442", "\uff26\uff41\uff49\uff4c"),
)


def test_who_failed_in_any_words_is_flagged(make, answering):
    """Case, blanks and the language make no difference."""
    words = (*FAILED, "Passed", "")
    people = {f"r{at:02d}": {"q0": "1"} for at in range(len(words))}
    flags, _ = flag(answering([make.choice(id="q0")], people, attention=words), SETTINGS)
    assert flags["attention"].tolist() == [True] * len(FAILED) + [False, False]
    assert [*flags] == ["attention"]


def test_status_is_read_by_its_words(make, answering):
    """Who was screened out or broke off is flagged by the rule for it."""
    words = ("Terminated", "screen-out", "Screened out", "Incomplete", "Completed")
    people = {f"r{at}": {"q0": "1"} for at in range(len(words))}
    answers = answering([make.choice(id="q0")], people, status=words)
    flags = {rule: rows.tolist() for rule, rows in flag(answers, SETTINGS)[0].items()}
    assert flags == {
        "screened_out": [True] * 3 + [False] * 2,
        "partial": [False] * 3 + [True, False],
    }


@pytest.mark.parametrize(
    ("name", "said", "found"),
    [
        ("attention", ["failed", "failed", "failed", ""], ["attention-empty", "all-failed"]),
        ("attention", ["failed", "failed", "failed", "passed"], []),
        ("attention", ["failed", "failed"], []),
        ("status", ["partial", "partial", "partial"], ["all-partial"]),
        ("status", ["partial", "partial", "screened_out"], []),
    ],
)
def test_that_all_failed_or_broke_off_is_told(make, answering, name, said, found):
    """A mapping may not know what a file writes of those who did not."""
    people = {f"r{at}": {"q0": "1"} for at in range(len(said))}
    answers = answering([make.choice(id="q0")], people, **{name: said})
    told = check_people(answers)
    assert [each.rule.removeprefix("survey-") for each in told] == found
    # The forms had a check.
    assert len(check_people(answers, checked=True)) == len(told) + (name != "attention")


def test_a_value_that_no_word_stands_for_is_refused(make, answering):
    """The message counts the respondents by what is written of them."""
    answers = answering(
        [make.choice(id="q0")],
        {name: {"q0": "1"} for name in ("r1", "r2", "r3", "r4")},
        attention=("maybe", "passed", "maybe", "3/4"),
    )
    with pytest.raises(CurateError) as refused:
        flag(answers, SETTINGS)
    assert "'maybe' (2), '3/4' (1)" in refused.value.what


CULTURE = Culture.model_validate({"culture": "Marevia", "language": "en", "unknown": "unknown"})


def checked(folder, text):
    """What is found of respondents r1 to r3."""
    (folder / "respondents.csv").write_text(text, encoding="utf-8")
    found = PeopleList(folder / "responses.csv", ("r1", "r2", "r3")).findings(CULTURE)
    return [(item.rule, item.message) for item in found]


def test_respondents_are_those_of_the_answers(tmp_path):
    """Ids of nobody, people of whom nothing is said and columns of no use are counted."""
    assert checked(tmp_path, "respondent_id,gender\nr1,f\nr2,f\nr3,m\n") == []
    found = checked(tmp_path, "respondent_id,gender,pet\nr1,f,cat\nR2,f,\nr9,m,\n")
    assert [(rule, message[:2]) for rule, message in found] == [
        ("survey-respondents-unmatched", "2 "),
        ("survey-respondents-unknown", "2 "),
        ("survey-respondents-columns", "1 "),
    ]


def test_respondents_of_other_answers_are_refused(tmp_path):
    """Where no id fits, whatever the file says of failed checks would be lost."""
    with pytest.raises(CurateError, match=r"none of the 2 ids .* it has 'x1', 'x2', the answers"):
        checked(tmp_path, "respondent_id,attention\nx1,failed\nx2,failed\n")


@pytest.mark.parametrize("name", ["attention_check", "duration-s"])
def test_a_column_that_seems_to_be_a_check_is_refused(tmp_path, name):
    """It would be gone by if it were called so."""
    with pytest.raises(CurateError, match=f"column '{name}' seems to be what quality checks know"):
        checked(tmp_path, f"respondent_id,{name}\nr1,1\nr2,1\nr3,1\n")


def test_the_worse_of_two_words_on_a_respondent_holds(tmp_path):
    """A panel may reject a person that a platform calls complete; other words are refused later."""
    for name, own, beside, found in [
        ("status", "complete", "APPROVED", "complete"),
        ("status", "complete", "REJECTED", "REJECTED"),
        ("status", "screened_out", "approved", "screened_out"),
        ("attention", "failed", "passed", "failed"),
        ("attention", "passed", "hm", "hm"),
        ("gender", "female", "", "female"),
        ("gender", "", "Female", "Female"),
        ("gender", "female", "Female", "female"),
        ("gender", "female", "CONSENT_REVOKED", "female"),
    ]:
        (tmp_path / "respondents.csv").write_text(f"respondent_id,{name}\nr1,{beside}\n", "utf-8")
        settings = SurveySettings()
        people = PeopleList(tmp_path / "answers.csv", ["r1"])
        joined = people.joined(["r1"], {name: [own]}, settings)
        assert joined == {name: (found,)}
