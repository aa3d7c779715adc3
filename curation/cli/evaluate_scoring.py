"""One run of scoring: load, read, count, score, and write."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import cast

from curation.cli.evaluate_inputs import chosen_prompts, samples_file
from curation.io.manifest import write_manifest
from curation.io.tables import write_csv
from curation.io.workspace import Workspace
from curation.model.findings import Finding, has_errors
from curation.model.sample import Sample
from evaluation.answers import Mode
from evaluation.counting import Tallies, attendance, count
from evaluation.filled import read_filled
from evaluation.grid import Grid, Samples, full_grid, gather, grid_of_requests
from evaluation.metrics.cells import Answer
from evaluation.models import Filled, ModelAnswers, model_findings, read_models
from evaluation.orders import Orders
from evaluation.positions import POSITION_COLUMNS, position_rows
from evaluation.published import Published, read_published
from evaluation.replies import ReplyTable, load_replies
from evaluation.samples import read_samples
from evaluation.score import (
    SCORE_COLUMNS,
    Ends,
    Options,
    Row,
    SetKind,
    Units,
    missing_tallies,
    score_rows,
    units_of,
)
from evaluation.tables import cells
from evaluation.tallies import TALLIES, TALLY_COLUMNS, tally_rows

Bootstrap = Callable[[Sequence[Units], Options], Sequence[Ends]]
"""From the counts of groups to the ends of their intervals."""


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
        samples: By id the samples with their texts, where they were to be kept.
        replies: What they replied; a table, or published predictions.
        filled: What a person read of it.
    """

    grid: Grid
    models: tuple[ModelAnswers, ...]
    findings: tuple[Finding, ...]
    inputs: Mapping[str, Path]
    samples: Mapping[str, Sample]
    replies: ReplyTable | Published
    filled: Filled


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


def read_all(workspace: Workspace, wanted: Wanted, *, texts: bool = False) -> Read:
    """Read what models answered.

    Args:
        workspace: The workspace.
        wanted: What is to be scored.
        texts: Whether the texts of the samples are kept, which scores do not need.

    Raises:
        CurateError: If a file cannot be read, or they do not go together.
    """
    if wanted.predictions:
        return _predictions(wanted, texts=texts)
    path = samples_file(workspace, wanted.samples, (wanted.kind or SetKind.TEST).value)
    kept: dict[str, Sample] = {}
    samples = gather(_keeping(read_samples(path), kept) if texts else read_samples(path))
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
    return Read(grid, models, tuple(findings), inputs, kept, table, filled)


def _keeping(samples: Iterable[Sample], kept: dict[str, Sample]) -> Iterator[Sample]:
    for item in samples:
        kept[item.sample_id] = item
        yield item


def _grid(workspace: Workspace, wanted: Wanted, samples: Samples, inputs: dict[str, Path]) -> Grid:
    if wanted.requests is not None:
        inputs[f"requests: {wanted.requests.name}"] = wanted.requests
        return grid_of_requests(samples, wanted.requests)
    found, orders = chosen_prompts(workspace, wanted.prompts, wanted.prompt_ids, wanted.orders)
    if wanted.prompts is not None:
        inputs[f"prompts: {wanted.prompts.name}"] = wanted.prompts
    return full_grid(samples, found.prompts, orders)


def _predictions(wanted: Wanted, *, texts: bool) -> Read:
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
    kept = found.samples() if texts else {}
    return Read(found.grid, models, findings, inputs, kept, found, {})


def kind_of(grid: Grid, wanted: SetKind | None) -> SetKind:
    """Give the way to score: as was asked for, else by whether the grid holds a test set."""
    return wanted or (SetKind.ALL if grid.samples.fillings > 1 else SetKind.TEST)


def score(workspace: Workspace, wanted: Wanted, bootstrap: Bootstrap | None = None) -> ScoreRun:
    """Score what models answered.

    Args:
        workspace: The workspace.
        wanted: What is to be scored.
        bootstrap: Gives the ends of the intervals of all groups; None computes them here.

    Raises:
        CurateError: If a file cannot be read, or they do not go together.
    """
    return score_read(read_all(workspace, wanted), wanted, bootstrap)


def score_read(read: Read, wanted: Wanted, bootstrap: Bootstrap | None = None) -> ScoreRun:
    """Score what was read."""
    grid = read.grid
    options = Options(kind_of(grid, wanted.kind), wanted.draws, wanted.seed)
    rows: list[Row] = []
    positions: list[Row] = []
    counted: list[Row] = []
    counts = [count(grid, item.answers) for item in read.models]
    ends = _ends(grid, counts, options, bootstrap)
    for item, tallies, drawn in zip(read.models, counts, ends, strict=True):
        missing = missing_tallies(grid, item.attendance.missing)
        rows += score_rows(item.model, grid, tallies, missing, options, drawn)
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


def _ends(
    grid: Grid, tallies: Sequence[Tallies], options: Options, bootstrap: Bootstrap | None
) -> Sequence[Sequence[Ends] | None]:
    """Compute the intervals of all models together; None leaves a model's to its rows."""
    if bootstrap is None:
        return [None] * len(tallies)
    parts = [units_of(grid, item) for item in tallies]
    found = iter(bootstrap([part for item in parts for part in item], options))
    return [list(islice(found, len(item))) for item in parts]


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
    write_csv(files[0], SCORE_COLUMNS, cells(run.rows, SCORE_COLUMNS))
    write_csv(files[1], POSITION_COLUMNS, cells(run.positions, POSITION_COLUMNS))
    write_csv(files[2], TALLY_COLUMNS, cells(run.tallies, TALLY_COLUMNS))
    write_manifest(folder, run.inputs, missing_counts(run), settings_of(run, wanted), files)


def missing_counts(run: ScoreRun) -> dict[str, int]:
    """Count the requests of each model that have no reply, as a manifest names them."""
    return {f"missing {item.model}": item.missing for item in run.models}


def settings_of(run: ScoreRun, wanted: Wanted) -> dict[str, object]:
    """Give what shaped the scores, as a manifest holds it."""
    return {
        "set": run.kind.value,
        "orders": run.orders.value,
        "mode": wanted.mode,
        "draws": wanted.draws,
        "seed": wanted.seed,
    }
