"""What a task folder calls its files and scores, and the words by which it reads replies.

In a task this module stands for `curation.languages`.
"""

import json
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from evaluation.qa.metrics import METRICS, Answer

SETTINGS = "benchmark.json"
"""What the benchmark is: name, title, version, set, licence, canary, address of the data."""
DATA = "data.jsonl"
"""The requests, one a line."""
RATIO = "out_of_choice_ratio"
SCORES = (*METRICS, RATIO)
"""What is given of replies."""
GIVEN = tuple(answer.name.lower() for answer in Answer if answer is not Answer.MISSING)
"""Which answer a reply gives; the last is out-of-choice."""

WORDS = "words.json"
"""The words by which the toolkit read replies when it wrote the folder, and what the prompts of
the folder call the choice that nobody can know."""


Replies = SimpleNamespace
"""The words of one language by name, as in the toolkit's file of it."""


class Language:
    """The language of the workspace, whose words the file has beside English ones."""

    code = "own"


OWN: Any = Language()


@lru_cache(maxsize=1)
def _read() -> dict[str, Any]:
    text = (Path(__file__).resolve().parent / WORDS).read_text(encoding="utf-8")
    return dict(json.loads(text))


def reply_words(_own: Language | None = None) -> tuple[Replies, ...]:
    """The words of the file."""
    return tuple(Replies(**pack) for pack in _read()["words"])


def asked_unknown(_own: Language | None = None) -> tuple[str, ...]:
    """What the prompts call the choice that nobody can know."""
    return tuple(_read()["unknown"])
