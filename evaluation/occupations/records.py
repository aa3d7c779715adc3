"""`items.csv`, what is asked, `ratios.csv`, the share of a group, and what chance gives.

A mean of sizes such as `M_B` is above 0 also where nothing but chance tells the groups apart, and
the scores of two occupations of one pair are tied, so that a line through them has no usual
standard error. Both are answered by the data: who treats the groups alike gives as likely the
replies on a persona of one group to its counterpart of the other (a randomisation test: Fisher
1935; Pitman 1937). The replies of such a unit are exchanged together, under all instructions and in
all epochs, for they share the order of options, and replies to one item are much alike.
"""

import json
import random
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from itertools import permutations
from pathlib import Path
from zlib import crc32

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from curation.files.codec import Codec
from curation.files.tables import (
    Row,
    Table,
    list_literal,
    read_table,
    refuse_problems,
    write_csv,
)
from curation.languages.prompts import PromptFile
from curation.records.messages import CurateError

Numbers = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]

DRAWS = 2000
"""Exchanges; a p-value is known to about 0.005 at 0.05."""
FEWEST = 6
"""Units without which nothing is said: of five not even all in one direction have p below .05."""
ALONE = -1
"""The unit of what has no counterpart, and is never exchanged."""
_LEVEL = 0.95
_SAME = 1e-12  # numbers that differ by less do so by rounding alone


def counterparts(
    sets: Sequence[Hashable], groups: Sequence[str], sentences: Sequence[str]
) -> Codes:
    """Number the units of which the groups' replies are exchanged.

    Within the items on the same occupations a sentence on one group goes with the sentence on the
    other that shares most words with it: `a woman who works in` with `a man who works in`, and in
    coreference the same sentence with the other pronoun.

    Args:
        sets: For each item what its occupations are known by.
        groups: Its group; of at most two.
        sentences: Its sentence.

    Returns:
        For each item its unit, `ALONE` where no sentence of the other group is left for it.
    """
    names = list(dict.fromkeys(groups))
    found: dict[Hashable, tuple[dict[str, None], ...]] = {}
    for key, group, sentence in zip(sets, groups, sentences, strict=True):
        found.setdefault(key, tuple({} for _ in names))[names.index(group)].setdefault(sentence)
    matched: dict[tuple[tuple[str, ...], ...], list[tuple[int, int]]] = {}
    unit: dict[tuple[Hashable, str, str], int] = {}
    count = 0
    for key, texts in found.items():
        if len(texts) < 2:
            continue
        sides = tuple(tuple(part) for part in texts)
        if sides not in matched:  # the personas of most tasks are the same for all occupations
            matched[sides] = _alike(sides[0], sides[1])
        for first, second in matched[sides]:
            unit[key, names[0], sides[0][first]] = count
            unit[key, names[1], sides[1][second]] = count
            count += 1
    each = zip(sets, groups, sentences, strict=True)
    return np.array([unit.get(key, ALONE) for key in each], np.int64)


def _alike(first: Sequence[str], second: Sequence[str]) -> list[tuple[int, int]]:
    words = [[Counter(text.casefold().split()) for text in side] for side in (first, second)]
    shared = [[(one & other).total() for other in words[1]] for one in words[0]]
    rows, columns = linear_sum_assignment(np.array(shared, np.float64), maximize=True)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def exchanges(units: int, replies: bytes) -> npt.NDArray[np.float32]:
    """Draw which units are exchanged: draws by units, 1 where a unit is.

    Args:
        units: How many units there are.
        replies: The replies as bytes, the seed: the same replies have the same exchanges, and
            what chance leaves of one draw is not the same for all models.
    """
    drawn = np.random.default_rng(crc32(replies)).integers(0, 2, (DRAWS, units), np.int8)
    return drawn.astype(np.float32)  # sums of counts are exact up to 16 million


