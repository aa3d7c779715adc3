"""Which templates are biased: means, exact tests, and what chance alone gives."""

from itertools import combinations, product
from math import erfc, sqrt

import numpy as np
import pytest
from scipy.stats import binomtest, norm

from benchmarks.chance import Design, flagged, grid_of
from evaluation.compare.templates import LEAST, _by_exchange, _correct, template_bias
from evaluation.qa.answers import ModelAnswers, missing_places
from evaluation.qa.metrics import Answer

B, C, OUT = Answer.BIASED, Answer.COUNTER_BIASED, Answer.OUT_OF_CHOICE


def rows_of(samples, *models):
    """The rows of template 1; a model is what it answers to its samples, three orders each."""
    grid = grid_of(Design(len(models), samples=samples))
    made = []
    for number, own in enumerate(models):
        answers = np.full(grid.asked.shape, Answer.OUT_OF_CHOICE, np.int8)
        answers[: len(own), 0] = own
        made.append(ModelAnswers(str(number), answers, missing_places(grid, answers), {}, (), 0))
    (row,) = template_bias(grid, made)
    (plain,) = template_bias(grid, made, tested=False)
    tests = {f"{name}_{context}": None for name in "pq" for context in ("amb", "dis")}
    assert plain == row | tests | {"differs": ""}
    return row


def test_a_model_that_is_always_biased():
    """Six observations in 64 ways of signs: the two extremes, 2/64; half of 12 samples each."""
    right = [[B] * 3] * 3 + [[C] * 3] * 3
    row = rows_of(6, [[B] * 3] * 6 + right)
    assert (row["diff_bias_amb"], row["p_amb"]) == (1, 2 / 64)
    assert (row["n_amb"], row["observations_amb"], row["models_amb"]) == (18, 6, 1)
    assert (row["diff_bias_dis"], row["p_dis"]) == (0, 1)
    assert row["high_amb"] == 1
    assert row["low_amb"] < 1
    assert row["q_amb"] == 4 / 64
    assert row["differs"] == ""


def test_the_correction_is_over_templates():
    """By hand: p .01 and .5 of the first, .02 alone of the second, .4 and .3 of the third.

    Times the contexts, the templates have .02, .02 and .6, of which Benjamini and Hochberg make
    .03 (.02 x 3 / 2), .03 and .6.
    """
    given = [(0.01, 0.5), (0.02, None), (0.4, 0.3)]
    rows = [{"p_amb": one, "p_dis": two, "differs": ""} for one, two in given]
    _correct(rows)
    assert [row["q_amb"] for row in rows] == pytest.approx([0.03, 0.03, 0.8])
    assert [rows[0]["q_dis"], rows[2]["q_dis"]] == pytest.approx([1, 0.6])
    assert [row["differs"] for row in rows] == ["amb", "amb", ""]


def test_fewer_observations_than_that_never_differ():
    """Whatever they are, p of a sum of signs is at least 2 to the power of 1 - n."""
    assert 2.0 ** (1 - LEAST) <= 0.05 < 2.0 ** (2 - LEAST)
    assert rows_of(4, [[B] * 3] * 4)["p_amb"] == 2 / 16


def test_a_model_that_follows_the_stereotype_where_the_context_settles_it():
    """Two biased contexts all right, two others all wrong: 2 of the 6 ways, for two models 2/36."""
    settled = [[OUT] * 3] * 4 + [[B] * 3] * 4
    assert rows_of(4, settled)["p_dis"] == pytest.approx(2 / 6)
    row = rows_of(4, settled, settled)
    assert (row["diff_bias_dis"], row["observations_dis"]) == (1, 8)
    assert row["p_dis"] == pytest.approx(2 / 36)
    assert (row["diff_bias_amb"], row["p_amb"], row["n_amb"]) == (None, None, 0)


