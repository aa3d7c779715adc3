"""From counts to decisions, and the funnel."""

from dataclasses import replace
from typing import Any

import pytest

from curation.records.bank import Group, Label
from curation.records.culture import SurveySettings
from curation.records.errors import CurateError
from curation.records.survey import Decision, Outcome, QuestionKind, Rule, Stage, Tally
from survey.outcomes import FunnelRow, outcomes, question_drops, stereotype_funnel, template_funnel
from survey.questionnaire import GroupBook
from survey.rules import decide_survey, surveyed_sides, target_rows

BOOK = GroupBook([Group("Craft", name) for name in ("Bakers", "Potters", "A", "B", "C")])
SETTINGS = SurveySettings()


def findings(make: Any, tallies: list[Tally]) -> list[tuple[str, str, str, str]]:
    """What is said of a survey of one template: rule, severity, place and message."""
    found = decide_survey(tallies, [make.template()], SETTINGS, BOOK).findings
    return [(item.rule, item.severity.value, item.where, item.message) for item in found]


def test_every_question_is_decided_on(make: Any) -> None:
    """Decisions and standings come in the order of the questions; comprehension has no standing."""
    tallies = [
        make.tally(make.comprehension(), 10, 40, 0),
        make.tally(make.select_all("A", "B", "C"), 70, 30, 4, 3, respondents=90),
        make.tally(make.choice(), 40, 5, 5),
    ]
    found = decide_survey(tallies, [make.template()], SETTINGS, BOOK)
    assert [(item.subject, item.rule, item.outcome) for item in found.decisions] == [
        ("craft-001", Rule.COMPREHENSION, Outcome.KEEP),
        ("q-2", Rule.MIN_RESPONDENTS, Outcome.KEEP),
        ("q-2", Rule.TARGET_SELECTION, Outcome.KEEP),
        ("q-2", Rule.NO_STEREOTYPE, Outcome.KEEP),
        ("q-1", Rule.MIN_RESPONDENTS, Outcome.KEEP),
        ("q-1", Rule.TWO_THIRDS, Outcome.KEEP),
        ("q-1", Rule.NO_STEREOTYPE, Outcome.KEEP),
    ]
    assert [(row.group, row.role) for row in found.targets] == [
        ("A", "target"),
        ("B", "neither"),
        ("C", "non_target"),
        ("Bakers", "target"),
        ("Potters", "non_target"),
    ]
    assert found.findings == ()


def test_nothing_is_decided_where_nobody_answered_and_it_is_said(make: Any) -> None:
    """Neither decision nor standing is made up."""
    found = decide_survey([make.tally(make.choice(), 0, 0, 0)], [make.template()], SETTINGS, BOOK)
    assert (found.decisions, found.targets) == ((), ())
    assert [item.message for item in found.findings] == [
        "question q-1: no answer to it is counted, so nothing is decided"
    ]


@pytest.mark.parametrize(("respondents", "said"), [(29, 1), (30, 0)])
def test_few_respondents_are_said(make: Any, respondents: int, said: int) -> None:
    """Under thirty the interval is wide; the decisions stand."""
    assert len(findings(make, [make.tally(make.choice(), respondents, 0, 0)])) == said


def test_a_group_that_the_workspace_lacks_is_said_once(make: Any) -> None:
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


def test_what_the_bank_lacks_is_said(make: Any) -> None:
    """A stereotype or template without a place in the bank may be a wrong spelling."""
    tallies = [
        make.tally(make.choice(stereotype="They sing"), 40, 5, 5),
        make.tally(make.comprehension("craft-009"), 10, 40, 0),
    ]
    found = findings(make, tallies)
    assert [item[:3] for item in found] == [("survey-not-in-bank", "info", "answers.csv")] * 2
    assert "has the stereotype 'They sing' (Craft, question q-1)" in found[0][3]
    assert "no template craft-009 (question c-craft-009)" in found[1][3]


@pytest.mark.parametrize("name", ["craft-001", "craft-009"])
def test_a_question_may_not_have_the_id_of_a_template(make: Any, name: str) -> None:
    """The ledger could not tell their decisions apart, and would grow with every run."""
    tallies = [make.tally(make.choice(id=name), 40, 5, 5)]
    if name == "craft-009":
        tallies.append(make.tally(make.comprehension(name), 10, 40, 0))
    with pytest.raises(CurateError, match=f"question {name} has the id of a template"):
        decide_survey(tallies, [make.template()], SETTINGS, BOOK)


# The surveyed sides of a question.


