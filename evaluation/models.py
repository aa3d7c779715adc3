"""From the replies of a file to each model's answers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from curation.model.findings import Finding, Severity
from evaluation.answers import Mode, read_many
from evaluation.counting import Answers, Attendance, answers_of, attendance
from evaluation.grid import Grid
from evaluation.metrics.cells import Answer
from evaluation.replies import ReplyTable

_NAMED = 5

Filled = Mapping[tuple[str, str], int | None]
"""What a person read, by model and request: the position of the choice, None for none."""


@dataclass(frozen=True, slots=True)
class ModelAnswers:
    """What one model answered.

    Attributes:
        model: The model.
        answers: For each request of the grid the answer.
        attendance: Which requests it replied to.
        rules: By which rule how many replies were read, or why they were not.
        unknown: Ids of replies to requests that there are not.
        failed: How many calls failed.
    """

    model: str
    answers: Answers
    attendance: Attendance
    rules: Mapping[str, int]
    unknown: tuple[str, ...]
    failed: int


def read_models(
    grid: Grid, table: ReplyTable, mode: Mode = "strict", filled: Filled | None = None
) -> Iterator[ModelAnswers]:
    """Yield the answers of every model of a table of replies, by name.

    Args:
        grid: What was asked.
        table: The replies.
        mode: How they are read.
        filled: What a person read of replies that no rule could read; it goes before any rule.
    """
    frame = table.frame
    for model in table.models:
        yield _model(grid, model, frame[frame["model"] == model], mode, filled or {})


def _model(grid: Grid, model: str, frame: pd.DataFrame, mode: Mode, filled: Filled) -> ModelAnswers:
    ids = frame["request_id"].tolist()
    places = grid.locate(ids)
    known = places >= 0
    unknown = tuple(name for name, there in zip(ids, known, strict=True) if not there)
    places = places[known]
    lists = grid.lists(places)
    labels = grid.choice_labels()
    read = read_many(frame["reply"][known], lists, grid.choice_lists(), labels, mode)
    positions = read.positions.copy()
    rules = read.counts()
    there = ~read.missing
    if filled:
        kept = [name for name, found in zip(ids, known, strict=True) if found]
        changed = _fill(model, kept, positions, filled, np.asarray(there))
        for at in changed:
            rules[read.names[read.rules[at]]] -= 1
        rules = {name: count for name, count in rules.items() if count}
        if changed:
            rules["person"] = len(changed)
    answers = answers_of(grid, places[there], positions[there])
    return ModelAnswers(
        model=model,
        answers=answers,
        attendance=attendance(grid, answers),
        rules=rules,
        unknown=unknown,
        failed=int(read.missing.sum()),
    )


def _fill(
    model: str, ids: list[str], positions: np.ndarray, filled: Filled, there: np.ndarray
) -> list[int]:
    """Put a person's readings in; gives where."""
    changed = []
    for at, name in enumerate(ids):
        if (model, name) in filled and there[at]:
            choice = filled[model, name]
            positions[at] = -1 if choice is None else choice
            changed.append(at)
    return changed


def model_findings(grid: Grid, item: ModelAnswers, file: str) -> Iterator[Finding]:
    """Report what a model's scores leave out, and whether any can be given."""
    missing = item.attendance.missing
    if len(missing):
        failed = f" ({item.failed} calls failed)" if item.failed else ""
        names = [grid.name(int(at)) for at in missing[:_NAMED]]
        yield _finding(
            "evaluate-missing",
            file,
            f"{item.model}: {len(missing):,} of {item.attendance.asked:,} requests have no reply"
            f"{failed}, so that its scores are over an incomplete set: "
            f"{_some(names, len(missing))}",
            "ask for them with 'curate evaluate run', or score what there is with "
            "--allow-incomplete",
        )
    if item.unknown:
        names = list(item.unknown[:_NAMED])
        yield _finding(
            "evaluate-unknown-request",
            file,
            f"{item.model}: {len(item.unknown):,} replies answer none of the requests and are "
            f"left out: {_some(names, len(item.unknown))}",
            "name the samples, prompts or requests that were asked",
        )
    if not (item.answers < Answer.MISSING).any():
        yield _finding("evaluate-no-reply", file, f"{item.model}: no reply answers any request", "")


def _some(names: list[str], count: int) -> str:
    return ", ".join(names) + (", ..." if count > len(names) else "")


def _finding(rule: str, file: str, message: str, hint: str) -> Finding:
    return Finding(rule, Severity.WARNING, file, None, "", message, hint)
