"""Replies that are alike: examples of each rule, and those that a person is to read."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from curation.model.reply import choice_letters
from evaluation.filled import PERSON
from evaluation.reply_rows import ReadReplies
from evaluation.unreadable import Unread

Rows = npt.NDArray[np.intp]


def alike(rows: Rows, *keys: npt.ArrayLike) -> list[Rows]:
    """Group rows that agree in some keys, the largest groups first.

    Args:
        rows: The rows.
        keys: Columns of whole numbers, of all rows that there are; groups of one size come in
            the order of these.
    """
    if not len(rows):
        return []
    columns = [np.asarray(key, dtype=np.int64)[rows] for key in keys]
    order = np.lexsort(columns[::-1])
    changed = np.zeros(len(rows), dtype=np.bool_)
    for column in columns:
        changed[1:] |= np.diff(column[order]) != 0
    groups = np.split(rows[order], np.flatnonzero(changed))
    return sorted(groups, key=len, reverse=True)


@dataclass(frozen=True, slots=True)
class Example:
    """A reply that stands for others like it.

    Attributes:
        reply: Its text.
        choices: The choices that it was shown.
        choice: The letter that was read, None for none.
        count: How many replies have this text and were read by this rule.
    """

    reply: str
    choices: tuple[str, ...]
    choice: str | None
    count: int


def examples(read: ReadReplies, each: int = 3) -> dict[str, list[Example]]:
    """Give for each rule the replies that came most often, and what was read of them."""
    letters = read.letters()
    found: dict[str, list[Example]] = {}
    for code, name in enumerate(read.readings.names):
        rows = np.flatnonzero(read.readings.rules == code)
        for members in alike(rows, read.frame["reply"].cat.codes)[:each]:
            first = int(members[0])
            example = Example(read.text(first), read.choices(first), letters[first], len(members))
            found.setdefault(name, []).append(example)
    return found


def unread(read: ReadReplies) -> list[Unread]:
    """Give the replies that no rule could read, those alike together, the most frequent first."""
    by_rule = np.array([name != PERSON for name in read.readings.names], dtype=np.bool_)
    rows = np.flatnonzero(read.readings.out_of_choice & by_rule[read.readings.rules])
    requests, models = read.frame["request_id"], read.frame["model"]
    found = []
    for members in alike(rows, read.frame["reply"].cat.codes, read.lists):
        first = int(members[0])
        choices = read.choices(first)
        labels = read.asked.labels[int(read.lists[first])] or tuple(choice_letters(len(choices)))
        pairs = zip(models.iloc[members].tolist(), requests.iloc[members].tolist(), strict=True)
        found.append(
            Unread(
                reply=read.text(first),
                choices=choices,
                labels=labels,
                rule=read.readings.names[int(read.readings.rules[first])],
                requests=tuple(sorted(pairs)),
            )
        )
    return found
