"""What a report says: every number of it."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from scipy.stats import binomtest

from curation.records.culture import Culture
from curation.records.survey import Outcome, QuestionKind, Rule
from survey.quality import Turn
from survey.reporting.data import build, counts_agree
from survey.reporting.records import ExclusionLine, Material, QuestionDecision, QuestionRow, Report
from survey.reporting.sections import markdown
from survey.rules import wilson


def row(report: Report, name: str) -> QuestionRow:
    """A question's row."""
    return next(row for row in report.questions if row.id == name)


def test_a_validation_question_has_its_votes_and_its_test(report: Report) -> None:
    """Two who failed the attention check are not counted: 10 of 13 named the target."""
    hum = row(report, "q-hum")
    assert [(group.label, group.votes, group.role) for group in hum.groups] == [
        ("Bakers", 10, "target"),
        ("Potters", 3, "non_target"),
    ]
    assert (hum.none, hum.respondents, hum.category) == (1, 14, "Craft")
    assert hum.certainty is not None
    assert (hum.certainty.k, hum.certainty.n, hum.certainty.share) == (10, 13, 0.769231)
    assert (hum.certainty.ci_low, hum.certainty.ci_high) == pytest.approx(wilson(10, 13), abs=1e-6)
    p_values = [
        binomtest(k, n, 2 / 3, alternative="greater").pvalue for k, n in ((10, 13), (8, 12))
    ]
    assert hum.certainty.p == pytest.approx(p_values[0])
    assert hum.certainty.q == pytest.approx(min(2 * p_values[0], p_values[1]))
    assert (hum.decision, hum.why, hum.borderline, hum.templates) == (
        *(QuestionDecision.KEPT, (), True, ("craft-001",)),
    )


def test_exactly_two_thirds_fall_and_it_is_said_why(report: Report) -> None:
    """8 of 12 is the threshold itself; the template that a person keeps is linked to it too."""
    sing = row(report, "q-sing")
    assert sing.decision is QuestionDecision.DROPPED
    assert sing.why == ("no more than 2/3 of those who named a group named the target",)
    assert sing.decisive is not None
    assert (sing.decisive.k, sing.decisive.n, sing.decisive.margin) == (8, 12, 0)
    assert sing.templates == ("craft-002", "craft-005")


def test_target_selection_has_its_groups_in_equal_shares(report: Report) -> None:
    """12 named a group and three options count: 4 votes are a share; D counts not."""
    nap = row(report, "q-nap")
    assert (nap.equal_share, nap.respondents, nap.none, nap.certainty) == (4, 14, 2, None)
    assert [(g.label, g.votes, g.times, g.role, g.counts) for g in nap.groups] == [
        ("A", 8, 2.0, "target", True),
        ("B", 2, 0.5, "non_target", True),
        ("C", 2, 0.5, "non_target", True),
        ("D", 1, 0.25, "non_target", False),
    ]
    low, high = wilson(8, 14)
    assert (nap.groups[0].ci_low, nap.groups[0].ci_high) == pytest.approx(
        (low * 14 / 4, high * 14 / 4), abs=1e-6
    )
    # Twelve votes of groups that count by twelve people; nobody can be a non-target for sure.
    assert nap.per_person == 1
    assert nap.selection is not None and nap.selection.least == pytest.approx((1 - 2 / 14) ** 14)
    assert nap.redrawn is not None
    assert [group.again for group in nap.groups] == [*nap.redrawn.roles]
    assert not nap.borderline  # the mark is of validation: here two thresholds are always near
    assert (nap.deciding, nap.decisive and nap.decisive.threshold) == (("A",), 2)


def test_comprehension_is_of_a_template(report: Report) -> None:
    """Its row has the template's stereotype; 10 of 14 answered correctly."""
    understood = row(report, "c-craft-001")
    assert (understood.stereotype, understood.templates) == ("They hum", ("craft-001",))
    assert understood.decisive is not None
    assert (understood.decisive.k, understood.decisive.n) == (10, 14)
    assert [group.role for group in understood.groups] == ["wrong", "correct", "wrong"]
    assert (understood.none, understood.equal_share) == (None, None)


