"""Replies that a person has read, to see whether the words of a language read them so too."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from curation.files.packs import language_of_file
from curation.files.tables import read_text
from curation.languages import Language
from curation.records.errors import CurateError
from evaluation.parsing import choice_letters, read_reply

NONE = "none"
"""What a list of replies that name no choice is called."""
_MORE = "more"
_SHAPE = "write choices: [...], then A: [...], B: [...], C: [...] and none: [...], lists of replies"


@dataclass(frozen=True, slots=True)
class Misread:
    """A reply that is not read as a person reads it.

    Attributes:
        reply: The reply.
        meant: The letter that a person reads, or `none`.
        read: The letter that is read, or `none`.
        rule: By which rule, or why it is not read.
    """

    reply: str
    meant: str
    read: str
    rule: str


@dataclass(frozen=True, slots=True)
class Listed:
    """How a list of replies is read.

    Attributes:
        replies: How many there are.
        misread: Those that are read otherwise than a person reads them.
    """

    replies: int
    misread: tuple[Misread, ...]


def read_listed(path: Path, language: Language | Path) -> Listed:
    """Read a list of replies with the words of a language, beside those of all others.

    Args:
        path: YAML: `choices`, and by letter, or under `none`, the replies in which a person reads
            it; `more` may hold the same of other choices.
        language: The language, or the file of a workspace for it.

    Raises:
        CurateError: If the list or the language cannot be read.
    """
    known = language if isinstance(language, Language) else language_of_file(language)
    try:
        loaded = yaml.safe_load(read_text(path))
    except yaml.YAMLError as error:
        raise CurateError(f"{path.name} is not valid YAML", str(path), _SHAPE) from error
    if not isinstance(loaded, dict):
        raise CurateError(f"{path.name} holds no replies", str(path), _SHAPE)
    total, misread = 0, []
    for given in filter(None, (loaded, loaded.get(_MORE))):
        choices = given.get("choices")
        if not isinstance(choices, list) or not choices:
            raise CurateError("choices: there are none", str(path), _SHAPE)
        letters = choice_letters(len(choices))
        for meant, replies in given.items():
            if meant in ("choices", _MORE):
                continue
            if meant not in (*letters, NONE) or not isinstance(replies, list):
                raise CurateError(f"{meant}: it is not a list of a choice", str(path), _SHAPE)
            total += len(replies)
            found = (_read(str(reply), meant, choices, known) for reply in replies)
            misread += [item for item in found if item.read != meant]
    return Listed(total, tuple(misread))


def _read(reply: str, meant: str, choices: list[Any], language: Language) -> Misread:
    shown = [str(choice) for choice in choices]
    reading = read_reply(reply, shown, own=language)
    letters = choice_letters(len(shown))
    read = NONE if reading.chosen is None else "".join(letters[at] for at in sorted(reading.chosen))
    return Misread(reply, meant, read, reading.rule.value)
