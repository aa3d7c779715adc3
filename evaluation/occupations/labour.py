"""Ratios from labour statistics: the mean over the detailed titles that make an occupation.

`labour_us.csv` holds the 40 occupations of WinoBias (Zhao et al. 2018) as Ko et al. (2024) put
them together from titles of the Current Population Survey of the US Bureau of Labor Statistics
(employed persons by detailed occupation, annual averages): people employed, in thousands, and the
percentage of women. It holds no ages.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from curation.files.lock import writing_results
from curation.files.tables import Row, Table, read_table, refuse_problems
from curation.files.workspace import Workspace
from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity, has_errors
from curation.records.frames import frame
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
    made = LabourRatios(bundled_ratios(), ())
    if table is not None and titles == US_TITLES and not titles.exists():
        with _bundled_table() as own:
            made = make_ratios(table, group, columns or Columns(), own)
    elif table is not None:
        made = make_ratios(table, group, columns or Columns(), titles)
    if out is None or has_errors(made.findings):
        return made
    with writing_results(out.parent, "curate evaluate occupations ratios", workspace):
        RATIOS.write(out, made.ratios)
    return replace(made, file=out)


@dataclass(frozen=True, slots=True)
class _Title:
    name: str
    row: int
    number: float | None
    share: float | None


def bundled_ratios() -> tuple[Ratio, ...]:
    """The share of women in the 40 occupations of WinoBias in the US."""
    with _bundled_table() as path:
        return make_ratios(path, BUNDLED_GROUP, _BUNDLED).ratios


def _bundled_table() -> AbstractContextManager[Path]:
    return resources.as_file(resources.files(__package__).joinpath("data", "labour_us.csv"))


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
    table = _table(path, columns, titles is not None)
    rows = {row.number: _title(table, row, columns) for row in table.rows}
    _refuse_shares(table, rows.values(), columns)
    findings: list[Finding] = []
    if titles is None:
        members = _by_column(table, rows, columns)
    else:
        members = _by_titles(table, rows, titles, columns, findings)
    found = []
    for occupation, parts in members.items():
        findings += [_without_number(table, occupation, part, columns) for part in _lacking(parts)]
        ratio = _mean(parts)
        if ratio is None:
            findings.append(_without_ratio(table, occupation))
        else:
            found.append(Ratio(occupation, group, ratio))
    return LabourRatios(tuple(found), tuple(findings))


def _table(path: Path, columns: Columns, by_titles: bool) -> Table:
    delimiter = "\t" if path.suffix.lower() == ".tsv" else ","
    parts = columns.counts or (columns.percent,)
    needed = (columns.title if by_titles else columns.occupation, columns.number, *parts)
    table = read_table(path, required=needed, delimiter=delimiter)
    refuse_problems(table)
    return table


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


def _refuse_shares(table: Table, titles: Iterable[_Title], columns: Columns) -> None:
    """Refuse percentages that are all below 1: they are shares, a hundred times too small."""
    shares = [item.share for item in titles if item.share is not None]
    if shares and not columns.shares and not columns.counts and 0 < max(shares) <= 0.01:
        raise CurateError(
            f"no percentage is above 1: column '{columns.percent}' seems to hold shares",
            f"{table.file}, column {columns.percent}",
            "say so with --column share=NAME, if they are",
        )


def _by_column(
    table: Table, rows: Mapping[int, _Title], columns: Columns
) -> dict[str, list[_Title]]:
    members: dict[str, list[_Title]] = {}
    for row in table.rows:
        occupation = " ".join(row[columns.occupation].split())
        if not occupation:
            raise table.fault(row, columns.occupation, "the row names no occupation", "write it")
        members.setdefault(occupation, []).append(rows[row.number])
    return members


def _by_titles(
    table: Table,
    rows: Mapping[int, _Title],
    titles: Path,
    columns: Columns,
    findings: list[Finding],
) -> dict[str, list[_Title]]:
    known: dict[str, _Title] = {}
    doubled: dict[str, _Title] = {}
    for title in rows.values():
        key = title.name.casefold()
        if key in known:
            doubled[key] = title
        known.setdefault(key, title)
    wanted = read_table(titles, required=("occupation", "title"))
    refuse_problems(wanted)
    members: dict[str, list[_Title]] = {}
    for row in wanted.rows:
        occupation, name = (" ".join(row[column].split()) for column in ("occupation", "title"))
        parts = members.setdefault(occupation, [])
        key = name.casefold()
        if key in doubled:
            again = known[key].row, doubled[key].row
            what = f"title '{name}' occurs twice, in rows {again[0]} and {again[1]}"
            where = f"{table.file}, row {again[1]}, column {columns.title}"
            raise CurateError(what, where, "keep the row that is meant")
        if key in known:
            parts.append(known[key])
        else:
            what = f"title '{name}' of '{occupation}' is not in {table.file}, and left out"
            hint = "spell it as the statistics do"
            args = Severity.ERROR, wanted.file, row.number, "title", what, hint
            findings.append(Finding("labour-title", *args))
    return members


def _lacking(parts: Sequence[_Title]) -> list[_Title]:
    return [part for part in parts if part.number is None or part.share is None]


def _mean(parts: Sequence[_Title]) -> float | None:
    """The mean share, weighted by people; None where nobody is known of."""
    there = [
        (part.number, part.share)
        for part in parts
        if part.number is not None and part.share is not None
    ]
    people = math.fsum(number for number, _ in there)
    if not people:
        return None
    return math.fsum(number * share for number, share in there) / people


def _without_number(table: Table, occupation: str, part: _Title, columns: Columns) -> Finding:
    of_group = columns.counts[0] if columns.counts else columns.percent
    column = columns.number if part.number is None else of_group
    name = f"title '{part.name}' of '{occupation}'" if part.name else f"a row of '{occupation}'"
    return Finding(
        "labour-number",
        Severity.WARNING,
        table.file,
        part.row,
        column,
        f"{name} has no number and is left out of the mean",
        "look for the number elsewhere, or accept the mean over the other titles",
    )


def _without_ratio(table: Table, occupation: str) -> Finding:
    return Finding(
        "labour-occupation",
        Severity.ERROR,
        table.file,
        None,
        "",
        f"occupation '{occupation}' has no ratio: none of its titles has both numbers",
        "give it other titles, or leave it out of the items",
    )
