"""Replies in bulk, read as one by one."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.languages import load
from curation.records.messages import own_yaml
from evaluation.parsing.verdicts import read_reply
from evaluation.replies.readings import MISSING, OUT_OF_CHOICE, read_as_kobbq, read_many

TABLE = own_yaml((Path(__file__).parent / "readings.yaml").read_text(encoding="utf-8"))
LISTS = [tuple(texts) for texts in TABLE["lists"]]
LABELS = [texts and tuple(texts) for texts in TABLE["labels"]]
REPLIES = [*TABLE["replies"], "Option A " * 20, None]


def one_by_one(replies, lists, labels):
    found = []
    for reply, at in zip(replies, lists, strict=True):
        if reply is None:
            found.append((OUT_OF_CHOICE, MISSING))
            continue
        reading = read_reply(reply, LISTS[at], labels=labels[at])
        place = OUT_OF_CHOICE if reading.chosen is None else next(iter(reading.chosen))
        found.append((place, reading.rule.value))
    return found


def pairs(readings):
    names = [readings.names[code] for code in readings.rules.tolist()]
    return list(zip(readings.positions.tolist(), names, strict=True))


ASKED = st.lists(
    st.tuples(st.sampled_from(REPLIES), st.integers(0, len(LISTS) - 1)), min_size=0, max_size=30
)


@given(asked=ASKED, labelled=st.booleans())
def test_reading_many_is_reading_each(asked, labelled):
    """Also where a text of the list is a letter, and where labels are shown."""
    replies, lists = [reply for reply, _ in asked], [at for _, at in asked]
    labels = LABELS if labelled else (None,) * len(LISTS)
    readings = read_many(replies, lists, LISTS, labels if labelled else None)
    assert pairs(readings) == one_by_one(replies, lists, labels)


def test_the_mode_of_kobbq_reads_as_its_script():
    """Reply by reply; a letter alone is read once for all lists in this mode too."""
    replies = [reply for reply in REPLIES if reply is not None for _ in range(3)]
    lists = [at for reply in REPLIES if reply is not None for at in range(3)]
    readings = read_many(replies, lists, LISTS, mode="kobbq")
    wanted = [read_as_kobbq(reply, LISTS[at]) for reply, at in zip(replies, lists, strict=True)]
    assert pairs(readings) == [
        (OUT_OF_CHOICE if place is None else place, rule) for place, rule in wanted
    ]
    assert read_many(["Both"], [0], LISTS, mode="kobbq").positions.tolist() == [1]


@pytest.mark.parametrize(
    ("lists", "labels"), [([0, 0], None), ([0], []), ([len(LISTS)], None), ([-1], None)]
)
def test_each_reply_has_a_list_and_each_list_its_labels(lists, labels):
    with pytest.raises(ValueError, match=r"differ in length|does not exist"):
        read_many(["A"], lists, LISTS, labels)


def test_replies_in_bulk_hold_the_letters_of_turkish():
    """A dotless i is the same in a reply and in a choice, in either case."""
    choices = [("19 yaşında", f"{at} yaşında", "Belirlenemez") for at in range(30, 36)]
    replies = ["19 yaşında", "A) 19 YAŞINDA", "Doğru cevap A) 19 yaşında."]
    shown = [at for at in range(6) for _ in replies]
    found = read_many(replies * 6, shown, choices, own=load("tr"))
    assert found.positions.tolist() == [0] * 18


def test_parts_of_a_choice_are_read_in_bulk():
    """'Ms. Green' is 'Ms. Green, the violinist', whatever the other choices are."""
    choices = [("Ms. Green, the violinist", f"Mr. {name}", "Unknown") for name in "KLMNOP"]
    readings = read_many(["Ms. Green"] * 6, range(6), choices)
    assert readings.positions.tolist() == [0] * 6
