"""`curate evaluate run`: one model or several (`--models`), and whose servers (`--provider`)."""

import json
import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from waiting import wait_for

from curation.files.workspace import Workspace
from curation.records.messages import CurateError
from evaluation.runner.asking import plan_models, plan_run
from evaluation.runner.backend import BackendSettings, served_by
from tests.evaluation import loopback

ROOT = Path(__file__).parents[2]
PROGRAM = "from curation.cli.main import main; main()"
KEYS = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "OTHER_KEY")


@pytest.fixture
def serve(monkeypatch):
    """Start servers; the environment names none and holds no key."""
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with ExitStack() as stack:
        yield lambda **settings: stack.enter_context(loopback.serve(**settings))


@pytest.fixture
def folder(tmp_path):
    """A folder with the requests q0 to q9 where `prepare` writes them."""
    ask(tmp_path, [f"q{at}" for at in range(10)])
    return tmp_path


def ask(folder, texts):
    path = folder / "exports" / "evaluation" / "requests.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        {
            "request_id": f"r{at}",
            "messages": [{"role": "user", "content": text}],
            "choices": ["x", "y", "z"],
        }
        for at, text in enumerate(texts)
    ]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


def replies(folder):
    path = folder / "exports" / "evaluation" / "replies.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def echo(body):
    return f"re: {body['messages'][-1]['content']}"


def test_a_dry_run_counts_and_sends_nothing(curate, folder, serve):
    """It writes nothing either, wants no key, and says that it estimates."""
    server = serve()
    (folder / "prices.yaml").write_text("tiny: {input: 1000000, output: 2000000, currency: EUR}")
    files = {path for path in folder.rglob("*") if path.is_file()}
    options = ["-w", folder, "--model", "tiny", "--dry-run", "--max-tokens", "3"]
    options += ["--prices", folder / "prices.yaml"]
    ran = curate("evaluate", "run", *options)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (
        "10 requests to tiny: 0 have a reply, 0 have one in the store, 10 would be asked. "
        "Nothing was sent.\n"
        "Estimated tokens: 10 sent, 30 received at most (assuming 4 ASCII characters, or "
        "1.5 others, for each token).\n"
        "Estimated cost: 70.00 EUR.\n"
    )
    assert {path for path in folder.rglob("*") if path.is_file()} == files
    run = ["evaluate", "run", "-w", folder, "--model", "tiny", "--max-tokens", "3"]
    assert curate(*run, "--base-url", server.url, "--limit", "4").code == 0
    (folder / "exports" / "evaluation" / "replies.jsonl").unlink()
    found = curate("evaluate", "run", *options, "--json").json
    assert (found["in_store"], found["to_ask"], found["dry_run"]) == (4, 6, True)
    assert (found["input_tokens"], found["cost"]) == (6, 42)
    assert len(server.bodies) == 4


def test_replies_to_other_prompts_are_not_passed_off_as_these(curate, folder, serve):
    """A run with other parameters or texts is refused; into another file it is asked."""
    server = serve(persona=echo)
    options = ["-w", folder, "--model", "tiny", "--base-url", server.url, "--max-tokens", "5"]
    options += ["--extra", "seed=7", "--extra", "stop=[1]"]
    assert curate("evaluate", "run", *options).code == 0
    body = {"model": "tiny", "max_tokens": 5, "seed": 7, "stop": [1]}
    assert {name: server.bodies[0][name] for name in server.bodies[0] if name != "messages"} == body
    before = replies(folder)
    changed = curate("evaluate", "run", *options, "--temperature", "1")
    assert changed.code == 1
    assert "10 requests (r0) got a reply with a different prompt or different parameters" in (
        changed.err
    )
    assert (replies(folder), len(server.bodies)) == (before, 10)
    ask(folder, ["other", *(f"q{at}" for at in range(1, 10))])
    again = curate("evaluate", "run", *options)
    assert again.code == 1
    assert "1 request (r0) got a reply with a different prompt" in again.err
    new = folder / "exports" / "evaluation" / "new.jsonl"
    assert curate("evaluate", "run", *options, "--replies", new).code == 0
    assert len(server.bodies) == 11  # the others are in the store


@pytest.mark.parametrize(
    ("number", "times"), [(signal.SIGINT, 1), (signal.SIGINT, 2), (signal.SIGTERM, 1)]
)
def test_ctrl_c_ends_in_order(folder, serve, number, times):
    """What is under way is waited for once, and given up at the second time; 130 either way.

    The server replies when the first signal was understood, or never.
    """
    ask(folder, [f"q{at}" for at in range(200)])
    server = serve(persona=echo, holds=lambda _number: True)
    args = ["evaluate", "run", "-w", folder, "--model", "tiny", "--base-url", server.url]
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *map(str, args), "--concurrency", "5", "--json"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    wait_for(lambda: len(server.bodies) == 5 or process.poll() is not None)
    process.send_signal(number)
    said = ""
    while "Note: stopping: waiting for what is under way" not in said:
        line = process.stderr.readline()
        assert line, said
        said += line
    if times == 1:
        server.holds = lambda _number: False
    else:
        process.send_signal(number)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 130
    found = json.loads(out)
    assert found["ending"] == "interrupted"
    assert "the same command continues" in err
    assert len(server.bodies) == 5
    if times == 1:
        assert (found["answered"], found["left"], found["maybe_billed"]) == (5, 195, 0)
        assert len(replies(folder)) == 5
    else:
        assert (found["answered"], found["left"], found["maybe_billed"]) == (0, 200, 5)


