"""Batch files hold what has no reply, each content once; their results become replies, once."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest

from curation.files.workspace import Workspace
from curation.records.messages import CurateError, own_yaml
from evaluation import batch
from evaluation.batch import read_results
from evaluation.replies.reply import FailureKind, Reply, Usage, reply_line
from evaluation.requests import messages_hash
from evaluation.runner.asking import plan_run
from evaluation.runner.backend import BackendSettings
from evaluation.runner.index import reply_key
from evaluation.runner.store import Store

TABLE = own_yaml((Path(__file__).parent / "results.yaml").read_text(encoding="utf-8"))
PARAMETERS = {"max_tokens": 4, "temperature": 0}


def messages(text):
    return [{"role": "user", "content": text}]


def key(text, parameters=None):
    """The key of a request at temperature 0."""
    return reply_key({"model": "m", "messages": messages(text), **(parameters or PARAMETERS)})


def done(name, text="A", model="m"):
    choice = {"index": 0, "message": {"role": "assistant", "content": text}}
    choice["finish_reason"] = "stop"
    usage = {"prompt_tokens": 7, "completion_tokens": 1}
    body = {"id": "c", "model": model, "choices": [choice], "usage": usage}
    response = {"status_code": 200, "request_id": "x", "body": body}
    return {"id": "batch_req_1", "custom_id": name, "response": response, "error": None}


def failed(name, status=500):
    response = {"status_code": status, "body": {"error": {"message": "no", "code": None}}}
    return {"custom_id": name, "response": response, "error": None}


def expired(name):
    """Make a line of OpenAI's for a request that its batch had no time for."""
    error = {"code": "batch_expired", "message": "out of time"}
    return {"custom_id": name, "response": None, "error": error}


@dataclass
class Desk:
    """A workspace with requests, replies, a store and batches of the model `m`."""

    workspace: Workspace

    @property
    def folder(self):
        return self.workspace.exports_folder / "evaluation"

    @property
    def batches(self):
        return self.folder / "batches" / "m"

    def ask(self, *texts, names=()):
        """Write requests `r0`, `r1` and so on."""
        names = names or [f"r{at}" for at in range(len(texts))]
        asked = zip(names, texts, strict=True)
        self.objects(
            "requests.jsonl", *({"request_id": n, "messages": messages(text)} for n, text in asked)
        )

    def objects(self, name, *objects, end="\n"):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(map(json.dumps, objects)) + end, encoding="utf-8")
        return path

    def write(self, parameters=None, **more):
        settings = BackendSettings("m", parameters or PARAMETERS)
        return SimpleNamespace(**batch.write(plan_run(self.workspace, "openai", settings), **more))

    def read(self, *objects, name="out.jsonl", **more):
        plan = plan_run(self.workspace, "openai")
        return batch.read(plan, [self.objects(name, *objects)], **more)

    def asked(self, number=1, file=1):
        path = self.batches / f"{number:03d}" / f"openai-{file:03d}.jsonl"
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]

    def names(self, number=1, file=1):
        return [line["custom_id"] for line in self.asked(number, file)]

    def lines(self):
        path = self.folder / "replies.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def said(self):
        """Give the replies by request; no request has two."""
        found = [line for line in self.lines() if line["reply"] is not None]
        said = {line["request_id"]: line["reply"] for line in found}
        assert len(said) == len(found)
        return said


@pytest.fixture
def desk(tmp_path):
    return Desk(Workspace(tmp_path))


@pytest.fixture
def three(desk):
    desk.ask("one", "누구인가?", "three")
    desk.write()
    return desk


def test_a_batch_file_asks_what_has_no_reply(desk):
    """As the provider takes it; what the store has goes to the file of replies instead."""
    desk.ask("one", "누구인가?", "three")
    reply = Reply("B", Usage(7, 1), "stop", 0.5, model="m", key=key("one"), request_id="x")
    with Store(desk.workspace.curate_folder / "replies.sqlite") as store:
        store.put([(reply, reply_line(reply))])
    report = desk.write()
    assert (report.requests, report.from_store, report.written) == (3, 1, 2)
    first, _ = desk.asked()
    assert first == {
        "custom_id": "r1",
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": {"model": "m", "messages": messages("누구인가?"), **PARAMETERS},
    }
    (line,) = desk.lines()
    assert line == {
        "request_id": "r0",
        "model": "m",
        "reply": "B",
        "key": key("one").hex(),
        "messages_hash": f"{messages_hash(messages('one')):016x}",
        "usage": {"input_tokens": 7, "output_tokens": 1},
        "latency_s": 0.5,
        "finish_reason": "stop",
        "error": None,
    }


