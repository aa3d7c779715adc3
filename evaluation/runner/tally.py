"""What a run has done so far, counted."""

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

from evaluation.replies.reply import Failure, FailureKind, Reply


class Ending(StrEnum):
    """Why a run ended: `done`, every request was tried; the others before that."""

    DONE = "done"
    STOPPED = "stopped"
    LIMIT = "limit"
    BUDGET = "budget"
    INTERRUPTED = "interrupted"


@dataclass
class Tally:
    """Counts of a run.

    Attributes:
        requests: The requests that a reply is wanted to.
        before: Those that the file of replies had one to.
        from_store: Replies that the store had.
        answered: Replies of this run.
        failed: Requests without a reply, by kind.
        examples: The first failure of each kind, with its request.
        filtered: Replies that a content filter stopped.
        unfinished: Replies that ended within the model's thoughts.
        cut_short: Replies that ended at the most tokens.
        retries: How often a request was sent again.
        unsure: Attempts that may have been billed though no reply came of them.
        unmetered: Replies of this run without a count of tokens.
        miscounted: Replies whose count of tokens cannot be, and is not taken.
        input_tokens: Tokens sent by this run, as the server counts them.
        output_tokens: Tokens of its replies.
        reasoning_tokens: Those of their thoughts, as far as the server counts them apart.
        ending: Why it ended.
        problem: What stopped it.
    """

    requests: int = 0
    before: int = 0
    from_store: int = 0
    answered: int = 0
    failed: Counter[FailureKind] = field(default_factory=Counter)
    examples: dict[FailureKind, tuple[str, Failure]] = field(default_factory=dict)
    filtered: int = 0
    unfinished: int = 0
    cut_short: int = 0
    retries: int = 0
    unsure: int = 0
    unmetered: int = 0
    miscounted: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int = 0
    ending: Ending = Ending.DONE
    problem: Failure | None = None

    @property
    def replied(self) -> int:
        """Requests that have a reply."""
        return self.before + self.from_store + self.answered

    @property
    def left(self) -> int:
        """Requests that have none."""
        return self.requests - self.replied

    @property
    def untried(self) -> int:
        """Requests that have none and were not tried to the end in this run."""
        return self.left - self.failed.total()

    def as_dict(self) -> dict[str, object]:
        """The counts, as `--json` prints them."""
        return {
            "from_store": self.from_store,
            "answered": self.answered,
            "left": self.left,
            "untried": self.untried,
            "failed": {kind.value: count for kind, count in sorted(self.failed.items())},
            "content_filter": self.filtered,
            "cut_in_thoughts": self.unfinished,
            "cut_at_max_tokens": self.cut_short,
            "sent_again": self.retries,
            "maybe_billed": self.unsure,
            "without_usage": self.unmetered,
            "usage_refused": self.miscounted,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "reasoning_tokens": self.reasoning_tokens,
            "ending": self.ending.value,
            "problem": None if self.problem is None else self.problem.as_dict(),
        }

    def attempt(self, reply: Reply) -> None:
        """Count the tokens of an attempt, and those without a known price."""
        used, made = reply.usage.input_tokens, reply.usage.output_tokens
        self.input_tokens += used or 0
        self.output_tokens += made or 0
        self.reasoning_tokens += reply.usage.reasoning_tokens or 0
        self.miscounted += reply.usage.refused
        error = reply.error
        if error is not None and error.kind in (FailureKind.TIMEOUT, FailureKind.CUT):
            self.unsure += 1

    def add(self, reply: Reply) -> None:
        """Count what came of a request, once it is written."""
        if reply.text is None:
            assert reply.error is not None  # noqa: S101  # no text and no error: a fault of ours
            failed = reply.error.kind
            self.failed[failed] += 1
            self.examples.setdefault(failed, (reply.request_id, reply.error))
            return
        self.answered += 1
        kind = reply.kind
        self.filtered += kind is FailureKind.CONTENT_FILTER
        self.unfinished += kind is FailureKind.UNFINISHED
        self.cut_short += reply.finish_reason == "length" and kind is not FailureKind.UNFINISHED
        if reply.usage.input_tokens is None or reply.usage.output_tokens is None:
            self.unmetered += 1
