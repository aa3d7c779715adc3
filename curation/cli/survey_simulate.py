"""`curate survey simulate`: models are asked the survey's own questions."""

from collections.abc import Sequence
from pathlib import Path

import click

from curation.cli.common import (
    count_findings,
    finding_dict,
    json_option,
    plural,
    print_findings,
    print_json,
    table_lines,
    workspace_option,
)
from curation.cli.survey_simulate_run import (
    FOLDER,
    Prepared,
    SimulateRun,
    compare_models,
    prepare_requests,
    row_dict,
    save,
)
from curation.io.workspace import Workspace
from curation.model.findings import has_errors
from curation.model.survey import QuestionKind
from survey.simulate.bootstrap import DRAWS
from survey.simulate.requests import REQUESTS
from survey.simulate.scores import ScoreRow

_PREPARING = ("prompts", "wording")
_SCORING = ("replies", "requests")


@click.command("simulate")
@workspace_option
@click.option("--prepare", is_flag=True, help="Write the requests that models are to be asked.")
@click.option(
    "--replies",
    type=click.Path(path_type=Path),
    multiple=True,
    help="What models replied (JSON lines); may be given several times.",
)
@click.option(
    "--requests",
    type=click.Path(path_type=Path),
    help="What they were asked [default: requests.jsonl beside the replies, else in "
    f"exports/{FOLDER}].",
)
@click.option("--prompts", type=click.IntRange(1), help="Wordings of each question [default: 1].")
@click.option(
    "--wording",
    type=click.Path(path_type=Path),
    help="Prompts of your own (YAML), in place of the toolkit's.",
)
@click.option("--seed", type=int, help="Of the order of options, and of the bootstrap.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help=f"With --prepare the file [default: exports/{FOLDER}/{REQUESTS}]; with --replies a "
    "folder for the scores.",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    prepare: bool,
    replies: tuple[Path, ...],
    requests: Path | None,
    prompts: int | None,
    wording: Path | None,
    seed: int | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Ask models the survey's own questions, and compare.

    --prepare writes one request a question and wording; send them to a model with whatever
    client you use, and write its replies as {"request_id", "model", "reply"}, one a line.
    --replies reads them, and gives for each model, overall and by category, how often it chose
    as most people did (validation) and how well its groups are the people's target groups
    (target selection). The people's answers are those that 'curate filter' counted.

    \b
    Example: curate survey simulate --prepare --out requests.jsonl
             curate survey simulate --replies replies.jsonl --out simulated
    """  # noqa: D301  # \b keeps click from wrapping the example
    _refuse_mixed(ctx, prepare=prepare)
    drawn = workspace.culture.questionnaire.seed if seed is None else seed
    if prepare:
        made = prepare_requests(workspace, prompts or 1, wording, drawn, out)
        _tell(made, as_json=as_json)
        return
    run = compare_models(workspace, replies, requests, drawn)
    if out is not None:
        save(workspace, run, out)
    if as_json:
        print_json(_as_dict(run))
    else:
        _show(run)
    if has_errors(run.findings):
        ctx.exit(1)


def _refuse_mixed(ctx: click.Context, *, prepare: bool) -> None:
    """Refuse options of one step with the other."""
    given = {name for name, value in ctx.params.items() if value not in (None, (), False)}
    if prepare == bool(ctx.params["replies"]):
        raise click.UsageError("say either --prepare or --replies FILE")
    for name in _SCORING if prepare else _PREPARING:
        if name in given:
            raise click.UsageError(
                f"--{name} does not go with --{'prepare' if prepare else 'replies'}"
            )


def _tell(made: Prepared, *, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "requests": made.requests,
                "questions": made.kinds,
                "prompts": list(made.prompts),
                "seed": made.seed,
                "file": str(made.file),
            }
        )
        return
    parts = ", ".join(f"{number} {kind}" for kind, number in made.kinds.items() if number)
    wordings = len(made.prompts)
    click.echo(
        f"{made.requests} requests in {made.file}: {sum(made.kinds.values())} questions ({parts}) "
        f"in {wordings} {plural('wording', wordings)}, options ordered by seed {made.seed}."
    )


def _as_dict(run: SimulateRun) -> dict[str, object]:
    """Give the scores as `--json` prints them."""
    comparison = run.comparison
    return {
        "rows": [row_dict(row) for row in comparison.rows],
        "models": [
            {
                "model": item.model,
                "requests": item.requests,
                "replies": item.requests - len(item.missing),
                "out_of_choice": comparison.out_of_choice(item.model),
                "rules": comparison.rules(item.model),
                "missing": list(item.missing),
                "failed": item.failed,
                "unknown": list(item.unknown),
                "complete": not item.missing,
            }
            for item in comparison.attendance
        ],
        "duplicates": run.duplicates,
        "requests": str(run.requests),
        "seed": run.seed,
        "bootstrap_draws": DRAWS,
        "findings": [finding_dict(item) for item in run.findings],
    }


def _show(run: SimulateRun) -> None:
    comparison = run.comparison
    for kind, title in (
        (QuestionKind.CHOICE, "Validation"),
        (QuestionKind.SELECT_ALL, "Target selection"),
    ):
        rows = [row for row in comparison.rows if row.kind is kind]
        if rows:
            click.echo(
                "\n".join(_lines(title, rows, several=kind is QuestionKind.SELECT_ALL)) + "\n"
            )
    for item in comparison.attendance:
        replies = item.requests - len(item.missing)
        click.echo(
            f"{item.model}: {replies} of {item.requests} requests answered, "
            f"{comparison.out_of_choice(item.model)} out-of-choice."
        )
    click.echo(
        f"In brackets 95 % intervals: bootstrap over questions, {DRAWS:,} draws, seed {run.seed}. "
        f"Requests: {run.requests}"
    )
    if run.findings:
        print_findings(run.findings)
        click.echo(count_findings(run.findings))


def _lines(title: str, rows: Sequence[ScoreRow], *, several: bool) -> list[str]:
    header = [title, "category", "n", "out-of-choice", "missing"]
    header += ["exact match", "mean F1"] if several else ["accuracy"]
    cells: list[list[object]] = []
    for row in rows:
        line: list[object] = [row.model, row.group or "all", row.n]
        ratio = "" if row.out_of_choice_ratio is None else f" ({row.out_of_choice_ratio:.0%})"
        line += [f"{row.out_of_choice}{ratio}", row.missing]
        line.append(_score(row.exact_match, row.exact_match_low, row.exact_match_high))
        if several:
            line.append(_score(row.mean_f1, row.mean_f1_low, row.mean_f1_high))
        cells.append(line)
    return table_lines(header, cells, left=2)


def _score(value: float | None, low: float | None, high: float | None) -> str:
    if value is None:
        return "undefined"
    return f"{value:.3f}" + (f" [{low:.3f}, {high:.3f}]" if low is not None else "")
