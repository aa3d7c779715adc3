"""What a report says: every number of it."""

from copy import copy
from dataclasses import replace

import numpy as np
import pytest

from curation.records.culture import SurveySettings
from curation.records.survey import Outcome, QuestionKind, Rule
from curation.report.page import markdown
from survey.quality import SCREENED_OUT, Respondents, kish
from survey.reporting.sections import page_of, selection_note, sheet_of, summary
from tests.survey.conftest import turn


def saying(report, **parts):
    """A report that says something else in some of its parts."""
    other = copy(report)
    vars(other).update(parts)
    return other


def test_each_rule_of_quality_says_what_turns(report):
    """With the two who failed, 10 of 14 named the target of the second question."""
    by_rule = {line["rule"]: line for line in report.quality}
    assert list(by_rule) == ["attention", "failed_comprehension", "speeder", "keep", "any_check"]
    assert (by_rule["any_check"]["respondents"], by_rule["any_check"]["excluded"]) == (6, False)
    attention = by_rule["attention"]
    assert (attention["respondents"], attention["excluded"]) == (2, True)
    assert attention["turns"] == (turn("q-sing", Rule.TWO_THIRDS, Outcome.DROP, Outcome.KEEP),)
    speeder = by_rule["speeder"]
    assert (speeder["respondents"], speeder["excluded"], speeder["turns"]) == (1, False, ())
    assert "1/2 of the median" in speeder["what"]
    keep = by_rule["keep"]
    assert (keep["respondents"], keep["records"], keep["turns"]) == (0, 1, None)


def test_weighted_decisions_stand_beside_the_plain_ones(report):
    """Twelve women and two men, weighted to halves: 7/12 and 3.5 each."""
    weights = report.weighting
    assert weights is not None
    assert (weights["respondents"], weights["lightest"], weights["heaviest"]) == (14, 0.583333, 3.5)
    assert weights["effective"] == pytest.approx(
        14**2 / (12 * (7 / 12) ** 2 + 2 * 3.5**2), abs=0.05
    )
    by_rule = {(item["subject"], item["rule"]): item for item in weights["decisions"]}
    hum = by_rule["q-hum", Rule.TWO_THIRDS]
    # Both men said that there is no such stereotype, or named the other group.
    women, men = 7 / 12, 3.5
    assert hum["value"] == 0.769231
    assert hum["weighted_value"] == pytest.approx(10 * women / (12 * women + men), abs=1e-6)
    assert [(item["subject"], item["rule"]) for item in weights["turned"]] == [
        (name, rule)
        for (name, rule), item in by_rule.items()
        if item["outcome"] is not item["weighted_outcome"]
    ]
    assert ("q-hum", Rule.TWO_THIRDS) in [
        (item["subject"], item["rule"]) for item in weights["turned"]
    ]


def test_who_failed_comprehension_is_weighted_there(report):
    """Ten of twelve women understood, and one of four men; the five others count there alone.

    Of those ten eight named the target of the second question, and so did the man.
    """
    settings = report.settings.model_copy(update={"exclude": ("failed_comprehension",)})
    told = replace(report, settings=settings)
    found = {(it["subject"], it["rule"]): it for it in told.weighting["decisions"]}
    share = found["craft-001", Rule.COMPREHENSION]["weighted_value"]
    assert share == pytest.approx((10 / 12 + 1 / 4) / 2, abs=1e-6)
    share = found["q-sing", Rule.TWO_THIRDS]["weighted_value"]
    assert share == pytest.approx((8 / 10 + 1) / 2, abs=1e-6)
    assert told.respondents["counted"] == told.weighting["respondents"] == 16
    assert "16 respondents answered 4 questions" in summary(told)
    answers = told.people.answers
    genders = [*["female"] * 10, *[""] * 5, "male"]
    unknown = replace(answers, attributes={**answers.attributes, "gender": genders})
    told = replace(told, people=replace(told.people, answers=unknown))
    left = {it["subject"]: it for it in told.weighting["decisions"]}
    assert left.keys() == {"q-hum", "q-sing", "q-nap"}
    assert "The other questions have no weights: respondents have" in markdown(page_of(told))


def test_a_report_shows_no_column_of_respondents_that_the_settings_do_not_name(report):
    """Addresses and what somebody wrote in words are in no report, however often they occur."""
    assert report.people is not None
    private = {"email": [f"r{at}@example.org" for at in range(16)], "words": ["call Zoe"] * 16}
    private["duration_s"] = ["600"] * 16
    answers = report.people.answers
    more = replace(answers, attributes={**answers.attributes, **private})
    told = replace(report, people=replace(report.people, answers=more))
    assert set(told.respondents["attributes"]) == {"gender", "age_band"}
    assert told.respondents["median_minutes"] == 10
    text = markdown(page_of(told)) + markdown(sheet_of(told))
    assert "example.org" not in text and "Zoe" not in text


