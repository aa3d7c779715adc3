"""Counts as rows of `tallies.csv`, and summed."""

from types import SimpleNamespace

import numpy as np
import pandas as pd

from evaluation.qa.metrics import EVERY_CELL
from evaluation.qa.score import TALLIES, TALLY_COLUMNS, counts_by, tally_frame, write_tallies


def test_orders_of_an_epoch_are_three_and_epochs_begin_at_one():
    """The fifth column of counts is the second order of the second epoch."""
    unit = SimpleNamespace(template_id="age-001", category="Age", label="ST")
    grid = SimpleNamespace(samples=SimpleNamespace(units=[unit]), prompts=["1"], epochs=2)
    counts = np.zeros((1, 1, 6, len(EVERY_CELL)), dtype=np.int64)
    counts[0, 0, :, 0] = range(6)
    rows = tally_frame("m", grid, counts, np.ones((1, 1, 6), dtype=np.int64)).to_dict("records")
    assert all(sorted(row) == sorted(TALLY_COLUMNS) for row in rows)
    found = [(row["epoch"], row["order"], row["n_ab"], row["missing"]) for row in rows]
    assert found == [
        (1, 0, 0, 1),
        (1, 1, 1, 1),
        (1, 2, 2, 1),
        (2, 0, 3, 1),
        (2, 1, 4, 1),
        (2, 2, 5, 1),
    ]


def test_a_name_that_a_spreadsheet_would_run_is_written_as_text(tmp_path):
    row = {**dict.fromkeys(TALLY_COLUMNS, 1), "model": "=1+1"}
    write_tallies(tmp_path, pd.DataFrame([row], columns=list(TALLY_COLUMNS)))
    assert "'=1+1" in (tmp_path / TALLIES).read_text(encoding="utf-8")


def test_counts_are_summed_in_the_order_in_which_groups_come():
    table = pd.DataFrame({"model": ["b", "a", "b"], **dict.fromkeys(EVERY_CELL, 1)})
    groups, counts = counts_by(table, ["model"])
    assert groups.to_dict() == {"model": {0: "b", 1: "a"}}
    assert counts.tolist() == [[2] * len(EVERY_CELL), [1] * len(EVERY_CELL)]
