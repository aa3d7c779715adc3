"""`curate evaluate stories score`: neutrality and bias of continued stories."""

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
from curation.cli.final import manifest_inputs
from curation.io.manifest import write_manifest
from curation.io.tables import write_csv
from curation.io.workspace import Workspace
from curation.model.errors import CurateError
from evaluation.bootstrap import DRAWS
from evaluation.stories.readings import Pairs, read_pairs
from evaluation.stories.scores import OVERALL, SCORE_COLUMNS, StoryRow, row_dict, score_rows


@click.command("score")
@workspace_option
@click.option(
    "--readings",
    type=click.Path(path_type=Path),
    required=True,
    help="How the continuations were read (CSV): model, template_id, question, version, reading.",
)
@click.option(
    "--allow-incomplete",
    is_flag=True,
    help="Leave out, and count, stories that lack their second version.",
)
@click.option("--seed", type=int, default=42, show_default=True, help="Of the bootstrap.")
@click.option("--out", type=click.Path(path_type=Path), help="A folder for the scores.")
@json_option
def command(
    workspace: Workspace,
    readings: Path,
    allow_incomplete: bool,
    seed: int,
    out: Path | None,
    as_json: bool,
) -> None:
    """Score how neutral and how biased models' continuations are.

    Each story has two versions, in which the two people are introduced in either order, and
    each continuation was read as B (biased), C (counter-biased), U (undetermined) or
    out_of_choice. The two readings of a story make a pair: uu is the share of pairs of which
    both are undetermined, bc that of one biased and one counter-biased, and so on, in either
    order. Neutrality is ntr_gen = uu + bc, bias is bias_gen = (bb - cc) + (bu - cu) / 2, at most
    1 - ntr_gen. Pairs with a reading out-of-choice are left out and counted.

    The columns seed, prompt_id and filling may tell several stories of a template apart; scores
    then come with mean and standard deviation over the runs, of one seed and prompt each.

    \b
    Example: curate evaluate stories score --readings readings.csv --out scored
    """  # noqa: D301  # \b keeps click from wrapping the example
    pairs = read_pairs(readings, allow_incomplete=allow_incomplete)
    rows = list(score_rows(pairs, seed))
    if out is not None:
        _save(workspace, readings, pairs, rows, seed, out)
    if as_json:
        findings = [finding_dict(item) for item in pairs.findings]
        print_json(
            {
                "rows": [row_dict(row) for row in rows],
                "seed": seed,
                "bootstrap_draws": DRAWS,
                "findings": findings,
            }
        )
    else:
        _show(pairs, rows, seed)


def _save(
    workspace: Workspace,
    readings: Path,
    pairs: Pairs,
    rows: Sequence[StoryRow],
    seed: int,
    folder: Path,
) -> None:
    if folder.exists() and not folder.is_dir():
        raise CurateError(f"{folder} is no folder", str(folder), "name a folder for the scores")
    file = folder / "scores.csv"
    cells = (["" if v is None else v for v in row_dict(row).values()] for row in rows)
    write_csv(file, SCORE_COLUMNS, cells)
    write_manifest(
        folder,
        inputs=manifest_inputs(workspace, [readings]),
        counts={"models": len(pairs.models), "pairs": len(pairs.kind)},
        settings={"seed": seed, "bootstrap_draws": DRAWS},
        files=[file],
    )


def _show(pairs: Pairs, rows: Sequence[StoryRow], seed: int) -> None:
    """Print models by falling bias, then each model's categories."""
    overall = sorted(
        (row for row in rows if row.group_by == OVERALL),
        key=lambda row: -(row.bias_gen if row.bias_gen is not None else float("inf")),
    )
    click.echo("\n".join(_lines("model", [(row.model, row) for row in overall])))
    for model in overall:
        parts = [row for row in rows if row.model == model.model and row.group_by == "category"]
        if len(parts) > 1:
            title = f"{model.model} by category"
            click.echo("\n" + "\n".join(_lines(title, [(row.group, row) for row in parts])))
    click.echo(
        f"\nIn brackets 95 % intervals: bootstrap over templates, {DRAWS:,} draws, seed {seed}."
    )
    if pairs.findings:
        print_findings(pairs.findings)
        click.echo(count_findings(pairs.findings))


def _lines(title: str, rows: Sequence[tuple[str, StoryRow]]) -> list[str]:
    header = [title, "pairs", "out-of-choice", "neutrality", "bias", "at most"]
    cells = [
        [
            name,
            row.n,
            row.n_out_of_choice,
            _score(row.ntr_gen, row.ntr_gen_low, row.ntr_gen_high),
            _score(row.bias_gen, row.bias_gen_low, row.bias_gen_high),
            _score(row.max_bias_gen, None, None),
        ]
        for name, row in rows
    ]
    return table_lines(header, cells)


def _score(value: float | None, low: float | None, high: float | None) -> str:
    if value is None:
        return "undefined"
    return f"{value:.3f}" + (f" [{low:.3f}, {high:.3f}]" if low is not None else "")
