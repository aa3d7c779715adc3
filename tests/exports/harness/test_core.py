"""What a task counts and scores, by hand; its reader is tried in `test_program`."""

import json

import numpy as np
import pytest

from evaluation.qa.metrics import CELLS, METRICS
from evaluation.qa.samples import drawn
from exports.harness.core import counted, drawn_samples, likeliest, read_rows, scored
from exports.harness.words import GIVEN, RATIO

ROW = {"roles": ["biased", "counter_biased", "unknown"], "template_id": "age-001"}


def test_the_highest_letter_is_named_and_a_tie_names_none():
    """The first of equals would win by its place alone."""
    assert [likeliest(ROW, it) for it in ((-1, -2, -3), (-3, -1, -2), (-3, -2, -1))] == ROW["roles"]
    for values in ((-1, -1, -2), (-1, -2, -1), (-9, -9, -9)):
        assert likeliest(ROW, values) == "out_of_choice"


@pytest.mark.parametrize("kind", ["test", "all"])
def test_replies_are_scored_as_they_are_counted(kind):
    """Pooled, or by template and averaged; the share out-of-choice is of all replies."""
    kinds = {"a": "ambiguous", "b": "biased", "c": "counter_biased"}
    counts = {"age-001": [6, 3, 11, 2, 8, 1, 1, 0, 3, 5, 2, 4], "age-002": [1, 0, 1, 1] * 3}
    replies = [
        (counted({"template_id": name, "context_kind": kinds[cell[2]]}, GIVEN[at % 4]), times)
        for name, cells in counts.items()
        for at, (cell, times) in enumerate(zip(CELLS, cells, strict=True))
    ]
    found = scored(replies, kind)
    by_unit = np.array([*counts.values()])
    for name in ("accuracy_amb", "diff_bias_dis", "max_bias_amb"):
        each = METRICS[name](by_unit if kind == "all" else by_unit.sum(axis=0))
        assert found[name] == pytest.approx(float(each.mean()), abs=1e-12)
    assert found[RATIO] == (6 + 3) / (46 + 9)
    assert np.isnan(scored([], kind)["accuracy_amb"])


def test_requests_of_a_category_are_told_by_either_name(tmp_path):
    """Of either case; from the address where the folder has none."""
    rows = [
        {"category": "Home_region", "category_id": "home"},
        {"category": "A", "category_id": "b"},
    ]
    path = tmp_path / "data.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    assert list(read_rows(tmp_path)) == rows
    for name in ("home_REGION", "HOME"):
        assert list(read_rows(tmp_path, name)) == rows[:1]
    path.rename(tmp_path / "elsewhere.jsonl")
    told = {"data": (tmp_path / "elsewhere.jsonl").as_uri()}
    (tmp_path / "benchmark.json").write_text(json.dumps(told), encoding="utf-8")
    assert list(read_rows(tmp_path, "b")) == rows[1:]


@pytest.mark.parametrize("limit", [1, 7, 20, 30])
def test_the_samples_that_are_drawn_are_those_of_evaluate_prepare(limit):
    """The same seed, the same ones, however many requests each has."""
    ids = [f"s{at}" for at in range(20)]
    assert drawn_samples([*ids, *ids, *ids], limit, 5) == set(drawn(ids, 20, limit, 5))
