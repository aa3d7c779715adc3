"""`curate evaluate run`."""

import importlib.util
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from waiting import wait_for

ROOT = Path(__file__).parents[2]
PROGRAM = "from curation.cli.main import main; main()"
Serve = Callable[..., Any]


@pytest.fixture(scope="module")
def loopback() -> ModuleType:
    """The module of the server."""
    path = ROOT / "tests" / "evaluation" / "loopback.py"
    name = "curate_tests_evaluation_loopback"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch, loopback: ModuleType) -> Iterator[Serve]:
    """Start servers; the environment names none and holds no key."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with ExitStack() as stack:
        yield lambda **settings: stack.enter_context(loopback.serve(**settings))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the requests q0 to q9 where `prepare` writes them."""
    ask(tmp_path, [f"q{at}" for at in range(10)])
    return tmp_path


def ask(folder: Path, texts: list[str]) -> Path:
    """Write requests, one for each text."""
    path = folder / "exports" / "evaluation" / "requests.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        json.dumps({"request_id": f"r{at}", "messages": [{"role": "user", "content": text}]})
        for at, text in enumerate(texts)
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def replies(folder: Path) -> list[dict[str, Any]]:
    """Read the replies without the toolkit's own reader."""
    path = folder / "exports" / "evaluation" / "replies.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def echo(body: dict[str, Any]) -> str:
    """Reply with what was asked."""
    return f"re: {body['messages'][-1]['content']}"


def test_every_request_is_asked_and_the_replies_are_where_they_belong(
    curate: Any, folder: Path, serve: Serve
) -> None:
    """Beside the requests, with the parameters that were given and no others."""
    server = serve(persona=echo)
    options = ["-w", folder, "--model", "tiny", "--base-url", server.url, "--temperature", "0"]
    options += ["--max-tokens", "5", "--max-tokens-field", "max_completion_tokens"]
    ran = curate("evaluate", "run", *options, "--seed", "7", "--extra", 'stop=["."]')
    path = folder / "exports" / "evaluation" / "replies.jsonl"
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (
        "10 requests to tiny: 0 had a reply, 0 had one in the store, 10 answered now, 0 without a "
        f"reply. Replies: {path}\nTokens: 10 sent, 10 received.\n"
    )
    assert {line["request_id"]: line["reply"] for line in replies(folder)} == {
        f"r{at}": f"re: q{at}" for at in range(10)
    }
    body = {**server.bodies[0], "messages": None}
    assert body == {
        "model": "tiny",
        "messages": None,
        "temperature": 0.0,
        "max_completion_tokens": 5,
        "seed": 7,
        "stop": ["."],
    }
    assert (folder / ".curate" / "replies.sqlite").exists()
    bare = curate("evaluate", "run", "-w", folder, "--model", "other", "--base-url", server.url)
    assert bare.code == 0
    assert set(server.bodies[-1]) == {"model", "messages"}


def test_json_counts_everything(curate: Any, folder: Path, serve: Serve) -> None:
    """One object, and nothing else on standard output."""
    used = {"prompt_tokens": 20, "completion_tokens": 4}
    server = serve(usage=lambda *_: used)
    (folder / "prices.yaml").write_text("tiny: {input: 100, output: 1000, currency: KRW}")
    options = ["-w", folder, "--model", "tiny", "--base-url", server.url, "--json"]
    ran = curate("evaluate", "run", *options, "--prices", folder / "prices.yaml")
    assert (ran.code, ran.err) == (0, "")
    base = folder / "exports" / "evaluation"
    assert ran.json == {
        "model": "tiny",
        "requests_file": str(base / "requests.jsonl"),
        "replies_file": str(base / "replies.jsonl"),
        "shard": None,
        "requests": 10,
        "before": 0,
        "other_lines": 0,
        "from_store": 0,
        "answered": 10,
        "left": 0,
        "untried": 0,
        "failed": {},
        "content_filter": 0,
        "cut_in_thoughts": 0,
        "cut_at_max_tokens": 0,
        "sent_again": 0,
        "maybe_billed": 0,
        "without_usage": 0,
        "usage_refused": 0,
        "input_tokens": 200,
        "output_tokens": 40,
        "reasoning_tokens": 0,
        "cost": 0.06,
        "currency": "KRW",
        "ending": "done",
        "problem": None,
        "cut_off_bytes": 0,
    }


@pytest.mark.parametrize(
    ("body", "said", "hint"),
    [
        (b"<html>log in</html>", "the reply is a web page, not a model's", "check --base-url"),
        (b'data: {"choices": [{"del', "the reply is a stream, which was not", "turn off streaming"),
    ],
)
def test_what_is_no_model_is_said_with_what_to_look_at(
    curate: Any, folder: Path, serve: Serve, loopback: ModuleType, body: bytes, said: str, hint: str
) -> None:
    """A page to log in, or half a stream, with status 200: not only 'run it again'."""
    server = serve(faults=lambda *_: loopback.Fault(raw=body))
    options = ["-w", folder, "--model", "tiny", "--base-url", server.url, "--max-retries", "0"]
    ran = curate("evaluate", "run", *options)
    assert ran.code == 1
    told = " ".join(ran.err.split())
    assert "10 malformed" in told
    assert said in told
    assert hint in told
    assert "then run the same command again" in told