def test_the_funnels_add_up(report: Report) -> None:
    """What is labelled SR was not asked about; what is undecided is among what is left."""
    (templates,) = report.template_funnel
    assert (templates.before, templates.after, templates.undecided) == (5, 4, 1)
    assert {rule: n for rule, n in templates.dropped.items() if n} == {Rule.TWO_THIRDS: 1}
    (stereotypes,) = report.stereotype_funnel
    assert (stereotypes.before, stereotypes.after, stereotypes.undecided) == (4, 4, 1)
    assert report.removed == 1
    assert [
        (line.kind, line.asked, line.kept, line.unanswered) for line in report.question_funnel
    ] == [
        (QuestionKind.CHOICE, 2, 1, 0),
        (QuestionKind.SELECT_ALL, 1, 1, 0),
        (QuestionKind.COMPREHENSION, 1, 1, 0),
    ]


def test_templates_that_want_a_word_are_named(report: Report) -> None:
    """Undecided with the reason, decided by a person with the name, modified."""
    assert [(line.id, line.reason) for line in report.undecided] == [
        ("craft-004", "its stereotype was not asked about")
    ]
    assert [(line.id, line.status, line.by, line.reason) for line in report.overridden] == [
        ("craft-005", "kept", "Mina", "the experts agree")
    ]
    assert [line.id for line in report.modified] == ["craft-003"]


def test_the_time_is_that_of_the_latest_decision_on_a_question(report: Report) -> None:
    """No clock is read, so that the same workspace gives the same report."""
    assert report.decided_at == "2026-02-01T12:00:00Z"


def test_respondents_are_counted_by_quota(report: Report) -> None:
    """Those left out are not; a value that is not known has a cell of its own."""
    people = report.respondents
    assert people is not None
    assert (people.total, people.counted, people.median_minutes) == (16, 14, 1.0)
    assert people.dimensions == ("gender", "age_band")
    assert people.stated
    assert {cell.values: (cell.planned, cell.answered) for cell in people.cells} == {
        ("female", "young"): (0.125, 3),
        ("female", "old"): (0.375, 6),
        ("male", "young"): (0.125, 1),
        ("male", "old"): (0.375, 1),
        ("female", ""): (None, 3),
    }


def test_each_rule_of_quality_says_what_turns(report: Report) -> None:
    """With the two who failed, 10 of 14 named the target of the second question."""
    by_rule = {line.rule: line for line in report.quality}
    assert list(by_rule) == ["attention", "failed_comprehension", "speeder", "keep"]
    attention = by_rule["attention"]
    assert (attention.respondents, attention.excluded) == (2, True)
    assert attention.turns == (Turn("q-sing", Rule.TWO_THIRDS, Outcome.DROP, Outcome.KEEP),)
    speeder = by_rule["speeder"]
    assert (speeder.respondents, speeder.excluded, speeder.turns) == (1, False, ())
    assert "1/2 of the median" in speeder.what
    keep = by_rule["keep"]
    assert (keep.respondents, keep.records, keep.turns) == (0, 1, None)


def test_weighted_decisions_stand_beside_the_plain_ones(report: Report) -> None:
    """Twelve women and two men, weighted to halves: 7/12 and 3.5 each."""
    weights = report.weighting
    assert weights is not None
    assert (weights.respondents, weights.lightest, weights.heaviest) == (14, 0.583333, 3.5)
    assert weights.effective == pytest.approx(14**2 / (12 * (7 / 12) ** 2 + 2 * 3.5**2), abs=0.05)
    by_rule = {(item.subject, item.rule): item for item in weights.decisions}
    hum = by_rule["q-hum", Rule.TWO_THIRDS]
    # Both men said that there is no such stereotype, or named the other group.
    women, men = 7 / 12, 3.5
    assert hum.value == 0.769231
    assert hum.weighted_value == pytest.approx(10 * women / (12 * women + men), abs=1e-6)
    assert [(item.subject, item.rule) for item in weights.turned] == [
        (name, rule)
        for (name, rule), item in by_rule.items()
        if item.outcome is not item.weighted_outcome
    ]
    assert ("q-hum", Rule.TWO_THIRDS) in [(item.subject, item.rule) for item in weights.turned]


