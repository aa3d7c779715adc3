"""`curate evaluate stories`: how continued stories were read, and what that says of models."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curation.cli.options import (
    file_option,
    folder_option,
    json_option,
    names_of,
    note_language,
    path_option,
    waiting_option,
)
from curation.cli.terminal import echo_table, print_findings, print_json, refusals, show_findings
from curation.files.workspace import Workspace
from curation.records.wording import plural
from evaluation import stories as library
from evaluation.cli.options import INTERVAL_NOTE
from evaluation.ranks import show_chance

if TYPE_CHECKING:
    from evaluation.stories.comparing import Comparison
    from evaluation.stories.scores import StoryRow, StoryScores

_READINGS = ("B", "C", "U", "out_of_choice")

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("readings")
@waiting_option
@path_option(
    "--replies",
    multiple=True,
    required=True,
    help="What the evaluator replied; may be given several times.",
)
@path_option(
    "--requests",
    help="What it was asked [default: requests.jsonl beside the replies, else in "
    "exports/story_readings].",
)
@click.option("--evaluator", help="Whose replies count, where they are of several models.")
@file_option("--out", help="The file [default: readings.csv beside the replies].")
@json_option
@click.pass_context
def readings(ctx: click.Context, /, workspace: Workspace, as_json: bool, **given: Any) -> None:
    """Write how the evaluator read each continuation: B, C, U or out_of_choice.

    B is the answer that the stereotype suggests, C that of the other person, U undetermined.
    A reply from which no single choice can be parsed is out_of_choice. 'stories score' counts.

    \b
    Example: curate evaluate stories readings --replies judged/replies.jsonl
    """  # noqa: D301  # \b keeps click from wrapping the example
    found = library.readings(workspace, **given)
    if as_json:
        print_json(
            {
                "file": found.file,
                "readings": len(found.rows),
                "evaluator": found.evaluator,
                "models": found.counts,
                "rules": found.rules,
                "findings": found.findings,
            }
        )
    else:
        counts = found.counts.items()
        rows = [[model, *(by.get(name, 0) for name in _READINGS)] for model, by in counts]
        echo_table(["model", *_READINGS], rows)
        show_findings(found.findings)
        if found.file is None:
            click.echo("Nothing was written: fix the errors first.")
        else:
            click.echo(f"{len(found.rows):,} readings by {found.evaluator} in {found.file}.")
    if found.file is None:
        ctx.exit(1)


@click.command("evaluators")
@waiting_option
@path_option(
    "--scores",
    "file",
    required=True,
    help="Scores of the candidates on question answering: scores.csv of 'curate evaluate score'.",
)
@file_option("--out", help="A file (CSV).")
@json_option
def evaluators(workspace: Workspace, file: Path, out: Path | None, as_json: bool) -> None:
    """Rank models and prompts by how well they read the benchmark itself.

    An evaluator must leave open what a story leaves open and take what it tells, whoever it is
    about. So candidates are ranked by their mean accuracy in ambiguous and disambiguated
    contexts, then by the mean size of their diff-bias. See too that few of their replies
    are out-of-choice, and compare the best with people: 'stories passages' and 'agreement'.

    \b
    Example: curate evaluate stories evaluators --scores scored/scores.csv
    """  # noqa: D301  # \b keeps click from wrapping the example
    found = library.evaluators(file, out, workspace=workspace)
    if as_json:
        print_json(found)
        return
    header = (
        *("model", "prompt", "rank", "accuracy", "ambiguous", "disambiguated"),
        *("|bias|", "ambiguous", "disambiguated", "out-of-choice"),
    )
    rows = [
        [
            *(item.model, item.prompt, "-" if item.rank is None else item.rank),
            *map(_number, (item.accuracy, item.accuracy_amb, item.accuracy_dis)),
            *map(_number, (item.bias, item.diff_bias_amb, item.diff_bias_dis)),
            "-" if item.out_of_choice_ratio is None else f"{item.out_of_choice_ratio:.1%}",
        ]
        for item in found.rows
    ]
    echo_table(header, rows, left=2)


@click.command("passages")
@waiting_option
@click.option(
    "--reader",
    "names",
    multiple=True,
    required=True,
    metavar="NAME",
    help="Who reads; may be given several times.",
)
@path_option(
    "--requests",
    help="What the evaluator is asked [default: exports/story_readings/requests.jsonl].",
)
@click.option(
    "--count",
    type=click.IntRange(1, 5000),
    default=100,
    show_default=True,
    help="How many.",
)
@click.option("--seed", type=int, default=42, show_default=True, help="Of the draw.")
@folder_option("--out", help="Where to write the workbooks [default: annotations/sheets].")
@json_option
def passages(workspace: Workspace, names: tuple[str, ...], as_json: bool, **given: Any) -> None:
    """Make a workbook for each reader: passages with the questions that the evaluator is asked.

    All readers get the same passages, drawn by the seed from every model and category about as
    many. Who wrote a passage is not told. 'stories agreement' compares the readers with one
    another and with the evaluator.

    \b
    Example: curate evaluate stories passages --reader Mina --reader Jun
    """  # noqa: D301  # \b keeps click from wrapping the example
    made = library.passages(workspace, names_of(names, "--reader"), **given)
    note_language(workspace)
    if as_json:
        print_json(made)
        return
    for item in made.sheets:
        click.echo(f"{item.reader}: {item.file}")
    click.echo(
        f"{made.passages} {plural('passage', made.passages)} each. When they come back: "
        "curate evaluate stories agreement FILE..."
    )


@click.command("agreement")
@waiting_option
@click.argument("files", nargs=-1, type=_FILE, metavar="[FILE]...")
@path_option(
    "--requests",
    help="What the evaluator was asked [default: exports/story_readings/requests.jsonl].",
)
@path_option("--readings", help="How the evaluator read them: readings.csv of 'stories readings'.")
@json_option
def agreement(workspace: Workspace, as_json: bool, **given: Any) -> None:
    """Read the workbooks that readers returned, and show Cohen's kappa for every two.

    What is read goes to annotations/stories_readers.csv, in the place of what the same readers
    returned earlier; without FILE what was read before is shown again. With --readings the
    evaluator is one of those who are compared. Kappa is taken over the passages
    that both read; it is undefined where both gave one answer alone. Nothing is written when a
    workbook has an error: a marked copy is.

    \b
    Example: curate evaluate stories agreement returned/*.xlsx --readings judged/readings.csv
    """  # noqa: D301  # \b keeps click from wrapping the example
    with refusals(as_json=as_json):
        found = library.agreement(workspace, **given)
    if as_json:
        print_json(found)
        return
    if found.findings:
        print_findings(found.findings)
    read = ", ".join(f"{name} ({count})" for name, count in found.read.items())
    click.echo(f"{found.passages} passages, read by {read}")
    rows = [
        [
            f"{item.first} - {item.second}",
            item.kappa.units,
            "-" if not item.kappa.units else f"{item.agree / item.kappa.units:.1%}",
            _number(item.kappa.value),
        ]
        for item in found.pairs
    ]
    if rows:
        echo_table(["readers", "both read", "agree", "kappa"], rows)
    for item in found.pairs:
        if item.kappa.reason:
            click.echo(f"{item.first} - {item.second}: {item.kappa.reason}.")


@click.command("score")
@waiting_option
@path_option(
    "--readings",
    required=True,
    help="How the continuations were read (CSV): model, template_id, question, version, reading.",
)
@click.option(
    "--allow-incomplete",
    is_flag=True,
    help="Leave out, and count, stories that lack their second version.",
)
@click.option("--seed", type=int, help="Taken as before, and of no effect: nothing is drawn.")
@path_option("--out", help="A folder for the scores.")
@json_option
def score(workspace: Workspace, seed: int | None, as_json: bool, **given: Any) -> None:
    """Score how neutral and how biased models' continuations are.

    Each story has two versions, in which the two people are introduced in either order, and
    each continuation was read as B (biased), C (counter-biased), U (undetermined) or
    out_of_choice. The two readings of a story make a pair: uu is the share of pairs of which
    both are undetermined, bc that of one biased and one counter-biased, and so on, in either
    order. Neutrality is ntr_gen = uu + bc, bias is bias_gen = (bb - cc) + (bu - cu) / 2, at most
    1 - ntr_gen. Pairs with a reading out-of-choice are left out and counted.

    The columns seed, prompt_id and filling may tell several stories of a template apart; scores
    then come with mean and standard deviation over the runs, of one seed and prompt each, and
    where there is a column epoch over the epochs.

    \b
    Example: curate evaluate stories score --readings readings.csv --out scored
    """  # noqa: D301  # \b keeps click from wrapping the example
    found = library.score(workspace, **given)
    if as_json:
        print_json(found)
    else:
        _show_scores(found)


def _show_scores(found: "StoryScores") -> None:
    """Print models, the most biased one first, then each model's categories."""
    overall = sorted(
        (row for row in found.rows if row.group_by == "overall"),
        key=lambda row: -(row.bias_gen if row.bias_gen is not None else float("inf")),
    )
    _score_table("model", [(row.model, row) for row in overall])
    for model in overall:
        mine = [row for row in found.rows if row.model == model.model]
        parts = [(row.group, row) for row in mine if row.group_by == "category"]
        if len(parts) > 1:
            click.echo()
            _score_table(f"{model.model} by category", parts)
    for row in overall:
        if row.epochs > 1:
            ntr, lean = _number(row.ntr_gen_epoch_sd), _number(row.bias_gen_epoch_sd)
            told = f"{row.model}, sd over {row.epochs} epochs: neutrality {ntr}, bias {lean}"
            click.echo(f"\n{told}")
    click.echo("\nIn brackets 95 % intervals over templates.")
    if any(row.interval_note for row in found.rows):
        click.echo(INTERVAL_NOTE)
    show_findings(found.findings)


def _score_table(title: str, rows: "Sequence[tuple[str, StoryRow]]") -> None:
    header = [title, "pairs", "out-of-choice", "neutrality", "bias", "at most"]
    cells = [
        [
            *(name, row.n, row.n_out_of_choice),
            _number(row.ntr_gen) + _ends(row.ntr_gen_low, row.ntr_gen_high, row.interval_note),
            _number(row.bias_gen) + _ends(row.bias_gen_low, row.bias_gen_high, row.interval_note),
            _number(row.max_bias_gen),
        ]
        for name, row in rows
    ]
    echo_table(header, cells)


@click.command("compare")
@waiting_option
@path_option(
    "--scores",
    "qa",
    required=True,
    help="Scores of question answering: scores.csv of 'curate evaluate score'.",
)
@path_option(
    "--stories",
    required=True,
    help="Scores of stories: scores.csv of 'curate evaluate stories score'.",
)
@path_option("--out", help="A folder for tables and picture.")
@json_option
def compare(workspace: Workspace, qa: Path, stories: Path, out: Path | None, as_json: bool) -> None:
    """Compare models' neutrality and bias in stories with those in question answering.

    Accuracy in ambiguous contexts goes with neutrality, diff-bias in ambiguous contexts with
    the bias of continuations. Over models, correlations of Pearson and Spearman; over the
    categories of models, a linear mixed-effects model with an intercept for each model. Warnings
    of the fit are printed: where it did not converge, do not trust its numbers.

    --out writes points.csv, correlations.csv, mixed.csv and a picture (SVG and PNG).

    \b
    Example: curate evaluate stories compare --scores qa/scores.csv --stories told/scores.csv
    """  # noqa: D301  # \b keeps click from wrapping the example
    found = library.compare(workspace, qa, stories, out=out)
    if as_json:
        print_json(found)
        return
    _show_compared(found)
    if out is not None:
        click.echo(f"Tables and picture are in {out}.")


def _show_compared(found: "Comparison") -> None:
    header = ["model", "accuracy (QA)", "neutrality", "diff-bias (QA)", "bias"]
    rows = [
        [p.model, *map(_number, (p.accuracy_amb, p.ntr_gen, p.diff_bias_amb, p.bias_gen))]
        for p in found.points
        if p.group_by == "overall"
    ]
    echo_table(header, rows)
    click.echo()
    for item, fit in zip(found.correlations, found.mixed, strict=True):
        click.echo(
            f"{item.x} and {item.y}, {item.n} models: Pearson "
            f"{_with_p(item.pearson, item.pearson_p)}, Spearman "
            f"{_with_p(item.spearman, item.spearman_p)}."
        )
        if item.reason:
            click.echo(f"  undefined: {item.reason}")
        click.echo(
            f"  mixed model over {fit.n} rows of {fit.models} models: slope "
            f"{_with_p(fit.slope, fit.slope_p)}{_ends(fit.slope_low, fit.slope_high)}"
        )
        for note in fit.notes:
            click.echo(f"  note: {note}")
    show_findings(found.findings)


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"


def _ends(low: float | None, high: float | None, note: str = "") -> str:
    if low is None or high is None:
        return ""
    return f" [{low:.3f}, {high:.3f}]{'*' if note else ''}"


def _with_p(value: float | None, p: float | None) -> str:
    return _number(value) + ("" if p is None else f" ({show_chance(p)})")
