"""Batches hold what has no reply, and each content once."""

import json

import pytest

from curation.records.errors import CurateError
from evaluation.batch.folder import INDEX, STATE, read_rounds
from evaluation.batch.formats import Format, Limits, Order
from evaluation.requests import messages_hash
from evaluation.runner.reply_file import outcome_of
from evaluation.runner.store import Kept, Store, reply_key

NOT_PLAIN = "나이-001a-001-amb-bsd-0-p1"


def key(text, model="m"):
    """Give the key of a request."""
    return reply_key(model, {"max_tokens": 4}, [{"role": "user", "content": text}])


def test_every_request_without_a_reply_is_written_in_its_order(desk):
    """In files of two, with an index that leads back."""
    desk.limits = Limits(2, 10_000)
    desk.ask("one", "two", "three")
    report = desk.write()
    assert (report.requests, report.written, report.before, report.waiting) == (3, 3, 0, 0)
    assert [file.name for file in report.files] == ["openai-001.jsonl", "openai-002.jsonl"]
    assert [desk.asked(1, 1), desk.asked(1, 2)] == [["r0", "r1"], ["r2"]]
    first = json.loads((report.folder / "openai-001.jsonl").read_text().splitlines()[0])
    assert first["body"] == {
        "model": "m",
        "messages": [{"role": "user", "content": "one"}],
        "max_tokens": 4,
    }
    (found,) = read_rounds(desk.batches)
    assert found.order == desk.order
    assert found.requests_file == desk.requests
    assert found.unread == {1, 2}
    assert [(row.custom_id, row.request_id, row.key, row.file) for row in found.rows()] == [
        ("r0", "r0", key("one"), 1),
        ("r1", "r1", key("two"), 1),
        ("r2", "r2", key("three"), 2),
    ]


def test_the_same_requests_make_the_same_bytes(desk, tmp_path):
    """Wherever the folder lies."""
    desk.ask("one", "two")
    first = desk.write().folder
    before = {path.name: path.read_bytes() for path in first.iterdir()}
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    desk.requests.rename(moved / "requests.jsonl")
    other = type(desk)(moved)
    assert {p.name: p.read_bytes() for p in other.write().folder.iterdir()} == before
    assert set(before) == {STATE, INDEX, "openai-001.jsonl"}


def test_requests_with_a_reply_are_left_out(desk):
    """In the file of replies; those of other models and failures do not count."""
    desk.ask("one", "two", "three")
    said = [("r0", "m", "A", "one"), ("r1", "other", "A", "two"), ("r2", "m", None, "three")]
    desk.replies.write_text(
        "".join(
            json.dumps({"request_id": n, "model": m, "reply": r, "key": key(t, m).hex()}) + "\n"
            for n, m, r, t in said
        )
    )
    report = desk.write()
    assert (report.before, report.written) == (1, 2)
    assert desk.asked() == ["r1", "r2"]


def test_what_the_store_has_goes_to_the_file_of_replies_and_is_not_asked(desk):
    """As a run would do."""
    desk.ask("one", "two")
    with Store(desk.folder / "store.sqlite") as store:
        store.put([Kept(key("two"), "m", "B", 3, 7, 1, 0.5, "stop", None)])
    report = desk.write()
    assert (report.from_store, report.written) == (1, 1)
    assert desk.asked() == ["r0"]
    (line,) = desk.lines()
    assert line == {
        "request_id": "r1",
        "model": "m",
        "reply": "B",
        "key": key("two").hex(),
        "messages_hash": f"{messages_hash([{'role': 'user', 'content': 'two'}]):016x}",
        "usage": {"input_tokens": 7, "output_tokens": 1},
        "latency_s": 0.5,
        "finish_reason": "stop",
        "error": None,
    }


def test_a_reply_that_a_filter_stopped_comes_from_the_store_as_it_was():
    """With its error."""
    error = '{"kind": "content_filter", "message": "no", "status": 400}'
    outcome = outcome_of(Kept(b"k", "m", "", error=error, finish_reason="content_filter"))
    assert outcome.text == ""
    assert (outcome.error.kind.value, outcome.error.message) == ("content_filter", "no")


def test_requests_that_say_the_same_are_asked_once(desk):
    """The index knows both."""
    desk.ask("one", "two", "one", "one")
    report = desk.write()
    assert (report.written, report.shared) == (4, 2)
    assert desk.asked() == ["r0", "r1"]
    (found,) = read_rounds(desk.batches)
    assert [(row.request_id, row.custom_id) for row in found.rows()] == [
        ("r0", "r0"),
        ("r1", "r1"),
        ("r2", "r0"),
        ("r3", "r0"),
    ]


def test_above_temperature_0_every_request_is_asked(desk):
    """Each in the batch file by its own name, the later ones with seeds of their own."""
    desk.order = Order(Format.OPENAI, "m", {"temperature": 1, "seed": 9})
    desk.ask("one", "two", "one", "one")
    report = desk.write()
    assert (report.written, report.shared) == (4, 0)
    assert desk.asked() == ["r0", "r1", "r2", "r3"]
    (found,) = read_rounds(desk.batches)
    assert len({row.key for row in found.rows()}) == 4
    path = next((desk.batches / "001").glob("openai-*.jsonl"))
    seeds = [json.loads(line)["body"]["seed"] for line in path.read_text().splitlines()]
    assert (seeds[:2], len(set(seeds))) == ([9, 9], 3)
    first = desk.write()
    assert (first.waiting, first.written) == (4, 0)
    reply = {"model": "m", "choices": [{"message": {"content": "A"}, "finish_reason": "stop"}]}
    response = {"status_code": 200, "body": reply}
    results = [{"custom_id": f"r{at}", "response": response, "error": None} for at in range(4)]
    desk.read(desk.results(*results))
    assert desk.said() == {"r0": "A", "r1": "A", "r2": "A", "r3": "A"}
    again = desk.write()
    assert (again.before, again.written) == (4, 0)


