"""Draw some of the fillings of a template: seeded, and even over groups and words.

A few fillings of a large template can be even: over the pairs of groups of its two people, and
over the fillers of every slot, no two of which then stand in a different number of fillings,
except for one. They are laid out so, not searched for: slots take their fillers in turn, and where
the turns of several slots would come round together, the later one skips a turn.
"""

import math
import random
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import product

from curation.slots.fill import Fillings

Positions = tuple[int, ...]
"""For each slot, in the order of the product, the position of a filler in its list."""


def shares(wanted: int, room: Sequence[int]) -> list[int]:
    """Share a number out as evenly as the room of each allows; the first get what is odd.

    Args:
        wanted: What is shared out, as far as there is room.
        room: The most that each can take.
    """
    given = [0] * len(room)
    left = min(wanted, sum(room))
    while left:
        able = [at for at, most in enumerate(room) if given[at] < most]
        each, odd = divmod(left, len(able))
        for number, at in enumerate(able):
            more = min(each + (not each and number < odd), room[at] - given[at])
            given[at] += more
            left -= more
    return given


def even(
    sizes: Sequence[int],
    strata: Sequence[Mapping[int, Positions]],
    wanted: int,
    rng: random.Random,
    first: Sequence[int] | None = None,
) -> list[Positions]:
    """Draw fillings evenly: over the strata, and within and across them over every slot.

    Args:
        sizes: The number of fillers of each slot.
        strata: Parts of the fillings that have nothing in common; each says for some slots which
            fillers it has, and has all of the other slots.
        wanted: How many to draw; fewer come where there are fewer.
        rng: Of the draw.
        first: A filling that is to be among them.

    Returns:
        Distinct fillings, `first` before all others.
    """
    every = [tuple(range(size)) for size in sizes]
    parts = [tuple(part.get(axis, all_) for axis, all_ in enumerate(every)) for part in strata]
    rng.shuffle(parts)
    if first is not None:
        parts.sort(key=lambda part: any(at not in own for at, own in zip(first, part, strict=True)))
    quotas = shares(wanted, [math.prod(map(len, part)) for part in parts])

    @cache
    def turns_of(_axis: int, positions: Positions) -> list[int]:
        """The fillers of a slot as they take turns, the same list wherever these are drawn from."""
        order = list(positions)
        rng.shuffle(order)
        return order

    found: list[Positions] = []
    for part, quota in zip(parts, quotas, strict=True):
        found += _laid_out(turns_of, part, quota, first if not found else None)
    return found


