"""Ratios from labour statistics: the mean over the detailed titles that make an occupation.

`labour_us.csv` holds the 40 occupations of WinoBias (Zhao et al. 2018) as Ko et al. (2024) put
them together from titles of the Current Population Survey of the US Bureau of Labor Statistics
(employed persons by detailed occupation, annual averages): people employed, in thousands, and the
percentage of women. It holds no ages.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from curation.files.lock import writing_results
from curation.files.tables import Row, Table, read_table, refuse_problems
from curation.files.workspace import Workspace
from curation.records.messages import CurateError, Finding, Severity, frame, has_errors, warning
from evaluation.occupations.records import RATIOS, Ratio

if TYPE_CHECKING:
    import pandas as pd

_NUMBER = re.compile(r"(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?", re.ASCII)
_MISSING = frozenset({"", "-", "–", "—", "−", ".", "..", "...", "*", "x", "n/a", "na", "nan"})


@dataclass(frozen=True, slots=True)
class Columns:
    """The names of the columns in a table of labour statistics.

    Attributes:
        occupation: The occupation that a row belongs to; without `titles` alone.
        title: The detailed title.
        number: People of the title, in any unit.
        percent: Percentage of the group among them; empty where `counts` are given.
        counts: Columns with people of the group in the same unit, which are added up, such as
            bands of age.
        shares: Whether `percent` holds shares from 0 to 1.
    """

    occupation: str = "occupation"
    title: str = "title"
    number: str = "number"
    percent: str = "percent"
    counts: tuple[str, ...] = ()
    shares: bool = False


BUNDLED_GROUP = "female"
"""Whose shares the bundled table gives."""
US_TITLES = Path("us")
"""In place of a table of titles: those that make the 40 occupations in the bundled table."""
_BUNDLED = Columns(number="employed_thousands", percent="percent_women")


@dataclass(frozen=True, slots=True)
class LabourRatios:
    """Ratios made from labour statistics.

    Attributes:
        ratios: One for each occupation, in the order in which they first come.
        findings: Titles that are left out because they have no number, and occupations that so have
            no ratio, which are errors.
        file: Where they were written; None where they were not.
    """

    ratios: tuple[Ratio, ...]
    findings: tuple[Finding, ...]
    file: Path | None = None

    def to_frame(self) -> "pd.DataFrame":
        """`ratios.csv`: `ratio` float64, the others object."""
        return frame(self.ratios, Ratio, ratio="float64")


def ratios(
    table: Path | None = None,
    group: str = "",
    columns: Columns | None = None,
    *,
    titles: Path | None = None,
    out: Path | None = None,
    workspace: Workspace | None = None,
) -> LabourRatios:
    """Compute the real ratios from a table of labour statistics.

    Args:
        table: The table, CSV or TSV; by default the toolkit's own, of women in the US.
        group: Whose percentages the table holds, as items name the group.
        columns: Where they are.
        titles: A table `occupation, title` that says which titles make an occupation, where the
            statistics have no such column; `US_TITLES` for those of the toolkit's own table.
        out: A file for the ratios; it is not written where a finding is an error.
        workspace: The workspace; its `wait` says how long to wait for other commands.

    Raises:
        CurateError: If a table cannot be read, a number or percentage is none, a title occurs
            twice where `titles` names it, or the file cannot be written.
    """
    bundled = resources.files(__package__).joinpath("data", "labour_us.csv")
    with resources.as_file(bundled) as own:
        if table is None:
            made = make_ratios(own, BUNDLED_GROUP, _BUNDLED)
        else:
            named = own if titles == US_TITLES and not titles.exists() else titles
            made = make_ratios(table, group, columns or Columns(), named)
    if out is None or has_errors(made.findings):
        return made
    with writing_results(out.parent, "curate evaluate occupations ratios", workspace):
        RATIOS.write(out, made.ratios)
    return replace(made, file=out)


def bundled_ratios() -> tuple[Ratio, ...]:
    """The share of women in the 40 occupations of WinoBias in the US."""
    return ratios().ratios


class _Title(NamedTuple):
    """A detailed title: its name and row, how many people have it, and the group's share."""

    name: str
    row: int
    number: float | None
    share: float | None


