"""The chance that a true stereotype passes."""

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from curation.records.culture import SurveySettings
from survey.building.plan import (
    PER_PERSON,
    TIMES,
    needed_of,
    power_column,
    selection_power,
    upper_tail,
)
from survey.certainty import chance_kept

TWO_THIRDS = Fraction(2, 3)


@pytest.mark.parametrize(("share", "percent"), [("0.60", 9), ("0.63", 24), ("0.70", 78)])
def test_published_figures(share, percent):
    """Of 100 who name a group 67 must name the target: .60 passes 9 %, .63 24 %, .70 78 %."""
    column = power_column(100, TWO_THIRDS)
    assert column["needed"] == 67
    assert round(100 * column["chances"][share]) == percent


def test_strictly_more():
    """Exactly two thirds is not enough; where nothing is, the number is out of reach."""
    for named, threshold, needed in [
        (96, TWO_THIRDS, 65),
        (97, TWO_THIRDS, 65),
        (3, TWO_THIRDS, 3),
        (1, Fraction(1), 2),
        (0, 0, 1),
    ]:
        assert needed_of(named, Fraction(threshold)) == needed


@given(n=st.integers(0, 60), k=st.integers(0, 61), share=st.fractions(0, 1, max_denominator=50))
def test_exact(n, k, share):
    """The tail is the sum of the binomial's terms."""
    exact = sum(comb(n, i) * share**i * (1 - share) ** (n - i) for i in range(k, n + 1))
    assert upper_tail(k, n, share) == pytest.approx(float(exact), abs=1e-9)


def test_where_a_group_of_target_selection_comes_to_stand():
    """With 80 who name one of eight groups 20 make a target, 5 a non-target; scipy agrees."""
    found = selection_power(8, 8, 80, 100, SurveySettings())
    assert (found["target_from"], found["non_target_to"]) == (20, 5)
    assert [*found["target"]] == [*found["non_target"]] == [f"{float(it):.2f}" for it in TIMES]
    for times in TIMES:
        name, p = f"{float(times):.2f}", float(times) / 8
        assert found["target"][name] == pytest.approx(float(binom.sf(19, 80, p)), abs=6e-7)
        assert found["non_target"][name] == pytest.approx(float(binom.cdf(5, 80, p)), abs=6e-7)
    assert found["target"]["2.00"] == pytest.approx(0.5428, abs=5e-4)


def test_what_chance_keeps_and_where_no_test_can_succeed():
    """Of 100 people 84 name one of 19 groups: nobody for a group has p = .107."""
    found = selection_power(19, 37, 84, 100, SurveySettings())
    assert (found["options"], found["offered"]) == (19, 37)
    assert found["least_p"] == pytest.approx((1 - 0.84 / 19 / 2) ** 100, abs=6e-7)
    assert found["least_p"] == pytest.approx(0.107, abs=5e-4)
    assert [*found["kept_by_chance"].values()] == [
        chance_kept(37, 19, 84, int(each * 84), SurveySettings()) for each in PER_PERSON
    ]
    found = selection_power(2, 2, 84, 100, SurveySettings())
    assert [*found["target"].values()][5:] == [1, None, None]  # all name one of two groups
    assert [*found["kept_by_chance"].values()][3:] == [0, None]
    # With one option that counts, more than all would make a non-target: nobody is surely one.
    wide = SurveySettings(non_target_multiple="3/2")
    assert selection_power(1, 3, 10, 10, wide)["least_p"] == 0
