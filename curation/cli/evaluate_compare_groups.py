"""`curate evaluate compare groups`: do categories or labels differ?"""

from pathlib import Path

import click

from curation.cli.common import json_option, workspace_option
from curation.cli.evaluate_comparing import out_option, publish, unit_option
from curation.io.workspace import Workspace
from evaluation.compare.groups import (
    ANOVA_COLUMNS,
    GROUPINGS,
    LEVEL,
    TUKEY_COLUMNS,
    group_tests,
)
from evaluation.compare.values import Unit
from evaluation.tallies import read_scored


@click.command("groups")
@workspace_option
@click.argument("scores", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--by",
    "groupings",
    type=click.Choice(GROUPINGS),
    multiple=True,
    help="What is compared [default: both].",
)
@unit_option
@out_option
@json_option
def command(
    workspace: Workspace,
    scores: Path,
    groupings: tuple[str, ...],
    unit: str,
    out: Path | None,
    as_json: bool,
) -> None:
    """Test whether a model's scores differ between categories or labels.

    SCORES is a folder that 'curate evaluate score --out' wrote. One-way ANOVA for each model and
    score, its p-values corrected by Holm over all tests of a model; then Tukey's HSD, whose 99 %
    intervals and p-values hold for all pairs of a test together.
    """
    del workspace
    scored = read_scored(scores)
    frames = {model: scored.of(model) for model in scored.models}
    found = group_tests(frames, groupings or GROUPINGS, Unit(unit), scored.kind)
    skipped = sorted({name for _, name in found.skipped})
    notes = [f"with fewer than two values, and left out: {', '.join(skipped)}"] if skipped else []
    tables = {"anova": (ANOVA_COLUMNS, found.anova), "tukey": (TUKEY_COLUMNS, found.tukey)}
    settings = {"unit": unit, "level": LEVEL, "set": scored.kind.value}
    publish(tables, notes, [scored], settings, out, as_json=as_json)
