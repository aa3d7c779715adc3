"""What is said of a model too many of whose replies could not be parsed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.qa.answers import FailedRule, ModelAnswers
from evaluation.qa.metrics import EVERY_CELL, MAIN
from evaluation.qa.score import Row

ONE_IN = 50
"""A share above one in so many (2 %), in any type of context or label, is said."""
_CONTEXTS = {"ambiguous": "ad", "disambiguated": "bce"}
"""By type of context the letters that its cells have."""
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


def model_unparsed(item: ModelAnswers, rows: Sequence[Row]) -> ModelUnparsed:
    """Count what of a model's replies could not be parsed.

    Args:
        item: What it answered.
        rows: Its scores, with the columns of `SCORE_COLUMNS`, those over all replies first.
    """
    overall = rows[0]
    counted = [
        ("context", name, [cell for cell in EVERY_CELL if cell[2] in kinds], overall)
        for name, kinds in _CONTEXTS.items()
    ]
    labels = (row for row in rows if row["group_by"] == "label")
    counted += [("label", str(row["group"]), list(EVERY_CELL), row) for row in labels]
    shares = []
    for group_by, group, cells, row in counted:
        replies = sum(int(row[cell] or 0) for cell in cells)
        unparsed = sum(int(row[cell] or 0) for cell in cells if cell.endswith("o"))
        if replies:
            numbers = {"out_of_choice": unparsed, "replies": replies}
            share = round(unparsed / replies, 12)
            shares.append({"group_by": group_by, "group": group, **numbers, "share": share})
    return ModelUnparsed(
        model=item.model,
        out_of_choice=int(overall["out_of_choice"] or 0),
        replies=sum(int(overall[cell] or 0) for cell in EVERY_CELL),
        shares=tuple(shares),
        rules=item.unparsed[:_RULES],
        bounds=tuple(
            {
                "score": name,
                **{end or "value": overall[f"{name}_{end}".strip("_")] for end in _ENDS},
            }
            for name in MAIN
        ),
    )
