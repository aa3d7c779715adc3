"""`curate evaluate run --backend hf`: a model on this machine, from requests to scores."""

import json
import shutil
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra 'hf' (torch) is not installed")
pytest.importorskip("transformers", reason="the extra 'hf' (transformers) is not installed")
from tiny_model import save_model

SAMPLES = Path(__file__).parents[2] / "exports" / "demo" / "samples" / "test_samples.csv"


def test_a_local_model_is_run_once_and_scored(demo, curate, tmp_path):
    """Every reply is a letter; a second run asks nothing."""
    model = save_model(tmp_path / "model")
    samples = demo / "exports" / "samples" / "test_samples.csv"
    samples.parent.mkdir(parents=True)
    shutil.copy(SAMPLES, samples)
    ran = curate("evaluate", "prepare", "-w", demo, "--prompt", "3", "--limit", "4")
    assert ran.code == 0
    args = ("evaluate", "run", "-w", demo, "--backend", "hf", "--model", "tiny", "--json")
    options = [f"path={model}", "device=cpu", "batch_size=5", "chat=no"]
    args = (*args, *(word for option in options for word in ("--option", option)))
    ran = curate(*args, "--dry-run")
    assert (ran.code, ran.json["to_ask"]) == (0, 12)
    ran = curate(*args)
    refused = ran.json["failed"].get("refused", 0)
    assert refused == 12  # Korean requests are longer than the tiny model reads
    assert ran.code == 1
    long = save_model(tmp_path / "long", places=4096)
    args = tuple(f"path={long}" if word == f"path={model}" else word for word in args)
    ran = curate(*args)
    assert (ran.code, ran.json["answered"], ran.json["failed"]) == (0, 12, {})
    ran = curate(*args, "--replies", tmp_path / "other.jsonl")
    assert (ran.code, ran.json["from_store"], ran.json["answered"]) == (0, 12, 0)
    replies = demo / "exports" / "evaluation" / "replies.jsonl"
    lines = [json.loads(line) for line in replies.read_text().splitlines()]
    said = {line["reply"] for line in lines if line["reply"] is not None}
    assert said <= {"a", "b", "c"}
    ran = curate(
        *("evaluate", "score", "-w", demo, "--replies", replies, "--no-intervals", "--json"),
        *("--requests", demo / "exports" / "evaluation" / "requests.jsonl"),
    )
    assert ran.code == 0
    assert ran.json["rules"] == {"tiny": {"letter": 12}}
