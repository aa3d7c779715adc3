"""Walking through texts: which fillers give them, in a bounded number of steps."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.slots.fill import compile_text
from curation.slots.grammar import parse_lists, parse_text
from curation.tracing.search import STEPS, _likely, collapse, pattern, walk


def compiled(text, lists):
    known = parse_lists(lists)
    return pattern([compile_text(parse_text(text), known, tuple(known), "en")])


def walked(text, lists, filled):
    """The fillers that give a text, by slot; an empty list where all do."""
    every = (None,) * len(parse_lists(lists))
    found = walk(compiled(text, lists), filled, every, iter(STEPS))
    return [[sorted(left or ()) for left in fillers] for fillers in found]


LISTS = "N1: [a, ab, b]; N2: [b, bc, c]"


def test_fillers_are_those_whose_forms_give_the_text():
    """The same fillers in all slots of a name; white space that meets is one space."""
    for text, filled, expected in [
        ("[N1] [N2].", "ab c.", [[[1], [2]]]),
        ("[N1][N2]", "abc", [[[1], [2]], [[0], [1]]]),
        ("[N1] or [N1]", "a or b", []),
        ("[N1: x, x, y] and [N2]", "x and b", [[[0, 1], [0]]]),
        ("[N1: x, x, y] and [N1: u, v, v]", "x and v", [[[1], []]]),
        ("Only words", "Only words", [[[], []]]),
        ("Only words", "Only", []),
        ("Only", "Only words", []),
        (" a  [N1: , x, y]\n[N2] ", "a b", [[[0], [0]]]),
        ("[N1: , x, y] [N2]", "b", [[[0], [0]]]),
        ("see [N1: , x, y]", "see", [[[0], []]]),
    ]:
        assert walked(text, LISTS, filled) == expected


FORMS = st.sampled_from(["a", "b", "ab", "ba", "aab", ""])
PARTS = st.sampled_from(["[N1]", "[N2]", "[W1]", "a", "b", " ", "[N1: a, b a, aa]"])


@settings(max_examples=100)
@given(
    st.lists(st.lists(FORMS, min_size=3, max_size=3), min_size=3, max_size=3),
    st.lists(PARTS, min_size=1, max_size=7),
    st.text("ab ", max_size=9),
)
def test_a_walk_finds_what_trying_all_fillings_finds(forms, parts, other):
    lists = "; ".join(
        f"{name}: [{', '.join(one or 'z' for one in some)}]"
        for name, some in zip(("N1", "N2", "W1"), forms, strict=True)
    )
    known = parse_lists(lists)
    text = compile_text(parse_text("".join(parts)), known, tuple(known), "en")
    fillings = list(product(range(3), repeat=3))
    for filled in {collapse(other), *(collapse(text.render(one)) for one in fillings)}:
        found = {
            one
            for fillers in walk(pattern([text]), filled, (None,) * 3, iter(STEPS))
            for one in fillings
            if all(left is None or at in left for at, left in zip(one, fillers, strict=True))
        }
        assert found == {one for one in fillings if collapse(text.render(one)) == filled}


ALIKE = "; ".join(f"W{at}: [a, aa, aaa]" for at in range(1, 21))


@pytest.mark.parametrize("end", ["", "b", " x" * 50_000])
def test_no_text_makes_a_walk_long(end):
    """Texts that can be read in very many ways are given up; long ones are walked once."""
    pieces = compiled("".join(f"[W{at}]" for at in range(1, 21)) + "c", ALIKE)
    steps = iter(STEPS)
    found = list(walk(pieces, "a" * 40 + end, (None,) * 20, steps))
    assert found == []
    assert next(steps, None) is None
    once = iter(STEPS)
    straight = compiled("[W1]" + " x" * 50_000, ALIKE)
    assert list(walk(straight, "aa" + " x" * 50_000, (None,) * 20, once))
    assert len(list(once)) > 19_000


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ab met c at the mill.", [[1], [2]]),
        ("ab met c at the farm.", [[1], [2]]),
        ("So ab met c at the mill.", [None, [2]]),
        ("ab saw c at the mill.", [[1], None]),
        ("x met c, who sat at the mill.", [None, [2]]),
        ("Nobody came.", [None, None]),
    ],
)
def test_fillers_of_a_text_that_differs_stand_after_what_it_shares(text, found):
    """Who stands first does so at the very beginning."""
    known = _likely(compiled("[N1] met [N2] at the mill.", LISTS), text, (None, None))
    assert [None if part is None else sorted(part) for part in known] == found
