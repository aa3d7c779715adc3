"""Very long replies are read in time that grows with their length alone, whatever they repeat."""

import re
import time
from itertools import chain, cycle

import pytest

from curation.languages import available, load
from evaluation.parsing.verdicts import read_reply

CHOICES = ("the grandfather", "the grandson", "Cannot be known")
SIGNS = [
    *("$", "$$", "*", "**", "_", "`", "```\n", "~~~\n"),
    *("(", "[", "{", '"', "'", "\\", "<", "</", ">"),
    *("<think>", "</think>", "<|channel|>", "<|channel|>a", "<b>", "#", "- ", "|", "=", ":", "//"),
    *("\\boxed{", "\\(", "\\text{", "\\boxed ", "$ ", "\n", "\n\n", " ", "\t", ".", "..", "!", "?"),
    *("A", "A ", "A, ", "A or ", "A. ", "A\n", "(A) ", "**A** ", "1. ", "x ", "x. ", "x, ", "x\n"),
    *("x", "xy", "the grandfather ", "the grandfather. ", "not ", "not A. ", '{"answer": ', "{}"),
    *("\u3000", "\u2028", "\u200f", "e\u0301", "\u1112\u1161\u11ab", "\uff21", "\uac00", "\u3042"),
]
SHORT, LONG = 1_000, 12_000  # characters
MOST_TIME = 60  # times as long at most; 12 where it grows with the length, 144 with its square
QUICK = 0.1  # seconds: what takes less is no burden, however it grows up to here
TRIES = 3


def seconds(reply, enough=0.0):
    """The least of the processor's time that a reply takes: other processes only add to it.

    What takes less than `enough` is not timed again.
    """
    least = float("inf")
    for _ in range(TRIES):
        before = time.process_time()
        read_reply(reply, CHOICES)
        least = min(least, time.process_time() - before)
        if least < enough:
            break
    return least


def refuse_quadratic(unit, *, before="", after=""):
    """Compare the time of a long reply of one unit with that of a short one."""
    short, long = (before + unit * (size // len(unit)) + after for size in (SHORT, LONG))
    read_reply(short, CHOICES)  # what is made once for all replies is made
    slow = seconds(long, QUICK)
    assert slow < QUICK or slow < MOST_TIME * seconds(short), unit


@pytest.mark.slow
@pytest.mark.parametrize(("before", "after"), [("", ""), ("", "x"), ("analysis `$\\(", ".")])
def test_signs(before, after):
    """Signs, blanks, short sentences and tags that nothing closes."""
    for unit in SIGNS:
        refuse_quadratic(unit, before=before, after=after)


@pytest.mark.slow
@pytest.mark.parametrize("language", [code for code in available() if load(code).replies])
def test_words_of_a_language(language):
    """What a language says, over and over: as words, sentences, lines and without a space."""
    words = load(language).replies
    assert words is not None
    lists = [phrases[:2] for _, phrases in words if isinstance(phrases, tuple)]
    for phrase, joint in zip(chain(*lists), cycle((" ", ". ", "\n", "")), strict=False):
        refuse_quadratic(re.sub(r"[()\[\]|-]", " ", phrase) + joint)


def test_words_that_may_be_any_have_an_end():
    """A reply of one word, however long, is no phrase with any word in it."""
    assert read_reply("x" * 100_000, CHOICES).chosen is None
    assert read_reply("$" * 80_000, CHOICES).chosen is None
    assert read_reply("not sure " * 11_000, CHOICES).chosen is None
