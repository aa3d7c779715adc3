"""What every translation engine offers and needs: faults, keys, a glossary."""

import hashlib
import json
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Protocol, Self

import yaml

from curation.files.tables import read_table, refuse_problems
from curation.records.bank import Group
from curation.records.messages import CurateError
from curation.report.texts import resource
from curation.slots.protection import escape

_TAG_ID = re.compile(r'<x id="(\d+)"')
_TAG = re.compile(r"<[^<>]*>")
_AGAIN = "run the same command again: only what is missing is sent"


@dataclass(frozen=True, slots=True)
class Reply:
    """One text as it came back, and the characters billed for it; None where that is not said."""

    text: str
    billed: int | None


@dataclass(frozen=True, slots=True)
class Usage:
    """Characters that an account has used, and may use; None where it has no limit."""

    used: int
    limit: int | None


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one request holds: texts, and bytes of its body."""

    texts: int
    bytes: int


class FaultKind(StrEnum):
    """What a failed request means for the run.

    `stop`: nothing more can be sent. `busy`: refused unread, and may be sent again.
    `too_large`: refused unread, and may be sent in parts. `unanswered`: it may have been read
    and billed, so it is not sent again in the same run.
    """

    STOP = "stop"
    BUSY = "busy"
    TOO_LARGE = "too_large"
    UNANSWERED = "unanswered"


class EngineFault(Exception):
    """A request that failed.

    Args:
        kind: What it means for the run.
        what: What happened, one line; never holds a key.
        hint: What to do, one line.
        billed: Whether a request that stops the run may have been billed.
    """

    def __init__(self, kind: FaultKind, what: str, hint: str = "", *, billed: bool = False) -> None:
        super().__init__(what)
        self.kind = kind
        self.what = what
        self.hint = hint
        self.billed = billed or kind is FaultKind.UNANSWERED


def fault_of(engine: str, what: int | str | None, message: str = "") -> EngineFault:
    """What a failure means for the run, as `faults.yaml` lists it.

    Args:
        engine: The engine.
        what: The HTTP status, or what happened where there is none.
        message: What the engine says itself; never holds a key.
    """
    listed = _faults()[engine]
    known: dict[str, Any] = {"hint": "", "billed": False} | listed.get(what, listed["other"])
    words = {"message": " ".join(message.split())[:300], "again": _AGAIN}
    said, hint = (known[name].format(**words) for name in ("what", "hint"))
    return EngineFault(FaultKind(known["kind"]), said, hint, billed=known["billed"])


@cache
def _faults() -> dict[str, dict[int | str | None, dict[str, Any]]]:
    return yaml.safe_load(resource(__package__, "faults.yaml"))  # type: ignore[no-any-return]


class Client(Protocol):
    """A connection to an engine; each worker has its own."""

    def translate(self, texts: Sequence[str], context: str) -> Sequence[Reply | None]:
        """Translate texts (XML with slots as tags `x`), in order; None for one without a reply.

        Raises:
            EngineFault: If that failed.
        """

    def close(self) -> None:
        """Let the connection go."""


class Service(Protocol):
    """An engine with its settings.

    Attributes:
        name: Of the engine.
        is_free: Whether it bills nothing.
        limits: Of one request.
    """

    @property
    def name(self) -> str:
        """Of the engine."""

    def signature(self, text: str) -> str:
        """Every option that the reply to a text depends on, but the text and its context."""

    @property
    def is_free(self) -> bool:
        """Whether it bills nothing."""

    @property
    def limits(self) -> Limits:
        """Of one request."""

    def size(self, texts: Sequence[str], context: str) -> int:
        """The bytes of a request's body."""

    def prepare(self) -> None:
        """Do once what requests need, such as a glossary, before the first of them.

        Raises:
            CurateError: If a key is missing, or the engine refuses.
        """

    def usage(self) -> Usage | None:
        """What the account has used; None where the engine does not say.

        Raises:
            CurateError: If a key is missing, or the engine refuses it.
        """

    def client(self) -> Client:
        """Open a connection.

        Raises:
            CurateError: If a key is missing.
        """


def in_their_places(texts: Sequence[str], replies: Sequence[Reply]) -> list[Reply | None]:
    """Fewer replies than texts, each where it certainly belongs by its tags; None elsewhere.

    Replies are in the order of the texts. One is certain that has tags, and whose place is the same
    in the first and in the last of the ways in which the tags of all replies fit those of texts.
    """
    tags = [sorted(_TAG_ID.findall(text)) for text in texts]
    theirs = [sorted(_TAG_ID.findall(reply.text)) for reply in replies]
    first = _places(tags, theirs)
    last = [len(texts) - 1 - place for place in _places(tags[::-1], theirs[::-1])][::-1]
    found: list[Reply | None] = [None] * len(texts)
    for reply, one, other in zip(replies, first, last, strict=False):
        if one == other and tags[one]:
            found[one] = reply
    return found


