"""The rule `control-character`."""


def test_a_control_character_is_named_with_its_position(make):
    """Positions are counted from 1; a tab is one too."""
    assert make.found(make.pair(biased_question="Who\b forgets\tthings?")) == [
        (
            "control-character",
            "error",
            f"bank.csv, row {row}, column biased_question",
            "control character U+0008 at position 4, U+0009 at position 13",
        )
        for row in (2, 3)
    ]


def test_a_control_character_in_a_name_of_a_group_is_found(make):
    """Groups are looked at in the bank and in groups.csv."""
    groups = make.groups(make.group("Wea\x7fvers", "[Eve]"))
    assert make.found(make.pair(), groups) == [
        (
            "control-character",
            "error",
            "groups.csv, row 4, column group",
            "control character U+007F at position 4",
        )
    ]


def test_source_texts_are_looked_at_and_many_are_counted(make):
    """Three are shown."""
    found = make.found(make.untranslated(stereotype="\x01\x02\x03\x04\x05keys"))
    assert [item[2:] for item in found] == [
        (
            f"bank.csv, row {row}, column stereotype_source",
            "control character U+0001 at position 1, U+0002 at position 2, "
            "U+0003 at position 3, and 2 more",
        )
        for row in (2, 3)
    ]


def test_letters_and_signs_of_any_script_are_no_control_characters(make):
    """Neither are the signs after the C1 block."""
    assert make.found(make.pair(biased_question="Who\u00a0forgets — 열쇠, ключи, 🔑?")) == []


def test_three_are_shown_without_counting_more(make):
    """There are no more."""
    found = make.found(make.pair(biased_question="Who\x01\x02\x03?"))
    assert {item[3] for item in found} == {
        "control character U+0001 at position 4, U+0002 at position 5, U+0003 at position 6"
    }
