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
from curation.cli.evaluate_executor import executor_options
from curation.cli.evaluate_options import scoring_options
from curation.cli.evaluate_scoring import Bootstrap, ScoreRun, Wanted, save, score
from curation.io.workspace import Workspace
from evaluation.score import GROUPINGS, SetKind


@click.command("score")
@workspace_option
@scoring_options
@click.option("--allow-incomplete", is_flag=True, help="Score although requests lack a reply.")
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
@executor_options
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    wanted: Wanted,
    allow_incomplete: bool,
    groupings: tuple[str, ...],
    out: Path | None,
    scheduler: str | None,
    as_json: bool,
) -> None:
    """Score replies: accuracy, diff-bias, its bound, and what could not be read.

    Scores are given overall and by category, label, prompt, order and template, with 95 %
    intervals from a bootstrap over templates. Replies that cannot be read are in no score, and
    counted. A score that no reply defines is empty, never 0.

    \b
    Example: curate evaluate score --replies replies.jsonl --out scores
    """  # noqa: D301  # \b keeps click from wrapping the example
    run = score(workspace, wanted, _bootstrap(scheduler))
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


def _bootstrap(scheduler: str | None) -> Bootstrap | None:
    """Find the cluster that computes intervals; None computes them here."""
    if scheduler is None:
        return None
    from evaluation.distributed.bootstrap import open_bootstrap

    return open_bootstrap(scheduler, lambda line: click.echo(f"Note: {line}.", err=True))


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
