"""The report of an evaluation: from what was read and scored to a folder of files."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np

from curation import __version__
from curation.files.atomic import write_file
from curation.files.workspace import Workspace
from curation.records import messages
from curation.report.figures import Picture, missing_fonts
from curation.report.page import Page, html, markdown, save_shown
from evaluation.compare.discrimination import discrimination_rows
from evaluation.compare.planning import visible_differences
from evaluation.compare.templates import template_bias
from evaluation.compare.testing import GROUPINGS, PairedUnit, compare_models, group_tests
from evaluation.folders import Row, result_folder, said, write_rows
from evaluation.qa.answers import ModelAnswers, Read
from evaluation.qa.metrics import SetKind
from evaluation.qa.samples import TEMPLATE_COLUMNS, TEMPLATES, sample_paths
from evaluation.qa.score import SCORE_COLUMNS, Scored, measured_of, write_tallies
from evaluation.qa.scoring import ScoreInputs, missing_counts, read_and_score
from evaluation.replies.readings import MISSING
from evaluation.reporting import words
from evaluation.reporting.paper import paper_of, write_paper
from evaluation.reporting.pictures import pictures
from evaluation.reporting.sections import page_of
from evaluation.requests import Orders

_OWN_WORDS = frozenset({"evaluate-missing", "evaluate-no-reply"})
"""Findings that the notes say in their own words."""


Others = Mapping[str, words.Family | None]
"""Scores of `stories` and of `occupations`."""


def report(
    workspace: Workspace,
    wanted: ScoreInputs | None = None,
    *,
    browse: Path | None = None,
    stories: Path | None = None,
    occupations: Path | None = None,
    formats: Sequence[str] = (),
    paper: bool = False,
    out: Path | None = None,
    allow_incomplete: bool = False,
    progress: messages.Progress = messages.silent,
) -> messages.Results:
    """Score what models answered and write the report: a page, the same as Markdown, tables.

    Nothing is written where requests lack a reply, unless that is allowed.

    Args:
        workspace: The workspace.
        wanted: What is to be scored; None for a report of stories or occupations alone.
        browse: The folder that `curate browse` wrote of the same replies, to be linked to.
        stories: `scores.csv` of stories.
        occupations: `scores.csv` of occupations.
        formats: What each table and picture is written as beside the page; see `save_shown`.
        paper: Whether to write what a paper needs, beside it; see `paper_of`.
        out: The folder; None for `exports/evaluation/report`.
        allow_incomplete: Whether to report although requests lack a reply.
        progress: Called with the progress of reading and scoring.

    Returns:
        - `report`, what it holds; None where it was refused;
        - `scores`: the scores of question answering behind it, whose table is `rows`; None where
          there are none;
        - `folder`, and the `files` in it: none where the report was refused;
        - `missing_fonts`: what is to be installed so that pictures have all letters, a line a font.

    Raises:
        CurateError: If a file cannot be read or written, or the files do not fit together.
    """
    families = {"stories": stories, "occupations": occupations}
    others = {
        "stories": words.read_stories(stories) if stories else None,
        "occupations": words.read_occupations(occupations) if occupations else None,
    }
    folder = out or workspace.exports_folder / "evaluation" / "report"
    address = "" if browse is None else _address(browse, folder)
    answered = None if wanted is None else read_and_score(workspace, wanted, progress)
    scores = answered[2] if answered else None
    values: dict[str, object] = {"report": None, "scores": scores, "folder": folder, "files": ()}
    values |= {"missing_fonts": (), "rows": scores.rows if scores else ()}
    if scores and scores.incomplete and not allow_incomplete:
        return messages.Results(values, {"rows": SCORE_COLUMNS})
    found = replace(report_of(workspace, others, answered), browse=address)
    inputs = {f"{name}: {path.name}": path for name, path in families.items() if path}
    if workspace.culture_file.exists():
        inputs["culture.yaml"] = workspace.culture_file
    if scores is not None:
        inputs = {**scores.inputs, **inputs}
    counts = missing_counts(scores) if scores else {}
    given = (workspace, folder, inputs, counts, dict(scores.settings) if scores else {})
    drawn, page = list(pictures(found)), page_of(found)
    printed = paper_of(found, page, workspace, inputs) if paper else None
    with result_folder(*given, command="evaluate report", what="report") as stage:
        files = _write(found, drawn, scores, stage, (page, formats, printed))
    lacking = tuple(missing_fonts(drawn)) if {"pdf", "png"} & set(formats) else ()
    values |= {"report": found, "files": files, "missing_fonts": lacking}
    return messages.Results(values, {"rows": SCORE_COLUMNS})


def _address(browse: Path, folder: Path) -> str:
    """The address of a page of `curate browse`, from the folder of the report."""
    if not (browse / "index.html").is_file():
        raise messages.refusal("evaluation", "report-browse", str(browse))
    away = os.path.relpath(browse.resolve(), folder.resolve())
    return quote((Path(away) / "index.html").as_posix())


def report_of(
    workspace: Workspace,
    others: Others,
    answered: tuple[ScoreInputs, Read, messages.Results] | None = None,
) -> words.EvaluationReport:
    """Put a report together.

    Args:
        workspace: The workspace.
        others: Scores of stories and occupations.
        answered: What was to be scored, what was read and how it was scored; None for a report of
            stories or occupations alone.

    Raises:
        CurateError: If there is nothing to report, or culture.yaml cannot be read.
    """
    both: dict[str, Any] = dict(others)
    told = tuple(words.rankings(answered[2].rows if answered else (), **both))
    if answered is None:
        told = tuple(item for item in told if item.values)
        if not told:
            raise messages.refusal("evaluation", "report-none")
        settings: dict[str, object] = {"orders": Orders.CYCLIC, "mode": "strict", "prompts": ()}
        settings |= dict.fromkeys(("samples", "templates", "requests", "possible"), 0)
        settings |= {"kind": SetKind.TEST, "intervals": True, "prompt_set": "", "epochs": 1}
        made = words.EvaluationReport(
            _benchmark(workspace, (), ""), settings, **both, rankings=told
        )
        return replace(made, agreements=tuple(words.agreements(told)))
    wanted, read, scores = answered
    files = (*sample_paths(wanted.samples), *wanted.predictions)
    models = messages.natural({str(row["model"]) for row in scores.rows})
    scored = Scored(Path(), scores.kind, scores.tallies)
    frames = {name: scored.of(name) for name in models}
    ranked = told if len({name for item in told for name in item.values}) > 1 else ()
    differences: tuple[Row, ...] = ()
    apart = ""
    try:
        differences = tuple(compare_models(scored, models))
    except messages.CurateError as error:  # all else is said of them
        apart = f"Models are not compared: {error.what}."
    made = words.EvaluationReport(
        benchmark=_benchmark(workspace, files, str(read.asked.get("language") or "")),
        settings=_settings(read, scores, wanted) | {"alike": not apart},
        rows=tuple(scores.rows),
        positions=scores.positions,
        effects=scores.effects,
        surveyed=scores.surveyed,
        read_as=tuple(map(_read_as, read.models)),
        tests=group_tests(frames, GROUPINGS, PairedUnit.TEMPLATE, scores.kind),
        differences=differences,
        visible=visible_differences(scored, scores.variance),
        rankings=ranked,
        agreements=tuple(words.agreements(ranked)),
        drivers=tuple(template_bias(read.grid, read.models, scores.templates)),
        discrimination=tuple(discrimination_rows(scores.tallies)),
        unparsed=tuple(scores.many_unparsed),
        **both,
    )
    found = (*_others(scores.findings, others, models), apart)
    return replace(made, notes=tuple(words.notes(made, found)))


def _read_as(item: ModelAnswers) -> dict[str, Any]:
    rules = {name: number for name, number in item.rules.items() if number and name != MISSING}
    counts = {"failed": item.failed, "missing": len(item.missing)}
    return {"model": item.model, "rules": rules, **counts}


def _others(
    findings: Sequence[messages.Finding], others: Others, models: Sequence[str]
) -> Iterator[str]:
    """Yield what was found wrong with the files, and models that a family has alone."""
    for finding in findings:
        if finding.rule not in _OWN_WORDS:
            yield f"{finding.message}."
    for name, family in others.items():
        named = dict.fromkeys(str(row["model"]) for row in family or ())
        strange = [model for model in named if model not in models]
        if strange:
            yield said("report-strange", names=strange, family=name)


def _benchmark(workspace: Workspace, files: Sequence[Path], language: str) -> dict[str, str]:
    """Tell what the benchmark is called; without culture.yaml by the files that were scored."""
    named = messages.shortened([path.name for path in files], 3)
    title = named or workspace.root.resolve().name
    version = ""
    if workspace.culture_file.exists():
        culture = workspace.culture
        title, version, language = culture.culture, culture.version, culture.language
    told = {"title": title, "version": version, "language": language}
    return {**told, "tool_version": __version__}


def _settings(read: Read, scores: messages.Results, wanted: ScoreInputs) -> dict[str, object]:
    grid = read.grid
    return {
        "kind": scores.kind,
        "orders": scores.orders,
        "mode": words.PREDICTED if wanted.predictions else wanted.mode,
        "intervals": wanted.intervals,
        "samples": len(grid.samples.ids),
        "templates": len(np.unique(grid.samples.unit[grid.asked.any(axis=(1, 2))])),
        "prompts": grid.prompts,
        "requests": int(grid.asked.sum()),
        "possible": grid.size,
        "epochs": grid.epochs,
        "prompt_set": measured_of(read.asked, grid.prompts)["prompts"]["name"],
    }


def _write(
    report: words.EvaluationReport,
    drawn: Sequence[Picture],
    scores: messages.Results | None,
    folder: Path,
    shown: tuple[Page, Sequence[str], Page | None],
) -> tuple[str, ...]:
    """Write everything into a folder; returns the files."""
    page, formats, paper = shown
    texts = {"report.html": html(page, drawn), "report.md": markdown(page, drawn)}
    for name, text in texts.items():
        write_file(folder / name, text)
    for picture in drawn:
        picture.save(folder / "pictures", ["svg"])
    save_shown(page, drawn, formats, folder)
    for name, (columns, rows) in report.tables().items():
        write_rows(folder / f"{name}.csv", columns, rows)
    if scores is not None:
        write_tallies(folder, scores.tallies)
        write_rows(folder / TEMPLATES, TEMPLATE_COLUMNS, scores.templates)
    if paper is not None:
        write_paper(paper, drawn, folder)
    written = sorted(path for path in folder.rglob("*") if path.is_file())
    return tuple(path.relative_to(folder).as_posix() for path in written)
