"""What a run would do: counted, estimated, nothing sent."""

from dataclasses import dataclass
from itertools import islice

from evaluation.runner.index import RequestIndex
from evaluation.runner.prices import Price, Rates, expected_rates
from evaluation.store import Store

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
        known = store.find([index.key(at) for at in chunk])
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
