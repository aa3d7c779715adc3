"""`ratios.csv`: the share of a group among the people of an occupation."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from curation.io.tables import Row, Table, read_table, refuse_problems, write_csv
from curation.model.errors import CurateError

RATIO_COLUMNS = ("occupation", "group", "ratio")
"""The columns of `ratios.csv`."""

_DIGITS = 6


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


def write_ratios(path: Path, ratios: Iterable[Ratio]) -> int:
    """Write ratios in place of `path`; returns how many.

    Raises:
        CurateError: If the file cannot be written.
    """
    rows = ((item.occupation, item.group, f"{item.ratio:.{_DIGITS}f}") for item in ratios)
    return write_csv(path, RATIO_COLUMNS, rows)


def read_ratios(path: Path) -> tuple[Ratio, ...]:
    """Read ratios.

    Raises:
        CurateError: If there is none, a ratio is no share from 0 to 1, or an occupation has two
            ratios of one group.
    """
    table = read_table(path, required=RATIO_COLUMNS)
    refuse_problems(table)
    found: dict[tuple[str, str], Ratio] = {}
    for row in table.rows:
        ratio = _ratio(table, row)
        key = ratio.occupation, ratio.group
        if key in found:
            what = f"'{ratio.occupation}' has two ratios of '{ratio.group}'"
            raise _fault(table, row, "occupation", what, "keep one of them")
        found[key] = ratio
    if not found:
        hint = "make some with: curate evaluate occupations ratios"
        raise CurateError(f"{path.name} holds no ratio", str(path), hint)
    return tuple(found.values())


def by_group(ratios: Iterable[Ratio]) -> dict[str, dict[str, float]]:
    """Give the ratio of each occupation, by group."""
    found: dict[str, dict[str, float]] = {}
    for item in ratios:
        found.setdefault(item.group, {})[item.occupation] = item.ratio
    return found


def _ratio(table: Table, row: Row) -> Ratio:
    occupation, group = (" ".join(row[name].split()) for name in RATIO_COLUMNS[:2])
    for name, cell in (("occupation", occupation), ("group", group)):
        if not cell:
            raise _fault(table, row, name, f"the row names no {name}", "write it")
    try:
        share = float(row["ratio"])
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        what = f"'{row['ratio']}' is no share from 0 to 1"
        raise _fault(table, row, "ratio", what, "write 0.25 for 25 %")
    return Ratio(occupation, group, share)


def _fault(table: Table, row: Row, column: str, what: str, hint: str) -> CurateError:
    return CurateError(what, f"{table.file}, row {row.number}, column {column}", hint)
