"""`curate import`: published templates into the bank, and how a file of samples is read."""

from collections.abc import Iterable
from functools import partial
from itertools import islice
from pathlib import Path

import click

from curation.cli import options, terminal
from curation.files.atomic import write_file
from curation.files.workspace import Workspace
from curation.importing import TABLE, import_templates
from curation.records.bank import ORIGIN
from curation.records.messages import CurateError, Results, counted
from curation.sources.imported import FORMATS

_IDS_SHOWN = 10
_GROUPS = (
    "  Check their parent and level. Set 'counts' to false for groups that are part of another "
    "option."
)
_SAMPLES = "samples"


@options.curate_command("import")
@click.argument("source", type=click.Choice((*FORMATS, TABLE, _SAMPLES)))
@click.argument(
    "paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@options.file_option(
    "--draft",
    is_flag=False,
    flag_value=Path("-"),
    help="With 'samples' or 'table': write which columns say what [default: samples.yaml or "
    "templates.yaml].",
)
@options.file_option("--mapping", help="With 'samples' or 'table': read the files by this mapping.")
def command(
    workspace: Workspace,
    source: str,
    paths: tuple[Path, ...],
    draft: Path | None,
    mapping: Path | None,
) -> terminal.Taken:
    """Read published templates into the bank, or see how a file of samples is read.

    PATH is a published file or a folder of such files. Put the vocabularies of BBQ and EsBBQ beside
    their templates. Where a file has several languages, the language of the workspace is read. The
    files are copied unchanged to templates_src/sources. Every row is either read or reported. You
    can import again: only new templates are added.

    With 'table', PATH has templates of your own or of a set that is not built in: --draft writes a
    mapping of its columns, with '?' where a person must decide, and --mapping reads the templates.

    With 'samples', PATH has samples of any set of the BBQ family, in any layout. --draft writes a
    mapping: which column has the context, the answers, the target and so on, with counts and
    examples, and '?' where a person must decide. With --mapping, or a layout that is known, the
    samples are read and examples shown. 'curate trace', 'curate evaluate prepare' and 'score' take
    the same --mapping. No workspace is needed.
    """
    if (draft or mapping) and source in FORMATS:
        raise click.UsageError("--draft and --mapping go with 'samples' and 'table'")
    if draft:
        named = f"{'templates' if source == TABLE else _SAMPLES}.yaml"
        return _draft(source, paths, Path(named) if draft == Path("-") else draft)
    if source == _SAMPLES:
        from curation.sources.sample_draft import shown_samples
        from curation.sources.sample_mapping import read_mapping

        read = read_mapping(mapping) if mapping else None
        examples = [line for path in paths for line in shown_samples(path, read)]
        return {"examples": examples}, False, partial(_show_lines, examples)
    result = import_templates(workspace, source, paths, mapping)
    return result, result.findings, partial(_show, result, workspace)


def _show_lines(lines: Iterable[str]) -> None:
    for line in lines:
        terminal.echo_fitting(line)


def _draft(source: str, paths: tuple[Path, ...], draft: Path) -> terminal.Taken:
    """Draft a mapping."""
    from curation.sources.sample_draft import draft_mapping
    from curation.sources.table_draft import draft_templates

    if draft.exists():
        hint = "delete it, or name another file: --draft=FILE"
        raise CurateError(f"{draft.name} is there already", str(draft), hint)
    found = (draft_templates if source == TABLE else draft_mapping)(paths)
    write_file(draft, found.text)

    def show() -> None:
        _show_lines(found.examples)
        left = f"Decide in it: {', '.join(found.undecided)}." * bool(found.undecided)
        rows = counted(found.rows, "row")
        click.echo(f"{draft} is drafted from {rows}. {left or 'It is complete.'}")
        said = "read the templates" if source == TABLE else "see what is read"
        click.echo(f"Then {said}: curate import {source} FILE --mapping {draft}")

    return {"mapping": draft, "rows": found.rows, "undecided": found.undecided}, False, show


def _show(result: Results, workspace: Workspace) -> None:
    rows, added = counted(result.rows_in, "row"), counted(result.variants_added, "variant")
    click.echo(f"{rows} in = {result.rows_read} read + {result.rows_reported} reported.")
    deleted = f", {result.variants_deleted} deleted here" if result.variants_deleted else ""
    click.echo(f"{added} added to the bank, {result.variants_known} already there{deleted}.")
    if names := ", ".join(result.categories_added):
        click.echo(f"Categories added to categories.csv: {names}")
    if result.groups_added:
        click.echo(f"Groups added to groups.csv: {len(result.groups_added)}\n{_GROUPS}")
    for old, new in islice(result.ids.items(), _IDS_SHOWN):
        click.echo(f"  {old} is now {new}")
    if len(result.ids) > _IDS_SHOWN:
        more = len(result.ids) - _IDS_SHOWN
        click.echo(f"  ... and {more} more: column {ORIGIN} of bank.csv has the published ids")
    if result.counts:
        where = workspace.shown(workspace.published_counts_file)
        click.echo(f"Survey counts of {counted(result.counts, 'template')}: {where}")
    terminal.show_findings(result.findings)
    click.echo(f"Next: curate status{options.option_of(workspace.root)}")
