"""What a task draws and chooses; `test_folder` tries its scores, `test_program` its reader."""

import json

import pytest

from evaluation.qa.samples import drawn
from exports.harness.core import drawn_samples, likeliest, read_rows

ROW = {"roles": ["biased", "counter_biased", "unknown"], "template_id": "age-001"}


def test_the_highest_letter_is_named_and_a_tie_names_none():
    """The first of equals would win by its place alone."""
    assert [likeliest(ROW, it) for it in ((-1, -2, -3), (-3, -1, -2), (-3, -2, -1))] == ROW["roles"]
    for values in ((-1, -1, -2), (-1, -2, -1), (-9, -9, -9)):
        assert likeliest(ROW, values) == "out_of_choice"


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
