"""Results become replies, each once, whatever is missing, doubled or torn."""

import json

import pytest

from curation.records.errors import CurateError
from evaluation.batch.formats import Format, Order
from evaluation.batch.writing import Written
from evaluation.requests import messages_hash
from evaluation.runner.backend import FailureKind
from evaluation.runner.store import Store, reply_key


def key(text):
    """Give the key of a request."""
    return reply_key("m", {"max_tokens": 4}, [{"role": "user", "content": text}])


@pytest.fixture
def three(desk):
    """Three requests, written."""
    desk.ask("one", "two", "three")
    desk.write()
    return desk


def test_results_in_any_order_become_lines_as_a_run_writes_them(three, lines):
    """In the order of the requests; they are in the store, too."""
    path = three.results(*(lines["done"](f"r{at}", "CBA"[at]) for at in (2, 0, 1)))
    taken = three.read(path)
    assert taken.complete
    assert (taken.results, taken.replies, taken.known) == (3, 3, 0)
    assert three.said() == {"r0": "C", "r1": "B", "r2": "A"}
    assert list(three.said()) == ["r0", "r1", "r2"]
    assert three.lines()[0] == {
        "request_id": "r0",
        "model": "m",
        "reply": "C",
        "key": key("one").hex(),
        "messages_hash": f"{messages_hash([{'role': 'user', 'content': 'one'}]):016x}",
        "usage": {"input_tokens": 7, "output_tokens": 1},
        "latency_s": None,
        "finish_reason": "stop",
        "error": None,
    }
    with Store(three.folder / "store.sqlite") as store:
        kept = store.find([key("one"), key("two"), key("three")])
        assert store.seen("m").replies == 3
    assert kept[key("two")].reply == "B"
    assert kept[key("two")].size == 1


def test_failures_are_counted_by_kind_and_written_again_by_the_next_batch(three, lines):
    """From a file of errors; the reply then takes the failure's place."""
    good = three.results(lines["done"]("r1"))
    bad = three.results(lines["failed"]("r0", 400), lines["expired"]("r2"), name="errors.jsonl")
    taken = three.read(good, bad)
    assert taken.failed == {FailureKind.REFUSED: 1, FailureKind.EXPIRED: 1}
    assert (taken.missing, taken.waiting) == (["r0", "r2"], {})
    assert not taken.complete
    assert [line["error"] and line["error"]["kind"] for line in three.lines()] == [
        None,
        "refused",
        "expired",
    ]
    report = three.write()
    assert (report.before, report.waiting, report.written) == (1, 0, 2)
    assert three.asked(2) == ["r0-r2", "r2-r2"]
    done = lines["done"]
    taken = three.read(three.results(done("r0-r2"), done("r2-r2"), name="2.jsonl"))
    assert taken.complete
    assert taken.replies == 2
    assert [line["reply"] for line in three.lines()] == ["A", None, None, "A", "A"]


def test_an_error_file_that_comes_late_is_of_its_own_round(three, lines):
    """Its requests are asked again already, and must not be asked a third time."""
    three.read(three.results(lines["done"]("r1")))
    assert three.write().written == 2
    late = three.results(lines["failed"]("r0"), lines["failed"]("r2"), name="errors.jsonl")
    taken = three.read(late)
    assert sum(taken.failed.values()) == 2
    waited = str(three.batches / "002" / "openai-001.jsonl")
    assert (taken.waiting, taken.missing) == ({waited: 2}, [])
    report = three.write()
    assert (report.waiting, report.written) == (2, 0)
    done = lines["done"]
    assert three.read(three.results(done("r0-r2"), done("r2-r2"), name="2.jsonl")).complete


def test_results_of_another_model_are_refused(three, lines):
    """Providers answer by dated names of the model; gpt-4o-mini is not gpt-4o."""
    done = lines["done"]
    for name in ("m-mini", "m-mini-2024-07-18", "mm", "gpt-z"):
        path = three.results(done("r0"), done("r1", model=name))
        with pytest.raises(CurateError) as caught:
            three.read(path)
        assert f"--accept-model '{name}'" in caught.value.hint
        assert three.lines() == []
    for name in ("m-2024-07-18", "m-20241022", "m-latest", "openai/m", "M"):
        assert three.read(three.results(done("r0", model=name))).complete is False
        assert three.lines().pop()["model"] == "m"
        three.replies.unlink()
    path = three.results(done("r0"), done("r1", model="gpt-z"))
    assert three.read(path, accepted=["gpt-z"]).replies == 2


def test_a_torn_file_is_read_as_far_as_it_goes_and_waited_for(three, lines):
    """It has to be fetched again; nothing is asked twice meanwhile."""
    path = three.results(lines["done"]("r0"), end="\n" + json.dumps(lines["done"]("r1"))[:50])
    taken = three.read(path)
    assert [item.rule for item in taken.problems] == ["jsonl-torn-line"]
    waited = str(three.batches / "001" / "openai-001.jsonl")
    assert (taken.replies, taken.missing, taken.waiting) == (1, [], {waited: 2})
    assert three.write().waiting == 2
    whole = three.results(*(lines["done"](f"r{at}") for at in range(3)))
    assert three.read(whole).complete
    assert len(three.said()) == 3


def test_a_result_is_the_reply_of_every_request_that_says_the_same(desk, lines):
    """It was asked once."""
    desk.ask("one", "two", "one")
    desk.write()
    taken = desk.read(desk.results(lines["done"]("r0", "B"), lines["done"]("r1", "C")))
    assert taken.complete
    assert (taken.results, taken.replies) == (2, 3)
    assert desk.said() == {"r0": "B", "r1": "C", "r2": "B"}


def test_anthropics_results_lead_back_to_the_requests(desk):
    """Through hashed ids, in any order."""
    names = ["나이-001a-001-amb-bsd-0-p1", "r1", "x" * 90]
    desk.order = Order(Format.ANTHROPIC, "m", {"max_tokens": 4})
    desk.ask("one", "two", "three", names=names)
    folder = desk.write().folder
    value = json.loads((folder / "anthropic-001.json").read_text())
    replies = dict(zip([item["custom_id"] for item in value["requests"]], "ABC", strict=True))
    results = [
        {
            "custom_id": name,
            "result": {
                "type": "succeeded",
                "message": {"model": "m", "content": [{"type": "text", "text": text}]},
            },
        }
        for name, text in reversed(replies.items())
    ]
    assert desk.read(desk.results(*results)).complete
    assert desk.said() == dict(zip(names, "ABC", strict=True))


def test_a_killed_reading_loses_and_doubles_nothing(three, lines, monkeypatch):
    """It ends between the lines and the note of what was read."""
    made = [lines["done"]("r0"), lines["failed"]("r1"), lines["done"]("r2")]
    path = three.results(*made)

    def killed(*_args):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("evaluation.batch.reading._noted", killed)
        with pytest.raises(KeyboardInterrupt):
            three.read(path)
    before = three.replies.read_bytes()
    assert len(three.lines()) == 3
    assert three.read(path).missing == ["r1"]
    assert three.replies.read_bytes() == before
    assert isinstance(three.write(), Written)
    assert three.asked(2) == ["r1-r2"]
