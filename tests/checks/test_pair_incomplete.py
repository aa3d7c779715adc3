"""The rule `pair-incomplete`."""

import pytest


@pytest.mark.parametrize(("there", "missing"), ["ab", "ba", "cd", "dc"])
def test_a_variant_without_its_twin_is_found(make, there, missing):
    """In either order, in either pair."""
    assert make.found([make.variant(f"craft-001{there}")]) == [
        (
            "pair-incomplete",
            "error",
            "bank.csv, row 2, column variant",
            f"craft-001 has variant {there} without {missing}",
        )
    ]


def test_one_pair_is_enough(make):
    """A template need not have a second list of names."""
    assert make.found([make.variant("craft-001c"), make.variant("craft-001d")]) == []
