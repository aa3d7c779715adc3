"""The requests of a task folder, and which answer a reply to one of them gives."""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluation.parsing import read_reply
from exports.harness.measure.scoring import ANSWERS, cell
from exports.harness.measure.words import OWN

SETTINGS = "benchmark.json"
"""What the benchmark is: name, title, version, set, licence, canary."""
DATA = "data.jsonl"
"""The requests, one a line."""
OUT_OF_CHOICE = ANSWERS[-1]
Row = dict[str, Any]


def read_settings(folder: Path) -> dict[str, Any]:
    """Read what the benchmark is."""
    found: dict[str, Any] = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
    return found


def read_rows(folder: Path, category: str | None = None) -> Iterator[Row]:
    """Yield the requests, all or those of a category, in their order.

    Args:
        folder: The task folder.
        category: Its name, or its short name in ids; of either case.
    """
    wanted = None if category is None else category.casefold()
    with (folder / DATA).open(encoding="utf-8") as stream:
        for line in stream:
            row: Row = json.loads(line)
            names = row["category"], row["category_id"]
            if wanted is None or wanted in (name.casefold() for name in names):
                yield row


def drawn_samples(ids: Sequence[str], limit: int, seed: int) -> frozenset[str]:
    """Draw samples as `curate evaluate prepare --limit` does.

    Args:
        ids: Sample ids in their order; one that stands several times counts once.
        limit: How many to draw.
        seed: The seed of the draw.
    """
    known = list(dict.fromkeys(ids))
    if limit >= len(known):
        return frozenset(known)
    rng = random.Random(seed)  # noqa: S311  # a seeded draw is wanted, not a secret
    return frozenset(known[at] for at in rng.sample(range(len(known)), limit))


def answer_of(row: Mapping[str, Any], reply: str) -> tuple[str, str]:
    """Read a reply.

    Returns:
        Its answer, one of `ANSWERS`, and the rule that read it or says why none was read.
    """
    reading = read_reply(reply, row["choices"], labels=row["letters"], own=OWN)
    if reading.chosen is None:
        return OUT_OF_CHOICE, reading.rule.value
    (position,) = reading.chosen
    return str(row["roles"][position]), reading.rule.value


def likeliest(row: Mapping[str, Any], values: Sequence[float]) -> str:
    """The answer of the letter with the highest log-likelihood.

    Returns:
        One of `ANSWERS`; out-of-choice where several letters share the highest one, for then
        none of them is chosen and the first would only win by its place.
    """
    best = [at for at, value in enumerate(values) if value == max(values)]
    return str(row["roles"][best[0]]) if len(best) == 1 else OUT_OF_CHOICE


def counted(row: Mapping[str, Any], answer: str) -> tuple[str, str, int]:
    """Where an answer is counted: template, prompt and cell."""
    at = cell(row["context_type"], row["variant"], answer)
    return row["template_id"], row["prompt"], at
