"""The rules on lists of fillers."""

from dataclasses import replace

import pytest

from curation.records.bank import Group, Label, Texts

# filler-empty


def test_an_empty_filler_in_the_bank_is_found(make):
    """Its place in the list is said."""
    assert make.found(make.pair(words="W1: [station, , market]")) == [
        (
            "filler-empty",
            "warning",
            f"bank.csv, row {row}, column words",
            "filler 2 of slot W1 is empty",
        )
        for row in (2, 3)
    ]


def test_an_empty_filler_of_a_group_is_found(make):
    """The list of a group is looked at like one of the bank."""
    groups = make.groups(make.group("Weavers", "[Eve, ]"))
    assert make.found(make.pair(), groups) == [
        (
            "filler-empty",
            "warning",
            "groups.csv, row 4, column fillers",
            "filler 2 of 'Weavers' is empty",
        )
    ]


def test_an_empty_list_has_no_empty_filler(make):
    """That is another rule's matter."""
    assert {item[0] for item in make.found(make.pair(words="W1: []"))} == {"list-empty"}


def test_empty_fillers_are_found_in_source_texts_and_before_texts_are_written(make):
    """A list may be there first."""
    first, second = make.untranslated(words="W1: [station, ]")
    early = replace(second, texts=Texts(words="W1: [station, ]"), source_texts=Texts())
    assert [item[:3] for item in make.found([first, early])] == [
        ("filler-empty", "warning", "bank.csv, row 2, column words_source"),
        ("filler-empty", "warning", "bank.csv, row 3, column words"),
    ]


# filler-parentheses


def test_attributes_in_parentheses_are_found(make):
    """They stand in braces; other parentheses are part of a name."""
    words = "W1: [station (trade: a), market (old)]"
    groups = make.groups(make.group("Weavers", "[Eve (gender = f, race: a)]"))
    assert make.found(make.pair(words=words), groups) == [
        *(
            (
                "filler-parentheses",
                "warning",
                f"bank.csv, row {row}, column words",
                "slot W1 has attributes in parentheses: 'station (trade: a)'",
            )
            for row in (2, 3)
        ),
        (
            "filler-parentheses",
            "warning",
            "groups.csv, row 4, column fillers",
            "'Weavers' has attributes in parentheses: 'Eve (gender = f'",
        ),
    ]


@pytest.mark.parametrize(
    "filler", ["Eve \uff5bgender\uff1af\uff5d", "Eve \uff08\uff47ender: f\uff09"]
)
def test_attributes_in_full_width_braces_are_found(make, filler):
    """They would be part of the name, as those in parentheses are."""
    groups = make.groups(make.group("Weavers", f"[{filler}]"))
    assert [item[3] for item in make.found(make.pair(), groups)] == [
        f"'Weavers' has attributes in parentheses: '{filler}'"
    ]


# filler-comma


@pytest.mark.parametrize("comma", ["\u060c", "\u3001", "\uff0c", "\uff64"])
def test_fillers_that_are_separated_by_another_comma_are_found(make, comma):
    """They would be one name, which every sample says."""
    words = f"W1: [station{comma} market, square]"
    groups = make.groups(make.group("Weavers", f"[Eve{comma} Ann]"))
    assert make.found(make.pair(words=words), groups) == [
        *(
            (
                "filler-comma",
                "warning",
                f"bank.csv, row {row}, column words",
                f"slot W1 has the comma of another script in a filler: 'station{comma} market'",
            )
            for row in (2, 3)
        ),
        (
            "filler-comma",
            "warning",
            "groups.csv, row 4, column fillers",
            f"'Weavers' has the comma of another script in a filler: 'Eve{comma} Ann'",
        ),
    ]


# filler-duplicate


def test_a_filler_that_occurs_twice_in_a_list_is_found_once(make):
    """However often it stands there."""
    assert make.found(make.pair(words="W1: [station, market, station, station]")) == [
        (
            "filler-duplicate",
            "warning",
            f"bank.csv, row {row}, column words",
            "'station' occurs twice in the list of slot W1",
        )
        for row in (2, 3)
    ]


def test_a_filler_that_occurs_twice_in_a_group_is_found(make):
    """The list of a group is looked at like one of the bank."""
    groups = make.groups(make.group("Weavers", "[Eve, Eva, Eve]"))
    assert make.found(make.pair(), groups) == [
        (
            "filler-duplicate",
            "warning",
            "groups.csv, row 4, column fillers",
            "'Eve' occurs twice among the fillers of 'Weavers'",
        )
    ]


def test_two_lists_may_share_a_filler(make):
    """Only one list is looked at."""
    variants = make.pair(
        words="W1: [station, market]; W2: [station, park]", biased_question="Who forgets [W2]?"
    )
    assert make.found(variants) == []


def test_duplicates_are_found_in_source_texts_and_before_texts_are_written(make):
    """A list may be there first."""
    first, second = make.untranslated(words="W1: [market, market]")
    early = replace(second, texts=Texts(words="W1: [market, market]"), source_texts=Texts())
    assert [item[:3] for item in make.found([first, early])] == [
        ("filler-duplicate", "warning", "bank.csv, row 2, column words_source"),
        ("filler-duplicate", "warning", "bank.csv, row 3, column words"),
    ]


