"""What is said of a model too many of whose replies could not be parsed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class UnparsedShare:
    """How many replies of a kind are out-of-choice.

    Attributes:
        group_by: `context` or `label`.
        group: Which of them.
        out_of_choice: How many are.
        replies: Of how many.
        share: The first by the second.
    """

    group_by: str
    group: str
    out_of_choice: int
    replies: int
    share: float


@dataclass(frozen=True, slots=True)
class Bound:
    """The possible range of a score.

    Attributes:
        score: Which score, as a column of `scores.csv`.
        value: Over the replies that were parsed; None where undefined.
        least: The lowest that it can be, whatever the others mean.
        most: The highest.
    """

    score: str
    value: float | None
    least: float | None
    most: float | None


@dataclass(frozen=True, slots=True)
class ModelUnparsed:
    """The replies of a model that could not be parsed.

    Attributes:
        model: The model.
        out_of_choice: How many there are.
        replies: Of how many.
        shares: By type of context and by label.
        rules: The reasons that occur most, at most three, each with an example.
        bounds: Of each score.
    """

    model: str
    out_of_choice: int
    replies: int
    shares: tuple[UnparsedShare, ...]
    rules: tuple[FailedRule, ...]
    bounds: tuple[Bound, ...]

    @property
    def many(self) -> bool:
        """Whether they are more than one in `ONE_IN` of any type of context or label."""
        return any(ONE_IN * item.out_of_choice > item.replies for item in self.shares)


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
        out_of_choice=sum(part.out_of_choice for part in shares if part.group_by == "context"),
        replies=sum(part.replies for part in shares if part.group_by == "context"),
        shares=shares,
        rules=item.unparsed[:_RULES],
        bounds=tuple(_bound(overall, name) for name in MAIN),
    )


def _shares(grid: Grid, by_unit: npt.NDArray[np.int64]) -> Iterator[UnparsedShare]:
    """Yield the shares by type of context, then by label; nothing of what has no reply."""
    for name, contexts in _CONTEXTS.items():
        yield from _share("context", name, by_unit[:, list(contexts)])
    labels = np.array([unit.label for unit in grid.samples.units])
    for label in dict.fromkeys(labels.tolist()):
        yield from _share("label", label, by_unit[labels == label])


def _share(group_by: str, group: str, counts: npt.NDArray[np.int64]) -> Iterator[UnparsedShare]:
    replies, unparsed = int(counts.sum()), int(counts[..., Answer.OUT_OF_CHOICE].sum())
    if replies:
        yield UnparsedShare(group_by, group, unparsed, replies, round(unparsed / replies, 12))


def _bound(row: Mapping[str, object], name: str) -> Bound:
    value, least, most = (row[f"{name}{end}"] for end in ("", "_least", "_most"))
    return Bound(name, _number(value), _number(least), _number(most))


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None
