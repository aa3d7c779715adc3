"""`curate survey simulate`: models are asked the survey's own questions."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from curation.cli import options, terminal
from curation.files.workspace import Workspace
from curation.records.messages import Results, counted
from curation.records.survey import QuestionKind
from curation.report.texts import typed_share
from evaluation import simulate as library
from evaluation.cli import options as shared

_STEPS = {
    "prompts": ("requests to be written, not with --replies",),
}

_MORE = {"mean_f1": "mean F1 (questions)", "group_f1": "F1 over groups"}
_MEASURES = {"exact_match": "exact match", **_MORE}


@options.curate_command("simulate")
@options.path_option(
    "--replies",
    multiple=True,
    help="Replies of models (JSON lines), beside their requests.jsonl or to those in "
    "exports/simulate; may be given several times.",
)
@click.option(
    "--prompts",
    metavar="N|FILE",
    help="Number of the toolkit's wordings of each question, or a file (YAML) of your own, which "
    "are all used [default: 1].",
)
@options.path_option(
    "--out",
    help="The file of requests to write [default: exports/simulate/requests.jsonl]. With "
    "--replies: a folder for the scores.",
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    replies: tuple[Path, ...],
    prompts: str | None,
    out: Path | None,
) -> terminal.Taken:
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
    options.refuse_stray(ctx, _STEPS, () if replies else _STEPS["prompts"])
    if replies:
        found = library.simulate(workspace, replies, out=out)
        return found, found.findings, partial(_show, found)
    wording = "1" if prompts is None else prompts
    own = not wording.isdecimal()
    made = library.prepare(workspace, Path(wording) if own else int(wording), out=out)
    options.note_unreviewed(workspace.language, *(() if own else ("simulate",)), "survey")
    kinds = made["questions"]
    parts = ", ".join(f"{number} {kind}" for kind, number in kinds.items() if number)
    said = (
        f"{counted(made['requests'], 'request')} in {made['file']}: {sum(kinds.values())} "
        f"questions ({parts}) in {counted(len(made['prompts']), 'wording')}, with the order of "
        f"options drawn by seed {made['seed']}."
    )
    return made, False, partial(terminal.echo_fitting, said)


def _show(found: Results) -> None:
    for kind, title, measures in (
        (QuestionKind.CHOICE, "Validation", {"exact_match": "accuracy"}),
        (QuestionKind.SELECT_ALL, "Target selection", _MEASURES),
    ):
        header = [title, "category", "n", "out-of-choice", "missing", *measures.values()]
        cells = [
            [
                *(row["model"], row["group"] or "all", row["n"], _out_of_choice(row)),
                *(row["missing"], *(shared.measured(row, name) for name in measures)),
            ]
            for row in found.rows
            if row["kind"] == kind
        ]
        if cells:
            terminal.echo_table(header, cells, left=2)
            click.echo()
    if found["pairs"]:
        pairs = [
            [
                *(
                    row["model"],
                    row["other"],
                    row["kind"],
                    row["n"],
                    shared.measured(row, "exact_match"),
                ),
                *("" if row[name] is None else shared.measured(row, name) for name in _MORE),
            ]
            for row in found["pairs"]
        ]
        header = ["Between models", "and", "kind", "n", *_MEASURES.values()]
        terminal.echo_table(header, pairs, left=3)
        click.echo()
    for item in found["models"]:
        said = "{model}: {replies} of {requests} requests answered, {out_of_choice} out-of-choice."
        terminal.echo_fitting(said.format(**item))
    terminal.echo_fitting(
        f"In brackets: 95 % intervals over questions. Requests: {found['requests']}"
    )
    terminal.show_findings(found.findings)


def _out_of_choice(row: Mapping[str, Any]) -> str:
    ratio = row["out_of_choice_ratio"]
    return f"{row['out_of_choice']}" + ("" if ratio is None else f" ({typed_share(ratio)})")
