"""What the order of options does, from answers whose order is known."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import beta, hypergeom

from curation.records.culture import SurveySettings
from curation.records.survey import Outcome, QuestionKind
from survey.order_effects import counted_turns, newcombe, order_effects, stands_out
from tests.survey.conftest import voted

SETTINGS = SurveySettings(min_respondents=1)


def told(answers, settings=SETTINGS):
    return order_effects(answers, np.ones(len(answers), dtype=bool), settings)


def only(found):
    """The effect on the one question, and on its kind."""
    (effect,), (kind,) = found.questions, found.kinds
    return effect, kind


def counts(effect):
    return tuple(effect[name] for name in ("first_k", "first_n", "later_k", "later_n"))


def interval(row):
    return row["ci_low"], row["ci_high"]


def test_the_published_example_of_the_interval():
    """Newcombe (1998), table II (a), method 10: 56/70 - 48/80 lies between .0524 and .3339."""
    assert newcombe(56, 70, 48, 80) == pytest.approx((0.2, 0.0524, 0.3339), abs=5e-5)
    assert newcombe(9, 10, 3, 10) == pytest.approx((0.6, 0.1705, 0.8090), abs=5e-5)
    assert newcombe(10, 10, 0, 10) == pytest.approx((1.0, 0.6075, 1.0), abs=5e-5)
    with pytest.raises(ValueError, match="no interval"):
        newcombe(0, 0, 1, 2)


def test_the_target_first_and_second(make, answering):
    """Shares of those who named a group; who named none was shown the order all the same."""
    answers = voted(make, answering, ("1", "1" * 14 + "2" * 4 + "00"), ("2", "1" * 8 + "2" * 8))
    effect, kind = only(told(answers))
    assert (effect["orders"], effect["answers"], effect["unknown"]) == (2, 36, 0)
    assert counts(effect) == (14, 18, 8, 16)
    expected = newcombe(14, 18, 8, 16)
    assert (effect["difference"], effect["ci_low"], effect["ci_high"]) == pytest.approx(
        expected, abs=1e-6
    )
    assert not stands_out(effect)
    assert effect["outcome"] is Outcome.DROP  # 22 of 34
    assert effect["turns"] is not None
    (turn,) = effect["turns"]
    assert tuple(turn.values()) == (("1", "2"), 20, Outcome.KEEP)
    assert (kind["kind"], kind["questions"], kind["turned"]) == (QuestionKind.CHOICE, 1, ("q-1",))
    assert kind["respondents"] == 34
    assert kind["difference"] == effect["difference"]


def test_two_people_have_an_interval(make, answering):
    """Newcombe's interval, from Wilson's of 1 of 1 and of 0 of 1; of two questions another one."""
    _, kind = only(told(voted(make, answering, ("1", "1"), ("2", "2"))))
    low = 1 - math.sqrt((1 - 0.206549) ** 2 + 0.793451**2)
    assert (kind["difference"], kind["ci_high"]) == (1, 1)
    assert kind["ci_low"] == pytest.approx(low, abs=1e-6)
    both = [make.choice(), make.choice(id="q-3")]
    answers = {name: dict.fromkeys(("q-1", "q-3"), name) for name in "12"}
    (kind,) = told(answering(both, answers, first=answers)).kinds
    assert (kind["difference"], kind["ci_high"]) == (1, 1)
    assert kind["ci_low"] is not None


@pytest.mark.parametrize(
    ("one", "other", "low", "high"), [((14, 4), (8, 8), 0.4, 0.8), ((2, 5), (3, 2), 0.07, 0.08)]
)
def test_what_chance_alone_would_turn(make, answering, one, other, low, high):
    """The votes for the target dealt out by lot to those of each order who named a group."""
    votes = ["1" * to + "2" * against + "0" * 8 for to, against in (one, other)]
    effect, kind = only(told(voted(make, answering, *zip("12", votes, strict=True))))
    n, m, total = sum(one), sum(other), one[0] + other[0]
    dealt = range(max(0, total - m), min(total, n) + 1)
    turning = [k for k in dealt if 3 * k > 2 * n or 3 * (total - k) > 2 * m]
    chance = float(hypergeom(n + m, total, n).pmf(turning).sum())
    assert effect["expected"] == pytest.approx(chance, abs=1e-6)
    assert kind["expected"] == effect["expected"]
    assert low < chance < high


def test_groups_in_the_first_half(make, answering):
    """Of three groups the middle one is neither first nor later; each is compared with itself.

    Shown as A B C or as C, A, B: A is first or in the middle, B in the middle or last, C last or
    first. Of C alone there are both sides.
    """
    question = make.select_all("A", "B", "C")
    chosen = {f"r{at}": {"q-2": ("1", "3") if at in (0, 4, 5, 6) else ("2",)} for at in range(8)}
    first = {f"r{at}": {"q-2": "1" if at < 4 else "3"} for at in range(8)}
    effect, kind = only(told(answering([question], chosen, first=first)))
    assert counts(effect) == (3, 4, 1, 4)
    assert (effect["difference"], kind["difference"]) == (0.5, 0.5)
    assert effect["orders"] == 2 and effect["expected"] is None


def test_the_difference_within_questions(make, answering):
    """Weighted by n1 n0 / (n1 + n0), and the variance taken between people, as worked out by hand.

    Two questions, eight people who answer both: shares 3/4 and 1/4, then 2/4 and 2/4, so that the
    differences .5 and 0 have the weight 2 each.
    """
    questions = [make.choice(id="q-a"), make.choice(id="q-b", stereotype="They sing")]
    votes = {"q-a": "11122212", "q-b": "12121212"}
    chosen = {f"r{at}": {name: votes[name][at] for name in votes} for at in range(8)}
    first = {
        f"r{at}": {"q-a": "1" if at < 4 else "2", "q-b": "2" if at < 4 else "1"} for at in range(8)
    }
    found = told(answering(questions, chosen, first=first))
    (kind,) = found.kinds
    assert [item["difference"] for item in found.questions] == [0.5, 0.0]
    assert (kind["difference"], kind["respondents"], kind["questions"]) == (0.25, 8, 2)
    each = []
    for at in range(8):
        a, b = votes["q-a"][at] == "1", votes["q-b"][at] == "1"
        residual = (a - 0.75) / 4 - (b - 0.5) / 4 if at < 4 else (b - 0.5) / 4 - (a - 0.25) / 4
        each.append(2 * residual * math.sqrt(4 / 3) / 4)
    # from 0 to 1, with a third of a person at each end: (8 * .625 + 1/3) / (8 + 2/3)
    centre = (5 + 1 / 3) / (8 + 2 / 3)
    squares = 16 * sum(item**2 for item in each) + 8 * (0.625 - centre) ** 2
    variance = (squares + (centre**2 + (1 - centre) ** 2) / 3) / (8 + 2 / 3) / (7 + 2 / 3)
    size = centre * (1 - centre) / variance - 1
    ends = 2 * beta.ppf((0.025, 0.975), size * centre, size * (1 - centre)) - 1
    assert interval(kind) == pytest.approx(tuple(ends), abs=1e-6)


def test_questions_weigh_as_many_people_as_saw_either_order(make, answering):
    """3 of 4 and 1 of 2, weight 8/6; 1 of 1 and 0 of 3, weight 3/4: .52 in all."""
    questions = [make.choice(id="q-a"), make.choice(id="q-b", stereotype="They sing")]
    answered = [("q-a", 4, "111212"), ("q-b", 1, "1222")]
    chosen, first = {}, {}
    for name, leading, votes in answered:
        for at, vote in enumerate(votes):
            chosen[f"{name}{at}"] = {name: vote}
            first[f"{name}{at}"] = {name: "1" if at < leading else "2"}
    (kind,) = told(answering(questions, chosen, first=first)).kinds
    assert kind["difference"] == pytest.approx(0.52)


def test_what_stands_out(make, answering):
    """With the interval, the decisions that turn and how many chance would."""
    answers = voted(make, answering, ("1", "1" * 27 + "2" * 3), ("2", "1" * 15 + "2" * 15))
    found = told(answers)
    effect, kind = only(found)
    assert stands_out(effect) and stands_out(kind) and kind["standing_out"] == 1
    assert [kind[name] for name in ("difference", "ci_low", "ci_high")] == pytest.approx(
        [0.4, 0.170, 0.581], abs=1e-3
    )
    assert (kind["turned"], kind["told"]) == ((effect["question_id"],), 1)
    assert kind["expected"] == pytest.approx(0.8, abs=0.05)


def test_one_order_is_everybodys_only_where_everybodys_is_known(make, answering):
    """Who answered a file that does not tell the order may have seen another one."""
    for many, unknown, ids in ((10, "", ("q-1",)), (9, "", ()), (10, "2", ())):
        answers = voted(make, answering, ("1", "1" * many), ("", unknown))
        found = told(answers)
        effect, kind = only(found)
        assert (effect["orders"], effect["answers"], effect["unknown"]) == (1, many, len(unknown))
        assert (kind["one_order"], kind["respondents"], kind["expected"]) == (ids, 0, None)


def test_an_order_that_cannot_be_is_not_known(make, answering):
    """Two options at one place, or an option at none; the place of "none" does not matter."""
    answers = voted(make, answering, ("1", "1111"))
    at = [*(1, 2, 0), *(2, 1, 1), *(1, 1, 3), *(0, 1, 2)]
    effect, _ = only(told(replace(answers, position=np.array(at, dtype=np.int32))))
    assert (effect["orders"], effect["answers"], effect["unknown"]) == (2, 2, 2)


def test_what_chance_would_turn_of_comprehension(make, answering):
    """Of 14 correct of 20, dealt to 10 and 10: both have the share of 7 if each has 7 of 10."""
    chosen = {f"r{at}": {"c-1": code} for at, code in enumerate("2222222211" + "2222221113")}
    first = {f"r{at}": {"c-1": "2" if at < 10 else "1"} for at in range(20)}
    settings = SurveySettings(min_respondents=1, comprehension_share=0.7)
    answers = answering([make.comprehension("craft-001", id="c-1")], chosen, first=first)
    found = told(answers, settings)
    effect, kind = only(found)
    assert counts(effect) == (8, 10, 6, 10)
    chance = 1 - float(hypergeom(20, 14, 10).pmf(7))
    assert (effect["expected"], kind["expected"]) == pytest.approx((chance, chance), abs=1e-6)
    assert effect["turns"] is not None
    assert [(turn["order"], turn["answers"]) for turn in effect["turns"]] == [(("1", "2"), 10)]
    assert counted_turns(effect) == 1


def test_groups_are_dealt_to_orders_by_no_lot(make, answering):
    """Two orders of as many people as count; 9 of one are too few. Of 16 groups as of 3."""
    for names, codes in (("ABC", ("1",)), ("ABCDEFGHIJKLMNOP", ("1", "5", "9"))):
        question = make.select_all(*names)
        chosen = {f"r{at}": {"q-2": codes} for at in range(20)}
        for many, turns, shown in ((10, (), [0]), (11, None, [None])):
            first = {name: {"q-2": "1" if at < many else "3"} for at, name in enumerate(chosen)}
            found = told(answering([question], chosen, first=first))
            effect, kind = only(found)
            assert (effect["orders"], effect["turns"], effect["expected"]) == (2, turns, None)
            assert kind["expected"] is None
            assert [counted_turns(effect)] == shown


@pytest.mark.parametrize(
    ("low", "high", "apart"),
    [(0.1, 0.5, 1), (-0.5, -0.1, 1), (0, 0.5, 0), (-0.5, 0, 0), (-0.1, 0.1, 0), (None, None, 0)],
)
def test_an_order_stands_out_by_its_interval(low, high, apart):
    """Which has 0 neither within nor at an end."""
    assert stands_out({"ci_low": low, "ci_high": high}) is bool(apart)
