"""Batch files to a provider and back: each sent once, whatever breaks."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from batch_provider import KEY, Provider, provider

from curation.files.workspace import Workspace
from curation.records.errors import CurateError
from evaluation import batch
from evaluation.batch.formats import Limits
from evaluation.batch.sending import Sending, Server

pytestmark = pytest.mark.slow  # a server on this machine
REQUESTS = 6
PER_FILE = 2
FORMATS = (batch.Format.OPENAI, batch.Format.ANTHROPIC)
CREATE = {
    batch.Format.OPENAI: "POST /v1/batches",
    batch.Format.ANTHROPIC: "POST /v1/messages/batches",
}


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key, no address, and no pauses."""
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr("evaluation.batch.services.PAUSES", (0.0, 0.0))


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A workspace with requests alone."""
    path = tmp_path / "exports" / "evaluation" / "requests.jsonl"
    path.parent.mkdir(parents=True)
    lines = [
        {"request_id": f"r{at}", "messages": [{"role": "user", "content": f"q{at}"}]}
        for at in range(REQUESTS)
    ]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return Workspace(tmp_path)


@pytest.fixture(params=FORMATS, ids=str)
def format_(request: pytest.FixtureRequest, workspace: Workspace) -> batch.Format:
    """Each protocol, with three batch files of two requests."""
    found: batch.Format = request.param
    write(workspace, found)
    return found


def write(workspace: Workspace, format_: batch.Format = batch.Format.OPENAI) -> None:
    """Write what has no reply."""
    order = batch.Order(format_, "m", {"max_tokens": 4, "temperature": 0})
    batch.write(workspace, order, limits=Limits(PER_FILE, 10_000))


@pytest.fixture
def server() -> Iterator[Provider]:
    """The provider."""
    with provider() as found:
        yield found


def send(workspace: Workspace, server: Provider, **more: Any) -> Sending:
    """Send to it."""
    return batch.send(workspace, server=Server(server.url), **more)


def round_trip(workspace: Workspace, server: Provider) -> dict[str, str]:
    """Fetch, and give the replies by request."""
    found = batch.fetch(workspace, every_s=0, sleep=lambda _seconds: None)
    assert found.complete
    assert found.taken is not None
    lines = map(json.loads, found.taken.replies_file.read_text().splitlines())
    return {line["request_id"]: line["reply"] for line in lines}


def sent_requests(server: Provider) -> list[str]:
    """The custom ids of all batches, in the order in which they came."""
    return [item["custom_id"] for found in server.batches.values() for item in found["requests"]]


def test_files_go_up_and_replies_come_back(
    workspace: Workspace, server: Provider, format_: batch.Format
) -> None:
    """Every request once, with the key in the header that the protocol has."""
    server.answer = lambda _name, body: body["messages"][-1]["content"][1:]
    server.looks = 2
    found = send(workspace, server)
    assert (len(found.sent), found.requests, found.left) == (3, REQUESTS, ())
    assert sent_requests(server) == [f"r{at}" for at in range(REQUESTS)]
    assert round_trip(workspace, server) == {f"r{at}": str(at) for at in range(REQUESTS)}
    assert [item["looks"] for item in server.batches.values()] == [3, 3, 3]
    sign = KEY if format_ is batch.Format.ANTHROPIC else f"Bearer {KEY}"
    assert server.keys == {sign}
    assert send(workspace, server).requests == 0, "what was read is not sent again"


def test_what_was_sent_is_not_sent_again(
    workspace: Workspace, server: Provider, format_: batch.Format
) -> None:
    """File by file with a limit; then nothing is left."""
    first = send(workspace, server, most=1)
    assert [item.path.name.split(".")[0][-3:] for item in first.sent] == ["001"]
    assert len(first.left) == 2
    second = send(workspace, server)
    assert (len(second.sent), len(second.before)) == (2, 1)
    third = send(workspace, server)
    assert (len(third.sent), len(third.before)) == (0, 3)
    assert sent_requests(server) == [f"r{at}" for at in range(REQUESTS)]


def test_a_lost_reply_sends_nothing_twice_to_openai(workspace: Workspace, server: Provider) -> None:
    """The batch was made and nobody heard so: the next command finds it by its mark."""
    write(workspace)
    server.faults["POST /v1/batches"] = ["lose"]
    with pytest.raises(CurateError, match="did not say whether it has taken the batch"):
        send(workspace, server)
    found = send(workspace, server)
    assert ([item.batch for item in found.adopted], len(found.sent)) == (["batch_1"], 2)
    assert sent_requests(server) == [f"r{at}" for at in range(REQUESTS)]
    assert round_trip(workspace, server) == {f"r{at}": "A" for at in range(REQUESTS)}


@pytest.mark.parametrize("fault", ["drop", 500, 503])
def test_a_request_that_did_not_arrive_is_sent_to_openai(
    workspace: Workspace, server: Provider, fault: int | str
) -> None:
    """Nobody knows so at first; the list of batches says that it did not."""
    write(workspace)
    server.faults["POST /v1/batches"] = [fault]
    with pytest.raises(CurateError, match="did not say"):
        send(workspace, server)
    found = send(workspace, server)
    assert (len(found.adopted), len(found.sent)) == (0, 3)
    assert sent_requests(server) == [f"r{at}" for at in range(REQUESTS)]


def test_anthropic_cannot_say_so_a_person_does(workspace: Workspace, server: Provider) -> None:
    """Its batches carry no mark: the latest are named, and nothing is sent before it is said."""
    write(workspace, batch.Format.ANTHROPIC)
    server.faults["POST /v1/messages/batches"] = ["lose"]
    with pytest.raises(CurateError, match="did not say"):
        send(workspace, server)
    for _ in range(2):
        with pytest.raises(CurateError, match=r"msgbatch_1 \(2026-01-01.*, 2 requests\)") as told:
            send(workspace, server)
        assert "--sent FILE=BATCH" in told.value.hint
    found = send(workspace, server, known={"anthropic-001.json": "msgbatch_1"})
    assert (len(found.before), len(found.sent)) == (1, 2)
    assert sent_requests(server) == [f"r{at}" for at in range(REQUESTS)]


def test_a_person_may_say_that_a_file_was_not_sent(workspace: Workspace, server: Provider) -> None:
    """And only of a file of which nobody knows."""
    write(workspace, batch.Format.ANTHROPIC)
    server.faults["POST /v1/messages/batches"] = ["drop"]
    with pytest.raises(CurateError, match="did not say"):
        send(workspace, server)
    with pytest.raises(CurateError, match=r"'anthropic-002\.json' was not sent"):
        send(workspace, server, not_sent=["anthropic-002.json"])
    assert len(send(workspace, server, not_sent=["anthropic-001.json"]).sent) == 3
    with pytest.raises(CurateError, match=r"'anthropic-001\.json' was sent, as msgbatch_1"):
        send(workspace, server, not_sent=["anthropic-001.json"])


@pytest.mark.parametrize("status", [400, 401, 429])
def test_a_refused_file_was_not_sent(
    workspace: Workspace, server: Provider, format_: batch.Format, status: int
) -> None:
    """The provider said no: the key is not shown, and the next command sends the file."""
    server.faults[CREATE[format_]] = [status]
    with pytest.raises(CurateError, match=f"refused with status {status}:") as told:
        send(workspace, server)
    assert KEY not in f"{told.value}"
    assert not server.batches
    assert len(send(workspace, server).sent) == 3


def test_looking_is_tried_again(
    workspace: Workspace, server: Provider, format_: batch.Format
) -> None:
    """A server that is busy for a while, and one whose results break off."""
    send(workspace, server)
    place = "/v1/batches/batch_1"
    results = "/v1/files/batch_1-out/content"
    if format_ is batch.Format.ANTHROPIC:
        place = "/v1/messages/batches/msgbatch_1"
        results = f"{place}/results"
    server.faults = {f"GET {place}": [503, "drop"], f"GET {results}": ["drop", 429]}
    assert round_trip(workspace, server) == {f"r{at}": "A" for at in range(REQUESTS)}


def test_failed_requests_are_written_and_sent_anew(workspace: Workspace, server: Provider) -> None:
    """Their errors are read too; the next round holds only them."""
    write(workspace)
    server.answer = lambda name, _body: None if name in ("r1", "r2") else "A"
    send(workspace, server)
    found = batch.fetch(workspace)
    assert not found.complete
    assert found.taken is not None
    assert found.taken.missing == ["r1", "r2"]
    server.answer = lambda _name, _body: "B"
    write(workspace)
    assert send(workspace, server).requests == 2
    assert round_trip(workspace, server)["r2"] == "B"
    assert sent_requests(server)[REQUESTS:] == ["r1-r2", "r2-r2"]


def test_a_batch_that_failed_whole_is_sent_again(workspace: Workspace, server: Provider) -> None:
    """The provider took it, checked it and dropped it: nothing was asked."""
    write(workspace)
    server.ends = "failed"
    send(workspace, server)
    told: list[str] = []
    found = batch.fetch(workspace, note=told.append)
    assert not found.complete
    assert found.taken is None
    assert told[0].startswith("openai-001.jsonl: failed, 2 of 2: too much for ")
    assert KEY not in told[0]
    server.ends = "completed"
    assert len(send(workspace, server).sent) == 3
    assert round_trip(workspace, server) == {f"r{at}": "A" for at in range(REQUESTS)}


def test_a_file_that_was_changed_is_not_sent(workspace: Workspace, server: Provider) -> None:
    """Its results could not be told apart."""
    write(workspace)
    path = next(workspace.exports_folder.rglob("openai-002.jsonl"))
    path.write_text(path.read_text().replace("q2", "q9"))
    with pytest.raises(CurateError, match="the batch file was changed"):
        send(workspace, server)
    assert len(server.batches) == 1, "those before it were sent, and are known"
    with pytest.raises(CurateError, match="the batch file was changed"):
        send(workspace, server)
    assert len(server.batches) == 1


def test_without_a_key_nothing_is_sent(
    workspace: Workspace, server: Provider, format_: batch.Format, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The variable is named."""
    name = "OPENAI_API_KEY" if format_ is batch.Format.OPENAI else "ANTHROPIC_API_KEY"
    monkeypatch.delenv(name)
    with pytest.raises(CurateError, match=f"{name} is not set"):
        send(workspace, server)
    assert server.paths == []


