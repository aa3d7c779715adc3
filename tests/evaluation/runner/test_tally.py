"""What a run counts."""

from evaluation.replies.reply import Failure, FailureKind, Reply, Usage
from evaluation.runner.run import RunCounts


def test_outcomes_are_counted_by_what_they_are():
    """A filtered reply is a reply; what has none is counted by kind, the first named."""
    tally = RunCounts(requests=10, before=1, from_store=2)
    tally.add(Reply("A", Usage(1, 1), "stop"))
    tally.add(Reply("A", Usage(1, 1), "length"))
    filtered = Failure(FailureKind.CONTENT_FILTER, "no")
    tally.add(Reply("", Usage(), "content_filter", error=filtered))
    first = Failure(FailureKind.SERVER, "first", 500)
    tally.add(Reply(None, error=first, request_id="d"))
    tally.add(Reply(None, error=Failure(FailureKind.SERVER, "second", 500)))
    found = tally.answered, tally.content_filter, tally.cut_at_max_tokens, tally.without_usage
    assert found == (3, 1, 1, 1)
    assert dict(tally.failed) == {FailureKind.SERVER: 2}
    assert tally.examples == {FailureKind.SERVER: ("d", first)}
    assert (tally.replied, tally.left, tally.untried) == (6, 4, 2)
