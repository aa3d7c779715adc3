"""The rule `pair-lists`."""

from dataclasses import replace


def test_lists_in_another_order_are_found(make):
    """The same number would be other people in the two variants."""
    variants = [make.variant(), make.variant("craft-001b", names="N1: [Bob, Ben]; N2: [Ada, Ann]")]
    assert make.found(variants) == [
        (
            "pair-lists",
            "warning",
            "bank.csv, row 3, column names",
            "N1 and N2 are not the people of craft-001a in exchanged roles",
        )
    ]


def test_lists_that_are_not_exchanged_are_found(make):
    """The people would be numbered the other way round."""
    names = "N1: [Ann, Ada]; N2: [Bob, Ben]"
    assert [item[0] for item in make.found(make.pair(names=names))] == ["pair-lists"]


def test_people_that_keep_their_slots_are_right_when_the_lists_change_places(make):
    """Then the texts exchange the slots, and the numbers agree again."""
    first = make.variant()
    texts = first.texts
    second = replace(
        first,
        id=make.variant("craft-001b").id,
        texts=replace(
            texts,
            names="N2: [Bob, Ben]; N1: [Ann, Ada]",
            disambiguating_context=texts.disambiguating_context.replace("[N1]", "[N0]")
            .replace("[N2]", "[N1]")
            .replace("[N0]", "[N2]"),
            biased_answer="[N2]",
            counter_biased_answer="[N1]",
        ),
    )
    assert make.found([first, second]) == []


def test_words_are_not_compared(make):
    """They may be inflected, or exchanged with the people."""
    context = "[N1] and [N2] waited at the [W1], not the [W2]."
    variants = [
        make.variant(ambiguous_context=context, words="W1: [red, blue]; W2: [a, b, c]"),
        make.variant(
            "craft-001b", ambiguous_context=context, words="W1: [a, b, c]; W2: [blue, red]"
        ),
    ]
    assert make.found(variants) == []


def test_words_before_the_people_number_them_otherwise(make):
    """A name then stays for fewer fillings."""
    names = "W1: [red, blue]; N1: [Bob, Ben]; N2: [Ann, Ada]"
    variants = [make.variant(), make.variant("craft-001b", names=names, words="")]
    assert [item[0] for item in make.found(variants)] == ["pair-lists"]


def test_open_lists_are_not_compared(make):
    """The survey will fill them."""
    variants = [
        make.variant(names="N1: [*]; N2: [Bob]"),
        make.variant("craft-001b", names="N1: [Ben]; N2: [*]"),
    ]
    assert make.found(variants) == []