def test_the_row_as_set_agrees_with_what_is_kept(report: Report) -> None:
    """The decision of a person is in it; the undecided template is not."""
    assert {item.templates for item in report.sensitivity if item.is_set} == {3}


def test_counts_alone_make_a_report_without_people(material: Material) -> None:
    """Who they were, and what turns, cannot be told; the rest can."""
    exclusions = (ExclusionLine("speeder", "r1", "", excluded=False),)
    report = build(replace(material, people=None, exclusions=exclusions))
    assert (report.respondents, report.weighting) == (None, None)
    assert [line.turns for line in report.quality] == [None]
    assert len(report.questions) == 4


def test_margins_that_cannot_be_met_are_said(material: Material) -> None:
    """The rest of the report stands."""
    culture = Culture.model_validate(
        {**material.culture.model_dump(), "survey": {"margins": {"region": {"north": 1}}}}
    )
    report = build(replace(material, culture=culture, settings=culture.survey))
    assert report.weighting is not None
    assert report.weighting.problem.startswith("respondents have no attribute 'region'")


def test_a_question_that_nobody_answered_is_undecided(make: Any, material: Material) -> None:
    """Nothing is made up for it, whatever an earlier ledger says."""
    empty = make.tally(make.choice(id="q-hum", stereotype="They hum"), 0, 0, 0)
    rest = [tally for tally in material.tallies if tally.question.id != "q-hum"]
    report = build(replace(material, people=None, tallies=(empty, *rest)))
    hum = row(report, "q-hum")
    assert (hum.decision, hum.decisions, hum.decisive, hum.borderline) == (
        QuestionDecision.UNDECIDED,
        (),
        None,
        False,
    )
    assert hum.certainty is not None
    assert hum.certainty.share is None
    assert next(line.unanswered for line in report.question_funnel) == 1


def test_answers_are_compared_with_the_counts(material: Material) -> None:
    """Answers that give other counts are not those that the decisions come from."""
    assert material.people is not None
    assert counts_agree(material.people, material.settings, material.tallies)
    assert counts_agree(
        material.people, material.settings, (*material.tallies, material.tallies[0])
    )
    lax = material.settings.model_copy(update={"exclude": ()})
    assert not counts_agree(material.people, lax, material.tallies)
    assert not counts_agree(material.people, material.settings, material.tallies[1:])


def test_settings_other_than_the_default_are_worded(material: Material) -> None:
    """A reason says the threshold that was used."""
    settings = material.settings.model_copy(update={"stereotype_share": Fraction(7, 10)})
    report = build(replace(material, settings=settings))
    assert row(report, "q-sing").why == (
        "no more than 0.7 of those who named a group named the target",
    )


def test_a_report_shows_no_column_of_respondents_that_the_settings_do_not_name(
    material: Material,
) -> None:
    """Addresses and what somebody wrote in words are in no report, however often they occur."""
    assert material.people is not None
    private = {"email": [f"r{at}@example.org" for at in range(16)], "words": ["call Zoe"] * 16}
    answers = material.people.answers
    more = replace(answers, attributes={**answers.attributes, **private})
    report = build(replace(material, people=replace(material.people, answers=more)))
    assert report.respondents is not None
    assert set(report.respondents.attributes) == {"gender", "age_band"}
    text = markdown(report)
    assert "example.org" not in text and "Zoe" not in text
