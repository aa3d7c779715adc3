"""`curate templates`: delete templates, set them aside, and restore them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from curation.bank.removal import (
    Removal,
    delete_templates,
    restore_templates,
    set_aside_templates,
)
from curation.cli.group import LazyGroup
from curation.cli.options import (
    F,
    file_option,
    json_option,
    workspace_option,
)
from curation.cli.terminal import echo_list, print_json
from curation.files.workspace import Workspace
from curation.records.bank import Label
from curation.records.wording import plural

_COMMANDS = {
    "delete": (f"{__name__}:delete", "Delete templates from the bank."),
    "set-aside": (f"{__name__}:set_aside", "Keep templates in the bank, but do not use them."),
    "restore": (f"{__name__}:restore", "Restore templates that were deleted or set aside."),
}


@click.group("templates", cls=LazyGroup, lazy=_COMMANDS)
def command() -> None:
    """Delete templates or set them aside, each with a reason, and restore them."""


def _shared(function: F) -> F:
    """Add what the three commands take."""
    options: tuple[Callable[[Any], Any], ...] = (
        workspace_option,
        click.argument("templates", metavar="[TEMPLATE]...", nargs=-1),
        file_option("--table", help="A CSV with the columns template_id and reason."),
        click.option(
            "--reason", default="", metavar="TEXT", help="The reason; it is recorded in the ledger."
        ),
        click.option(
            "--by",
            required=True,
            metavar="NAME",
            help="Who decides; the name is recorded in the ledger.",
        ),
        click.option("--dry-run", is_flag=True, help="Show what would change and write nothing."),
        json_option,
    )
    for option in reversed(options):
        function = option(function)
    return function


_label = click.option(
    "--label",
    type=click.Choice([item.value for item in Label]),
    help="All templates with this label, such as SR.",
)


@click.command("delete")
@_shared
@_label
def delete(
    workspace: Workspace,
    templates: tuple[str, ...],
    label: str | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Move templates from bank.csv to templates_src/deleted.csv.

    Deleted templates are no longer in the survey, in checks or in exports, and a later import does
    not add them again. The ledger records the reason and who decided. If one of the templates is
    not found, nothing is written.

    To undo it: 'curate templates restore' puts the rows back unchanged.

    \b
    Example: curate templates delete age-014 --by Mina --reason "it is about no group of ours"
             curate templates delete --label SR --by Mina --reason "no such stereotype here"
    """  # noqa: D301  # \b keeps click from wrapping the example
    chosen = None if label is None else Label(label)
    _refuse_none(templates, given["table"], label)
    _show(delete_templates(workspace, templates, label=chosen, **given), "deleted", given, as_json)


@click.command("set-aside")
@_shared
@_label
def set_aside(
    workspace: Workspace,
    templates: tuple[str, ...],
    label: str | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Keep templates in the bank, but leave them out of survey, samples and exports.

    The ledger records the reason and who decided. This decision overrides all others on these
    templates. 'curate check' reports their errors as warnings, which do not stop a release.

    To undo it: 'curate templates restore'. Then the survey decides on them again.

    \b
    Example: curate templates set-aside age-014 --by Mina --reason "we wait for a better wording"
             curate templates set-aside --table aside.csv --by Mina
    """  # noqa: D301  # \b keeps click from wrapping the example
    chosen = None if label is None else Label(label)
    _refuse_none(templates, given["table"], label)
    done = set_aside_templates(workspace, templates, label=chosen, **given)
    _show(done, "set aside", given, as_json)


@click.command("restore")
@_shared
def restore(workspace: Workspace, templates: tuple[str, ...], as_json: bool, **given: Any) -> None:
    """Restore templates that were deleted or set aside.

    Deleted templates return to the bank with all their columns, in the order of their numbers. The
    ledger keeps both decisions. Decisions by the survey and by other people are valid again.

    \b
    Example: curate templates restore age-014 --by Jun --reason "it was reworded"
    """  # noqa: D301  # \b keeps click from wrapping the example
    _refuse_none(templates, given["table"], None)
    _show(restore_templates(workspace, templates, **given), "back", given, as_json)


def _refuse_none(templates: tuple[str, ...], table: Path | None, label: str | None) -> None:
    if not templates and table is None and label is None:
        raise click.UsageError("name templates, or a --table of them")


def _show(done: Removal, what: str, given: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(done)
        return
    verb = "would be" if given["dry_run"] else "is"
    lines = []
    for name in done.templates:
        already = " already, for the same reason" if name in done.unchanged else ""
        lines.append(f"{name} {verb} {what}{already}.")
    echo_list(lines, "template")
    rows = f", {done.variants} {plural('row', done.variants)} of the bank" if done.variants else ""
    count = len(done.templates)
    click.echo(
        f"{count} {plural('template', count)}{rows}; {done.decisions} "
        f"{plural('decision', done.decisions)} for the ledger."
    )
