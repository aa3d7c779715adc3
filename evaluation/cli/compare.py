"""`curate evaluate compare`: whether scores differ by chance alone."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from curation.cli import options, terminal
from curation.files.workspace import Workspace
from curation.records.messages import Results, counted
from curation.report.texts import bracketed, probability, typed
from evaluation import compare as library
from evaluation.cli import options as shared
from evaluation.folders import Row
from evaluation.qa.metrics import MAIN, METRICS
from evaluation.statistics import SURE, is_sure

_BELONGS = {
    "unit": ("--by groups", "--by benchmarks"),
    "pooled": ("--by groups",),
    "names": ("--by models", "--by cultures"),
    "metrics": ("--by cultures",),
    "templates": ("--by cultures",),
}
"""With which comparisons each option counts."""
MOST_ROWS, SUREST = 24, 8
"""A table of at most so many rows is shown whole; of a longer one so many with a p below this."""
_SHOWN_OTHERWISE = ("ranks", "banks", "shared")
"""Tables that are shown in another way, or in the file alone."""
_IN_FILES = (
    *("high", "high_prompts", "compare_high", "interval_note", "templates", "values", "w"),
    *("nearer", "df_between", "df_within", "t", "permutations", "mean_1", "mean_2"),
)
"""Columns that only the files have; the end of an interval stands beside its beginning."""
_OVER_PROMPTS = "low_prompts"
_STARTS = {"low": "interval", _OVER_PROMPTS: "over prompts", "compare_low": "to compare"}
_HEADINGS = {**_STARTS, "p_holm": "p (Holm)", "model_1": "model", "model_2": "compared with"}
_NAMES = {
    **{"models": "Pairs of models", "benchmarks": "Between the benchmarks"},
    **{"anova": "One-way ANOVA", "tukey": "Tukey's HSD", "pairs": "Templates that are pairs"},
    "permutation": "Permutations of the largest Welch t",
}
"""What tables are called, where it is not by their own name."""


def _named(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name or not value:
        raise click.BadParameter(f"'{text}' is not written as NAME=FILE")
    return name, value


def _tables(
    _context: click.Context, _parameter: click.Parameter, values: Sequence[str]
) -> dict[str, str]:
    found = dict(map(_named, values))
    if len(found) < len(values):
        raise click.BadParameter("a set is named twice")
    return found


@options.curate_command("compare")
@click.argument("folders", nargs=-1, required=True, metavar="[NAME=]FOLDER...")
@options.section("What is compared")
@click.option(
    "--by",
    required=True,
    type=click.Choice(("groups", "models", "benchmarks", "cultures", "banks")),
    help="What is compared. groups: categories and labels, of each model; models: on the same "
    "requests; benchmarks: two of them, or test and entire set; cultures: benchmarks of several "
    "cultures, template by template; banks: which stereotypes hold in them, without models.",
)
@click.option(
    "--model",
    "names",
    multiple=True,
    help="A model to compare; may be given several times [default: all in the folders].",
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
    callback=_tables,
    help="Sources of the templates of a culture's set, if its ids do not show them (EsBBQ, "
    "CaBBQ): a table with template_id, source_category and source_id, such as a bank.csv.",
)
@options.section("Tests")
@click.option(
    "--unit",
    type=click.Choice([item.value for item in library.PairedUnit]),
    default=library.PairedUnit.TEMPLATE.value,
    help="Unit of the tests: the score of each template over all prompts, or of each prompt over "
    "all templates.",
)
@click.option(
    "--pooled",
    type=click.Choice([item.value for item in library.Normalised]),
    help="Test all models together, with normalised scores. model: by the mean and standard "
    "deviation of the model; bound: by the largest diff-bias that the accuracy allows.",
)
@options.section("Files")
@options.folder_option(
    "--out", help="Folder to write the tables (CSV, with a manifest) and figures (SVG, PNG) to."
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    folders: tuple[str, ...],
    by: str,
    out: Path | None,
    **given: Any,
) -> terminal.Taken:
    """Test whether scores differ, with corrections for multiple tests.

    A FOLDER is one that 'curate evaluate score --out' wrote. The tests use the scores of single
    templates (or of single prompts, with --unit prompt).

    --by groups takes one folder: does a model differ between categories, or between labels? For
    each score there are a one-way ANOVA (p-values corrected by Holm over all tests of a model),
    Tukey's HSD, and permutations of the largest Welch t, both with p-values and 99 % intervals
    simultaneous over all pairs. Use the permutations where groups are small, scores are near 0 or
    1, or spreads differ: there Tukey's test finds differences that do not exist. With --pooled,
    there is one test of all models (KoBBQ, section 4.3), in which each group is also compared with
    all together ('overall').

    --by models takes one folder: models that were asked the same requests, by Wilcoxon's
    signed-rank test over templates, corrected by Holm over all rows. The interval of a difference
    is over templates, each with the replies of both; with several prompts another is over other
    prompts too. Those of all pairs hold together at 95 %, for each score.

    --by benchmarks takes two folders with the same models, such as an adapted and a
    machine-translated benchmark: Wilcoxon's rank-sum test, overall and by label, corrected by Holm
    over all tests of a model.

    --by cultures takes two or more, each NAME=FOLDER: each is compared with the first, over the
    templates that come from the same template of BBQ or of another set, with a 95 % interval and
    Wilcoxon's signed-rank test. A folder may also be a workspace, a package, or have one file of
    samples with the replies to them.

    --by banks takes two workspaces or packages or more, each NAME=FOLDER, and asks no model: which
    stereotypes of BBQ or of another set hold in which culture, by label and survey, and which were
    left out, are not known, or are about the other group. --out writes a page too.

    \b
    Example: curate evaluate compare scores --by groups
             curate evaluate compare ko=scores/ko en=scores/en --by cultures --out ko-en
             curate evaluate compare ko=kobbq es=esbbq --by banks --out banks
    """  # noqa: D301  # \b keeps click from wrapping the example
    options.refuse_stray(ctx, _BELONGS, [f"--by {by}"])
    made = _compared(by, folders, given)
    if out is not None:
        made.save(out, workspace)

    def show() -> None:
        for line in made.unlike:  # said before anything else
            terminal.echo_fitting(f"Not measured alike: {line}.")
        _show(made)
        for note in made.notes:
            click.echo(f"Note: {note}", err=True)
        if out is not None:
            click.echo(f"Wrote tables to {out}.")

    return made, False, show


def _compared(by: str, folders: Sequence[str], given: Mapping[str, Any]) -> Results:
    """Make a comparison.

    Raises:
        click.UsageError: If there are more or fewer folders than it takes, or an option is wrong.
    """
    if by in ("cultures", "banks"):
        return _of_sets(folders, given, by)
    if len(folders) != 1 + (by == "benchmarks"):
        count = "two folders" if by == "benchmarks" else "one folder"
        raise click.UsageError(f"name {count} of scores")
    paths = [Path(folder) for folder in folders]
    unit = library.PairedUnit(given["unit"])
    if by == "benchmarks":
        return library.benchmarks(paths[0], paths[1], unit)
    if by == "groups":
        pooled = library.Normalised(given["pooled"]) if given["pooled"] else None
        return library.groups(paths[0], unit=unit, pooled=pooled)
    if len(set(given["names"])) == 1:
        raise click.UsageError("name two models or more")
    return library.models(paths[0], given["names"])


def _of_sets(folders: Sequence[str], given: Mapping[str, Any], by: str) -> Results:
    """Compare sets that are given as NAME=FOLDER; a folder alone is called by its own name."""
    sets = [
        _named(text)
        if "=" in text and not Path(text).is_dir()
        else (Path(text).resolve().name, text)
        for text in folders
    ]
    if len(sets) < 2:
        raise click.UsageError("name two sets or more, such as ko=FOLDER en=FOLDER")
    if by == "banks":
        return library.banks([library.Given(name, Path(folder)) for name, folder in sets])
    tables = given["templates"]
    strange = [name for name in tables if name not in dict(sets)]
    if strange:
        raise click.UsageError(f"--templates names {strange[0]}, which is not one of the sets")
    sides = [
        library.Given(name, Path(folder), templates=Path(tables[name]) if name in tables else None)
        for name, folder in sets
    ]
    return library.cultures(sides, given["names"], given["metrics"] or MAIN)


def _show(found: Results) -> None:
    """Show the places of models, then each table; of a long one the surest differences.

    Where places are shown, the pairs that they come from are counted alone if they are many.
    """
    placed = "ranks" in found.tables
    if placed:
        _show_places(found.tables["ranks"][1])
    for name, (columns, rows) in found.tables.items():
        if name in _SHOWN_OTHERWISE:
            continue
        sure = _sure(columns, rows)
        first = sure if "p" in columns else rows
        whole = [row for row in rows if name != "cultures" or row["group_by"] == "overall"]
        shown = next(
            (it for it in (rows, whole) if len(it) <= MOST_ROWS), first[: 0 if placed else SUREST]
        )
        if shown or not placed:
            click.secho(_NAMES.get(name, name.capitalize()), bold=True)
        if shown:
            none = all(row.get(_OVER_PROMPTS) is None for row in rows)
            hidden = (*_IN_FILES, *[_OVER_PROMPTS] * none)
            names = [column for column in columns if column not in hidden]
            named = [isinstance(shown[0][column], str) for column in names]
            header = [_HEADINGS.get(column, column) for column in names]
            cells = ([_shown(row, column) for column in names] for row in shown)
            left = named.index(False) if False in named else len(named)
            terminal.echo_table(header, cells, left=left)
        if not rows:
            click.echo("nothing to test")
        elif len(shown) < len(rows):
            tested = f"{len(sure):,} have a p below {SURE}, " if "p" in columns else ""
            some = "--model shows those of some models, " if placed else ""
            told = f"{len(rows):,} rows: {tested}{len(shown)} are shown. {some}--out writes all."
            terminal.echo_fitting(told)
        if name in ("anova", "permutation") and (same := sum(row["p"] is None for row in rows)):
            click.echo(
                f"{counted(same, 'row has', 'rows have')} no p: within each of the groups all "
                "templates score alike, so nothing tells how far chance goes."
            )


def _sure(columns: Sequence[str], rows: Sequence[Row]) -> list[Row]:
    """The rows whose p is low, the lowest first."""
    p = next((name for name in ("p_holm", "p") if name in columns), None)
    if p is None:
        return []
    found = [row for row in rows if is_sure(row[p])]
    return sorted(found, key=lambda row: float(row[p] or 0))


def _show_places(rows: Sequence[Row]) -> None:
    """Show who may be first, and of each model its scores and the places that tests leave open."""
    by_model: dict[str, list[str]] = {}
    for row in rows:
        low, high = row["rank_low"], row["rank_high"]
        places = f"{low}" if low == high else f"{low}-{high}"
        score = _shown(row, "score").replace("0.", ".", 1)  # so that a line holds four
        by_model.setdefault(str(row["model"]), []).append(f"{score} #{places}")
    names = dict.fromkeys(str(row["metric"]) for row in rows)
    titles = [shared.TITLES.get(name, METRICS[name].title) for name in names]
    firsts = []
    for name, title in zip(names, titles, strict=True):
        found = [row["model"] for row in rows if row["metric"] == name and row["rank_low"] == 1]
        firsts.append(f"{title} {found[0] if len(found) == 1 else f'one of {len(found)}'}")
    terminal.echo_fitting(f"First of {counted(len(by_model), 'model')}: {', '.join(firsts)}.")
    lines = terminal.table_lines(
        ("model", *titles), [[name, *told] for name, told in by_model.items()]
    )
    click.echo("\n".join(lines))
    terminal.echo_fitting(
        "After #: the places that the tests over templates leave to the model, for the prompts "
        "that were asked, 1 for the highest accuracy and the diff-bias nearest to 0."
    )


def _shown(row: Row, column: str) -> str:
    value = row[column]
    if column in _STARTS:
        high = row[column.replace("low", "high")]
        few = "*" if column == "low" and row.get("interval_note") else ""
        if value is not None and high is not None:
            return f"{bracketed(float(value), float(high))}{few}"
        return "-"
    if value is None:
        return "-"
    if column in ("p", "p_holm"):
        return probability(float(value))
    if column == "metric":
        return shared.TITLES.get(str(value), str(value))
    if isinstance(value, float):
        return f"{value:.2e}" if 0 < abs(value) < 0.0005 else typed(value)
    return str(value)
