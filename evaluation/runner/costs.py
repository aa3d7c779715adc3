"""What a run costs, and what it has done so far: counts, prices from a file, an estimate."""

import difflib
from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import Annotated

from pydantic import ConfigDict, Field, RootModel
from pydantic.dataclasses import dataclass as validated

from curation.files.tables import read_text
from curation.records.messages import CurateError
from curation.records.settings import parse_settings
from evaluation.replies.reply import Failure, FailureKind, Reply, Usage
from evaluation.runner.index import RequestIndex
from evaluation.runner.store import Seen, Store

_MILLION = 1_000_000
_ENOUGH = 20
"""Replies of which tokens are known before they are taken as an estimate of others."""


@validated(frozen=True, config=ConfigDict(extra="forbid"))
class Price:
    """What a model costs.

    Attributes:
        input: Price of a million tokens that are sent.
        output: Price of a million tokens of replies.
        currency: Its name.
    """

    input: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    output: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    currency: str = ""

    def of(self, input_tokens: float, output_tokens: float) -> float:
        """The price of tokens."""
        return (self.input * input_tokens + self.output * output_tokens) / _MILLION

    def text(self, amount: float) -> str:
        """Write an amount, small ones with the digits that they need."""
        digits = 2 if amount >= 1 or amount == 0 else 4
        return f"{amount:,.{digits}f} {self.currency}".rstrip()


class _Prices(RootModel[dict[str, Price]]):
    """The whole file."""


def load_price(path: Path, model: str) -> Price:
    """Read a model's price from a file of prices (YAML).

    Args:
        path: By model's name, `input` and `output`: prices of a million tokens; and `currency`.
        model: The model.

    Raises:
        CurateError: If there is no such file, it does not have the model, or a price is none.
    """
    prices = parse_settings(read_text(path), _Prices, path, "docs/evaluation-running.md").root
    if model not in prices:
        near = difflib.get_close_matches(model, prices, n=1)
        hint = f"write it as\n         {model}: {{input: 0.15, output: 0.6, currency: USD}}"
        hint = f"did you mean '{near[0]}'?" if near else hint
        raise CurateError(f"the file of prices has no model '{model}'", str(path), hint)
    return prices[model]


class Purse:
    """What a run has spent, and may spend.

    Args:
        price: The model's price; None where it is not known, and nothing is counted.
        budget: The most that may be spent; None for no bound.
        most_output: The most tokens of a reply, where that is set.
        seen: What earlier replies of the model took, each to one turn.
        turns: In how many turns a request is asked; the second one sends the first reply, too.
    """

    def __init__(
        self,
        price: Price | None,
        budget: float | None,
        most_output: int | None,
        seen: Seen,
        turns: int = 1,
    ) -> None:
        self.price = price
        self._budget = budget
        self._most_output = most_output
        self._seen = seen
        self._turns = turns
        self._reserved = 0.0
        self.spent = 0.0

    def reserve(self, size: int) -> float | None:
        """Set aside what a request may cost at most; None if the budget does not allow it.

        Args:
            size: The tokens that its length lets expect.
        """
        if self.price is None:
            return 0.0
        sent, made, _ = self.expected(size)
        output = (made or 0) if self._most_output is None else self._most_output * self._turns
        amount = self.price.of(sent, output)
        held = self.spent + self._reserved + amount
        if self._budget is not None and held > self._budget:
            return None
        self._reserved += amount
        return amount

    def expected(self, size: int, requests: int = 1) -> tuple[float, float | None, int]:
        """Expect of requests what earlier ones took.

        Args:
            size: The tokens that their lengths let expect.
            requests: How many they are.

        Returns:
            Tokens that are sent; tokens of replies, None where nothing tells; and from how many
            earlier replies, 0 for a rule of thumb.
        """
        seen, known = self._seen, self._seen.replies >= _ENOUGH and self._seen.size
        each = seen.output_tokens / seen.replies if known else self._most_output
        made = None if each is None else each * requests
        sent = size * (seen.input_tokens / seen.size if known else 1.0) * self._turns
        sent += (self._turns - 1) * (made or 0)
        return sent, None if made is None else made * self._turns, seen.replies if known else 0

    def free(self, reserved: float) -> None:
        """Back what was set aside for a request that has ended."""
        self._reserved -= reserved

    def spend(self, usage: Usage, size: int, otherwise: float) -> None:
        """Note what an attempt has cost.

        Args:
            usage: Its tokens as the server counts them.
            size: The tokens that the request's length lets expect.
            otherwise: What it costs where the server does not count.
        """
        used, made = usage.input_tokens, usage.output_tokens
        if used is None or made is None:
            self.spent += otherwise
            return
        seen = self._seen
        self._seen = Seen(
            seen.replies + 1, seen.size + size, seen.input_tokens + used, seen.output_tokens + made
        )
        if self.price is not None:
            self.spent += self.price.of(used, made)


