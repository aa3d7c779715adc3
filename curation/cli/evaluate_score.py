"""`curate evaluate score`: how accurate models are, and how biased."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import click

from curation.cli.common import (
    finding_dict,
    json_option,
    print_findings,
    print_json,
    table_lines,
    workspace_option,
)
from curation.cli.evaluate_inputs import prompt_options, samples_option
from curation.cli.evaluate_scoring import ScoreRun, Wanted, save, score
from curation.io.workspace import Workspace
from evaluation.bootstrap import DRAWS
from evaluation.score import GROUPINGS, SetKind


@click.command("score")
@workspace_option
@samples_option
@prompt_options
@click.option(
    "--requests",
    type=click.Path(dir_okay=False, path_type=Path),
    help="What was asked, where it was not every sample with every prompt in every order.",
)
@click.option(
    "--replies",
    type=click.Path(dir_okay=False, path_type=Path),
    multiple=True,
    help="What models replied (JSON lines); may be given several times.",
)
@click.option(
    "--predictions",
    type=click.Path(dir_okay=False, path_type=Path),
    multiple=True,
    help="KoBBQ's published evaluation TSV, with its column prediction, in place of samples and "
    "replies; may be given several times.",
)
@click.option("--model", help="The model of --predictions [default: as the file's name says].")
@click.option(
    "--set",
    "set_",
    type=click.Choice([kind.value for kind in SetKind]),
    help="test: all rows pooled; all: each template scored, then averaged [default: all where a "
    "variant has more than one filling].",
)
@click.option(
    "--mode",
    type=click.Choice(["strict", "kobbq"]),
    default="strict",
    show_default=True,
    help="How replies are read: by the toolkit's rules, or as KoBBQ's script does.",
)
@click.option(
    "--filled",
    type=click.Path(dir_okay=False, path_type=Path),
    multiple=True,
    help="Workbook in which a person read what no rule could.",
)
@click.option("--allow-incomplete", is_flag=True, help="Score although requests lack a reply.")
@click.option(
    "--draws",
    type=click.IntRange(0),
    default=DRAWS,
    show_default=True,
    help="Draws of the bootstrap over templates; 0 for no intervals.",
)
@click.option("--seed", type=int, default=42, show_default=True, help="Of the draws.")
@click.option(
    "--by",
    "groupings",
    type=click.Choice(GROUPINGS),
    multiple=True,
    help="What is shown on the terminal [default: overall and category]; files hold all.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for scores.csv, positions.csv and their manifest.",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    samples: Path | None,
    prompts: Path | None,
    prompt_ids: tuple[str, ...],
    orders: str | None,
    requests: Path | None,
    replies: tuple[Path, ...],
    predictions: tuple[Path, ...],
    model: str | None,
    set_: str | None,
    mode: str,
    filled: tuple[Path, ...],
    allow_incomplete: bool,
    draws: int,
    seed: int,
    groupings: tuple[str, ...],
    out: Path | None,
    as_json: bool,
) -> None:
    """Score replies: accuracy, diff-bias, its bound, and what could not be read.

    Scores are given overall and by category, label, prompt, order and template, with 95 %
    intervals from a bootstrap over templates. Replies that cannot be read are in no score, and
    counted. A score that no reply defines is empty, never 0.

    \b
    Example: curate evaluate score --replies replies.jsonl --out scores
    """  # noqa: D301  # \b keeps click from wrapping the example
    if bool(replies) == bool(predictions):
        raise click.UsageError("name either --replies FILE or --predictions FILE")
    wanted = Wanted(
        samples=samples,
        prompts=prompts,
        prompt_ids=prompt_ids,
        orders=orders,
        requests=requests,
        replies=replies,
        predictions=predictions,
        model=model,
        kind=SetKind(set_) if set_ else None,
        mode=mode,
        filled=filled,
        draws=draws,
        seed=seed,
    )
    run = score(workspace, wanted)
    refused = run.incomplete and not allow_incomplete
    if out is not None and not refused:
        save(run, wanted, out)
    if as_json:
        print_json(_as_dict(run, refused=refused))
    else:
        _show(run, groupings or GROUPINGS[:2], refused=refused)
        if out is not None and not refused:
            click.echo(f"Wrote scores.csv and positions.csv to {out}.")
    if refused:
        ctx.exit(1)


def _as_dict(run: ScoreRun, *, refused: bool) -> dict[str, object]:
    return {
        "rows": [] if refused else list(run.rows),
        "set": run.kind.value,
        "orders": run.orders.value,
        "positions": [] if refused else list(run.positions),
        "rules": {item.model: dict(item.rules) for item in run.models},
        "missing": {item.model: item.missing for item in run.models},
        "findings": [finding_dict(item) for item in run.findings],
    }


@dataclass(frozen=True, slots=True)
class _Column:
    title: str
    name: str
    interval: bool = False


_SHOWN = (
    _Column("acc amb", "accuracy_amb", interval=True),
    _Column("acc dis", "accuracy_dis", interval=True),
    _Column("diff-bias amb", "diff_bias_amb", interval=True),
    _Column("of max", "max_bias_amb"),
    _Column("diff-bias dis", "diff_bias_dis", interval=True),
    _Column("of max", "max_bias_dis"),
)


def _show(run: ScoreRun, groupings: tuple[str, ...], *, refused: bool) -> None:
    if refused:
        print_findings(run.findings, err=True)
        return
    way = "all rows pooled" if run.kind is SetKind.TEST else "each template scored, then averaged"
    click.echo(f"Scored as the {_NAME[run.kind]}: {way}; {run.orders.value} orders.")
    rows = [row for row in run.rows if row["group_by"] in groupings]
    header = ("model", "group", "n", *(column.title for column in _SHOWN), "out of choice")
    click.echo("\n".join(table_lines(header, map(_cells, rows), left=2)))
    print_findings(run.findings, err=True)


_NAME = {SetKind.TEST: "test set", SetKind.ALL: "entire set"}


def _cells(row: Mapping[str, str | int | float | None]) -> list[str]:
    size = int(row["n_amb"] or 0) + int(row["n_dis"] or 0)
    unread = row["out_of_choice_ratio"]
    name = row["group"] if row["group_by"] != "overall" else "overall"
    return [
        str(row["model"]),
        str(name),
        f"{size:,}",
        *(_score(row, column) for column in _SHOWN),
        "-" if unread is None else f"{float(unread):.1%}",
    ]


def _score(row: Mapping[str, str | int | float | None], column: _Column) -> str:
    value = row[column.name]
    if value is None:
        return "-"
    low, high = row.get(f"{column.name}_low"), row.get(f"{column.name}_high")
    shown = f"{float(value):.3f}"
    if column.interval and low is not None and high is not None:
        shown += f" [{float(low):.2f}, {float(high):.2f}]"
    return shown
