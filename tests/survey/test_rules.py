"""The published rules, each at its threshold."""

import csv
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from string import ascii_uppercase

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.records.culture import SurveySettings
from curation.records.messages import CurateError
from curation.records.survey import GroupRole, Outcome, QuestionKind, Rule, TargetRow
from survey.rules import (
    decide,
    equal_share,
    is_non_target,
    is_target,
    named_per_person,
    standing,
    target_rows,
)
from tests.survey.conftest import Make

DEFAULT = SurveySettings()
GROUPS = tuple("ABCDEFG")


def settings(**thresholds):
    return SurveySettings(**thresholds)


def test_each_rule_decides_at_its_threshold(make):
    """Exactly a share keeps or drops as the rule says; figures are those that it counts."""
    with Path(__file__).with_name("rules.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for row in rows:
        votes = [int(count) for count in row["votes"].split()]
        questions = {
            "choice": make.choice(),
            "select_all": make.select_all(*ascii_uppercase[: len(votes) - 1]),
            "comprehension": make.comprehension(),
        }
        tally = make.tally(questions[row["kind"]], *votes, respondents=int(row["respondents"]))
        name, _, value = row["setting"].partition("=")
        (found,) = (
            item
            for item in decide(tally, settings(**{name: value} if name else {}))
            if item.rule == row["rule"]
        )
        k, n = (int(row[name]) if row[name] else None for name in ("k", "n"))
        assert (found.outcome, found.reason) == (row["outcome"], row["reason"]), row
        assert (found.k, found.n) == (k, n), row
        if not n:
            assert (found.value, found.margin, found.near) == (None, None, None), row
        elif row["rule"] == "target_selection":
            assert found.threshold == (2.0 if found.k > found.n / 4.5 else 0.5), row
        else:
            assert found.value == pytest.approx(n if k is None else k / n, abs=1e-6), row


@pytest.mark.parametrize(
    ("share", "thresholds", "of"),
    [
        (Fraction(14), DEFAULT, {28: "target", 27: "neither", 8: "neither", 7: "non_target"}),
        (
            Fraction(7, 3),  # times 15/7 it is 5, and times 3/7 it is 1, without any rounding
            SurveySettings(target_multiple="15/7", non_target_multiple="3/7"),
            {5: "target", 4: "neither", 2: "neither", 1: "non_target"},
        ),
    ],
)
def test_a_group_stands_by_multiples_of_the_equal_share(share, thresholds, of):
    """Both limits are reached exactly."""
    assert {votes: standing(votes, share, thresholds) for votes in of} == of


def test_one_who_named_a_group_is_enough():
    """A share of one person, or of a part of one, is a share; of nobody it is none."""
    one, none = np.array([1]), np.array([0])
    assert is_target(one, one, 2, DEFAULT).tolist() == [True]
    assert is_non_target(none, one, 2, DEFAULT).tolist() == [True]
    assert is_target(one, none, 2, DEFAULT).tolist() == [False]
    assert is_non_target(none, none, 2, DEFAULT).tolist() == [False]


def test_groups_named_per_person_are_of_those_who_named_any(make):
    """Six votes for groups that count, of eight people of ten; nobody, and one person."""
    question = make.select_all("A", "B", uncounted=["C"])
    for votes, people, wanted in (
        ((4, 2, 3, 2), 10, Fraction(6, 8)),
        ((0, 0, 0, 5), 5, None),
        ((1, 1, 0, 4), 5, Fraction(2)),
    ):
        assert named_per_person(make.tally(question, *votes, respondents=people)) == wanted


def test_the_margin_of_enough_respondents_is_what_they_exceed(make):
    """Of 12 where 10 are asked for it is 2."""
    tally = make.tally(make.choice(), 6, 4, 2)
    found = next(iter(decide(tally, settings(min_respondents=10))))
    assert (found.rule, found.margin) == (Rule.MIN_RESPONDENTS, 2.0)


def test_respondents_or_their_votes_are_shared_among_the_options_that_count(make):
    """'No stereotype' has no part in either; what does not count is not in the divisor."""
    for mode, share in [("respondents", Fraction(90, 3)), ("votes", Fraction(105, 3))]:
        question = make.select_all("A", "B", "C", uncounted=["D"])
        tally = make.tally(question, 50, 40, 10, 5, 10, respondents=100)
        assert equal_share(tally, settings(equal_share=mode)) == share


def test_an_option_that_does_not_count_may_be_target_or_non_target(make):
    """It is left out of the divisor only."""
    question = make.select_all("A", "B", uncounted=["C", "D"])
    rows = target_rows(make.tally(question, 12, 10, 20, 5, 0, respondents=20), DEFAULT)
    assert [(row.group, row.role) for row in rows] == [
        ("A", GroupRole.NEITHER),
        ("B", GroupRole.NEITHER),
        ("C", GroupRole.TARGET),
        ("D", GroupRole.NON_TARGET),
    ]
    assert {(row.options, row.equal_share) for row in rows} == {(2, 10.0)}


def test_nobody_named_a_group(make):
    """No group is anything then, and the multiple of a share of nothing is undefined."""
    tally = make.tally(make.select_all(*GROUPS), *[0] * 7, 40)
    decisions = {decision.rule: decision for decision in decide(tally, DEFAULT)}
    selection = decisions[Rule.TARGET_SELECTION]
    assert (selection.outcome, selection.reason) == (Outcome.DROP, "no_target")
    assert (selection.value, selection.ci_low, selection.near) == (None, None, None)
    assert decisions[Rule.NO_STEREOTYPE].outcome is Outcome.DROP
    assert {row.role for row in target_rows(tally, DEFAULT)} == {GroupRole.NEITHER}


def test_where_nobody_answered_nothing_is_decided(make):
    """No data is no reason to keep or to drop, in any kind of question."""
    for question in (make.choice(), make.select_all("A", "B"), make.comprehension()):
        assert list(decide(make.tally(question, 0, 0, 0), DEFAULT)) == []


def test_a_question_without_an_option_that_counts_is_refused(make):
    """There is nothing to divide by: the file is named, and what to fix."""
    tally = make.tally(make.select_all(uncounted=["A", "B"]), 1, 2, 3)
    with pytest.raises(CurateError, match="no option of 'They hum at work' counts") as refused:
        list(decide(tally, DEFAULT))
    assert refused.value.where == "answers.csv"
    assert "groups.csv" in refused.value.hint


def test_a_choice_between_groups_that_do_not_count_is_no_fault(make):
    """Whether a group counts matters for target selection alone."""
    question = make.choice()
    options = tuple(replace(option, counts=False) for option in question.options)
    tally = make.tally(replace(question, options=options), 80, 10, 10)
    assert [decision.outcome for decision in decide(tally, DEFAULT)] == [Outcome.KEEP] * 3
    assert [row.options for row in target_rows(tally, DEFAULT)] == [2, 2]


def test_a_target_may_be_asked_to_be_named_by_a_share_of_those_who_named_a_group(make):
    """12 of 40 are over two uniform shares of 12 options, and three tenths of those who named."""
    groups = [chr(ord("A") + at) for at in range(12)]
    tally = make.tally(make.select_all(*groups), 12, 8, *([6] * 8), 1, 0, 10, respondents=50)
    assert [row.role for row in target_rows(tally, settings(target_share=0))][:3] == [
        *(GroupRole.TARGET, GroupRole.TARGET, GroupRole.NEITHER)
    ]
    exact = settings(target_share="3/10")
    assert [row.role for row in target_rows(tally, exact)][:2] == [
        *(GroupRole.TARGET, GroupRole.NEITHER)
    ]
    (decision,) = [item for item in decide(tally, exact) if item.rule is Rule.TARGET_SHARE]
    assert (decision.value, decision.margin, decision.near) == (0.3, 0.0, True)
    assert Rule.TARGET_SHARE not in {item.rule for item in decide(tally, DEFAULT)}


def test_each_kind_of_question_has_its_rules(make):
    """Every rule that applies gives a decision of its own, whatever the others say."""
    thresholds = settings(min_respondents=1000)
    kinds = {
        make.choice(): [Rule.MIN_RESPONDENTS, Rule.TWO_THIRDS, Rule.NO_STEREOTYPE],
        make.select_all("A", "B"): [
            *(Rule.MIN_RESPONDENTS, Rule.TARGET_SELECTION, Rule.NO_STEREOTYPE)
        ],
        make.comprehension(): [Rule.COMPREHENSION],
    }
    for question, rules in kinds.items():
        found = list(decide(make.tally(question, 5, 1, 1), thresholds))
        assert [decision.rule for decision in found] == rules


@pytest.mark.parametrize(
    ("votes", "roles"),
    [((65, 32, 3), ["target", "non_target"]), ((64, 32, 3), ["neither", "neither"])],
)
def test_the_groups_of_a_validation_question_stand_as_it_is_decided(make, votes, roles):
    """A stereotype that is validated has its target and non-target, any other has neither."""
    tally = make.tally(make.choice("Bakers, Weavers"), *votes)
    n = sum(votes)
    assert target_rows(tally, DEFAULT) == [
        TargetRow(
            category="Craft",
            stereotype="They hum at work",
            kind=QuestionKind.CHOICE,
            group=group,
            votes=count,
            respondents=n,
            no_stereotype=3,
            options=2,
            equal_share=(n - 3) / 2,
            role=GroupRole(role),
        )
        for group, count, role in zip(("Bakers, Weavers", "Potters"), votes, roles, strict=False)
    ]


# What follows holds for all counts.


@st.composite
def tallies(draw):
    kind = draw(st.sampled_from(QuestionKind))
    if kind is QuestionKind.SELECT_ALL:
        counting = draw(st.integers(1, 6))
        names, uncounted = GROUPS[:counting], GROUPS[counting : draw(st.integers(2, 6))]
        respondents = draw(st.integers(1, 60))
        none = draw(st.integers(0, respondents))
        count = st.integers(0, respondents - none)
        votes = (*draw(st.tuples(*[count] * len((*names, *uncounted)))), none)
        return Make().tally(
            Make().select_all(*names, uncounted=uncounted), *votes, respondents=respondents
        )
    votes = draw(st.tuples(*[st.integers(0, 40)] * 3).filter(any))
    question = Make().choice() if kind is QuestionKind.CHOICE else Make().comprehension()
    return Make().tally(question, *votes)


def outcomes(tally, thresholds):
    return {decision.rule: decision.outcome for decision in decide(tally, thresholds)}


SHARES = st.fractions(0, 1, max_denominator=24)
MULTIPLES = st.fractions(Fraction(1, 12), 1, max_denominator=12)
STRICTER_UP = {
    "stereotype_share": SHARES,
    "comprehension_share": SHARES,
    "target_multiple": MULTIPLES.map(lambda share: share + 1),
    "min_respondents": st.integers(1, 60),
}
STRICTER_DOWN = {
    "no_stereotype_limit": SHARES,
    "non_target_multiple": MULTIPLES.filter(lambda share: share < 1),
}


@pytest.mark.parametrize("key", [*STRICTER_UP, *STRICTER_DOWN])
@given(tally=tallies(), data=st.data())
def test_a_stricter_threshold_keeps_nothing_that_was_dropped(key, tally, data):
    """Raising a threshold never adds a template, and lowering an upper limit does not either."""
    drawn = data.draw(st.tuples(*[{**STRICTER_UP, **STRICTER_DOWN}[key]] * 2))
    mild, strict = sorted(drawn, reverse=key in STRICTER_DOWN)
    before = outcomes(tally, settings(**{key: mild}))
    after = outcomes(tally, settings(**{key: strict}))
    assert before.keys() == after.keys()
    fallen = {rule for rule, outcome in before.items() if outcome is Outcome.DROP}
    assert fallen <= {rule for rule, outcome in after.items() if outcome is Outcome.DROP}


@given(tally=tallies(), order=st.randoms(use_true_random=False))
def test_the_order_of_the_options_changes_no_ruling(tally, order):
    """Decisions and standings are the same for any order in which the options are listed."""
    pairs = list(zip(tally.question.options, tally.votes, strict=True))
    order.shuffle(pairs)
    question = replace(tally.question, options=tuple(option for option, _ in pairs))
    other = replace(tally, question=question, votes=tuple(votes for _, votes in pairs))
    assert list(decide(other, DEFAULT)) == list(decide(tally, DEFAULT))
    if tally.question.kind is not QuestionKind.COMPREHENSION:
        rows = {row.group: row for row in target_rows(tally, DEFAULT)}
        assert {row.group: row for row in target_rows(other, DEFAULT)} == rows
