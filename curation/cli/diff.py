"""`curate diff`: what changed between two states of a benchmark."""

from contextlib import ExitStack
from pathlib import Path

import click

from curation.cli.common import (
    echo_note,
    json_option,
    plural,
    print_json,
    table_lines,
    workspace_option,
)
from curation.cli.diff_states import state_of
from curation.io.atomic import atomic_text
from curation.io.workspace import Workspace
from curation.publish.changes import Differences, compare
from curation.publish.changes_text import as_dict, markdown, summary_rows
from curation.publish.zipping import opened


@click.command("diff")
@click.argument("before", metavar="A", type=click.Path(exists=True, path_type=Path))
@click.argument(
    "after", metavar="[B]", required=False, type=click.Path(exists=True, path_type=Path)
)
@workspace_option
@click.option(
    "--markdown",
    "text_file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the data changelog to this file.",
)
@json_option
def command(
    before: Path, after: Path | None, workspace: Workspace, text_file: Path | None, as_json: bool
) -> None:
    """Show what changed from A to B: templates, samples, test set, groups and settings.

    A and B are packages (folders or ZIP files), workspaces, or folders of 'curate export samples',
    'bank' or 'hub'; B is the workspace unless it is named. What both hold is compared; what one
    does not hold is said. Samples are compared by their ids, column by column.

    The exit status is 0 whatever changed: a difference is no error.

    \b
    Example: curate diff marevibbq-1.0.zip marevibbq-1.1.zip
             curate diff marevibbq-1.0.zip --markdown CHANGES.md
    """  # noqa: D301  # \b keeps click from wrapping the example
    given = (before, after or workspace.root)
    with ExitStack() as stack:
        states = [state_of(stack.enter_context(opened(path)), path) for path in given]
        differences = compare(*states)
    if text_file is not None:
        with atomic_text(text_file) as stream:
            stream.write(markdown(differences))
    if as_json:
        print_json(as_dict(differences))
        return
    _show(differences)
    if text_file is not None:
        click.echo(f"Wrote {text_file}.")


def _show(differences: Differences) -> None:
    click.echo(f"From {differences.before} to {differences.after}")
    if differences.unknown:
        missing = ", ".join(differences.unknown)
        click.echo(f"Note: not compared, as one side does not hold it: {missing}", err=True)
    if not differences:
        click.echo("Nothing changed.")
        return
    header, rows = summary_rows(differences)
    click.echo("\n".join(table_lines(header, rows)))
    samples, templates = differences.samples, differences.templates
    if samples is not None and samples.columns:
        listed = ", ".join(f"{name} ({count:,})" for name, count in samples.columns.items())
        click.echo(f"Columns of samples that differ: {listed}")
    if differences.test:
        added, removed = len(differences.test.added), len(differences.test.removed)
        click.echo(f"Test set: {added:,} samples added, {removed:,} removed")
    for what, members in (
        ("removed", templates.removed if templates else ()),
        ("added", templates.added if templates else ()),
        ("changed", templates.changed if templates else ()),
    ):
        if members:
            echo_note(f"with variants {what}", list(dict.fromkeys(i.id[:-1] for i in members)))
    if differences.groups:
        groups = differences.groups
        count = len(groups.added) + len(groups.removed) + len(groups.changed)
        click.echo(f"Groups: {count} {plural('difference', count)}")
    for key, (was, now) in (differences.settings or {}).items():
        click.echo(f"{key}: {_value(was)} → {_value(now)}")


def _value(value: str | None) -> str:
    return value if value else "(nothing)"
