"""Replies that a person reads: those that no rule could read, in a workbook, and listed ones.

A list of replies that a person has read shows whether the words of a language read them so too.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import yaml

from curation.files.culture import language_of_file
from curation.files.jsonl import text_list
from curation.files.tables import read_text
from curation.files.workbooks import (
    Book,
    Column,
    FilledRow,
    OpenBook,
    Sheet,
    SheetRow,
    open_workbook,
    read_sheet,
)
from curation.files.workbooks.opening import text_of
from curation.languages import Language
from curation.records.messages import CurateError, Severity
from evaluation.parsing import choice_letters, read_reply

KIND = "unreadable"
"""The kind of the workbook."""
REPLIES, REQUESTS = "replies", "requests"
"""Its sheets: one to be filled in, and one that says which requests each of its rows is about."""
OUT_OF_CHOICE = "out-of-choice"
"""What a person chooses who cannot read one choice either."""
CHOICE, WHO, NOTE = "choice", "who", "note"
MOST_ROWS = 5_000
"""Replies that one workbook holds: more than a person reads."""
_REQUEST_COLUMNS = (Column("row", 22), Column("model", 24), Column("request_ids", 60))
_CELL = 20_000  # characters of requests that one cell holds
_LONGEST = 8_000  # characters of a reply that are shown


class Alike(NamedTuple):
    """Replies that say the same to the same choices.

    Attributes:
        reply: What they say.
        choices: The choices that they were shown, in their order.
        labels: What these were called.
        rule: By which rule they were read, or why not.
        requests: Model and request of each, where they are wanted.
        rows: Which replies they are.
    """

    reply: str
    choices: tuple[str, ...]
    labels: tuple[str, ...]
    rule: str
    requests: tuple[tuple[str, str], ...] = ()
    rows: npt.NDArray[np.intp] = np.empty(0, np.intp)

    @property
    def digest(self) -> str:
        """A hash of what they say and were shown."""
        content = json.dumps([self.reply, self.choices, self.labels], ensure_ascii=False)
        return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def key(self) -> str:
        """Name the replies; the name begins with the number of choices."""
        return f"{len(self.choices)}-{self.digest[:16]}"


def unparsed_book(groups: Sequence[Alike]) -> Book:
    """Make the workbook.

    Args:
        groups: The replies, in the order of the rows.
    """
    most = max((len(item.choices) for item in groups), default=0)
    rows = tuple(_row(item) for item in groups)
    requests = tuple(
        SheetRow(str(number), cells) for number, cells in enumerate(_requests_cell(groups), start=1)
    )
    return Book(
        KIND,
        (
            Sheet(REPLIES, reply_columns(most), rows),
            Sheet(REQUESTS, _REQUEST_COLUMNS, requests),
        ),
        about={"choices": str(most)},
    )


def reply_columns(most: int) -> tuple[Column, ...]:
    """The columns of the sheet to be filled in.

    Args:
        most: Choices of the longest list.
    """
    answers = (*choice_letters(most), OUT_OF_CHOICE)
    asked = (CHOICE, answers)
    return (
        Column("reply", 70),
        Column("choices", 44),
        Column("count", 8),
        Column("rule", 14),
        Column(CHOICE, 14, editable=True, choices=answers),
        Column(WHO, 14, editable=True, required_if=asked),
        Column(NOTE, 36, editable=True),
    )


def _row(item: Alike) -> SheetRow:
    shown = []
    letters = choice_letters(len(item.choices))
    for letter, label, text in zip(letters, item.labels, item.choices, strict=True):
        other = "" if label.casefold() == letter.casefold() else f" ({label})"
        shown.append(f"{letter}{other}: {text}")
    cells = {
        "reply": shortened_reply(item.reply),
        "choices": "\n".join(shown),
        "count": str(len(item.requests)),
        "rule": item.rule,
    }
    return SheetRow(item.key, cells)


def shortened_reply(text: str) -> str:
    """A reply without its middle, where it is longer than anybody reads."""
    if len(text) <= _LONGEST:
        return text
    half = _LONGEST // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half:,} characters ...]\n{text[-half:]}"


def _requests_cell(groups: Sequence[Alike]) -> Iterator[Mapping[str, str]]:
    """Yield the requests of each row, many in a cell: cells are what takes time to write."""
    for item in groups:
        by_model: dict[str, list[str]] = {}
        for model, request in item.requests:
            by_model.setdefault(model, []).append(request)
        for model, requests in by_model.items():
            for part in _parts(requests):
                text = json.dumps(part, ensure_ascii=False)
                yield {"row": item.key, "model": model, "request_ids": text}


def _parts(names: Sequence[str]) -> Iterator[list[str]]:
    """Cut a list so that each part fits into a cell."""
    part: list[str] = []
    length = 0
    for name in names:
        if part and length + len(name) > _CELL:
            yield part
            part, length = [], 0
        part.append(name)
        length += len(name) + 4
    yield part


def first_rows(groups: Sequence[Alike], most: int = MOST_ROWS) -> tuple[list[Alike], int]:
    """Take as many replies as one workbook holds, those first that came most often.

    Returns:
        The replies, and how many requests are left out.
    """
    ordered = sorted(groups, key=lambda item: (-len(item.requests), item.key))
    return ordered[:most], sum(len(item.requests) for item in ordered[most:])


_TEXT_CHANGED = "workbook-text-changed"  # which reply is then judged is not known


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
    rows = _rows(book, reply_columns(int(most)))
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
    if REQUESTS not in book.file.sheetnames:
        raise _damaged(book.path)
    for cells in book.file[REQUESTS].iter_rows(min_row=2, max_col=3, values_only=True):
        row, model, requests = map(text_of, cells)
        try:
            names = text_list(json.loads(requests))
        except ValueError as error:
            raise _damaged(book.path) from error
        for name in names:
            yield row, model, name


def _rows(book: OpenBook, columns: tuple[Column, ...]) -> tuple[FilledRow, ...]:
    """Read the replies against those that were handed out; the bank does not have them."""
    handed = tuple(SheetRow(key, {}) for key in book.hashes.get(REPLIES, {}))
    filled = read_sheet(book, Sheet(REPLIES, columns, handed))
    for mark in filled.marks:
        finding = mark.finding
        if finding.severity is Severity.ERROR or finding.rule == _TEXT_CHANGED:
            raise CurateError(finding.message, finding.where, finding.hint)
    return filled.rows


def _choice(row: FilledRow, path: Path) -> int | None:
    """The position that a row names.

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
        f"the hidden parts of {path.name} were changed, so its rows cannot be matched to the "
        "replies",
        str(path),
        "make it again with 'curate evaluate replies --unreadable', and copy the answers over",
    )


