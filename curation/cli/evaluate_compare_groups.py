"""`curate evaluate compare groups`: do categories or labels differ?"""

from pathlib import Path

import click

from curation.cli.common import json_option, workspace_option
from curation.cli.evaluate_comparing import out_option, publish, unit_option
from curation.io.workspace import Workspace
from evaluation.compare.correction import holm
from evaluation.compare.groups import (
    ANOVA_COLUMNS,
    LEVEL,
    TUKEY_COLUMNS,
    GroupTests,
    compare_groups,
)
from evaluation.compare.values import Unit
from evaluation.score import Row
from evaluation.tallies import read_scored

_GROUPINGS = ("category", "label")


@click.command("groups")
@workspace_option
@click.argument("scores", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--by",
    "groupings",
    type=click.Choice(_GROUPINGS),
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
    found: list[GroupTests] = []
    anova: list[Row] = []
    for model in scored.models:
        mine = [
            compare_groups(model, scored.of(model), name, Unit(unit), scored.kind)
            for name in groupings or _GROUPINGS
        ]
        rows = [row for item in mine for row in item.anova]
        adjusted = holm([row["p"] for row in rows])  # type: ignore[misc]
        anova += [{**row, "p_holm": p} for row, p in zip(rows, adjusted, strict=True)]
        found += mine
    skipped = sorted({name for item in found for _, name in item.skipped})
    notes = [f"with fewer than two values, and left out: {', '.join(skipped)}"] if skipped else []
    tukey = [row for item in found for row in item.tukey]
    tables = {"anova": (ANOVA_COLUMNS, anova), "tukey": (TUKEY_COLUMNS, tukey)}
    settings = {"unit": unit, "level": LEVEL, "set": scored.kind.value}
    publish(tables, notes, [scored], settings, out, as_json=as_json)
