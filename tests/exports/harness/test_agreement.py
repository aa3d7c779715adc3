"""The same model asked by this toolkit, by lm-eval and by Inspect has the same scores."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from csv_rows import read_rows
from made_once import CannotInstallError, locked, make_environment, place
from scripted_replies import scripted

from curation.files.workspace import Workspace
from evaluation.qa.metrics import MAIN
from exports.harness.tasks import task_folder
from exports.harness.words import RATIO, SCORES

from .conftest import ROOT, lines, run

pytestmark = [pytest.mark.server, pytest.mark.xdist_group("harness")]

CATEGORIES = ("Age", "Home_region", "Occupation", "Hobby", "Birth_season")
VERSIONS = {"lm-eval": "0.4.13", "inspect-ai": "0.3.285"}
WANTED = {
    "lm-eval": ["lm-eval[api]==0.4.13"],
    "inspect-ai": ["inspect-ai==0.3.285", "openai>=2"],
}
PROMPTS = ("--prompt", "1", "--prompt", "3")
"""One calls the choices A, B, C, the other a, b, c."""


def prepare(name):
    """Make the environment of a harness where it is missing; gives the folder of its programs."""
    folder = place(name, VERSIONS[name])
    with locked(folder):
        if not (folder / "complete").exists():
            make_environment(folder, WANTED[name], 1200)
            (folder / "complete").touch()
    return folder / "bin"


def environment(**more):
    """Give the environment of a user without this toolkit and without a network."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    offline = dict.fromkeys(("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"), "1")
    proxy = dict.fromkeys(("http_proxy", "https_proxy", "HTTPS_PROXY"), "http://127.0.0.1:9")
    return {**kept, **offline, **proxy, "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1", **more}


def program(name, *args, folder, **more):
    """Run a program of a harness, installed when it is missing; gives what it printed."""
    harness = {"lm_eval": "lm-eval", "inspect": "inspect-ai"}[name]
    try:
        command = prepare(harness) / name
    except CannotInstallError as error:
        pytest.skip(f"no {harness} here: {error}")
    done = subprocess.run(
        [str(command), *map(str, args)],
        cwd=folder,
        env=environment(**more),
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:] + done.stdout[-3000:]
    return done.stdout + done.stderr


@dataclass(frozen=True)
class Asked:
    """The benchmark, exported, and a server with the scripted model.

    Attributes:
        folder: Where its task folders are.
        url: Of the server.
        heard: Gives the messages that have arrived since it was asked last.
        rows: The toolkit's scores by what they are about.
        messages: Those that the toolkit sent.
    """

    folder: Path
    url: str
    heard: Callable[[], list[Any]]
    rows: dict[tuple[str, str], dict[str, Any]]
    messages: list[Any]


def _loopback():
    name = "curate_tests_loopback_of_harnesses"
    path = ROOT / "tests" / "evaluation" / "loopback.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def asked(workspace, tmp_path_factory):
    """The toolkit's own run: exported, prepared, asked over HTTP, read and scored."""
    out = tmp_path_factory.mktemp("asked")
    workspace = shutil.copytree(workspace, out / "work")
    asked_of = read_rows(workspace / "exports" / "samples" / "test_samples.csv")
    kept = sorted({row["template_id"] for row in asked_of})
    said = ("--drop", "--by", "Mina", "--reason", "a quarter is enough here")
    run("override", *sorted({*kept} - {*kept[1::4]}), *said, "-w", workspace, "--json")
    run("export", "samples", "-w", workspace, "--set", "test", "--json")
    for name in ("lm-eval", "inspect"):
        folder = out / name.replace("-", "_")
        task_folder(Workspace(workspace), name, prompt_ids=("1", "3"), out=folder)
    requests, replies = out / "requests.jsonl", out / "replies.jsonl"
    run("evaluate", "prepare", "-w", workspace, *PROMPTS, "--out", requests, "--json")
    by_message = {row["message"]: scripted(row) for row in lines(out / "lm_eval" / "data.jsonl")}
    loopback = _loopback()
    with loopback.serve(persona=lambda body: by_message[loopback.last_words(body)]) as server:

        def heard():
            messages = sorted(json.dumps(body["messages"]) for body in server.bodies)
            server.bodies.clear()
            return messages

        run(
            *("evaluate", "run", "-w", workspace, "--model", "m", "--base-url", server.url),
            *("--requests", requests, "--replies", replies, "--store", out / "store.sqlite"),
            "--json",
        )
        run(
            *("evaluate", "score", "-w", workspace, "--requests", requests, "--replies", replies),
            *("--out", out / "scores", "--json"),
        )
        scores = read_rows(out / "scores" / "scores.csv")
        rows = {(row["group_by"], row["group"]): row for row in scores}
        yield Asked(out, server.url, heard, rows, heard())


