"""What a report says: every number of it."""

from dataclasses import replace

import pytest
from scipy.stats import binomtest

from curation.records.survey import Outcome, Rule
from survey.quality import Turn
from survey.reporting.data import build
from survey.reporting.records import Material, QuestionDecision, QuestionRow, Report
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
    for item in report.stability:
        assert item.changed == pytest.approx(item.questions * (1 - item.same), abs=1e-5)
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