def test_files_are_split_at_the_limits(desk, monkeypatch):
    """Each request is in one file, in their order; one that fits into none is refused."""
    desk.ask(*map(str, range(5)))
    size = 0
    for most, largest in ((2, 10**6), (99, 400)):
        monkeypatch.setattr(batch, "MOST", most)
        monkeypatch.setattr(batch, "LARGEST", largest)
        report = desk.write()
        assert [file["requests"] for file in report.files] == [2, 2, 1]
        assert [name for at in (1, 2, 3) for name in desk.names(1, at)] == [
            f"r{at}" for at in range(5)
        ]
        for path, size in ((Path(file["path"]), file["size"]) for file in report.files):
            assert path.stat().st_size == size <= largest
        shutil.rmtree(desk.batches / "001")
    monkeypatch.setattr(batch, "LARGEST", size - 1)
    with pytest.raises(CurateError, match="the request 'r0' alone is larger"):
        desk.write()
    assert list(desk.batches.glob("0*")) == []


@pytest.mark.parametrize("drawn", [False, True])
def test_requests_that_say_the_same(desk, drawn):
    """At temperature 0 one is asked for all; above it each is asked, and has its own reply."""
    parameters = {"temperature": 1 if drawn else 0, "seed": 9}
    names = ["a", "b", "a2", "a3", "a-e2", "a2-e2"]
    desk.ask("one", "two", "one", "one", "one", "one", names=names)
    path = desk.folder / "requests.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    desk.objects("requests.jsonl", *lines[:4], *(line | {"epoch": 2} for line in lines[4:]))
    report = desk.write(parameters)
    assert (report.written, report.shared, report.epochs) == (6, 0 if drawn else 3, 2)
    asked = names if drawn else ["a", "b", "a-e2"]
    assert desk.names() == asked
    seeds = {line["custom_id"]: line["body"]["seed"] for line in desk.asked()}
    assert (seeds["a"], seeds["a-e2"]) == (9, 10)
    assert desk.write(parameters).written == 0
    taken = desk.read(*(done(name, f"to {name}") for name in asked))
    assert (taken.complete, taken.tally.answered) == (True, 6)
    first = {"a2": "a", "a3": "a", "a2-e2": "a-e2"}
    wanted = {n: f"to {n if drawn else first.get(n, n)}" for n in names}
    assert desk.said() == wanted
    assert desk.write(parameters).before == 6
    # A reading that was killed before its last lines is made up for by the next.
    desk.objects("replies.jsonl", *desk.lines()[:4])
    desk.read(*(done(name, f"to {name}") for name in asked))
    assert desk.said() == wanted


def test_requests_in_batches_that_were_not_read_wait(desk):
    """A second writing would pay twice. One way of asking."""
    desk.ask("one", "two")
    desk.write()
    desk.ask("one", "two", "three")
    report = desk.write()
    assert (report.waiting, report.written, desk.names(2)) == (2, 1, ["r2-r2"])
    report = desk.write()
    assert (report.waiting, report.written, report.files) == (3, 0, [])
    with pytest.raises(CurateError, match="batches that ask r0 another way: max_tokens=4"):
        desk.write({"temperature": 1})


def test_results_in_any_order_become_replies(three):
    """In the order of the requests; they are in the store, too. The same file changes nothing."""
    results = [done(f"r{at}", "CBA"[at]) for at in (2, 0, 1)]
    taken = three.read(*results)
    assert taken.complete
    assert (taken.results, taken.tally.answered, taken.known) == (3, 3, 0)
    assert list(three.said().items()) == [("r0", "C"), ("r1", "B"), ("r2", "A")]
    with Store(three.workspace.curate_folder / "replies.sqlite") as store:
        assert store.find([key("one")])[key("one")].text == "C"
    before = three.lines()
    again = three.read(*results)
    assert (again.known, again.tally.answered, again.complete, three.lines()) == (
        3,
        0,
        True,
        before,
    )


def test_failures_are_counted_by_kind_and_written_again(three):
    """The reply of the next round takes the failure's place; a late one of the first is known."""
    taken = three.read(done("r1"), failed("r0", 400), expired("r2"))
    assert taken.tally.failed == {FailureKind.REFUSED: 1, FailureKind.EXPIRED: 1}
    assert (taken.missing, taken.waiting, taken.complete) == (["r0", "r2"], {}, False)
    kinds = [line["error"] and line["error"]["kind"] for line in three.lines()]
    assert kinds == ["refused", None, "expired"]
    assert three.read(done("r1"), failed("r0", 400)).missing == ["r0", "r2"]
    assert len(three.lines()) == 3
    report = three.write()
    assert (report.before, report.written, three.names(2)) == (1, 2, ["r0-r2", "r2-r2"])
    taken = three.read(done("r0-r2", "B"))
    assert (taken.missing, taken.waiting) == (["r2"], {})
    late = three.read(done("r2", "C"), failed("r0"))
    assert (late.tally.answered, late.known, late.complete) == (1, 1, True)
    assert three.said() == {"r0": "B", "r1": "A", "r2": "C"}


