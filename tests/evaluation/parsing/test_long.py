"""Very long replies are read in time that grows with their length alone, whatever they repeat."""

import re
import sys
import time

import pytest

from curation.languages import Replies, available, load
from evaluation.parsing import read_reply
from evaluation.parsing.phrases import words_of

CHOICES = ("the grandfather", "the grandson", "Cannot be known")
SIGNS = [
    *(
        "$",
        "$$",
        "*",
        "**",
        "_",
        "`",
        "```\n",
        "~~~\n",
        "(",
        "[",
        "{",
        '"',
        "'",
        "\\",
        "<",
        "</",
        ">",
    ),
    *("<think>", "</think>", "<|channel|>", "<|channel|>a", "<b>", "#", "- ", "|", "=", ":", "//"),
    *("\\boxed{", "\\(", "\\text{", "\\boxed ", "$ ", "\n", "\n\n", " ", "\t", ".", "..", "!", "?"),
    *("A", "A ", "A, ", "A or ", "A. ", "A\n", "(A) ", "**A** ", "1. ", "x ", "x. ", "x, ", "x\n"),
    *("x", "xy", "the grandfather ", "the grandfather. ", "not ", "not A. ", '{"answer": ', "{}"),
    *("\u3000", "\u2028", "\u200f", "e\u0301", "\u1112\u1161\u11ab", "\uff21", "\uac00", "\u3042"),
]
SHORT, MIDDLE, LONG = 1_000, 6_000, 12_000  # characters; counting calls makes them slow
MOST_CALLS = 18  # times as many calls in the middle one; where they grow with the square 36 times
MOST_TIME = 60  # times as long at most within patterns, which make no calls
TRIES = 5


def calls(reply: str) -> int:
    """The calls that reading a reply takes, of functions and of patterns: alike on any machine."""
    count = 0

    def counted(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        read_reply(reply, CHOICES)
    finally:
        sys.setprofile(before)
    return count


def seconds(reply: str) -> float:
    """The processor's time that a reply takes."""
    before = time.process_time()
    read_reply(reply, CHOICES)
    return time.process_time() - before


def refuse_quadratic(unit: str, *, before: str = "", after: str = "") -> None:
    """Compare a long reply of one unit with a short one: by calls, then what patterns do in them.

    What a pattern does cannot be counted. It is timed where it may be slow, and only what takes too
    long each time is refused: another process may shake one try, and not all.
    """
    sizes = (SHORT, MIDDLE, LONG)
    short, middle, long = (before + unit * (size // len(unit)) + after for size in sizes)
    read_reply(short, CHOICES)  # what is made once for all replies is made
    read_reply(long, CHOICES)
    assert calls(middle) < MOST_CALLS * calls(short), unit
    tries = ((seconds(long), seconds(short)) for _ in range(TRIES))
    assert any(slow < 0.1 or slow < MOST_TIME * quick for slow, quick in tries), unit


@pytest.mark.slow
@pytest.mark.parametrize(("before", "after"), [("", ""), ("", "x"), ("analysis `$\\(", ".")])
def test_signs(before: str, after: str) -> None:
    """Signs, blanks, short sentences and tags that nothing closes."""
    for unit in SIGNS:
        refuse_quadratic(unit, before=before, after=after)


def sayings(pack: Replies) -> list[str]:
    """The phrases that state, negate, join or reason, with what may be missing left out."""
    names = ("statements", "choosing", "thinking", "hedges", "connecting", "reasons", "endings")
    names += ("whereas", "also", "first_thoughts", "courtesies", "uninformative", "pronouns")
    names += ("alternatives", "either")
    phrases = [getattr(pack, name)[:1] for name in names]
    plain = (re.sub(r"\([^()]*\)|[\[\](){}|*_<>-]", " ", item) for part in phrases for item in part)
    return [" ".join(item.split()) for item in plain if item.split()]


@pytest.mark.slow
@pytest.mark.parametrize("language", [code for code in available() if load(code).replies])
def test_words_of_a_language(language: str) -> None:
    """What a language says, over and over: as words, sentences, lines and without a space."""
    pack = load(language).replies
    assert pack is not None
    longest = max(words_of(pack), key=len)
    for saying in (*sayings(pack), longest, longest[0]):
        for joint in (" ", ". ", "\n", ""):
            refuse_quadratic(saying + joint)


def test_words_that_may_be_any_have_an_end() -> None:
    """A reply of one word, however long, is no phrase with any word in it."""
    assert read_reply("x" * 100_000, CHOICES).chosen is None
    assert read_reply("$" * 80_000, CHOICES).chosen is None
    assert read_reply("not sure " * 11_000, CHOICES).chosen is None
