"""The rule `slot-declared-twice`."""


def test_a_slot_with_a_list_in_names_and_in_words_is_found(make):
    """One finding for the variant, and none on what follows from it."""
    variants = [
        make.variant(words="W1: [station, market]; N1: [Eve, Eva]"),
        make.variant("craft-001b"),
    ]
    assert make.found(variants) == [
        (
            "slot-declared-twice",
            "error",
            "bank.csv, row 2, column words",
            "slot N1 has a list in names and one in words",
        )
    ]


def test_all_lists_may_stand_in_one_cell(make):
    """Where a list stands is free."""
    variants = [
        make.variant(names="N1: [Ann]; N2: [Bob]; W1: [station, market]", words=""),
        make.variant("craft-001b", names="N1: [Bob]; N2: [Ann]; W1: [station, market]", words=""),
    ]
    assert make.found(variants) == []
