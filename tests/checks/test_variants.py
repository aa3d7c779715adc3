"""The rules on variants."""

from dataclasses import replace

import pytest

from curation.checks.catalogue import run

# id-duplicate


def test_a_second_row_of_the_same_variant_is_found(make):
    """The first row is named, the second is where the finding stands."""
    variants = [*make.pair(), make.variant("craft-001b")]
    assert make.found(variants) == [
        (
            "id-duplicate",
            "error",
            "bank.csv, row 4, column template_id",
            "craft-001b is already in row 3",
        )
    ]


def test_four_variants_of_a_template_have_ids_of_their_own(make):
    """Letters tell them apart."""
    variants = [make.variant(f"craft-001{letter}") for letter in "abcd"]
    assert make.found(variants) == []


# variant-role


def test_the_target_as_biased_answer_of_a_is_found(make):
    """In `a` the other person is in the stereotyped role."""
    answers = {"biased_answer": "[N2]", "counter_biased_answer": "[N1]"}
    assert make.found([make.variant(**answers), make.variant("craft-001b")]) == [
        (
            "variant-role",
            "error",
            "bank.csv, row 2, column biased_answer",
            "the biased answer of variant a is N2, who is the target",
        )
    ]


def test_the_other_person_as_biased_answer_of_d_is_found(make):
    """In `d` the target is in the stereotyped role."""
    answers = {"biased_answer": "[N2: one, other]", "counter_biased_answer": "[N1]"}
    variants = [make.variant("craft-001c"), make.variant("craft-001d", **answers)]
    assert [item[2:] for item in make.found(variants)] == [
        (
            "bank.csv, row 3, column biased_answer",
            "the biased answer of variant d is N2, who is not the target",
        )
    ]


def test_words_that_belong_to_a_person_tell_who_answers(make):
    """`X1` and `X2` are the words of `N1` and `N2`."""
    changes = {
        "biased_answer": "the [X2]",
        "counter_biased_answer": "the [X1]",
        "words": "W1: [station, market]; X1: [tall one]; X2: [small one]",
    }
    found = make.found([make.variant(**changes), make.variant("craft-001b", **changes)])
    assert [item[0] for item in found] == ["variant-role"] * 2


def test_roles_are_looked_at_in_source_texts(make):
    """By their own groups."""
    answers = {"biased_answer": "[N2]", "counter_biased_answer": "[N1]"}
    assert [item[:3] for item in make.found(make.untranslated(**answers))] == [
        ("variant-role", "error", f"bank.csv, row {row}, column biased_answer_source")
        for row in (2, 3)
    ]


def test_answers_that_name_no_person_or_both_tell_nothing(make):
    """Nothing is guessed."""
    answers = {"biased_answer": "[N1], not [N2]", "counter_biased_answer": "the other"}
    assert make.found(make.pair(**answers)) == []


# samples-once


def test_a_place_that_cannot_be_read_is_found(make):
    """True, false, a whole number and nothing say something; the row is given twice otherwise."""
    cells = ("true", "False", " 12 ", "", "once")
    letters = ("craft-001a", "craft-001b", "craft-001c", "craft-001d", "craft-002a")
    variants = [
        replace(make.variant(name), extra=(("samples_once", cell),))
        for name, cell in zip(letters, cells, strict=True)
    ]
    found = [item for item in make.found(variants) if item[0] == "samples-once"]
    assert found == [
        (
            "samples-once",
            "error",
            "bank.csv, row 6, column samples_once",
            "'once' is not a row's place in its template",
        )
    ]


# untied-unclear


def test_a_cell_that_is_neither_yes_nor_no_is_found(make):
    """True, false and nothing say something."""
    letters = ("craft-001a", "craft-001b", "craft-001c", "craft-001d")
    variants = [
        replace(make.variant(name), extra=(("untied", cell),))
        for name, cell in zip(letters, ("true", " False", "", "yes"), strict=True)
    ]
    found = [item for item in make.found(variants) if item[0] == "untied-unclear"]
    where = "bank.csv, row 5, column untied"
    assert found == [("untied-unclear", "error", where, "'yes' is neither true nor false")]


# target-unclear


def test_a_target_that_is_neither_of_the_people_is_found(make):
    """Both are named."""
    groups = make.groups(make.group("Weavers", "[Eve]"))
    assert make.found(make.pair(target_groups=("Weavers",)), groups) == [
        (
            "target-unclear",
            "error",
            f"bank.csv, row {row}, column target_groups",
            f"target 'Weavers' is neither N1 ('{one}') nor N2 ('{other}')",
        )
        for row, one, other in ((2, "Bakers", "Potters"), (3, "Potters", "Bakers"))
    ]


def test_a_target_that_is_both_people_is_found(make):
    """Who is the other person cannot be told."""
    found = make.found(make.pair(n1_groups=("Potters",), n2_groups=("Potters",)))
    assert [item[3] for item in found] == ["target 'Potters' is the group of both people"] * 2


def test_the_person_may_be_of_some_of_the_target_groups(make):
    """The stereotype is about more groups than the template names people of."""
    groups = make.groups(make.group("Weavers", "[Eve]"))
    assert make.found(make.pair(target_groups=("Potters", "Weavers")), groups) == []


