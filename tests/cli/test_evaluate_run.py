"""`curate evaluate run`."""

import json
import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from waiting import wait_for

from tests.evaluation import loopback

ROOT = Path(__file__).parents[2]
PROGRAM = "from curation.cli.main import main; main()"


@pytest.fixture
def serve(monkeypatch):
    """Start servers; the environment names none and holds no key."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
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
    """Write requests, one for each text."""
    path = folder / "exports" / "evaluation" / "requests.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        json.dumps({"request_id": f"r{at}", "messages": [{"role": "user", "content": text}]})
        for at, text in enumerate(texts)
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def replies(folder):
    """Read the replies without the toolkit's own reader."""
    path = folder / "exports" / "evaluation" / "replies.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def echo(body):
    """Reply with what was asked."""
    return f"re: {body['messages'][-1]['content']}"


def test_every_request_is_asked_and_the_replies_are_where_they_belong(curate, folder, serve):
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
