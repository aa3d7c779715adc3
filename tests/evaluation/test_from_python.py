"""Question answering from Python: each step is a function with a result, and prints nothing."""

import asyncio
import json

import numpy as np
import pandas as pd
import pytest
from benchmark import benchmark, write_samples

from curation.files.workspace import Workspace
from evaluation import compare
from evaluation.prompts import read_prompts
from evaluation.qa.prepare import prepare
from evaluation.qa.score import SCORE_COLUMNS
from evaluation.qa.scoring import ScoreInputs, score
from evaluation.replies.files import load_replies
from evaluation.replies.merging import merge
from evaluation.reporting.report import report
from evaluation.runner.asking import estimate, plan_run, run
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
    assert (made.prompts, made.orders.value, made.shard) == (("1",), "cyclic", None)
    return workspace


def requests(place):
    """The lines of the requests."""
    return (place.exports_folder / "evaluation" / "requests.jsonl").read_text().splitlines()


def line_of(line):
    """What a request sends."""
    return json.dumps(json.loads(line)["messages"])


def asked(place, backend):
    """Ask a baseline; gives the file of replies."""
    options = {"samples": str(place.root / "samples.csv")} if backend == "oracle" else {}
    settings = BackendSettings(backend, options=options, workspace=place.root)
    wanted = plan_run(place, backend, settings, replies=place.root / f"{backend}.jsonl")
    # Ambiguous contexts are in both variants: half of the requests say the same as another.
    assert estimate(wanted).estimate.to_ask == len({line_of(item) for item in requests(place)})
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


def test_from_requests_to_scores(place, tmp_path, capsys):
    """The oracle is right everywhere; its folder is compared and reported."""
    parts = [asked(place, "oracle"), asked(place, "always-first")]
    requests = tmp_path / "exports" / "evaluation" / "requests.jsonl"
    joined = merge(parts, tmp_path / "all.jsonl", requests)
    assert (joined.refused, joined.written) == (False, len(SAMPLES) * 6)
    assert dict(joined.models) == dict.fromkeys(("always-first", "oracle"), len(SAMPLES) * 3)

    wanted = ScoreInputs(
        samples=tmp_path / "samples.csv",
        prompts=tmp_path / "prompts.yaml",
        replies=(joined.file,),
    )
    scores = score(place, wanted)
    frame = scores.to_frame()
    assert list(frame.columns) == list(SCORE_COLUMNS)
    overall = frame[frame["group_by"] == "overall"].set_index("model")
    assert overall.loc["oracle", ["accuracy_amb", "accuracy_dis"]].tolist() == [1.0, 1.0]
    assert overall.loc["always-first", "accuracy_amb"] == pytest.approx(1 / 3)
    assert frame["n_amb"].dtype == np.int64
    assert frame["diff_bias_dis"].dtype == np.float64
    assert pd.api.types.is_string_dtype(frame["model"])
    assert not scores.incomplete

    scores.save(tmp_path / "scores")
    differences = compare.models(tmp_path / "scores").to_frame()
    assert set(differences["model_1"]) == {"always-first"}
    assert set(compare.groups(tmp_path / "scores").tables) == {
        *("anova", "tukey", "permutation", "means")
    }
    same = compare.benchmarks(tmp_path / "scores", tmp_path / "scores").to_frame()
    assert set(same["difference"].dropna()) == {0.0}

    made = report(place, wanted, out=tmp_path / "report")
    assert {"report.html", "report.md", "scores.csv"} <= set(made.files)
    assert made.to_frame().equals(frame)
    assert capsys.readouterr() == ("", "")


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
    found = score(place, ScoreInputs(SAMPLES, prompts, replies=given))
    assert found.rows == from_files.rows
    assert given.equals(before)
    assert load_replies(failed).failed == {"unknown": 2}
