"""How the toolkit's reading of replies differs from that of KoBBQ's published script."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from evaluation.alike import Rows, alike
from evaluation.answers import Readings, read_many
from evaluation.kobbq_reading import LETTERS
from evaluation.reply_rows import ReadReplies, three_choices

ANSWERS = (*LETTERS, "out_of_choice")
"""What a reply to three choices can be read as."""


@dataclass(frozen=True, slots=True)
class DifferentReading:
    """A reply that both read otherwise.

    Attributes:
        reply: Its text.
        choices: The choices that it was shown.
        strict: As what the toolkit reads it, one of `ANSWERS`.
        strict_rule: By which rule, or why not.
        kobbq: As what the script reads it.
        kobbq_rule: By which of its steps, or why not.
        count: How many replies have this text and are read so.
    """

    reply: str
    choices: tuple[str, ...]
    strict: str
    strict_rule: str
    kobbq: str
    kobbq_rule: str
    count: int


@dataclass(frozen=True, slots=True)
class Difference:
    """Both readings of the same replies.

    Attributes:
        replies: How many there are.
        otherwise: How many of them are read otherwise.
        otherwise_by_model: The same for each model.
        table: By the toolkit's reading and the script's, how many replies.
        examples: Replies that are read otherwise, the most frequent first.
    """

    replies: int
    otherwise: int
    otherwise_by_model: Mapping[str, int]
    table: Mapping[str, Mapping[str, int]]
    examples: tuple[DifferentReading, ...]


def difference(read: ReadReplies, shown: int = 10) -> Difference | None:
    """Read replies both ways and compare; readings by a person are left out of both.

    Args:
        read: The replies.
        shown: How many examples.

    Returns:
        None where a request shows other than three choices, which the script cannot read.
    """
    if not three_choices(read.asked, read.lists):
        return None
    replies, asked = read.frame["reply"], read.asked
    strict = read_many(replies, read.lists, asked.choices, asked.labels, "strict")
    kobbq = read_many(replies, read.lists, asked.choices, asked.labels, "kobbq")
    other = strict.positions != kobbq.positions
    counts = np.zeros((len(ANSWERS), len(ANSWERS)), dtype=np.int64)
    np.add.at(counts, (strict.positions, kobbq.positions), 1)  # -1 is the last
    by_model = read.frame["model"][other].value_counts()
    return Difference(
        replies=len(replies),
        otherwise=int(other.sum()),
        otherwise_by_model={str(name): int(by_model[name]) for name in sorted(by_model.index)},
        table={
            row: dict(zip(ANSWERS, line, strict=True))
            for row, line in zip(ANSWERS, counts.tolist(), strict=True)
        },
        examples=tuple(_examples(read, strict, kobbq, np.flatnonzero(other), shown)),
    )


def _examples(
    read: ReadReplies, strict: Readings, kobbq: Readings, rows: Rows, shown: int
) -> Iterator[DifferentReading]:
    codes = read.frame["reply"].cat.codes
    for members in alike(rows, codes, strict.positions, kobbq.positions)[:shown]:
        at = int(members[0])
        yield DifferentReading(
            reply=read.text(at),
            choices=read.choices(at),
            strict=ANSWERS[int(strict.positions[at])],
            strict_rule=strict.names[int(strict.rules[at])],
            kobbq=ANSWERS[int(kobbq.positions[at])],
            kobbq_rule=kobbq.names[int(kobbq.rules[at])],
            count=len(members),
        )
