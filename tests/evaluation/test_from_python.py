"""Question answering from Python: each step is a function with a result, and prints nothing."""

import asyncio
import json
from dataclasses import replace

import pandas as pd
import pytest
from benchmark import benchmark, write_samples

from curation.files.workspace import Workspace
from evaluation.prompts import read_prompts
from evaluation.qa.prepare import prepare
from evaluation.qa.scoring import ScoreInputs, score
from evaluation.replies.files import load_replies
from evaluation.runner.asking import plan_run, run
from evaluation.runner.backend import BackendSettings

SAMPLES = list(benchmark())
PROMPTS = """\
prompts:
  - {id: "1", layout: "{context} {question}\\nA: {a}\\nB: {b}\\nC: {c}", unknown: Not known}
"""


@pytest.fixture
def place(tmp_path):
    """A workspace with samples, a prompt, and the requests of both."""
    write_samples(tmp_path / "samples.csv", SAMPLES)
    (tmp_path / "prompts.yaml").write_text(PROMPTS)
    workspace = Workspace(tmp_path)
    made = prepare(workspace, tmp_path / "samples.csv", prompts=tmp_path / "prompts.yaml")
    assert made.file == tmp_path / "exports" / "evaluation" / "requests.jsonl"
    assert made.requests == len(SAMPLES) * 3 == len(made.file.read_text().splitlines())
    assert (made.prompts, made.orders.value) == (("1",), "cyclic")
    return workspace


def requests(place):
    return (place.exports_folder / "evaluation" / "requests.jsonl").read_text().splitlines()


def line_of(line):
    return json.dumps(json.loads(line)["messages"])


def asked(place, backend):
    """Ask a baseline; gives the file of replies."""
    options = {"samples": str(place.root / "samples.csv")} if backend == "oracle" else {}
    settings = BackendSettings(backend, options=options, workspace=place.root)
    wanted = plan_run(place, backend, settings, replies=place.root / f"{backend}.jsonl")
    # Ambiguous contexts are in both variants: half of the requests say the same as another.
    dry = run(replace(wanted, settings=replace(settings, dry=True)))
    assert dry.estimate.to_ask == len({line_of(item) for item in requests(place)})
    ran = run(wanted)
    assert (ran.tally.left, ran.error()) == (0, None)
    assert ran.as_dict()["answered"] == len(SAMPLES) * 3
    return wanted.replies


def test_a_run_in_a_notebook(place):
    """Its cells run while a loop is under way, in which another one cannot be started."""

    async def cell():
        return asked(place, "always-first")

    lines = asyncio.run(cell()).read_text().splitlines()
    assert len(lines) == len(SAMPLES) * 3


def test_scores_of_what_is_in_memory_are_those_of_files(place, tmp_path):
    """Samples as records, prompts as a set, replies as a frame; a later failure gives way."""
    replies = asked(place, "uniform")
    from_files = score(
        place,
        ScoreInputs(tmp_path / "samples.csv", tmp_path / "prompts.yaml", replies=(replies,)),
    )
    lines = [json.loads(line) for line in replies.read_text().splitlines()]
    frame = pd.DataFrame(lines)[["request_id", "model", "reply"]]
    failed = frame.head(2).assign(reply=None)
    given = pd.concat([frame, failed], ignore_index=True)
    before = given.copy()
    prompts = read_prompts(tmp_path / "prompts.yaml")
    samples = [item._replace(choices=[*item.choices]) for item in SAMPLES]  # as JSON gives them
    found = score(place, ScoreInputs(samples, prompts, replies=given))
    assert found.rows == from_files.rows
    assert given.equals(before)
    assert load_replies(failed).failed == {"unknown": 2}