@pytest.fixture(scope="module")
def mixed(make, answering):
    """Of 200 people, 40 answer without care and name the other group; one was screened out."""
    names = [f"r{at:03d}" for at in range(200)]
    careless = np.arange(200) < 40
    careful = {name: "2" if bad else "1" for name, bad in zip(names, careless, strict=True)}
    careful |= dict.fromkeys(names[40:80], "2")
    answers = answering(
        [make.choice(id="q-hum", stereotype="They hum")], {n: {"q-hum": careful[n]} for n in names}
    )
    random = np.random.default_rng(7)
    flags = {
        name: random.random(200) < np.where(careless, 0.8, 0.03)
        for name in ("attention", "speeder", "straight_liner", "partial")
    }
    flags[SCREENED_OUT] = np.arange(200) == 199
    return Respondents(answers, flags, (), (), ())


def test_decisions_without_the_doubtful_and_weighted_by_doubt(mixed, report):
    """120 of 200 name the target, 120 of about 160 without the careless: more than two thirds."""
    found = replace(report, people=mixed, settings=SurveySettings(exclude=())).style
    doubt = found["style"]["doubt"]
    assert found["style"]["people"] == 199 and 38 <= found["doubtful"] <= 42
    assert found["turns"] == (turn("q-hum", Rule.TWO_THIRDS, Outcome.DROP, Outcome.KEEP),)
    weights = np.append(1 - doubt, 1.0)
    assert found["weighting"]["effective"] == pytest.approx(kish(weights), abs=1e-6)
    (row,) = (it for it in found["weighting"]["decisions"] if it["rule"] is Rule.TWO_THIRDS)
    share = weights[80:].sum() / weights.sum()
    target = np.arange(200) >= 80
    variance = (weights**2 * (target - share) ** 2).sum() / weights.sum() ** 2 * 200 / 199
    assert row["weighted_value"] == pytest.approx(share, abs=1e-6)
    assert row["design_effect"] == pytest.approx(variance / (share * (1 - share) / 199), rel=1e-3)
    assert row["weighted_outcome"] is Outcome.KEEP


def test_who_is_surely_doubtful_still_weighs_something(make, answering, report):
    """Of two questions one was answered by a doubtful person alone, who named the target."""
    asked, sure = [make.choice(), make.choice(id="q-sing")], np.arange(200) < 40
    chosen = {f"r{at}": {"q-1": "1", **({} if at else {"q-sing": "1"})} for at in range(200)}
    flags = dict.fromkeys(("attention", "speeder", "partial", "straight_liner"), sure)
    people = Respondents(answering(asked, chosen), flags, (), (), ())
    found = replace(report, people=people, settings=SurveySettings(exclude=())).style
    assert found["style"]["doubt"][0] == 1
    rows = {(it["subject"], it["rule"]): it for it in found["weighting"]["decisions"]}
    assert rows["q-sing", Rule.TWO_THIRDS]["weighted_value"] == 1


def test_checks_that_do_not_agree_are_not_taken_together(mixed, report):
    """No class, no weights and no decision that would change are named."""
    random = np.random.default_rng(1)
    flags = {name: random.random(200) < 0.1 for name in ("attention", "speeder", "partial")}
    found = replace(report, people=replace(mixed, flags=flags)).style
    assert "no better than one" in found["style"]["problem"]
    assert (found["doubtful"], found["turns"], found["weighting"]) == (0, (), None)


def test_the_report_says_what_the_checks_tell_together(mixed, report):
    """Only where there are two classes; else it says why not."""
    other = replace(report, people=mixed, settings=SurveySettings(exclude=()))
    told = saying(report, style=other.style)
    text = markdown(page_of(told))
    number = told.style["doubtful"]
    assert f"of 199 respondents are of the doubtful, {number} of them with a prob" in text
    assert "1 decision would change (q-hum, Validation: drop → keep)" in text
    text = markdown(page_of(report))
    assert "not combined: there are fewer than 100 respondents" in text and "latent" not in text


def _plan(*deviations):
    row = dict.fromkeys(("what", "planned", "done"), "x")
    told = {"at": "2026-01-01", "sha256": "0", "expected": 3, "held": 2}
    return {"registered": {**told, "deviations": [row for _ in deviations]}}