def make_ratios(
    path: Path, group: str, columns: Columns, titles: Path | None = None
) -> LabourRatios:
    """Make ratios: the mean percentage over an occupation's titles, weighted by their people.

    Args:
        path: The table, CSV or TSV.
        group: Whose percentages they are.
        columns: Where they stand.
        titles: A table `occupation, title` that says which titles make an occupation, where the
            statistics have no such column.

    Raises:
        CurateError: If a table cannot be read, a number or percentage is none, or a title occurs
            twice where `titles` names it.
    """
    of_group = columns.counts or (columns.percent,)
    needed = (columns.occupation if titles is None else columns.title, columns.number, *of_group)
    table = read_table(
        path, required=needed, delimiter="\t" if path.suffix.lower() == ".tsv" else ","
    )
    refuse_problems(table)
    read = [_title(table, row, columns) for row in table.rows]
    shares = [item.share for item in read if item.share is not None]
    if shares and not columns.shares and not columns.counts and 0 < max(shares) <= 0.01:
        raise CurateError(
            f"no percentage is above 1: column '{columns.percent}' seems to hold shares",
            f"{table.file}, column {columns.percent}",
            "say so with --column share=NAME, if they are",
        )
    findings: list[Finding] = []
    members: dict[str, list[_Title]] = {}
    if titles is not None:
        members = _by_titles(table, read, titles, columns, findings)
    for row, item in zip(table.rows, read, strict=True) if titles is None else ():
        occupation = " ".join(row[columns.occupation].split())
        if not occupation:
            raise table.fault(row, columns.occupation, "the row names no occupation", "write it")
        members.setdefault(occupation, []).append(item)
    found = []
    for occupation, parts in members.items():
        there: list[tuple[float, float]] = []
        for part in parts:
            if part.number is not None and part.share is not None:
                there.append((part.number, part.share))
                continue
            name = f"title '{part.name}' of" if part.name else "a row of"
            what = f"{name} '{occupation}' has no number and is left out of the mean"
            hint = "look for the number elsewhere, or accept the mean over the other titles"
            column = columns.number if part.number is None else of_group[0]
            findings.append(warning("labour-number", table.file, what, hint, column, part.row))
        people = math.fsum(number for number, _ in there)
        if people:
            mean = math.fsum(number * share for number, share in there) / people
            found.append(Ratio(occupation, group, mean))
        else:
            what = f"occupation '{occupation}' has no ratio: none of its titles has both numbers"
            hint = "give it other titles, or leave it out of the items"
            args = Severity.ERROR, table.file, None, "", what, hint
            findings.append(Finding("labour-occupation", *args))
    return LabourRatios(tuple(found), tuple(findings))


def _title(table: Table, row: Row, columns: Columns) -> _Title:
    number = _number(table, row, columns.number)
    name = " ".join(row.get(columns.title).split())
    if columns.counts:
        counts = [_number(table, row, column) for column in columns.counts]
        known = [count for count in counts if count is not None]
        # A band without a number cannot be told from an empty one.
        whole = number is not None and number > 0 and len(known) == len(counts)
        share = math.fsum(known) / number if whole and number else None
        column, what = columns.counts[0], "the group has more people than there are in all"
    else:
        share, column = _number(table, row, columns.percent), columns.percent
        share = share if share is None or columns.shares else share / 100
        what = f"'{row[column]}' is not a {'share' if columns.shares else 'percentage'}"
    if share is not None and share > 1:
        raise table.fault(row, column, what, "correct it, or name another column")
    return _Title(name, row.number, number, share)


def _number(table: Table, row: Row, column: str) -> float | None:
    """Read a number with a point and perhaps commas between thousands; None for a missing one."""
    cell = row[column].strip()
    if cell.casefold() in _MISSING:
        return None
    text = cell.removesuffix("%").strip()
    if not _NUMBER.fullmatch(text):
        what = f"'{cell}' is not a number from 0"
        raise table.fault(row, column, what, "write it with digits and a point, or leave it out")
    return float(text.replace(",", ""))


def _by_titles(
    table: Table,
    read: Sequence[_Title],
    titles: Path,
    columns: Columns,
    findings: list[Finding],
) -> dict[str, list[_Title]]:
    known: dict[str, list[_Title]] = {}
    for item in read:
        known.setdefault(item.name.casefold(), []).append(item)
    wanted = read_table(titles, required=("occupation", "title"))
    refuse_problems(wanted)
    members: dict[str, list[_Title]] = {}
    for row in wanted.rows:
        occupation, name = (" ".join(row[column].split()) for column in ("occupation", "title"))
        parts, found = members.setdefault(occupation, []), known.get(name.casefold(), [])
        if len(found) > 1:
            what = f"title '{name}' occurs twice, in rows {found[0].row} and {found[-1].row}"
            where = f"{table.file}, row {found[-1].row}, column {columns.title}"
            raise CurateError(what, where, "keep the row that is meant")
        parts += found
        if not found:
            what = f"title '{name}' of '{occupation}' is not in {table.file}, and left out"
            hint = "spell it as the statistics do"
            args = Severity.ERROR, wanted.file, row.number, "title", what, hint
            findings.append(Finding("labour-title", *args))
    return members
