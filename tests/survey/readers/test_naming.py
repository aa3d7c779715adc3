"""How cells name options: one meaning, or a refusal, or a word about it."""

import random
from collections.abc import Iterator
from typing import NoReturn

import pytest

from curation.records.survey import Option, Question, QuestionKind, Role
from survey.readers.naming import Note, options_named, unaccented


class RefusedCell(Exception):
    """A cell was refused."""


def _refuse(what: str, cell: str, hint: str) -> NoReturn:
    raise RefusedCell(what)


def asked(*named: tuple[str, str], many: bool = False) -> Question:
    """A question whose options have these codes and texts, the last one being 'none'."""
    options = [Option(code, (text,), Role.GROUP, True, text) for code, text in named[:-1]]
    code, text = named[-1]
    options.append(Option(code, (), Role.NONE, False, text))
    kind = QuestionKind.SELECT_ALL if many else QuestionKind.CHOICE
    return Question("q-1", kind, "Craft", "They hum", tuple(options))


FAITHS = (("1", "Christian"), ("2", "Muslim"), ("3", "None"), ("none", "No such stereotype"))
ZEROS = (("1", "Route 7"), ("2", "01"), ("none", "No such stereotype"))
CODES = (("01", "Christian"), ("02", "None"), ("none", "No such stereotype"))


@pytest.mark.parametrize(
    ("options", "cells", "refused"),
    [
        (FAITHS, ["Christian", "Muslim", "None", "none"], "'None' can be read as"),
        (FAITHS, ["Christian", "NONE"], "'NONE' can be read as"),
        (CODES, ["01", "02", "none", "None"], "'none' can be read as"),
        (ZEROS, ["Route 7", "1"], "'1' can be read as '1: Route 7' or as '2: 01'"),
        (ZEROS, ["Route 7", "1.0"], "'1.0' can be read as"),
        (ZEROS, ["1"], "'1' can be read as"),
        (ZEROS, ["1.5"], "'1.5' is not an option"),
    ],
)
def test_an_exact_hit_that_competes_with_a_loose_one_is_refused(
    options: tuple[tuple[str, str], ...], cells: list[str], refused: str
) -> None:
    """A code and a text that only capitals or zeros tell apart are two readings of one cell."""
    with pytest.raises(RefusedCell, match=refused):
        options_named(asked(*options), cells, _refuse)


NASTY = (
    *("None", "none", "NONE", "No", "no", "Yes", "True", "TRUE", "1", "01", "1.0", "001", "2"),
    *("02", "2.0", "10", "010", "1e1", "A", "a", "B", "b", "Cote", "Côte", "côte", "Côté", "Foo"),
    *("foo", "3", "03", "Bar", "-1", "0", "00", "Route 7", "ınce", "INCE", "Ince", "+1", "1.50"),
)


def _damaged(rng: random.Random, text: str) -> str:
    """A name as a typist or a spreadsheet may change it."""
    how = rng.randrange(5)
    if how == 0:
        return rng.choice([text.upper(), text.lower(), text.capitalize()])
    if how == 1 and text.lstrip("0").isdecimal():
        return text.lstrip("0")
    if how == 2 and text.isdecimal():
        return rng.choice([f"{text}.0", f"0{text}", str(int(text))])
    if how == 3:
        return unaccented(text)
    return f" {text}\u00a0"


def _runs(count: int) -> Iterator[tuple[int, Question, list[tuple[str, tuple[int, ...]]]]]:
    """Questions of names that are easily mistaken, and cells with what their writers meant."""
    for seed in range(count):
        rng = random.Random(seed)  # noqa: S311
        size = rng.randrange(2, 5)
        codes = rng.sample(NASTY, size) if rng.random() < 0.5 else [str(n + 1) for n in range(size)]
        named = [*zip(codes, rng.sample(NASTY, size), strict=True)]
        if "none" in codes or rng.random() < 0.2:
            named.append(("x", "none of these"))
        else:
            named.append(("none", "no such stereotype"))
        many = rng.random() < 0.4
        question = asked(*named, many=many)
        style, rate = rng.choice(["codes", "texts", "mixed"]), rng.choice([0, 0, 0.1, 0.5])
        written = []
        for _ in range(rng.randrange(1, 12)):
            places = rng.sample(range(size + 1), rng.choice([1, 1, 2]) if many else 1)
            way = style if style != "mixed" else rng.choice(["codes", "texts"])
            parts = [named[at][way == "texts"] for at in places]
            parts = [_damaged(rng, part) if rng.random() < rate else part for part in parts]
            written.append(("; ".join(parts), tuple(sorted(places))))
        yield seed, question, written


def test_no_cell_is_read_wrongly_without_a_word() -> None:
    """The reading is what the writer meant, or the cell is refused, or a note names it."""
    right = refused = doubted = 0
    for seed, question, written in _runs(4000):
        try:
            chosen, notes = options_named(question, [*{c: None for c, _ in written}], _refuse)
        except RefusedCell:
            refused += 1
            continue
        noted = {cell for note, cell, _ in notes if note is not Note.TYPED}
        wrong = {cell for cell, places in written if chosen[cell] != places}
        assert wrong <= noted, (seed, question.options, written)
        doubted += bool(wrong)
        right += not wrong
    assert right > 3000
    assert refused > 500
    assert doubted < right / 10
