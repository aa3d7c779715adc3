"""`curate evaluate run --models` and `--provider`: several models, and whose servers."""

import importlib.util
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from curation.files.workspace import Workspace
from curation.records.errors import CurateError
from evaluation import plan_models, plan_run, run_models
from evaluation.runner.backend import BackendSettings
from evaluation.runner.models_file import read_models
from evaluation.runner.providers import providers, with_provider

Serve = Callable[..., Any]
KEYS = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "OTHER_KEY")


@pytest.fixture(scope="module")
def loopback() -> ModuleType:
    """The module of the server."""
    name = "curate_tests_loopback_of_models"
    path = Path(__file__).parents[1] / "evaluation" / "loopback.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch, loopback: ModuleType) -> Iterator[Serve]:
    """Start servers; the environment names none and holds no key."""
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with ExitStack() as stack:
        yield lambda **settings: stack.enter_context(loopback.serve(**settings))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
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


def replies(folder: Path) -> list[dict[str, Any]]:
    """Read the replies without the toolkit's own reader."""
    path = folder / "exports" / "evaluation" / "replies.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write(folder: Path, text: str) -> Path:
    """Write a file of models."""
    path = folder / "models.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_each_model_is_asked_with_its_own_settings(curate: Any, folder: Path, serve: Serve) -> None:
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


def test_a_name_is_no_part_of_what_is_paid_for(curate: Any, folder: Path, serve: Serve) -> None:
    """The same model with the same parameters is asked once; each name has its lines."""
    server = serve()
    text = (
        f"models:\n  - {{model: tiny, base_url: '{server.url}', parameters: {{temperature: 0}}}}\n"
    )
    text += text.splitlines()[1].replace("model: tiny", "model: tiny, name: other") + "\n"
    ran = curate("evaluate", "run", "-w", folder, "--models", write(folder, text), "--json")
    assert ran.code == 0
    assert [item["from_store"] for item in ran.json["models"]] == [0, 4]
    assert len(server.bodies) == 4
    assert [line["model"] for line in replies(folder)].count("other") == 4


def test_one_failing_model_does_not_stop_the_others(
    curate: Any, folder: Path, serve: Serve, loopback: ModuleType
) -> None:
    """The exit status is 1, and the table has a line for each model in 80 columns."""
    bad = serve(faults=lambda *_: loopback.status(404, message="no such model"))
    good = serve()
    name = "a-model-with-a-name-that-is-much-longer-than-any-terminal-has-room-for-it-in-a-table"
    text = f"""models:
  - {{model: {name}, base_url: '{bad.url}'}}
  - {{model: good, base_url: '{good.url}'}}
"""
    ran = curate("evaluate", "run", "-w", folder, "--models", write(folder, text))
    assert ran.code == 1
    assert "there is no such model or address" in ran.err
    assert max(map(len, ran.out.splitlines()[:-1])) <= 80
    assert "good" in ran.out and "1 of 2 models replied to all" in ran.out
    assert {line["model"] for line in replies(folder) if line["reply"]} == {"good"}


