"""What is said beside a verdict is read alike whichever choice the verdict is.

A reader that reads C where it does not read A and B makes a biased model look fair.
"""

import csv
import re
from itertools import product
from pathlib import Path

import pytest

from curation.languages import load
from evaluation.parsing.verdicts import read_reply

with (Path(__file__).parent / "alike.csv").open(encoding="utf-8", newline="") as _stream:
    ROWS = {row["code"]: row for row in csv.DictReader(_stream)}
"""By language its choices, how an answer is led to, and what is said of the other choices."""
CHOICES = {code: tuple(row["choices"].split(" | ")) for code, row in ROWS.items()}
FORMS = ("{x}. {s}.", "{x}\n\n{s}.", "{s}.\n\n{x}")
ALIKE = ("...", "rrr")
ARTICLES = [(code, ".rr", "{x} ") for code in ("hu", "pt")]
"""In which languages A is the article of an answer: 'A v\u00e1lasz'."""

codes = pytest.mark.parametrize("code", CHOICES)
shares = pytest.mark.parametrize(
    "share",
    [11, pytest.param(5, marks=pytest.mark.slow), pytest.param(1, marks=pytest.mark.nightly)],
)
"""Every fifth of many replies, of which each form has many phrases; quickly every eleventh."""


def plainest(phrase):
    """A phrase without what may be missing, and with the first of several."""
    while found := re.search(r"\([^()\[\]]*\)|\[([^()\[\]|]*)[^()\[\]]*\]", phrase):
        phrase = phrase.replace(found[0], found[1] or "", 1)
    return phrase.strip(" -")


def said(code):
    """Every phrase of a language that is no choice by itself, as it begins a sentence."""
    words = load(code).replies
    assert words is not None
    for _, phrases in words:
        for phrase in phrases if isinstance(phrases, tuple) else ():
            text = plainest(phrase)
            text = text[:1].upper() + text[1:]
            if not read_reply(text, CHOICES[code], own=load(code)).chosen:
                yield text


def outcomes(form, code, texts=False):
    """How a reply is read with each choice in it: r as it says, . not at all."""
    shown = CHOICES[code]
    named = shown if texts else "ABC"
    read = [read_reply(form.replace("{x}", x), shown, own=load(code)).chosen for x in named]
    return "".join(
        "." if chosen is None else "r" if chosen == {at} else "!" for at, chosen in enumerate(read)
    )


@shares
@codes
def test_every_phrase_of_a_language_is_read_alike_beside_each_choice(code, share):
    """Before it, after it and around it, by letter and by text."""
    forms = (*FORMS, "{s} {x}.", "{x} {s}.", "{s} {x}\n\n{s}.", "{s}: {x}", "{x}, {s}.")
    replies = {form.replace("{s}", text): None for text in said(code) for form in forms}
    found = {
        (reply, texts): kinds
        for reply, texts in [*product(replies, (False, True))][::share]
        if (kinds := outcomes(reply, code, texts)) not in ALIKE
        and (code, kinds, reply[:4]) not in ARTICLES
    }
    assert found == {}
    assert len(replies) > 500


@shares
@codes
def test_an_explanation_never_changes_a_verdict(code, share):
    """A sentence that names no choice, after it or below it, whatever it denies or doubts."""
    lead = ROWS[code]["lead"]
    words = load(code).replies
    sentences = [
        f"xyz {plainest(phrase)} xyz."
        for phrase in (*words.negations, *words.hedges, *words.reasons, *words.answers)
    ]
    befores = ("{x}", lead.format("{x}"), "**{x}**")
    joints = ("\n\n", ".\n", ". ")
    for told, before, joint, texts in [*product(sentences, befores, joints, (False, True))][
        ::share
    ]:
        reply = before + joint + told
        assert outcomes(reply, code, texts) == "rrr", reply


@codes
def test_what_is_said_of_the_others_changes_nothing(code):
    """They are a subject of their own: all choices but the verdict."""
    lead = ROWS[code]["lead"].format("{x}")
    forms = [*FORMS, f"{lead}\n\n{{s}}.", f"{lead}. {{s}}."]
    replies = [
        form.replace("{s}", text) for form in forms for text in ROWS[code]["others"].split(" | ")
    ]
    assert {reply: kinds for reply in replies if (kinds := outcomes(reply, code)) != "rrr"} == {}


@pytest.mark.parametrize(
    ("form", "kinds"),
    [
        ("A alternativa {x} \u00e9 a correta.", "rrr"),
        ("A op\u00e7\u00e3o {x} est\u00e1 correta.", "rrr"),
        ("A {x} \u00e9 a resposta.", "rrr"),
        ("A {x} est\u00e1 correta.", "rrr"),
        ("A, {x} est\u00e3o corretas.", "..."),
    ],
)
def test_an_article_that_is_a_letter_too_is_none_before_another_letter(form, kinds):
    """Portuguese begins a sentence with A whichever the answer is."""
    assert outcomes(form, "pt") == kinds
