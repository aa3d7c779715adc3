"""`curate evaluate compare benchmarks`: do two benchmarks, or two sets of one, score alike?"""

from pathlib import Path

import click

from curation.cli.common import json_option, workspace_option
from curation.cli.evaluate_comparing import out_option, publish, unit_option
from curation.io.workspace import Workspace
from curation.model.errors import CurateError
from evaluation.compare.benchmarks import BENCHMARK_COLUMNS, compare_benchmarks
from evaluation.compare.values import Unit
from evaluation.tallies import Scored, read_scored


@click.command("benchmarks")
@workspace_option
@click.argument("first", type=click.Path(file_okay=False, path_type=Path))
@click.argument("second", type=click.Path(file_okay=False, path_type=Path))
@unit_option
@out_option
@json_option
def command(
    workspace: Workspace, first: Path, second: Path, unit: str, out: Path | None, as_json: bool
) -> None:
    """Compare the scores of the same models on two benchmarks, overall and by label.

    FIRST and SECOND are folders that 'curate evaluate score --out' wrote: of an adapted and a
    machine-translated benchmark, say, or of the test set and the entire set, to see whether the
    one stands for the other. Wilcoxon's rank-sum test, corrected by Holm over all tests of a
    model.
    """
    del workspace
    one, two = read_scored(first), read_scored(second)
    rows = list(compare_benchmarks(one, two, Unit(unit)))
    if not rows:
        raise CurateError(
            "the two folders have no model in common",
            f"{first}: {', '.join(one.models)}; {second}: {', '.join(two.models)}",
            "score the same models on both, under the same names",
        )
    settings = {"unit": unit, "set_1": one.kind.value, "set_2": two.kind.value}
    tables = {"benchmarks": (BENCHMARK_COLUMNS, rows)}
    publish(tables, _notes(one, two), [one, two], settings, out, as_json=as_json)


def _notes(one: Scored, two: Scored) -> list[str]:
    alone = sorted(set(one.models) ^ set(two.models))
    return [f"in one folder alone, and left out: {', '.join(alone)}"] if alone else []
