"""Items and ratios as numbers: what each task compares, ready for counting."""

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from curation.records.errors import CurateError
from curation.records.findings import Finding, warning
from curation.records.wording import counted
from evaluation.occupations.exchange import counterparts
from evaluation.occupations.records import Item, Ratio, by_group
from evaluation.replies.files import shortened

Codes = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]

G1, G2 = 0, 1
"""Codes of the two groups: that of the ratios, and the other one."""
_NONE = -1


@dataclass(frozen=True, slots=True)
class Design:
    """One task.

    Attributes:
        task: Its name.
        groups: g1, whose shares the ratios are, and g2.
        occupations: The occupations that its items name, in alphabetical order.
        ratio: The share of g1 in each of them.
        instructions: The instructions, in the order in which they come.
        item: Positions of its items among all.
        instruction: For each of its items which instruction asks it.
        group: For each of its items `G1` or `G2`.
        occupation: For each item and option which occupation it is; -1 for the unknown option,
            and where an item has fewer options.
        unknown: For each item which option is the unknown one.
        pair: For each item which set of occupations it has among its options.
        unit: For each item the unit of which the groups' replies can be exchanged, as
            `counterparts` numbers them.
    """

    task: str
    groups: tuple[str, str]
    occupations: tuple[str, ...]
    ratio: Numbers
    instructions: tuple[str, ...]
    item: Codes
    instruction: Codes
    group: Codes
    occupation: Codes
    unknown: Codes
    pair: Codes
    unit: Codes


def designs(
    items: Sequence[Item], ratios: Sequence[Ratio], *, file: str
) -> tuple[tuple[Design, ...], tuple[Finding, ...]]:
    """Put items into tasks, and give each its ratios.

    Args:
        items: The items.
        ratios: The ratios; of the two groups of a task exactly one has them.
        file: The items' file, as messages show it.

    Returns:
        The tasks in alphabetical order, and findings on occupations that no score can be had of.

    Raises:
        CurateError: If a task has other than two groups, neither or both of them have ratios,
            or an occupation has none.
    """
    known = by_group(ratios)
    tasks: dict[str, list[int]] = {}
    for at, item in enumerate(items):
        tasks.setdefault(item.task, []).append(at)
    made = tuple(_design(tasks[task], items, known, file) for task in sorted(tasks))
    return made, tuple(finding for design in made for finding in _one_sided(design, file))


def _design(
    places: Sequence[int],
    items: Sequence[Item],
    known: Mapping[str, Mapping[str, float]],
    file: str,
) -> Design:
    mine = [items[at] for at in places]
    groups = _groups(mine, known, file)
    ratio = known[groups[0]]
    occupations = tuple(sorted({name for item in mine for name in item.occupations}))
    _refuse_without_ratio(mine, occupations, ratio, groups[0], file)
    instructions = tuple(dict.fromkeys(item.instruction for item in mine))
    code = {name: at for at, name in enumerate(occupations)}
    occupation = np.full((len(mine), max(len(item.options) for item in mine)), _NONE, np.int64)
    for row, item in enumerate(mine):
        for column, option in enumerate(item.options):
            if option != item.unknown:
                occupation[row, column] = code[option]
    sets = [frozenset(item.occupations) for item in mine]
    pairs = {names: at for at, names in enumerate(dict.fromkeys(sets))}
    sides, sentences = [item.group for item in mine], [item.sentence for item in mine]
    return Design(
        task=mine[0].task,
        groups=groups,
        occupations=occupations,
        ratio=np.array([ratio[name] for name in occupations], np.float64),
        instructions=instructions,
        item=np.array(places, np.int64),
        instruction=np.array([instructions.index(item.instruction) for item in mine], np.int64),
        group=np.array([groups.index(item.group) for item in mine], np.int64),
        occupation=occupation,
        unknown=np.array([item.options.index(item.unknown) for item in mine], np.int64),
        pair=np.array([pairs[names] for names in sets], np.int64),
        unit=counterparts(sets, sides, sentences),
    )


def _groups(
    items: Sequence[Item], known: Mapping[str, Mapping[str, float]], file: str
) -> tuple[str, str]:
    """Tell the two groups of a task apart: the first one is that of the ratios."""
    present = tuple(dict.fromkeys(item.group for item in items))
    first = [group for group in present if group in known]
    if len(present) != 2 or len(first) != 1:
        raise CurateError(
            f"task {items[0].task} compares two groups, of which one has ratios; its items are of "
            f"{', '.join(present)}, and there are ratios of {', '.join(known)}",
            f"{file}, column group",
            "name the groups alike in items and ratios, and make a task of each two",
        )
    return first[0], next(group for group in present if group != first[0])


def _refuse_without_ratio(
    items: Sequence[Item],
    occupations: Sequence[str],
    ratio: Mapping[str, float],
    group: str,
    file: str,
) -> None:
    missing = [name for name in occupations if name not in ratio]
    if not missing:
        return
    row = next(item.row for item in items if missing[0] in item.options)
    near = difflib.get_close_matches(missing[0].casefold(), map(str.casefold, ratio), n=1)
    like = next((name for name in ratio if [name.casefold()] == near), "")
    more = f" (it has one of '{like}')" if like else ""
    raise CurateError(
        f"{counted(len(missing), 'occupation has', 'occupations have')} no ratio of '{group}': "
        f"{shortened(missing)}",
        f"{file}, row {row}, column options" if row else f"{file}, column options",
        f"add its row to ratios.csv, spelled as in the items{more}",
    )


def _one_sided(design: Design, file: str) -> Iterator[Finding]:
    """Warn of occupations that stand in items of one group alone: they have no score."""
    for code, group in enumerate(design.groups):
        there = np.unique(design.occupation[design.group == code])
        lacking = np.setdiff1d(np.arange(len(design.occupations)), there)
        if len(lacking):
            names = [design.occupations[at] for at in lacking]
            yield warning(
                "occupations-group",
                file,
                f"task {design.task}: no item of '{group}' has {shortened(names)} among its "
                "options, so that the score is undefined there",
                "add items of that group, or leave the occupation out",
                "group",
            )