def _places(tags: Sequence[list[str]], theirs: Sequence[list[str]]) -> list[int]:
    """The first places at which tags of replies fit those of texts; none where they do not."""
    left = iter(enumerate(tags))
    found = [next((at for at, own in left if own == wanted), None) for wanted in theirs]
    return [] if None in found else [at for at in found if at is not None]


class FreeService:
    """What engines have in common that send nothing, each its own client."""

    is_free = True

    def size(self, texts: Sequence[str], context: str) -> int:
        """A size; nothing is sent."""
        return sum(map(len, texts)) + len(context)

    def prepare(self) -> None:
        """Nothing is needed."""

    def usage(self) -> Usage | None:
        """Nothing is used."""
        return None

    def client(self) -> Self:
        """Itself: there is nothing to connect to."""
        return self

    def close(self) -> None:
        """Nothing is open."""


class Secret:
    """A key that does not show when it is printed.

    Args:
        value: The key.
    """

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The key, for the engine's own client alone."""
        return self._value

    def hide(self, text: str) -> str:
        """Take the key out of a text."""
        return text.replace(self._value, "(key)")

    def __repr__(self) -> str:
        return "Secret()"


WITHOUT_KEY = "--engine file uses translations that you have, --engine pseudo is for a trial"
"""What a translation can be done with where there is no key."""


def secret_from(variable: str, where_from: str, without: str = WITHOUT_KEY) -> Secret:
    """Read a key from an environment variable.

    Args:
        variable: Its name.
        where_from: Where a key is had, for the hint.
        without: What can be done without one, for the hint.

    Raises:
        CurateError: If there is none, or it cannot be a key; it is never shown.
    """
    value = os.environ.get(variable, "").strip()
    if not value:
        what = f"{variable} is not set"
        raise CurateError(what, "environment", f"{where_from}; or without a key: {without}")
    if len(value) < 4 or not value.isascii() or not value.isprintable() or " " in value:
        raise CurateError(
            f"{variable} holds no key", "environment", "copy the key again, without line breaks"
        )
    return Secret(value)


Glossary = tuple[tuple[str, str], ...]
"""Words and their translations, in order; empty without a glossary."""


def glossary_part(glossary: Glossary, texts: Sequence[str]) -> Glossary:
    """The entries whose source occurs in texts as they are sent, in whatever case.

    On others a reply does not depend: a new entry sends no text again but those that have it.
    """
    text = "\n".join(_TAG.sub("", one) for one in texts).casefold()
    return tuple(entry for entry in glossary if escape(entry[0]).casefold() in text)


def glossary_digest(glossary: Glossary) -> str:
    """A hash of the entries, whatever their order; empty for none."""
    data = json.dumps(sorted(glossary), ensure_ascii=False)
    return hashlib.sha256(data.encode()).hexdigest() if glossary else ""


def glossary_of_groups(groups: Iterable[Group]) -> Glossary:
    """What people call groups that the source calls by their keys.

    A key is what the source calls a group. What is called differently in two categories is left
    out, for a text does not say which is meant.
    """
    named: dict[str, str] = {}
    several: set[str] = set()
    for group in groups:
        is_named = group.group != group.key and not group.same_as
        if is_named and named.setdefault(group.key, group.group) != group.group:
            several.add(group.key)
    return tuple((key, name) for key, name in named.items() if key not in several)


def read_glossary(path: Path) -> Glossary:
    """Read a glossary.

    Raises:
        CurateError: If it cannot be read, a cell is empty, or a word occurs twice.
    """
    table = read_table(path, required=("source", "target"))
    refuse_problems(table)
    entries: dict[str, str] = {}
    for row in table.rows:
        source, target = row["source"].strip(), row["target"].strip()
        where = f"{path}, row {row.number}"
        if not source or not target:
            raise CurateError("an entry of the glossary is empty", where, "fill both columns")
        if any(ord(char) < 32 for char in source + target):
            raise CurateError("an entry of the glossary holds a line break or tab", where)
        if entries.setdefault(source, target) != target:
            raise CurateError(f"'{source}' has two translations", where, "keep one")
    return tuple(entries.items())
