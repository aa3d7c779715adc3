"""`curate evaluate run --models` and `--provider`: several models, and whose servers."""

import json
from contextlib import ExitStack

import pytest

from curation.records.errors import CurateError
from evaluation.runner.backend import BackendSettings
from evaluation.runner.models_file import read_models
from evaluation.runner.providers import with_provider
from tests.evaluation import loopback

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
    """A folder with the requests q0 to q3 where `prepare` writes them."""
    path = tmp_path / "exports" / "evaluation" / "requests.jsonl"
    path.parent.mkdir(parents=True)
    lines = [
        {
            "request_id": f"r{at}",
            "messages": [{"role": "user", "content": f"q{at}"}],
            "choices": ["x", "y", "z"],
        }
        for at in range(4)
    ]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return tmp_path


def replies(folder):
    """Read the replies without the toolkit's own reader."""
    path = folder / "exports" / "evaluation" / "replies.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write(folder, text):
    """Write a file of models."""
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
    base_url: [{server.url}]
    parameters: {{temperature: 1, max_tokens: 9, max_tokens_field: max_completion_tokens}}
    price: {{input: 100, output: 1000, currency: KRW}}
  - {{model: always-first, backend: always-first}}
""",
    )
    ran = curate("evaluate", "run", "-w", folder, "--models", path, "--json")
    first, second, third = ran.json["models"]
    assert (third["model"], third["answered"], ran.code) == ("always-first", 4, 0)
    assert (first["model"], first["answered"], first["cost"]) == ("tiny", 4, None)
    assert (second["model"], second["answered"], second["currency"]) == ("tiny warm", 4, "KRW")
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
    assert [item["before"] for item in again.json["models"][:2]] == [4, 4]
    assert len(server.bodies) == count == 8


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
    ],
)
def test_settings_that_do_not_go_together_are_told(tmp_path, text, what):
    """With the model that they are of."""
    path = write(tmp_path, f"models:\n  - {text}\n")
    with pytest.raises(CurateError, match=what) as caught:
        read_models(path, BackendSettings(""))
    assert caught.value.where.startswith(str(path))


def test_a_provider_gives_address_key_and_field(curate, folder, monkeypatch):
    """On the command line, too; a key that it needs is asked for by its name."""
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)
    ran = curate("evaluate", "run", "-w", folder, "--model", "claude", "--provider", "anthropic")
    assert ran.code == 1
    assert "ANTHROPIC_API_KEY is not set" in ran.err
    found = with_provider(BackendSettings("m", key_variable=""), "vllm")
    assert (found.base_urls, found.needs_key) == (("http://localhost:8000/v1",), False)
    own = with_provider(
        BackendSettings("m", base_urls=("http://x/v1",), key_variable="K"), "openai"
    )
    assert (own.base_urls, own.key_variable) == (("http://x/v1",), "K")


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
