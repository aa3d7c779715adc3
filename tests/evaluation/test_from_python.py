"""Question answering from Python: each step is a function with a result, and prints nothing."""

import asyncio
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from benchmark import benchmark, write_samples

from curation.files.workspace import Workspace
from evaluation import batch, compare
from evaluation.prompts import read_prompts
from evaluation.qa.prepare import prepare
from evaluation.qa.score import SCORE_COLUMNS
from evaluation.qa.scoring import ScoreInputs, score
from evaluation.replies.files import load_replies
from evaluation.replies.merging import merge
from evaluation.replies.rows import ROW_COLUMNS, parse_replies
from evaluation.reporting.report import report
from evaluation.runner.asking import estimate, plan_run, run
from evaluation.runner.backend import BackendSettings

SAMPLES = list(benchmark())
PROMPTS = """\
prompts:
  - {id: "1", layout: "{context} {question}\\nA: {a}\\nB: {b}\\nC: {c}", unknown: Not known}
"""


@pytest.fixture
def place(tmp_path: Path) -> Workspace:
    """A workspace with samples, a prompt, and the requests of both."""
    write_samples(tmp_path / "samples.csv", SAMPLES)
    (tmp_path / "prompts.yaml").write_text(PROMPTS)
    workspace = Workspace(tmp_path)
    made = prepare(workspace, tmp_path / "samples.csv", prompts=tmp_path / "prompts.yaml")
    assert made.file == tmp_path / "exports" / "evaluation" / "requests.jsonl"
    assert made.requests == len(SAMPLES) * 3 == len(made.file.read_text().splitlines())
    assert (made.prompts, made.orders.value, made.shard) == (("1",), "cyclic", None)
    return workspace


def requests(place: Workspace) -> list[str]:
    """The lines of the requests."""
    return (place.exports_folder / "evaluation" / "requests.jsonl").read_text().splitlines()


def line_of(line: str) -> str:
    """What a request sends."""
    return json.dumps(json.loads(line)["messages"])


def asked(place: Workspace, backend: str) -> Path:
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


def test_a_run_in_a_notebook(place: Workspace) -> None:
    """Its cells run while a loop is under way, in which another one cannot be started."""

    async def cell() -> Path:
        return asked(place, "always-first")

    lines = asyncio.run(cell()).read_text().splitlines()
    assert len(lines) == len(SAMPLES) * 3


def test_from_requests_to_scores(
    place: Workspace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
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


def test_scores_of_what_is_in_memory_are_those_of_files(place: Workspace, tmp_path: Path) -> None:
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


def test_every_reply_has_a_row(place: Workspace, tmp_path: Path) -> None:
    """With the choice and the rule; saved as the command writes them."""
    replies = asked(place, "always-first")
    requests = tmp_path / "exports" / "evaluation" / "requests.jsonl"
    read = parse_replies(requests, [replies])
    rows = read.to_frame()
    assert list(rows.columns) == list(ROW_COLUMNS)
    assert (set(rows["choice"]), set(rows["rule"])) == ({"A"}, {"letter"})
    read.save(tmp_path / "rows.csv")
    assert pd.read_csv(tmp_path / "rows.csv", dtype=object).equals(rows)


def test_requests_without_a_reply_are_refused_and_batched(place: Workspace, tmp_path: Path) -> None:
    """An incomplete file gives scores that say so, no report, and batches of what is left."""
    replies = asked(place, "always-first")
    lines = replies.read_text().splitlines(keepends=True)
    (tmp_path / "part.jsonl").write_text("".join(lines[:-4]))
    wanted = ScoreInputs(
        tmp_path / "samples.csv", tmp_path / "prompts.yaml", replies=(tmp_path / "part.jsonl",)
    )
    assert score(place, wanted).missing == {"always-first": 4}
    refused = report(place, wanted, out=tmp_path / "report")
    assert (refused.report, refused.files, (tmp_path / "report").exists()) == (None, (), False)
    joined = merge(
        [tmp_path / "part.jsonl"],
        tmp_path / "all.jsonl",
        tmp_path / "exports" / "evaluation" / "requests.jsonl",
    )
    assert (joined.refused, joined.written, joined.file.exists()) == (True, 0, False)
    written = batch.write(place, batch.Order(batch.Format.OPENAI, "m", {"max_tokens": 4}))
    assert (written.written, written.before) == (len(SAMPLES) * 3, 0)
