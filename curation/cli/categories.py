"""`curate categories`: the merges of categories."""

from pathlib import Path

import click

from curation.bank.recategorise import apply_merges
from curation.bank.splitting import SplitCategory, split_category, unsplit_category
from curation.cli.group import LazyGroup
from curation.cli.options import file_option, json_option, workspace_option
from curation.cli.terminal import print_findings, print_json
from curation.files.workspace import Workspace
from curation.records.wording import plural

_COMMANDS = {
    "apply": (f"{__name__}:apply", "Apply the merges of culture.yaml to the bank."),
    "split": (f"{__name__}:split", "Move some templates to a new category."),
    "unsplit": (f"{__name__}:unsplit", "Undo a split."),
}


@click.group("categories", cls=LazyGroup, lazy=_COMMANDS)
def command() -> None:
    """Merge categories as culture.yaml says, and split them."""


@click.command("apply")
@workspace_option
@click.option("--dry-run", is_flag=True, help="Show what would change and write nothing.")
@json_option
def apply(workspace: Workspace, dry_run: bool, as_json: bool) -> None:
    """Apply the merges of culture.yaml to a bank that was imported earlier.

    Where a category names another one among its sources, it gets the templates and groups of that
    one. A template keeps its number, or gets the next free number where its own is taken. Its
    source columns do not change. Former ids are recorded in annotations/renamed.csv, so decisions
    and survey questions with former ids stay valid, and 'curate explain' finds them. The ledger is
    not changed. Running it again changes nothing.

    \b
    Example: curate categories apply --dry-run
    """  # noqa: D301  # \b keeps click from wrapping the example
    found = apply_merges(workspace, dry_run=dry_run)
    if as_json:
        print_json(found)
        return
    for old, new in found.renamed.items():
        click.echo(f"renamed    {old} is {'to be' if dry_run else 'now'} {new}")
    print_findings(found.findings)
    count = len(found.renamed)
    click.echo(
        f"{count} {plural('template', count)} and {found.groups} {plural('group', found.groups)} "
        + ("would change" if dry_run else "changed")
        + " their category."
    )


@click.command("split")
@workspace_option
@click.argument("category")
@click.option("--into", default="", metavar="NAME", help="The new category of the templates.")
@click.option(
    "--template",
    "templates",
    multiple=True,
    metavar="ID",
    help="Move this template; may be given several times.",
)
@file_option(
    "--table",
    help="A CSV with the columns template_id and category, to move templates "
    "to several categories.",
)
@click.option("--dry-run", is_flag=True, help="Show what would change and write nothing.")
@json_option
def split(
    workspace: Workspace,
    category: str,
    into: str,
    templates: tuple[str, ...],
    table: Path | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Move some templates of CATEGORY to a new category, or to several.

    A template keeps its number, or gets the next free number. Former ids are recorded in
    annotations/renamed.csv, and culture.yaml names the category of origin (split_from). Decisions,
    survey questions and later imports therefore still find the templates. Groups that the templates
    name are copied to the new category in groups.csv. They stay in CATEGORY too, because the survey
    asked about them there. Everything is checked before anything is written.

    To undo it: 'curate categories unsplit NAME'. The templates get their former ids back.

    \b
    Example: curate categories split Age --into Youth --template age-003 --template age-007
             curate categories split Race --table goals.csv --dry-run
    """  # noqa: D301  # \b keeps click from wrapping the example
    if bool(into) != bool(templates) or not (templates or table):
        raise click.UsageError("say --into NAME with --template ID, or --table FILE, or both")
    found = split_category(workspace, category, into, templates, table=table, dry_run=dry_run)
    _show_split(found, "would leave" if dry_run else "left", dry_run=dry_run, as_json=as_json)


@click.command("unsplit")
@workspace_option
@click.argument("category")
@click.option("--dry-run", is_flag=True, help="Show what would change and write nothing.")
@json_option
def unsplit(workspace: Workspace, category: str, dry_run: bool, as_json: bool) -> None:
    """Undo a split: move all templates of CATEGORY back to the category of origin.

    They get their former ids back. CATEGORY is removed from culture.yaml and groups.csv. Groups
    that the category of origin does not have are moved to it. To undo it, split again.

    \b
    Example: curate categories unsplit Youth
    """  # noqa: D301  # \b keeps click from wrapping the example
    found = unsplit_category(workspace, category, dry_run=dry_run)
    verb = "would come back to" if dry_run else "came back to"
    _show_split(found, verb, dry_run=dry_run, as_json=as_json)


def _show_split(found: SplitCategory, verb: str, *, dry_run: bool, as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    for old, new in found.renamed.items():
        click.echo(f"renamed    {old} is {'to be' if dry_run else 'now'} {new}")
    count, names = len(found.renamed), ", ".join(found.categories) or "none"
    click.echo(
        f"{count} {plural('template', count)} {verb} {found.category}; categories: {names}; "
        f"{len(found.groups)} {plural('row', len(found.groups))} of groups.csv."
    )
