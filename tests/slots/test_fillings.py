"""Fillings and their numbers, with conditions and without."""

from itertools import islice, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.records.messages import CurateError
from curation.slots.fill import number_fillings
from curation.slots.grammar import (
    Condition,
    Filler,
    SlotComparison,
    SlotList,
    exchange_lists,
    parse_conditions,
    parse_lists,
)


def numbered(cell, *, exchanged=False):
    lists = parse_lists(cell)
    order = exchange_lists(lists, lists) if exchanged else tuple(lists)
    return number_fillings(lists, order, parse_conditions(cell))


def texts(cell):
    lists = list(parse_lists(cell).values())
    return [
        tuple(item.fillers[at].text for item, at in zip(lists, positions, strict=True))
        for positions in numbered(cell)
    ]


CONDITIONS = {
    "N1 != N2": "ab ac ba bc",
    "N1.base = N2.base": "aa bb",
    "N1.k = N2.k": "aa ac bb",
    "N1.k != N2.k; N1 != N2": "ab ba bc",
    "N1.k = N2.k; N1 != N2": "ac",
    "N1.k != N2.k or N1 = N2": "aa ab ba bb bc",
    "N1 = N2; N1 != N2": "",
}
JUDGED = {
    "N1 != N3": "slot N3 has no list of fillers",
    "N1 ~ W1": "the lists of N1 and W1 have 2 and 3 fillers",
    "N1.k = N2.k": "'d' of slot N2 has no feature 'k'",
    "N1 != N2 or N1.k != W1.k": "'u' of slot W1 has no feature 'k', and 2 more fillers",
}


def test_fillings_are_the_rows_of_the_product_that_meet_the_conditions():
    """They keep the order of the product; all conditions hold, and one of its alternatives."""
    lists = "N1: [a {k: x}, b {k: y}]; N2: [a {k: x}, b {k: y}, c {k: x}]"
    for condition, expected in CONDITIONS.items():
        assert ["".join(names) for names in texts(f"{lists}; {condition}")] == expected.split()
    cell = "N1: [a, b]; W1: [u, v]; N2: [c, d]; X1: [A, B]; X2: [C, D]; N1 ~ X1; N2 ~ X2"
    assert ["".join(row) for row in texts(cell)] == [
        f"{a}{w}{b}{a.upper()}{b.upper()}" for a, w, b in product("ab", "uv", "cd")
    ]


def test_a_condition_that_cannot_be_judged_is_refused():
    """Nothing is taken for a feature that is not there."""
    for condition, what in JUDGED.items():
        with pytest.raises(CurateError) as refused:
            numbered(
                f"N1: [a {{k: x}}, b {{k: y}}]; N2: [c {{k: x}}, d]; W1: [u, v, w]; {condition}"
            )
        assert refused.value.what == f"condition '{condition}': {what}"
        assert refused.value.hint


def test_there_are_no_fillings_beyond_the_last():
    """Numbers begin with 1."""
    for found in (numbered("N1: [a, b]; N2: [a, b]; N1 != N2"), numbered("N1: [a, b]")):
        assert found.count == 2
        for index in (0, 3, -1):
            with pytest.raises(IndexError):
                found.at(index)


# Whatever the lists and conditions are, compared with going through the whole product.

SLOTS = ("N1", "W1", "N2", "X1", "X2")
FEATURES = ("f", "g")


@st.composite
def cells(draw):
    """Lists of a few fillers with two features, and conditions on them."""
    names = draw(st.permutations(SLOTS).map(lambda order: order[: draw(st.integers(2, 5))]))
    fillers = st.builds(
        Filler,
        st.sampled_from("abc"),
        st.none(),
        st.tuples(*(st.tuples(st.just(key), st.sampled_from("pq")) for key in FEATURES)),
    )
    lists = [
        SlotList(name, tuple(draw(st.lists(fillers, min_size=1, max_size=4)))) for name in names
    ]
    sizes = {item.name: len(item.fillers) for item in lists}
    alternatives = []
    for _ in range(draw(st.integers(0, 3))):
        some = []
        for _ in range(draw(st.integers(1, 3))):
            left, right = draw(st.permutations(names))[:2]
            operators = ["=", "!=", "~"] if sizes[left] == sizes[right] else ["=", "!="]
            operator = draw(st.sampled_from(operators))
            feature = None if operator == "~" else draw(st.sampled_from([None, *FEATURES]))
            some.append(SlotComparison(left, operator, right, feature))
        alternatives.append(Condition(tuple(some)))
    return lists, alternatives


def holds(item, chosen):
    (one_at, one), (other_at, other) = chosen[item.left], chosen[item.right]
    if item.operator == "~":
        return one_at == other_at
    same = one.text == other.text
    if item.feature:
        same = dict(one.features)[item.feature] == dict(other.features)[item.feature]
    return same if item.operator == "=" else not same


