"""Models against people."""

from dataclasses import replace

import numpy as np
import pytest

from curation.records.survey import Option, Role, Tally
from evaluation.simulate.comparing import NoAnswers, f1, group_f1, mean_of, public_answers

NONE = "No such stereotype"
ORACLE = {
    "c1": ["Bakers"],
    "c2": [NONE],
    "c3": ["Bakers"],
    "c4": ["Potters, Weavers"],
    "s1": ["Spring", "Summer"],
    "s2": [NONE],
    "s3": ["Autumn"],
}


def row(run, kind, group="", model="m"):
    (found,) = (
        item
        for item in run.rows
        if (item["model"], item["kind"], item["group"]) == (model, kind, group)
    )
    return found


def plain(item):
    return tuple(item[name] for name in ("n", "out_of_choice", "exact_match", "mean_f1"))


def test_the_people_s_answer_is_the_majority_or_the_targets(survey):
    """The most votes of all options in validation; a tie is none; targets in target selection."""
    people = public_answers(survey.questions, survey.tallies, survey.targets)
    assert people == {
        "c1": {"Bakers"},
        "c2": set(),
        "c3": NoAnswers.TIE,
        "c4": {"Potters", "Weavers"},
        "s1": {"Spring", "Summer"},
        "s2": set(),
        "s3": {"Autumn"},
    }


def test_scores_by_hand(survey, answering):
    """One of two choices right, one unread; sets that are right, half right and too large."""
    requests = survey.requests()
    named = {
        "c1": ["Bakers"],  # right
        "c2": ["Bakers"],  # the people say that there is no such stereotype
        "c3": ["Bakers"],  # a tie
        "c4": "I cannot say.",
        "s1": ["Spring"],  # F1 = 2 / 3
        "s2": [NONE],  # nothing against nothing: 1
        "s3": ["Autumn", "Winter"],  # F1 = 2 / 3
    }
    run = survey.compare(requests, answering(requests, named))
    chosen = row(run, "choice")
    assert plain(chosen) == (2, 1, 0.5, None)
    assert (chosen["questions"], chosen["ties"], chosen["missing"]) == (2, 1, 0)
    assert chosen["out_of_choice_ratio"] == pytest.approx(1 / 3, abs=1e-6)
    selected = row(run, "select_all")
    assert plain(selected) == (3, 0, pytest.approx(1 / 3, abs=1e-6), pytest.approx(7 / 9, abs=1e-6))
    assert selected["out_of_choice_ratio"] == 0
    # Spring and autumn are named as the people do; summer and winter by one side alone.
    assert (selected["group_f1"], chosen["group_f1"]) == (0.5, None)
    assert 0 < selected["mean_f1_low"] < 2 / 3
    assert (chosen["mean_f1_low"], chosen["mean_f1_high"]) == (None, None)


def test_questions_without_counts_are_left_out_and_said(survey, answering):
    """No tally, no respondent, no row of targets, or other options: there is no answer."""
    requests = survey.requests()
    other = replace(
        survey.tallies[1].question,
        options=(Option("1", ("Bakers",), Role.TARGET), Option("2", ("Potters",), Role.NON_TARGET)),
    )
    tallies = [
        replace(survey.tallies[0], votes=(0, 0, 0), respondents=0),
        Tally(other, 3, (1, 2), "a.csv"),
        *survey.tallies[4:],
    ]
    targets = [item for item in survey.targets if item.stereotype != "They do s1"]
    changed = replace(survey, tallies=tuple(tallies), targets=tuple(targets))
    run = changed.compare(requests, answering(requests, ORACLE))
    assert plain(row(run, "choice")) == (0, 0, None, None)
    assert row(run, "choice")["without_data"] == 4
    assert row(run, "select_all")["without_data"] == 1
    assert plain(row(run, "select_all")) == (2, 0, 1, 1)
    (finding,) = (item for item in run.findings if item.rule == "simulate-no-data")
    assert finding.message.startswith("5 questions are left out")


def test_models_are_compared_with_each_other_on_what_both_answered(survey, answering):
    """Also where the people have no answer; a reply that is out-of-choice takes its twin along."""
    requests = survey.requests()
    one = {
        **{"c1": ["Bakers"], "c2": [NONE], "c3": ["Bakers"], "c4": "I cannot say."},
        **{"s1": ["Spring", "Summer"], "s2": [NONE], "s3": ["Autumn"]},
    }
    other = {
        **{"c1": ["Bakers"], "c2": ["Bakers"], "c3": ["Bakers"], "c4": ["Bakers"]},
        **{"s1": ["Spring"], "s2": [NONE], "s3": ["Winter"]},
    }
    run = survey.compare(
        requests, [*answering(requests, one, "zeta"), *answering(requests, other, "alpha")]
    )
    chosen, selected = run["pairs"]
    assert (chosen["model"], chosen["other"], chosen["n"]) == ("alpha", "zeta", 3)
    assert (chosen["exact_match"], chosen["mean_f1"], chosen["group_f1"]) == (0.666667, None, None)
    assert (selected["n"], selected["exact_match"]) == (3, 0.333333)
    assert selected["mean_f1"] == pytest.approx((2 / 3 + 1 + 0) / 3, abs=1e-6)
    assert selected["group_f1"] == 0.25  # spring 1; summer, autumn and winter 0
    assert survey.compare(requests, answering(requests, one))["pairs"] == []


def test_the_f1_over_groups_is_another_measure_than_that_of_questions():
    """A group named in every question counts once; of two categories groups are two."""
    pairs = [("A", frozenset("x"), frozenset("x"))] * 9 + [("A", frozenset("y"), frozenset("z"))]
    assert group_f1(pairs) == pytest.approx(1 / 3, abs=1e-6)
    assert sum(f1(named, wanted) for _, named, wanted in pairs) / 10 == 0.9
    assert group_f1([*pairs, ("B", frozenset("x"), frozenset("w"))]) == pytest.approx(1 / 5)
    assert group_f1([("A", frozenset(), frozenset())]) is None


def test_the_interval_is_over_questions_with_their_replies():
    """Seven questions that are all wrong do not show that none would be right."""
    seven = mean_of(np.zeros(7), np.full(7, 3.0))
    assert seven == (0.0, 0.0, pytest.approx(0.27, abs=0.03))
    # replies in several wordings are one question
    assert mean_of(np.zeros(7), np.ones(7)) == seven
    assert mean_of(np.array([1.0, 0.0]), np.array([2.0, 0.0])) == (0.5, None, None)
    assert mean_of(np.zeros(3), np.zeros(3)) == (None, None, None)
    assert mean_of(np.zeros(0), np.zeros(0)) == (None, None, None)
