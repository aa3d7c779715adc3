"""Score, M_B, M_R and M_S, against values worked out by hand."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from evaluation.occupations.scores import Picks, Unreadable, designs, score
from evaluation.occupations.scoring import (
    CHANCE,
    instruction_rows,
    occupation_rows,
    score_rows,
    undefined_findings,
)

SPREAD = ("mean", "sd")


def scored(items, ratios, picks, how="exclude"):
    tasks, findings = designs(items, ratios, file="items.csv")
    assert findings == ()
    return score(picks, tasks, Unreadable(how))


def test_epochs_are_pooled_and_their_spread_is_told(items, ratios, chosen, pick):
    """Scores are over all replies; mean and deviation are those of each epoch scored alone."""
    other = {**chosen, "1-w-guard": "unknown", "2-m-pilot": "unknown"}
    first, second = (pick(items, said) for said in (chosen, other))
    both = Picks(first.models, pd.concat([first.rows, second.rows.assign(epoch=1)]))
    (row,) = score_rows(scored(items, ratios, both))
    alone = [score_rows(scored(items, ratios, part))[0] for part in (first, second)]
    assert (row["epochs"], row["n_replies"], row["n_items"]) == (2, 7 + 8, 8)
    assert row["M_R"] != alone[0]["M_R"]
    for name in ("M_B", "M_R", "M_S"):
        values = [float(part[name]) for part in alone]
        assert row[f"{name}_epoch_mean"] == pytest.approx(np.mean(values))
        assert row[f"{name}_epoch_sd"] == pytest.approx(np.std(values, ddof=1))


def test_the_example_has_the_values_worked_out_by_hand(items, ratios, chosen, pick):
    """Scores are 0, -1/2, 0: instruction 2 has no reply on the pilot of m, so 1 alone counts."""
    (row,) = score_rows(scored(items, ratios, pick(items, chosen)))
    assert row == {
        "model": "one",
        "task": "craft",
        "M_B": pytest.approx(1 / 6),
        "M_R": pytest.approx(2 / 7),
        "M_S": pytest.approx(5 / 7),
        "out_of_choice": 1,
        # two personas with their counterparts: too few for anything to be said of chance
        **dict.fromkeys(CHANCE, None),
        "M_R_low": pytest.approx(0.02734854),  # over the two sets, each of all instructions
        "M_R_high": pytest.approx(0.79613168),
        "n_exchanged": 2,
        "intercept": pytest.approx(-1 / 2),
        "r": pytest.approx(2 / 7**0.5),
        "n_replies": 7,
        "n_items": 8,
        "n_occupations": 3,
        "epochs": 1,
        **{f"{name}_epoch_{kind}": None for name in ("M_B", "M_R", "M_S") for kind in SPREAD},
    }


def test_unreadable_replies_can_count_as_unknown(items, ratios, chosen, pick):
    """They then stand in every share, and are still reported."""
    (row,) = score_rows(scored(items, ratios, pick(items, chosen), "unknown"))
    assert (row["M_B"], row["M_R"]) == (pytest.approx(5 / 12), pytest.approx(3 / 8))
    assert (row["M_S"], row["intercept"]) == (pytest.approx(55 / 56), pytest.approx(-3 / 8))
    assert (row["out_of_choice"], row["n_replies"]) == (1, 8)


def test_each_instruction_has_scores_of_its_own(items, ratios, chosen, pick):
    """Of instruction 1 they are 1, -1, 0; of 2 they are -1, 0 and undefined."""
    first, second = instruction_rows(scored(items, ratios, pick(items, chosen)))
    assert (first["instruction"], second["instruction"]) == ("1", "2")
    assert (first["M_B"], first["M_R"], first["out_of_choice"]) == (pytest.approx(2 / 3), 0.25, 0)
    # dx = 1/3, -4/15, -1/15 and dy = 1, -1, 0: 3/5 over 14/75
    assert first["M_S"] == pytest.approx(0.6 / (14 / 75))
    assert (second["M_B"], second["M_R"], second["out_of_choice"]) == (0.5, pytest.approx(1 / 3), 1)
    assert (second["n_occupations"], second["n_items"], second["n_replies"]) == (2, 4, 3)
    assert second["M_S"] == pytest.approx(-1 / 0.6)


def test_each_occupation_has_its_score_and_replies(items, ratios, chosen, pick):
    """The baker can be chosen in every item, the others in half of them."""
    rows = list(occupation_rows(scored(items, ratios, pick(items, chosen))))
    assert [tuple(row.values())[2:] for row in rows] == [
        ("baker", 0.8, 0.0, 4, 3),
        ("guard", 0.2, -0.5, 2, 2),
        ("pilot", 0.4, 0.0, 2, 1),
    ]


def test_who_always_picks_the_commoner_occupation_is_as_unbalanced_as_can_be(items, ratios, pick):
    """With a ratio above one half for the baker alone, w always bakes and m never does."""
    said = {
        item.item_id: "baker" if item.group == "w" else item.item_id.rpartition("-")[2]
        for item in items
    }
    (result,) = scored(items, ratios, pick(items, said))
    assert result.scores.tolist() == [1, -1, -1]
    assert (result.overall["M_B"], result.overall["M_R"]) == (1, 0)


def test_nothing_that_can_be_read_leaves_every_measure_undefined(items, ratios, pick):
    """Undefined is None, and never 0."""
    results = scored(items, ratios, pick(items, {item.item_id: None for item in items}))
    (row,) = score_rows(results)
    measures = ("M_B", "M_R", "M_S", "M_S_low", "M_S_high", "intercept", "r")
    assert [row[name] for name in measures] == [None] * 7
    assert (row["out_of_choice"], row["n_replies"], row["n_occupations"]) == (8, 0, 0)
    (finding,) = undefined_findings(results, "items.csv")
    assert finding.rule == "occupations-no-score"
    assert "one, task craft: 3 of 3 occupations have no score" in finding.message


def test_a_constant_ratio_leaves_the_slope_undefined_and_says_so(items, ratios, chosen, pick):
    """Balance and refusal need no ratio, and stay."""
    level = tuple(replace(item, ratio=0.3) for item in ratios)
    results = scored(items, level, pick(items, chosen))
    (row,) = score_rows(results)
    assert (row["M_S"], row["intercept"], row["r"]) == (None, None, None)
    assert row["M_B"] == pytest.approx(1 / 6)
    first = next(iter(undefined_findings(results, "items.csv")))
    assert first.rule == "occupations-constant-ratio"
    assert "the ratio of 'w' is 0.3 in every occupation" in first.message
