"""The words of languages by which replies are read, from the file beside this one."""

import json
from pathlib import Path
from typing import Any

WORDS = "words.json"
"""The words by which the toolkit read replies when it wrote the folder."""
UNKNOWN = "unknown.json"
"""What the prompts of the folder call the choice that nobody can know."""


class Replies(dict[str, Any]):
    """The words of one language by name, as in the toolkit's file of it."""

    def __getattr__(self, name: str) -> Any:
        return self[name]


class Language:
    """The language of the workspace, whose words the file has beside English ones."""

    code = "own"


OWN: Any = Language()


def asked_unknown(_own: Language | None = None) -> tuple[str, ...]:
    """What the prompts call the choice that nobody can know."""
    text = (Path(__file__).parent / UNKNOWN).read_text(encoding="utf-8")
    return tuple(json.loads(text))


def reply_words(_own: Language | None = None) -> tuple[Replies, ...]:
    """The words of the file."""
    text = (Path(__file__).parent / WORDS).read_text(encoding="utf-8")
    found: list[Replies] = json.loads(text, object_hook=Replies)
    return tuple(found)
