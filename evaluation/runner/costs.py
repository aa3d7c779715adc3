"""What a run costs: prices from a file that people keep, spent so far, and estimated before."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import Any

from curation.records.errors import CurateError
from evaluation.replies.reply import Usage
from evaluation.runner.index import RequestIndex
from evaluation.runner.store import Seen, Store

_HINT = "write it as\n         {model}: {{input: 0.15, output: 0.6, currency: USD}}"
_MILLION = 1_000_000
_ENOUGH = 20
"""Replies of which tokens are known before they are taken as an estimate of others."""


@dataclass(frozen=True, slots=True)
class Price:
    """What a model costs.

    Attributes:
        input: Price of a million tokens that are sent.
        output: Price of a million tokens of replies.
        currency: Its name.
    """

    input: float
    output: float
    currency: str = ""

    def of(self, input_tokens: float, output_tokens: float) -> float:
        """The price of tokens."""
        return (self.input * input_tokens + self.output * output_tokens) / _MILLION

    def text(self, amount: float) -> str:
        """Write an amount, small ones with the digits that they need."""
        digits = 2 if amount >= 1 or amount == 0 else 4
        return f"{amount:,.{digits}f} {self.currency}".rstrip()


def load_price(path: Path, model: str) -> Price:
    """Read a model's price from a file of prices (YAML).

    Args:
        path: By model's name, `input` and `output`: prices of a million tokens; and `currency`.
        model: The model.

    Raises:
        CurateError: If there is no such file, it does not have the model, or a price is none.
    """
    import yaml

    from curation.files.tables import read_bytes

    try:
        table: Any = yaml.safe_load(read_bytes(path))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{path}, line {mark.line + 1}" if mark else str(path)
        raise CurateError("the file of prices is not YAML", place, _HINT.format(model=model)) from (
            error
        )
    if not isinstance(table, dict) or model not in table:
        names = [str(name) for name in table] if isinstance(table, dict) else []
        near = difflib.get_close_matches(model, names, n=1)
        hint = f"did you mean '{near[0]}'?" if near else _HINT.format(model=model)
        raise CurateError(f"the file of prices has no model '{model}'", str(path), hint)
    return _price(table[model], f"{path}, {model}", model)


def _price(row: object, where: str, model: str) -> Price:
    hint = _HINT.format(model=model)
    if not isinstance(row, dict):
        raise CurateError("that is not a price", where, hint)
    unknown = sorted({str(name) for name in row} - {"input", "output", "currency"})
    if unknown:
        raise CurateError(f"a price has no '{unknown[0]}'", where, hint)
    numbers = [_number(row, name, where, hint) for name in ("input", "output")]
    return Price(numbers[0], numbers[1], str(row.get("currency") or ""))


def _number(row: Mapping[Any, Any], name: str, where: str, hint: str) -> float:
    value = row.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise CurateError(f"'{name}' is not a number", where, hint)
    if not isfinite(value) or value < 0:
        raise CurateError(f"'{name}' is not a price: {value}", where, hint)
    return float(value)


@dataclass(frozen=True, slots=True)
class Rates:
    """How many tokens a request is expected to take.

    Attributes:
        input_per_size: Tokens sent for each token that its length lets expect.
        output: Tokens of a reply; None where nothing tells.
        replies: From how many earlier replies; 0 for a rule of thumb.
    """

    input_per_size: float
    output: float | None
    replies: int = 0


def expected_rates(seen: Seen, most_output: int | None) -> Rates:
    """Expect of further requests what earlier ones took.

    Args:
        seen: What earlier replies of the model took.
        most_output: The most tokens of a reply, where that is set.
    """
    if seen.replies < _ENOUGH or not seen.size:
        return Rates(1.0, most_output)
    mean = seen.output_tokens / seen.replies
    return Rates(seen.input_tokens / seen.size, mean, seen.replies)


class Purse:
    """What a run has spent, and may spend.

    Args:
        price: The model's price; None where it is not known, and nothing is counted.
        budget: The most that may be spent; None for no bound.
        most_output: The most tokens of a reply, where that is set.
        seen: What earlier replies of the model took.
    """

    def __init__(
        self, price: Price | None, budget: float | None, most_output: int | None, seen: Seen
    ) -> None:
        self._price = price
        self._budget = budget
        self._most_output = most_output
        self._seen = seen
        self._reserved = 0.0
        self.spent = 0.0

    @property
    def price(self) -> Price | None:
        """The model's price."""
        return self._price

    def reserve(self, size: int) -> float | None:
        """Set aside what a request may cost at most; None if the budget does not allow it.

        Args:
            size: The tokens that its length lets expect.
        """
        if self._price is None:
            return 0.0
        rates = expected_rates(self._seen, self._most_output)
        output = self._most_output if self._most_output is not None else rates.output
        amount = self._price.of(size * rates.input_per_size, output or 0)
        held = self.spent + self._reserved + amount
        if self._budget is not None and held > self._budget:
            return None
        self._reserved += amount
        return amount

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
        if self._price is not None:
            self.spent += self._price.of(used, made)


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
    model: str,
    price: Price | None,
    most_output: int | None,
    limit: int | None,
) -> Estimate:
    """Count what a run would ask, and estimate what that takes.

    Args:
        index: The requests.
        done: By place, whether a request has a reply in the file.
        store: The store, which is only read.
        model: The model.
        price: Its price.
        most_output: The most tokens of a reply, where that is set.
        limit: The most requests that would be asked.

    Raises:
        CurateError: If the store cannot be read.
    """
    rates = expected_rates(store.seen(model), most_output)
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
    return _estimate(in_store, len(asked), size, rates, price)


def _estimate(in_store: int, to_ask: int, size: int, rates: Rates, price: Price | None) -> Estimate:
    used = round(size * rates.input_per_size)
    made = None if rates.output is None else round(to_ask * rates.output)
    cost = None if price is None else price.of(used, made or 0)
    return Estimate(in_store, to_ask, used, made, rates.replies, cost)