def write(folder, text):
    path = folder / "models.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_each_model_is_asked_with_its_own_settings(curate, folder, serve):
    """Into one file, each under its name; the same command asks nothing again."""
    server = serve(persona=lambda body: f"{body['model']} {body.get('temperature')}")
    path = write(
        folder,
        f"""
models:
  - model: tiny
    base_url: {server.url}
    parameters: {{temperature: 0, max_tokens: 5, seed: 7, extra: {{top_p: 0.5, effort: low}}}}
  - model: tiny
    name: tiny warm
    base_url: {server.url}
    parameters: {{temperature: 1, max_tokens: 9, max_tokens_field: max_completion_tokens}}
    price: {{input: 100, output: 1000, currency: KRW}}
  - {{model: always-first, backend: always-first}}
""",
    )
    ran = curate("evaluate", "run", "-w", folder, "--models", path, "--json")
    first, second, third = ran.json["models"]
    assert (third["model"], third["answered"], ran.code) == ("always-first", 10, 0)
    assert (first["model"], first["answered"], first["cost"]) == ("tiny", 10, None)
    assert (second["model"], second["answered"], second["currency"]) == ("tiny warm", 10, "KRW")
    bodies = {body.get("seed"): body for body in server.bodies}
    assert {name: value for name, value in bodies[7].items() if name != "messages"} == {
        "model": "tiny",
        "temperature": 0.0,
        "max_tokens": 5,
        "seed": 7,
        "top_p": 0.5,
        "effort": "low",
    }
    assert bodies[None]["max_completion_tokens"] == 9
    told = {(line["model"], line["reply"]) for line in replies(folder)}
    assert {("tiny", "tiny 0.0"), ("tiny warm", "tiny 1.0")} <= told
    count = len(server.bodies)
    again = curate("evaluate", "run", "-w", folder, "--models", path, "--json")
    assert [item["before"] for item in again.json["models"][:2]] == [10, 10]
    assert len(server.bodies) == count == 20


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("{model: a}\n  - {model: a}", "2 models are called 'a'"),
        ("{model: a, provider: opanai}", "opanai"),
        ("{model: a, backend: hff}", "hff"),
        ("{model: a, backend: hf, provider: vllm}", "asks no server"),
        ("{model: a, provider: azure}", "an address for each customer"),
        ("{model: a, provider: anthropic, parameters: {seed: 1}}", "ignores 'seed'"),
        ("{model: a, provider: anthropic, parameters: {logprobs: 5}}", "ignores 'logprobs'"),
        ("{model: a, provider: anthropic, parameters: {temperature: 2}}", "up to 1"),
        ("{model: a, parameters: {extra: {temperature: 1}}}", "'temperature' is not set in"),
        ("{model: a, parameters: {seed: 1, extra: {seed: 2}}}", "'seed' is not set in"),
    ],
)
def test_settings_that_do_not_go_together_are_told(tmp_path, text, what):
    path = write(tmp_path, f"models:\n  - {text}\n")
    with pytest.raises(CurateError, match=what) as caught:
        plan_models(path, plan_run(Workspace(tmp_path), "openai"))
    assert caught.value.where.startswith(str(path))


def test_a_provider_gives_address_key_and_field(curate, folder, monkeypatch):
    """On the command line, too; a key that it needs is asked for by its name."""
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)
    ran = curate("evaluate", "run", "-w", folder, "--model", "claude", "--provider", "anthropic")
    assert ran.code == 1
    assert "ANTHROPIC_API_KEY is not set" in ran.err
    found = served_by(BackendSettings("m"), "vllm")
    assert (found.base_url, found.needs_key) == ("http://localhost:8000/v1", False)
    own = served_by(BackendSettings("m", base_url="http://x/v1"), "openai", "K")
    assert (own.base_url, own.key_variable) == ("http://x/v1", "K")
    served_by(BackendSettings("m", parameters={"temperature": 1}), "anthropic")
    with pytest.raises(CurateError, match="accepts 'temperature' up to 1, and would reduce"):
        served_by(BackendSettings("m", parameters={"temperature": 1.1}), "anthropic")


def test_a_dated_address_keeps_its_version_and_hides_its_key(curate, folder, serve, monkeypatch):
    """Behind the path, as Azure wants it, with the key in its own header; no other query."""
    server = serve()
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "k1")
    given = ("evaluate", "run", "-w", folder, "--model", "my-deployment", "--provider", "azure")
    ran = curate(*given, "--base-url", f"{server.url}/?api-version=2024-10-21", "--max-tokens", "3")
    assert ran.code == 0, ran.err
    assert set(server.paths) == {"/v1/chat/completions?api-version=2024-10-21"}
    assert server.headers[0]["api-key"] == "k1"
    assert "authorization" not in server.headers[0]
    assert server.bodies[0]["max_completion_tokens"] == 3
    refused = curate(*given, "--base-url", f"{server.url}?api-key=s3cret")
    assert refused.code == 1
    assert "s3cret" not in refused.err
