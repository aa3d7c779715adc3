"""A part of a benchmark, drawn at random, for a try."""

import random
from collections.abc import Iterable, Iterator
from itertools import compress

from curation.model.sample import Sample


def drawn(samples: Iterable[Sample], count: int, limit: int, seed: int) -> Iterator[Sample]:
    """Yield a seeded draw of samples, in their order.

    Args:
        samples: All of them.
        count: How many they are.
        limit: How many to draw.
        seed: Of the draw.
    """
    if limit >= count:
        return iter(samples)
    kept = bytearray(count)
    for at in random.Random(seed).sample(range(count), limit):  # noqa: S311  # a seeded draw
        kept[at] = 1
    return compress(samples, kept)