def test_what_is_left_is_an_error_by_kind(
    curate: Any, folder: Path, serve: Serve, loopback: ModuleType
) -> None:
    """With an example and what to do; the same command goes on."""

    def faults(_number: int, body: Any) -> Any:
        text = body["messages"][-1]["content"]
        return {"q2": loopback.status(400, message="too odd"), "q5": loopback.EMPTY}.get(text)

    server = serve(persona=echo, faults=faults)
    options = ["-w", folder, "--model", "tiny", "--base-url", server.url, "--max-retries", "0"]
    ran = curate("evaluate", "run", *options)
    assert ran.code == 1
    assert "8 answered now, 2 without" in ran.out
    assert ran.err == (
        "Error: 2 of 10 requests are left without a reply: 1 empty, 1 refused\n"
        "  where: r5: empty: the reply holds no choice\n"
        "  do:    run the same command again: only what has no reply is asked\n"
    )
    server.faults = {}
    ran = curate("evaluate", "run", *options)
    assert (ran.code, ran.err, len(server.bodies)) == (0, "", 12)
    assert "8 had a reply" in ran.out


def test_a_refused_key_stops_at_once(
    curate: Any, folder: Path, serve: Serve, loopback: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key itself is never shown; the right one from another variable is taken."""
    server = serve(key=loopback.KEY)
    options = ["-w", folder, "--model", "tiny", "--base-url", server.url, "--concurrency", "2"]
    monkeypatch.setenv("OPENAI_API_KEY", "sk-wrong-wrong")
    ran = curate("evaluate", "run", *options)
    assert ran.code == 1
    assert "Error: the run stopped: the server refuses the key (401)" in ran.err
    assert "10 of 10 requests are left without a reply" in ran.err
    assert "wrong" not in ran.err + ran.out
    assert len(server.bodies) <= 2
    monkeypatch.setenv("MY_KEY", loopback.KEY)
    assert curate("evaluate", "run", *options, "--api-key-env", "MY_KEY").code == 0


def test_a_named_variable_without_a_key_is_an_error(
    curate: Any, folder: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also for a server of one's own; a key in its place is not shown."""
    monkeypatch.delenv("NO_KEY_HERE", raising=False)
    server = serve()
    options = ["-w", folder, "--model", "tiny", "--base-url", server.url]
    ran = curate("evaluate", "run", *options, "--api-key-env", "NO_KEY_HERE")
    assert ran.code == 1
    assert "NO_KEY_HERE is not set" in ran.err
    ran = curate("evaluate", "run", *options, "--api-key-env", "sk-abc123def")
    assert ran.code == 1
    assert "cannot be a variable's name" in ran.err
    assert "abc123" not in ran.err + ran.out
    assert server.bodies == []


def test_without_a_key_and_a_server_nothing_is_sent(
    curate: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The variable is named."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    ran = curate("evaluate", "run", "-w", folder, "--model", "tiny")
    assert ran.code == 1
    assert ran.err.startswith("Error: OPENAI_API_KEY is not set\n")


def test_a_dry_run_counts_and_sends_nothing(curate: Any, folder: Path, serve: Serve) -> None:
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


def test_limit_and_budget_stop_in_order(curate: Any, folder: Path, serve: Serve) -> None:
    """A limit is what was wanted; a budget that is not enough is an error."""
    used = {"prompt_tokens": 1, "completion_tokens": 1}
    server = serve(usage=lambda *_: used)
    options = ["-w", folder, "--model", "tiny", "--base-url", server.url, "--max-tokens", "1"]
    ran = curate("evaluate", "run", *options, "--limit", "3")
    assert (ran.code, ran.err) == (0, "")
    assert "3 answered now, 7 without" in ran.out
    (folder / "prices.yaml").write_text("tiny: {input: 1000000, output: 1000000}")
    money = ["--prices", folder / "prices.yaml", "--budget", "8.5"]
    ran = curate("evaluate", "run", *options, *money)
    assert ran.code == 1
    assert "Cost: 8.00." in ran.out
    assert ran.err.startswith("Error: the budget does not allow another request\n")
    assert "3 of 10 requests are left without a reply: 3 not tried" in ran.err
    assert len(server.bodies) == 7


def test_shards_are_disjoint_and_complete(curate: Any, folder: Path, serve: Serve) -> None:
    """Each request is in one."""
    server = serve(persona=echo)
    options = ["-w", folder, "--model", "tiny", "--base-url", server.url, "--json"]
    counts = []
    for part in ("1/3", "2/3", "3/3"):
        file = folder / f"{part[0]}.jsonl"
        ran = curate("evaluate", "run", *options, "--shard", part, "--replies", file)
        assert (ran.code, ran.json["shard"]) == (0, part)
        counts.append(ran.json["requests"])
    assert sum(counts) == 10
    assert sorted(body["messages"][-1]["content"] for body in server.bodies) == sorted(
        f"q{at}" for at in range(10)
    )
    ran = curate("evaluate", "run", *options, "--shard", "4/3")
    assert (ran.code, ran.out) == (1, "")
    assert "there is no part 4/3" in ran.err


def test_replies_to_other_prompts_are_not_passed_off_as_these(
    curate: Any, folder: Path, serve: Serve
) -> None:
    """A run with other parameters or texts is refused, or asks again when it is told to."""
    server = serve(persona=echo)
    options = ["-w", folder, "--model", "tiny", "--base-url", server.url]
    assert curate("evaluate", "run", *options).code == 0
    before = replies(folder)
    changed = curate("evaluate", "run", *options, "--temperature", "1")
    assert changed.code == 1
    assert "10 requests (r0) got their replies with a different prompt or different parameters" in (
        changed.err
    )
    assert (replies(folder), len(server.bodies)) == (before, 10)
    ask(folder, ["other", *(f"q{at}" for at in range(1, 10))])
    again = curate("evaluate", "run", *options, "--ask-changed")
    assert again.code == 0
    assert "1 request (r0) got its reply with a different prompt" in again.err
    assert len(server.bodies) == 11
    assert replies(folder)[-1]["reply"] == "re: other"


def test_a_torn_line_is_said_and_asked_again(curate: Any, folder: Path, serve: Serve) -> None:
    """The store has the reply: nothing is paid twice."""
    server = serve(persona=echo)
    options = ["-w", folder, "--model", "tiny", "--base-url", server.url]
    assert curate("evaluate", "run", *options).code == 0
    path = folder / "exports" / "evaluation" / "replies.jsonl"
    path.write_bytes(path.read_bytes()[:-40])
    ran = curate("evaluate", "run", *options)
    assert ran.code == 0
    assert "Note: the last line of" in ran.err
    assert "was cut off" in ran.err
    assert "9 had a reply, 1 had one in the store, 0 answered now" in ran.out
    assert (len(replies(folder)), len(server.bodies)) == (10, 10)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--budget", "3"], "--budget needs --prices"),
        ([], "name the model: --model NAME"),
        (["--extra", "x"], "'x' is not written as NAME=VALUE"),
        (["--extra", "x=y"], "put a text in quotes: 'x=\"y\"'"),
        (["--extra", "x=NaN"], "the value of 'x' is not JSON"),
        (["--extra", "x=1", "--extra", "x=2"], "'x' is given twice"),
        (["--extra", "model=1"], "'model' is not set here"),
        (["--temperature", "nan"], "nan is not a number"),
        (["--concurrency", "0"], "0 is not in the range"),
        (["--option", "x"], "'x' is not written as NAME=VALUE"),
    ],
)
def test_wrong_usage_is_status_2(curate: Any, folder: Path, options: list[str], said: str) -> None:
    """Before anything is read."""
    model = [] if not options else ["--model", "tiny"]
    ran = curate("evaluate", "run", "-w", folder, *model, *options)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("localhost:8000", "that is not an address of a server"),
        ("http://", "that is not an address of a server"),
        ("http://me:secret@localhost/v1", "an address must hold no name, password or query"),
        ("http://localhost/v1?key=secret", "an address must hold no name, password or query"),
    ],
)
def test_an_address_is_an_address_alone(curate: Any, folder: Path, url: str, said: str) -> None:
    """A secret in it would be shown, so it is refused without showing it."""
    ran = curate("evaluate", "run", "-w", folder, "--model", "tiny", "--base-url", url)
    assert ran.code == 1
    assert said in ran.err
    assert "secret" not in ran.err


def test_no_requests_are_said(curate: Any, tmp_path: Path) -> None:
    """Whether the file is not there or holds none."""
    options = ["-w", tmp_path, "--model", "tiny", "--base-url", "http://127.0.0.1:9/v1"]
    ran = curate("evaluate", "run", *options)
    assert ran.code == 1
    assert "requests.jsonl" in ran.err
    ask(tmp_path, [])
    ran = curate("evaluate", "run", *options)
    assert ran.code == 1
    assert "Error: there is no request\n" in ran.err
    assert not (tmp_path / ".curate").exists()
    assert not (tmp_path / "exports" / "evaluation" / "replies.jsonl").exists()


@pytest.mark.parametrize(
    ("number", "times"), [(signal.SIGINT, 1), (signal.SIGINT, 2), (signal.SIGTERM, 1)]
)
def test_ctrl_c_ends_in_order(folder: Path, serve: Serve, number: int, times: int) -> None:
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
