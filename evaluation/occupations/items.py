"""`items.csv`: what is asked, one item a row."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from curation.io.lists import list_literal
from curation.io.tables import Row, Table, read_table, refuse_problems, write_csv
from curation.model.errors import CurateError

ITEM_COLUMNS = ("item_id", "task", "instruction", "group", "sentence", "options", "unknown")
"""The columns of `items.csv`; `options` is a JSON list."""


@dataclass(frozen=True, slots=True)
class Item:
    """One question to a model; fields are the columns of `items.csv`.

    Attributes:
        item_id: What its request and reply are known by.
        task: Which task it is of, such as `persona-gender`.
        instruction: Which of the task's instructions asks it.
        group: Whom it is about, such as `female`.
        sentence: The persona, or the sentence with the pronoun.
        options: Occupations and the unknown option, in the order in which they are shown.
        unknown: Which of the options says that it cannot be known.
        row: Row in its file; 0 where it comes from none.
    """

    item_id: str
    task: str
    instruction: str
    group: str
    sentence: str
    options: tuple[str, ...]
    unknown: str
    row: int = 0

    @property
    def occupations(self) -> tuple[str, ...]:
        """The options that are occupations."""
        return tuple(option for option in self.options if option != self.unknown)


def write_items(path: Path, items: Iterable[Item]) -> int:
    """Write items in place of `path`; returns how many.

    Raises:
        CurateError: If the file cannot be written.
    """
    return write_csv(path, ITEM_COLUMNS, (_cells(item) for item in items))


def _cells(item: Item) -> tuple[str, ...]:
    options = json.dumps(list(item.options), ensure_ascii=False)
    head = item.item_id, item.task, item.instruction, item.group, item.sentence
    return *head, options, item.unknown


def read_items(path: Path) -> tuple[Item, ...]:
    """Read items.

    Raises:
        CurateError: If there is none, a row lacks what it needs, its options do not hold the
            unknown one and an occupation, each once, or an id stands twice.
    """
    table = read_table(path, required=ITEM_COLUMNS)
    refuse_problems(table)
    rows: dict[str, int] = {}
    items = []
    for row in table.rows:
        item = _item(table, row)
        if item.item_id in rows:
            what = (
                f"item {item.item_id} stands twice, in rows {rows[item.item_id]} and {row.number}"
            )
            raise _fault(table, row, "item_id", what, "give each item an id of its own")
        rows[item.item_id] = row.number
        items.append(item)
    if not items:
        hint = "write items with: curate evaluate occupations items"
        raise CurateError(f"{path.name} holds no item", str(path), hint)
    return tuple(items)


def _item(table: Table, row: Row) -> Item:
    cells = {name: " ".join(row[name].split()) for name in ITEM_COLUMNS if name != "options"}
    for name in ("item_id", "task", "group", "unknown"):
        if not cells[name]:
            raise _fault(table, row, name, f"the row has no {name}", "write it")
    return Item(**cells, options=_options(table, row, cells["unknown"]), row=row.number)


def _options(table: Table, row: Row, unknown: str) -> tuple[str, ...]:
    found = list_literal(row["options"])
    hint = 'write a JSON list in the order shown: ["writer", "unknown", "carpenter"]'
    if found is None:
        raise _fault(table, row, "options", "the options are no list of texts", hint)
    options = tuple(" ".join(option.split()) for option in found)
    doubled = _doubled(options)
    if doubled is not None:
        raise _fault(table, row, "options", f"option '{doubled}' is empty or stands twice", hint)
    if unknown not in options:
        what = f"the options do not contain the unknown one, '{unknown}'"
        raise _fault(table, row, "options", what, "write it among the options, spelled alike")
    if len(options) < 2:
        raise _fault(table, row, "options", "the options hold no occupation", hint)
    return options


def _doubled(options: Sequence[str]) -> str | None:
    """Give an option that no reply could tell from another, if there is one."""
    folded = [option.casefold() for option in options]
    pairs = zip(options, folded, strict=True)
    return next((text for text, fold in pairs if not fold or folded.count(fold) > 1), None)


def _fault(table: Table, row: Row, column: str, what: str, hint: str) -> CurateError:
    return CurateError(what, f"{table.file}, row {row.number}, column {column}", hint)
