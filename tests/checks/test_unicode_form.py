"""The rule `unicode-form`."""

import unicodedata


def test_letters_in_parts_are_found(make):
    """The position is that of the first one."""
    text = unicodedata.normalize("NFD", "Who forgets the purée?")
    assert make.found(make.pair(biased_question=text)) == [
        (
            "unicode-form",
            "warning",
            f"bank.csv, row {row}, column biased_question",
            "not in Unicode form NFC from position 20 on",
        )
        for row in (2, 3)
    ]


def test_names_of_groups_are_looked_at(make):
    """A name in parts is not the name that templates use."""
    groups = make.groups(make.group(unicodedata.normalize("NFD", "직조공"), "[Eve]"))
    assert [item[:3] for item in make.found(make.pair(), groups)] == [
        ("unicode-form", "warning", "groups.csv, row 4, column group")
    ]


def test_composed_letters_are_right(make):
    """So are signs that NFC leaves alone."""
    assert make.found(make.pair(biased_question="Who forgets the purée, 직조공, ﬁne?")) == []
