"""`curate translate status`: how far the translation is."""

from dataclasses import asdict

import click

from curation.cli.common import (
    finding_dict,
    json_option,
    print_findings,
    print_json,
    table_lines,
    workspace_option,
)
from curation.cli.translate_work import choice_of, units_of
from curation.io.workspace import Workspace
from curation.stages.translate.progress import progress

_COUNTS = ("templates", "texts", "machine", "flagged", "collected", "waiting")


@click.command("status")
@workspace_option
@click.option("--unlabelled", is_flag=True, help="Also templates that nobody has classified.")
@json_option
def command(workspace: Workspace, unlabelled: bool, as_json: bool) -> None:
    """Say how far the translation is, by category.

    Texts are the distinct ones of each template. 'machine' have a machine's text, 'flagged' of
    them have to be looked at, 'collected' are written by a person, 'waiting' by nobody and
    nothing.

    \b
    Example: curate translate status
    """  # noqa: D301  # \b keeps click from wrapping the example
    choice = choice_of(workspace.culture, unlabelled=unlabelled, missing=False)
    units, findings = units_of(workspace, workspace.bank, choice)
    rows = [asdict(row) for row in progress(units, workspace.bank, workspace.culture.language)]
    total = {name: sum(row[name] for row in rows) for name in _COUNTS}
    if as_json:
        shown = [finding_dict(item) for item in findings]
        print_json({"rows": rows, "total": total, "findings": shown})
        return
    if findings:
        print_findings(findings)
    lines = [[row["category"], *(row[name] for name in _COUNTS)] for row in rows]
    lines.append(["Total", *(total[name] for name in _COUNTS)])
    click.echo("\n".join(table_lines(["Category", *_COUNTS], lines)))