# group-fillers-syntax


def test_fillers_that_cannot_be_read_are_found_with_line_and_column(make):
    """Other rules keep silent on the group's fillers."""
    groups = make.groups(make.group("Weavers", "[Eve, Eva"))
    assert make.found(make.pair(), groups) == [
        (
            "group-fillers-syntax",
            "error",
            "groups.csv, row 4, column fillers",
            "a list is not closed (line 1, column 1)",
        )
    ]


def test_readings_and_escaped_signs_are_right(make):
    """The grammar is that of the bank."""
    groups = make.groups(make.group("Weavers", r"[Eve|Eva, Smith\, Eve]"))
    assert make.found(make.pair(), groups) == []


# group-fillers-missing


@pytest.mark.parametrize("fillers", ["", "[]", "[*]"])
def test_a_group_without_fillers_is_found(make, fillers):
    """However the empty list is written."""
    assert make.found(make.pair(), make.groups(make.group("Weavers", fillers))) == [
        (
            "group-fillers-missing",
            "warning",
            "groups.csv, row 4, column fillers",
            "'Weavers' has no fillers",
        )
    ]


def test_a_group_that_others_are_a_part_of_needs_none(make):
    """They have the fillers."""
    groups = make.groups(make.group("Cloth"), make.group("Weavers", "[Eve]", parent="Cloth"))
    assert make.found(make.pair(), groups) == []


# group-fillers-source


def _translated(make, names, label=Label.TARGET_MODIFIED):
    source = [make.variant(f"craft-001{letter}").texts for letter in "ab"]
    texts = [make.texts(letter, names=names[letter]) for letter in "ab"]
    return [
        make.variant(f"craft-001{letter}", label=label, texts=mine, source_texts=theirs)
        for letter, mine, theirs in zip("ab", texts, source, strict=True)
    ]


_OURS = {"a": "N1: [Ana, Ada]; N2: [Beto, Bento]", "b": "N1: [Beto, Bento]; N2: [Ana, Ada]"}


def test_a_group_that_the_survey_puts_in_has_names_of_the_language(make):
    """Those of the potters are all the source's; a baker's name was kept, and is ours as well."""
    found = make.found(_translated(make, _OURS), language="pt", source_language="en")
    assert [item for item in found if item[0] == "group-fillers-source"] == [
        (
            "group-fillers-source",
            "warning",
            "groups.csv, row 3, column fillers",
            "'Potters' has only names of the source language: Ben, Bob",
        )
    ]


@pytest.mark.parametrize(
    ("label", "groups", "languages"),
    [
        (Label.SIMPLY_TRANSFERRED, "[Bob, Ben]", ("pt", "en")),
        (Label.TARGET_MODIFIED, "[Beto, Bento]", ("pt", "en")),
        (Label.TARGET_MODIFIED, "[Bob, Ben]", ("en", "en")),
    ],
)
def test_names_of_the_source_are_no_harm_elsewhere(make, label, groups, languages):
    """Where the survey puts in nothing, where they are translated, and in one language."""
    rows = [make.group("Bakers", "[Ana]"), make.group("Potters", groups)]
    language, source = languages
    found = make.found(
        _translated(make, _OURS, label), rows, language=language, source_language=source
    )
    assert "group-fillers-source" not in {item[0] for item in found}


# filler-ambiguous


def test_fillers_of_two_groups_are_found_once(make):
    """At the later group, with the fillers that both have."""
    groups = make.groups(make.group("Weavers", "[Ann, Eve, Ada, Bob]"))
    assert make.found(make.pair(), groups) == [
        (
            "filler-ambiguous",
            "warning",
            "groups.csv, row 4, column fillers",
            f"'Weavers' shares {shared}",
        )
        for shared in ("2 fillers with 'Bakers': 'Ann', 'Ada'", "1 filler with 'Potters': 'Bob'")
    ]


def test_many_shared_fillers_are_counted_and_a_few_named(make):
    """Two groups of proper names may share hundreds."""
    names = ", ".join(f"Ann {at}" for at in range(300))
    groups = make.groups(make.group("Weavers", f"[{names}]"), make.group("Spinners", f"[{names}]"))
    (found,) = make.found(make.pair(), groups)
    assert "'Spinners' shares 300 fillers with 'Weavers': 'Ann 0', 'Ann 1', " in found[3]
    assert found[3].endswith("'Ann 7', ...")


def test_groups_of_two_categories_may_share_fillers(make):
    """A template stays within its category."""
    groups = make.groups(Group("Trade", "Sellers", fillers="[Ann]"))
    categories = ({"id": "Craft"}, {"id": "Trade"})
    assert make.found(make.pair(), groups, categories=categories) == []


def test_fillers_of_one_name_with_other_attributes_are_two(make):
    """The same word of a man and of a woman."""
    names = "N1: [Kim {gender: f}, Kim {gender: m}]; N2: [Bob, Ben]"
    twin = "N1: [Bob, Ben]; N2: [Kim {gender: f}, Kim {gender: m}]"
    assert make.found([make.variant(names=names), make.variant("craft-001b", names=twin)]) == []
