"""`curate evaluate occupations ratios`: real ratios from labour statistics."""

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
from curation.io.workspace import Workspace
from curation.model.findings import has_errors
from evaluation.occupations.labour import BUNDLED_GROUP, Columns, Made, bundled_ratios, make_ratios
from evaluation.occupations.ratios import write_ratios

_OF_TABLE = ("titles", "occupation", "title", "number", "percent", "counts", "shares")


@click.command("ratios")
@workspace_option
@click.option(
    "--table",
    type=click.Path(path_type=Path),
    help="Labour statistics, CSV or TSV [default: the toolkit's own, women in the 40 occupations "
    "of WinoBias in the US].",
)
@click.option("--group", help="Whose share it is, as items name the group, such as female.")
@click.option(
    "--titles",
    type=click.Path(path_type=Path),
    help="Which titles make an occupation (CSV: occupation, title), where the statistics have no "
    "column of occupations.",
)
@click.option("--occupation", help="Column with the occupation [default: occupation].")
@click.option("--title", help="Column with the detailed title [default: title].")
@click.option("--number", help="Column with the people of the title [default: number].")
@click.option("--percent", help="Column with the group's percentage of them [default: percent].")
@click.option(
    "--count",
    "counts",
    multiple=True,
    help="In place of --percent: column with people of the group, in the unit of --number; "
    "several are added up, such as bands of age.",
)
@click.option("--shares", is_flag=True, help="--percent holds shares from 0 to 1.")
@click.option("--out", type=click.Path(path_type=Path), help="The file to write, ratios.csv.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    table: Path | None,
    group: str | None,
    out: Path | None,
    as_json: bool,
    titles: Path | None,
    **given: object,
) -> None:
    """Make ratios.csv from a table of labour statistics.

    The ratio of an occupation is the mean percentage over its titles, each weighted by its
    people: 'nurse' is made of registered nurses, nurse practitioners and practical nurses. A
    title without a number is left out of the mean and listed; an occupation whose titles all
    lack one is an error. Without --table the ratios are those of women in the US.

    \b
    Example: curate evaluate occupations ratios --table korea.csv --group female \\
               --number workers --percent women --out ratios.csv
    """  # noqa: D301  # \b keeps click from wrapping the example
    if table is None:
        used = [name for name in _OF_TABLE if ctx.params[name] not in (None, (), False)]
        if used or group not in (None, BUNDLED_GROUP):
            name = used[0] if used else "group"
            raise click.UsageError(f"--{name.replace('counts', 'count')} goes with --table FILE")
        made = Made(bundled_ratios(), ())
    else:
        if not group:
            raise click.UsageError("say with --group whose share the table holds, such as female")
        if given["counts"] and given["percent"]:
            raise click.UsageError("say either --percent or --count")
        columns = Columns(**{k: v for k, v in given.items() if v not in (None, ())})  # type: ignore[arg-type]
        made = make_ratios(table, group, columns, titles)
    failed = has_errors(made.findings)
    if out is not None and not failed:
        write_ratios(out, made.ratios)
    _tell(made, None if failed else out, as_json=as_json)
    if failed:
        ctx.exit(1)


def _tell(made: Made, written: Path | None, *, as_json: bool) -> None:
    rows = [
        {"occupation": item.occupation, "group": item.group, "ratio": round(item.ratio, 6)}
        for item in made.ratios
    ]
    if as_json:
        findings = [finding_dict(item) for item in made.findings]
        file = None if written is None else str(written)
        print_json({"rows": rows, "file": file, "findings": findings})
        return
    cells = [(item.occupation, item.group, f"{item.ratio:.3f}") for item in made.ratios]
    click.echo("\n".join(table_lines(("occupation", "group", "ratio"), cells, left=2)))
    if made.findings:
        print_findings(made.findings)
        click.echo(count_findings(made.findings))
    if written is not None:
        click.echo(f"{len(rows)} ratios in {written}.")
    elif has_errors(made.findings):
        click.echo("Nothing was written.")
