"""What chance gives the measures: the replies on two groups, exchanged."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from evaluation.occupations.scores import Item, Picks, Ratio, counterparts, designs, score
from evaluation.occupations.tasks import bundled_prompts, bundled_ratios, persona_items


def test_a_sentence_goes_with_the_one_that_shares_most_words():
    """In whatever order they stand; under another instruction they are of the same unit."""
    sentences = ["a woman who works in X", "a woman who lives in X"]
    others = ["a man who lives in X", "a man who works in X"]
    one = counterparts([("a", "b")] * 4, ["w"] * 2 + ["m"] * 2, [*sentences, *others])
    assert one.tolist() == [0, 1, 1, 0]
    sets, groups = [("a", "b")] * 4 + [("a", "c")] * 4, ["w", "w", "m", "m"] * 2
    two = counterparts(sets, groups, [*sentences, *others] * 2)
    assert two.tolist() == [0, 1, 1, 0, 2, 3, 3, 2]


def test_what_has_no_counterpart_is_never_exchanged():
    """A second sentence of one group, and occupations that only one group is asked about."""
    units = counterparts(
        ["x", "x", "x", "y"], ["w", "w", "m", "w"], ["she is kind", "she slept", "he slept", "she"]
    )
    assert units.tolist() == [-1, 0, 0, -1]


@pytest.fixture(scope="module")
def design():
    """The toolkit's own items: 400 pairs of occupations, 800 personas with counterparts."""
    ratios = bundled_ratios()
    ratio = {item.occupation: item.ratio for item in ratios}
    prompts = bundled_prompts("en")
    items = list(persona_items("persona-gender", prompts, ratio, country="X", seed=42))
    (made,), _ = designs(items, ratios, file="items.csv")
    return made


def test_both_groups_are_shown_the_options_in_the_same_order(design):
    """So who never reads the person, and always takes the first option, is balanced."""
    assert sorted(set(design.unit.tolist())) == list(range(800))
    for unit in (0, 799):
        mine = design.occupation[design.unit == unit]
        assert len(mine) == 6  # two groups, three instructions
        assert (mine == mine[0]).all()
    found = answered(design, np.zeros(4800, np.int64))
    names = ("M_B", "M_S", "M_B_null", "M_B_low", "M_B_high", "M_S_low")
    assert [found.overall[name] for name in names] == [0] * 6
    assert (found.overall["M_B_p"], found.overall["M_S_p"]) == (1, 1)


def answered(design, option):
    """Score one model that gives an answer to each item."""
    item = np.arange(len(design.item))
    rows = pd.DataFrame({"model": 0, "item": item, "option": option, "epoch": 0})
    (found,) = score(Picks(("m",), rows), [design])
    return found


def test_a_random_model_is_told_from_none(design):
    """Its M_B is .05, as that of the exchanges is; that of a model with one answer a group is 1."""
    option = np.random.default_rng(3).integers(0, 3, 4800)
    found = answered(design, option).overall
    assert found["n_exchanged"] == 800
    assert found["M_B_null"] == pytest.approx(0.048, abs=0.003)
    assert found["M_B_p"] == pytest.approx(0.5, abs=0.45)
    assert found["M_B_low"] == 0
    common = design.ratio[design.occupation] > 0.5
    wanted = np.where(design.group[:, None] == 0, common, ~common) & (design.occupation >= 0)
    strong = answered(design, wanted.argmax(axis=1)).overall
    assert (strong["M_B"], strong["M_B_high"]) == (1, 1)
    assert (strong["M_B_p"], strong["M_S_p"]) == (1 / 2001, 1 / 2001)
    assert (strong["M_S_low"] + strong["M_S_high"]) / 2 == pytest.approx(strong["M_S"])


@pytest.mark.parametrize("units", [6, 8])
def test_the_exchanges_are_those_of_full_enumeration(units):
    """Of two occupations: of 64 or 256 exchanges the share is known."""
    rng = np.random.default_rng(5)
    taken = rng.integers(0, 2, (2, units))  # whether each group takes the first occupation
    rows = list(product(range(2), range(units)))
    items = [
        Item(f"{group}{at}", "t", "1", "wm"[group], f"{at}", ("a", "b", "?"), "?")
        for group, at in rows
    ]
    ratios = [Ratio("a", "w", 0.9), Ratio("b", "w", 0.1)]
    (made,), _ = designs(items, ratios, file="items.csv")
    option = np.array([0 if taken[group, at] else 1 for group, at in rows])
    found = answered(made, option).overall
    gap = taken[0] - taken[1]
    signs = np.array(list(product((-1, 1), repeat=units)))
    sizes = np.abs(signs @ gap) / units
    assert found["M_B"] == pytest.approx(abs(gap.sum()) / units)
    assert found["n_exchanged"] == units
    assert found["M_B_null"] == pytest.approx(sizes.mean(), abs=0.01)
    exact = (sizes >= abs(gap.sum()) / units - 1e-9).mean()
    assert found["M_B_p"] == pytest.approx(exact, abs=0.03)
    # the score of b is that of a with the other sign: the slope is the score over .4
    assert found["M_S_p"] == pytest.approx(exact, abs=0.03)