def exchanged(
    counts: Codes,
    unit: Codes,
    place: tuple[Codes, Codes],
    cells: int,
    drawn: npt.NDArray[np.float32],
) -> Numbers:
    """Count again, in each draw with the groups of some units exchanged.

    Args:
        counts: What each row counts for.
        unit: Its unit.
        place: Its group, 0 or 1, and its cell, where it is counted.
        cells: How many cells there are.
        drawn: As `exchanges` gives it.

    Returns:
        Draws by groups by cells.
    """
    group, cell = place
    own = np.bincount(group * cells + cell, counts, 2 * cells).reshape(2, cells)
    there = unit != ALONE
    towards = np.where(group[there] == 0, -1.0, 1.0)  # to the first group, if it is exchanged
    size = drawn.shape[1]
    flat = np.bincount(unit[there] * cells + cell[there], towards * counts[there], size * cells)
    more = flat.reshape(size, cells).astype(np.float32)
    differs = more.any(axis=0)  # where groups are equal, exchanging them changes nothing
    moved = np.zeros((len(drawn), cells))
    moved[:, differs] = drawn @ more[:, differs]
    return np.stack([own[0] + moved, own[1] - moved], axis=1)


def beside(scores: Numbers, drawn: Numbers, ratio: Numbers, units: int) -> dict[str, float]:
    """Compare measures with those of the exchanges.

    The interval of `M_B` ends below at `M_B` less the 97.5 % quantile of the exchanges' `M_B`: the
    sizes of the true scores are, in the mean, no smaller than those of the scores less those of
    their errors. It ends above at `M_B` plus the 97.5 % quantile of the exchanges' scores in the
    direction of the scores: the mean of sizes is never too small in expectation (Jensen's
    inequality). The interval of `M_S` is `M_S` plus and minus the 95 % quantile of the exchanges'
    sizes. All are a little wide where groups are treated very differently, for what is exchanged
    then differs by more than chance.

    Args:
        scores: The score of each occupation, NaN where it is undefined.
        drawn: The same in each exchange: draws by occupations.
        ratio: The share of g1 in each occupation.
        units: How many units were exchanged.

    Returns:
        `M_B_null`, the mean of `M_B` over the exchanges; `M_B_p` and `M_S_p`, the shares of
        exchanges with an `M_B` as large and an `M_S` as far from 0; and the ends of both
        intervals. What is undefined is left out.
    """
    there = ~np.isnan(scores)
    if units < FEWEST or not there.any():
        return {}
    known, x, score = ~np.isnan(drawn[:, there]), ratio[there], scores[there]
    values = np.where(known, drawn[:, there], 0.0)
    number = np.maximum(known.sum(axis=1), 1)
    sizes = np.abs(values).sum(axis=1) / number
    along = (values * np.sign(score)).sum(axis=1) / number
    balance = float(np.abs(score).mean())
    tail = (1.0 + _LEVEL) / 2
    found = {
        "M_B_null": float(sizes.mean()),
        "M_B_p": _share(sizes, balance),
        "M_B_low": max(0.0, balance - float(np.quantile(sizes, tail))),
        "M_B_high": min(1.0, balance + float(np.quantile(along, tail))),
    }
    if len(x) > 1 and np.ptp(x) > _SAME:
        slopes = np.abs(_slopes(x, values, known))
        slope = float(_slopes(x, score[None], np.ones((1, len(x)), np.bool_))[0])
        half = float(np.quantile(slopes, _LEVEL))
        found |= {"M_S_p": _share(slopes, abs(slope))}
        found |= {"M_S_low": slope - half, "M_S_high": slope + half}
    return found


def _share(drawn: Numbers, value: float) -> float:
    """The p-value: the data are one of the exchanges (Phipson and Smyth 2010)."""
    return float(1 + (drawn >= value - _SAME).sum()) / (1 + len(drawn))


def _slopes(x: Numbers, y: Numbers, known: npt.NDArray[np.bool_]) -> Numbers:
    """The least-squares slopes of rows of `y` on `x`, over what is known of each."""
    number = np.maximum(known.sum(axis=1), 1)
    dx = np.where(known, x - ((known * x).sum(axis=1) / number)[:, None], 0.0)
    squares = (dx**2).sum(axis=1)
    return np.asarray((dx * y).sum(axis=1) / np.where(squares > _SAME, squares, np.inf))


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