NONE = "none"
"""What a list of replies that name no choice is called."""
_MORE = "more"
_SHAPE = "write choices: [...], then A: [...], B: [...], C: [...] and none: [...], lists of replies"


def read_listed(path: Path, language: Language | Path) -> dict[str, Any]:
    """Read a list of replies with the words of a language, beside those of all others.

    Args:
        path: YAML: `choices`, and by letter, or under `none`, the replies in which a person reads
            it; `more` may hold the same of other choices.
        language: The language, or the file of a workspace for it.

    Returns:
        How many `replies` there are; and as `misread` those that are read otherwise than a person
        reads them: `reply`, the letter or `none` that is `meant` and that is `read`, and the
        `rule` by which, or why it is not read.

    Raises:
        CurateError: If the list or the language cannot be read.
    """
    known = language if isinstance(language, Language) else language_of_file(language)
    try:
        loaded = yaml.safe_load(read_text(path))
    except yaml.YAMLError as error:
        raise CurateError(f"{path.name} is not valid YAML", str(path), _SHAPE) from error
    if not isinstance(loaded, dict):
        raise CurateError(f"{path.name} holds no replies", str(path), _SHAPE)
    total, misread = 0, []
    for given in filter(None, (loaded, loaded.get(_MORE))):
        choices = given.get("choices")
        if not isinstance(choices, list) or not choices:
            raise CurateError("choices: there are none", str(path), _SHAPE)
        letters = choice_letters(len(choices))
        for meant, replies in given.items():
            if meant in ("choices", _MORE):
                continue
            if meant not in (*letters, NONE) or not isinstance(replies, list):
                raise CurateError(f"{meant}: it is not a list of a choice", str(path), _SHAPE)
            total += len(replies)
            found = (_read(str(reply), meant, choices, known) for reply in replies)
            misread += [item for item in found if item["read"] != meant]
    return {"replies": total, "misread": misread}


def _read(reply: str, meant: str, choices: list[Any], language: Language) -> dict[str, str]:
    shown = [str(choice) for choice in choices]
    reading = read_reply(reply, shown, own=language)
    letters = choice_letters(len(shown))
    read = NONE if reading.chosen is None else "".join(letters[at] for at in sorted(reading.chosen))
    return {"reply": reply, "meant": meant, "read": read, "rule": reading.rule.value}
