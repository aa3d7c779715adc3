"""Servers on this machine, requests, and runs against them through the real client."""

import json
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

import pytest
from layouts import write_jsonl

from evaluation.runner.backend import BackendSettings
from evaluation.runner.backends.completions import OpenaiBackend
from evaluation.runner.index import index_requests
from evaluation.runner.run import Job, Purse, RunCounts, run_requests
from evaluation.runner.store import EarlierCosts, ReplyFile, Store, read_standing
from tests.evaluation import loopback as server


@pytest.fixture(scope="session")
def loopback():
    return server


@pytest.fixture
def serve(monkeypatch):
    """Start servers; the environment names none and holds no key."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with ExitStack() as stack:
        yield lambda **settings: stack.enter_context(server.serve(**settings))


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr("evaluation.runner.run.FIRST_PAUSE_S", 0.01)
    monkeypatch.setattr("evaluation.runner.backends.completions.FIRST_REST_S", 0.05)


def write(folder, texts, **more):
    """Write one request for each text, `r0`, `r1` and so on, with more keys in each."""
    asked = enumerate({"messages": [{"role": "user", "content": text}], **more} for text in texts)
    rows = ({"request_id": f"r{at}", **row} for at, row in asked)
    return write_jsonl(folder / "requests.jsonl", rows)


@pytest.fixture(scope="session")
def write_requests():
    return write


def read_lines(path):
    """Read JSON lines without the toolkit's own reader; every line must be whole."""
    text = path.read_text(encoding="utf-8")
    assert text == "" or text.endswith("\n")
    return [json.loads(line) for line in text.split("\n")[:-1]]


@dataclass(frozen=True)
class Asked:
    """What a run counted, and the lines that the file has after it."""

    tally: RunCounts
    lines: list[dict[str, Any]]
    purse: Purse
    said: list[str]

    @property
    def replies(self):
        return {line["request_id"]: line["reply"] for line in self.lines}


def ask_all(
    folder,
    url,
    *,
    backend=None,
    model="tiny",
    parameters=None,
    timeout=20.0,
    store="store.sqlite",
    replies="replies.jsonl",
    requests="requests.jsonl",
    purse=None,
    draws=False,
    then_ask="",
    constrain="",
    concurrency=4,
    limit=None,
    max_retries=3,
):
    """Ask the requests of a folder, as the command does."""
    settings = BackendSettings(
        model,
        parameters or {},
        concurrency,
        url,
        timeout_s=timeout,
        then_ask=then_ask,
        constrain=constrain,
    )
    backend = backend or OpenaiBackend(settings)
    said = []
    with ExitStack() as stack:
        index = stack.enter_context(
            index_requests(folder / requests, replace(backend.asking, draws_unset=draws))
        )
        kept = stack.enter_context(Store(folder / store)) if store else None
        file = stack.enter_context(ReplyFile(folder / replies))
        standing = read_standing(file.path, index, backend.model, kept)
        purse = purse or Purse(None, None, None, EarlierCosts())
        tally = RunCounts(requests=len(index), before=standing.answered)
        given = index, standing.done, backend, kept, file, purse, concurrency, limit
        job = Job(*given, said.append, retries=max_retries)
        run_requests(job, tally)
    return Asked(tally, read_lines(folder / replies), purse, said)


@pytest.fixture(scope="session")
def ask():
    return ask_all
