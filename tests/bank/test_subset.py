"""Subsets of fillings: seeded, and even over groups and words."""

import math
import random
from collections import Counter
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.bank.subset import drawn, drawn_names, even, shares
from curation.slots.fill import number_fillings
from curation.slots.grammar import parse_conditions, parse_lists

SPREAD = (
    "N1: [Ann, Ada, Amy, Ava]; N2: [Bob, Ben, Bo]; W1: [tea, jam]; W2: [hat, cap, tie, bow, pin]"
)
PEOPLE = [(0, ["women", "women", "women", "girls"]), (1, ["men", "men", "boys"])]


def fillings(lists):
    declared = parse_lists(lists)
    return number_fillings(declared, tuple(declared), parse_conditions(lists))


def rng(seed=1):
    return random.Random(seed)  # noqa: S311  # a seeded draw


def spread(numbered, numbers, axis):
    often = Counter(numbered.at(number)[axis] for number in numbers)
    return [often[at] for at in range(numbered.sizes[axis])]


def of_groups(numbered, numbers):
    every = map(numbered.at, numbers)
    return Counter(tuple(groups[at[axis]] for axis, groups in PEOPLE) for at in every)


@pytest.mark.parametrize(
    ("wanted", "room", "given"),
    [
        (7, [9, 9, 9], [3, 2, 2]),
        (7, [1, 9, 9], [1, 3, 3]),
        (8, [1, 2, 9], [1, 2, 5]),
        (2, [5, 5, 5], [1, 1, 0]),
        (99, [2, 3], [2, 3]),
        (5, [], []),
    ],
)
def test_a_number_is_shared_out_as_evenly_as_there_is_room(wanted, room, given):
    """What one cannot take goes to the others."""
    assert shares(wanted, room) == given


@given(st.data())
def test_strata_and_slots_are_drawn_evenly(data):
    """Distinct fillings, as many as asked for; of a slot of all strata no filler has two more."""
    sizes = data.draw(st.lists(st.integers(1, 6), min_size=1, max_size=4))
    of_first = data.draw(st.lists(st.integers(0, 2), min_size=sizes[0], max_size=sizes[0]))
    parts = [
        {0: tuple(at for at, one in enumerate(of_first) if one == group)}
        for group in sorted(set(of_first))
    ]
    wanted = data.draw(st.integers(1, math.prod(sizes)))
    first = tuple(data.draw(st.integers(0, size - 1)) for size in sizes)
    found = even(sizes, parts, wanted, rng(wanted), first)
    assert found[0] == first
    assert len(set(found)) == len(found) == wanted
    room = [len(part[0]) * math.prod(sizes[1:]) for part in parts]
    often = [sum(at[0] in part[0] for at in found) for part in parts]
    open_ = [own for own, most in zip(often, room, strict=True) if own < most]
    assert not open_ or max(often) - min(open_) <= 1
    for axis, size in enumerate(sizes[1:], start=1):
        each = Counter(at[axis] for at in found)
        assert max(each.values()) - min(each[at] for at in range(size)) <= 1


@pytest.mark.parametrize("wanted", [1, 4, 7, 20, 61, 119])
def test_each_pair_of_groups_and_each_word_comes_as_often_as_the_others(wanted):
    """Four pairs of groups of different sizes, two lists of words, 120 fillings."""
    numbered = fillings(SPREAD)
    found = drawn(numbered, PEOPLE, wanted, rng(wanted), 17)
    assert found == sorted(set(found))
    assert len(found) == wanted
    assert 17 in found
    room = {
        (one, other): 10 * PEOPLE[0][1].count(one) * PEOPLE[1][1].count(other)
        for one, other in product(("women", "girls"), ("men", "boys"))
    }
    often = of_groups(numbered, found)
    able = [often[pair] for pair, most in room.items() if often[pair] < most]
    assert max(often.values()) - min(able) <= 1
    for axis in (2, 3):
        each = spread(numbered, found, axis)
        assert max(each) - min(each) <= 1


def test_what_is_drawn_does_not_change_between_versions():
    """A published subset can be drawn again: these are on record."""
    assert drawn(fillings(SPREAD), PEOPLE, 8, rng(3), 1) == [1, 30, 52, 77, 99, 101, 115, 118]
    assert drawn(fillings(TIED), TIED_PEOPLE, 6, rng(3), 1) == [1, 3, 5, 6, 8, 10]


TIED = (
    "N1: [Ann {town: a}, Ada {town: a}, Amy {town: b}, Ava {town: c}];"
    "N2: [Bob {town: a}, Ben {town: b}, Bo {town: c}, Bill {town: c}];"
    "W1: [tea, jam]; N1.town = N2.town"
)
TIED_PEOPLE = [(0, ["a", "a", "b", "c"]), (1, ["a", "b", "c", "c"])]


@pytest.mark.parametrize("wanted", range(1, 10))
def test_conditions_hold_of_what_is_drawn(wanted):
    """Ten fillings meet them; towns come evenly as far as each has fillings, and words too."""
    numbered = fillings(TIED)
    assert numbered.count == 10
    found = drawn(numbered, TIED_PEOPLE, wanted, rng(wanted), 4)
    assert found == sorted(set(found))
    assert len(found) == wanted
    assert 4 in found
    towns = Counter(TIED_PEOPLE[0][1][numbered.at(number)[0]] for number in found)
    assert all(
        TIED_PEOPLE[0][1][numbered.at(number)[0]] == TIED_PEOPLE[1][1][numbered.at(number)[1]]
        for number in found
    )
    if wanted <= 6:
        assert max(towns.values()) - min(towns[town] for town in "abc") <= 1
    words = spread(numbered, found, 2)
    assert abs(words[0] - words[1]) <= 1


def test_proper_names_are_drawn_five_by_five():
    """Five names of the one person, each with five of the other; the words come evenly."""
    names = [", ".join(f"{letter}{at}" for at in range(20)) for letter in "AB"]
    numbered = fillings(f"N1: [{names[0]}]; N2: [{names[1]}]; W1: [tea, jam, rye]")
    people = [(0, ["women"] * 10 + ["men"] * 10), (1, ["boys"] * 20)]
    found = [numbered.at(number) for number in drawn_names(numbered, people, 5, rng(), 700)]
    assert len(found) == 25
    assert numbered.at(700) in found
    ones = Counter(at[0] for at in found)
    assert sorted(ones.values()) == [5] * 5
    assert sorted(Counter(at < 10 for at in ones).values()) == [2, 3]
    assert all(len({at[1] for at in found if at[0] == one}) == 5 for one in ones)
    assert sorted(Counter(at[2] for at in found).values()) == [8, 8, 9]


def test_fewer_names_than_asked_for_are_all_drawn():
    """Each with each, where conditions allow it."""
    numbered = fillings("N1: [Ann, Bo]; N2: [Ann, Bo, Cy]; W1: [tea, jam]; N1 != N2")
    people = [(0, ["a"] * 2), (1, ["a"] * 3)]
    found = [numbered.at(number) for number in drawn_names(numbered, people, 5, rng(), 1)]
    assert sorted(at[:2] for at in found) == [(0, 1), (0, 2), (1, 0), (1, 2)]
    assert all(one != other for one, other in combinations(found, 2))
