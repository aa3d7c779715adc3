"""Which requests each model replied to, whatever they are about."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from curation.records.errors import CurateError
from curation.records.findings import Finding, warning
from curation.records.wording import counted
from evaluation.replies.files import ReplyTable, shortened


@dataclass(frozen=True, slots=True)
class Attendance:
    """How a model replied to all that it was asked.

    Attributes:
        model: The model.
        asked: How many requests there are.
        missing: Those without a reply, in their order; those that failed are among them.
        failed: How many calls failed.
        unknown: Replies to requests that there are not.
        rules: How many replies were parsed by each rule, or were not, and why.
    """

    model: str
    asked: int
    missing: tuple[str, ...]
    failed: int
    unknown: tuple[str, ...]
    rules: dict[str, int]

    def lacks(self) -> str:
        """Say what is missing."""
        failed = f" ({self.failed} of them failed)" if self.failed else ""
        return (
            f"{self.model} has no reply to {len(self.missing)} of "
            f"{counted(self.asked, 'request')}{failed}: {shortened(self.missing)}"
        )


def positions(replies: ReplyTable, ids: Sequence[str]) -> npt.NDArray[np.int64]:
    """For each reply the position of its request, -1 where there is no such request."""
    names = pd.Index(replies.frame["request_id"].to_numpy(object))
    return np.asarray(pd.Index(list(ids), dtype=object).get_indexer(names), np.int64)


def attendance(
    replies: ReplyTable,
    ids: Sequence[str],
    at: npt.NDArray[np.int64],
    rules: Sequence[str],
) -> tuple[Attendance, ...]:
    """How each model replied, in the order of the models.

    Args:
        replies: The replies.
        ids: The requests.
        at: As `positions` gives them.
        rules: For each reply the rule that parsed it, or why none did; empty where there is none.
    """
    frame = pd.DataFrame(
        {
            "id": replies.frame["request_id"].to_numpy(object),
            "at": at,
            "rule": np.array(rules, dtype=object),
        }
    )
    found = []
    for model in replies.models:
        mine = frame[(replies.frame["model"] == model).to_numpy()]
        known = mine[mine["at"] >= 0]
        given = known[known["rule"] != ""]
        there = np.zeros(len(ids), bool)
        there[given["at"].to_numpy()] = True
        found.append(
            Attendance(
                model=model,
                asked=len(ids),
                missing=tuple(ids[place] for place in np.flatnonzero(~there).tolist()),
                failed=len(known) - len(given),
                unknown=tuple(mine.loc[mine["at"] < 0, "id"]),
                rules=dict(sorted(Counter(given["rule"]).items())),
            )
        )
    return tuple(found)


def attendance_findings(found: Sequence[Attendance], file: str) -> Iterator[Finding]:
    """Yield a warning for each model that lacks replies, or has some to no request."""
    for item in found:
        if item.missing:
            yield warning(
                "reply-missing",
                file,
                f"{item.lacks()}; scores are over an incomplete set",
                "ask the model these as well, and add its replies",
            )
        if item.unknown:
            yield warning(
                "reply-unknown",
                file,
                f"{item.model}: {counted(len(item.unknown), 'reply', 'replies')} left out, because "
                f"no such request was asked: {shortened(item.unknown)}",
                "name the file of what was asked",
            )


def refuse_incomplete(found: Sequence[Attendance], file: str) -> None:
    """Refuse models that have not replied to every request.

    Raises:
        CurateError: Naming the first of them, and some of what it lacks.
    """
    lacking = [item for item in found if item.missing]
    if lacking:
        others = f"; {len(lacking) - 1} more models lack some" if len(lacking) > 1 else ""
        hint = "ask for these as well, or score what there is with --allow-incomplete"
        raise CurateError(f"{lacking[0].lacks()}{others}", file, hint)
