"""Replies in each language are read as a person reads them, and none is misread.

In `replies/CODE.csv`, `read` is the choice that a person reads, `none`, or `unread` where a choice
is told in other words. A ⏎ ends a line of the reply. Each row is read otherwise without one of the
language's lists or a rule of the reader; forms of replies are in `tests/evaluation/parsing`.
"""

import csv
from pathlib import Path

import pytest

from curation.languages import load
from evaluation.parsing.verdicts import read_reply

LISTS = Path(__file__).parent / "replies"
CODES = ("ar", "ca", "de", "en", "es", "fr", "hi", "ja", "ko", "nl", "tr", "zh")
SMALLER = (
    *("bn", "cs", "fa", "fi", "hu", "id", "it", "pl", "pt", "ro", "ru", "sv", "sw"),
    *("ta", "th", "ur", "vi"),
)
"""Whose lists were written before their words were tried, and are shorter."""
MEANT = {"A": {0}, "B": {1}, "C": {2}, "none": None, "unread": None}
LISTS_A_LANGUAGE, KEYS_A_LANGUAGE = 12, 20

codes = pytest.mark.parametrize("code", (*CODES, *SMALLER))


@codes
def test_replies_are_read_as_a_person_reads_them(code):
    """Verdicts in many forms, negations, hearsay, two answers, walks through the choices.

    What tells a choice in other words (`unread`) is read by nobody, and never as another choice.
    """
    with (LISTS / f"{code}.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    wrong = {}
    for row in rows:
        reply = row["reply"].replace("⏎", "\n")
        reading = read_reply(reply, row["choices"].split(" | "), own=load(code))
        if reading.chosen != MEANT[row["read"]]:
            wrong[reply] = (row["read"], reading)
    assert wrong == {}
    assert len(rows) >= 20


def test_every_list_is_run():
    """A list that nobody runs says nothing."""
    assert {path.stem for path in LISTS.glob("*.csv")} == {*CODES, *SMALLER}


@codes
def test_a_language_needs_few_lists(code):
    """What is more than this is written for one reply."""
    words = load(code).replies
    assert words is not None
    lists = [name for name, value in words if isinstance(value, tuple)]
    assert len(lists) <= LISTS_A_LANGUAGE
    assert len(type(words).model_fields) <= KEYS_A_LANGUAGE
