"""`curate evaluate report`: what was asked and found, as a page, a text, pictures and tables."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import click

from curation import __version__
from curation.cli.common import (
    finding_dict,
    json_option,
    print_findings,
    print_json,
    workspace_option,
)
from curation.cli.evaluate_options import scoring_options
from curation.cli.evaluate_scoring import (
    Read,
    ScoreRun,
    Wanted,
    missing_counts,
    read_all,
    score_read,
    settings_of,
)
from curation.io.atomic import atomic_text, staged_folder
from curation.io.manifest import write_manifest
from curation.io.tables import write_csv
from curation.io.workspace import Workspace
from evaluation.answers import MISSING, Mode
from evaluation.report.data import Material, build
from evaluation.report.examples import drawn_places, examples, replies_to
from evaluation.report.families import Family, read_occupations, read_stories
from evaluation.report.html import page
from evaluation.report.markdown import markdown
from evaluation.report.pictures import pictures
from evaluation.report.records import Benchmark, EvaluationReport, Example, ReadAs, Settings
from evaluation.report.tables import tables, write_tables
from evaluation.report.words import PREDICTED, summary
from evaluation.tables import cells
from evaluation.tallies import TALLIES, TALLY_COLUMNS

_FILE = click.Path(dir_okay=False, path_type=Path)


@dataclass(frozen=True, slots=True)
class Extras:
    """What a report has beside the scores of question answering.

    Attributes:
        browse: How many requests are shown with their replies.
        stories: Scores of stories.
        occupations: Scores of occupations.
    """

    browse: int = 100
    stories: Family | None = None
    occupations: Family | None = None


@click.command("report")
@workspace_option
@scoring_options
@click.option("--allow-incomplete", is_flag=True, help="Report although requests lack a reply.")
@click.option(
    "--browse",
    type=click.IntRange(0),
    default=100,
    show_default=True,
    help="How many requests are shown with every model's reply, drawn by --seed.",
)
@click.option(
    "--stories",
    type=_FILE,
    help="Scores of stories: scores.csv of 'curate evaluate stories score'.",
)
@click.option(
    "--occupations",
    type=_FILE,
    help="Scores of occupations: scores.csv of 'curate evaluate occupations score'.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder to write to [default: exports/evaluation/report of the workspace].",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    wanted: Wanted,
    allow_incomplete: bool,
    browse: int,
    stories: Path | None,
    occupations: Path | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Report what models were asked and what their scores are.

    Writes report.html (one page that needs no network), report.md, tables as CSV and pictures
    as SVG and PNG: scores with intervals, categories, labels, prompts and orders; how replies
    were read; samples with replies; the method in words. With --stories and --occupations,
    scores of the two other families stand beside, and models are ranked by every measure.

    The folder is one of scores too: 'curate evaluate compare' works on it.

    \b
    Example: curate evaluate report --replies replies.jsonl --out report
             curate evaluate report --replies replies.jsonl --stories told/scores.csv
    """  # noqa: D301  # \b keeps click from wrapping the example
    extras = Extras(
        browse=browse,
        stories=read_stories(stories) if stories else None,
        occupations=read_occupations(occupations) if occupations else None,
    )
    read = read_all(workspace, wanted, texts=browse > 0)
    run = score_read(read, wanted)
    if run.incomplete and not allow_incomplete:
        _refuse(run, as_json=as_json)
        ctx.exit(1)
    report = report_of(workspace, wanted, read, run, extras)
    folder = out or workspace.exports_folder / "evaluation" / "report"
    inputs = {**run.inputs, **_further_inputs(workspace, stories, occupations)}
    settings = {**settings_of(run, wanted), "browse": browse}
    files = _write(report, run, folder, inputs, settings)
    if as_json:
        print_json(_as_dict(report, run, folder, files))
        return
    click.echo(summary(report))
    for note in report.notes:
        click.echo(f"Note: {note}", err=True)
    click.echo(
        f"Wrote report.html, report.md, tables and pictures ({len(files)} files) to {folder}."
    )


def _refuse(run: ScoreRun, *, as_json: bool) -> None:
    if as_json:
        print_json({"files": [], "rows": [], "findings": list(map(finding_dict, run.findings))})
    else:
        print_findings(run.findings, err=True)


