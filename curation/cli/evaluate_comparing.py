"""What the comparisons share: their options, and how their tables are shown and written."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from curation.cli.common import print_json, table_lines
from curation.io.manifest import write_manifest
from curation.io.tables import write_csv
from evaluation.compare.values import Unit
from evaluation.score import Row
from evaluation.tables import cells
from evaluation.tallies import TALLIES, Scored

F = TypeVar("F", bound=Callable[..., Any])


def unit_option(function: F) -> F:
    """Add `--unit`; the command receives a name as `unit`."""
    return click.option(
        "--unit",
        type=click.Choice([item.value for item in Unit]),
        default=Unit.TEMPLATE.value,
        show_default=True,
        help="What one value of a test is: the score of a template over all prompts, or of a "
        "prompt over all templates.",
    )(function)


def out_option(function: F) -> F:
    """Add `--out DIR`; the command receives a path or None as `out`."""
    return click.option(
        "--out",
        type=click.Path(file_okay=False, path_type=Path),
        help="Folder for the tables as CSV, with a manifest.",
    )(function)


Tables = Mapping[str, tuple[Sequence[str], Sequence[Row]]]
"""By name of a table its columns and rows."""


def publish(
    tables: Tables,
    notes: Sequence[str],
    folders: Sequence[Scored],
    settings: Mapping[str, object],
    out: Path | None,
    *,
    as_json: bool,
) -> None:
    """Show tables on the terminal or as JSON, and write them where a folder is named."""
    if out is not None:
        _write(tables, folders, settings, out)
    if as_json:
        found = {name: list(rows) for name, (_, rows) in tables.items()}
        print_json({**found, "notes": list(notes), **settings})
        return
    for name, (columns, rows) in tables.items():
        click.secho(name, bold=True)
        if rows:
            cells = ([_shown(row[column]) for column in columns] for row in rows)
            click.echo("\n".join(table_lines(columns, cells, left=_left(rows[0], columns))))
        else:
            click.echo("nothing to test")
    for note in notes:
        click.echo(f"Note: {note}", err=True)


def _left(row: Row, columns: Sequence[str]) -> int:
    """Count the columns of names at the beginning."""
    names = [isinstance(row[column], str) for column in columns]
    return names.index(False) if False in names else len(names)


def _shown(value: str | int | float | None) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.2e}" if 0 < abs(value) < 0.0005 else f"{value:.3f}"
    return str(value)


def _write(
    tables: Tables, folders: Sequence[Scored], settings: Mapping[str, object], out: Path
) -> None:
    out.mkdir(parents=True, exist_ok=True)
    files = []
    for name, (columns, rows) in tables.items():
        files.append(out / f"{name}.csv")
        write_csv(files[-1], columns, cells(rows, columns))
    inputs = {
        f"{number}: {TALLIES}": item.folder / TALLIES for number, item in enumerate(folders, 1)
    }
    counts = {name: len(rows) for name, (_, rows) in tables.items()}
    write_manifest(out, inputs, counts, settings, files)
