"""`curate evaluate stories evaluators`: which model and prompt should read the stories."""

from dataclasses import asdict
from pathlib import Path

import click

from curation.cli.common import json_option, print_json, table_lines, workspace_option
from curation.io.tables import write_csv
from curation.io.workspace import Workspace
from evaluation.stories.evaluators import (
    CANDIDATE_COLUMNS,
    COLUMNS,
    OPTIONAL,
    Candidate,
    rank_candidates,
)
from evaluation.stories.score_tables import read_scores


@click.command("evaluators")
@workspace_option
@click.option(
    "--scores",
    type=click.Path(path_type=Path),
    required=True,
    help="Scores of the candidates on question answering: scores.csv of 'curate evaluate score'.",
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="A file (CSV).")
@json_option
def command(workspace: Workspace, scores: Path, out: Path | None, as_json: bool) -> None:
    """Rank models and prompts by how well they read the benchmark itself.

    An evaluator must leave open what a story leaves open and take what it tells, whoever it is
    about. So candidates are ranked by their mean accuracy in ambiguous and disambiguated
    contexts, then by their mean diff-bias without its sign. See too that few of their replies
    are out-of-choice, and hold the best against people: 'stories passages' and 'agreement'.

    \b
    Example: curate evaluate stories evaluators --scores scored/scores.csv
    """  # noqa: D301  # \b keeps click from wrapping the example
    rows = read_scores(scores, COLUMNS, ("overall", "prompt"), OPTIONAL)
    ranked = rank_candidates(rows)
    if out is not None:
        cells = [["" if value is None else value for value in asdict(c).values()] for c in ranked]
        write_csv(out, CANDIDATE_COLUMNS, cells)
    if as_json:
        print_json({"rows": [asdict(item) for item in ranked]})
        return
    click.echo("\n".join(table_lines(_HEADER, [_line(item) for item in ranked], left=2)))


_HEADER = (
    *("model", "prompt", "rank", "accuracy", "ambiguous", "disambiguated"),
    *("|bias|", "ambiguous", "disambiguated", "out-of-choice"),
)


def _line(item: Candidate) -> list[object]:
    ratio = item.out_of_choice_ratio
    return [
        *(item.model, item.prompt, "-" if item.rank is None else item.rank),
        *map(_number, (item.accuracy, item.accuracy_amb, item.accuracy_dis)),
        *map(_number, (item.bias, item.diff_bias_amb, item.diff_bias_dis)),
        "-" if ratio is None else f"{ratio:.1%}",
    ]


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"
