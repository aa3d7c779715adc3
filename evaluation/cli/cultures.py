"""`curate evaluate compare cultures`: models on benchmarks of several cultures."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from curation.cli.options import json_option, workspace_option
from curation.cli.terminal import print_json, table_lines
from curation.files.workspace import Workspace
from evaluation.cli.options import FOLDER, show_unlike
from evaluation.compare import Comparison, Given, cultures
from evaluation.qa.metrics import MAIN, METRICS
from evaluation.qa.score import Row


def _named(text: str, what: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name or not value:
        raise click.BadParameter(f"'{text}' is not written as NAME={what}")
    return name, value


def _sets(
    _context: click.Context, _parameter: click.Parameter, values: Sequence[str]
) -> list[tuple[str, Path]]:
    """Read NAME=FOLDER; a folder alone is called by its own name."""
    found = []
    for value in values:
        if "=" in value and not Path(value).is_dir():
            name, folder = _named(value, "FOLDER")
        else:
            name, folder = Path(value).resolve().name, value
        found.append((name, Path(folder)))
    if len(found) < 2:
        raise click.BadParameter("name two sets or more, such as ko=FOLDER en=FOLDER")
    return found


def _by_name(what: str) -> object:
    def read(
        _context: click.Context, _parameter: click.Parameter, values: Sequence[str]
    ) -> dict[str, str]:
        return dict(_named(value, what) for value in values)

    return read


@click.command("cultures")
@workspace_option
@click.argument("sets", nargs=-1, metavar="NAME=FOLDER...", callback=_sets)
@click.option(
    "--model",
    "names",
    multiple=True,
    help="A model to compare; may be given several times [default: all shared models].",
)
@click.option(
    "--measure",
    "metrics",
    type=click.Choice(tuple(METRICS)),
    multiple=True,
    metavar="NAME",
    help=f"A score to compare ({', '.join(METRICS)}); may be given several times [default: "
    "accuracy and diff-bias, ambiguous and disambiguated].",
)
@click.option(
    "--templates",
    multiple=True,
    metavar="NAME=FILE",
    callback=_by_name("FILE"),
    help="Sources of the templates of a set, if its ids do not show them (EsBBQ, CaBBQ): a table "
    "with template_id, source_category and source_id, such as a bank.csv.",
)
@click.option(
    "--language",
    "languages",
    multiple=True,
    metavar="NAME=CODE",
    callback=_by_name("CODE"),
    help="Language of the replies of a set that is scored here and is not a workspace.",
)
@click.option("--out", type=FOLDER, help="Folder to write tables (CSV) and figures (SVG, PNG) to.")
@json_option
def command(
    workspace: Workspace,
    sets: list[tuple[str, Path]],
    names: Sequence[str],
    metrics: Sequence[str],
    templates: Mapping[str, str],
    languages: Mapping[str, str],
    out: Path | None,
    as_json: bool,
) -> None:
    """Compare the same models on benchmarks of several cultures, template by template.

    FOLDER is a folder that 'curate evaluate score --out' wrote. Or it is a workspace, a package or
    a folder with one file of samples and the replies to them; the samples can be published ones of
    BBQ, KoBBQ, EsBBQ, CaBBQ, BharatBBQ, CBBQ or MBBQ. NAME is its name in the tables.

    Two templates are a pair if they come from the same template of BBQ or of another set. Each set
    is compared with the first set. A difference is the first set minus the other, over the paired
    templates, with a 95 % interval and Wilcoxon's signed-rank test.

    \b
    Example: curate evaluate score --samples Age.jsonl --language en \\
                 --replies en.jsonl --out scores/en
             curate evaluate compare cultures ko=scores/ko en=scores/en --out ko-en
    """  # noqa: D301  # \b keeps click from wrapping the example
    there = {name for name, _ in sets}
    for option, found in (("--templates", templates), ("--language", languages)):
        strange = [name for name in found if name not in there]
        if strange:
            raise click.UsageError(f"{option} names {strange[0]}, which is not one of the sets")
    given = [
        Given(
            name, folder, languages.get(name), Path(templates[name]) if name in templates else None
        )
        for name, folder in sets
    ]
    made = cultures(given, names, metrics or MAIN)
    if out is not None:
        made.save(out, workspace)
    if as_json:
        tables = {name: list(rows) for name, (_, rows) in made.tables.items()}
        told = {"unlike": list(made.unlike), "notes": list(made.notes)}
        print_json({**tables, **told, **made.settings})
        return
    show_unlike(made.unlike)
    _show(made)
    for note in made.notes:
        click.echo(f"Note: {note}", err=True)
    if out is not None:
        click.echo(f"Wrote cultures.csv, shared.csv and across_cultures.svg to {out}.")


def _show(made: Comparison) -> None:
    """Show a table for each pair of sets, model and score."""
    _, rows = made.tables["cultures"]
    tables: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        head = (*(str(row[name]) for name in ("set_1", "set_2", "model", "metric")),)
        tables.setdefault(head, []).append(row)
    for (one, two, model, metric), found in tables.items():
        click.secho(f"{model}, {METRICS[metric].title}: {one} - {two}", bold=True)
        if sum(row["group_by"] == "category" for row in found) == 1:  # it is all that is shared
            found = [row for row in found if row["group_by"] != "overall"]
        header = ("group", "n", one, two, "difference", "95 % interval", "p (Holm)")
        click.echo("\n".join(table_lines(header, map(_cells, found))))
        click.echo()


def _cells(row: Row) -> list[str]:
    low, high = row["low"], row["high"]
    few = "*" if row["interval_note"] else ""
    ends = "-" if low is None or high is None else f"[{float(low):.2f}, {float(high):.2f}]{few}"
    p = row["p_holm"]
    return [
        str(row["group"] or "all shared"),
        str(row["templates"]),
        *(_number(row[name]) for name in ("score_1", "score_2")),
        _number(row["difference"], "+.3f"),
        ends,
        "-" if p is None else (f"{float(p):.1e}" if float(p) < 0.0005 else f"{float(p):.3f}"),
    ]


def _number(value: str | int | float | None, how: str = ".3f") -> str:
    return "-" if value is None else format(float(value), how)