def report_of(
    workspace: Workspace, wanted: Wanted, read: Read, run: ScoreRun, extras: Extras
) -> EvaluationReport:
    """Put a report together from what was read and scored.

    Raises:
        CurateError: If culture.yaml cannot be read.
    """
    return build(
        Material(
            benchmark=_benchmark(workspace, wanted),
            settings=_settings(read, run, wanted),
            rows=run.rows,
            positions=run.positions,
            tallies=run.tallies,
            read_as=_read_as(read),
            findings=run.findings,
            stories=extras.stories,
            occupations=extras.occupations,
            examples=_examples(read, wanted, extras.browse),
        )
    )


def _benchmark(workspace: Workspace, wanted: Wanted) -> Benchmark:
    """Tell what the benchmark is called; without culture.yaml by the file that was scored."""
    if workspace.culture_file.exists():
        culture = workspace.culture
        return Benchmark(culture.culture, culture.version, culture.language, __version__)
    files = (*((wanted.samples,) if wanted.samples else ()), *wanted.predictions)
    return Benchmark(files[0].name if files else workspace.root.resolve().name, "", "", __version__)


def _settings(read: Read, run: ScoreRun, wanted: Wanted) -> Settings:
    grid = read.grid
    return Settings(
        kind=run.kind,
        orders=run.orders,
        mode=PREDICTED if wanted.predictions else wanted.mode,
        draws=wanted.draws,
        seed=wanted.seed,
        samples=len(grid.samples.ids),
        templates=len(grid.samples.units),
        prompts=grid.prompts,
        requests=int(grid.asked.sum()),
        possible=grid.size,
    )


def _read_as(read: Read) -> tuple[ReadAs, ...]:
    return tuple(
        ReadAs(
            model=item.model,
            rules={name: n for name, n in item.rules.items() if n and name != MISSING},
            failed=item.failed,
            missing=len(item.attendance.missing),
        )
        for item in read.models
    )


def _examples(read: Read, wanted: Wanted, browse: int) -> tuple[Example, ...]:
    places = drawn_places(read.grid, browse, wanted.seed)
    mode = cast("Mode", wanted.mode)
    replies = replies_to(read.grid, places, read.replies, mode, read.filled)
    return tuple(examples(read.grid, places, read.samples, read.models, replies))


def _further_inputs(
    workspace: Workspace, stories: Path | None, occupations: Path | None
) -> dict[str, Path]:
    """Name the inputs beside those of the scores, for the manifest."""
    families = {"stories": stories, "occupations": occupations}
    found = {f"{name}: {path.name}": path for name, path in families.items() if path}
    if workspace.culture_file.exists():
        found["culture.yaml"] = workspace.culture_file
    return found


def _write(
    report: EvaluationReport,
    run: ScoreRun,
    folder: Path,
    inputs: Mapping[str, Path],
    settings: Mapping[str, object],
) -> list[str]:
    """Write everything beside, and move it over as a whole; gives the files."""
    drawn = list(pictures(report))
    texts = {"report.html": page(report, drawn), "report.md": markdown(report, drawn)}
    with staged_folder(folder) as stage:
        for name, text in texts.items():
            with atomic_text(stage / name) as stream:
                stream.write(text)
        for picture in drawn:
            picture.save(stage / "pictures")
        write_tables(stage, tables(report))
        write_csv(stage / TALLIES, TALLY_COLUMNS, cells(run.tallies, TALLY_COLUMNS))
        written = sorted(path for path in stage.rglob("*") if path.is_file())
        names = [path.relative_to(stage).as_posix() for path in written]
    counts = {**missing_counts(run), "requests shown": len(report.examples)}
    write_manifest(folder, inputs, counts, settings, [folder / name for name in names])
    return names


def _as_dict(
    report: EvaluationReport, run: ScoreRun, folder: Path, files: list[str]
) -> dict[str, object]:
    return {
        "folder": str(folder),
        "files": files,
        "summary": summary(report),
        "notes": list(report.notes),
        "findings": [finding_dict(item) for item in run.findings],
        "rows": list(report.rows),
        **{item.name: list(item.rows) for item in tables(report) if item.name != "scores"},
    }
