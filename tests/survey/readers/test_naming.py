"""How cells name options: one meaning, or a refusal, or a word about it."""

from typing import NoReturn

import pytest

from curation.records.survey import Option, Question, QuestionKind, Role
from survey.readers.frames import refusal
from survey.readers.options import options_named


class RefusedCell(Exception):
    """A cell was refused."""


def _refuse(cell: str, key: str, /, **words: object) -> NoReturn:
    raise RefusedCell(refusal(key, "", **words).what)


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


def test_an_exact_hit_that_competes_with_a_loose_one_is_refused() -> None:
    """A code and a text that only capitals or zeros tell apart are two readings of one cell."""
    for options, cells, refused in [
        (FAITHS, ["Christian", "Muslim", "None", "none"], "'None' can be read as"),
        (FAITHS, ["Christian", "NONE"], "'NONE' can be read as"),
        (CODES, ["01", "02", "none", "None"], "'none' can be read as"),
        (ZEROS, ["Route 7", "1"], "'1' can be read as '1: Route 7' or as '2: 01'"),
        (ZEROS, ["Route 7", "1.0"], "'1.0' can be read as"),
        (ZEROS, ["1"], "'1' can be read as"),
        (ZEROS, ["1.5"], "'1.5' is not an option"),
    ]:
        with pytest.raises(RefusedCell, match=refused):
            options_named(asked(*options), cells, _refuse)
