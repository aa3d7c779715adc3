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


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            ("--temperature", 0),
            "3 epochs and the temperature is 0: replies of all epochs may be equal",
        ),
        ((), "3 epochs and no temperature is set and it may be 0"),
        (("--temperature", 0.7), None),
    ],
)
def test_epochs_that_may_be_equal_are_said_once(
    curate: Any, place: Path, given: tuple[object, ...], said: str | None
) -> None:
    """By a run, also a dry one, and where batch files are written; not above temperature 0."""
    url = ("--base-url", "http://127.0.0.1:9/v1", "--dry-run")
    ran = curate("evaluate", "run", "-w", place, "--model", "m", *url, *given)
    wrote = curate("evaluate", "batch", "write", "-w", place, "--model", "m", *given)
    for found in (ran, wrote):
        assert found.code == 0, found.err
        told = " ".join(found.err.split())
        assert told.count("epochs and") == (said is not None)
        assert said is None or said in told


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


def test_the_terminal_says_how_epochs_differ(curate: Any, place: Path) -> None:
    """A line for each model."""
    replies = run(curate, place, "oracle")
    requests = place / "exports" / "evaluation" / "requests.jsonl"
    given = ("-w", place, "--replies", replies, "--requests", requests)
    ran = curate("evaluate", "score", *given)
    said = "oracle, sd over 3 epochs: acc amb 0.000, acc dis 0.000, diff-bias amb 0.000"
    assert f"{said}, max amb 0.000, diff-bias dis 0.000, max dis 0.000" in ran.out


def test_scores_of_one_model_are_not_compared(curate: Any, place: Path) -> None:
    """It is said which model there is and what to do; `score` names every table that it wrote."""
    replies, scores = run(curate, place, "oracle"), place / "scores"
    requests = place / "exports" / "evaluation" / "requests.jsonl"
    given = ("-w", place, "--replies", replies, "--requests", requests, "--out", scores)
    ran = curate("evaluate", "score", *given)
    *_, last = (line for line in ran.out.splitlines() if line.startswith("Wrote"))
    assert {word.strip(",.") for word in last.split()} >= {
        path.name for path in scores.glob("*.csv")
    }
    compared = curate("evaluate", "compare", "models", scores)
    assert compared.code == 1
    assert "two models or more are compared, and this is one: oracle" in compared.err
    assert "curate evaluate score --replies FILE --replies FILE" in compared.err
    named = curate("evaluate", "compare", "models", scores, "--model", "oracle")
    assert named.code == 2
    assert "name two models or more; there are oracle" in named.err


def test_epochs_are_known_by_replies_alone(curate: Any, place: Path) -> None:
    """Without the requests every sample is asked with every prompt in every epoch there is."""
    replies = run(curate, place, "oracle")
    prompts = ("--prompt", "1", "--prompt", "2")
    given = ("evaluate", "score", "-w", place, "--replies", replies, *prompts, "--draws", 0)
    ran = curate(*given, "--json", "--allow-incomplete")
    row = ran.json["rows"][0]
    assert (row["epochs"], row["n_amb"] + row["n_dis"]) == (3, 720)
    assert row["missing"] % 3 == 0
    assert row["missing"] > 0


def test_a_missing_epoch_is_named(curate: Any, place: Path) -> None:
    """By the ids of its requests."""
    replies = run(curate, place, "oracle")
    kept = [line for line in lines(replies) if not line["request_id"].endswith("-e3")]
    replies.write_text("".join(f"{json.dumps(line)}\n" for line in kept))
    found = score(curate, place, replies)
    assert found["missing"] == {"oracle": 240}
    (finding,) = found["findings"]
    assert "240 of 720 requests have no reply" in finding["message"]
    assert finding["message"].count("-e3") == 5


def test_a_line_whose_epoch_is_not_that_of_its_id_is_refused(curate: Any, place: Path) -> None:
    """Nobody could say which one was asked."""
    path = place / "exports" / "evaluation" / "requests.jsonl"
    replies = run(curate, place, "oracle")
    changed = lines(path)
    changed[-1]["epoch"] = 2
    path.write_text("".join(f"{json.dumps(line)}\n" for line in changed))
    ran = curate(
        *("evaluate", "score", "-w", place, "--replies", replies, "--requests", path),
    )
    assert ran.code == 1
    assert "is of epoch 3, but its line says a different one" in ran.err
    assert "line 720" in ran.err


def test_two_replies_for_one_epoch_are_refused(curate: Any, place: Path) -> None:
    """By name and line; whoever allows it gets the later one, still said."""
    replies = run(curate, place, "oracle")
    given = lines(replies)
    other = next(item for item in "ABC" if item != given[500]["reply"])
    second = given[500] | {"reply": other}
    with replies.open("a", encoding="utf-8") as stream:
        stream.write(f"{json.dumps(second)}\n")
    requests = place / "exports" / "evaluation" / "requests.jsonl"
    scored = ("evaluate", "score", "-w", place, "--replies", replies, "--requests", requests)
    ran = curate(*scored)
    assert ran.code == 1
    said = " ".join(ran.err.split())
    assert "1 request has two different replies of one model in one epoch" in said
    assert given[500]["request_id"] in said
    assert "line 501 and " in said
    assert "line 721" in said
    assert "acc amb" not in ran.out
    assert curate(*scored, "--allow-incomplete").code == 0
    ran = curate(
        *("evaluate", "merge", "-w", place, replies, "--requests", requests),
        *("--out", place / "merged.jsonl"),
    )
    assert ran.code == 1
    assert "two different replies of one model" in " ".join(ran.err.split())


def test_parts_of_epochs_are_merged(curate: Any, place: Path) -> None:
    """Each request of each epoch is in one part; together they are what one run has."""
    whole = run(curate, place, "uniform")
    parts = []
    for number in (1, 2, 3):
        parts.append(place / f"part{number}.jsonl")
        ran = curate(
            *("evaluate", "run", "-w", place, "--backend", "uniform", "--shard", f"{number}/3"),
            *("--replies", parts[-1]),
        )
        assert ran.code == 0
    merged = place / "merged.jsonl"
    requests = place / "exports" / "evaluation" / "requests.jsonl"
    ran = curate(
        *("evaluate", "merge", "-w", place, *parts, "--requests", requests, "--out", merged),
    )
    assert "Complete: all 720 requests have a reply of each model." in ran.out
    assert {line["request_id"]: line["reply"] for line in lines(merged)} == {
        line["request_id"]: line["reply"] for line in lines(whole)
    }
    read = curate("evaluate", "replies", "-w", place, "--replies", merged, "--requests", requests,
                  "--json")  # fmt: skip
    assert len(read.json["rows"]) == 720
