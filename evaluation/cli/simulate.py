"""`curate survey simulate`: models are asked the survey's own questions."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from curation.cli.options import json_option, path_option, refuse_stray, workspace_option
from curation.cli.terminal import echo_fitting, echo_table, print_json, show_findings
from curation.files.workspace import Workspace
from curation.records.findings import has_errors
from curation.records.survey import QuestionKind
from curation.records.wording import plural
from evaluation import simulate as library
from evaluation.simulate.wording import load_wording

if TYPE_CHECKING:
    from evaluation.simulate.comparing import Simulation, SimulationRequests
    from evaluation.simulate.scores import PairRow, ScoreRow

_STEPS = {
    **dict.fromkeys(("prompts", "wording"), ("requests to be written, not with --replies",)),
    "requests": ("--replies",),
}


@click.command("simulate")
@workspace_option
@path_option(
    "--replies", multiple=True, help="Replies of models (JSON lines); may be given several times."
)
@path_option(
    "--requests",
    help="The requests [default: requests.jsonl beside the replies, else in exports/simulate].",
)
@click.option(
    "--prompts", type=click.IntRange(1), help="Number of wordings of each question [default: 1]."
)
@path_option("--wording", help="File of your own prompts (YAML), instead of the toolkit's.")
@path_option(
    "--out",
    help="The file of requests to write [default: exports/simulate/requests.jsonl]. With "
    "--replies: a folder for the scores.",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    replies: tuple[Path, ...],
    requests: Path | None,
    prompts: int | None,
    wording: Path | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Ask models the questions of the survey, and compare them with people.

    First, it writes one request for each question and wording. Send the requests to a model
    with any client, and save its replies as {"request_id", "model", "reply"}, one in each line.
    Then --replies compares them with the answers of people that 'curate filter' counted. For each
    model, overall and by category, it shows how often the model chose what most people chose
    (validation), and how well its groups match the target groups of people (target selection).

    \b
    Example: curate survey simulate --out requests.jsonl
             curate survey simulate --replies replies.jsonl --out simulated
    """  # noqa: D301  # \b keeps click from wrapping the example
    refuse_stray(ctx, _STEPS, _STEPS["requests" if replies else "prompts"])
    if not replies:
        known = len(load_wording(workspace.culture, wording, workspace.language).prompts)
        if (prompts or 1) > known:
            raise click.UsageError(
                f"--prompts {prompts}: there are {known} {plural('wording', known)}"
            )
        made = library.prepare(workspace, prompts or 1, wording=wording, out=out)
        _show_requests(made, as_json=as_json)
        return
    found = library.simulate(workspace, replies, requests=requests, out=out)
    if as_json:
        print_json(_as_dict(found))
    else:
        _show(found)
    if has_errors(found.findings):
        ctx.exit(1)


def _show_requests(made: "SimulationRequests", *, as_json: bool) -> None:
    if as_json:
        print_json(made)
        return
    parts = ", ".join(f"{number} {kind}" for kind, number in made.questions.items() if number)
    wordings = len(made.prompts)
    echo_fitting(
        f"{made.requests} {plural('request', made.requests)} in {made.file}: "
        f"{sum(made.questions.values())} questions ({parts}) in {wordings} "
        f"{plural('wording', wordings)}, with the order of options drawn by seed {made.seed}."
    )


def _as_dict(found: "Simulation") -> dict[str, object]:
    comparison = found.comparison
    return {
        "rows": comparison.rows,
        "pairs": comparison.pairs,
        "models": [
            {
                "model": item.model,
                "requests": item.asked,
                "replies": item.asked - len(item.missing),
                "out_of_choice": comparison.out_of_choice(item.model),
                "rules": item.rules,
                "missing": item.missing,
                "failed": item.failed,
                "unknown": item.unknown,
                "complete": not item.missing,
            }
            for item in comparison.attendance
        ],
        "duplicates": found.duplicates,
        "requests": found.requests,
        "findings": found.findings,
    }


def _show(found: "Simulation") -> None:
    comparison = found.comparison
    for kind, title in (
        (QuestionKind.CHOICE, "Validation"),
        (QuestionKind.SELECT_ALL, "Target selection"),
    ):
        rows = [row for row in comparison.rows if row.kind is kind]
        if rows:
            _score_table(title, rows, several=kind is QuestionKind.SELECT_ALL)
            click.echo()
    if comparison.pairs:
        _pair_table(comparison.pairs)
        click.echo()
    for item in comparison.attendance:
        echo_fitting(
            f"{item.model}: {item.asked - len(item.missing)} of {item.asked} requests "
            f"answered, {comparison.out_of_choice(item.model)} out-of-choice."
        )
    echo_fitting(f"In brackets: 95 % intervals over questions. Requests: {found.requests}")
    show_findings(found.findings)


def _score_table(title: str, rows: "Sequence[ScoreRow]", *, several: bool) -> None:
    header = [title, "category", "n", "out-of-choice", "missing"]
    header += ["exact match", "mean F1 (questions)", "F1 over groups"] if several else ["accuracy"]
    cells: list[list[object]] = []
    for row in rows:
        ratio = "" if row.out_of_choice_ratio is None else f" ({row.out_of_choice_ratio:.0%})"
        line = [row.model, row.group or "all", row.n, f"{row.out_of_choice}{ratio}", row.missing]
        line.append(_score(row.exact_match, row.exact_match_low, row.exact_match_high))
        if several:
            line.append(_score(row.mean_f1, row.mean_f1_low, row.mean_f1_high))
            line.append(_score(row.group_f1, None, None))
        cells.append(line)
    echo_table(header, cells, left=2)


def _pair_table(rows: "Sequence[PairRow]") -> None:
    def shown(value: float | None) -> str:
        return "" if value is None else _score(value, None, None)

    header = ["Between models", "and", "kind", "n"]
    header += ["exact match", "mean F1 (questions)", "F1 over groups"]
    cells = [
        [
            *(row.model, row.other, row.kind.value, row.n, _score(row.exact_match, None, None)),
            *(shown(row.mean_f1), shown(row.group_f1)),
        ]
        for row in rows
    ]
    echo_table(header, cells, left=3)


def _score(value: float | None, low: float | None, high: float | None) -> str:
    if value is None:
        return "undefined"
    return f"{value:.3f}" + (f" [{low:.3f}, {high:.3f}]" if low is not None else "")
