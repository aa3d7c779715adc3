"""From counts to decisions, and the funnel."""

import pytest

from curation.files.bank import GroupBook
from curation.records.bank import Group
from curation.records.culture import SurveySettings
from curation.records.messages import CurateError
from curation.records.survey import Outcome, Rule
from survey.rules import decide_survey, surveyed_sides, target_rows

BOOK = GroupBook([Group("Craft", name) for name in ("Bakers", "Potters", "A", "B", "C")])
SETTINGS = SurveySettings()


def findings(make, tallies):
    """What is said of a survey of one template: rule, severity, place and message."""
    _, _, found = decide_survey(tallies, [make.template()], SETTINGS, BOOK)
    return [(item.rule, item.severity.value, item.where, item.message) for item in found]


def test_every_question_is_decided_on(make):
    """Decisions and standings come in the order of the questions; comprehension has no standing."""
    tallies = [
        make.tally(make.comprehension(), 10, 40, 0),
        make.tally(make.select_all("A", "B", "C"), 70, 30, 4, 3, respondents=90),
        make.tally(make.choice(), 40, 5, 5),
    ]
    decisions, targets, said = decide_survey(tallies, [make.template()], SETTINGS, BOOK)
    assert [(item.subject, item.rule, item.outcome) for item in decisions] == [
        ("craft-001", Rule.COMPREHENSION, Outcome.KEEP),
        ("q-2", Rule.MIN_RESPONDENTS, Outcome.KEEP),
        ("q-2", Rule.TARGET_SELECTION, Outcome.KEEP),
        ("q-2", Rule.NO_STEREOTYPE, Outcome.KEEP),
        ("q-1", Rule.MIN_RESPONDENTS, Outcome.KEEP),
        ("q-1", Rule.TWO_THIRDS, Outcome.KEEP),
        ("q-1", Rule.NO_STEREOTYPE, Outcome.KEEP),
    ]
    assert [(row.group, row.role) for row in targets] == [
        ("A", "target"),
        ("B", "neither"),
        ("C", "non_target"),
        ("Bakers", "target"),
        ("Potters", "non_target"),
    ]
    assert said == ()


def test_a_group_that_the_workspace_lacks_is_said_once(make):
    """A wrong spelling would make it count, so that it is a warning with its place."""
    tallies = [
        make.tally(make.choice("Bakers", "Poters"), 40, 5, 5, source="counts.json", row=7),
        make.tally(make.choice("Bakers", "Poters", id="q-8"), 40, 5, 5),
    ]
    assert findings(make, tallies) == [
        (
            *("survey-unknown-group", "warning", "counts.json, entry 7"),
            "group 'Poters' of Craft is not in groups.csv (2 questions)",
        )
    ]


@pytest.mark.parametrize("name", ["craft-001", "craft-009"])
def test_a_question_may_not_have_the_id_of_a_template(make, name):
    """The ledger could not tell their decisions apart, and would grow with every run."""
    tallies = [make.tally(make.choice(id=name), 40, 5, 5)]
    if name == "craft-009":
        tallies.append(make.tally(make.comprehension(name), 10, 40, 0))
    with pytest.raises(CurateError, match=f"question {name} has the id of a template"):
        decide_survey(tallies, [make.template()], SETTINGS, BOOK)


def test_few_respondents_are_said(make):
    """A question is dropped for it, a template's comprehension is decided all the same."""
    for question, votes, told in (
        (make.choice(), (5, 1, 1), "7 respondents, and min_respondents asks for"),
        (make.comprehension(), (1, 3, 1), "5 respondents decide it: the interval is wide"),
        (make.choice(), (0, 0, 0), "no answer to it is counted"),
    ):
        said = {item[0]: item[3] for item in findings(make, [make.tally(question, *votes)])}
        assert told in said["survey-few-respondents"]
    for question, many, few in (
        (make.comprehension(), 29, True),
        (make.comprehension(), 30, False),
        (make.choice(), 30, False),
    ):
        said = {item[0] for item in findings(make, [make.tally(question, many, 0, 0)])}
        assert ("survey-few-respondents" in said) == few


# The surveyed sides of a question.


def sides(make, *tallies):
    """Targets and non-targets of each question, all having been written to one table."""
    rows = [row for tally in tallies for row in target_rows(tally, SETTINGS)]
    return [surveyed_sides(tally, rows) for tally in tallies]


def test_two_sets_of_options_about_one_stereotype_are_kept_apart(make):
    """A group can be a target among some groups and none among others."""
    few = make.tally(make.select_all("A", "B"), 20, 5, 0, respondents=25)
    many = make.tally(make.select_all("A", "B", "C", id="q-3"), 20, 5, 4, 0, respondents=25)
    fewer = make.tally(make.select_all("A", "B", id="q-4"), 20, 5, 0, respondents=20)
    assert sides(make, few, many, fewer) == [((), ("B",)), (("A",), ("C",)), (("A",), ("B",))]
