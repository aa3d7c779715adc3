"""`curate evaluate compare models`: do two models differ?"""

from pathlib import Path

import click

from curation.cli.common import json_option, workspace_option
from curation.cli.evaluate_comparing import out_option, publish
from curation.io.workspace import Workspace
from evaluation.bootstrap import DRAWS
from evaluation.compare.models import MODEL_COLUMNS, compare_models
from evaluation.tallies import read_scored


@click.command("models")
@workspace_option
@click.argument("scores", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--model",
    "models",
    multiple=True,
    help="Which; name two or more [default: all of the folder].",
)
@click.option("--draws", type=click.IntRange(1), default=DRAWS, show_default=True)
@click.option("--seed", type=int, default=42, show_default=True, help="Of the draws.")
@out_option
@json_option
def command(
    workspace: Workspace,
    scores: Path,
    models: tuple[str, ...],
    draws: int,
    seed: int,
    out: Path | None,
    as_json: bool,
) -> None:
    """Compare models that were asked the same requests, template by template.

    SCORES is a folder that 'curate evaluate score --out' wrote. The interval of a difference is
    from a bootstrap that draws the same templates for both; p is Wilcoxon's signed-rank test
    over templates, corrected by Holm over all rows.
    """
    del workspace
    scored = read_scored(scores)
    chosen = list(dict.fromkeys(models)) or scored.models
    if len(chosen) < 2:
        raise click.UsageError(f"name two models or more; there are {', '.join(scored.models)}")
    rows = list(compare_models(scored, chosen, draws, seed))
    settings = {"draws": draws, "seed": seed, "set": scored.kind.value}
    publish({"models": (MODEL_COLUMNS, rows)}, [], [scored], settings, out, as_json=as_json)
