"""One run of scoring: load, read, count, score, and write."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from evaluation.filled import read_filled

from curation.cli.evaluate_inputs import chosen_prompts, samples_file
from curation.io.manifest import write_manifest
from curation.io.tables import write_csv
from curation.io.workspace import Workspace
from curation.model.findings import Finding, has_errors
from evaluation.answers import Mode
from evaluation.counting import attendance, count
from evaluation.grid import Grid, Samples, full_grid, gather, grid_of_requests
from evaluation.metrics.cells import Answer
from evaluation.models import Filled, ModelAnswers, model_findings, read_models
from evaluation.orders import Orders
from evaluation.positions import POSITION_COLUMNS, position_rows
from evaluation.published import read_published
from evaluation.replies import load_replies
from evaluation.samples import read_samples
from evaluation.score import SCORE_COLUMNS, Options, Row, SetKind, missing_tallies, score_rows
from evaluation.tallies import TALLIES, TALLY_COLUMNS, tally_rows


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be scored, and how; see the options of `curate evaluate score`."""

    samples: Path | None = None
    prompts: Path | None = None
    prompt_ids: tuple[str, ...] = ()
    orders: str | None = None
    requests: Path | None = None
    replies: tuple[Path, ...] = ()
    predictions: tuple[Path, ...] = ()
    model: str | None = None
    kind: SetKind | None = None
    mode: str = "strict"
    filled: tuple[Path, ...] = ()
    draws: int = 1000
    seed: int = 42


@dataclass(frozen=True, slots=True)
class Read:
    """What models answered.

    Attributes:
        grid: What they were asked.
        models: Their answers, by name.
        findings: What is wrong with the replies, and what they lack.
        inputs: The files that were read, by the name to give them.
    """

    grid: Grid
    models: tuple[ModelAnswers, ...]
    findings: tuple[Finding, ...]
    inputs: Mapping[str, Path]


@dataclass(frozen=True, slots=True)
class Told:
    """How a model's replies were read.

    Attributes:
        model: The model.
        rules: Replies by rule.
        missing: Requests without a reply.
    """

    model: str
    rules: Mapping[str, int]
    missing: int


@dataclass(frozen=True, slots=True)
class ScoreRun:
    """The scores of some models.

    Attributes:
        rows: With the columns of `SCORE_COLUMNS`.
        positions: With the columns of `POSITION_COLUMNS`.
        models: How their replies were read.
        tallies: The counts behind the scores, with the columns of `TALLY_COLUMNS`.
        kind: Whether rows were pooled or templates averaged.
        orders: The orders of the choices.
        findings: What the scores leave out.
        inputs: The files that were read.
        incomplete: Whether a request lacks a reply, or a line could not be read.
    """

    rows: tuple[Row, ...]
    positions: tuple[Row, ...]
    models: tuple[Told, ...]
    tallies: tuple[Row, ...]
    kind: SetKind
    orders: Orders
    findings: tuple[Finding, ...]
    inputs: Mapping[str, Path]
    incomplete: bool


def read_all(workspace: Workspace, wanted: Wanted) -> Read:
    """Read what models answered.

    Raises:
        CurateError: If a file cannot be read, or they do not go together.
    """
    if wanted.predictions:
        return _predictions(wanted)
    path = samples_file(workspace, wanted.samples, (wanted.kind or SetKind.TEST).value)
    samples = gather(read_samples(path))
    inputs = {f"samples: {path.name}": path}
    grid = _grid(workspace, wanted, samples, inputs)
    table = load_replies(wanted.replies)
    filled: Filled = {}
    for book in wanted.filled:
        filled = {**filled, **read_filled(book)}
        inputs[f"filled: {book.name}"] = book
    models = tuple(read_models(grid, table, cast("Mode", wanted.mode), filled))
    inputs |= {f"replies: {file.name}": file for file in wanted.replies}
    file = ", ".join(str(item) for item in wanted.replies)
    findings = [*table.findings, *(f for item in models for f in model_findings(grid, item, file))]
    return Read(grid, models, tuple(findings), inputs)


