"""Pairs of groups by permutations of the largest Welch t."""

from itertools import permutations

import numpy as np
import pytest

from evaluation.compare.testing import PERMUTATIONS, Ends, anova_and_tukey

ACCURACY = Ends.of("accuracy_amb")
HALF = ACCURACY.share


def compared(samples, ends=ACCURACY, **more):
    return anova_and_tukey(samples, ends, **more)["permutation"]


def test_ends_are_those_of_the_score():
    """A score of either sign has less at each end, which lie twice as far apart."""
    assert ACCURACY == (0.0, 1.0, 1 / 2)
    assert Ends.of("diff_bias_dis") == (-1.0, 1.0, 1 / 6)


def test_t_is_welchs_with_half_a_value_at_each_end():
    """Of the values and weights written out, by numpy's weighted mean."""
    one, two = np.array([0.9, 1.0, 0.8, 1.0]), np.array([0.2, 0.5, 0.4])
    (row,) = compared({"a": one, "b": two})
    means, variances = [], []
    for found in (one, two):
        values, weights = [*found, 0.0, 1.0], [1.0] * len(found) + [HALF, HALF]
        mean = np.average(values, weights=weights)
        number = sum(weights)
        variance = np.average((np.array(values) - mean) ** 2, weights=weights) * number
        means.append(mean)
        variances.append(variance / (number - 1) / number)
    assert row["t"] == pytest.approx((means[0] - means[1]) / np.sqrt(sum(variances)))
    assert row["difference"] == pytest.approx(one.mean() - two.mean())
    assert row["permutations"] == PERMUTATIONS == 1999


def every_t(samples):
    """The largest t of every order of the residuals, written out for small groups."""
    groups = list(samples.values())
    sizes = [len(found) for found in groups]
    number = np.array(sizes) + 2 * HALF

    def parts(found, low, high, at):
        mean = (found.sum() + HALF * (low + high)) / number[at]
        squares = ((found - mean) ** 2).sum() + HALF * ((low - mean) ** 2 + (high - mean) ** 2)
        return mean, squares / (number[at] - 1) / number[at]

    residuals = np.concatenate([(of - of.mean()) / of.std(ddof=1) for of in groups])
    scales = [np.sqrt(parts(of, 0, 1, at)[1] * sizes[at]) for at, of in enumerate(groups)]
    centre = np.concatenate(groups).mean()
    found = []
    for order in permutations(residuals):
        rest, both = list(order), []
        for at, size in enumerate(sizes):
            drawn = np.array([rest.pop(0) for _ in range(size)]) * scales[at]
            both.append(parts(drawn, -centre, 1 - centre, at))
        found.append(
            max(
                abs(one[0] - two[0]) / np.sqrt(one[1] + two[1])
                for at, one in enumerate(both)
                for two in both[:at]
            )
        )
    return np.array(found)


def test_p_and_interval_are_those_of_all_permutations():
    """Three groups of seven values: 5,040 orders, of which 1,999 are drawn."""
    samples = {"a": np.array([0.9, 0.7]), "b": np.array([0.2, 0.6, 0.5]), "c": np.array([0.1, 0.3])}
    orders = np.sort(every_t(samples))
    for row in compared(samples):
        t, low, high = (float(row[name] or 0) for name in ("t", "low", "high"))
        exact = (orders >= abs(t) - 1e-9).mean()
        assert row["p"] == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 1999) + 1e-3)
        reach = (high - low) / 2
        error = abs((high + low) / 2 / t)
        assert reach / error == pytest.approx(np.quantile(orders, 0.99), rel=0.05)


def test_groups_that_differ_have_the_smallest_p_and_never_0():
    """One over the permutations and the groups as they are."""
    samples = {"a": np.linspace(0.85, 0.95, 30), "b": np.linspace(0.1, 0.2, 30)}
    (row,) = compared(samples)
    assert row["p"] == 1 / 2000
    assert row["differs"] == "yes"
    assert 0 < float(row["low"] or 0) < float(row["difference"] or 0) < float(row["high"] or 0) <= 1


def test_five_values_without_an_error_do_not_show_a_difference():
    """A mean of .88 of 40 with a like spread may be that of five that are all right."""
    rest = np.array([1.0] * 30 + [0.75, 0.5, 0.25] * 3 + [0.7])
    (row,) = compared({"five": np.ones(5), "forty": rest})
    assert rest.mean() == pytest.approx(0.88, abs=0.01)
    assert float(row["p"] or 0) > 0.3
    assert float(row["low"] or 0) < 0 < float(row["high"] or 0)
    assert row["differs"] == "no"


def test_groups_without_spread_have_no_p():
    """Where one of them has some, the pair is tested."""
    samples = {"a": np.ones(4), "b": np.ones(5), "c": np.array([0.1, 0.2, 0.3, 0.2])}
    flat, *others = compared(samples)
    names = ("difference", "low", "high", "p", "t", "differs")
    assert [flat[name] for name in names] == [0, None, None, None, None, ""]
    assert all(row["p"] is not None for row in others)
    overall = list(compared({"a": np.ones(4), "b": np.zeros(5)}, overall=True))
    assert {row["p"] for row in overall} == {None}


def test_equal_groups_have_an_interval_around_0():
    """It is not widened to hold another difference."""
    same = np.linspace(0.2, 0.8, 12)
    (row,) = compared({"a": same, "b": same})
    assert (row["difference"], row["low"]) == (0.0, pytest.approx(-row["high"]))
    assert 0.1 < row["high"] < 0.5
