"""`curate categories apply`: merges written after the import are applied to the bank."""

from collections import Counter
from collections.abc import Iterator

import click

from curation.cli.clock import now
from curation.cli.common import (
    finding_dict,
    json_option,
    plural,
    print_findings,
    print_json,
    workspace_option,
)
from curation.io.annotations import AnnotationsFolder, read_renamed, write_renamed
from curation.io.bank import write_bank
from curation.io.tables import read_table, write_csv
from curation.io.workspace import Workspace
from curation.model.culture import Culture
from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity
from curation.model.ids import TemplateId
from curation.stages.recategorise import Recategorised, recategorise


@click.command("apply")
@workspace_option
@click.option("--dry-run", is_flag=True, help="Show what would change and write nothing.")
@json_option
def command(workspace: Workspace, dry_run: bool, as_json: bool) -> None:
    """Apply the merges of culture.yaml to a bank that was imported before they were written.

    Templates and groups of a category that another one names among its sources go there. A
    template keeps its number, or gets the next free one where that is taken; where it is from
    stays. Former ids are kept in annotations/renamed.csv: by it rulings and survey questions
    that name them still hold, and 'curate explain' finds them. The ledger is left as it is.
    Running again changes nothing.

    \b
    Example: curate categories apply --dry-run
    """  # noqa: D301  # \b keeps click from wrapping the example
    folder = AnnotationsFolder(workspace.root)
    former = read_renamed(folder.renamed)
    taken = [*map(TemplateId.parse, former), *_ruled(workspace)]
    result = recategorise(workspace.bank, workspace.groups, workspace.culture, taken)
    findings = _findings(workspace, result)
    if not dry_run:
        _save(workspace, result)
    if as_json:
        print_json(
            {
                "renamed": {str(old): str(new) for old, new in result.renamed.items()},
                "groups": result.moved,
                "findings": [finding_dict(item) for item in findings],
            }
        )
        return
    for old, new in result.renamed.items():
        click.echo(f"renamed    {old} is {'to be' if dry_run else 'now'} {new}")
    if findings:
        print_findings(findings)
    count = len(result.renamed)
    click.echo(
        f"{count} {plural('template', count)} and {result.moved} {plural('group', result.moved)} "
        + ("would change" if dry_run else "changed")
        + " their category."
    )


def _ruled(workspace: Workspace) -> Iterator[TemplateId]:
    """Give the ids that rulings name."""
    for ruling in workspace.decisions:
        try:
            yield TemplateId.parse(ruling.subject)
        except CurateError:
            continue  # a question


def _findings(workspace: Workspace, result: Recategorised) -> list[Finding]:
    """Say what else names the former ids and categories."""
    findings = []
    ruled = Counter(str(name) for name in _ruled(workspace))
    named = [str(old) for old in result.renamed if str(old) in ruled]
    if named:
        findings.append(
            Finding(
                "renamed-ruling",
                Severity.INFO,
                workspace.shown(workspace.ledger_file),
                None,
                "subject",
                f"{sum(ruled[name] for name in named)} rulings name former ids, and hold of the "
                f"templates under their new ones: {', '.join(named[:8])}"
                f"{', ...' if len(named) > 8 else ''}",
                "keep annotations/renamed.csv: rulings are followed by it",
            )
        )
    if result.renamed and workspace.questionnaire_file.exists():
        findings.append(
            Finding(
                "renamed-survey",
                Severity.INFO,
                workspace.shown(workspace.questionnaire_file),
                None,
                "category",
                "the questionnaire was made with the former categories, and decides the templates "
                "of the new ones all the same",
                "make it anew only if nobody has answered it",
            )
        )
    return findings


def _save(workspace: Workspace, result: Recategorised) -> None:
    """Write the former ids first: they are found again whatever happens after."""
    folder = AnnotationsFolder(workspace.root)
    if result.renamed:
        pairs = {str(old): str(new) for old, new in result.renamed.items()}
        write_renamed(folder.renamed, pairs, now())
    if result.bank != workspace.bank:
        write_bank(workspace.bank_file, result.bank)
    if result.moved:
        _write_groups(workspace, workspace.culture)


def _write_groups(workspace: Workspace, culture: Culture) -> None:
    """Move the rows of groups.csv, with columns of people's own; a doubled group goes."""
    table = read_table(workspace.groups_file)
    there = {(row["category"].strip(), row["group"].strip()) for row in table.rows}
    rows = []
    for row in table.rows:
        before, name = row["category"].strip(), row["group"].strip()
        category = culture.category_of_source(before)
        if category != before and (category, name) in there:
            continue
        there.add((category, name))
        cells = {**row.cells, "category": category}
        rows.append([cells[column] for column in table.columns])
    write_csv(workspace.groups_file, table.columns, rows)
