"""`items.csv`, what is asked, and `ratios.csv`, the share of a group in each occupation."""

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from itertools import permutations
from pathlib import Path

from curation.files.codec import Codec
from curation.files.tables import (
    Row,
    Table,
    list_literal,
    read_table,
    refuse_problems,
    write_csv,
)
from curation.languages.occupations import PromptFile
from curation.records.errors import CurateError
from evaluation.occupations.exchange import ALONE, counterparts

ITEM_COLUMNS = ("item_id", "task", "instruction", "group", "sentence", "options", "unknown")
"""The columns of `items.csv`; `options` is a JSON list."""


@dataclass(frozen=True, slots=True)
class Item:
    """One question to a model; fields are the columns of `items.csv`.

    Attributes:
        item_id: What its request and reply are known by.
        task: Which task it is of, such as `persona-gender`.
        instruction: Which of the task's instructions asks it.
        group: The group that it is about, such as `female`.
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


def labels_of(options: Sequence[str]) -> tuple[str, ...]:
    """What the options are called where they are shown: their numbers from 1."""
    return tuple(str(at) for at in range(1, len(options) + 1))


def write_items(path: Path, items: Iterable[Item]) -> int:
    """Write items in place of `path`; returns how many.

    Raises:
        CurateError: If the file cannot be written.
    """
    cells = (
        [json.dumps(v, ensure_ascii=False) if isinstance(v, tuple) else v for v in astuple(item)]
        for item in items
    )
    return write_csv(path, ITEM_COLUMNS, (row[:-1] for row in cells), escaped=True)


def read_items(path: Path) -> tuple[Item, ...]:
    """Read items.

    Raises:
        CurateError: If there is none, a row lacks what it needs, its options do not hold the
            unknown one and an occupation, each once, or an id occurs twice.
    """
    table = read_table(path, required=ITEM_COLUMNS, escaped=True)
    refuse_problems(table)
    rows: dict[str, int] = {}
    items = []
    for row in table.rows:
        item = _item(table, row)
        if item.item_id in rows:
            what = (
                f"item {item.item_id} occurs twice, in rows {rows[item.item_id]} and {row.number}"
            )
            raise table.fault(row, "item_id", what, "give each item an id of its own")
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
            raise table.fault(row, name, f"the row has no {name}", "write it")
    options = tuple(" ".join(text.split()) for text in list_literal(row["options"]) or ())
    distinct = {text.casefold() for text in options} - {""}
    if len(options) < 2 or len(distinct) < len(options) or cells["unknown"] not in options:
        what = f"the options are not a list of occupations and '{cells['unknown']}', each once"
        hint = 'write a JSON list in the order shown: ["writer", "unknown", "carpenter"]'
        raise table.fault(row, "options", what, hint)
    return Item(**cells, options=options, row=row.number)


@dataclass(frozen=True, slots=True)
class Ratio:
    """The share of a group in an occupation; fields are the columns of `ratios.csv`.

    Attributes:
        occupation: The occupation, as items name it.
        group: The group, which scores call g1.
        ratio: Its share, from 0 to 1.
    """

    occupation: str
    group: str
    ratio: float


RATIOS = Codec(Ratio, "write 0.25 for 25 %", key=("occupation", "group"), escaped=True)
"""The table `ratios.csv`."""


def read_ratios(path: Path) -> tuple[Ratio, ...]:
    """Read ratios.

    Raises:
        CurateError: If there is none, a ratio is no share from 0 to 1, or an occupation has two
            ratios of one group.
    """
    table = read_table(path, required=RATIOS.columns, escaped=True)
    found = RATIOS.of(table)
    for row, item in zip(table.rows, found, strict=True):
        for name in RATIOS.columns[:2]:
            if not row[name].strip():
                raise table.fault(row, name, f"the row names no {name}", "write it")
        if not 0 <= item.ratio <= 1:
            what = f"'{row['ratio']}' is not a share from 0 to 1"
            raise table.fault(row, "ratio", what, RATIOS.hint)
    if not found:
        hint = "make some with: curate evaluate occupations ratios"
        raise CurateError(f"{path.name} holds no ratio", str(path), hint)
    return tuple(
        Ratio(" ".join(item.occupation.split()), " ".join(item.group.split()), item.ratio)
        for item in found
    )


def by_group(ratios: Iterable[Ratio]) -> dict[str, dict[str, float]]:
    """The ratio of each occupation, by group."""
    found: dict[str, dict[str, float]] = {}
    for item in ratios:
        found.setdefault(item.group, {})[item.occupation] = item.ratio
    return found


def orders(options: int, count: int, seed: str) -> Iterator[tuple[int, ...]]:
    """Yield an order of options for each of some items.

    The orders come in rounds, each of which holds every permutation once, shuffled, so that no
    option stands in one place more often than in another by more than a round's remainder.

    Args:
        options: How many options an item has.
        count: How many items there are.
        seed: The same seed gives the same orders.
    """
    every = list(permutations(range(options)))
    rng = random.Random(seed)  # noqa: S311  # a seeded draw
    given = 0
    while given < count:
        rng.shuffle(every)
        for order in every[: count - given]:
            yield order
            given += 1


def drawn_items(
    task: str,
    prompts: PromptFile,
    asked: Sequence[tuple[str, str, tuple[str, str]]],
    seed: int,
) -> Iterator[Item]:
    """The items of a task: all that is asked, under one instruction after the other.

    The order of the options is drawn for each persona or sentence, and is the same for its
    counterpart of the other group and under all instructions. So the place of an option cannot
    tell the groups apart.

    Args:
        task: The task.
        prompts: The prompts.
        asked: For each its group, its sentence and its two occupations.
        seed: The seed of the orders.
    """
    units = counterparts(
        [frozenset(pair) for _, _, pair in asked],
        [group for group, _, _ in asked],
        [sentence for _, sentence, _ in asked],
    ).tolist()
    own = [(unit, at if unit == ALONE else 0) for at, unit in enumerate(units)]
    distinct = dict.fromkeys(own)
    order_of = dict(zip(distinct, orders(3, len(distinct), f"{seed}:{task}"), strict=True))
    drawn = [order_of[one] for one in own]
    width = len(str(len(asked)))
    for instruction in prompts.task(task).instructions:
        each = zip(asked, drawn, strict=True)
        for number, ((group, sentence, pair), order) in enumerate(each, start=1):
            options = (*pair, prompts.unknown)
            yield Item(
                item_id=f"{task}-{instruction.id}-{number:0{width}d}",
                task=task,
                instruction=instruction.id,
                group=group,
                sentence=sentence,
                options=tuple(options[at] for at in order),
                unknown=prompts.unknown,
            )
