"""Replies grouped by what they say: examples of each rule, and where KoBBQ's script differs."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from curation.annotation.sheets import FALLBACK, hand_out
from curation.files.lock import writing_results
from curation.files.workspace import Workspace
from curation.records.errors import CurateError
from evaluation.parsing import choice_letters
from evaluation.replies.kobbq import LETTERS
from evaluation.replies.readings import PERSON, Readings, read_many
from evaluation.replies.rows import ReadReplies, three_choices
from evaluation.replies.unparsed import Unparsed, first_rows, unparsed_book

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


class Alike(NamedTuple):
    """Replies that say the same to the same choices.

    Attributes:
        rows: Which replies they are.
        reply: What they say.
        choices: The choices that they were shown.
        labels: What these were called.
        rule: By which rule they were read, or why not.
    """

    rows: Rows
    reply: str
    choices: tuple[str, ...]
    labels: tuple[str, ...]
    rule: str


def alike_of(read: ReadReplies, rows: Rows) -> Iterator[Alike]:
    """Yield replies that say the same together, the most frequent first."""
    for members in alike(rows, read.frame["reply"].cat.codes, read.lists):
        first = int(members[0])
        choices = read.choices(first)
        labels = read.asked.labels[int(read.lists[first])] or tuple(choice_letters(len(choices)))
        rule = read.readings.names[int(read.readings.rules[first])]
        yield Alike(members, read.text(first), choices, labels, rule)


def examples(read: ReadReplies, each: int = 3) -> dict[str, list[dict[str, Any]]]:
    """For each rule the replies that came most often, and what was read of them.

    An example has its `reply`, the `choices` that it was shown, the `choice` that was read (a
    letter, None for none), and the `count` of replies with this text that were read by this rule.
    """
    letters = read.letters()
    found: dict[str, list[dict[str, Any]]] = {}
    for code, name in enumerate(read.readings.names):
        rows = np.flatnonzero(read.readings.rules == code)
        for members in alike(rows, read.frame["reply"].cat.codes)[:each]:
            first = int(members[0])
            said = {"reply": read.text(first), "choices": read.choices(first)}
            example = {**said, "choice": letters[first], "count": len(members)}
            found.setdefault(name, []).append(example)
    return found


def unparsed(read: ReadReplies) -> list[Unparsed]:
    """The replies that no rule could read, those alike together, the most frequent first."""
    by_rule = np.array([name != PERSON for name in read.readings.names], dtype=np.bool_)
    rows = np.flatnonzero(read.readings.out_of_choice & by_rule[read.readings.rules])
    requests, models = read.frame["request_id"], read.frame["model"]
    found = []
    for same in alike_of(read, rows):
        pairs = zip(models.iloc[same.rows], requests.iloc[same.rows], strict=True)
        found.append(Unparsed(*same[1:], tuple(sorted(pairs))))
    return found


@dataclass(frozen=True, slots=True)
class UnparsedSheet:
    """A workbook of replies that no rule could read.

    Attributes:
        file: The workbook.
        rows: Its rows.
        left_out: Requests of rarer replies, which did not fit.
    """

    file: Path
    rows: int
    left_out: int


def write_unparsed(workspace: Workspace, read: ReadReplies, path: Path) -> UnparsedSheet:
    """Write the replies that no rule could read as a workbook, for a person to read them.

    Args:
        workspace: Says the language of who reads them; it may have no settings.
        read: The replies.
        path: The workbook.

    Raises:
        CurateError: If every reply was read, there is another workbook, or it cannot be written.
    """
    taken, left_out = first_rows(unparsed(read))
    if not taken:
        raise CurateError(
            "every reply was read, so that there is nothing for a person to read",
            hint="leave out --unreadable",
        )
    known = workspace.culture_file.exists()
    language = workspace.language if known else FALLBACK
    with writing_results(path.parent, "curate evaluate replies", workspace):
        hand_out(path, unparsed_book(taken), language)
    return UnparsedSheet(path, len(taken), left_out)


ANSWERS = (*LETTERS, "out_of_choice")
"""What a reply to three choices can be read as."""


def difference(read: ReadReplies, shown: int = 10) -> dict[str, Any] | None:
    """Read replies both ways and compare; readings by a person are left out of both.

    Args:
        read: The replies.
        shown: How many examples.

    Returns:
        How many `replies` there are, and how many are read `otherwise`, in all and
        `otherwise_by_model`; the `table` by the toolkit's reading and the script's, each one of
        `ANSWERS`; and `examples` of replies read otherwise, the most frequent first. None where a
        request shows other than three choices, which the script cannot read.
    """
    if not three_choices(read.asked, read.lists):
        return None
    replies, asked = read.frame["reply"], read.asked
    strict = read_many(replies, read.lists, asked.choices, asked.labels, "strict", asked.own)
    kobbq = read_many(replies, read.lists, asked.choices, asked.labels, "kobbq")
    other = strict.positions != kobbq.positions
    counts = np.zeros((len(ANSWERS), len(ANSWERS)), dtype=np.int64)
    np.add.at(counts, (strict.positions, kobbq.positions), 1)  # -1 is the last
    by_model = read.frame["model"][other].value_counts()
    table = zip(ANSWERS, counts.tolist(), strict=True)
    return {
        "replies": len(replies),
        "otherwise": int(other.sum()),
        "otherwise_by_model": {str(name): int(by_model[name]) for name in sorted(by_model.index)},
        "table": {row: dict(zip(ANSWERS, line, strict=True)) for row, line in table},
        "examples": list(_different(read, strict, kobbq, np.flatnonzero(other), shown)),
    }


def _different(
    read: ReadReplies, strict: Readings, kobbq: Readings, rows: Rows, shown: int
) -> Iterator[dict[str, Any]]:
    codes = read.frame["reply"].cat.codes
    for members in alike(rows, codes, strict.positions, kobbq.positions)[:shown]:
        at = int(members[0])
        yield {
            "reply": read.text(at),
            "choices": read.choices(at),
            "strict": ANSWERS[int(strict.positions[at])],
            "strict_rule": strict.names[int(strict.rules[at])],
            "kobbq": ANSWERS[int(kobbq.positions[at])],
            "kobbq_rule": kobbq.names[int(kobbq.rules[at])],
            "count": len(members),
        }