def test_all_missing_keys_are_named_before_anything_is_asked(
    curate: Any, folder: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At once, with the models that need them; servers of one's own need none."""
    server = serve()
    monkeypatch.setenv("GEMINI_API_KEY", "g")
    text = f"""models:
  - {{model: own, base_url: '{server.url}'}}
  - {{model: gpt, provider: openai}}
  - {{model: claude, provider: anthropic}}
  - {{model: gem, provider: gemini}}
  - {{model: gpt2, provider: openai}}
  - {{model: mine, provider: openai, key_variable: OTHER_KEY}}
  - {{model: far, base_url: '{server.url}', key_variable: FAR_KEY}}
"""
    ran = curate("evaluate", "run", "-w", folder, "--models", write(folder, text))
    assert ran.code == 1
    said = "OPENAI_API_KEY (gpt, gpt2); ANTHROPIC_API_KEY (claude); OTHER_KEY (mine)"
    assert f"keys are missing: {said}; FAR_KEY (far)" in " ".join(ran.err.split())
    assert server.bodies == []


@pytest.mark.parametrize(
    ("entry", "what"),
    [
        ("key_variable: sk-abc123def", "cannot be a variable's name"),
        ("base_url: 'localhost:8000/v1'", "that is not an address of a server"),
        ("base_url: 'http://me:hidden99@host/v1'", "an address must hold no name, password"),
    ],
)
def test_a_key_or_an_address_in_the_wrong_place_is_said_before_anything_is_asked(
    curate: Any, folder: Path, serve: Serve, entry: str, what: str
) -> None:
    """With file and model, and without what may be a secret."""
    server = serve()
    text = f"models:\n  - {{model: own, base_url: '{server.url}'}}\n  - {{model: far, {entry}}}\n"
    ran = curate("evaluate", "run", "-w", folder, "--models", write(folder, text))
    assert ran.code == 1
    assert what in " ".join(ran.err.split())
    assert "model 2 (far)" in ran.err
    assert "abc123" not in ran.err + ran.out
    assert "hidden99" not in ran.err + ran.out
    assert server.bodies == []


def test_a_dry_run_prices_all_without_keys(curate: Any, folder: Path, serve: Serve) -> None:
    """Nothing is sent."""
    serve()
    text = """models:
  - {model: gpt, provider: openai, parameters: {max_tokens: 10},
     price: {input: 1000000, output: 1000000, currency: USD}}
  - {model: claude, provider: anthropic}
"""
    path = write(folder, text)
    ran = curate("evaluate", "run", "-w", folder, "--models", path, "--dry-run", "--json")
    first, second = ran.json["models"]
    assert (first["to_ask"], first["cost"], first["currency"]) == (4, 44.0, "USD")
    assert (second["to_ask"], second["cost"]) == (4, None)
    shown = curate("evaluate", "run", "-w", folder, "--models", path, "--dry-run")
    assert "44.00 USD" in shown.out and "Nothing was sent" in shown.out


def test_the_name_of_the_option_leads_to_the_key_of_the_file(tmp_path: Path) -> None:
    """`--api-key-env` is `key_variable` there."""
    path = write(tmp_path, "models:\n  - model: a\n    api_key_env: OTHER_KEY\n")
    with pytest.raises(CurateError) as caught:
        read_models(path, BackendSettings(""))
    assert caught.value.what == "models.item 1.api_key_env: there is no such setting"
    assert caught.value.hint == "did you mean key_variable?"


@pytest.mark.parametrize(
    ("text", "what", "line"),
    [
        ("models:\n  - model: a\n    temprature: 0\n", "temprature", 3),
        ("models:\n  - model: a\n    parameters:\n      max_token: 3\n", "max_token", 4),
        ("models:\n  - name: a\n", "model", 2),
        ("models: []\n", "models", 1),
        ("model:\n  - model: a\n", "model", 1),
        ("models:\n  - model: a\n    parameters: {temperature: warm}\n", "temperature", 3),
        ("models:\n  - model: a\n    concurrency: 0\n", "concurrency", 3),
        ("models:\n  - model: a\n    price: {input: -1, output: 2}\n", "input", 3),
        ("models:\n  - model: a\n    model: b\n", "model", 3),
    ],
)
def test_a_wrong_key_is_told_with_its_line(tmp_path: Path, text: str, what: str, line: int) -> None:
    """One error, before anything is asked."""
    path = write(tmp_path, text)
    with pytest.raises(CurateError) as caught:
        read_models(path, BackendSettings(""))
    assert what in caught.value.what
    assert caught.value.where == f"{path}, line {line}"


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
def test_settings_that_do_not_go_together_are_told(tmp_path: Path, text: str, what: str) -> None:
    """With the model that they are of."""
    path = write(tmp_path, f"models:\n  - {text}\n")
    with pytest.raises(CurateError, match=what) as caught:
        read_models(path, BackendSettings(""))
    assert caught.value.where.startswith(str(path))


def test_two_models_on_the_command_line_are_refused(curate: Any, folder: Path) -> None:
    """With the way that asks both."""
    for command in ("run", "batch write"):
        ran = curate("evaluate", *command.split(), "-w", folder, "--model", "a", "--model", "b")
        assert ran.code == 2
        assert "--models models.yaml" in ran.err
        assert "a, b" in ran.err


def test_options_of_one_model_do_not_go_with_a_file(curate: Any, folder: Path) -> None:
    """They would say of all what the file says of each."""
    path = write(folder, "models:\n  - model: a\n")
    ran = curate("evaluate", "run", "-w", folder, "--models", path, "--temperature", "0")
    assert ran.code == 2
    assert "--temperature does not go with --models: say it of each model" in ran.err


def test_a_budget_bounds_all_models_together(curate: Any, folder: Path, serve: Serve) -> None:
    """What one has spent the next one has not; and every model needs a price."""
    server = serve(usage=lambda *_: {"prompt_tokens": 1, "completion_tokens": 1})
    price = "price: {input: 1000000, output: 1000000}, parameters: {max_tokens: 1}"
    text = "models:\n" + "".join(
        f"  - {{model: {name}, base_url: '{server.url}', concurrency: 1, {price}}}\n"
        for name in "ab"
    )
    path = write(folder, text)
    ran = curate(*("evaluate", "run", "-w", folder, "--models", path, "--budget", 11, "--json"))
    assert ran.code == 1
    assert [item["ending"] for item in ran.json["models"]] == ["done", "budget"]
    assert sum(item["cost"] for item in ran.json["models"]) <= 11
    bare = write(folder, f"models:\n  - {{model: a, base_url: '{server.url}'}}\n")
    without = curate("evaluate", "run", "-w", folder, "--models", bare, "--budget", 11)
    assert "a budget needs the price of 'a'" in without.err


def test_a_provider_gives_address_key_and_field(
    curate: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_the_table_of_the_page_is_that_of_the_package() -> None:
    """Every provider is there with its address and key variable."""
    page = (Path(__file__).parents[2] / "docs" / "evaluation-running.md").read_text("utf-8")
    for name, item in providers().items():
        row = next(line for line in page.splitlines() if line.startswith(f"| `{name}` |"))
        for text in (item.base_url or item.address, item.key_variable, item.max_tokens_field):
            assert f"`{text}`" in row
        assert ("not tried" in row) == (not item.page)


def test_a_dated_address_keeps_its_version_and_hides_its_key(
    curate: Any, folder: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_several_models_are_asked_from_python(
    folder: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One at a time, each with what came of it; nothing is printed."""
    server = serve()
    text = f"models:\n  - {{model: a, base_url: '{server.url}'}}\n  - {{model: b, backend: hf}}\n"
    usual = plan_run(Workspace(folder), "openai")
    first, second = run_models(plan_models(write(folder, text), usual))
    assert (first.model, first.error) == ("a", None)
    assert first.ran is not None
    assert first.ran.tally.answered == 4
    assert second.ran is None
    assert second.error is not None


def test_the_table_is_followed_by_what_each_model_lost(
    curate: Any, folder: Path, serve: Serve, loopback: ModuleType
) -> None:
    """Retries, attempts that may be billed, tokens not counted; these are no 0."""
    cut = serve(faults={1: loopback.Fault(cut=True)})
    silent = serve(usage=lambda *_: None)
    path = write(
        folder,
        f"""
models:
  - {{model: torn, base_url: '{cut.url}', concurrency: 1}}
  - {{model: silent, base_url: '{silent.url}'}}
""",
    )
    ran = curate("evaluate", "run", "-w", folder, "--models", path)
    assert ran.code == 0
    said = ran.out.splitlines()
    assert "torn: Retries of requests: 1" in said
    assert "torn: Attempts without a reply that may have been billed: 1" in said
    assert "silent: Replies without a count of tokens: 4" in said
    assert next(line for line in said if line.startswith("silent  ")).split()[4] == "-"
