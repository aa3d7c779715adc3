"""What the tasks of this folder do in the Language Model Evaluation Harness.

The YAML files beside it name these functions. How replies are read and scored is the toolkit's own
code, which stands first.
"""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from exports.harness.core import (
    Counted,
    answer_of,
    counted,
    likeliest,
    read_rows,
    read_settings,
    scored,
)
from exports.harness.words import SCORES

Doc = dict[str, Any]
_FOLDER = Path(__file__).resolve().parent


def load(category: str | None = None, **_: object) -> Any:
    """Load the requests, all or those of a category."""
    import datasets

    return {"test": datasets.Dataset.from_list(list(read_rows(_FOLDER, category)))}


def letter(doc: Doc) -> str:
    """The letter of the right answer."""
    return str(doc["letters"][doc["right"]])


def generated(doc: Doc, results: Sequence[Any]) -> dict[str, tuple[Counted, ...]]:
    """Read what came of a request: a reply, or in several epochs one for each."""
    replies = results[0] if isinstance(results[0], (list, tuple)) else [results[0]]
    found = tuple(counted(doc, answer_of(doc, reply or "")[0]) for reply in replies)
    return dict.fromkeys(SCORES, found)


def chosen(doc: Doc, results: Sequence[tuple[float, bool]]) -> dict[str, tuple[Counted, ...]]:
    """Take the likeliest letter."""
    values = [value for value, _ in results]
    if any(math.isnan(value) for value in values):
        raise ValueError(f"{doc['request_id']}: the model gives no log-likelihood (NaN)")
    return dict.fromkeys(SCORES, (counted(doc, likeliest(doc, values)),))


def _aggregation(name: str) -> Callable[[Sequence[Sequence[Counted]]], float]:
    """Make the function that gives one of the scores; NaN where it is undefined."""

    def aggregate(items: Sequence[Sequence[Counted]]) -> float:
        replies = (((template, at), 1) for item in items for template, at in item)
        return scored(replies, read_settings(_FOLDER)["set"])[name]

    aggregate.__name__ = name
    return aggregate


globals().update({f"overall_{name}": _aggregation(name) for name in SCORES})
