"""Lists of names, sentences and numbers in messages; work that is told and objects watched."""

import gc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.records.annotation import without_collecting
from curation.records.messages import CurateError, given_name, half_up, significant, watched

HALVES = [
    *((4.125, 2, "4.13"), (4.145, 2, "4.15"), (-4.125, 2, "-4.13"), (0.5, 0, "1"), (2.5, 0, "3")),
    *((-0.0004, 3, "0.000"), (0.0, 1, "0.0"), (1234567.0, 1, "1234567.0"), (2, 2, "2.00")),
]


@pytest.mark.parametrize("sign", [*"\0\a\t\n\r\x1b\x7f\x85\x9b\u2028\u2029\u202e\u2066\u2069"])
def test_a_name_holds_no_character_that_cannot_be_seen(sign):
    """No escape sequence, no line break, nothing that turns what follows; a mark does no harm."""
    with pytest.raises(CurateError, match=r"is not a name: .* seen, \\") as refused:
        given_name(f"Mi{sign}na", "--by")
    assert sign not in refused.value.what
    assert refused.value.where == "--by"
    for name in ("Mina  Kim ", " Mina\xa0Kim", "Mina Kim\n", "\u200fMina Kim\u200e"):
        assert given_name(name) == "Mina Kim"
    for name in ("", "준호", "מינה", "ने\u200dहा", "a=b; $(c)", "=1+1"):
        assert given_name(name) == name
    assert given_name("Jose\u0301") == "José"


def test_halves_are_rounded_up():
    """Away from zero, whatever digit stands before them."""
    for value, digits, shown in HALVES:
        assert half_up(value, digits) == shown


@given(st.integers(-(10**6), 10**6), st.integers(0, 4))
def test_every_half_goes_the_same_way(number, digits):
    """As it is written, not as the nearest binary fraction."""
    value = float(f"{number}.{'0' * digits}5")
    up = abs(number) + 1 if digits == 0 else abs(number) + 10.0**-digits
    assert abs(float(half_up(value, digits))) == pytest.approx(up, abs=1e-9)


def test_tables_hold_six_digits():
    """In CSV and in the workbook alike."""
    assert significant(0.1234565) == 0.123457
    assert significant(1234565.0) == 1234570.0
    assert significant(4.125) == 4.125
    assert significant(1e-300) == 1e-300
    assert significant(0.0) == 0.0


def test_each_item_is_told_before_it_is_worked_on_and_the_end_too():
    """Of a work that ends early too, so that nothing is left on a terminal."""
    told = []
    found = watched("ab", "Letters", lambda *said: told.append(said))
    assert (next(found), told) == ("a", [("Letters", 0, 2)])
    assert list(found) == ["b"]
    assert told == [("Letters", 0, 2), ("Letters", 1, 2), ("Letters", 2, 2)]
    told.clear()
    found = watched("abc", "Letters", lambda *said: told.append(said))
    next(found)
    found.close()
    assert told == [("Letters", 0, 3), ("Letters", 3, 3)]


def test_objects_that_were_watched_are_watched_again():
    """After an error too; a block within another changes nothing."""
    with pytest.raises(ValueError, match="once"), without_collecting():
        with without_collecting():
            pass
        assert not gc.isenabled()
        raise ValueError("once")
    assert gc.isenabled()