def by_hand(lists, conditions):
    found = []
    for positions in product(*(range(len(item.fillers)) for item in lists)):
        chosen = {
            item.name: (at, item.fillers[at]) for item, at in zip(lists, positions, strict=True)
        }
        if all(any(holds(one, chosen) for one in each.alternatives) for each in conditions):
            found.append(positions)
    return found


@settings(max_examples=100)
@given(cells())
def test_fillings_are_those_of_the_whole_product(cell):
    """Count, order and the filling of each number are those that going through it gives."""
    lists, conditions = cell
    found = number_fillings(
        {item.name: item for item in lists}, [item.name for item in lists], conditions
    )
    expected = by_hand(lists, conditions)
    assert list(found) == expected
    assert found.count == len(expected)
    assert [found.at(number) for number in range(1, len(expected) + 1)] == expected
    numbers = {positions: number for number, positions in enumerate(expected, start=1)}
    for positions in product(*map(range, found.sizes)):
        assert found.index_of(positions) == numbers.get(positions)


def many(slot, count, feature=""):
    """A long list; its fillers have three values of a feature in turn."""
    features = ("r", "s", "t")
    return SlotList(
        slot,
        tuple(
            Filler(f"name {at}", None, ((feature, features[at % 3]),) if feature else ())
            for at in range(count)
        ),
    )


def test_long_lists_are_counted_and_streamed_without_their_product():
    """45 million rows: the count is exact, the first and the last are there at once."""
    lists = {"N1": many("N1", 1500), "N2": many("N2", 1500), "W1": many("W1", 20)}
    found = number_fillings(lists, tuple(lists), parse_conditions("N1 != N2"))
    assert found.count == 1500 * 1499 * 20
    assert list(islice(found, 21)) == [*((0, 1, at) for at in range(20)), (0, 2, 0)]
    assert found.at(found.count) == (1499, 1498, 19)
    assert found.index_of((1499, 1498, 19)) == found.count
    assert found.index_of((7, 7, 0)) is None


def test_counts_may_be_larger_than_numbers_of_64_bits():
    """Lists without a condition multiply without bound; paired ones add nothing."""
    slots = ("N1", "N2", "X1", "X2", "W1", "W2", "W3", "W4", "W5")
    lists = {name: many(name, 1500) for name in slots}
    conditions = parse_conditions("N1 ~ X1; N1 ~ W1; N2 ~ X2; N2 ~ W2; N1 != N2; N1 ~ W5")
    found = number_fillings(lists, slots, conditions)
    assert found.count == 1500 * 1499 * 1500**2
    free = number_fillings({**lists, "W5": many("W5", 1500)}, slots, parse_conditions("N1 != N2"))
    assert free.count == 1499 * 1500**8 > 2**64
    last = free.at(free.count)
    assert last == (1499, 1498, *[1499] * 7)
    assert free.index_of(last) == free.count


def test_counts_that_conditions_make_too_large_are_refused():
    """Rather than be wrong."""
    slots = ("N1", *(f"W{at}" for at in range(1, 8)))
    lists = {name: many(name, 1500, "k") for name in slots}
    conditions = parse_conditions("; ".join(f"N1.k = {name}.k" for name in slots[1:]))
    with pytest.raises(CurateError, match="compare too many fillers at once"):
        number_fillings(lists, slots, conditions)
    slots = tuple(f"W{at}" for at in range(1, 34))
    lists = {name: many(name, 2) for name in slots}
    assert number_fillings(lists, slots[1:], parse_conditions("W2 != W3")).count == 2**31
    with pytest.raises(CurateError, match="compare too many fillers at once"):
        number_fillings(lists, slots, parse_conditions("W1 != W2"))


@settings(max_examples=80)
@given(cells(), st.data())
def test_the_first_filling_is_that_of_going_through_all(cell, data):
    """With any conditions, and whatever is allowed."""
    lists, conditions = cell
    names = [item.name for item in lists]
    found = number_fillings({item.name: item for item in lists}, names, conditions)
    allowed = [data.draw(st.none() | st.sets(st.integers(0, size - 1))) for size in found.sizes]
    whole = (
        filling
        for filling in by_hand(lists, conditions)
        if all(may is None or at in may for at, may in zip(filling, allowed, strict=True))
    )
    assert found.first(allowed) == next(whole, None)


def test_what_is_remembered_of_a_list_depends_on_earlier_ones():
    """Also where it is free itself, and stands between two that go together."""
    lists = parse_lists("N1: [a, b]; W1: [x]; X1: [a, b]")
    found = number_fillings(lists, [*lists], parse_conditions("N1 = X1"))
    assert found.first([None, None, {1}]) == (1, 0, 1)
