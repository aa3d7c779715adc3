"""What a report says: every number of it."""

from dataclasses import replace

import pytest

from curation.records.survey import Outcome, Rule
from curation.report.page import markdown
from survey.quality import Turn
from survey.reporting.data import build
from survey.reporting.records import Material, Report
from survey.reporting.sections import page_of, sheet_of


def test_each_rule_of_quality_says_what_turns(report: Report) -> None:
    """With the two who failed, 10 of 14 named the target of the second question."""
    by_rule = {line["rule"]: line for line in report.quality}
    assert list(by_rule) == ["attention", "failed_comprehension", "speeder", "keep", "any_check"]
    assert (by_rule["any_check"]["respondents"], by_rule["any_check"]["excluded"]) == (6, False)
    attention = by_rule["attention"]
    assert (attention["respondents"], attention["excluded"]) == (2, True)
    assert attention["turns"] == (Turn("q-sing", Rule.TWO_THIRDS, Outcome.DROP, Outcome.KEEP),)
    speeder = by_rule["speeder"]
    assert (speeder["respondents"], speeder["excluded"], speeder["turns"]) == (1, False, ())
    assert "1/2 of the median" in speeder["what"]
    keep = by_rule["keep"]
    assert (keep["respondents"], keep["records"], keep["turns"]) == (0, 1, None)


def test_weighted_decisions_stand_beside_the_plain_ones(report: Report) -> None:
    """Twelve women and two men, weighted to halves: 7/12 and 3.5 each."""
    weights = report.weighting
    assert weights is not None
    assert (weights.respondents, weights.lightest, weights.heaviest) == (14, 0.583333, 3.5)
    assert weights.effective == pytest.approx(14**2 / (12 * (7 / 12) ** 2 + 2 * 3.5**2), abs=0.05)
    by_rule = {(item["subject"], item["rule"]): item for item in weights.decisions}
    hum = by_rule["q-hum", Rule.TWO_THIRDS]
    # Both men said that there is no such stereotype, or named the other group.
    women, men = 7 / 12, 3.5
    assert hum["value"] == 0.769231
    assert hum["weighted_value"] == pytest.approx(10 * women / (12 * women + men), abs=1e-6)
    assert [(item["subject"], item["rule"]) for item in weights.turned] == [
        (name, rule)
        for (name, rule), item in by_rule.items()
        if item["outcome"] is not item["weighted_outcome"]
    ]
    assert ("q-hum", Rule.TWO_THIRDS) in [
        (item["subject"], item["rule"]) for item in weights.turned
    ]


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
    text = markdown(page_of(report)) + markdown(sheet_of(report))
    assert "example.org" not in text and "Zoe" not in text
