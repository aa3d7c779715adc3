"""Seeded orders of options: every order as often as any other."""

import random
from collections.abc import Iterator
from itertools import permutations


def orders(options: int, count: int, seed: str) -> Iterator[tuple[int, ...]]:
    """Yield an order of options for each of some items.

    The orders come in rounds, each of which holds every permutation once, shuffled, so that no
    option stands in one place more often than in another by more than a round's remainder.

    Args:
        options: How many options an item has.
        count: How many items there are.
        seed: The same seed gives the same orders.
    """
    every = list(permutations(range(options)))
    rng = random.Random(seed)  # noqa: S311  # a seeded draw
    given = 0
    while given < count:
        rng.shuffle(every)
        for order in every[: count - given]:
            yield order
            given += 1
