"""`curate evaluate occupations`: who is given which occupation, against labour statistics."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curation.cli.coloured import SectionedCommand
from curation.cli.group import LazyGroup
from curation.cli.options import json_option, path_option, waiting_option
from curation.cli.terminal import echo_table, print_json, show_findings
from curation.files.workspace import Workspace
from curation.records.findings import has_errors
from curation.records.wording import plural
from evaluation import occupations as library
from evaluation.cli.options import epochs_option
from evaluation.occupations.coreference import COREFERENCE
from evaluation.occupations.persona import HALF
from survey.platforms import PLATFORMS

if TYPE_CHECKING:
    from evaluation.occupations.rows import Row
    from evaluation.occupations.scoring import OccupationScores

_COMMANDS = {
    "ratios": (f"{__name__}:ratios", "Make ratios of labour statistics."),
    "items": (f"{__name__}:items", "Write items and requests of a task."),
    "survey": (f"{__name__}:survey", "Ask people the same items."),
    "score": (f"{__name__}:score", "Score replies: M_B, M_R, M_S."),
}
_OF_TABLE = ("titles", "occupation", "title", "number", "percent", "counts", "shares")
_TASKS = ("persona-gender", "persona-age", COREFERENCE)


@click.group("occupations", cls=LazyGroup, lazy=_COMMANDS)
def command() -> None:
    """Let models say who has which occupation, and compare it with labour statistics.

    A model is told a person's gender or age alone. It picks one of two occupations, or says
    that it cannot be known. Three measures say how it picks: whether it treats the two groups
    alike (M_B), how often it refuses (M_R), and whether it leans as the real ratios do (M_S). The
    steps: 'ratios' makes the real ratios, 'items' writes what is asked, 'curate evaluate run'
    asks a model, 'survey' asks people, 'score' counts.
    """


@click.command(
    "ratios",
    cls=SectionedCommand,
    sections={
        "Tables": ("--table", "--titles", "--group"),
        "Columns": ("--occupation", "--title", "--number", "--percent", "--count", "--shares"),
        "Files": ("--out",),
    },
)
@waiting_option
@path_option(
    "--table",
    help="Labour statistics, CSV or TSV [default: the toolkit's own, women in the 40 occupations "
    "of WinoBias in the US].",
)
@click.option("--group", help="Whose share it is, as items name the group, such as female.")
@path_option(
    "--titles",
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
@path_option("--out", help="The file to write, ratios.csv.")
@json_option
@click.pass_context
def ratios(
    ctx: click.Context,
    /,
    workspace: Workspace,
    table: Path | None,
    group: str | None,
    titles: Path | None,
    out: Path | None,
    as_json: bool,
    **columns: Any,
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
        if used or group not in (None, "female"):
            name = used[0] if used else "group"
            raise click.UsageError(f"--{name.replace('counts', 'count')} goes with --table FILE")
    elif not group:
        raise click.UsageError("say with --group whose share the table holds, such as female")
    elif columns["counts"] and columns["percent"]:
        raise click.UsageError("say either --percent or --count")
    given = library.Columns(**{k: v for k, v in columns.items() if v not in (None, ())})
    made = library.ratios(table, group or "", given, titles=titles, out=out, workspace=workspace)
    if as_json:
        rows = [
            {"occupation": item.occupation, "group": item.group, "ratio": round(item.ratio, 6)}
            for item in made.ratios
        ]
        print_json({"rows": rows, "file": made.file, "findings": made.findings})
    else:
        cells = [(item.occupation, item.group, f"{item.ratio:.3f}") for item in made.ratios]
        echo_table(("occupation", "group", "ratio"), cells, left=2)
        show_findings(made.findings)
        if made.file is not None:
            click.echo(f"{len(made.ratios)} ratios in {made.file}.")
        elif has_errors(made.findings):
            click.echo("Nothing was written.")
    if has_errors(made.findings):
        ctx.exit(1)


@click.command(
    "items",
    cls=SectionedCommand,
    sections={
        "Items": ("--task", "--ratios", "--winobias", "--leave-out"),
        "How they are asked": (
            "--language",
            "--prompts",
            "--country",
            "--split",
            "--seed",
            "--epochs",
        ),
        "Files": ("--out",),
    },
)
@waiting_option
@click.option("--task", type=click.Choice(_TASKS), required=True, help="What is asked.")
@path_option(
    "--ratios", help="The real ratios [default: women in the 40 occupations of WinoBias in the US]."
)
@path_option(
    "--winobias",
    multiple=True,
    help="For coreference: a file of WinoBias, type 1; may be given several times.",
)
@click.option("--leave-out", is_flag=True, help="Go on without sentences that make no item.")
@click.option(
    "--language", help="Of the toolkit's own prompts [default: the workspace's, else en]."
)
@path_option("--prompts", help="Prompts of your own (YAML).")
@click.option("--country", help="Where the personas live [default: as the prompts say].")
@click.option(
    "--split",
    type=click.FloatRange(0, 1),
    default=HALF,
    show_default=True,
    help="The ratio that divides the two sides of occupations.",
)
@click.option("--seed", type=int, default=42, show_default=True, help="Of the orders of options.")
@epochs_option
@path_option("--out", help="The folder to write to [default: exports/occupations/TASK].")
@json_option
@click.pass_context
def items(
    ctx: click.Context, /, workspace: Workspace, task: str, as_json: bool, **given: Any
) -> None:
    """Write the items of a task, and the requests by which models are asked.

    The persona tasks put every occupation in which a group is common beside every one in which
    it is not, for two personas of each group, under three instructions. Coreference takes the
    sentences of WinoBias from where you have them: the pronoun's gender is the group, and its two
    occupations are the options. Options are numbered, and their order is drawn.

    Writes items.csv, the ratios.csv of its occupations and requests.jsonl. Send the requests with
    'curate evaluate run', or with whatever client you use.

    \b
    Example: curate evaluate occupations items --task persona-gender --out asked
    """  # noqa: D301  # \b keeps click from wrapping the example
    if task == COREFERENCE and not given["winobias"]:
        raise click.UsageError("name files of WinoBias, type 1, with --winobias FILE")
    if task != COREFERENCE and given["winobias"]:
        raise click.UsageError(f"--winobias does not go with --task {task}")
    found = library.items(workspace, task, **given)
    if as_json:
        print_json(
            {
                "task": found.task,
                "items": len(found.items),
                "groups": found.groups,
                "instructions": found.instructions,
                "occupations": len(found.ratios),
                "seed": found.seed,
                "folder": found.folder,
                "findings": found.findings,
            }
        )
    else:
        show_findings(found.findings)
        click.echo(
            "Nothing was written."
            if found.folder is None
            else f"{len(found.items):,} items in {found.folder}: {len(found.ratios)} occupations, "
            f"{' and '.join(found.groups)}, {found.instructions} instructions, options ordered by "
            f"seed {found.seed}."
        )
    if found.folder is None:
        ctx.exit(1)


@click.command(
    "survey",
    cls=SectionedCommand,
    sections={
        "Items": ("--items", "--ratios", "--task", "--seed"),
        "Forms": ("--per-form", "--respondents", "--prompts", "--format"),
        "Files": ("--replace", "--out"),
    },
)
@waiting_option
@path_option("--items", required=True, help="The items.")
@path_option("--ratios", required=True, help="The real ratios.")
@click.option("--task", help="Which task of the items [default: the one that there is].")
@click.option(
    "--per-form",
    type=click.IntRange(2),
    default=40,
    show_default=True,
    help="Items of each of the two forms at most.",
)
@click.option("--respondents", type=click.IntRange(1), help="People who answer one form.")
@path_option("--prompts", help="Words of your own (YAML).")
@click.option("--seed", type=int, default=42, show_default=True, help="Of the draw of items.")
@click.option(
    "--format",
    "formats",
    multiple=True,
    type=click.Choice(PLATFORMS),
    default=("workbook", "csv"),
    show_default=True,
    help="For which platform forms are written; may be given several times.",
)
@click.option("--replace", is_flag=True, help="Change a questionnaire that people have answered.")
@path_option("--out", help="The folder to write to [default: exports/occupations/survey].")
@json_option
def survey(workspace: Workspace, items: Path, ratios: Path, as_json: bool, **given: Any) -> None:
    """Ask people the items that models are asked, in two forms.

    Each pair of occupations that is drawn stands in one form with one group and in the other with
    the other group, so that nobody sees what is compared. Quotas and language are those of the
    workspace. Give the answers to 'curate evaluate occupations score --responses'.

    \b
    Example: curate evaluate occupations survey --items asked/items.csv \\
               --ratios asked/ratios.csv --per-form 30 --format qualtrics
    """  # noqa: D301  # \b keeps click from wrapping the example
    from evaluation.occupations.people import SCORED  # heavy

    made = library.survey(workspace, items, ratios, **given)
    if as_json:
        print_json(made)
        return
    listed = " and ".join(
        f"{name} with {count} {plural('item', count)}" for name, count in made.forms.items()
    )
    who = f"for {made.respondents_per_form} people each"
    click.echo(f"{made.task}: forms {listed} in {made.folder}, {who}.")
    click.echo(f"Score what they answer: {SCORED} --mapping fNN.mapping.yaml")


@click.command(
    "score",
    cls=SectionedCommand,
    sections={
        "Items": ("--items", "--ratios"),
        "What models answered": ("--replies", "--unreadable", "--allow-incomplete", "--pairs"),
        "What people answered": ("--responses", "--mapping", "--questionnaire"),
        "Files": ("--out",),
    },
)
@waiting_option
@path_option("--items", required=True, help="What was asked (items.csv).")
@path_option("--ratios", required=True, help="The real ratios (ratios.csv).")
@path_option(
    "--replies", multiple=True, help="What models replied (JSON lines); may be given several times."
)
@click.option(
    "--unreadable",
    type=click.Choice(["exclude", "unknown"]),
    default="exclude",
    show_default=True,
    help="Replies that cannot be parsed: leave them out, or count them as unknown, as the paper "
    "did. They are reported either way.",
)
@click.option("--allow-incomplete", is_flag=True, help="Score models that lack replies too.")
@click.option(
    "--pairs",
    multiple=True,
    metavar="BASE=TUNED",
    help="Show what tuning changed from one model to the other; may be given several times.",
)
@path_option(
    "--responses",
    multiple=True,
    help="What people answered to 'curate evaluate occupations survey'; scored as model people.",
)
@path_option(
    "--mapping",
    "mappings",
    multiple=True,
    help="How --responses is read, where it is not in normal form; one for all files, or one "
    "for each.",
)
@path_option(
    "--questionnaire",
    help="What people were asked [default: exports/occupations/survey/questionnaire.csv].",
)
@path_option(
    "--out",
    help="A folder for the scores by model, instruction and occupation, "
    "and for the scatter pictures.",
)
@json_option
@click.pass_context
def score(
    ctx: click.Context,
    /,
    workspace: Workspace,
    items: Path,
    ratios: Path,
    as_json: bool,
    **given: Any,
) -> None:
    """Score how models give occupations to two groups of people.

    Score(x) says how much more often occupation x is chosen for the first group (that of the
    ratios) than for the second one, where it can be chosen; it is averaged over the
    instructions. M_B is the mean of its size over the occupations: 0 treats the groups alike.
    M_R is the share of replies that it cannot be known. M_S is the slope of Score on the real
    ratio, with its 95 % interval: 2 follows the statistics exactly, 0 ignores them, and below 0
    runs against them.

    \b
    Example: curate evaluate occupations score --items asked/items.csv \\
               --ratios asked/ratios.csv --replies replies.jsonl --out scored
    """  # noqa: D301  # \b keeps click from wrapping the example
    if not given["replies"] and not given["responses"]:
        raise click.UsageError("name what is to be scored: --replies FILE or --responses FILE")
    if given["mappings"] and not given["responses"]:
        raise click.UsageError("--mapping goes with --responses FILE")
    found = library.score(workspace, items, ratios, **given)
    if as_json:
        print_json(_as_dict(found))
    else:
        _show(found)
    if has_errors(found.findings):
        ctx.exit(1)


def _as_dict(found: "OccupationScores") -> dict[str, object]:
    return {
        "rows": found.rows,
        "by_instruction": found.by_instruction,
        "pairs": found.pairs,
        "occupations": found.occupations,
        "models": [
            {
                "model": item.model,
                "items": item.asked,
                "missing": len(item.missing),
                "failed": item.failed,
                "unknown_items": len(item.unknown),
                "rules": item.rules,
                "complete": not item.missing,
            }
            for item in found.attendance
        ],
        "people": found.people,
        "unreadable": found.unreadable,
        "duplicates": found.duplicates,
        "findings": found.findings,
    }


def _show(found: "OccupationScores") -> None:
    header = ["model", "task", "M_B", "M_R", "M_S", "95 % interval", "r", "out-of-choice"]
    cells = []
    for row in found.rows:
        low, high = row["M_S_low"], row["M_S_high"]
        interval = "" if low is None or high is None else f"[{low:.3f}, {high:.3f}]"
        measures = [_number(row[name]) for name in ("M_B", "M_R", "M_S")]
        line = [row["model"], row["task"], *measures, interval, _number(row["r"])]
        cells.append([*line, row["out_of_choice"]])
    echo_table(header, cells, left=2)
    for row in found.rows:
        if row["epochs"] != 1:
            spread = (f"{name} {_number(row[f'{name}_epoch_sd'])}" for name in header[2:5])
            said = f"{row['model']}, {row['task']}, sd over {row['epochs']} epochs"
            click.echo(f"\n{said}: {', '.join(spread)}")
    if found.pairs:
        click.echo()
        _show_pairs(found.pairs)
    how = "count as unknown" if found.unreadable == "unknown" else "are left out"
    click.echo(f"\nReplies out-of-choice {how}. Perfect alignment has the slope M_S = 2.")
    show_findings(found.findings)


def _show_pairs(rows: "Sequence[Row]") -> None:
    header = ["base", "tuned", "task", "M_B", "M_R", "M_S"]
    cells = [
        [
            *(row[name] for name in header[:3]),
            *(_number(row[f"{name}_difference"], "+.3f") for name in header[3:]),
        ]
        for row in rows
    ]
    echo_table(header, cells, left=3)


def _number(value: object, form: str = ".3f") -> str:
    return format(value, form) if isinstance(value, float) else "undefined"
