"""The rules on conditions, and on the features that they compare."""

from dataclasses import replace

import pytest

NAMES = {
    "a": "N1: [Ann {town: hill}, Ada {town: lake}]; N2: [Bob {town: lake}, Ben {town: hill}]",
    "b": "N1: [Bob {town: lake}, Ben {town: hill}]; N2: [Ann {town: hill}, Ada {town: lake}]",
}


def pair(make, condition="", exchanged=None, **changes):
    """Make variants with features and a condition; `exchanged` is that of b."""
    other = condition if exchanged is None else exchanged
    return [
        make.variant(f"craft-001{letter}", names=NAMES[letter] + said, **changes)
        for letter, said in (("a", condition), ("b", other))
    ]


@pytest.mark.parametrize(
    ("condition", "exchanged"),
    [
        ("", ""),
        ("; N1.town = N2.town", "; N1.town = N2.town"),
        ("; N1 != N2; N1.town != N2.town or N1 ~ W1", "; N2.town != N1.town or N2 ~ W1; N1 != N2"),
    ],
)
def test_conditions_that_can_be_met_are_fine(make, condition, exchanged):
    """Whichever side of a comparison is written first."""
    assert make.found(pair(make, condition, exchanged)) == []


# condition-unclear


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("; N1 != N3", "condition 'N1 != N3': slot N3 has no list of fillers"),
        ("; N1 ~ W1", "condition 'N1 ~ W1': the lists of N1 and W1 have 2 and 3 fillers"),
        (
            "; N1.town = N2.town; N1.town = W1.town",
            "condition 'N1.town = W1.town': 'station' of slot W1 has no feature 'town', "
            "and 2 more fillers",
        ),
    ],
)
def test_a_condition_that_cannot_be_judged_is_an_error(make, condition, message):
    """Said in the cell of the condition, once; nothing is said of the number of fillings."""
    words = "W1: [station, market, shop]"
    assert make.found([pair(make, condition, words=words)[0], make.variant("craft-001b")])[0] == (
        "condition-unclear",
        "error",
        "bank.csv, row 2, column names",
        message,
    )


def test_conditions_beside_the_words_are_looked_at(make):
    """Wherever the lists stand that they compare."""
    words = "W1: [station, market]; W1 != W2"
    found = make.found(make.pair(words=words))
    assert {item[0] for item in found} == {"condition-unclear"}
    assert [item[2] for item in found] == [f"bank.csv, row {row}, column words" for row in (2, 3)]


def test_conditions_that_compare_too_much_are_an_error(make):
    """Rather than a check that never ends."""
    names = ", ".join(f"name {at}" for at in range(4600))
    others = ", ".join(f"other {at}" for at in range(4600))
    lists = f"N1: [{names}]; N2: [{others}]; N1 != N2"
    found = make.found([make.variant(names=lists), make.variant("craft-001b", names=lists)])
    assert ("condition-unclear", "error", "bank.csv, row 2, column names") in {
        item[:3] for item in found
    }


def test_open_lists_are_not_judged_yet(make):
    """The survey has yet to name their fillers."""
    names = "N1: [*]; N2: [Bob, Ben]; N1.town != N2.town"
    twin = "N1: [Bob {town: x}, Ben {town: x}]; N2: [*]; N1.town != N2.town"
    found = make.found([make.variant(names=names), make.variant("craft-001b", names=twin)])
    assert [item[0] for item in found if item[0].startswith("condition")] == []


# condition-unmet


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("; N1 = N2", "no filling meets N1 = N2"),
        ("; N1 != N2; N2 = N1; N1.town = N2.town", "no filling meets N2 = N1"),
        ("; N1.town = N2.town; N1 ~ N2", "no filling meets N1.town = N2.town; N1 ~ N2"),
    ],
)
def test_a_condition_that_no_filling_meets_is_an_error(make, condition, message):
    """That condition alone where it is one, all of them where they exclude each other."""
    assert make.found(pair(make, condition)) == [
        ("condition-unmet", "error", f"bank.csv, row {row}, column names", message)
        for row in (2, 3)
    ]


# feature-incomplete


def test_a_feature_that_only_some_fillers_have_is_a_warning(make):
    """The first filler without is named, in the bank and among groups."""
    names = "N1: [Ann {town: hill}, Ada, Amy]; N2: [Bob, Ben]"
    twin = "N1: [Bob, Ben]; N2: [Ann, Ada, Amy]"
    variants = [make.variant(names=names), make.variant("craft-001b", names=twin)]
    groups = [*make.groups(), make.group("Smiths", "[Cy {def: the Cy}, Di]")]
    assert make.found(variants, groups) == [
        (
            "feature-incomplete",
            "warning",
            "bank.csv, row 2, column names",
            "'Ada' (and 1 more) of slot N1 has no 'town', others have",
        ),
        (
            "feature-incomplete",
            "warning",
            "groups.csv, row 4, column fillers",
            "'Di' of 'Smiths' has no 'def', others have",
        ),
        (
            "form-unused",
            "warning",
            "groups.csv, row 4, column fillers",
            "no text uses the form 'def' of 'Cy' of 'Smiths'",
        ),
    ]