def sides(make: Any, *tallies: Tally) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Targets and non-targets of each question, all having been written to one table."""
    rows = [row for tally in tallies for row in target_rows(tally, SETTINGS)]
    return [surveyed_sides(tally, rows) for tally in tallies]


def test_the_sides_are_the_groups_by_standing(make: Any) -> None:
    """Targets and non-targets come in the order of the options, the others on neither side."""
    question = make.select_all("A", "B", "C", "D", uncounted=["E"])
    tally = make.tally(question, 50, 4, 60, 25, 3, 0, respondents=100)
    assert sides(make, tally) == [(("A", "C"), ("B", "E"))]


def test_an_option_that_lists_groups_stands_for_each_of_them(make: Any) -> None:
    """A group is put into a template under its own name."""
    question = make.select_all("A, B", "C", "D, A")
    assert sides(make, make.tally(question, 70, 30, 4, 3, respondents=90)) == [
        (("A", "B"), ("D", "A"))
    ]


def test_two_sets_of_options_about_one_stereotype_are_kept_apart(make: Any) -> None:
    """A group can be a target among some groups and none among others."""
    few = make.tally(make.select_all("A", "B"), 20, 5, 0, respondents=25)
    many = make.tally(make.select_all("A", "B", "C", id="q-3"), 20, 5, 4, 0, respondents=25)
    fewer = make.tally(make.select_all("A", "B", id="q-4"), 20, 5, 0, respondents=20)
    assert sides(make, few, many, fewer) == [((), ("B",)), (("A",), ("C",)), (("A",), ("B",))]


# The funnel.


def drop(subject: str, rule: Rule, stage: Stage = Stage.SURVEY) -> Decision:
    """A decision that drops."""
    return Decision(subject, stage, rule, Outcome.DROP)


def test_the_funnel_adds_up(make: Any) -> None:
    """Every template is counted once: at the first rule that drops it, by hand, or as left."""
    templates = [
        make.template("craft-001"),
        make.template("craft-002"),
        make.template("craft-003", ["Weavers"]),
        make.template("craft-004", label=Label.SAMPLE_REMOVED),
        make.template("craft-005", ["A"]),
        make.template("craft-006"),
    ]
    ledger = [
        Decision("q-1", Stage.SURVEY, Rule.TWO_THIRDS, Outcome.KEEP),
        drop("q-5", Rule.NO_STEREOTYPE),
        drop("q-5", Rule.TWO_THIRDS),
        drop("craft-002", Rule.COMPREHENSION, Stage.COMPREHENSION),
        drop("craft-006", Rule.OVERRIDE, Stage.MANUAL),
    ]
    found = outcomes(templates, [make.choice(), make.choice("A", id="q-5")], ledger)
    dropped = dict.fromkeys(
        [
            *(Rule.MIN_RESPONDENTS, Rule.TARGET_SELECTION, Rule.TARGET_SHARE),
            *(Rule.TWO_THIRDS, Rule.NO_STEREOTYPE, Rule.COMPREHENSION),
        ],
        0,
    )
    assert template_funnel(found) == [
        FunnelRow(
            category="Craft",
            before=5,
            dropped={**dropped, Rule.TWO_THIRDS: 1, Rule.COMPREHENSION: 1},
            manual=1,
            undecided=1,
            after=2,
        )
    ]
    # All of them have one stereotype, and one of its templates is left.
    assert stereotype_funnel(found) == [FunnelRow("Craft", 1, dropped, 0, 0, 1)]


def test_a_stereotype_is_out_when_none_of_its_templates_is_left(make: Any) -> None:
    """It is counted at the rule that took its first template."""
    templates = [make.template("craft-001"), make.template("craft-002")]
    first = drop("craft-001", Rule.OVERRIDE, Stage.MANUAL)
    second = drop("craft-002", Rule.COMPREHENSION, Stage.COMPREHENSION)
    by_hand = stereotype_funnel(outcomes(templates, [make.choice()], [first, second]))
    assert (by_hand[0].manual, by_hand[0].dropped[Rule.COMPREHENSION]) == (1, 0)
    keep = Decision("q-1", Stage.SURVEY, Rule.TWO_THIRDS, Outcome.KEEP)
    misread = [drop(f"craft-00{at}", Rule.COMPREHENSION, Stage.COMPREHENSION) for at in (1, 2)]
    one = stereotype_funnel(outcomes(templates, [make.choice()], [keep, misread[0]]))
    both = stereotype_funnel(outcomes(templates, [make.choice()], [keep, *misread]))
    assert (one[0].after, both[0].after) == (1, 0)
    assert both[0].dropped[Rule.COMPREHENSION] == 1


def test_questions_are_counted_by_kind_and_rule(make: Any) -> None:
    """A question that falls by two rules is counted at both."""
    questions = [make.choice(), make.select_all("A", "B"), make.comprehension()]
    decisions = [
        drop("q-1", Rule.TWO_THIRDS),
        drop("q-1", Rule.NO_STEREOTYPE),
        replace(drop("q-2", Rule.TARGET_SELECTION), outcome=Outcome.KEEP),
        drop("craft-001", Rule.COMPREHENSION),
    ]
    assert question_drops(questions, decisions) == {
        QuestionKind.CHOICE: {Rule.TWO_THIRDS: 1, Rule.NO_STEREOTYPE: 1},
        QuestionKind.COMPREHENSION: {Rule.COMPREHENSION: 1},
    }