def test_a_pending_batch_of_shared_replies_is_not_paid_again(desk):
    """Requests that share a reply there wait for it, and have it when it is read."""
    desk.order = Order(Format.OPENAI, "m", {"temperature": 1})
    desk.ask("one", "two", "one", "one")
    desk.shares = True
    assert (desk.write().written, desk.asked()) == (4, ["r0", "r1"])
    desk.shares = False
    report = desk.write()
    assert (report.waiting, report.alike, report.written) == (4, 2, 0)
    desk.ask("one", "two", "one", "else", "one")
    report = desk.write()  # r3 says something else now, and r4 was in no batch
    assert (report.waiting, report.alike, report.written) == (3, 1, 2)
    assert desk.asked(2) == ["r3-r2", "r4-r2"]
    desk.ask("one", "two", "one", "one")
    body = {"model": "m", "choices": [{"message": {"content": "A"}, "finish_reason": "stop"}]}
    response = {"status_code": 200, "body": body}
    results = [{"custom_id": name, "response": response, "error": None} for name in ("r0", "r1")]
    desk.read(desk.results(*results))
    assert desk.said() == dict.fromkeys(("r0", "r1", "r2", "r3"), "A")
    report = desk.write()
    assert (report.before, report.written) == (4, 0)


def test_requests_in_batches_that_were_not_read_wait(desk):
    """A second writing would pay twice; --again writes them all the same."""
    desk.ask("one", "two")
    desk.write()
    desk.ask("one", "two", "three")
    report = desk.write()
    assert (report.waiting, report.written) == (2, 1)
    assert report.folder.name == "002"
    assert desk.asked(2) == ["r2-r2"]
    report = desk.write()
    assert (report.waiting, report.written, report.folder, report.files) == (3, 0, None, ())
    assert sorted(path.name for path in desk.batches.iterdir()) == ["001", "002"]
    report = desk.write(again=True)
    assert (report.waiting, report.written) == (0, 3)
    assert desk.asked(3) == ["r0-r3", "r1-r3", "r2-r3"]


@pytest.mark.parametrize(
    "other",
    [
        Order(Format.OPENAI, "n", {"max_tokens": 4}),
        Order(Format.OPENAI, "m", {"max_tokens": 5}),
        Order(Format.ANTHROPIC, "m", {"max_tokens": 4}),
    ],
)
def test_a_folder_asks_the_same_of_one_model(desk, other):
    """Custom ids would not tell the results apart."""
    desk.ask("one")
    desk.write()
    desk.order = other
    with pytest.raises(CurateError) as caught:
        desk.write()
    assert caught.value.what.startswith("this folder holds batches for m (openai; max_tokens=4)")
    assert caught.value.hint == "name another folder with --batches"


def test_anthropics_ids_lead_back_whatever_the_requests_are_called(desk):
    """Short ones stay, others are hashed, and the file is what the provider takes."""
    desk.order = Order(Format.ANTHROPIC, "m", {"max_tokens": 4})
    desk.ask("one", "two", names=["r0", NOT_PLAIN])
    report = desk.write()
    value = json.loads((report.folder / "anthropic-001.json").read_text())
    names = [item["custom_id"] for item in value["requests"]]
    assert names[0] == "r0"
    assert names[1].startswith("h-")
    (found,) = read_rounds(desk.batches)
    assert [(row.custom_id, row.request_id) for row in found.rows()] == [
        ("r0", "r0"),
        (names[1], NOT_PLAIN),
    ]


def test_a_request_that_cannot_be_said_leaves_nothing_behind(desk):
    """No half round."""
    desk.order = Order(Format.ANTHROPIC, "m", {"max_tokens": 4})
    messages = [{"role": "user", "content": "x"}, {"role": "system", "content": "y"}]
    desk.requests.write_text(json.dumps({"request_id": "r0", "messages": messages}) + "\n")
    with pytest.raises(CurateError, match="the request 'r0' cannot be asked so"):
        desk.write()
    assert list(desk.batches.iterdir()) == []


def test_a_damaged_folder_is_named(desk):
    """State and index."""
    desk.ask("one")
    folder = desk.write().folder
    index = (folder / INDEX).read_text()
    (folder / INDEX).write_text(index.replace("request_id", "request"))
    (found,) = read_rounds(desk.batches)
    with pytest.raises(
        CurateError, match=r"index\.csv cannot be read: its header has other columns"
    ):
        list(found.rows())
    for text, said in (("{", "is not JSON"), ("[]", "is not a JSON object"), ("{}", "is damaged")):
        (folder / STATE).write_text(text)
        with pytest.raises(CurateError, match=said) as caught:
            read_rounds(desk.batches)
        assert caught.value.where == str(folder / STATE)
