"""Two classes of respondents by what the quality checks flag together."""

from itertools import product
from math import prod

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import nbinom

from survey.quality import response_style

RATES = {"attention": (0.7, 0.03), "speeder": (0.6, 0.05), "straight_liner": (0.5, 0.02)}
RATES |= {"partial": (0.4, 0.06)}


def drawn(seed, people, share, rates=RATES):
    """Flags of people of whom a share is careless, and who they are."""
    random = np.random.default_rng(seed)
    careless = random.random(people) < share
    return {
        name: random.random(people) < np.where(careless, *both) for name, both in rates.items()
    }, careless


def likelihood(parameters, table):
    """Of each respondent by itself, written out: the sum over the two classes."""
    width = table.shape[1]
    share, rates = parameters[0], (parameters[1 : width + 1], parameters[width + 1 :])
    parts = [
        part * np.prod(np.where(table, rate, 1 - rate), axis=1)
        for part, rate in zip((share, 1 - share), rates, strict=True)
    ]
    return np.log(sum(parts)).sum()


def test_the_fit_is_that_of_another_maximiser():
    """Quasi-Newton steps on the likelihood of single people; posteriors by Bayes' rule."""
    flags, _ = drawn(1, 300, 0.2)
    table = np.array([*flags.values()]).T
    start = [0.3, *[0.5] * 4, *[0.1] * 4]
    best = minimize(
        lambda x: -likelihood(x, table), start, bounds=[(1e-6, 1 - 1e-6)] * 9, tol=1e-12
    ).x
    found = response_style(flags)
    assert found["problem"] == "" and found["share"] == pytest.approx(best[0], abs=2e-3)
    ours = np.array([*found["checks"].values()]).T.ravel()
    assert ours == pytest.approx(best[1:], abs=4e-3)
    mine = np.array([found["share"], *ours])
    assert likelihood(mine, table) >= likelihood(best, table) - 1e-6
    rates = ours.reshape(2, 4)
    for row, doubt in zip(table[:20], found["doubt"][:20], strict=True):
        of, other = (prod(np.where(row, rate, 1 - rate)) for rate in rates)
        whole = found["share"] * of + (1 - found["share"]) * other
        assert doubt == pytest.approx(found["share"] * of / whole, abs=1e-6)


def groups_named(seed, careless, kinds=1):
    """People who know more and less, of one kind or two; the careless name twice as many."""
    random = np.random.default_rng(seed)
    expected = random.integers(20, 40, len(careless)).astype(float)
    level = random.gamma(12, 1 / 12, len(careless))
    if kinds == 2:
        level = np.where(random.random(len(careless)) < 0.5, 0.6, 1.4)
    return random.poisson(level * np.where(careless, 2, 1) * expected).astype(float), expected


def test_groups_named_are_a_count_of_each_class():
    """As likely as scipy has it at the values found, and no less than nearby."""
    flags, careless = drawn(1, 300, 0.2)
    named, expected = groups_named(1, careless)
    found = response_style(flags | {"acquiescent": named > 70}, (named, expected))
    assert [*found["checks"]] == [*RATES]  # the count stands for its check
    table = np.array([*flags.values()]).T

    def told(share, one, two, levels, size):
        parts = [
            np.log(part)
            + np.where(table, np.log(rate), np.log1p(-rate)).sum(axis=1)
            + nbinom.logpmf(named, size, size / (size + level * expected))
            for part, rate, level in zip((share, 1 - share), (one, two), levels, strict=True)
        ]
        return np.logaddexp(*parts).sum(), np.exp(parts[0] - np.logaddexp(*parts))

    one, two = np.array([*found["checks"].values()]).T
    best = [told(found["share"], one, two, found["named"], 2.0**at)[0] for at in range(11)]
    size = 2.0 ** np.argmax(best)
    assert found["doubt"] == pytest.approx(
        told(found["share"], one, two, found["named"], size)[1], abs=1e-6
    )
    for more in (1.02, 0.98):
        for levels in (
            (found["named"][0] * more, found["named"][1]),
            (found["named"][0], found["named"][1] * more),
        ):
            assert told(found["share"], one, two, levels, size)[0] < max(best)
        assert told(found["share"] * more, one, two, found["named"], size)[0] < max(best)


@pytest.mark.slow
def test_who_knows_more_is_not_taken_for_careless():
    """Of 3 surveys none has a class where nobody is careless; else the share is the true one."""
    for kinds, share in product((1, 2), (0.0, 0.15)):
        found = []
        for seed in range(3):
            flags, careless = drawn(seed, 300, share)
            found.append(response_style(flags, groups_named(seed, careless, kinds)))
        claimed = [it for it in found if not it["problem"]]
        assert len(claimed) == (3 if share else 0)
        if share:
            assert np.mean([it["share"] for it in claimed]) == pytest.approx(share, abs=0.03)
            assert np.mean([a / b for a, b in (it["named"] for it in claimed)]) == pytest.approx(
                2, abs=0.2
            )


@pytest.mark.parametrize(("seed", "two"), [(12, False), (63, True)])
def test_a_second_class_has_to_earn_its_five_shares(seed, two):
    """Twice what it adds to the likelihood's logarithm is 4.6 and 5.2 times that of 150 people."""
    flags, _ = drawn(seed, 150, 0.06)
    assert (response_style(flags)["doubt"] is not None) is two


@pytest.mark.parametrize(
    ("people", "checks", "said"),
    [
        (300, 2, "fewer than 3 checks"),
        (99, 4, "fewer than 100 respondents"),
        (300, 0, "fewer than 3"),
    ],
)
def test_too_few_people_or_checks_are_not_enough(people, checks, said):
    flags, _ = drawn(3, people, 0.3)
    flags = {name: found & (at < checks) for at, (name, found) in enumerate(flags.items())}
    assert said in response_style(flags)["problem"]


def test_a_class_that_each_has_more_of_some_checks_is_not_one_of_the_doubtful():
    """People of two habits, of whom neither is the worse."""
    rates = {"a": (0.7, 0.05), "b": (0.7, 0.05), "c": (0.6, 0.05), "d": (0.05, 0.6)}
    assert "more of some checks (d)" in response_style(drawn(5, 600, 0.4, rates)[0])["problem"]
