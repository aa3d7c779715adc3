"""The rule `pair-lists`."""


def test_lists_in_another_order_are_found(make):
    """The same number would be other people in the two variants."""
    variants = [make.variant(), make.variant("craft-001b", names="N1: [Bob, Ben]; N2: [Ada, Ann]")]
    assert make.found(variants) == [
        (
            "pair-lists",
            "warning",
            "bank.csv, row 3, column names",
            "list N2 is not the list N1 of craft-001a",
        )
    ]


def test_lists_that_are_not_exchanged_are_found(make):
    """Both lists are."""
    names = "N1: [Ann, Ada]; N2: [Bob, Ben]"
    assert [item[0] for item in make.found(make.pair(names=names))] == ["pair-lists"] * 2


def test_one_filling_pairs_itself(make):
    """With one name in each list there is nothing to mix up."""
    lists = {"names": "N1: [Ann]; N2: [Bob]", "words": "W1: [station]"}
    assert make.found(make.pair(**lists)) == []


def test_open_lists_are_not_compared(make):
    """The survey will fill them."""
    variants = [
        make.variant(names="N1: [*]; N2: [Bob]"),
        make.variant("craft-001b", names="N1: [Ben]; N2: [*]"),
    ]
    assert make.found(variants) == []
