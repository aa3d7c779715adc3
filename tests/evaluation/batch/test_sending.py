"""Batch files to a provider and back: each sent once, whatever breaks."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from batch_provider import KEY, provider

from curation.files.workspace import Workspace
from curation.records.errors import CurateError
from evaluation import batch
from evaluation.batch.formats import Limits
from evaluation.batch.sending import Server

pytestmark = pytest.mark.slow  # a server on this machine
REQUESTS = 6
PER_FILE = 2
FORMATS = (batch.Format.OPENAI, batch.Format.ANTHROPIC)
CREATE = {
    batch.Format.OPENAI: "POST /v1/batches",
    batch.Format.ANTHROPIC: "POST /v1/messages/batches",
}


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    """A key, no address, and no pauses."""
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr("evaluation.batch.services.PAUSES", (0.0, 0.0))


@pytest.fixture
def workspace(tmp_path):
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
def format_(request, workspace):
    """Each protocol, with three batch files of two requests."""
    found: batch.Format = request.param
    write(workspace, found)
    return found


def write(workspace, format_=batch.Format.OPENAI):
    """Write what has no reply."""
    order = batch.Order(format_, "m", {"max_tokens": 4, "temperature": 0})
    batch.write(workspace, order, limits=Limits(PER_FILE, 10_000))


@pytest.fixture
def server():
    """The provider."""
    with provider() as found:
        yield found


def send(workspace, server, **more):
    """Send to it."""
    return batch.send(workspace, server=Server(server.url), **more)


def round_trip(workspace, server):
    """Fetch, and give the replies by request."""
    found = batch.fetch(workspace, every_s=0, sleep=lambda _seconds: None)
    assert found.complete
    assert found.taken is not None
    lines = map(json.loads, found.taken.replies_file.read_text().splitlines())
    return {line["request_id"]: line["reply"] for line in lines}


def sent_requests(server):
    """The custom ids of all batches, in the order in which they came."""
    return [item["custom_id"] for found in server.batches.values() for item in found["requests"]]


def test_files_go_up_and_replies_come_back(workspace, server, format_):
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
    files = [path for path in workspace.root.rglob("*") if path.is_file()]
    assert len(files) > 8
    assert [path for path in files if KEY.encode() in path.read_bytes()] == []


@pytest.mark.parametrize(("fault", "arrived"), [("lose", 1), ("drop", 0), (500, 0), (503, 0)])
def test_a_lost_reply_sends_nothing_twice_to_openai(workspace, server, fault, arrived):
    """Nobody heard whether the batch was made: the next command finds it by its mark, or not."""
    write(workspace)
    server.faults["POST /v1/batches"] = [fault]
    with pytest.raises(CurateError, match="did not say whether it has taken the batch"):
        send(workspace, server)
    found = send(workspace, server)
    assert (len(found.adopted), len(found.sent)) == (arrived, 3 - arrived)
    assert sent_requests(server) == [f"r{at}" for at in range(REQUESTS)]
    assert round_trip(workspace, server) == {f"r{at}": "A" for at in range(REQUESTS)}


def test_what_was_sent_is_not_sent_again(workspace, server, format_):
    """File by file with a limit; then nothing is left."""
    first = send(workspace, server, most=1)
    assert [item.path.name.split(".")[0][-3:] for item in first.sent] == ["001"]
    assert len(first.left) == 2
    second = send(workspace, server)
    assert (len(second.sent), len(second.before)) == (2, 1)
    third = send(workspace, server)
    assert (len(third.sent), len(third.before)) == (0, 3)
    assert sent_requests(server) == [f"r{at}" for at in range(REQUESTS)]


def test_anthropic_cannot_say_so_a_person_does(workspace, server):
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


@pytest.mark.parametrize("status", [400, 401, 429])
def test_a_refused_file_was_not_sent(workspace, server, format_, status):
    """The provider said no: the key is not shown, and the next command sends the file."""
    server.faults[CREATE[format_]] = [status]
    with pytest.raises(CurateError, match=f"refused with status {status}:") as told:
        send(workspace, server)
    assert KEY not in f"{told.value}"
    assert not server.batches
    assert len(send(workspace, server).sent) == 3


def test_a_batch_that_failed_whole_is_sent_again(workspace, server):
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


def test_two_commands_at_once_send_each_file_once(workspace, server):
    """The second one waits for the first one, and finds that all is done."""
    write(workspace)
    with ThreadPoolExecutor() as pool:
        found = list(pool.map(lambda _at: send(workspace, server), range(2)))
    assert sorted(len(item.sent) for item in found) == [0, 3]
    assert sent_requests(server) == [f"r{at}" for at in range(REQUESTS)]
