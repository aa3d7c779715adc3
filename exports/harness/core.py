"""What a task does, whatever the harness: a reply is read and counted, and the counts are scored.

The programs of task folders carry this module and what it imports (`exports.harness.program`).
"""

import json
import random
import urllib.request
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from evaluation.parsing.thoughts import CUT_OFF
from evaluation.parsing.verdicts import read_reply
from evaluation.qa.metrics import (
    EVERY_CELL,
    Answer,
    Context,
    SetKind,
    cell,
    out_of_choice_share,
    scores,
)
from exports.harness.words import DATA, GIVEN, OWN, RATIO, SETTINGS

Row = dict[str, Any]
Counted = tuple[str, int]
"""Where a reply is counted: template and cell."""


def read_settings(folder: Path) -> dict[str, Any]:
    """Read what the benchmark is."""
    return dict(json.loads((folder / SETTINGS).read_text(encoding="utf-8")))


def read_rows(folder: Path, category: str | None = None) -> Iterator[Row]:
    """Yield the requests, all or those of a category, in their order.

    They are in the folder, or where that has none at the address of the data.

    Args:
        folder: The task folder.
        category: Its name, or its short name in ids; of either case.
    """
    wanted = None if category is None else category.casefold()
    path = folder / DATA
    address = path.as_uri() if path.exists() else read_settings(folder)["data"]
    with urllib.request.urlopen(address) as stream:  # noqa: S310  # a file's, or a release's own
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


def answer_of(row: Mapping[str, Any], reply: str, *, cut: bool = False) -> tuple[str, str]:
    """Read a reply.

    Args:
        row: Its request.
        reply: The reply.
        cut: Whether a limit on its length cut it off.

    Returns:
        Its answer, one of `GIVEN`, and the rule that read it or says why none was read.
    """
    reading = read_reply(reply + CUT_OFF * cut, row["choices"], labels=row["letters"], own=OWN)
    if reading.chosen is None:
        return GIVEN[-1], reading.rule.value
    (position,) = reading.chosen
    return str(row["roles"][position]), reading.rule.value


def likeliest(row: Mapping[str, Any], values: Sequence[float]) -> str:
    """The answer of the letter with the highest log-likelihood.

    Returns:
        One of `GIVEN`; out-of-choice where several letters share the highest one, for then
        none of them is chosen and the first would only win by its place.
    """
    best = [at for at, value in enumerate(values) if value == max(values)]
    return str(row["roles"][best[0]]) if len(best) == 1 else GIVEN[-1]


def counted(row: Mapping[str, Any], answer: str) -> Counted:
    """Where an answer is counted."""
    context, given = row["context_kind"].upper(), answer.upper()
    return row["template_id"], cell(Context[context], Answer[given])


def scored(replies: Iterable[tuple[Counted, float]], kind: str) -> dict[str, float]:
    """Score replies, each with how often it occurs; NaN is undefined.

    Args:
        replies: The replies.
        kind: `test` pools them, `all` averages over templates.
    """
    units: dict[str, Any] = {}
    for (template, at), times in replies:
        units.setdefault(template, np.zeros(len(EVERY_CELL)))[at] += times
    counts = np.array([*units.values()]).reshape(-1, len(EVERY_CELL))
    found = {name: round(float(it), 12) for name, it in scores(counts, SetKind(kind)).items()}
    return found | {RATIO: float(out_of_choice_share(counts.sum(axis=0)))}