def test_lm_eval_gives_the_same_scores(asked, tmp_path):
    """Its stock client of chat completions, its own command line, no network; and the group."""
    program(
        *("lm_eval", "--include_path", "lm_eval"),
        *("--tasks", "marevibbq_gen,marevibbq_by_category_gen"),
        *("--model", "local-chat-completions", "--apply_chat_template"),
        "--model_args",
        f"base_url={asked.url}/chat/completions,model=m,num_concurrent=8",
        *("--output_path", tmp_path, "--log_samples"),
        folder=asked.folder,
    )
    assert sorted({*asked.heard()}) == asked.messages
    (path,) = tmp_path.rglob("results_*.json")
    results = json.loads(path.read_text("utf-8"))
    found = {
        task: {name.removesuffix(",none"): value for name, value in told.items()}
        for task, told in results["results"].items()
    }
    group = found.pop("marevibbq_by_category_gen")
    by_category = {name: found[f"marevibbq_gen_{name.lower()}"] for name in CATEGORIES}
    for name in SCORES:
        assert found["marevibbq_gen"][name] == float(asked.rows["overall", ""][name])
        for category, them in by_category.items():
            assert them[name] == float(asked.rows["category", category][name] or "nan")
        mean = sum(them[name] for them in by_category.values()) / len(by_category)
        assert group[name] == pytest.approx(mean, abs=1e-12), name
    assert results["versions"]["marevibbq_gen"] == 1.0
    size = len(asked.messages)
    assert results["n-samples"]["marevibbq_gen"] == {"original": size, "effective": size}


def test_inspect_gives_the_same_scores(asked, tmp_path):
    """Its stock client of chat completions, its own command line, no network."""
    program(
        *("inspect", "eval", "inspect/marevibbq_gen.py", "--model", "openai-api/local/m"),
        *("--log-dir", tmp_path, "--log-format", "json", "--display", "none"),
        *("--no-score-display", "--max-connections", "16", "--log-buffer", "5000"),
        *("--no-log-realtime", "--no-log-model-api", "--max-samples", "64"),
        folder=asked.folder,
        LOCAL_BASE_URL=asked.url,
        LOCAL_API_KEY="none",
    )
    assert asked.heard() == asked.messages
    (path,) = tmp_path.glob("*.json")
    log = json.loads(path.read_text("utf-8"))
    assert (log["status"], log["eval"]["task_version"]) == ("success", "1.0")
    assert log["eval"]["metadata"]["canary"] == "6a1f9f0e-3c57-4f0b-9d5e-2b7c8c1d4e90"
    (scores,) = log["results"]["scores"]
    found = {name: metric["value"] for name, metric in scores["metrics"].items()}
    for name in SCORES:
        assert found[name] == float(asked.rows["overall", ""][name])
    groups = [("category", it, it.lower()) for it in CATEGORIES]
    groups += [("label", it, f"label/{it}") for it in ("ST", "TM", "NC")]
    for by, group, called in groups:
        for name in (*MAIN, RATIO):
            assert found[f"{name}/{called}"] == float(asked.rows[by, group][name])
