"""`curate templates`: delete templates, set them aside, and restore them."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from curation.bank.removal import delete_templates, restore_templates, set_aside_templates
from curation.cli.options import by_option, json_option, workspace_option
from curation.cli.terminal import Taken, echo_list
from curation.files.workspace import Workspace
from curation.records.bank import Label
from curation.records.messages import counted

_ACTIONS = {
    "delete": (delete_templates, "deleted"),
    "set-aside": (set_aside_templates, "set aside"),
    "restore": (restore_templates, "back"),
}


@click.command("templates")
@workspace_option
@click.argument("action", type=click.Choice(list(_ACTIONS)))
@click.argument("named", metavar="TEMPLATE|LABEL|FILE...", nargs=-1, required=True)
@click.option(
    "--reason", default="", metavar="TEXT", help="The reason; it is recorded in the ledger."
)
@by_option
@json_option
def command(workspace: Workspace, action: str, named: tuple[str, ...], **given: Any) -> Taken:
    """Delete templates, set them aside, or restore them, each with a reason.

    The ledger records the reason and who decided. If one of the templates is not found, nothing is
    written.

    A label (SR) stands for all templates that have it, and FILE for those of a CSV with the columns
    template_id and reason.

    set-aside keeps them in the bank, but leaves them out of survey, samples and exports; it
    overrides all other decisions on them. 'curate check' reports their errors as warnings, which do
    not stop a release. delete moves the templates from bank.csv to templates_src/deleted.csv; a
    later import does not add them again. restore undoes either of the two: the rows are put back
    unchanged, and decisions by the survey and by other people are valid again.

    \b
    Example: curate templates set-aside age-014 --by Mina --reason "we wait for better words"
             curate templates delete SR --by Mina --reason "no such stereotype here"
             curate templates restore age-014 --by Jun --reason "it was reworded"
    """  # noqa: D301  # \b keeps click from wrapping the example
    function, what = _ACTIONS[action]
    done = function(workspace, list(map(_named, named)), **given)
    return done, False, partial(_show, done, what)


def _show(done: Mapping[str, Any], what: str) -> None:
    already = dict.fromkeys(done["unchanged"], " already, for the same reason")
    lines = [f"{name} is {what}{already.get(name, '')}." for name in done["templates"]]
    echo_list(lines, "template")
    rows = f", {counted(done['variants'], 'row')} of the bank" if done["variants"] else ""
    made = counted(done["decisions"], "decision")
    click.echo(f"{counted(len(done['templates']), 'template')}{rows}; {made} for the ledger.")


def _named(text: str) -> str | Label | Path:
    """What one argument names: a template, all of a label, or a table of templates."""
    if text in [label.value for label in Label]:
        return Label(text)
    return Path(text) if text.lower().endswith(".csv") else text