def _laid_out(
    turns_of: Callable[[int, Positions], list[int]],
    part: Sequence[Positions],
    count: int,
    first: Sequence[int] | None,
) -> Iterator[Positions]:
    """Lay out so many fillings of a part.

    The slots before one repeat after `before` fillings, the product of their sizes. A slot with
    `size` fillers that take strict turns meets them in the same places after lcm(before, size)
    fillings; skipping one turn then, it meets each of them once in before * size.
    """
    if not count:
        return iter(())
    before = 1
    columns = []
    for axis, positions in enumerate(part):
        size, order = len(positions), turns_of(axis, positions)
        block, period = math.lcm(before, size), before * size
        rest = count % size
        # The last, unfinished round begins where the round before this part ended.
        phase = -((count - rest) % period // block) % size
        if first is not None:
            here, there = phase, order.index(first[axis])
            order[here], order[there] = order[there], order[here]
        columns.append([order[(at + at % period // block + phase) % size] for at in range(count)])
        order[:] = order[rest:] + order[:rest]  # whose turn it is then comes first
        before = period
    return zip(*columns, strict=True)


class OneByOne:
    """Draws fillings one after the other, each time the fillers that were drawn least.

    For fillings that depend on each other: where conditions hold, no turns can be laid out.

    Args:
        numbered: The fillings that there are.
        people: For each person the slot's axis, and the group of each of its fillers.
        rng: Of the draw.
    """

    def __init__(
        self, numbered: Fillings, people: Sequence[tuple[int, Sequence[str]]], rng: random.Random
    ) -> None:
        self._numbered = numbered
        self._people = sorted(people)
        self._drawn: set[Positions] = set()
        self._often = [[0] * size for size in numbered.sizes]
        self._of_groups: Counter[tuple[str, ...]] = Counter()
        self._turn = [rng.sample(range(size), size) for size in numbered.sizes]
        self._of_axis = dict(self._people)
        self._after: dict[tuple[str, ...], dict[str, list[tuple[str, ...]]]] = {}
        for met in sorted(self._groups_met()):
            for at, group in enumerate(met):
                self._after.setdefault(met[:at], {}).setdefault(group, []).append(met)

    def take(
        self, only: Mapping[int, Collection[int]], first: Positions | None = None
    ) -> Positions | None:
        """Draw one filling more.

        Args:
            only: For some slots the fillers that it may have.
            first: This one, whatever was drawn before.

        Returns:
            The filling; None where all were drawn that there are.
        """
        found = first or self._search((), only, strict=True) or self._search((), only, strict=False)
        if found is not None:
            self._drawn.add(found)
            for axis, position in enumerate(found):
                self._often[axis][position] += 1
            self._of_groups[self._groups(found)] += 1
        return found

    def _search(
        self, chosen: Positions, only: Mapping[int, Collection[int]], *, strict: bool
    ) -> Positions | None:
        """Go on from the fillers of the first slots.

        Args:
            chosen: Their positions.
            only: As `take` has it.
            strict: Whether to look at the fillers alone that were drawn least.
        """
        axis = len(chosen)
        if axis == len(self._often):
            return None if chosen in self._drawn else chosen
        often, turn = self._often[axis], self._turn[axis]
        allowed = [at for at in self._allowed(chosen) if axis not in only or at in only[axis]]
        rarest, groups = self._rarest(chosen), self._of_axis.get(axis, ())
        if strict and allowed:
            if rarest:
                least = min(rarest[groups[at]] for at in allowed)
                allowed = [at for at in allowed if rarest[groups[at]] == least]
            least = min(often[at] for at in allowed)
            order = sorted((at for at in allowed if often[at] == least), key=turn.__getitem__)
        else:
            order = sorted(
                allowed, key=lambda at: (rarest[groups[at]] if rarest else 0, often[at], turn[at])
            )
        for position in order:
            found = self._search((*chosen, position), only, strict=strict)
            if found is not None:
                return found
        return None

    def _allowed(self, chosen: Positions) -> Sequence[int]:
        axis = len(chosen)
        step = self._numbered.steps[axis]
        if step is None:
            return range(self._numbered.sizes[axis])
        allowed: list[int] = step.ways_after(chosen)[0].nonzero()[0].tolist()
        return allowed

    def _groups(self, chosen: Positions) -> tuple[str, ...]:
        """The groups of the people among the first slots."""
        return tuple(groups[chosen[axis]] for axis, groups in self._people if axis < len(chosen))

    def _rarest(self, chosen: Positions) -> Mapping[str, int]:
        """How often each group was drawn that the next slot may give, beside those of the first.

        Of the groups that the other person may add it is the rarest. Nothing where no person stands
        in the slot.
        """
        if len(chosen) not in self._of_axis:
            return {}
        of_groups = self._of_groups
        return {
            group: min(of_groups[met] for met in together)
            for group, together in self._after[self._groups(chosen)].items()
        }

    def _groups_met(self) -> set[tuple[str, ...]]:
        """The groups that the people of a filling can have, together."""
        if [axis for axis, _ in self._people] != [0, 1]:
            return set(product(*(set(groups) for _, groups in self._people)))
        (_, ones), (_, others) = self._people
        return {
            (ones[one], groups)
            for one in self._allowed(())
            for groups in {others[other] for other in self._allowed((one,))}
        }


def drawn(
    numbered: Fillings,
    people: Sequence[tuple[int, Sequence[str]]],
    wanted: int,
    rng: random.Random,
    first: int,
) -> list[int]:
    """Draw fillings evenly over pairs of groups, and over the fillers of every slot.

    Args:
        numbered: The fillings that there are.
        people: For each person the slot's axis, and the group of each of its fillers.
        wanted: How many to draw, fewer than there are.
        rng: Of the draw.
        first: The number of a filling that is to be among them.

    Returns:
        Their numbers, ascending.
    """
    if any(numbered.steps):
        one_by_one = OneByOne(numbered, people, rng)
        found = [one_by_one.take({}, numbered.at(first))]
        found += [one_by_one.take({}) for _ in range(wanted - 1)]
    else:
        by_group = [(axis, _positions(groups)) for axis, groups in people]
        strata = [
            dict(zip((axis for axis, _ in by_group), chosen, strict=True))
            for chosen in product(*(parts for _, parts in by_group))
        ]
        found = [*even(numbered.sizes, strata, wanted, rng, numbered.at(first))]
    return _numbers(numbered, found)


def _positions(groups: Sequence[str]) -> list[Positions]:
    """The positions of each group's fillers."""
    return [
        tuple(at for at, group in enumerate(groups) if group == wanted)
        for wanted in dict.fromkeys(groups)
    ]


def _numbers(numbered: Fillings, found: Sequence[Positions | None]) -> list[int]:
    numbers = (numbered.index_of(positions) for positions in found if positions is not None)
    return sorted(number for number in numbers if number is not None)


def drawn_names(
    numbered: Fillings,
    people: Sequence[tuple[int, Sequence[str]]],
    names: int,
    rng: random.Random,
    first: int,
) -> list[int]:
    """Draw so many names of the one person, and so many of the other for each of them.

    Everything else is drawn with each pair of names, not crossed: so BBQ does with proper names,
    of which it draws five (`generate_from_template_all_categories.py`).

    Args:
        numbered: The fillings that there are.
        people: For each person the slot's axis, and the group of each of its fillers.
        names: How many names to draw.
        rng: Of the draw.
        first: The number of a filling that is to be among them.

    Returns:
        The numbers of the fillings, ascending.
    """
    draw = OneByOne(numbered, people, rng)
    begin = numbered.at(first)
    axes = [axis for axis, _ in people]
    if not axes:
        return [first]
    one, others = axes[0], axes[1:]
    found: list[Positions | None] = []
    of_one: set[int] = set()
    for _ in range(names):
        rest = set(range(numbered.sizes[one])) - of_one
        leader = draw.take({one: rest}, None if found else begin)
        if leader is None:
            break
        of_one.add(leader[one])
        found.append(leader)
        taken = {leader[other] for other in others}
        for _ in range(names - 1 if others else 0):
            left = set(range(numbered.sizes[others[0]])) - taken
            more = draw.take({one: {leader[one]}, others[0]: left})
            if more is None:
                break
            taken.add(more[others[0]])
            found.append(more)
    return _numbers(numbered, found)