def _grid(workspace: Workspace, wanted: Wanted, samples: Samples, inputs: dict[str, Path]) -> Grid:
    if wanted.requests is not None:
        inputs[f"requests: {wanted.requests.name}"] = wanted.requests
        return grid_of_requests(samples, wanted.requests)
    found, orders = chosen_prompts(workspace, wanted.prompts, wanted.prompt_ids, wanted.orders)
    if wanted.prompts is not None:
        inputs[f"prompts: {wanted.prompts.name}"] = wanted.prompts
    return full_grid(samples, found.prompts, orders)


def _predictions(wanted: Wanted) -> Read:
    found = read_published(wanted.predictions, wanted.model)
    models = tuple(
        ModelAnswers(
            model=name,
            answers=answers,
            attendance=attendance(found.grid, answers),
            rules={
                "prediction": int((answers < Answer.OUT_OF_CHOICE).sum()),
                "out_of_choice": int((answers == Answer.OUT_OF_CHOICE).sum()),
            },
            unknown=(),
            failed=0,
        )
        for name, answers in sorted(found.answers.items())
    )
    inputs = {f"predictions: {path.name}": path for path in wanted.predictions}
    file = ", ".join(str(item) for item in wanted.predictions)
    findings = tuple(f for item in models for f in model_findings(found.grid, item, file))
    return Read(found.grid, models, findings, inputs)


def kind_of(grid: Grid, wanted: SetKind | None) -> SetKind:
    """Give the way to score: as was asked for, else by whether the grid holds a test set."""
    return wanted or (SetKind.ALL if grid.samples.fillings > 1 else SetKind.TEST)


def score(workspace: Workspace, wanted: Wanted) -> ScoreRun:
    """Score what models answered.

    Raises:
        CurateError: If a file cannot be read, or they do not go together.
    """
    read = read_all(workspace, wanted)
    grid = read.grid
    options = Options(kind_of(grid, wanted.kind), wanted.draws, wanted.seed)
    rows: list[Row] = []
    positions: list[Row] = []
    counted: list[Row] = []
    for item in read.models:
        missing = missing_tallies(grid, item.attendance.missing)
        tallies = count(grid, item.answers)
        rows += score_rows(item.model, grid, tallies, missing, options)
        positions += position_rows(item.model, grid, item.answers)
        counted += tally_rows(item.model, grid, tallies, missing)
    return ScoreRun(
        rows=tuple(rows),
        positions=tuple(positions),
        models=tuple(
            Told(item.model, item.rules, len(item.attendance.missing)) for item in read.models
        ),
        tallies=tuple(counted),
        kind=options.kind,
        orders=grid.orders,
        findings=read.findings,
        inputs=read.inputs,
        incomplete=is_incomplete(read),
    )


def is_incomplete(read: Read) -> bool:
    """Say whether a request lacks a reply, or a line that may be a reply could not be read."""
    lacking = any(len(item.attendance.missing) for item in read.models)
    return lacking or has_errors(read.findings)


def save(run: ScoreRun, wanted: Wanted, folder: Path) -> None:
    """Write `scores.csv`, `positions.csv`, `tallies.csv` and their manifest.

    Raises:
        CurateError: If a file cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / name for name in ("scores.csv", "positions.csv", TALLIES)]
    write_csv(files[0], SCORE_COLUMNS, _cells(run.rows, SCORE_COLUMNS))
    write_csv(files[1], POSITION_COLUMNS, _cells(run.positions, POSITION_COLUMNS))
    write_csv(files[2], TALLY_COLUMNS, _cells(run.tallies, TALLY_COLUMNS))
    counts = {f"missing {item.model}": item.missing for item in run.models}
    settings: dict[str, object] = {
        "set": run.kind.value,
        "orders": run.orders.value,
        "mode": wanted.mode,
        "draws": wanted.draws,
        "seed": wanted.seed,
    }
    write_manifest(folder, run.inputs, counts, settings, files)


def _cells(rows: Sequence[Row], columns: Sequence[str]) -> list[list[object]]:
    return [["" if row[name] is None else row[name] for name in columns] for row in rows]