_NO_WEIGHTS = {
    **dict.fromkeys(("respondents", "effective", "lightest", "heaviest"), 0),
    **dict.fromkeys(("decisions", "turned"), ()),
    "margins": {"gender": {"f": 1.0}},
}


def _weights(problem):
    return {"weighting": {**_NO_WEIGHTS, "problem": problem}}


_ONE_QUOTA = {
    **{"total": 3, "counted": 3, "median_minutes": None, "attributes": {}, "unknown": ()},
    **{"dimensions": ("gender",), "stated": True},
    "cells": ({"values": ("f",), "planned": 1.0, "answered": 3},),
}
CLAIMS = [
    ("\n| Total |", {}, {"respondents": _ONE_QUOTA}),
    ("is labelled SR", {"removed": 1}, {"removed": 0}),
    ("set aside by a person before the survey", {"aside": 1}, {"aside": 0}),
    ("Nothing that it registers was done otherwise", _plan(), _plan(1)),
    ("2 deviations from it", _plan(1, 2), _plan()),
    ("There are no weights: none.", _weights("none"), _weights("")),
    ("would change.", _weights(""), _weights("none")),
    ("No check flags any respondent", {"quality": ()}, {}),
    ("No check flags any respondent", {"quality": ()}, {"quality": (), "people": None}),
    ("any group, is a target", {"settings": SurveySettings(target_share=0.5)}, {}),
    ("; of 1 the stereotype was asked about", {"asked": 1}, {}),
    ("Only counts are known", {"respondents": None}, {}),
    ("1 of them undecided", {}, {"undecided": ()}),
    ("is on the other side of the threshold: They sing", {}, {"questions": ()}),
]


@pytest.mark.parametrize(("claim", "true", "false"), CLAIMS)
def test_a_claim_is_made_where_it_is_true_and_nowhere_else(report, claim, true, false):
    """What other tests do not hold to both sides already; some need a report without weights."""
    bare = saying(report, weighting=None, style=None)
    assert claim in markdown(page_of(saying(bare, **true)))
    assert claim not in markdown(page_of(saying(bare, **false)))


def test_templates_that_are_not_asked_are_counted(report):
    """One is labelled SR, one has no question, and nobody set one of six aside."""
    assert (report.asked, report.removed, report.aside) == (4, 1, 0)


def test_questions_are_counted_by_kind(report):
    """Of two of validation one falls; no person decides on a question, and all were answered."""
    counts = ("before", "manual", "undecided", "after")
    assert {row["category"]: [row[it] for it in counts] for row in report.question_funnel} == {
        **{"choice": [2, 0, 0, 1], "select_all": [1, 0, 0, 1], "comprehension": [1, 0, 0, 1]}
    }
    by_kind = {row["kind"]: row for row in report.stability}
    same = [row["same"] for row in report.of_kind(QuestionKind.CHOICE)]
    assert by_kind["choice"]["changed"] == pytest.approx(2 - sum(same))
    assert [by_kind[kind]["untestable"] for kind in ("choice", "select_all")] == [None, 1]
    first = replace(report.final, tallies=report.final.tallies[:1])
    (only,) = replace(report, final=first).question_funnel
    assert only["category"] == "choice"


def test_thresholds_of_questions_that_were_not_asked_are_not_moved(report):
    """Of comprehension alone there is nothing to say."""
    understood = replace(report.final, tallies=report.final.tallies[-1:])
    alone = replace(report, final=understood)
    assert [row["kind"] for row in alone.questions] == ["comprehension"]
    for found, is_said in ((report, True), (alone, False)):
        assert ("## With other thresholds" in markdown(page_of(found))) is is_said


def test_a_fifth_of_those_who_named_any_group_is_not_few(report):
    """Of three targets one was named by fewer; a non-target is none of them."""
    parts = (("target", 0.2), ("target", 0.19), ("target", 0.3), ("non_target", 0.1))
    groups = [{"role": role, "named_share": share} for role, share in parts]
    rows = ({"kind": QuestionKind.SELECT_ALL, "groups": groups},)
    assert selection_note(saying(report, questions=rows)).startswith("Of 3 targets, 1 was named")


def test_no_share_is_said_to_be_on_the_other_side_that_is_not(report):
    """Of two that the estimate moves one stays on its side."""
    (sing,) = report.turning
    kept = {**sing, "shrunk": 0.66, "above": 0.4}
    rows = tuple(kept if row is sing else row for row in report.questions)
    assert saying(report, questions=rows).turning == ()
