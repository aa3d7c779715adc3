"""Pairs of models."""

import numpy as np
import pytest

from evaluation.occupations.design import designs
from evaluation.occupations.rows import PAIR_COLUMNS, pair_rows
from evaluation.occupations.scores import Picks, score


@pytest.fixture
def results(items, ratios, chosen, pick):
    """The example's model, one that always says unknown, and one that cannot be read."""
    parts = [
        pick(items, said)
        for said in (chosen, dict.fromkeys(chosen, "unknown"), dict.fromkeys(chosen, None))
    ]
    picks = Picks(
        ("base", "tuned", "broken"),
        np.repeat(np.arange(3), 8),
        np.concatenate([part.item for part in parts]),
        np.concatenate([part.option for part in parts]),
    )
    return score(picks, designs(items, ratios, file="items.csv")[0])


def test_a_pair_shows_what_tuning_changed(results):
    """Tuned less base; what is undefined in one of them has no difference."""
    changed, unread = pair_rows(results, [("base", "tuned"), ("tuned", "broken")])
    assert tuple(changed) == PAIR_COLUMNS
    assert (changed["base"], changed["tuned"], changed["task"]) == ("base", "tuned", "craft")
    assert changed["M_B_difference"] == pytest.approx(-1 / 6)
    assert changed["M_R_difference"] == pytest.approx(1 - 2 / 7)
    assert changed["M_S_difference"] == pytest.approx(-5 / 7)
    assert (unread["M_R_base"], unread["M_R_tuned"], unread["M_R_difference"]) == (1.0, None, None)
