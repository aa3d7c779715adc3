"""The rule `slot-declared-twice`."""

from dataclasses import replace

from curation.model.bank import Texts


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


def test_lists_are_looked_at_in_source_texts_and_before_texts_are_written(make):
    """A list may be there first."""
    both = {"names": "N1: [Ann]; N2: [Bob]", "words": "W1: [market]; N2: [Ben]"}
    first, second = make.untranslated(**both)
    early = replace(second, texts=Texts(**both), source_texts=Texts())
    assert [item[:3] for item in make.found([first, early])] == [
        ("slot-declared-twice", "error", "bank.csv, row 2, column words_source"),
        ("slot-declared-twice", "error", "bank.csv, row 3, column words"),
    ]


def test_lists_that_cannot_be_read_are_another_rules_matter(make):
    """Nothing can be said of them."""
    variants = [make.variant(words="N1: [Eve"), make.variant("craft-001b")]
    assert "slot-declared-twice" not in {item[0] for item in make.found(variants)}
