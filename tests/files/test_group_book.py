"""Keys of groups, and what the groups are called."""

from dataclasses import replace

import pytest

from curation.annotation.groups import edited_sheet
from curation.files.bank import GroupBook
from curation.records.bank import Bank, Group, Label, Texts, Variant, VariantId
from curation.records.culture import Category, Culture
from curation.records.messages import CurateError

CULTURE = Culture(
    culture="N", language="en", unknown="?", categories=(Category(id="Age", sources=("Years",)),)
)
GROUPS = [
    Group("Age", "Youth", key="young"),
    Group("Age", "man", same_as="M"),
    Group("Age", "Men", key="M", counts=False),
    Group("Age", "old"),
]
BOOK = GroupBook(GROUPS, CULTURE)


@pytest.mark.parametrize(
    ("label", "name", "key"),
    [
        ("young", "Youth", "young"),
        ("Youth", "Youth", "young"),
        ("M", "Men", "M"),
        ("man", "Men", "M"),
        ("old", "old", "old"),
        ("nobody", "nobody", "nobody"),
    ],
)
def test_a_label_is_a_key_or_a_name(label, name, key):
    """A merged group is the one that it goes into; what is not known stays as it is."""
    for category in ("Age", "Years"):
        assert (BOOK.name(category, label), BOOK.keys(category, [label])) == (name, (key,))
    assert BOOK.known("Age", label) is (label != "nobody")
    assert BOOK.name("Job", label) == label


def test_lists_of_groups_hold_each_once():
    """Also where two of a list are one by now; a name with a comma is not split."""
    assert BOOK.names("Age", ["man", "old", "M"]) == ("Men", "old")
    assert BOOK.keys("Age", ["man", "Men", "Youth"]) == ("M", "young")
    assert BOOK.split("Age", "man, old") == ("Men", "old")
    assert GroupBook([Group("Age", "a, b")]).split("Age", "a, b") == ("a, b",)


def test_an_option_counts_unless_its_one_group_does_not():
    """Several together count, and so does one that is not known."""
    asked = (["M"], ["man"], ["old"], ["M", "old"], ["nobody"])
    assert [BOOK.counts("Age", groups) for groups in asked] == [False, False, True, True, True]


def test_a_name_of_two_groups_has_no_key():
    """It is not known which is meant, by name or where it is the other's key."""
    for other in (Group("Age", "Youth", key="teen"), Group("Age", "young", key="teen")):
        book = GroupBook([*GROUPS, replace(other, row=6)])
        with pytest.raises(CurateError, match=f"'{other.group}' of Age may be two") as refused:
            book.keys("Age", [other.group])
        assert refused.value.where == "groups.csv, row 6, column group"


def row(**changes):
    """A row with texts, whose groups stand in the columns of the source."""
    made = Variant(
        VariantId.parse("age-001a"),
        "Age",
        texts=Texts(ambiguous_context="They came.", names="N1: [a]; N2: [b]"),
        source_texts=Texts(target_groups=("young",), n1_groups=("old",), n2_groups=("young",)),
    )
    return replace(made, **changes)  # a test names fields


def test_a_bank_is_read_in_names_and_written_in_keys():
    """Cells that are empty take over the source's where one of its groups has a name here."""
    (named,) = BOOK.named(Bank((row(),))).variants
    assert named.texts.target_groups == named.texts.n2_groups == ("Youth",)
    assert named.texts.n1_groups == ()
    (keyed,) = BOOK.keyed(Bank((named,))).variants
    assert (keyed.texts.target_groups, keyed.texts.n1_groups) == (("young",), ())
    own = replace(named.texts, n1_groups=("young", "M"), n2_groups=("Youth",))
    (keyed,) = BOOK.keyed(Bank((row(texts=own),))).variants
    assert (keyed.texts.n1_groups, keyed.texts.n2_groups) == (("young", "M"), ("young",))


@pytest.mark.parametrize(
    "changes",
    [
        {"label": Label.SAMPLE_REMOVED},
        {"texts": Texts(names="N1: [a]; N2: [b]")},
        {"texts": Texts(ambiguous_context="They came.", names="N1: [*]; N2: [*]")},
        {"texts": Texts(ambiguous_context="They came.", names="N1: [a")},
    ],
    ids=["removed", "no texts", "left to the survey", "not readable"],
)
def test_groups_of_the_source_are_not_taken_over(changes):
    """Where nothing is to be asked, or the survey says who."""
    before = Bank((row(**changes),))
    assert BOOK.named(before) == before


def test_groups_that_published_sets_write_otherwise_are_suggested_as_one():
    """Words for the same, and names that differ by capitals alone; the first one is suggested."""
    names = ("F", "woman", "Trans women", "trans women", "girls")
    rows = edited_sheet([*(Group("Gender", name) for name in names), Group("Sport", "Girls")]).rows
    found = {row.cells["group"]: row.cells["suggestion"] for row in rows}
    assert {name: alike for name, alike in found.items() if alike} == {
        "woman": "F",
        "trans women": "Trans women",
    }
