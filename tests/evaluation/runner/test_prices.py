"""Prices, what was spent, and what is foreseen."""

import pytest

from curation.files.workspace import Workspace
from curation.records.messages import CurateError
from evaluation.replies.reply import Reply, Usage, reply_line
from evaluation.runner.asking import plan_run, run
from evaluation.runner.backend import BackendSettings
from evaluation.runner.index import Asking, index_requests
from evaluation.runner.run import Price, Purse, estimate_run, load_price
from evaluation.runner.store import EarlierCosts, Store

NOTHING = EarlierCosts()


def prices(folder, text):
    path = folder / "prices.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_price_is_read_by_the_models_name(tmp_path):
    """Of a million tokens; a currency is no must."""
    path = prices(
        tmp_path, "a/b: {input: 0.15, output: 0.6, currency: USD}\nc: {input: 1, output: 0}"
    )
    assert load_price(path, "a/b") == Price(0.15, 0.6, "USD")
    assert load_price(path, "c") == Price(1, 0, "")
    assert load_price(path, "a/b").of(2_000_000, 500_000) == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mode: {input: 1, output: 1}", "did you mean 'mode'?"),
        ("other: {input: 1, output: 1}", "write it as"),
        ("[]", "holds no settings"),
        ("model: 3", "model"),
        ("model: {input: 1}", "output"),
        ("model: {input: true, output: 1}", "input"),
        ("model: {input: -1, output: 1}", "input"),
        ("model: {input: .inf, output: 1}", "input"),
        ("model: {input: 1, output: 1, per: 1000}", "per"),
        ("model: {input: [", "YAML"),
    ],
)
def test_what_is_no_price_is_refused(tmp_path, text, said):
    """With its place, or the form that it must have."""
    with pytest.raises(CurateError) as refused:
        load_price(prices(tmp_path, text), "model")
    assert said in f"{refused.value.what} {refused.value.where} {refused.value.hint}"


def test_a_purse_is_never_emptied():
    """Price 1 for a token sent and 2 for one received; 10 sent and at most 5 received: 20 each."""
    purse = Purse(Price(1_000_000, 2_000_000), 50.0, 5, NOTHING)
    assert purse.reserve(10) == 20
    assert purse.reserve(10) == 20
    assert purse.reserve(10) is None
    purse.spend(Usage(10, 1), 20)
    purse.free(20)
    assert purse.spent == 12
    assert purse.reserve(9) is None
    assert purse.reserve(8) == 18
    assert purse.reserve(0) is None
    # What is not counted costs what was foreseen, or nothing where there is no reply.
    purse.spend(Usage(), 18)
    purse.spend(Usage(), 0)
    assert purse.spent == 30
    # Neither does one count alone say what it costs.
    purse.spend(Usage(3, None), 4)
    purse.spend(Usage(None, 3), 5)
    assert purse.spent == 39
    # Replies were shorter so far, which the next one need not be.
    earlier = Purse(Price(1_000_000, 2_000_000), 50.0, 5, EarlierCosts(20, 100, 100, 60))
    assert earlier.reserve(10) == 20


@pytest.mark.parametrize(
    ("parameters", "most"),
    [
        ({"max_tokens": 5}, 5),
        ({"max_completion_tokens": 6, "max_thinking_tokens": 9}, 6),
        ({"max_thinking_tokens": 9}, None),
    ],
)
def test_the_most_tokens_are_known_by_whatever_name(parameters, most):
    """A reasoning model has its own, given by --extra: a budget counts on it, too."""
    assert BackendSettings("m", parameters).most_output == most


def test_a_run_is_foreseen(tmp_path, write_requests):
    """What the file has is not counted, what the store has is, and equal requests are one."""
    texts = ["x" * 36, "x" * 76, "x" * 36, "y" * 36, "z" * 36]  # 10, 20, 10, 10, 10 tokens
    path = write_requests(tmp_path, texts)
    with index_requests(path, Asking("m", {})) as index, Store(tmp_path / "s.sqlite") as store:
        reply = Reply("a", model="m", key=index.key(3), request_id="r")
        store.put([(reply, reply_line(reply))])
        done = bytearray([0, 0, 0, 0, 1])
        price = Price(1_000_000, 2_000_000)

        def estimated(most, limit=None, price=price, turns=1, seen=NOTHING):
            purse = Purse(price, None, most, seen, turns)
            return tuple(estimate_run(index, done, store, purse, limit).values())

        assert estimated(4) == (1, 2, 30, 8, 46, 0)
        assert estimated(None) == (1, 2, 30, None, 30, 0)
        assert estimated(4, 1) == (1, 1, 10, 4, 18, 0)
        # The second turn sends the request and the first reply, and has a reply of its own.
        assert estimated(4, turns=2) == (1, 2, 68, 16, 100, 0)
        seen = NOTHING
        for used in [Usage(20, 3)] * 19 + [Usage(20, None), Usage(None, 3), Usage(20, 3)]:
            assert estimated(4, seen=seen)[-1] == 0
            seen = seen.with_reply(used, 10)
        for turns in (1, 2):
            assert estimated(4, seen=seen, turns=turns) == (1, 2, 60, 6, 72, 20)
        assert estimated(4, price=None, seen=seen)[-2] is None


def test_replies_to_other_requests_say_nothing_of_these(tmp_path, serve, ask, write_requests):
    """A model that gave letters may be asked for stories next: its file holds none of them yet."""
    server = serve(usage=lambda *_: {"prompt_tokens": 50, "completion_tokens": 3})
    write_requests(tmp_path, [f"q{at}" for at in range(40)])
    ask(tmp_path, server.url, limit=30, parameters={"max_tokens": 8}, draws=True)
    settings = BackendSettings("tiny", {"max_tokens": 8}, base_url=server.url, dry=True)
    kept = {"store": tmp_path / "store.sqlite", "requests": tmp_path / "requests.jsonl"}
    for name, found in (("replies", (500, 30, 30)), ("others", (10, 80, 0))):
        replies = tmp_path / f"{name}.jsonl"
        wanted = plan_run(Workspace(tmp_path), "openai", settings, replies=replies, **kept)
        estimate = run(wanted).estimate
        told = estimate.input_tokens, estimate.output_tokens, estimate.estimated_from_replies
        assert (estimate.to_ask, told) == (10, found)
