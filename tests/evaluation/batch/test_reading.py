"""Results become replies, each once, whatever is missing, doubled or torn."""

import json

import pytest

from curation.records.errors import CurateError
from evaluation.batch.folder import INDEX
from evaluation.batch.formats import Format, Limits, Order
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


def test_reading_again_changes_nothing(three, lines):
    """Replies and failures alike."""
    path = three.results(lines["done"]("r0"), lines["failed"]("r1"), lines["expired"]("r2"))
    three.read(path)
    before = three.replies.read_bytes()
    taken = three.read(path, path)
    assert three.replies.read_bytes() == before
    assert (taken.results, taken.replies, taken.known) == (3, 0, 1)
    assert taken.missing == ["r1", "r2"]


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


def test_results_of_an_earlier_round_do_not_end_the_wait_for_a_later_one(three, lines):
    """When they are read a second time."""
    good = three.results(lines["done"]("r1"))
    bad = three.results(lines["failed"]("r0"), lines["failed"]("r2"), name="errors.jsonl")
    three.read(good, bad)
    three.write()
    taken = three.read(bad)
    waited = str(three.batches / "002" / "openai-001.jsonl")
    assert (taken.waiting, taken.missing) == ({waited: 2}, [])
    assert three.write().waiting == 2


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


def test_requests_without_any_result_are_missing_and_named(three, lines):
    """And written again."""
    taken = three.read(three.results(lines["done"]("r1")))
    assert taken.missing == ["r0", "r2"]
    assert three.write().written == 2


def test_batches_without_results_are_waited_for(desk, lines):
    """They are not missing, and not written again."""
    desk.limits = Limits(2, 10_000)
    desk.ask("one", "two", "three")
    desk.write()
    taken = desk.read(desk.results(lines["done"]("r0"), lines["done"]("r1")))
    waited = str(desk.batches / "001" / "openai-002.jsonl")
    assert (taken.missing, taken.waiting) == ([], {waited: 1})
    assert not taken.complete
    assert desk.write().waiting == 1


def test_unknown_ids_are_listed_and_the_others_taken(three, lines):
    """The reading is not complete."""
    made = [lines["done"](name) for name in ("r0", "r1", "r2", "r9")]
    taken = three.read(three.results(*made))
    assert taken.unknown == ["r9"]
    assert taken.replies == 3
    assert not taken.complete
    assert set(three.said()) == {"r0", "r1", "r2"}


def test_a_file_of_other_batches_is_refused(three, lines):
    """Nothing of it is taken."""
    with pytest.raises(CurateError) as caught:
        three.read(three.results(lines["done"]("x1"), lines["done"]("x2")))
    assert caught.value.what == "none of its 2 results belongs to these batches"
    assert three.lines() == []
    with pytest.raises(CurateError, match="the file holds no result"):
        three.read(three.results())


def test_results_of_another_model_are_refused(three, lines):
    """Custom ids are the same for every model; only the name tells."""
    path = three.results(lines["done"]("r0"), lines["done"]("r1", model="gpt-z"))
    with pytest.raises(CurateError) as caught:
        three.read(path)
    assert caught.value.what == ("1 results are of the model 'gpt-z', and these batches ask 'm'")
    assert "--accept-model 'gpt-z'" in caught.value.hint
    assert three.lines() == []
    assert three.read(path, accepted=["gpt-z"]).replies == 2


@pytest.mark.parametrize("name", ["m-2024-07-18", "m-20241022", "m-latest", "openai/m", "M"])
def test_a_dated_name_is_that_of_the_model(three, lines, name):
    """Providers answer by it; the replies are the model's that was asked."""
    assert three.read(three.results(lines["done"]("r0", model=name))).replies == 1
    assert three.lines()[0]["model"] == "m"


@pytest.mark.parametrize("name", ["m-mini", "m-mini-2024-07-18", "mm"])
def test_a_longer_name_is_another_models(three, lines, name):
    """gpt-4o-mini is not gpt-4o."""
    with pytest.raises(CurateError, match="results are of the model"):
        three.read(three.results(lines["done"]("r0", model=name)))


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


def test_a_reply_that_a_run_had_meanwhile_stays(three, lines):
    """The result is known, and not written beside it."""
    line = {"request_id": "r0", "model": "m", "reply": "C", "key": key("one").hex()}
    three.replies.write_text(json.dumps(line) + "\n")
    taken = three.read(three.results(*(lines["done"](f"r{at}") for at in range(3))))
    assert (taken.replies, taken.known, taken.complete) == (2, 1, True)
    assert three.said() == {"r0": "C", "r1": "A", "r2": "A"}


def test_a_filtered_reply_counts_as_given_and_is_said(three, lines):
    """It is not asked again."""
    body = {"error": {"code": "content_filter", "message": "no"}}
    line = {"custom_id": "r0", "response": {"status_code": 400, "body": body}, "error": None}
    taken = three.read(three.results(line, lines["done"]("r1"), lines["done"]("r2")))
    assert (taken.replies, taken.filtered, taken.complete) == (3, 1, True)
    assert three.lines()[0]["reply"] == ""
    assert three.lines()[0]["error"] == {"kind": "content_filter", "message": "no", "status": 400}


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


def test_a_damaged_file_of_replies_is_refused(three, lines):
    """With its line."""
    three.replies.write_text('{"request_id": "r0"}\n')
    with pytest.raises(CurateError) as caught:
        three.read(three.results(lines["done"]("r0")))
    assert caught.value.what == "the line is not a reply: it has no text 'model'"
    assert caught.value.where == f"{three.replies}, line 1"


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


def test_a_round_that_does_not_say_what_was_asked_is_read(three, lines):
    """It was written before the index had hashes of messages."""
    index = three.batches / "001" / INDEX
    rows = index.read_text().splitlines()
    assert rows[0].endswith(",file,messages_hash")
    index.write_text("".join(row.rsplit(",", 1)[0] + "\n" for row in rows))
    taken = three.read(three.results(lines["done"]("r1", "B")))
    assert taken.replies == 1
    assert [line["messages_hash"] for line in three.lines()] == [None]
