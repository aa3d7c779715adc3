"""The append-only ledger of decisions, `decisions.csv`, and `targets.csv`."""

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from curation.files.atomic import atomic_text
from curation.files.tables import (
    Row,
    read_bytes,
    read_table,
    refuse_problems,
    separator,
    write_csv,
    write_rows,
)
from curation.records.errors import CurateError
from curation.records.survey import (
    Decision,
    Outcome,
    QuestionKind,
    Rule,
    Stage,
    Standing,
    TargetRow,
)

DECISION_COLUMNS = tuple(item.name for item in fields(Decision))
"""The columns of `decisions.csv`."""
_NUMBERS = ("value", "threshold", "margin", "ci_low", "ci_high")
TARGET_COLUMNS = tuple(item.name for item in fields(TargetRow))
"""The columns of `targets.csv`."""


def read_decisions(path: Path) -> list[Decision]:
    """Read the ledger; none where nothing has been decided.

    Raises:
        CurateError: If a row cannot be read: a ledger is never read in part.
    """
    if not path.exists():
        return []
    table = read_table(path, required=DECISION_COLUMNS)
    if table.columns != DECISION_COLUMNS:
        raise CurateError("the ledger's header was changed", f"{path}, row 1", "undo the edit")
    refuse_problems(table)
    return [_decision(row, table.file) for row in table.rows]


def _decision(row: Row, file: str) -> Decision:
    column = ""
    try:
        column = "stage"
        stage = Stage(row[column])
        column = "rule"
        rule = Rule(row[column])
        column = "outcome"
        outcome = Outcome(row[column])
        column = "k"
        k = int(row[column]) if row[column] else None
        column = "n"
        n = int(row[column]) if row[column] else None
        numbers: list[float | None] = []
        for column in _NUMBERS:
            text = row[column]
            numbers.append(_number(text) if text else None)  # column is named in the error
        column = "near"
        near = {"": None, "true": True, "false": False}[row[column]]
    except (ValueError, KeyError) as error:
        raise CurateError(
            f"'{row[column]}' is not allowed in column {column} of the ledger",
            f"{file}, row {row.number}, column {column}",
            "only the toolkit writes the ledger: undo the edit",
        ) from error
    value, threshold, margin, low, high = numbers
    return Decision(
        subject=row["subject"],
        stage=stage,
        rule=rule,
        outcome=outcome,
        reason=row["reason"],
        k=k,
        n=n,
        value=value,
        threshold=threshold,
        margin=margin,
        ci_low=low,
        ci_high=high,
        near=near,
        by=row["by"],
        at=row["at"],
    )


def _number(text: str) -> float:
    """Read a number; what Python takes for one and is none, such as `nan`, is refused.

    Raises:
        ValueError: If it is none.
    """
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def cell(value: object) -> str:
    """Write a value of a record as a cell: numbers to six decimals, nothing for None."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, float):
        return f"{value:.6f}".rstrip("0").rstrip(".")
    return str(value)


def append_decisions(path: Path, new: Sequence[Decision]) -> None:
    """Append decisions to the ledger; the existing rows are kept byte for byte.

    Raises:
        CurateError: If the ledger was damaged, or it cannot be written.
    """
    if not new:
        return
    read_decisions(path)
    text = read_bytes(path).decode() if path.exists() else ""
    if separator(text) != ",":
        raise CurateError(
            f"the columns of {path.name} are separated by semicolons, as a spreadsheet wrote them",
            str(path),
            "undo the edit, or save it with commas: rows of the ledger are never changed",
        )
    rows = ([cell(getattr(item, name)) for name in DECISION_COLUMNS] for item in new)
    with atomic_text(path) as stream:
        stream.write(text if not text or text.endswith("\n") else f"{text}\n")
        write_rows(stream, () if text else DECISION_COLUMNS, rows)


def followed(decisions: Iterable[Decision], renamed: Mapping[str, str]) -> list[Decision]:
    """Put decisions on templates that have another id by now to that id, in the same order.

    Args:
        decisions: The ledger, or a part of it.
        renamed: By former id of a template, the one that it has now.
    """
    return [
        replace(item, subject=renamed[item.subject]) if item.subject in renamed else item
        for item in decisions
    ]


def read_targets(path: Path) -> list[TargetRow]:
    """Read `targets.csv`; none where there is no such file.

    Raises:
        CurateError: If a row cannot be read.
    """
    if not path.exists():
        return []
    table = read_table(path, required=TARGET_COLUMNS)
    refuse_problems(table)
    rows = []
    for row in table.rows:
        try:
            rows.append(
                TargetRow(
                    category=row["category"],
                    stereotype=row["stereotype"],
                    kind=QuestionKind(row["kind"]),
                    group=row["group"],
                    votes=int(row["votes"]),
                    respondents=int(row["respondents"]),
                    no_stereotype=int(row["no_stereotype"]),
                    options=int(row["options"]),
                    equal_share=_number(row["equal_share"]),
                    role=Standing(row["role"]),
                )
            )
        except ValueError as error:
            raise CurateError(
                f"a number or word is wrong: {error}",
                f"{table.file}, row {row.number}",
                "make the file again with 'curate filter'",
            ) from error
    return rows


def write_targets(path: Path, targets: Iterable[TargetRow]) -> None:
    """Write `targets.csv` in place of `path`.

    Raises:
        CurateError: If it cannot be written.
    """
    rows = ([cell(getattr(item, name)) for name in TARGET_COLUMNS] for item in targets)
    write_csv(path, TARGET_COLUMNS, rows)


def now() -> str:
    """The time in UTC, ISO 8601; that of SOURCE_DATE_EPOCH where it is set.

    The variable is the one that reproducible builds use, so that a rerun gives the same bytes.

    Raises:
        CurateError: If the variable holds no time.
    """
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    try:
        moment = datetime.fromtimestamp(int(epoch), UTC) if epoch else datetime.now(UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise CurateError(
            f"'{epoch}' is not a time",
            "environment variable SOURCE_DATE_EPOCH",
            "write seconds since 1970 as a whole number, or unset it",
        ) from error
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
