"""What a person read of replies that no rule could read."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from curation.io.jsonl import text_list
from curation.io.workbooks import FilledRow, OpenBook, Sheet, SheetRow, open_workbook, read_sheet
from curation.io.workbooks.opening import text_of
from curation.io.workbooks.spec import KEY
from curation.model.errors import CurateError
from curation.model.findings import Severity
from curation.model.reply import choice_letters
from evaluation.unreadable import (
    CHOICE,
    KIND,
    OUT_OF_CHOICE,
    REPLIES,
    REQUESTS,
    reply_columns,
    request_columns,
)

PERSON = "person"
"""The rule by which such a reply is read."""
_CHANGED = "workbook-row-changed"  # what a row would be today is not known here


def read_filled(path: Path) -> Mapping[tuple[str, str], int | None]:
    """Read a workbook of unreadable replies that a person filled in.

    Args:
        path: The workbook that `curate evaluate replies --unreadable` wrote.

    Returns:
        By model and request the position of the choice, None where the person chose
        'out-of-choice'; nothing for rows that were left empty.

    Raises:
        CurateError: If it is another file, its hidden parts are damaged, or a row cannot be
            read: with sheet and cell.
    """
    book = open_workbook(path, KIND)
    most = book.about.get("choices", "")
    if not most.isdecimal():
        raise _damaged(path)
    rows = _rows(book, Sheet(REPLIES, reply_columns(int(most))))
    chosen = {row.key: _choice(row, path) for row in rows if row.cells[CHOICE].strip()}
    found: dict[tuple[str, str], int | None] = {}
    counts = Counter({row.key: 0 for row in rows})
    for key, model, request in _requests(book):
        counts[key] += 1
        if key in chosen:
            found[model, request] = chosen[key]
    if any(str(counts[row.key]) != row.cells["count"] for row in rows):
        raise _damaged(path)
    return found


def _requests(book: OpenBook) -> Iterator[tuple[str, str, str]]:
    """Yield the row, the model and the id of every request that the workbook is about."""
    for row in _rows(book, Sheet(REQUESTS, request_columns())):
        try:
            names = text_list(json.loads(row.cells["request_ids"]))
        except ValueError as error:
            raise _damaged(book.path) from error
        for name in names:
            yield row.cells["row"], row.cells["model"], name


def _rows(book: OpenBook, sheet: Sheet) -> tuple[FilledRow, ...]:
    """Read a sheet against the rows that it has itself; their hashes tell what was changed."""
    name = next((item for item in book.file.sheetnames if item == sheet.name), None)
    keys = _keys(book, name) if name else []
    expected = tuple(SheetRow(key, {}) for key in dict.fromkeys(keys))
    filled = read_sheet(book, Sheet(sheet.name, sheet.columns, expected))
    strict = sheet.name == REQUESTS
    for mark in filled.marks:
        finding = mark.finding
        serious = finding.severity is Severity.ERROR or strict
        if serious and finding.rule != _CHANGED:
            raise CurateError(finding.message, finding.where, finding.hint)
    return filled.rows


def _keys(book: OpenBook, name: str) -> list[str]:
    """Give the keys of a sheet's rows."""
    rows = book.file[name].iter_rows(values_only=True)
    header = [text_of(cell) for cell in next(rows, ())]
    if KEY not in header:
        raise _damaged(book.path)
    at = header.index(KEY)
    keys = (text_of(row[at]) for row in rows if at < len(row))
    return [key for key in keys if key]


def _choice(row: FilledRow, path: Path) -> int | None:
    """Give the position that a row names.

    Raises:
        CurateError: If it names a choice that the reply was not shown.
    """
    answer = row.cells[CHOICE].strip()
    if answer == OUT_OF_CHOICE:
        return None
    count = row.key.split("-", 1)[0]
    letters = choice_letters(int(count)) if count.isdecimal() else []
    if answer not in letters:
        raise CurateError(
            f"there is no choice {answer}: the reply was shown {', '.join(letters)}",
            f"{path.name}, sheet {REPLIES}, row {row.row}, column {CHOICE}",
            f"choose one of them, or {OUT_OF_CHOICE}",
        )
    return letters.index(answer)


def _damaged(path: Path) -> CurateError:
    return CurateError(
        f"the hidden parts of {path.name} were changed, so that its rows cannot be told apart",
        str(path),
        "make it again with 'curate evaluate replies --unreadable', and copy the answers over",
    )
