"""The report of an evaluation: from what was read and scored to a folder of files."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

import pandas as pd

from curation import __version__
from curation.files.atomic import atomic_text
from curation.files.tables import write_csv
from curation.files.workspace import Workspace
from curation.records.errors import CurateError
from curation.records.findings import Finding
from curation.records.progress import Progress, silent
from curation.records.wording import natural
from curation.report.figures import Picture, missing_fonts
from curation.report.page import html, markdown
from evaluation.compare.anova import GROUPINGS, group_tests
from evaluation.compare.templates import template_bias
from evaluation.compare.values import Unit
from evaluation.compare.wilcoxon import compare_models
from evaluation.folders import result_folder
from evaluation.qa.measured import measured_of
from evaluation.qa.metrics import SetKind
from evaluation.qa.samples import sample_paths
from evaluation.qa.score import cells
from evaluation.qa.scoring import Read, ScoreInputs, Scores, read_answers, score_answers
from evaluation.qa.sources import TEMPLATE_COLUMNS, TEMPLATES
from evaluation.qa.tallies import Scored, write_tallies
from evaluation.replies.readings import MISSING
from evaluation.reporting.families import (
    Family,
    agreements,
    rankings,
    read_occupations,
    read_stories,
)
from evaluation.reporting.pictures import pictures
from evaluation.reporting.records import Benchmark, EvaluationReport, ReadAs, Settings
from evaluation.reporting.sections import page_of
from evaluation.reporting.tables import tables, write_tables
from evaluation.reporting.words import PREDICTED, notes
from evaluation.requests import Orders

_OWN_WORDS = frozenset({"evaluate-missing", "evaluate-no-reply"})
"""Findings that the notes say in their own words."""


Others = dict[str, Family | None]
"""Scores of `stories` and `occupations`."""
_WRITING = "Steps of the report"
"""Tests, pictures and files."""


@dataclass(frozen=True, slots=True)
class Reported:
    """A report, and the folder that it was written to.

    Attributes:
        report: What it holds; None where it was refused.
        scores: The scores of question answering behind it; None where there are none.
        folder: The folder.
        files: The files in it; none where the report was refused.
        missing_fonts: What is to be installed so that pictures have all letters, a line a font.
    """

    report: EvaluationReport | None
    scores: Scores | None
    folder: Path
    files: tuple[str, ...]
    missing_fonts: tuple[str, ...] = ()

    def to_frame(self) -> pd.DataFrame:
        """The scores of question answering; see `Scores.to_frame`."""
        return pd.DataFrame() if self.scores is None else self.scores.to_frame()


def report(
    workspace: Workspace,
    wanted: ScoreInputs | None = None,
    *,
    browse: Path | None = None,
    stories: Path | None = None,
    occupations: Path | None = None,
    out: Path | None = None,
    allow_incomplete: bool = False,
    progress: Progress = silent,
) -> Reported:
    """Score what models answered and write the report: a page, the same as Markdown, tables.

    Nothing is written where requests lack a reply, unless that is allowed.

    Args:
        workspace: The workspace.
        wanted: What is to be scored; None for a report of stories or occupations alone.
        browse: The folder that `curate browse` wrote of the same replies, to be linked to.
        stories: `scores.csv` of stories.
        occupations: `scores.csv` of occupations.
        out: The folder; None for `exports/evaluation/report`.
        allow_incomplete: Whether to report although requests lack a reply.
        progress: Called with the progress of reading, scoring and writing.

    Raises:
        CurateError: If a file cannot be read or written, or the files do not fit together.
    """
    families = {"stories": stories, "occupations": occupations}
    others: Others = {
        "stories": read_stories(stories) if stories else None,
        "occupations": read_occupations(occupations) if occupations else None,
    }
    folder = out or workspace.exports_folder / "evaluation" / "report"
    address = "" if browse is None else _address(browse, folder)
    scores = None
    if wanted is not None:
        wanted = wanted.prepared(workspace)
        read = read_answers(workspace, wanted, progress=progress)
        scores = score_answers(read, wanted, progress=progress)
        if scores.incomplete and not allow_incomplete:
            return Reported(None, scores, folder, ())
        found = report_of(workspace, wanted, read, scores, others)
    else:
        found = of_families(workspace, others)
    progress(_WRITING, 0, 3)
    found = replace(found, browse=address)
    inputs = {f"{name}: {path.name}": path for name, path in families.items() if path}
    if workspace.culture_file.exists():
        inputs["culture.yaml"] = workspace.culture_file
    if scores is not None:
        inputs = {**scores.inputs, **inputs}
    counts = scores.missing_counts if scores else {}
    given = (workspace, folder, inputs, counts, dict(scores.settings) if scores else {})
    progress(_WRITING, 1, 3)
    drawn = list(pictures(found))
    progress(_WRITING, 2, 3)
    with result_folder(*given, command="evaluate report", what="report") as stage:
        files = _write(found, drawn, scores, stage)
    progress(_WRITING, 3, 3)
    return Reported(found, scores, folder, files, tuple(missing_fonts(drawn)))


def _address(browse: Path, folder: Path) -> str:
    """The address of a page of `curate browse`, from the folder of the report."""
    if not (browse / "index.html").is_file():
        hint = "write it with 'curate browse --out DIR' and name that folder"
        raise CurateError("there is no page of 'curate browse'", str(browse), hint)
    away = os.path.relpath(browse.resolve(), folder.resolve())
    return quote((Path(away) / "index.html").as_posix())


def report_of(
    workspace: Workspace, wanted: ScoreInputs, read: Read, scores: Scores, others: Others
) -> EvaluationReport:
    """Put a report together from what was read and scored.

    Raises:
        CurateError: If culture.yaml cannot be read.
    """
    settings = _settings(read, scores, wanted)
    models = natural({str(row["model"]) for row in scores.rows})
    scored = Scored(Path(), settings.kind, scores.tallies)
    told = tuple(rankings(scores.rows, **others))
    ranked = told if len({name for item in told for name in item.values}) > 1 else ()
    made = EvaluationReport(
        benchmark=_benchmark(workspace, wanted, str(read.asked.get("language") or "")),
        settings=settings,
        rows=scores.rows,
        positions=scores.positions,
        read_as=_read_as(read),
        tests=group_tests(
            {name: scored.of(name) for name in models}, GROUPINGS, Unit.TEMPLATE, settings.kind
        ),
        differences=tuple(compare_models(scored, models)),
        stories=others["stories"],
        occupations=others["occupations"],
        rankings=ranked,
        agreements=tuple(agreements(ranked)),
        drivers=tuple(template_bias(read.grid, read.models, scores.templates)),
        unparsed=tuple(scores.many_unparsed),
    )
    found = _others(scores.findings, others, models)
    return replace(made, notes=tuple(notes(made, found)))


def of_families(workspace: Workspace, others: Others) -> EvaluationReport:
    """Put a report of stories or occupations alone together.

    Raises:
        CurateError: If neither is there, or culture.yaml cannot be read.
    """
    told = tuple(item for item in rankings((), **others) if item.values)
    if not told:
        hint = "name --stories FILE or --occupations FILE, or replies"
        raise CurateError("there are no scores to report", hint=hint)
    nothing = Settings(SetKind.TEST, Orders.CYCLIC, "strict", True, 0, 0, (), 0, 0)
    return EvaluationReport(
        benchmark=_benchmark(workspace, None, ""),
        settings=nothing,
        rows=(),
        positions=(),
        read_as=(),
        tests={"anova": (), "tukey": (), "permutation": ()},
        differences=(),
        stories=others["stories"],
        occupations=others["occupations"],
        rankings=told,
        agreements=tuple(agreements(told)),
    )


def _others(findings: Sequence[Finding], others: Others, models: Sequence[str]) -> Iterator[str]:
    """Yield what was found wrong with the files, and models that a family has alone."""
    for finding in findings:
        if finding.rule not in _OWN_WORDS:
            message = finding.message
            yield f"{message[0].upper()}{message[1:]}." if message else finding.rule
    for name, family in others.items():
        named = dict.fromkeys(str(row["model"]) for row in family or ())
        strange = [model for model in named if model not in models]
        if strange:
            yield (
                f"{', '.join(strange)}: in the scores of {name}, and not in question answering. "
                "Models are matched by their names."
            )


def _benchmark(workspace: Workspace, wanted: ScoreInputs | None, language: str) -> Benchmark:
    """Tell what the benchmark is called; without culture.yaml by the file that was scored."""
    if workspace.culture_file.exists():
        culture = workspace.culture
        return Benchmark(culture.culture, culture.version, culture.language, __version__)
    given = (*sample_paths(wanted.samples), *wanted.predictions) if wanted else ()
    files = [path.name for path in given]
    title = files[0] if files else workspace.root.resolve().name
    return Benchmark(title, "", language, __version__)


def _settings(read: Read, scores: Scores, wanted: ScoreInputs) -> Settings:
    grid = read.grid
    return Settings(
        kind=scores.kind,
        orders=scores.orders,
        mode=PREDICTED if wanted.predictions else wanted.mode,
        intervals=wanted.intervals,
        samples=len(grid.samples.ids),
        templates=len(grid.samples.units),
        prompts=grid.prompts,
        requests=int(grid.asked.sum()),
        possible=grid.size,
        prompt_set=measured_of(read.asked, grid.prompts).prompt_set,
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


def _write(
    report: EvaluationReport, drawn: Sequence[Picture], scores: Scores | None, folder: Path
) -> tuple[str, ...]:
    """Write everything into a folder; returns the files."""
    page = page_of(report)
    texts = {"report.html": html(page, drawn), "report.md": markdown(page, drawn)}
    for name, text in texts.items():
        with atomic_text(folder / name) as stream:
            stream.write(text)
    for picture in drawn:
        picture.save(folder / "pictures")
    write_tables(folder, tables(report))
    if scores is not None:
        write_tallies(folder, scores.tallies)
        write_csv(folder / TEMPLATES, TEMPLATE_COLUMNS, cells(scores.templates, TEMPLATE_COLUMNS))
    written = sorted(path for path in folder.rglob("*") if path.is_file())
    return tuple(path.relative_to(folder).as_posix() for path in written)
