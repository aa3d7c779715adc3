"""How every reply was read: the rows of `curate evaluate replies`, and what stands behind them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from curation.io.replies import shortened
from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity
from curation.model.reply import choice_letters
from evaluation.answers import OUT_OF_CHOICE, Mode, Readings, read_many
from evaluation.asked import Asked
from evaluation.filled import PERSON
from evaluation.kobbq_reading import LETTERS
from evaluation.replies import ReplyTable

ROW_COLUMNS = ("request_id", "model", "choice", "choice_text", "rule")
"""The columns of a row; `choice` is a letter by place, A for the first, or null."""
_Ints = npt.NDArray[np.int64]
Filled = Mapping[tuple[str, str], int | None]
"""What a person read, by model and request: the position of the choice, None for none."""


@dataclass(frozen=True, slots=True)
class ReadReplies:
    """Replies as they were read.

    Attributes:
        frame: The replies to known requests: `request_id`, `model`, `reply` (category).
        lists: For each of them which of the lists of choices it was shown.
        asked: What was asked.
        readings: How they were read.
        failed: How many calls failed, by kind of error.
        findings: What is missing, and what answers no request.
    """

    frame: pd.DataFrame
    lists: _Ints
    asked: Asked
    readings: Readings
    failed: Mapping[str, int]
    findings: tuple[Finding, ...]

    def rules(self) -> dict[str, int]:
        """Count replies by the rule that read them, or why none did."""
        return {name: count for name, count in self.readings.counts().items() if count}

    def letters(self) -> list[str | None]:
        """Give for each reply the letter of its choice, by place."""
        most = int(self.readings.positions.max(initial=0)) + 1
        letters: list[str | None] = [*choice_letters(most), None]
        return [letters[at] for at in self.readings.positions.tolist()]  # -1 is the last

    def text(self, at: int) -> str:
        """Give the text of a reply."""
        replies = self.frame["reply"].cat
        return str(replies.categories[int(replies.codes.iloc[at])])

    def choices(self, at: int) -> tuple[str, ...]:
        """Give the choices that a reply was shown."""
        return tuple(self.asked.choices[int(self.lists[at])])

    def rows(self) -> Iterator[tuple[str, str, str | None, str | None, str]]:
        """Yield the rows, in the order of `ROW_COLUMNS`."""
        names = self.readings.names
        columns = (
            self.frame["request_id"].tolist(),
            self.frame["model"].tolist(),
            self.readings.positions.tolist(),
            self.letters(),
            self.lists.tolist(),
            self.readings.rules.tolist(),
        )
        choices: dict[int, tuple[str, ...]] = {}
        for request, model, position, letter, shown, rule in zip(*columns, strict=True):
            if shown not in choices:
                choices[shown] = tuple(self.asked.choices[shown])
            text = None if letter is None else choices[shown][position]
            yield request, model, letter, text, names[rule]


def read_replies_to(
    table: ReplyTable, asked: Asked, mode: Mode = "strict", filled: Filled | None = None
) -> ReadReplies:
    """Read the replies of a table to what was asked.

    Args:
        table: The replies.
        asked: What was asked.
        mode: How to read.
        filled: What a person read; it goes before any rule.

    Raises:
        CurateError: If no reply answers a request, or `mode` reads three choices alone and a
            request shows more or fewer.
    """
    frame = table.frame
    places = asked.locate(frame["request_id"].tolist())
    known = places >= 0
    if not known.any():
        raise CurateError(
            f"none of the {len(frame):,} replies answers one of the requests",
            hint="name the requests that were sent",
        )
    there = known & frame["reply"].notna().to_numpy()
    kept = frame.loc[there, ["request_id", "model", "reply"]].reset_index(drop=True)
    lists = asked.lists(places[there])
    if mode == "kobbq":
        _refuse_other_than_three(asked, lists)
    readings = read_many(kept["reply"], lists, asked.choices, asked.labels, mode)
    readings = _filled_in(readings, kept, filled or {})
    findings = (*_unknown(frame[~known]), *_missing(frame, asked, places, there))
    return ReadReplies(kept, lists, asked, readings, table.failed, findings)


def three_choices(asked: Asked, lists: _Ints) -> bool:
    """Say whether all requests that were replied to show three choices."""
    return all(len(asked.choices[at]) == len(LETTERS) for at in np.unique(lists).tolist())


def _refuse_other_than_three(asked: Asked, lists: _Ints) -> None:
    if not three_choices(asked, lists):
        raise CurateError(
            "KoBBQ's script reads replies to three choices alone, and a request shows others",
            hint="read them with --mode strict",
        )


def _filled_in(readings: Readings, frame: pd.DataFrame, filled: Filled) -> Readings:
    """Put a person's readings in place of those by rules."""
    if not filled:
        return readings
    keys = zip(frame["model"].tolist(), frame["request_id"].tolist(), strict=True)
    rows = [(at, filled[key]) for at, key in enumerate(keys) if key in filled]
    positions, rules = readings.positions.copy(), readings.rules.copy()
    names = (*readings.names, PERSON)
    for at, position in rows:
        positions[at] = OUT_OF_CHOICE if position is None else position
        rules[at] = len(names) - 1
    return Readings(positions, rules, names)


def _unknown(frame: pd.DataFrame) -> Iterator[Finding]:
    for model, part in frame.groupby("model", observed=True):
        names = part["request_id"].iloc[:6].tolist()
        yield _warning(
            "replies-unknown-request",
            f"{model}: {len(part):,} of its replies answer none of the requests and are left out: "
            f"{shortened(names)}",
            "name the requests that were sent",
        )


def _missing(
    frame: pd.DataFrame, asked: Asked, places: _Ints, there: npt.NDArray[np.bool_]
) -> Iterator[Finding]:
    count = len(asked.ids)
    for model in sorted(frame["model"].cat.categories):
        replied = np.zeros(count, dtype=np.bool_)
        replied[places[there & (frame["model"] == model).to_numpy()]] = True
        lacking = np.flatnonzero(~replied)
        if len(lacking):
            names = [asked.ids[at] for at in lacking[:6].tolist()]
            yield _warning(
                "replies-missing",
                f"{model}: {len(lacking):,} of {count:,} requests have no reply: "
                f"{shortened(names)}",
                "ask the model these as well: curate evaluate run",
            )


def _warning(rule: str, message: str, hint: str) -> Finding:
    return Finding(rule, Severity.WARNING, "", None, "", message, hint)