def test_the_key_is_in_no_file(
    workspace: Workspace, server: Provider, format_: batch.Format
) -> None:
    """Of the whole workspace, after the whole way."""
    send(workspace, server)
    round_trip(workspace, server)
    files = [path for path in workspace.root.rglob("*") if path.is_file()]
    assert len(files) > 8
    assert [path for path in files if KEY.encode() in path.read_bytes()] == []


@pytest.mark.parametrize("url", ["api.openai.com", "https://me:pass@x/v1", "https://x/v1?key=1"])
def test_an_address_is_checked(workspace: Workspace, url: str) -> None:
    """It is written down, and must hold no secret."""
    write(workspace)
    with pytest.raises(CurateError, match=r"not an address of a server|must hold no name"):
        batch.send(workspace, server=Server(url))


def test_nothing_sent_is_said(workspace: Workspace) -> None:
    """With the command that sends."""
    write(workspace)
    with pytest.raises(CurateError, match="none of these batch files was sent") as told:
        batch.fetch(workspace)
    assert "batch send" in told.value.hint


def test_a_damaged_book_is_said(workspace: Workspace, server: Provider) -> None:
    """Nothing is sent while it cannot be read."""
    write(workspace)
    send(workspace, server, most=1)
    book = next(workspace.exports_folder.rglob("sent.json"))
    book.write_text(book.read_text().replace("openai-001", "openai-009"))
    with pytest.raises(CurateError, match=r"sent\.json is damaged: there is no file openai-009"):
        send(workspace, server)
    assert len(server.batches) == 1


def test_another_reply_than_the_protocol_has(workspace: Workspace, server: Provider) -> None:
    """A page in place of an object, with status 200."""
    write(workspace)
    server.handle = lambda *_: b"<html>hello</html>"  # type: ignore[method-assign]
    with pytest.raises(CurateError, match="sent something that is not JSON"):
        send(workspace, server)


def test_two_commands_at_once_send_each_file_once(workspace: Workspace, server: Provider) -> None:
    """The second one waits for the first one, and finds that all is done."""
    write(workspace)
    with ThreadPoolExecutor() as pool:
        found = list(pool.map(lambda _at: send(workspace, server), range(2)))
    assert sorted(len(item.sent) for item in found) == [0, 3]
    assert sent_requests(server) == [f"r{at}" for at in range(REQUESTS)]
