"""`curate evaluate occupations score`: balance, refusal and alignment."""

from collections.abc import Sequence
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
from curation.cli.evaluate_occupations_run import ScoreRun, Wanted, run, save
from curation.io.workspace import Workspace
from curation.model.findings import has_errors
from evaluation.occupations.rows import Row
from evaluation.occupations.scores import Unreadable

_FILE = click.Path(path_type=Path)


@click.command("score")
@workspace_option
@click.option("--items", type=_FILE, required=True, help="What was asked (items.csv).")
@click.option("--ratios", type=_FILE, required=True, help="The real ratios (ratios.csv).")
@click.option(
    "--replies",
    type=_FILE,
    multiple=True,
    help="What models replied (JSON lines); may be given several times.",
)
@click.option(
    "--unreadable",
    type=click.Choice([item.value for item in Unreadable]),
    default=Unreadable.EXCLUDE.value,
    show_default=True,
    help="Replies that cannot be read: leave them out, or count them as unknown, as the paper "
    "did. They are reported either way.",
)
@click.option("--allow-incomplete", is_flag=True, help="Score models that lack replies too.")
@click.option(
    "--pairs",
    multiple=True,
    metavar="BASE=TUNED",
    help="Show what tuning changed from one model to the other; may be given several times.",
)
@click.option(
    "--responses",
    type=_FILE,
    multiple=True,
    help="What people answered to 'curate evaluate occupations survey'; scored as model people.",
)
@click.option(
    "--mapping",
    "mappings",
    type=_FILE,
    multiple=True,
    help="How --responses is read, where it is not in normal form; one for all files, or one "
    "for each.",
)
@click.option(
    "--questionnaire",
    type=_FILE,
    help="What people were asked [default: exports/occupations/survey/questionnaire.csv].",
)
@click.option(
    "--out",
    type=_FILE,
    help="A folder for the scores by model, instruction and occupation, "
    "and for the scatter pictures.",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    out: Path | None,
    as_json: bool,
    **given: object,
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
    wanted = Wanted(**given)  # type: ignore[arg-type]
    if not wanted.replies and not wanted.responses:
        raise click.UsageError("name what is to be scored: --replies FILE or --responses FILE")
    if wanted.mappings and not wanted.responses:
        raise click.UsageError("--mapping goes with --responses FILE")
    found = run(workspace, wanted)
    if out is not None:
        save(workspace, wanted, found, out)
    if as_json:
        print_json(_as_dict(found, wanted))
    else:
        _show(found, wanted)
    if has_errors(found.findings):
        ctx.exit(1)


def _as_dict(found: ScoreRun, wanted: Wanted) -> dict[str, object]:
    return {
        "rows": found.rows,
        "by_instruction": found.by_instruction,
        "pairs": found.pairs,
        "occupations": found.occupations,
        "models": [
            {
                "model": item.model,
                "items": item.items,
                "missing": len(item.missing),
                "failed": item.failed,
                "unknown_items": len(item.unknown),
                "rules": item.rules,
                "complete": not item.missing,
            }
            for item in found.attendance
        ],
        "people": found.people,
        "unreadable": wanted.unreadable,
        "duplicates": found.duplicates,
        "findings": [finding_dict(item) for item in found.findings],
    }


def _show(found: ScoreRun, wanted: Wanted) -> None:
    header = ["model", "task", "M_B", "M_R", "M_S", "95 % interval", "r", "out-of-choice"]
    click.echo("\n".join(table_lines(header, [_line(row) for row in found.rows], left=2)))
    if found.pairs:
        click.echo("\n" + "\n".join(_pair_lines(found.pairs)))
    how = "count as unknown" if wanted.unreadable == Unreadable.UNKNOWN else "are left out"
    click.echo(f"\nReplies out-of-choice {how}. Perfect alignment has the slope M_S = 2.")
    if found.findings:
        print_findings(found.findings)
        click.echo(count_findings(found.findings))


def _line(row: Row) -> list[object]:
    low, high = row["M_S_low"], row["M_S_high"]
    interval = "" if low is None or high is None else f"[{low:.3f}, {high:.3f}]"
    measures = [_number(row[name]) for name in ("M_B", "M_R", "M_S")]
    return [row["model"], row["task"], *measures, interval, _number(row["r"]), row["out_of_choice"]]


def _pair_lines(rows: Sequence[Row]) -> list[str]:
    header = ["base", "tuned", "task", "M_B", "M_R", "M_S"]
    cells = [
        [
            *(row[name] for name in ("base", "tuned", "task")),
            *(_number(row[f"{name}_difference"], "+.3f") for name in ("M_B", "M_R", "M_S")),
        ]
        for row in rows
    ]
    return table_lines(header, cells, left=3)


def _number(value: object, form: str = ".3f") -> str:
    return format(value, form) if isinstance(value, float) else "undefined"
