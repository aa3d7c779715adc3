"""`curate survey simulate`."""

import csv
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

Line = dict[str, Any]


def table(path: Path) -> list[dict[str, str]]:
    """Read a table without the toolkit's own reader."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def lines(path: Path) -> list[Line]:
    """Read JSON lines without the toolkit's own reader."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def requests_of(curate: Any, folder: Path, *options: object) -> list[Line]:
    """Prepare requests and read them."""
    assert curate("survey", "simulate", "--prepare", "-w", folder, *options).code == 0
    return lines(folder / "exports" / "simulate" / "requests.jsonl")


def reply(folder: Path, requests: list[Line], say: Callable[[Line], object], model: str) -> Path:
    """Write what a persona replies to every request that it has something to say to."""
    path = folder / f"{model}.jsonl"
    said = [(item, say(item)) for item in requests]
    path.write_text(
        "".join(
            json.dumps({"request_id": item["request_id"], "model": model, "reply": text}) + "\n"
            for item, text in said
            if text is not None
        ),
        encoding="utf-8",
    )
    return path


def people(folder: Path) -> Mapping[str, set[str] | None]:
    """Work out from the counted files alone the texts that the people name; None for a tie."""
    found: dict[str, set[str] | None] = {}
    targets = {
        (row["stereotype"], row["group"])
        for row in table(folder / "responses" / "targets.csv")
        if (row["kind"], row["role"]) == ("select_all", "target")
    }
    rows: dict[str, list[dict[str, str]]] = {}
    for row in table(folder / "responses" / "tallies.csv"):
        rows.setdefault(row["question_id"], []).append(row)
    for name, options in rows.items():
        if options[0]["kind"] == "choice":
            most = max(int(row["votes"]) for row in options)
            top = [row["text"] for row in options if int(row["votes"]) == most]
            found[name] = set(top) if len(top) == 1 else None
        elif options[0]["kind"] == "select_all":
            found[name] = {
                row["text"] for row in options if (row["stereotype"], row["text"]) in targets
            }
    return found


def overall(rows: list[Line], kind: str) -> Line:
    """Find the row over all categories."""
    (found,) = (row for row in rows if (row["group_by"], row["kind"]) == ("overall", kind))
    return found


def test_who_always_takes_the_first_has_the_score_of_the_orders(
    curate: Any, filtered: Path
) -> None:
    """Accuracy and F1 follow from the first option of each request and the people's answers."""
    truth = people(filtered)
    requests = requests_of(curate, filtered)
    path = reply(filtered, requests, lambda _: "A", "first")
    rows = curate("survey", "simulate", "--replies", path, "-w", filtered, "--json").json["rows"]
    right, values = [], []
    for item in requests:
        wanted = truth[item["question_id"]]
        if len(item["choices"]) == 3:
            if wanted is not None:
                right.append(item["choices"][0] in wanted)
        else:
            assert wanted is not None
            values.append(2 / (1 + len(wanted)) if item["choices"][0] in wanted else 0)
    assert overall(rows, "choice")["exact_match"] == pytest.approx(
        sum(right) / len(right), abs=1e-6
    )
    assert overall(rows, "select_all")["mean_f1"] == pytest.approx(sum(values) / 7, abs=1e-6)


def test_who_refuses_is_undefined_and_counted(curate: Any, filtered: Path) -> None:
    """Null scores and a ratio of 1; the printed table says so in words."""
    path = reply(filtered, requests_of(curate, filtered), lambda _: "답할 수 없습니다", "refuser")
    rows = curate("survey", "simulate", "--replies", path, "-w", filtered, "--json").json["rows"]
    for row in rows:
        assert (row["n"], row["exact_match"], row["mean_f1"]) == (0, None, None)
        assert row["out_of_choice_ratio"] == 1
    shown = curate("survey", "simulate", "--replies", path, "-w", filtered)
    assert "undefined" in shown.out
    assert "30 of 30 requests answered, 30 out-of-choice." in shown.out
