"""What columns, choices and files are called; what words are made of."""

import re
import unicodedata
from collections.abc import Iterable

BY_CHARACTER = "\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff"
"""Scripts that set no blank between words (Thai, Lao, Japanese, Chinese), as in a class."""

_MARKS = (
    "\u0300-\u0306\u0308-\u036f\u07a6-\u07b0\u07eb-\u07f3\u0900-\u0963\u0966-\u0df3\u0e31-\u0e3a"
    "\u0e47-\u0e4e\u0eb1-\u0ebc\u0ec8-\u0ecd\u0f71-\u0fbc\u1000-\u1049\u1050-\u109f\u1780-\u17d3"
    "\ua980-\ua9c0\uabe3-\uabed\U0001e944-\U0001e94a"
)
LETTER = rf"(?:[^\W_]|[{_MARKS}])"
"""A letter, a digit, or a vowel or tone that is a mark on one and that `\\w` leaves out, such as
those of Hindi, Thai and Yoruba: without them two words are the same. Vowels that Arabic and Hebrew
may leave out are none."""
IN_WORDS = rf"\w{_MARKS}\u0307\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670"
"""What words are made of, those vowels too, as in a class."""
_WORD = re.compile(f"{LETTER}+")
_OF_WORD = re.compile(f"(?!_)[{IN_WORDS}]")
_OUT_OF_NAMES = re.compile(f"(?:(?!{LETTER})[^-])+")
PART = re.compile(f"[{BY_CHARACTER}][{_MARKS}]*|(?:(?![{BY_CHARACTER}]){LETTER})+")
"""A word, or a character with its marks in a script that sets no blank between words."""


def file_stems(names: Iterable[str], otherwise: str) -> dict[str, str]:
    """By name what a file can be called after it, no two alike.

    Args:
        names: The names.
        otherwise: What a file is called after a name without a letter.
    """
    found: dict[str, str] = {}
    taken: set[str] = set()
    for name in dict.fromkeys(names):
        plain = _OUT_OF_NAMES.sub("_", unicodedata.normalize("NFC", name)).strip("_")
        stem = wanted = plain or otherwise
        number = 1
        while stem.casefold() in taken:
            number += 1
            stem = f"{wanted}-{number}"
        taken.add(stem.casefold())
        found[name] = stem
    return found


def in_word(text: str) -> bool:
    """Whether a text begins with a character of a word: a letter, a digit or a mark on one."""
    return _OF_WORD.match(text) is not None


def words_of(text: str) -> list[str]:
    """The words of a text, without what stands between them."""
    # what is left of the dot of a small Turkish I
    return _WORD.findall(unicodedata.normalize("NFC", text).replace("i\u0307", "i"))


def column_letters(at: int) -> str:
    """The letters by which a spreadsheet calls a column, from 0: A to Z, then AA, AB, and so on."""
    letters = ""
    at += 1
    while at:
        at, rest = divmod(at - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def choice_letters(count: int) -> list[str]:
    """Name choices as spreadsheets name columns."""
    return [column_letters(at) for at in range(count)]
