"""The rules on pairs."""

from dataclasses import replace

import pytest

# pair-incomplete


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


# pair-size


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


# pair-lists


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


# pair-groups


def test_another_target_is_found(make):
    """One question of the survey cannot be about both."""
    variants = [make.variant(), make.variant("craft-001b", target_groups=("Bakers",))]
    found = [item for item in make.found(variants) if item[0] != "variant-role"]
    assert found == [
        (
            "pair-groups",
            "error",
            "bank.csv, row 3, column target_groups",
            "target 'Bakers', in craft-001a 'Potters'",
        )
    ]


def test_people_of_other_groups_are_found(make):
    """The two people are the same two in both variants."""
    variants = [make.variant(), make.variant("craft-001b", n2_groups=("Weavers",))]
    assert make.found(variants, make.groups(make.group("Weavers", "[Eve]"))) == [
        (
            "pair-groups",
            "error",
            "bank.csv, row 3, column n1_groups",
            "people 'Potters' and 'Weavers', in craft-001a 'Bakers' and 'Potters'",
        )
    ]


def test_groups_that_are_not_written_do_not_differ(make):
    """That they are missing is another rule's matter."""
    variants = [make.variant(), make.variant("craft-001b", n1_groups=(), target_groups=())]
    assert {item[0] for item in make.found(variants)} == {"groups-missing"}


def test_the_order_of_several_groups_is_free(make):
    """A list of groups is a set."""
    groups = make.groups(make.group("Weavers", "[Eve]"))
    one, other = ("Potters", "Weavers"), ("Weavers", "Potters")
    variants = [
        make.variant(target_groups=one, n2_groups=other),
        make.variant("craft-001b", target_groups=other, n1_groups=one),
    ]
    assert make.found(variants, groups) == []


def test_people_without_groups_do_not_differ_from_people_with_groups(make):
    """Whichever variant lacks them."""
    for letters in ("ab", "ba"):
        variants = [
            make.variant(f"craft-001{letters[0]}", n1_groups=(), n2_groups=(), target_groups=()),
            make.variant(f"craft-001{letters[1]}"),
        ]
        assert {item[0] for item in make.found(variants)} == {"groups-missing"}


# pair-wording


def test_other_words_in_the_second_variant_are_found(make):
    """The finding shows where the texts part."""
    context = "[N1] and [N2] waited for long at the [W1]."
    variants = [make.variant(), make.variant("craft-001b", ambiguous_context=context)]
    assert make.found(variants) == [
        (
            "pair-wording",
            "warning",
            "bank.csv, row 3, column ambiguous_context",
            "differs from craft-001a: '...[N2] waited for long at ...' against "
            "'...[N2] waited at the [W1].'",
        )
    ]


def test_an_untied_template_may_have_other_words(make):
    """A person has said that the language asks for them."""
    variants = [make.variant(), make.variant("craft-001b", biased_question="Who forgot?")]
    assert [item[0] for item in make.found(variants)] == ["pair-wording"]
    untied = [replace(item, extra=(("untied", "true"),)) for item in variants]
    assert make.found(untied) == []


def test_a_text_that_ends_earlier_differs_from_there_on(make):
    """The end counts as a difference."""
    variants = [make.variant(), make.variant("craft-001b", biased_question="Who forgets things")]
    assert [item[3] for item in make.found(variants)] == [
        "differs from craft-001a: '...rgets things' against '...rgets things?'"
    ]


def test_forms_and_exchanged_people_are_no_difference(make):
    """Only the words around the slots are compared."""
    context = "[N2: one, other] and [N1] waited at the [W1: stop, fair]."
    variants = [make.variant(), make.variant("craft-001b", ambiguous_context=context)]
    assert make.found(variants) == []


def test_questions_are_compared_and_answers_are_not(make):
    """Answers may call the people by other words."""
    changes = {"counter_biased_question": "Who remembers?", "biased_answer": "Old [N1]"}
    found = make.found([make.variant(), make.variant("craft-001b", **changes)])
    assert [item[2] for item in found] == ["bank.csv, row 3, column counter_biased_question"]


def test_a_text_that_cannot_be_read_is_not_compared(make):
    """Neither as the first nor as the second of a pair."""
    for letters in ("ab", "ba"):
        variants = [
            make.variant(f"craft-001{letters[0]}", biased_question="Who [forgets?"),
            make.variant(f"craft-001{letters[1]}"),
        ]
        assert [item[0] for item in make.found(variants)] == ["slot-syntax"]


# pair-conditions


def test_a_pair_with_other_conditions_is_found(make):
    """A condition of one variant alone fills other rows, so that numbers mean other people."""
    lists = {"a": "N1: [Ann, Ada]; N2: [Bob, Ben]", "b": "N1: [Bob, Ben]; N2: [Ann, Ada]"}
    words = "W1: [station, market]"
    first = make.variant(names=lists["a"], words=f"{words}; N1 ~ W1")
    second = make.variant("craft-001b", names=lists["b"] + "; N1 ~ W1", words=words)
    assert make.found([first, second]) == [
        (
            "pair-conditions",
            "warning",
            "bank.csv, row 3, column names",
            "there is no 'N2 ~ W1', as in craft-001a",
        ),
        (
            "pair-conditions",
            "warning",
            "bank.csv, row 3, column names",
            "craft-001a has no 'N2 ~ W1'",
        ),
    ]


def test_exchanged_conditions_are_the_same(make):
    """Whichever slot, and whichever alternative, is written first."""
    lists = {"a": "N1: [Ann, Ada]; N2: [Bob, Ben]", "b": "N1: [Bob, Ben]; N2: [Ann, Ada]"}
    said = {"a": "; N1 ~ W1 or N1 != N2", "b": "; N1 != N2 or W1 ~ N2"}
    variants = [make.variant(f"craft-001{at}", names=lists[at] + said[at]) for at in "ab"]
    assert make.found(variants) == []


def test_a_pair_whose_conditions_leave_other_numbers_differs_in_size(make):
    """The test set has no number for both."""
    lists = {"a": "N1: [Ann, Ada]; N2: [Bob, Ben]; N1 ~ N2", "b": "N1: [Bob, Ben]; N2: [Ann, Ada]"}
    variants = [make.variant(f"craft-001{at}", names=lists[at]) for at in "ab"]
    assert [item for item in make.found(variants) if item[0] == "pair-size"] == [
        (
            "pair-size",
            "error",
            "bank.csv, row 3, column names",
            "craft-001b has 8 fillings, craft-001a has 4",
        )
    ]


def test_people_whose_compared_features_differ_are_not_the_same(make):
    """The names are, yet other rows are filled."""
    town = "; N1.town = N2.town"
    people = "Ann {town: hill}, Ada {town: lake}", "Bob {town: hill}, Ben {town: lake}"
    moved = "Bob {town: lake}, Ben {town: hill}"
    first = make.variant(names=f"N1: [{people[0]}]; N2: [{people[1]}]{town}")
    second = make.variant("craft-001b", names=f"N1: [{moved}]; N2: [{people[0]}]{town}")
    assert [item[0] for item in make.found([first, second])] == ["pair-lists"]
