"""Items for people: few enough for a form, and no pair of occupations twice in one."""

import random
from collections import Counter
from collections.abc import Sequence

from curation.io.replies import shortened
from curation.model.errors import CurateError
from evaluation.occupations.items import Item

TwoForms = tuple[tuple[Item, ...], tuple[Item, ...]]

_Pair = tuple[str, ...]


def two_forms(items: Sequence[Item], task: str, *, per_form: int, seed: int) -> TwoForms:
    """Draw the items of two forms.

    A pair of occupations stands in one form with one group and in the other with the other one,
    so that nobody can see what is compared; each form has as many items of one group as of the
    other, give or take one. Pairs are drawn so that every occupation stands in about as many.

    Args:
        items: The items.
        task: Which task of them.
        per_form: Items of one form at most.
        seed: The same seed gives the same forms.

    Raises:
        CurateError: If there is no such task, or no pair of occupations has items of two groups.
    """
    rng = random.Random(f"{seed}:survey:{task}")  # noqa: S311  # a seeded draw
    pairs = _pairs(items, task)
    chosen = _drawn(list(pairs), per_form, rng)
    forms: tuple[list[Item], list[Item]] = ([], [])
    for at, pair in enumerate(chosen):
        first, second = (rng.choice(members) for members in pairs[pair].values())
        forms[at % 2].append(first)
        forms[1 - at % 2].append(second)
    for form in forms:
        rng.shuffle(form)
    return tuple(forms[0]), tuple(forms[1])


def _pairs(items: Sequence[Item], task: str) -> dict[_Pair, dict[str, list[Item]]]:
    """Give the items by their occupations and group, where both groups have some."""
    mine = [item for item in items if item.task == task]
    if not mine:
        known = dict.fromkeys(item.task for item in items)
        raise CurateError(f"there is no task '{task}'", "--task", f"there are {', '.join(known)}")
    # People read words of their own, not an instruction: those of one instruction are all.
    mine = [item for item in mine if item.instruction == mine[0].instruction]
    groups = sorted({item.group for item in mine})
    found: dict[_Pair, dict[str, list[Item]]] = {}
    for item in mine:
        by_group = found.setdefault(tuple(sorted(item.occupations)), {name: [] for name in groups})
        by_group[item.group].append(item)
    whole = {pair: members for pair, members in found.items() if all(members.values())}
    if len(groups) != 2 or not whole:
        raise CurateError(
            f"task {task} has no pair of occupations with items of two groups "
            f"({shortened(groups)})",
            "items.csv, column group",
            "add the items of the other group",
        )
    return whole


def _drawn(pairs: list[_Pair], count: int, rng: random.Random) -> list[_Pair]:
    """Draw pairs one by one, each time one whose occupations stand in fewest so far."""
    rng.shuffle(pairs)
    used: Counter[str] = Counter()
    chosen: list[_Pair] = []
    while pairs and len(chosen) < count:
        pair = min(pairs, key=lambda names: sorted((used[name] for name in names), reverse=True))
        pairs.remove(pair)
        used.update(pair)
        chosen.append(pair)
    return chosen
