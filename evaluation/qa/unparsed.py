"""What is said of a model too many of whose replies could not be parsed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evaluation.qa.answers import FailedRule, ModelAnswers, Tallies
from evaluation.qa.grid import Grid
from evaluation.qa.metrics import ANSWERS, MAIN, Answer, Context
from evaluation.qa.score import Row

ONE_IN = 50
"""A share above one in so many (2 %), in any type of context or label, is said."""
_CONTEXTS = {
    "ambiguous": (Context.AMBIGUOUS, Context.OPEN_AMBIGUOUS),
    "disambiguated": (Context.BIASED, Context.COUNTER_BIASED, Context.OPEN_DISAMBIGUATED),
}
_RULES = 3
_ENDS = ("", "least", "most")


Rows = tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class ModelUnparsed:
    """The replies of a model that could not be parsed.

    Attributes:
        model: The model.
        out_of_choice: How many there are.
        replies: Of how many.
        shares: By `group_by` (`context` or `label`) and `group` how many are `out_of_choice`, of
            how many `replies`, and which `share` that is.
        rules: The reasons that occur most, at most three, each with an example.
        bounds: Of each `score` its `value` over the replies that were parsed, and the `least` and
            the `most` that it can be, whatever the others mean.
    """

    model: str
    out_of_choice: int
    replies: int
    shares: Rows
    rules: tuple[FailedRule, ...]
    bounds: Rows

    @property
    def many(self) -> bool:
        """Whether they are more than one in `ONE_IN` of any type of context or label."""
        return any(ONE_IN * item["out_of_choice"] > item["replies"] for item in self.shares)


def model_unparsed(item: ModelAnswers, grid: Grid, tallies: Tallies, overall: Row) -> ModelUnparsed:
    """Count what of a model's replies could not be parsed.

    Args:
        item: What it answered.
        grid: What was asked.
        tallies: Its replies, counted.
        overall: Its scores over all replies, with their bounds.
    """
    by_unit = tallies.sum(axis=(1, 2)).reshape(len(tallies), -1, ANSWERS)
    shares = tuple(_shares(grid, by_unit))
    return ModelUnparsed(
        model=item.model,
        out_of_choice=sum(
            part["out_of_choice"] for part in shares if part["group_by"] == "context"
        ),
        replies=sum(part["replies"] for part in shares if part["group_by"] == "context"),
        shares=shares,
        rules=item.unparsed[:_RULES],
        bounds=tuple(
            {
                "score": name,
                **{end or "value": overall[f"{name}_{end}".strip("_")] for end in _ENDS},
            }
            for name in MAIN
        ),
    )


def _shares(grid: Grid, by_unit: npt.NDArray[np.int64]) -> Iterator[dict[str, Any]]:
    """Yield the shares by type of context, then by label; nothing of what has no reply."""
    for name, contexts in _CONTEXTS.items():
        yield from _share("context", name, by_unit[:, list(contexts)])
    labels = np.array([unit.label for unit in grid.samples.units])
    for label in dict.fromkeys(labels.tolist()):
        yield from _share("label", label, by_unit[labels == label])


def _share(group_by: str, group: str, counts: npt.NDArray[np.int64]) -> Iterator[dict[str, Any]]:
    replies, unparsed = int(counts.sum()), int(counts[..., Answer.OUT_OF_CHOICE].sum())
    if replies:
        counted = {"out_of_choice": unparsed, "replies": replies}
        share = round(unparsed / replies, 12)
        yield {"group_by": group_by, "group": group, **counted, "share": share}
