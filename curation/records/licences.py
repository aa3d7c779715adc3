"""What the licences of data ask for, and which of them go together.

A small table of SPDX identifiers that data sets of this kind carry. It says what a derived data
set has to follow, and is no legal advice: what is not in it is refused, so that a person looks.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from unicodedata import normalize

from curation.records.letters import BY_CHARACTER
from curation.records.messages import own_yaml


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a licence for publishing a derived data set.

    Attributes:
        spdx: SPDX identifier.
        title: Name for readers.
        attribution: Its creators and notice are to be named.
        share_alike: What is derived carries the same licence.
        non_commercial: What is derived may not be used commercially.
        no_derivatives: Nothing derived may be passed on.
    """

    spdx: str
    title: str
    attribution: bool = True
    share_alike: bool = False
    non_commercial: bool = False
    no_derivatives: bool = False


_TABLES = own_yaml(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
TERMS: Mapping[str, Terms] = {
    spdx: Terms(
        spdx,
        title,
        attribution=spdx not in ("CC0-1.0", "PDDL-1.0"),
        share_alike="-SA-" in spdx or spdx == "ODbL-1.0",
        non_commercial="-NC-" in spdx,
        no_derivatives="-ND-" in spdx,
    )
    for spdx, title in _TABLES["titles"].items()
}
"""The licences that are known, by SPDX identifier."""

_LATER = {
    "CC-BY-SA-3.0": ("CC-BY-SA-4.0",),
    "CC-BY-NC-SA-3.0": ("CC-BY-NC-SA-4.0",),
}
"""Licences whose share-alike is met by a later version of theirs."""


def plain_name(name: str) -> str:
    """Write the name of a licence so that those that mean the same are the same."""
    return re.sub(r"[\s_-]+", "-", name.strip()).casefold()


_BY_PLAIN = {plain_name(spdx): terms for spdx, terms in TERMS.items()}


def terms_of(name: str) -> Terms | None:
    """What a licence asks for, by its identifier; `CC BY 4.0` is `CC-BY-4.0` too."""
    return _BY_PLAIN.get(plain_name(name))


def conflict(source: Terms, release: Terms) -> str:
    """Say why text under one licence may not be published under another; nothing where it may.

    Args:
        source: The terms of what the data was derived from.
        release: The terms that the data is to be published under.
    """
    if source.no_derivatives:
        return f"{source.spdx} does not allow derived texts to be published"
    if source.share_alike and release.spdx not in (source.spdx, *_LATER.get(source.spdx, ())):
        return f"{source.spdx} asks that what is derived carries {source.spdx}"
    if source.non_commercial and not release.non_commercial:
        return f"{source.spdx} forbids commercial use, which {release.spdx} allows"
    if source.attribution and not release.attribution:
        return f"{source.spdx} asks that its creators are named, which {release.spdx} gives up"
    return ""


@dataclass(frozen=True, slots=True)
class Licence:
    """Under which terms a published set may be used.

    Attributes:
        name: SPDX identifier, or the name as it was recorded; empty where none is known.
        holder: Who is to be credited.
        address: Where the set is published.
        share_alike: Whether derived texts must carry the same licence.
    """

    name: str
    holder: str = ""
    address: str = ""
    share_alike: bool = False


_PERSONAL = {what: re.compile(pattern) for what, pattern in _TABLES["personal"].items()}
_ADDRESS = re.compile(r"https?://\S+")
_TOKEN = re.compile(r"[\w@.-]+")
_SHORTEST_ID = 6


def personal_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield what a text holds that names a person: what it is, and the words.

    Addresses of web pages are not looked at: they hold ids of many kinds.
    """
    text = _ADDRESS.sub(" ", text)
    for what, pattern in _PERSONAL.items():
        for match in pattern.finditer(text):
            yield what, match[0]


def names_in(text: str, names: Collection[str]) -> Iterator[str]:
    """Yield the names that occur in a text as whole words, or run on into the next as in Korean."""
    text = normalize("NFC", text)
    for name, plain in ((name, normalize("NFC", name)) for name in names):
        begins = "" if re.match(f"[{BY_CHARACTER}]", plain) else r"(?<!\w)"
        ends = "" if re.search(f"[{BY_CHARACTER}\uac00-\ud7a3]$", plain) else r"(?!\w)"
        if plain in text and re.search(f"{begins}{re.escape(plain)}{ends}", text):
            yield name


def ids_in(text: str, ids: Collection[str]) -> Iterator[str]:
    """Yield the respondents' ids that occur in a text; short ids could be words."""
    for token in _TOKEN.findall(text):
        word = token.strip(".-")
        if len(word) >= _SHORTEST_ID and re.search(r"\d", word) and word in ids:
            yield word
