"""`curate override`: a person keeps or drops templates, whatever the survey says."""

from collections.abc import Mapping

import click

from curation.cli.options import by_option, json_option, workspace_option
from curation.cli.terminal import Taken, echo_list
from curation.files.workspace import Workspace
from curation.records.messages import counted
from survey.explaining import override


@click.command("override")
@workspace_option
@click.argument("templates", metavar="TEMPLATE...", nargs=-1, required=True)
@click.option("--keep", is_flag=True, help="Keep these templates.")
@click.option("--drop", is_flag=True, help="Drop these templates.")
@click.option(
    "--reason",
    required=True,
    metavar="TEXT",
    help="The reason; it is recorded in the ledger and published.",
)
@by_option
@click.option("--dry-run", is_flag=True, help="Show what would change and write nothing.")
@json_option
def command(
    workspace: Workspace,
    templates: tuple[str, ...],
    keep: bool,
    drop: bool,
    reason: str,
    by: str,
    dry_run: bool,
) -> Taken:
    """Keep or drop templates by your own decision, which overrides the survey.

    Use it for a template without a survey decision, or where you have a reason that the survey does
    not cover. The decision is added to decisions.csv, and published with its reason. A later
    override of the same template replaces it. Decisions of the survey are kept too.

    \b
    Example: curate override occupation-009 --drop --by Mina --reason "it was not asked about"
    """  # noqa: D301  # \b keeps click from wrapping the example
    if keep == drop:
        raise click.UsageError("say what becomes of them: --keep or --drop, one of the two")
    done = override(workspace, templates, keep=keep, reason=reason, by=by, dry_run=dry_run)
    count, unchanged = len(done.added.decisions), done.added.unchanged

    def show() -> None:
        echo_list([_changed(item) for item in done.templates], "template")
        verb = "would be added" if dry_run else "added"
        said = f"{counted(count, 'decision')} {verb} to the ledger, {unchanged} unchanged."
        click.echo(said)

    return {"added": count, "unchanged": unchanged, "templates": done.templates}, False, show


def _changed(item: Mapping[str, str]) -> str:
    why = f" ({item['before_reason']})" if item["before_reason"] else ""
    return f"{item['template_id']}: {item['after']}, before {item['before']}{why}"
