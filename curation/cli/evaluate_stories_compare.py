"""`curate evaluate stories compare`: stories held against question answering."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
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
from curation.model.findings import Finding
from evaluation.stories.compare import (
    COMPARED,
    GROUPINGS,
    POINT_COLUMNS,
    QA_COLUMNS,
    STORY_COLUMNS,
    Correlation,
    Mixed,
    Point,
    correlate,
    fit_mixed,
    joined,
)
from evaluation.stories.score_tables import read_scores


@dataclass(frozen=True, slots=True)
class _Compared:
    """The comparison."""

    points: tuple[Point, ...]
    correlations: tuple[Correlation, ...]
    fits: tuple[Mixed, ...]
    findings: tuple[Finding, ...]


@click.command("compare")
@workspace_option
@click.option(
    "--scores",
    type=click.Path(path_type=Path),
    required=True,
    help="Scores of question answering: scores.csv of 'curate evaluate score'.",
)
@click.option(
    "--stories",
    type=click.Path(path_type=Path),
    required=True,
    help="Scores of stories: scores.csv of 'curate evaluate stories score'.",
)
@click.option("--out", type=click.Path(path_type=Path), help="A folder for tables and picture.")
@json_option
def command(
    workspace: Workspace, scores: Path, stories: Path, out: Path | None, as_json: bool
) -> None:
    """Hold models' neutrality and bias in stories against those in question answering.

    Accuracy in ambiguous contexts goes with neutrality, diff-bias in ambiguous contexts with
    the bias of continuations. Over models, correlations of Pearson and Spearman; over the
    categories of models, a linear mixed-effects model with an intercept for each model. What
    the fit warns of is said: where it did not converge, do not trust its numbers.

    --out writes points.csv, correlations.csv, mixed.csv and a picture (SVG and PNG).

    \b
    Example: curate evaluate stories compare --scores qa/scores.csv --stories told/scores.csv
    """  # noqa: D301  # \b keeps click from wrapping the example
    qa = read_scores(scores, QA_COLUMNS, GROUPINGS)
    told = read_scores(stories, STORY_COLUMNS, GROUPINGS)
    points, findings = joined(qa, told, (str(scores), str(stories)))
    found = _Compared(
        points=tuple(points),
        correlations=tuple(correlate(points, x, y) for x, y in COMPARED),
        fits=tuple(fit_mixed(points, x, y) for x, y in COMPARED),
        findings=tuple(findings),
    )
    files = [] if out is None else _save(workspace, found, (scores, stories), out)
    if as_json:
        print_json(
            {
                "points": [asdict(item) for item in found.points],
                "correlations": [asdict(item) for item in found.correlations],
                "mixed": [asdict(item) for item in found.fits],
                "files": [str(path) for path in files],
                "findings": [finding_dict(item) for item in found.findings],
            }
        )
        return
    _show(found)
    if out is not None:
        click.echo(f"Tables and picture are in {out}.")


def _save(
    workspace: Workspace, found: _Compared, inputs: Sequence[Path], folder: Path
) -> list[Path]:
    from evaluation.stories.picture import draw

    if folder.exists() and not folder.is_dir():
        raise CurateError(f"{folder} is no folder", str(folder), "name a folder")
    folder.mkdir(parents=True, exist_ok=True)
    tables = {
        "points.csv": (POINT_COLUMNS, found.points),
        "correlations.csv": (tuple(Correlation.__dataclass_fields__), found.correlations),
        "mixed.csv": (tuple(Mixed.__dataclass_fields__), found.fits),
    }
    files = []
    for name, (columns, rows) in tables.items():
        files.append(folder / name)
        write_csv(files[-1], columns, ([_cell(getattr(row, c)) for c in columns] for row in rows))
    files += draw(found.points, found.correlations, found.fits, folder / "stories_and_qa")
    counts = {"models": len({point.model for point in found.points})}
    write_manifest(folder, manifest_inputs(workspace, inputs), counts, {}, files)
    return files


def _cell(value: object) -> object:
    if isinstance(value, tuple):
        return " | ".join(map(str, value))
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else value


def _show(found: _Compared) -> None:
    overall = [point for point in found.points if point.group_by == "overall"]
    header = ["model", "accuracy (QA)", "neutrality", "diff-bias (QA)", "bias"]
    rows = [
        [p.model, *map(_number, (p.accuracy_amb, p.ntr_gen, p.diff_bias_amb, p.bias_gen))]
        for p in overall
    ]
    click.echo("\n".join(table_lines(header, rows)) + "\n")
    for item, fit in zip(found.correlations, found.fits, strict=True):
        click.echo(
            f"{item.x} and {item.y}, {item.n} models: Pearson "
            f"{_with_p(item.pearson, item.pearson_p)}, Spearman "
            f"{_with_p(item.spearman, item.spearman_p)}."
        )
        if item.reason:
            click.echo(f"  undefined: {item.reason}")
        ends = (
            f" [{_number(fit.slope_low)}, {_number(fit.slope_high)}]"
            if fit.slope_low is not None
            else ""
        )
        click.echo(
            f"  mixed model over {fit.n} rows of {fit.models} models: slope "
            f"{_with_p(fit.slope, fit.slope_p)}{ends}"
        )
        if fit.converged is False:
            click.echo("  the fit did NOT converge: do not trust its numbers")
        for note in fit.notes:
            click.echo(f"  note: {note}")
    if found.findings:
        print_findings(found.findings)
        click.echo(count_findings(found.findings))


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"


def _with_p(value: float | None, p: float | None) -> str:
    return _number(value) + ("" if p is None else f" (p = {p:.3g})")
