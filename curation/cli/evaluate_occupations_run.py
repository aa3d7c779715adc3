"""One run of `curate evaluate occupations score`: load, read, score, and write."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from curation.cli.evaluate_occupations_people import PEOPLE, People, read_people
from curation.cli.final import manifest_inputs
from curation.io.atomic import staged_folder
from curation.io.manifest import write_manifest
from curation.io.tables import write_csv
from curation.io.workspace import Workspace
from curation.model.errors import CurateError
from curation.model.findings import Finding
from evaluation.occupations.choices import (
    Attendance,
    Choices,
    attendance_findings,
    read_choices,
    refuse_incomplete,
)
from evaluation.occupations.design import designs
from evaluation.occupations.items import Item, read_items
from evaluation.occupations.picture import draw
from evaluation.occupations.ratios import read_ratios
from evaluation.occupations.rows import (
    INSTRUCTION_COLUMNS,
    OCCUPATION_COLUMNS,
    PAIR_COLUMNS,
    SCORE_COLUMNS,
    Row,
    instruction_rows,
    occupation_rows,
    pair_rows,
    score_rows,
    undefined_findings,
)
from evaluation.occupations.scores import Picks, Result, Unreadable, score
from evaluation.replies import load_replies


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be scored, and how; see the options of the command."""

    items: Path
    ratios: Path
    replies: tuple[Path, ...]
    unreadable: str
    allow_incomplete: bool
    pairs: tuple[str, ...]
    responses: tuple[Path, ...]
    mappings: tuple[Path, ...]
    questionnaire: Path | None


@dataclass(frozen=True, slots=True)
class ScoreRun:
    """The scores; nothing is written yet.

    Attributes:
        results: The scores of each model and task.
        rows: As `SCORE_COLUMNS`.
        by_instruction: As `INSTRUCTION_COLUMNS`.
        pairs: As `PAIR_COLUMNS`.
        occupations: As `OCCUPATION_COLUMNS`.
        attendance: How each model replied.
        people: How many people answered; None where none were asked.
        duplicates: Replies left out because a later one to the same item counts.
        findings: What is to be said.
    """

    results: tuple[Result, ...]
    rows: list[Row]
    by_instruction: list[Row]
    pairs: list[Row]
    occupations: list[Row]
    attendance: tuple[Attendance, ...]
    people: dict[str, int] | None
    duplicates: int
    findings: tuple[Finding, ...]


def run(workspace: Workspace, wanted: Wanted) -> ScoreRun:
    """Score replies and answers.

    Raises:
        CurateError: If a file cannot be read, they do not go together, or a model lacks replies
            and that is not allowed.
    """
    items = read_items(wanted.items)
    tasks, findings = designs(items, read_ratios(wanted.ratios), file=str(wanted.items))
    said = list(findings)
    parts: list[Picks] = []
    attendance: tuple[Attendance, ...] = ()
    duplicates = 0
    if wanted.replies:
        file = ", ".join(str(path) for path in wanted.replies)
        table = load_replies(wanted.replies)
        said += table.findings
        read = read_choices(items, table)
        _refuse_people(read, file)
        if not wanted.allow_incomplete:
            refuse_incomplete(read.attendance, file)
        said += attendance_findings(read.attendance, file)
        parts.append(read.picks)
        attendance, duplicates = read.attendance, table.duplicates
    people = _people(workspace, wanted, items)
    if people is not None:
        parts.append(people.picks)
        said += people.findings
    results = score(_joined(parts), tasks, Unreadable(wanted.unreadable))
    models = [item.model for item in results]
    pairs = pair_rows(results, [_pair(text, models) for text in wanted.pairs])
    file = str(wanted.items)
    return ScoreRun(
        results=results,
        rows=score_rows(results),
        by_instruction=instruction_rows(results),
        pairs=pairs,
        occupations=list(occupation_rows(results)),
        attendance=attendance,
        people=None if people is None else people.counts,
        duplicates=duplicates,
        findings=(*said, *undefined_findings(results, file)),
    )


def _refuse_people(read: Choices, file: str) -> None:
    if PEOPLE in read.picks.models:
        raise CurateError(
            f"a model is called '{PEOPLE}', as the answers of people are", file, "rename it"
        )


def _people(workspace: Workspace, wanted: Wanted, items: Sequence[Item]) -> People | None:
    if not wanted.responses:
        return None
    return read_people(workspace, items, wanted.responses, wanted.mappings, wanted.questionnaire)


def _joined(parts: Sequence[Picks]) -> Picks:
    """Put the choices of models and people behind one another."""
    models = tuple(name for part in parts for name in part.models)
    starts = np.cumsum([0, *(len(part.models) for part in parts)])
    shifted = [part.model + start for part, start in zip(parts, starts, strict=False)]
    return Picks(
        models=models,
        model=np.concatenate(shifted),
        item=np.concatenate([part.item for part in parts]),
        option=np.concatenate([part.option for part in parts]),
    )


def _pair(text: str, models: Sequence[str]) -> tuple[str, str]:
    """Read `BASE=TUNED`, where names may hold the sign too."""
    cuts = [at for at, sign in enumerate(text) if sign == "="]
    splits = [(text[:at], text[at + 1 :]) for at in cuts]
    known = [pair for pair in splits if pair[0] in models and pair[1] in models]
    if len(known) == 1:
        return known[0]
    if not splits or not all(splits[0]) or len(known) > 1:
        raise CurateError(f"'{text}' names no pair", "--pairs", "write BASE=TUNED, two models")
    return splits[0]


def save(workspace: Workspace, wanted: Wanted, found: ScoreRun, folder: Path) -> None:
    """Write scores and pictures.

    Raises:
        CurateError: If something cannot be written.
    """
    if folder.exists() and not folder.is_dir():
        raise CurateError(f"{folder} is no folder", str(folder), "name a folder for the scores")
    tables: dict[str, tuple[Sequence[str], Sequence[Row]]] = {
        "scores.csv": (SCORE_COLUMNS, found.rows),
        "by_instruction.csv": (INSTRUCTION_COLUMNS, found.by_instruction),
        "occupations.csv": (OCCUPATION_COLUMNS, found.occupations),
    }
    if found.pairs:
        tables["pairs.csv"] = PAIR_COLUMNS, found.pairs
    with staged_folder(folder) as stage:
        for name, (columns, rows) in tables.items():
            cells = [["" if row[key] is None else row[key] for key in columns] for row in rows]
            write_csv(stage / name, columns, cells)
        for task in dict.fromkeys(item.design.task for item in found.results):
            draw(
                [item for item in found.results if item.design.task == task],
                stage / f"scatter-{_file_name(task)}",
            )
        names = sorted(path.name for path in stage.iterdir())
    inputs = [wanted.items, wanted.ratios, *wanted.replies, *wanted.responses, *wanted.mappings]
    write_manifest(
        folder,
        inputs=manifest_inputs(workspace, inputs),
        counts={"models": len({row["model"] for row in found.rows})},
        settings={"unreadable": wanted.unreadable, "pairs": list(wanted.pairs)},
        files=[folder / name for name in names],  # what an earlier run wrote beside goes
    )


def _file_name(task: str) -> str:
    """Give a task's name as a file can have it."""
    return "".join(sign if sign.isalnum() or sign in "-_" else "_" for sign in task)
