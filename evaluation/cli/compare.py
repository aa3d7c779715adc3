"""`curate evaluate compare groups|models|benchmarks`: whether scores differ by chance alone."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from curation.cli.options import json_option, workspace_option
from curation.cli.terminal import print_json, table_lines
from curation.files.workspace import Workspace
from evaluation.cli.options import FOLDER, add_options, show_unlike
from evaluation.compare import GROUPINGS, Comparison, Normalised, Unit, benchmarks, groups, models
from evaluation.qa.tallies import read_scored
from evaluation.ranks import show_chance

_UNIT = click.option(
    "--unit",
    type=click.Choice([item.value for item in Unit]),
    default=Unit.TEMPLATE.value,
    show_default=True,
    help="Unit of the tests: the score of each template over all prompts, or of each prompt over "
    "all templates.",
)
_OUT = click.option(
    "--out", type=FOLDER, help="Folder to write the tables to (CSV, with a manifest)."
)


def _comparison(name: str, *options: Any) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a command of a function, with the options that all comparisons share."""

    def decorate(function: Callable[..., Any]) -> click.Command:
        shared = (workspace_option, *options, _OUT, json_option)
        return click.command(name)(add_options(function, shared))

    return decorate


@_comparison(
    "groups",
    click.argument("scores", type=FOLDER),
    click.option(
        "--by",
        "groupings",
        type=click.Choice(GROUPINGS),
        multiple=True,
        help="Compare categories, or labels [default: both].",
    ),
    _UNIT,
    click.option(
        "--pooled",
        type=click.Choice([item.value for item in Normalised]),
        help="Test all models together, with normalised scores. model: by the mean and standard "
        "deviation of the model; bound: by the largest diff-bias that the accuracy allows.",
    ),
)
def compare_groups(
    workspace: Workspace,
    scores: Path,
    groupings: Sequence[str],
    unit: str,
    pooled: str | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Test whether a model's scores differ between categories or labels.

    SCORES is a folder that 'curate evaluate score --out' wrote. The tests for each model and score
    are: a one-way ANOVA, with p-values corrected by Holm over all tests of a model; Tukey's HSD,
    with p-values and 99 % intervals simultaneous over all pairs; and permutations of the largest
    Welch t, likewise for all pairs. Use the last where groups are small, scores are near 0 or 1,
    or spreads differ: there Tukey's test finds differences that do not exist.

    With --pooled, scores are normalised within each model and averaged over models, for one test
    of all models (KoBBQ, section 4.3), and each group is also compared with all together
    ('overall'). --out also writes figures of the group means.
    """
    normalised = Normalised(pooled) if pooled else None
    made = groups(scores, groupings or GROUPINGS, Unit(unit), normalised)
    _publish(workspace, made, out, as_json=as_json)


@_comparison(
    "models",
    click.argument("scores", type=FOLDER),
    click.option(
        "--model",
        "names",
        multiple=True,
        help="A model to compare; name two or more [default: all in the folder].",
    ),
)
def compare_models(
    workspace: Workspace,
    scores: Path,
    names: Sequence[str],
    out: Path | None,
    as_json: bool,
) -> None:
    """Compare models that were asked the same requests, template by template.

    SCORES is a folder that 'curate evaluate score --out' wrote. The interval of a difference is
    over templates to which both models replied. The p-value is of Wilcoxon's signed-rank test over
    templates, corrected by Holm over all rows.
    """
    if names and len(set(names)) < 2:
        there = ", ".join(read_scored(scores).models)
        raise click.UsageError(f"name two models or more; there are {there}")
    _publish(workspace, models(scores, names), out, as_json=as_json)


@_comparison(
    "benchmarks",
    click.argument("first", type=FOLDER),
    click.argument("second", type=FOLDER),
    _UNIT,
)
def compare_benchmarks(
    workspace: Workspace, first: Path, second: Path, unit: str, out: Path | None, as_json: bool
) -> None:
    """Compare the scores of the same models on two benchmarks, overall and by label.

    FIRST and SECOND are folders that 'curate evaluate score --out' wrote. Use it to compare an
    adapted with a machine-translated benchmark, or to see whether the test set represents the
    entire set. The test is Wilcoxon's rank-sum test, corrected by Holm over all tests of a model.
    """
    _publish(workspace, benchmarks(first, second, Unit(unit)), out, as_json=as_json)


def _publish(workspace: Workspace, found: Comparison, out: Path | None, *, as_json: bool) -> None:
    """Show tables on the terminal or as JSON, and write them where a folder is named."""
    if out is not None:
        found.save(out, workspace)
    if as_json:
        tables = {name: list(rows) for name, (_, rows) in found.tables.items()}
        told = {"unlike": list(found.unlike), "notes": list(found.notes)}
        print_json({**tables, **told, **found.settings})
        return
    show_unlike(found.unlike)
    for name, (columns, rows) in found.tables.items():
        click.secho(name, bold=True)
        if not rows:
            click.echo("nothing to test")
            continue
        named = [isinstance(rows[0][column], str) for column in columns]
        cells = ([_shown(row[column], column) for column in columns] for row in rows)
        left = named.index(False) if False in named else len(named)
        click.echo("\n".join(table_lines(columns, cells, left=left)))
    for note in found.notes:
        click.echo(f"Note: {note}", err=True)


def _shown(value: str | int | float | None, column: str) -> str:
    if value is None:
        return "-"
    if column in ("p", "p_holm") and isinstance(value, float):
        small = show_chance(value).removeprefix("p ")
        if small.startswith("<"):
            return small
    if isinstance(value, float):
        return f"{value:.2e}" if 0 < abs(value) < 0.0005 else f"{value:.3f}"
    return str(value)
