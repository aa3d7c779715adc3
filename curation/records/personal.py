"""Find what names people in texts that are to be published."""

import re
from collections.abc import Collection, Iterator

_PATTERNS = (
    ("an e-mail address", re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")),
    (
        "a telephone number",
        re.compile(r"(?<![\d\w./-])(?:\+\d{1,3}[ -]\d{1,4}|0\d{1,4})[ -]\d{3,4}[ -]\d{4}(?![\d-])"),
    ),
    (
        "an IP address",
        re.compile(
            r"(?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\d.])"
        ),
    ),
    # Workers of Mechanical Turk, participants of Prolific, responses of Qualtrics.
    (
        "an id of a survey platform",
        re.compile(r"\b(?:A[0-9A-Z]{12,13}|[0-9a-f]{24}|R_[0-9A-Za-z]{14,17})\b"),
    ),
)
_ADDRESS = re.compile(r"https?://\S+")
_TOKEN = re.compile(r"[\w@.-]+")
_SHORTEST_ID = 6


def personal_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield what a text holds that names a person: what it is, and the words.

    Addresses of web pages are not looked at: they hold ids of many kinds.
    """
    text = _ADDRESS.sub(" ", text)
    for what, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            if what != "an id of a survey platform" or _is_id(match[0]):
                yield what, match[0]


def _is_id(word: str) -> bool:
    """Tell an id from a word in capitals: it has letters and digits."""
    return any(character.isdigit() for character in word) and any(
        character.isalpha() for character in word
    )


def names_in(text: str, names: Collection[str]) -> Iterator[str]:
    """Yield the names that occur in a text as whole words."""
    for name in names:
        if name in text and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text):
            yield name


def ids_in(text: str, ids: Collection[str]) -> Iterator[str]:
    """Yield the respondents' ids that occur in a text; short ids could be words."""
    for token in _TOKEN.findall(text):
        word = token.strip(".-")
        if (
            len(word) >= _SHORTEST_ID
            and any(character.isdigit() for character in word)
            and word in ids
        ):
            yield word