_CHUNK = 4096


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run would do.

    Attributes:
        in_store: Requests without a reply in the file whose reply the store has.
        to_ask: Requests that would be sent.
        input_tokens: Their tokens, estimated.
        output_tokens: Those of their replies; None where nothing tells.
        replies: From how many earlier replies; 0 for a rule of thumb, and the most that replies
            may have.
        cost: The price of both; None without prices.
    """

    in_store: int
    to_ask: int
    input_tokens: int
    output_tokens: int | None
    replies: int
    cost: float | None


def estimate_run(
    index: RequestIndex,
    done: bytearray,
    store: Store,
    purse: Purse,
    limit: int | None,
) -> Estimate:
    """Count what a run would ask, and estimate what that takes.

    Args:
        index: The requests.
        done: By place, whether a request has a reply in the file.
        store: The store, which is only read.
        purse: What the model costs, and what its earlier replies took.
        limit: The most requests that would be asked.

    Raises:
        CurateError: If the store cannot be read.
    """
    asked: set[bytes] = set()
    in_store = size = 0
    places = (at for at in range(len(index)) if not done[at])
    while chunk := list(islice(places, _CHUNK)):
        known = store.known([index.key(at) for at in chunk])
        for at in chunk:
            key = index.key(at)
            if key in known:
                in_store += 1
            elif key not in asked and (limit is None or len(asked) < limit):
                # Of several requests that say the same one is sent.
                asked.add(key)
                size += index.size(at)
    sent, received, replies = purse.expected(size, len(asked))
    used, made = round(sent), None if received is None else round(received)
    cost = None if purse.price is None else purse.price.of(used, made or 0)
    return Estimate(in_store, len(asked), used, made, replies, cost)


class Ending(StrEnum):
    """Why a run ended: `done`, every request was tried; the others before that."""

    DONE = "done"
    STOPPED = "stopped"
    LIMIT = "limit"
    BUDGET = "budget"
    INTERRUPTED = "interrupted"


_PRINTED = (
    *("from_store", "answered", "left", "untried", "failed", "content_filter", "cut_in_thoughts"),
    *("cut_at_max_tokens", "sent_again", "maybe_billed", "without_usage", "usage_refused"),
    *("input_tokens", "output_tokens", "reasoning_tokens", "ending"),
)


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
        content_filter: Replies that a content filter stopped.
        cut_in_thoughts: Replies that ended within the model's thoughts.
        cut_at_max_tokens: Replies that ended at the most tokens.
        sent_again: How often a request was sent again.
        maybe_billed: Attempts that may have been billed though no reply came of them.
        without_usage: Replies of this run without a count of tokens.
        usage_refused: Replies whose count of tokens cannot be, and is not taken.
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
    failed: Counter[str] = field(default_factory=Counter)
    examples: dict[str, tuple[str, Failure]] = field(default_factory=dict)
    content_filter: int = 0
    cut_in_thoughts: int = 0
    cut_at_max_tokens: int = 0
    sent_again: int = 0
    maybe_billed: int = 0
    without_usage: int = 0
    usage_refused: int = 0
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
        found: dict[str, object] = {name: getattr(self, name) for name in _PRINTED}
        found["failed"] = dict(sorted(self.failed.items()))
        found["problem"] = None if self.problem is None else self.problem.as_dict()
        return found

    def attempt(self, reply: Reply) -> None:
        """Count the tokens of an attempt, and those without a known price."""
        used, made = reply.usage.input_tokens, reply.usage.output_tokens
        self.input_tokens += used or 0
        self.output_tokens += made or 0
        self.reasoning_tokens += reply.usage.reasoning_tokens or 0
        self.usage_refused += reply.usage.refused
        error = reply.error
        if error is not None and error.kind in (FailureKind.TIMEOUT, FailureKind.CUT):
            self.maybe_billed += 1

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
        self.content_filter += kind is FailureKind.CONTENT_FILTER
        self.cut_in_thoughts += kind is FailureKind.UNFINISHED
        self.cut_at_max_tokens += reply.cut and kind is not FailureKind.UNFINISHED
        if reply.usage.input_tokens is None or reply.usage.output_tokens is None:
            self.without_usage += 1
