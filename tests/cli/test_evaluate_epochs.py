"""Epochs of question answering the whole way: asked, run, scored over all of them."""

import csv
import json
import shutil
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest

from evaluation.requests import split_epoch

ROOT = Path(__file__).parents[2]
SCORES = ("accuracy_amb", "accuracy_dis", "diff_bias_amb", "diff_bias_dis")
SUMS = ("n_amb", "n_dis", "out_of_choice", "n_ab", "n_bb", "n_cc")


@pytest.fixture
def place(curate: Any, tmp_path: Path) -> Path:
    """The demo with its exported samples, and requests of two prompts in three epochs."""
    folder = tmp_path / "demo"
    shutil.copytree(ROOT / "templates_src" / "demo", folder)
    shutil.copytree(ROOT / "exports" / "demo" / "samples", folder / "exports" / "samples")
    prompts = ("--prompt", "1", "--prompt", "2")
    ran = curate("evaluate", "prepare", "-w", folder, *prompts, "--limit", 40, "--epochs", 3)
    assert "720 requests in " in ran.out
    assert ran.out.endswith("cyclic orders, 3 epochs.\n")
    return folder


def lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def run(curate: Any, place: Path, *backends: str) -> Path:
    """Ask baselines; gives the file of replies."""
    replies = place / "replies.jsonl"
    for name in backends:
        ran = curate(
            *("evaluate", "run", "-w", place, "--backend", name, "--replies", replies, "--json")
        )
        assert (ran.code, ran.json["left"]) == (0, 0)
    return replies


def score(curate: Any, place: Path, replies: Path, *more: object) -> Any:
    """The scores of replies to the requests that were made."""
    requests = place / "exports" / "evaluation" / "requests.jsonl"
    ran = curate(
        *("evaluate", "score", "-w", place, "--replies", replies, "--requests", requests),
        *("--draws", 0, "--json", *more),
    )
    assert ran.code in (0, 1)
    return ran.json


def test_scores_are_over_all_epochs(curate: Any, place: Path, tmp_path: Path) -> None:
    """Counts add up; mean and deviation are those of each epoch scored alone."""
    replies = run(curate, place, "uniform", "oracle")
    found = score(curate, place, replies, "--out", tmp_path / "scores")["rows"]
    whole = {(row["model"], row["group_by"], row["group"]): row for row in found}
    alone: list[dict[Any, Any]] = []
    for epoch in (1, 2, 3):
        part = tmp_path / f"{epoch}.jsonl"
        kept = [
            line | {"request_id": split_epoch(line["request_id"])[0]}
            for line in lines(replies)
            if split_epoch(line["request_id"])[1] == epoch
        ]
        part.write_text("".join(f"{json.dumps(line)}\n" for line in kept))
        rows = score(curate, place, part, "--allow-incomplete")["rows"]
        alone.append({(row["model"], row["group_by"], row["group"]): row for row in rows})
    assert len(whole) > 20
    for key, row in whole.items():
        parts = [item[key] for item in alone]
        assert row["epochs"] == 3
        assert [row[name] for name in SUMS] == [sum(part[name] for part in parts) for name in SUMS]
        for name in SCORES:
            values = [part[name] for part in parts if part[name] is not None]
            mean, sd = row[f"{name}_epoch_mean"], row[f"{name}_epoch_sd"]
            assert mean == (pytest.approx(fmean(values)) if values else None)
            assert sd == (pytest.approx(stdev(values), abs=1e-11) if len(values) > 1 else None)
    overall = whole["uniform", "overall", ""]
    assert overall["accuracy_amb_epoch_sd"] > 0
    assert whole["oracle", "overall", ""]["accuracy_amb_epoch_sd"] == 0
    with (tmp_path / "scores" / "tallies.csv").open(encoding="utf-8", newline="") as stream:
        tallies = list(csv.DictReader(stream))
    assert {row["epoch"] for row in tallies} == {"1", "2", "3"}
    compared = curate(
        *("evaluate", "compare", "models", tmp_path / "scores", "-w", place, "--json")
    )
    assert compared.code == 0
