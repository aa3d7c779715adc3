"""Batches hold what has no reply, and each content once."""

import json

from evaluation.batch.folder import read_rounds
from evaluation.batch.formats import Format, Order
from evaluation.requests import messages_hash
from evaluation.runner.store import Kept, Store, reply_key


def key(text, model="m"):
    """Give the key of a request."""
    return reply_key(model, {"max_tokens": 4}, [{"role": "user", "content": text}])


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
