"""`curate evaluate stories readings`: an evaluator's replies as readings."""

from pathlib import Path

import click

from curation.cli.common import (
    count_findings,
    finding_dict,
    json_option,
    print_findings,
    print_json,
    table_lines,
    workspace_option,
)
from curation.cli.evaluate_stories_files import answered_requests
from curation.io.tables import write_csv
from curation.io.workspace import Workspace
from curation.model.findings import has_errors
from evaluation.stories.reading import (
    FOLDER,
    TABLE_COLUMNS,
    ReadingTable,
    read_reading_requests,
    read_table,
)
from evaluation.stories.readings import READINGS


@click.command("readings")
@workspace_option
@click.option(
    "--replies",
    type=click.Path(path_type=Path),
    multiple=True,
    required=True,
    help="What the evaluator replied; may be given several times.",
)
@click.option(
    "--requests",
    type=click.Path(path_type=Path),
    help="What it was asked [default: requests.jsonl beside the replies, else in "
    f"exports/{FOLDER}].",
)
@click.option("--evaluator", help="Whose replies count, where they are of several models.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file [default: readings.csv beside the replies].",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    replies: tuple[Path, ...],
    requests: Path | None,
    evaluator: str | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Write how the evaluator read each continuation: B, C, U or out_of_choice.

    B is the answer that the stereotype suggests, C that of the other person, U undetermined.
    A reply of which no single choice can be read is out_of_choice. 'stories score' counts.

    \b
    Example: curate evaluate stories readings --replies judged/replies.jsonl
    """  # noqa: D301  # \b keeps click from wrapping the example
    asked = answered_requests(workspace, requests, replies[0], FOLDER, "ask")
    found = read_table(replies, read_reading_requests(asked), evaluator)
    path = out or replies[0].with_name("readings.csv")
    refused = has_errors(found.findings)
    if not refused:
        write_csv(path, TABLE_COLUMNS, found.rows)
    _tell(found, None if refused else path, as_json=as_json)
    if refused:
        ctx.exit(1)


def _tell(found: ReadingTable, path: Path | None, *, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "file": None if path is None else str(path),
                "readings": len(found.rows),
                "evaluator": found.evaluator,
                "models": found.counts,
                "rules": dict(sorted(found.rules.items())),
                "findings": [finding_dict(item) for item in found.findings],
            }
        )
        return
    rows = [[model, *(by.get(name, 0) for name in READINGS)] for model, by in found.counts.items()]
    click.echo("\n".join(table_lines(["model", *READINGS], rows)))
    if found.findings:
        print_findings(found.findings)
        click.echo(count_findings(found.findings))
    if path is None:
        click.echo("Nothing was written: mend the errors first.")
        return
    click.echo(f"{len(found.rows):,} readings by {found.evaluator} in {path}.")