def test_a_feature_that_is_asked_for_is_said_once(make):
    """By the condition that compares it, or the text that names the form."""
    names = "N1: [Ann {town: hill, def: the Ann}, Ada]; N2: [Bob {town: hill}, Ben {town: hill}]"
    first = make.variant(names=f"{names}; N1.town = N2.town", biased_answer="[N1.def]")
    found = make.found([first, make.variant("craft-001b")])
    assert [item[0] for item in found if item[2].startswith("bank.csv, row 2")] == [
        "condition-unclear",
        "form-missing",
    ]


# form-unused


def test_a_form_that_no_text_asks_for_is_found(make):
    """In the list of a slot; a value that is no form of the name is a feature."""
    names = "N1: [Ann {gen: Ann's, town: hill}, Ada {gen: Ada's, town: dale}]; N2: [Bob, Ben]"
    twin = "N1: [Bob, Ben]; N2: [Ann, Ada]"
    variants = [make.variant(names=names), make.variant("craft-001b", names=twin)]
    assert make.found(variants) == [
        (
            "form-unused",
            "warning",
            "bank.csv, row 2, column names",
            "no text uses the form 'gen' of 'Ann' (and 1 more) of slot N1",
        )
    ]


def test_a_form_that_another_template_of_the_category_asks_for_is_right(make):
    """Templates share their lists; another category does not count."""
    names = "N1: [Ann {gen: Ann's}, Ada {gen: Ada's}]; N2: [Bob {gen: Bob's}, Ben {gen: Ben's}]"
    twin = "N1: [Bob {gen: Bob's}, Ben {gen: Ben's}]; N2: [Ann {gen: Ann's}, Ada {gen: Ada's}]"
    text = "[N1] and [N2] sold a hat of [N1.gen] at the [W1]."
    pair = [make.variant(names=names), make.variant("craft-001b", names=twin)]
    other = [
        make.variant("craft-002a", names=names, ambiguous_context=text),
        make.variant("craft-002b", names=twin, ambiguous_context=text),
    ]
    assert make.found([*pair, *other]) == []
    apart = [replace(item, category="Trade") for item in other]
    found = make.found([*pair, *apart], categories=({"id": "Craft"}, {"id": "Trade"}))
    assert {item[2] for item in found if item[0] == "form-unused"} == {
        "bank.csv, row 2, column names",
        "bank.csv, row 3, column names",
    }


def test_forms_are_told_by_the_letters_of_the_name(make):
    """Whatever accents change, and whatever is written to it."""
    for name, form in (("Mann", "M\u00e4nnern"), ("homme", "l'homme"), ("Al", "al-Al")):
        words = f"W1: [{name} {{other: {form}}}, market]"
        found = {item[0] for item in make.found(make.pair(words=words))}
        assert found == {"form-unused", "feature-incomplete"}


# feature-spelling


def test_a_value_that_is_spelled_in_two_ways_is_a_warning(make):
    """Across the lists of a variant; to a condition they are two values."""
    names = NAMES["a"].replace("Ben {town: hill}", "Ben {town: Hill}")
    twin = NAMES["b"].replace("Ben {town: hill}", "Ben {town: Hill}")
    variants = [make.variant(names=names), make.variant("craft-001b", names=twin)]
    assert make.found(variants) == [
        (
            "feature-spelling",
            "warning",
            "bank.csv, row 2, column names",
            "town is 'Hill' in slot N2, elsewhere 'hill'",
        ),
        (
            "feature-spelling",
            "warning",
            "bank.csv, row 3, column names",
            "town is 'hill' in slot N2, elsewhere 'Hill'",
        ),
    ]


def test_named_forms_may_differ_in_their_capitals(make):
    """They are texts of their own."""
    names = "N1: [Ann {def: the baker}, Ada {def: The Baker}]; N2: [Bob, Ben]"
    twin = "N1: [Bob, Ben]; N2: [Ann {def: the baker}, Ada {def: The Baker}]"
    answers = {"a": "biased_answer", "b": "counter_biased_answer"}
    variants = [
        make.variant(f"craft-001{letter}", names=lists, **{answers[letter]: f"[{slot}.def]"})
        for letter, lists, slot in (("a", names, "N1"), ("b", twin, "N2"))
    ]
    assert make.found(variants) == []


# feature-unknown


@pytest.mark.parametrize(
    ("filler", "said"),
    [
        ("{gender: fem}", "gender is 'fem', but agreement uses f"),
        ("{gender: F}", "gender is 'F', but agreement uses f"),
        ("{sex: f}", "'sex: f' is not used; agreement uses gender"),
        ("{gender: f}", ""),
        ("{sex: f, gender: f}", ""),
        ("{race: b}", ""),
    ],
)
def test_a_feature_that_agreement_does_not_go_by_is_found(make, filler, said):
    """Both spellings are named, in the bank and in the groups."""
    variants = make.pair(words=f"W1: [nieta {filler}, nieto {{gender: m}}]")
    groups = make.groups(make.group("Weavers", f"[Eva {filler}]"))
    every = make.found(variants, groups, language="es")
    found = [item for item in every if item[0] == "feature-unknown"]
    places = (
        ("bank.csv, row 2, column words", "slot W1"),
        ("bank.csv, row 3, column words", "slot W1"),
        ("groups.csv, row 4, column fillers", "'Weavers'"),
    )
    assert found == [
        ("feature-unknown", "warning", place, f"{list_}: {said}") for place, list_ in places if said
    ]


def test_features_of_a_language_without_agreement_are_free(make):
    """In English nothing goes by gender."""
    assert make.found(make.pair(words="W1: [niece {gender: fem}, nephew {gender: masc}]")) == []
