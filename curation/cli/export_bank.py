"""`curate export bank`: the final bank, and where every template stands."""

from collections.abc import Mapping
from pathlib import Path

import click

from curation.cli.common import (
    json_option,
    workspace_option,
)
from curation.cli.exporting import Written, checked, finish, format_option, out_option
from curation.cli.final import Final
from curation.io.atomic import staged_folder
from curation.io.bank import bank_columns, bank_rows
from curation.io.tables import write_csv
from curation.io.workspace import Workspace
from curation.io.writers import write_table
from curation.model.published import TEMPLATE_COLUMNS as PUBLISHED_TEMPLATES
from curation.model.survey import Role
from curation.stages.published import published_template_rows
from survey.counts import NONE_KEY
from survey.outcome import STATUS_COLUMNS, status_rows


@click.command("bank")
@workspace_option
@format_option
@out_option
@json_option
def command(
    workspace: Workspace, formats: tuple[str, ...], out: Path | None, as_json: bool
) -> None:
    """Write the final bank, and where every template stands and why.

    `kobbq` writes KoBBQ's 38 published columns to kobbq/templates.tsv.
    """
    final, findings = checked(workspace)
    bank = final.bank
    folder = out or workspace.exports_folder / "bank"
    counts = {"variants": len(bank.variants), "templates": len(final.templates)}
    written: list[Path] = []
    # What the published columns cannot hold is refused before any file is written.
    rows = _published_rows(workspace, final) if "kobbq" in formats else []
    with staged_folder(folder) as stage:
        for name in formats:
            if name == "kobbq":
                written.append(stage / "kobbq" / "templates.tsv")
                write_csv(written[-1], PUBLISHED_TEMPLATES, rows, delimiter="\t")
            else:
                written += [stage / f"bank.{name}", stage / f"templates.{name}"]
                write_table(written[-2], name, bank_columns(bank), bank_rows(bank))
                status = status_rows(final.outcomes, final.modified)
                write_table(written[-1], name, STATUS_COLUMNS, status)
    files = [folder / path.relative_to(stage) for path in written]
    finish(workspace, final, findings, Written(folder, files, counts), as_json=as_json)


def _published_rows(workspace: Workspace, final: Final) -> list[tuple[str, ...]]:
    culture = workspace.culture
    languages = culture.language, culture.source_language
    return list(published_template_rows(final.bank, *languages, _votes(final)))


def _votes(final: Final) -> Mapping[str, Mapping[str, int]]:
    """Give the counts of each template's question, as the published column holds them."""
    by_question = {tally.question.id: tally for tally in final.tallies}
    found: dict[str, dict[str, int]] = {}
    for item in final.outcomes:
        tally = by_question.get(item.question.id) if item.question else None
        if tally is not None:
            found[str(item.template.id)] = {
                NONE_KEY if option.role is Role.NONE else option.label: votes
                for option, votes in zip(tally.question.options, tally.votes, strict=True)
            }
    return found