def test_a_person_of_other_groups_too_is_not_the_target(make):
    """Some of the names would then not be of the target."""
    groups = make.groups(make.group("Weavers", "[Eve]"))
    people = ("Potters", "Weavers")
    variants = [make.variant(n2_groups=people), make.variant("craft-001b", n1_groups=people)]
    assert {item[0] for item in make.found(variants, groups)} == {"target-unclear"}


def test_open_lists_are_skipped(make):
    """The survey will say who the people are."""
    changes = {"names": "N1: [*]; N2: [*]", "target_groups": (), "n1_groups": (), "n2_groups": ()}
    assert make.found(make.pair(**changes)) == []
    found = make.found(make.pair(names="N1: [*]; N2: [*]", n1_groups=("Potters",)))
    assert "target-unclear" not in {item[0] for item in found}


def test_missing_groups_are_another_rules_matter(make):
    """Whichever is missing."""
    for field in ("target_groups", "n1_groups", "n2_groups"):
        assert {item[0] for item in make.found(make.pair(**{field: ()}))} == {"groups-missing"}


def test_targets_of_source_texts_are_as_they_were_published(make):
    """Their targets are as they were published."""
    assert make.found(make.untranslated(target_groups=("Weavers",))) == []


# groups-missing


def test_groups_that_are_not_named_are_found(make):
    """One finding for each empty cell."""
    variants = make.pair(target_groups=(), n1_groups=())
    assert make.found(variants) == [
        ("groups-missing", "warning", f"bank.csv, row {row}, column {column}", "no group is named")
        for row in (2, 3)
        for column in ("n1_groups", "target_groups")
    ]


def test_open_lists_and_untranslated_variants_need_no_groups(make):
    """They come later."""
    groups = {"target_groups": (), "n1_groups": (), "n2_groups": ()}
    assert make.found(make.pair(names="N1: [*]; N2: [*]", **groups)) == []
    assert make.found(make.untranslated(**groups)) == []


# stereotype-missing


def test_a_written_variant_without_stereotype_is_found(make):
    """The survey would have nothing to ask."""
    found = make.found(make.pair(stereotype="\n"))
    assert [item for item in found if item[0] != "line-break"] == [
        (
            "stereotype-missing",
            "warning",
            f"bank.csv, row {row}, column stereotype",
            "no stereotype is named",
        )
        for row in (2, 3)
    ]


def test_an_untranslated_variant_needs_none(make):
    """It comes with the translation."""
    assert make.found(make.untranslated(stereotype="")) == []


# stereotype-differs


def test_another_stereotype_in_one_variant_is_found(make):
    """One stands for the template, that of the first variant."""
    variants = [make.variant(), make.variant("craft-001b", stereotype="Losing keys")]
    assert make.found(variants) == [
        (
            "stereotype-differs",
            "error",
            "bank.csv, row 3, column stereotype",
            "'Losing keys' in craft-001b, 'Forgetting keys' in craft-001a",
        )
    ]


def test_a_variant_that_waits_for_its_translation_does_not_differ(make):
    """An empty cell says nothing."""
    variants = [make.variant(), make.untranslated()[1]]
    assert make.found(variants) == []


# stereotype-spelling


def other_template(make, stereotype, **changes):
    """Make a second template with another text."""
    return make.pair("craft-002", biased_question="Who was it?", stereotype=stereotype, **changes)


@pytest.mark.parametrize("spelling", ["forgetting keys", "Forgetting-keys!", "Ｆorgettingkeys"])
def test_another_spelling_is_found(make, spelling):
    """Case, width, white space and punctuation make no other stereotype."""
    assert make.found([*make.pair(), *other_template(make, spelling)]) == [
        (
            "stereotype-spelling",
            "warning",
            "bank.csv, row 4, column stereotype",
            f"'{spelling}' is spelled 'Forgetting keys' in craft-001",
        )
    ]


@pytest.mark.parametrize("stereotype", ["Forgetting keys", "Forgetting a key", "열쇠를 잊는다"])
def test_the_same_spelling_and_other_stereotypes_are_right(make, stereotype):
    """Nothing is guessed about likeness."""
    assert make.found([*make.pair(), *other_template(make, stereotype)]) == []


def test_marks_that_make_another_word_are_not_dropped(make):
    """Vowel signs are marks, not punctuation."""
    variants = [*make.pair(stereotype="कि"), *other_template(make, "की")]
    assert make.found(variants) == []


def test_groups_that_the_source_alone_names_are_given_names_by_a_command(make):
    """Nobody is asked to write a list into the bank by hand."""
    variants = [
        replace(variant, source_texts=variant.texts, texts=replace(variant.texts, target_groups=()))
        for variant in make.pair()
    ]
    found = run(make.subject(variants))
    hints = {item.hint for item in found if item.rule == "groups-missing"}
    assert hints == {
        "give the source's groups their names here: "
        "curate groups rename CATEGORY NAME NEW_NAME --from-source; many at once: --table FILE"
    }
