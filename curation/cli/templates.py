"""`curate templates`: delete templates, set them aside, and restore them."""

from typing import Any

import click

from curation.bank.removal import (
    Removal,
    delete_templates,
    restore_templates,
    set_aside_templates,
)
from curation.cli.options import by_option, file_option, json_option, workspace_option
from curation.cli.terminal import echo_list, print_json
from curation.files.workspace import Workspace
from curation.records.bank import Label
from curation.records.messages import plural

_ACTIONS = {
    "delete": (delete_templates, "deleted"),
    "set-aside": (set_aside_templates, "set aside"),
    "restore": (restore_templates, "back"),
}


@click.command("templates")
@workspace_option
@click.argument("templates", metavar="[TEMPLATE]...", nargs=-1)
@click.option(
    "--set-aside",
    "action",
    flag_value="set-aside",
    help="Keep them in the bank, but leave them out of survey, samples and exports.",
)
@click.option("--delete", "action", flag_value="delete", help="Move them to deleted.csv.")
@click.option("--restore", "action", flag_value="restore", help="Undo either of the two.")
@click.option(
    "--label",
    type=click.Choice([item.value for item in Label]),
    help="All templates with this label, such as SR.",
)
@file_option("--table", help="A CSV with the columns template_id and reason.")
@click.option(
    "--reason", default="", metavar="TEXT", help="The reason; it is recorded in the ledger."
)
@by_option
@click.option("--dry-run", is_flag=True, help="Show what would change and write nothing.")
@json_option
def command(
    workspace: Workspace,
    templates: tuple[str, ...],
    action: str | None,
    label: str | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Delete templates, set them aside, or restore them, each with a reason.

    The ledger records the reason and who decided. If one of the templates is not found, nothing is
    written.

    --set-aside overrides all other decisions on these templates. 'curate check' reports their
    errors as warnings, which do not stop a release. --delete moves the templates from bank.csv to
    templates_src/deleted.csv; a later import does not add them again. --restore puts the rows back
    unchanged, and decisions by the survey and by other people are valid again.

    \b
    Example: curate templates age-014 --set-aside --by Mina --reason "we wait for better words"
             curate templates --label SR --delete --by Mina --reason "no such stereotype here"
             curate templates age-014 --restore --by Jun --reason "it was reworded"
    """  # noqa: D301  # \b keeps click from wrapping the example
    if action is None:
        raise click.UsageError("say what becomes of them: --set-aside, --delete or --restore")
    if not templates and given["table"] is None and label is None:
        raise click.UsageError("name templates, a --label, or a --table of them")
    if label is not None:
        if action == "restore":
            raise click.UsageError("--label does not go with --restore: name the templates")
        given["label"] = Label(label)
    function, what = _ACTIONS[action]
    done: Removal = function(workspace, templates, **given)
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