def test_what_waits_and_what_is_unknown_is_named(desk, monkeypatch):
    """A batch file without results, and custom ids that nobody asked."""
    desk.ask("one", "two", "three")
    monkeypatch.setattr(batch, "MOST", 2)
    files = [Path(file["path"]) for file in desk.write().files]
    taken = desk.read(done("r0"), done("strange"))
    assert (taken.missing, taken.waiting) == (["r1"], {str(files[1]): 1})
    assert taken.unknown == ["strange"]
    assert desk.write().waiting == 1
    with pytest.raises(CurateError, match="none of its 1 results belongs"):
        desk.read(done("other"))


def test_results_of_another_model_are_refused(three):
    """Unless it is the same with a date, or is said to be the same."""
    with pytest.raises(CurateError, match="1 results are of the model 'gpt'") as caught:
        three.read(done("r0", model="gpt"))
    assert "--model 'gpt'" in caught.value.hint
    assert three.read(done("r0", model="m-2024-07-18")).tally.answered == 1
    assert three.read(done("r1", model="gpt"), accepted=["gpt"]).tally.answered == 1
    (three.batches.parent / "gpt").mkdir()
    with pytest.raises(CurateError, match="has batches of its own"):
        three.read(done("r1", model="gpt"), model="m", accepted=["gpt"])


def test_a_file_that_is_cut_off_is_not_done(three):
    """Its whole lines count; nothing of its batch is written again before it is read whole."""
    text = json.dumps(done("r0")) + '\n{"custom_id": "r1", "resp'
    path = three.folder / "out.jsonl"
    path.write_text(text)
    taken = batch.read(plan_run(three.workspace, "openai"), [path])
    assert ([item.rule for item in taken.problems], taken.tally.answered) == (
        ["jsonl-torn-line"],
        1,
    )
    assert (taken.missing, list(taken.waiting.values())) == ([], [2])
    assert three.write().waiting == 2


def test_a_killed_reading_loses_and_doubles_nothing(three, monkeypatch):
    """It ends between the lines and the note of what was read."""

    def killed(*_args):
        raise KeyboardInterrupt

    results = [done("r0"), failed("r1"), done("r2")]
    with monkeypatch.context() as patch:
        patch.setattr("evaluation.batch.write_file", killed)
        with pytest.raises(KeyboardInterrupt):
            three.read(*results)
    before = three.lines()
    assert three.read(*results).missing == ["r1"]
    assert three.lines() == before
    assert three.write().written == 1


def results_of(tmp_path, *objects):
    path = tmp_path / "out.jsonl"
    path.write_text("\n".join(map(json.dumps, objects)), encoding="utf-8")
    taken = batch.Taken("m", tmp_path)
    read_results([path], taken)
    return taken


def test_results_are_replies_or_failures_of_kinds(tmp_path):
    """Every row of the table."""
    for value, text, kind, *tokens in TABLE["openai"]:
        read_back = results_of(tmp_path, {"custom_id": "r1", **value})
        assert not read_back.problems
        reply = read_back.found["r1"]
        assert (reply.text, reply.kind or reply.finish_reason) == (text, kind), value
        if tokens:
            assert [[reply.usage.input_tokens, reply.usage.output_tokens]] == tokens


def test_a_line_that_is_no_result_is_named(tmp_path):
    """The others are read."""
    for value in TABLE["no result"]:
        found = results_of(tmp_path, done("r0"), value, done("r2"))
        assert list(found.found) == ["r0", "r2"]
        assert [problem.row for problem in found.problems] == [2], value


def test_secrets_stay_out_of_messages(tmp_path):
    """A provider may repeat the key."""
    error = {"message": "Incorrect API key provided: sk-abcdef1234567890"}
    line = {"custom_id": "r1", "response": {"status_code": 500, "body": {"error": error}}}
    assert "abcdef" not in str(results_of(tmp_path, line).found["r1"].error)


def test_of_several_results_the_first_reply_counts(tmp_path):
    """A failure never stands for a reply."""
    found = results_of(tmp_path, failed("r0"), done("r0", "A"), done("r0", "B"), failed("r0"))
    assert found.found["r0"].text == "A"
    assert found.doubled == 3
