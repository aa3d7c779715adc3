"""How far a run is, in words."""

from evaluation.replies.reply import Failure, FailureKind, Reply, Usage
from evaluation.runner.costs import Price, Purse
from evaluation.runner.progress import progress_text
from evaluation.runner.store import Seen
from evaluation.runner.tally import Tally

NOTHING = Seen()


def test_a_line_says_tokens_cost_and_failures():
    """Whatever there is of them."""
    tally = Tally(requests=110, before=10)
    purse = Purse(Price(1_000_000, 1_000_000, "EUR"), None, None, NOTHING)
    assert progress_text(tally, purse) == "starting"
    for at in range(40):
        outcome = Reply("A", Usage(100, 2), request_id=f"r{at}")
        tally.attempt(outcome)
        tally.add(outcome)
        purse.spend(outcome.usage, 100, 0)
    tally.add(Reply(None, error=Failure(FailureKind.SERVER, "no")))
    tally.retries = 3
    assert progress_text(tally, purse) == (
        "4,000 + 80 tokens, 4,080.00 EUR, 1 failed, 3 sent again"
    )


def test_outcomes_are_counted_by_what_they_are():
    """A filtered reply is a reply; what has none is counted by kind, the first named."""
    tally = Tally(requests=10, before=1, from_store=2)
    tally.add(Reply("A", Usage(1, 1), "stop"))
    tally.add(Reply("A", Usage(1, 1), "length"))
    filtered = Failure(FailureKind.CONTENT_FILTER, "no")
    tally.add(Reply("", Usage(), "content_filter", error=filtered))
    first = Failure(FailureKind.SERVER, "first", 500)
    tally.add(Reply(None, error=first, request_id="d"))
    tally.add(Reply(None, error=Failure(FailureKind.SERVER, "second", 500)))
    assert (tally.answered, tally.filtered, tally.cut_short, tally.unmetered) == (3, 1, 1, 1)
    assert dict(tally.failed) == {FailureKind.SERVER: 2}
    assert tally.examples == {FailureKind.SERVER: ("d", first)}
    assert (tally.replied, tally.left, tally.untried) == (6, 4, 2)
