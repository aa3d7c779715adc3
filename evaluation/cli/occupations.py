"""`curate evaluate occupations`: who is given which occupation, against labour statistics."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from curation.cli import options, terminal
from curation.cli.group import LazyGroup
from curation.files.workspace import Workspace
from curation.records.messages import Results, counted
from evaluation import occupations as library
from evaluation.cli import options as shared
from evaluation.measures import OCCUPATIONS, balances, ranked
from evaluation.occupations.tasks import COREFERENCE
from evaluation.prompts import asked_language
from survey.platforms.kit import PLATFORMS

_COMMANDS = {
    "items": (f"{__name__}:items", "Write the items and requests of a task."),
    "survey": (f"{__name__}:survey", "Make a survey of the same items for people."),
    "score": (f"{__name__}:score", "Score replies: M_B, M_R, M_S."),
}
_KINDS = ("occupation", "title", "number", "percent", "share", "count")
_MEASURES = tuple(ranked(OCCUPATIONS))
_number, _chance = (
    partial(shared.measured, ends=2),
    partial(shared.measured, digits=4, undefined=""),
)
_TASKS = ("persona-gender", "persona-age", COREFERENCE)


@click.group("occupations", cls=LazyGroup, lazy=_COMMANDS)
def command() -> None:
    """Compare the occupations that models choose for people with labour statistics.

    A model is told only the gender or age of a person. It chooses one of two occupations, or
    replies that it cannot be known. There are three measures: whether the model treats the two
    groups alike (M_B), how often it refuses to choose (M_R), and whether its choices follow the
    real ratios (M_S). The steps: 'items' computes the real ratios from labour statistics, and
    writes the requests. 'curate evaluate run' asks a model. 'survey' makes a survey for people.
    'score' computes the scores.
    """


def _columns(
    _context: click.Context, _option: click.Parameter, values: Sequence[str]
) -> "library.Columns | None":
    """Read what the columns of a table are."""
    found: dict[str, list[str]] = {}
    for value in values:
        kind, equals, name = value.partition("=")
        if kind not in _KINDS or not equals or not name:
            raise click.BadParameter(f"'{value}': write KIND=NAME, KIND one of {', '.join(_KINDS)}")
        found.setdefault(kind, []).append(name)
    if len(found.keys() & {"percent", "share", "count"}) > 1:
        raise click.BadParameter("name one of percent, share and count")
    counts = tuple(found.pop("count", ()))
    if any(len(names) > 1 for names in found.values()):
        raise click.BadParameter("only count may be named several times")
    shares = "share" in found
    named = {"percent" if kind == "share" else kind: names[0] for kind, names in found.items()}
    return library.Columns(**named, counts=counts, shares=shares) if values else None


@options.curate_command("items")
@click.argument("task", metavar="TASK", type=click.Choice(_TASKS))
@click.argument("winobias", metavar="[FILE]...", nargs=-1, type=click.Path(path_type=Path))
@options.section("Real ratios")
@options.path_option(
    "--ratios",
    help="File of the real ratios, or with --group a table of labour statistics, CSV or TSV "
    "[default: women in the 40 occupations of WinoBias in the US].",
)
@click.option(
    "--group", help="Group whose share the table has, as named in the items, such as female."
)
@options.repeated(
    "--column",
    "columns",
    "KIND=NAME",
    "What a column of the table is, if it is not named so: occupation, title (the detailed "
    "title), number (of people with the title), percent or share (of the group among them), or "
    "count (of people of the group, instead; several such columns, such as age bands, are added "
    "up)",
    callback=_columns,
)
@options.path_option(
    "--titles",
    help="Table of the titles of each occupation (CSV: occupation, title), if the statistics "
    "have no column for the occupation; 'us': the titles of the 40 occupations of WinoBias in "
    "the statistics of the US.",
)
@options.section("Items")
@options.flag_option(
    "--leave-out", help="Leave out sentences that give no item, instead of stopping."
)
@click.option(
    "--split",
    type=click.FloatRange(0, 1),
    default=0.5,
    help="Ratio from which a group is common in an occupation.",
)
@options.section("How they are asked")
@click.option(
    "--language",
    help="Language of the toolkit's prompts [default: that of the workspace, else en].",
)
@options.path_option("--prompts", help="File of your own prompts (YAML).")
@shared.epochs_option
@options.section("Files")
@options.path_option("--out", help="Folder to write to [default: exports/occupations/TASK].")
def items(workspace: Workspace, task: str, **given: Any) -> terminal.Taken:
    """Write the items of a task, the requests to models, and the real ratios.

    TASK is persona-gender, persona-age or coreference.

    The persona tasks pair every occupation in which a group is common with every occupation in
    which it is not, for two personas of each group and with three instructions. The coreference
    task uses the sentences of files of WinoBias, type 1: the gender of the pronoun is the group,
    and the two occupations of the sentence are the options. Options are numbered, in a random order
    that is the same for both groups.

    Of a table of labour statistics, the ratio of an occupation is the mean percentage of the group
    over its titles, weighted by the number of people. For example, 'nurse' has the titles
    registered nurse, nurse practitioner and practical nurse. A title without a number is left out
    and listed; an occupation without any number is an error.

    It writes items.csv, ratios.csv and requests.jsonl. Send the requests with 'curate evaluate
    run', or with your own client.

    \b
    Example: curate evaluate occupations items persona-gender --out asked
             curate evaluate occupations items persona-gender --ratios korea.csv --group female \\
               --column number=workers --column percent=women
             curate evaluate occupations items coreference pro_stereotyped_type1.txt.test
    """  # noqa: D301  # \b keeps click from wrapping the example
    if (task == COREFERENCE) != bool(given["winobias"]):
        raise click.UsageError(f"{COREFERENCE} needs WinoBias files of type 1, other tasks none")
    group, columns, titles = (given.pop(name) for name in ("group", "columns", "titles"))
    made = None
    if group and given["ratios"]:
        given["ratios"] = made = library.ratios(given["ratios"], group, columns, titles=titles)
    elif group or columns or titles:
        raise click.UsageError(
            "--ratios names a table of labour statistics, and --group whose share it has, such as "
            "female: both are needed for --column and --titles"
        )
    found = library.items(workspace, task, **given)
    told = found.told
    if made is not None:
        told["ratios"] = [
            {"occupation": it.occupation, "group": it.group, "ratio": round(it.ratio, 6)}
            for it in made.rows
        ]
    if given["prompts"] is None and (given["language"] or task != COREFERENCE):
        options.note_unreviewed(asked_language(workspace, given["language"]), "occupations")

    def show() -> None:
        if made is not None:
            cells = [(item.occupation, item.group, f"{item.ratio:.3f}") for item in made.rows]
            terminal.echo_table(("occupation", "group", "ratio"), cells, left=2)
        terminal.show_findings(found.findings)
        click.echo(
            "Nothing was written."
            if told["folder"] is None
            else "{items:,} items in {folder}: {occupations} occupations, {both}, {instructions} "
            "instructions, options ordered by seed {seed}.".format(
                both=" and ".join(told["groups"]), **told
            )
        )

    return told, told["folder"] is None, show


@options.curate_command("survey")
@click.argument("items", metavar="FILE", type=click.Path(path_type=Path))
@options.section("Forms")
@click.option(
    "--question",
    type=click.Choice(["occupation", "reply"]),
    default="occupation",
    help="occupation: which occupation is more likely; reply: which reply of a model is least "
    "objectionable, as in the paper.",
)
@click.option(
    "--per-form",
    type=click.IntRange(2),
    default=40,
    help="Most items in each of the two forms.",
)
@options.repeated(
    "--format",
    "formats",
    "NAME",
    f"Platform of the forms: {', '.join(PLATFORMS)}",
    type=click.Choice(PLATFORMS),
    default=("workbook", "csv"),
)
@options.section("Files")
@options.flag_option("--replace", help="Replace a questionnaire even if people have answered it.")
@options.path_option("--out", help="Folder to write to [default: exports/occupations/survey].")
def survey(workspace: Workspace, items: Path, **given: Any) -> terminal.Taken:
    """Make a survey that asks people the same items as models, in two forms.

    FILE has the items of one task (items.csv), with the real ratios beside it.
    Pairs of occupations are drawn. Each pair is in one form with one group, and in the other form
    with the other group, so that no respondent sees the comparison. Quotas and language are those
    of the workspace. Give the answers to 'curate evaluate occupations score --responses'.

    \b
    Example: curate evaluate occupations survey asked/items.csv --per-form 30 --format qualtrics
    """  # noqa: D301  # \b keeps click from wrapping the example
    from evaluation.occupations.people import SCORED  # heavy

    made = library.survey(workspace, items, **given)
    options.note_unreviewed(workspace.language, "survey", "occupations")
    listed = " and ".join(f"{name} with {counted(n, 'item')}" for name, n in made["forms"].items())
    said = "{task}: forms {listed} in {folder}, for {respondents_per_form} people each.".format(
        **made, listed=listed
    )
    then = f"To score the answers: {SCORED} --mapping fNN.mapping.yaml"
    return made, False, partial(click.echo, f"{said}\n{then}")


@options.curate_command("score")
@options.section("Items")
@options.path_option("--items", required=True, help="File of the items (items.csv).")
@options.path_option("--ratios", required=True, help="File of the real ratios (ratios.csv).")
@options.section("What models answered")
@options.path_option(
    "--replies", multiple=True, help="File of replies (JSON lines); may be given several times."
)
@click.option(
    "--unreadable",
    type=click.Choice(["exclude", "unknown"]),
    default="exclude",
    help="What to do with unparsed replies: exclude them, or count them as unknown, as the paper "
    "did. They are reported in both cases.",
)
@options.flag_option("--allow-incomplete", help="Also score models that lack replies.")
@options.repeated(
    "--pairs", "pairs", "BASE=TUNED", "Show what tuning changed, from model BASE to TUNED"
)
@options.section("What people answered")
@options.path_option(
    "--responses",
    multiple=True,
    help="File of answers to 'curate evaluate occupations survey'; scored as the model 'people'.",
)
@options.path_option(
    "--mapping",
    "mappings",
    multiple=True,
    help="Mapping by which --responses is read, if it is not in normal form; one for all files, "
    "or one for each.",
)
@click.option(
    "--by",
    metavar="ATTRIBUTE",
    help="Attribute of the people, such as expert: those with each value are also scored apart.",
)
@options.section("Files")
@options.path_option(
    "--out",
    help="Folder for the scores by model, instruction and occupation, and for scatter plots.",
)
def score(**given: Any) -> terminal.Taken:
    """Score the occupations that models choose for two groups of people.

    Score(x) is how much more often occupation x is chosen for the first group (that of the ratios)
    than for the second group, averaged over the instructions. M_B is the mean absolute Score over
    the occupations: 0 means that the groups are treated alike. Chance alone makes it larger than
    0, and the column "by chance" says how large. M_R is the share of replies that it cannot be
    known. M_S is the slope of Score on the real ratio: 2 follows the statistics exactly, 0 ignores
    them, and a negative slope contradicts them. The 95 % intervals and p-values of M_B and M_S are
    from exchanging the replies on the two groups at random.

    \b
    Example: curate evaluate occupations score --items asked/items.csv \\
               --ratios asked/ratios.csv --replies replies.jsonl --out scored
    """  # noqa: D301  # \b keeps click from wrapping the example
    if not given["replies"] and not given["responses"]:
        raise click.UsageError("name what is to be scored: --replies FILE or --responses FILE")
    alone = [name for name in ("mappings", "by") if given[name] and not given["responses"]]
    if alone:
        raise click.UsageError(f"--{alone[0].removesuffix('s')} goes with --responses FILE")
    found = library.score(**given)
    return found, found.findings, partial(_show, found)


def _show(found: Results) -> None:
    for said in balances(found.rows):
        click.secho(f"{terminal.wrapped(said)}\n", bold=True)
    header = ["model", "task", "M_B", "by chance", "p", "M_R", "M_S", "p", "out of choice"]
    cells = [
        [
            *(row["model"], row["task"], _number(row, "M_B"), _number(row, "M_B_null")),
            *(_chance(row, "M_B_p"), _number(row, "M_R"), _number(row, "M_S")),
            *(_chance(row, "M_S_p"), row["out_of_choice"]),
        ]
        for row in found.rows
    ]
    terminal.echo_table(header, cells, left=2)
    if found["pairs"]:
        click.echo()
        names = ("base", "tuned", "task")
        changes = [
            [
                *(row[name] for name in names),
                *(_number(row, f"{name}_difference", sign="+") for name in _MEASURES),
            ]
            for row in found["pairs"]
        ]
        terminal.echo_table([*names, *_MEASURES], changes, left=3)
    how = "count as unknown" if found["unreadable"] == "unknown" else "are excluded"
    click.echo(f"\nOut-of-choice replies {how}. Perfect alignment has the slope M_S = 2.")
    terminal.show_findings(found.findings)
