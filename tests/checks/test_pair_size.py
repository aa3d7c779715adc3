"""The rule `pair-size`."""


def test_variants_with_different_numbers_of_fillings_are_found(make):
    """One index cannot be drawn for both."""
    variants = [make.variant(), make.variant("craft-001b", words="W1: [station, market, park]")]
    assert make.found(variants) == [
        (
            "pair-size",
            "error",
            "bank.csv, row 3, column names",
            "craft-001b has 12 fillings, craft-001a has 8",
        )
    ]


def test_an_open_list_has_no_number_yet(make):
    """The survey will fill both."""
    variants = [make.variant(), make.variant("craft-001b", names="N1: [*]; N2: [*]")]
    assert make.found(variants) == []


def test_the_two_pairs_of_a_template_may_differ(make):
    """An index is drawn for each pair."""
    words = {"words": "W1: [station, market, park]"}
    variants = [*make.pair(), *(make.variant(f"craft-001{letter}", **words) for letter in "cd")]
    assert make.found(variants) == []
