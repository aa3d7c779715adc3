"""`curate import`: published templates into the bank."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import click

from curation.cli.common import (
    count_findings,
    finding_dict,
    json_option,
    print_findings,
    print_json,
    workspace_option,
)
from curation.io.bank import add_groups, write_bank
from curation.io.culture import add_categories
from curation.io.sources import expand_paths, keep_sources
from curation.io.workspace import Workspace
from curation.model.bank import Bank
from curation.model.errors import CurateError
from curation.model.findings import Finding, has_errors
from curation.model.licences import Licence
from curation.sources.imported import Imported
from curation.stages.merge import Merged, merge
from survey.counts import update_counts

COUNTS = "published_counts.json"


@dataclass(frozen=True, slots=True)
class Format:
    """A published format: how it is read, under which terms, and its files.

    `beside` is the pattern of files that belong to those named and are taken from their folder.
    """

    read: Callable[[Sequence[Path]], Imported]
    licence: Licence
    suffixes: tuple[str, ...]
    beside: str = ""


def _format(name: str) -> Format:
    """Import the reader of a format, and no other."""
    if name == "kobbq":
        from curation.sources import kobbq

        return Format(kobbq.read, kobbq.LICENCE, (".tsv",))
    if name == "bbg":
        from curation.sources import bbg

        return Format(bbg.read, bbg.LICENCE, (".csv",))
    from curation.sources import bbq

    return Format(bbq.read, bbq.LICENCE, (".csv",), "vocabulary*.csv")


@click.command("import")
@workspace_option
@click.argument("source", type=click.Choice(["bbq", "kobbq", "bbg"]))
@click.argument(
    "paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@json_option
@click.pass_context
def command(
    ctx: click.Context, workspace: Workspace, source: str, paths: tuple[Path, ...], as_json: bool
) -> None:
    """Read published templates into the bank.

    PATH is a published file or a folder of them; BBQ's vocabulary files belong beside its
    templates. The files are kept untouched under templates_src/sources. Every row is either
    read or listed as a finding. Importing again adds only what is new.
    """
    published = _format(source)
    files = expand_paths(paths, published.suffixes, published.beside)
    imported = published.read(files)
    merged, findings = import_into(workspace, imported)
    if not imported.variants:
        raise CurateError(
            f"no template could be read from {', '.join(path.name for path in files)}",
            findings[0].where if findings else "",
            findings[0].message if findings else "check that the files are the published ones",
        )
    save(workspace, imported, merged, files, published.licence)
    if as_json:
        print_json(_as_dict(imported, merged, findings))
    else:
        _show(imported, merged, findings)
    if has_errors(findings):
        ctx.exit(1)


def import_into(workspace: Workspace, imported: Imported) -> tuple[Merged, list[Finding]]:
    """Merge what was read into the workspace's bank and groups, writing nothing.

    Raises:
        CurateError: If bank or groups cannot be read, or the languages do not fit.
    """
    bank = workspace.bank if workspace.bank_file.exists() else Bank()
    merged = merge(
        bank,
        workspace.groups,
        workspace.culture,
        imported.variants,
        imported.groups,
        (imported.language, imported.source_language),
    )
    file = workspace.shown(workspace.bank_file)
    own = [replace(item, file=file) for item in merged.findings]
    return merged, [*imported.findings, *own]


def save(
    workspace: Workspace,
    imported: Imported,
    merged: Merged,
    files: Sequence[Path],
    licence: Licence,
) -> None:
    """Keep the files, then write settings, groups, counts and last the bank.

    Raises:
        CurateError: If something cannot be written.
    """
    keep_sources(workspace.sources_folder, imported.source, files, asdict(licence))
    add_categories(workspace.culture_file, merged.new_categories)
    add_groups(workspace.groups_file, merged.new_groups)
    if imported.counts:
        update_counts(
            workspace.responses_folder / COUNTS, _count_entries(workspace, imported, merged)
        )
    if merged.added:
        write_bank(workspace.bank_file, merged.bank)


def _count_entries(
    workspace: Workspace, imported: Imported, merged: Merged
) -> list[dict[str, object]]:
    """Give the counts that templates carry as entries of a survey file."""
    return [
        {
            "category": workspace.culture.category_of_source(item.category),
            "stereotype": item.stereotype,
            "survey_stats": dict(item.votes),
            "template_id": merged.ids.get(item.template_id, item.template_id),
        }
        for item in imported.counts
    ]


def _as_dict(imported: Imported, merged: Merged, findings: Sequence[Finding]) -> dict[str, object]:
    return {
        "source": imported.source,
        "rows_in": imported.rows_in,
        "rows_read": imported.rows_read,
        "rows_reported": imported.rows_reported,
        "variants_added": merged.added,
        "variants_known": merged.known,
        "categories_added": [item.id for item in merged.new_categories],
        "groups_added": [
            {"category": item.category, "group": item.group} for item in merged.new_groups
        ],
        "ids": merged.ids,
        "findings": [finding_dict(item) for item in findings],
    }


def _show(imported: Imported, merged: Merged, findings: Sequence[Finding]) -> None:
    click.echo(
        f"{imported.rows_in} rows in = {imported.rows_read} read + "
        f"{imported.rows_reported} reported."
    )
    click.echo(f"{merged.added} variants added to the bank, {merged.known} were there already.")
    if merged.new_categories:
        names = ", ".join(item.id for item in merged.new_categories)
        click.echo(f"Categories added to culture.yaml: {names}")
    if merged.new_groups:
        click.echo(f"Groups added to groups.csv: {len(merged.new_groups)}")
        click.echo(
            "  Look through them: parent, level, and 'counts' = false for those that are parts "
            "of another option."
        )
    for old, new in merged.ids.items():
        click.echo(f"  {old} is now {new}")
    if imported.counts:
        click.echo(f"Survey counts of {len(imported.counts)} templates: responses/{COUNTS}")
    if findings:
        print_findings(findings)
        click.echo(count_findings(findings))
