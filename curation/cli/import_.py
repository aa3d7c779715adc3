"""`curate import`: published templates into the bank, and how a file of samples is read."""

from itertools import islice
from pathlib import Path

import click

from curation.cli.options import file_option, json_option, option_of, workspace_option
from curation.cli.terminal import (
    count_findings,
    echo_fitting,
    print_findings,
    print_json,
)
from curation.files.atomic import atomic_text
from curation.files.workspace import Workspace
from curation.importing import TABLE, ImportResult, import_templates
from curation.records.bank import ORIGIN
from curation.records.messages import CurateError, has_errors, plural
from curation.sources.imported import FORMATS

_IDS_SHOWN = 10
_SAMPLES = "samples"


@click.command("import")
@workspace_option
@click.argument("source", type=click.Choice((*FORMATS, TABLE, _SAMPLES)))
@click.argument(
    "paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@file_option(
    "--draft",
    is_flag=False,
    flag_value=Path("-"),
    help="With 'samples' or 'table': write which columns say what [default: samples.yaml or "
    "templates.yaml].",
)
@file_option(
    "--mapping",
    help="With 'samples' or 'table': read the files by this mapping.",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    workspace: Workspace,
    source: str,
    paths: tuple[Path, ...],
    draft: Path | None,
    mapping: Path | None,
    as_json: bool,
) -> None:
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
        _draft(source, paths, Path(named) if draft == Path("-") else draft, as_json=as_json)
        return
    if source == _SAMPLES:
        _samples(paths, mapping, as_json=as_json)
        return
    result = import_templates(workspace, source, paths, mapping)
    if as_json:
        print_json(_as_dict(result))
    else:
        _show(result, workspace)
        click.echo(f"Next: curate status{option_of(workspace.root)}")
    if has_errors(result.findings):
        ctx.exit(1)


def _samples(paths: tuple[Path, ...], mapping: Path | None, *, as_json: bool) -> None:
    """Show how files of samples are read."""
    from curation.sources.sample_draft import shown_samples

    examples = [line for path in paths for line in shown_samples(path, mapping)]
    if as_json:
        print_json({"examples": examples})
    for line in examples if not as_json else ():
        echo_fitting(line)


def _draft(source: str, paths: tuple[Path, ...], draft: Path, *, as_json: bool) -> None:
    """Draft a mapping."""
    from curation.sources.sample_draft import draft_mapping
    from curation.sources.table_draft import draft_templates

    if draft.exists():
        hint = "delete it, or name another file: --draft=FILE"
        raise CurateError(f"{draft.name} is there already", str(draft), hint)
    found = (draft_templates if source == TABLE else draft_mapping)(paths)
    with atomic_text(draft) as stream:
        stream.write(found.text)
    if as_json:
        print_json({"mapping": str(draft), "rows": found.rows, "undecided": found.undecided})
        return
    for line in found.examples:
        echo_fitting(line)
    left = f"Decide in it: {', '.join(found.undecided)}." if found.undecided else "It is complete."
    click.echo(f"{draft} is drafted from {found.rows:,} {plural('row', found.rows)}. {left}")
    said = "read the templates" if source == TABLE else "see what is read"
    click.echo(f"Then {said}: curate import {source} FILE --mapping {draft}")


def _as_dict(result: ImportResult) -> dict[str, object]:
    merged = result.merged
    return {
        "source": result.source,
        "rows_in": result.rows_in,
        "rows_read": result.rows_read,
        "rows_reported": result.rows_reported,
        "variants_added": merged.added,
        "variants_known": merged.known,
        "variants_deleted": merged.deleted,
        "categories_added": [item.id for item in merged.new_categories],
        "groups_added": [
            {"category": item.category, "group": item.group} for item in merged.new_groups
        ],
        "ids": merged.ids,
        "findings": result.findings,
    }


def _show(result: ImportResult, workspace: Workspace) -> None:
    merged = result.merged
    click.echo(
        f"{result.rows_in} {plural('row', result.rows_in)} in = {result.rows_read} read + "
        f"{result.rows_reported} reported."
    )
    deleted = f", {merged.deleted} deleted here" if merged.deleted else ""
    click.echo(
        f"{merged.added} {plural('variant', merged.added)} added to the bank, {merged.known} "
        f"already there{deleted}."
    )
    if merged.new_categories:
        names = ", ".join(item.id for item in merged.new_categories)
        click.echo(f"Categories added to categories.csv: {names}")
    if merged.new_groups:
        click.echo(f"Groups added to groups.csv: {len(merged.new_groups)}")
        click.echo(
            "  Check their parent and level. Set 'counts' to false for groups that are part of "
            "another option."
        )
    for old, new in islice(merged.ids.items(), _IDS_SHOWN):
        click.echo(f"  {old} is now {new}")
    if len(merged.ids) > _IDS_SHOWN:
        more = len(merged.ids) - _IDS_SHOWN
        click.echo(f"  ... and {more} more: column {ORIGIN} of bank.csv has the published ids")
    if result.counts:
        click.echo(
            f"Survey counts of {result.counts} {plural('template', result.counts)}: "
            f"{workspace.shown(workspace.published_counts_file)}"
        )
    if result.findings:
        print_findings(result.findings)
        click.echo(count_findings(result.findings))