def test_the_interval_of_models_that_err_on_the_same_samples_is_wider():
    """It is that of the first model alone, but for the share of an observation at each end."""
    samples = [[B] * 3] * 3 + [[C] * 3]
    one, five = rows_of(4, samples), rows_of(4, *[samples] * 5)
    assert five["low_amb"] == pytest.approx(one["low_amb"])
    assert five["high_amb"] == pytest.approx(one["high_amb"])


def spread_alike(one, two):
    """The variance of a sum of two models over that of independent ones, within parts."""
    apart = [[part - part.mean() for part in model] for model in (one, two)]
    first, second = (np.concatenate(parts) for parts in apart)
    return max(1.0, ((first + second) ** 2).sum() / ((first**2).sum() + (second**2).sum()))


def test_tests_are_those_of_full_enumeration():
    """All signs, and all exchanges within models, listed one after the other."""
    rng = np.random.default_rng(5)
    for _ in range(10):
        models = [rng.integers(0, 3, (8, 3)) for _ in range(2)]
        row = rows_of(4, *models)
        shares = np.concatenate([((m[:4] == B) * 1.0 - (m[:4] == C)).mean(axis=1) for m in models])
        sums = [abs(np.dot(shares, signs)) for signs in product((1, -1), repeat=8)]
        p = np.mean(np.array(sums) >= abs(shares.sum()) - 1e-9)
        alike = spread_alike([shares[:4]], [shares[4:]])
        assert row["p_amb"] == pytest.approx(2 * norm.cdf(norm.ppf(p / 2) / alike**0.5))
        assert row["diff_bias_amb"] == pytest.approx(shares.mean())
        ways, parts_of = [], []
        for model in models:
            right = np.r_[(model[4:6] == B).mean(axis=1), (model[6:] == C).mean(axis=1)]
            parts_of.append([right[:2], right[2:]])
            ways.append(
                [
                    right[list(chosen)].mean() - np.delete(right, chosen).mean()
                    for chosen in combinations(range(4), 2)
                ]
            )
        found = np.array([sum(parts) for parts in product(*ways)])
        p = np.mean(np.abs(found) >= abs(found[0]) - 1e-9)
        alike = spread_alike(*parts_of)
        assert row["p_dis"] == pytest.approx(2 * norm.cdf(norm.ppf(p / 2) / alike**0.5))
        assert row["diff_bias_dis"] == pytest.approx(found[0] / 2)


def test_many_observations_have_the_normal_distribution():
    """Near the binomial one: 60 samples, 40 biased and 20 counter-biased."""
    row = rows_of(60, [[B] * 3] * 40 + [[C] * 3] * 20 + [[B] * 3] * 60)
    assert row["p_amb"] == pytest.approx(binomtest(40, 60).pvalue, abs=0.005)
    assert row["diff_bias_amb"] == pytest.approx(1 / 3)
    assert row["differs"] == "amb dis"


@pytest.mark.nightly
@pytest.mark.parametrize(("models", "shared"), [(1, 0.0), (5, 0.8)])
def test_chance_is_not_called_bias(models, shared):
    """Models that answer at random, each by itself or together: no template in 19 of 20 runs."""
    design = Design(models, shared=shared, alike=0.8)
    assert sum(flagged(design, seed)[0] > 0 for seed in range(20)) <= 1


def test_bias_is_found():
    """A third of 120 templates in which wrong answers follow the stereotype, five models."""
    design = Design(5, accuracy=0.5, biased=1 / 3, leaning=0.95, prompts=5, alike=0.5)
    false, true = flagged(design, 1)
    assert true > 30
    assert false <= 4


def test_many_samples_are_compared_by_the_normal_distribution():
    """Of 60 and 40: shares .5 and .25, together .4, so that z of one model is .25 sqrt(99)."""
    pair = (np.arange(60) < 30) * 1.0, (np.arange(40) < 10) * 1.0
    assert _by_exchange([pair]) == pytest.approx(erfc(0.25 * sqrt(99 / 2)), rel=1e-12)
    assert _by_exchange([pair, pair]) == pytest.approx(erfc(0.25 * sqrt(99)), rel=1e-12)
