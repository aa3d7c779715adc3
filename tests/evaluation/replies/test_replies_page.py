"""The page on reading replies: every example in it is read as it says."""

import re
from pathlib import Path

import pytest

from evaluation.parsing.verdicts import read_reply
from evaluation.replies.readings import read_as_kobbq

PAGE = Path(__file__).parents[3] / "docs" / "evaluation-replies.md"
ENGLISH = ("The potter", "The baker", "Not enough information")
KOREAN = ("도예가", "제빵사", "알 수 없음")
_ROW = re.compile(r"^\| `(.+)` \| (\w+) \| (`?)(\w+)`? \|$", re.MULTILINE)
ROWS = [
    (match[1].replace("\\n", "\n"), match[2], match[4], bool(match[3]))
    for match in _ROW.finditer(PAGE.read_text(encoding="utf-8"))
]


def letter(place):
    return "none" if place is None else "ABC"[place]


def choices(reply):
    return KOREAN if re.search("[가-힣]", reply) else ENGLISH


def strict(reply):
    reading = read_reply(reply, choices(reply))
    return letter(next(iter(reading.chosen)) if reading.chosen else None), reading.rule.value


@pytest.mark.parametrize(("reply", "choice", "rule"), [row[:3] for row in ROWS if row[3]])
def test_examples_of_rules_are_read_so(reply, choice, rule):
    """By the rule that the page names."""
    assert strict(reply) == (choice, rule)


@pytest.mark.parametrize(("reply", "first", "second"), [row[:3] for row in ROWS if not row[3]])
def test_examples_of_both_modes_are_read_so(reply, first, second):
    """By the toolkit's rules, and as KoBBQ's script does."""
    assert strict(reply)[0] == first
    assert letter(read_as_kobbq(reply, choices(reply))[0]) == second


def test_the_page_has_examples_of_every_rule():
    """None can be left out unseen."""
    assert {row[2] for row in ROWS if row[3]} == {
        *("letter", "text", "stated", "empty", "unfinished", "several", "contradiction"),
        *("ambiguous", "negation", "hedge", "unreadable"),
    }
    assert sum(not row[3] for row in ROWS) == 8
