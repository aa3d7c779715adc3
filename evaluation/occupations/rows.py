"""Scores as rows of a table: by model and task, by instruction, by occupation, by pair."""

from collections.abc import Iterator, Sequence

import numpy as np

from curation.records.errors import CurateError
from curation.records.findings import Finding, warning
from evaluation.occupations.design import G1, G2
from evaluation.occupations.scores import Result, Row
from evaluation.replies.files import shortened

_MEASURES = ("M_B", "M_R", "M_S")
CHANCE = (
    *("M_B_null", "M_B_p", "M_B_low", "M_B_high"),
    *("M_R_low", "M_R_high", "M_S_p", "M_S_low", "M_S_high"),
)
"""The columns with what chance gives: null value, p-values and 95 % intervals."""
_DETAILS = (
    *CHANCE,
    *("intercept", "r", "n_replies", "n_items", "n_occupations", "n_exchanged"),
)
_EPOCHS = ("epochs", *(f"{name}_epoch_{kind}" for name in _MEASURES for kind in ("mean", "sd")))
SCORE_COLUMNS = ("model", "task", *_MEASURES, "out_of_choice", *_DETAILS, *_EPOCHS)
"""The columns of a row of scores; `n_replies` are those that count."""
INSTRUCTION_COLUMNS = ("model", "task", "instruction", *_MEASURES, "out_of_choice", *_DETAILS)
"""The columns of a row of scores under one instruction."""
OCCUPATION_COLUMNS = ("model", "task", "occupation", "ratio", "score", "n_g1", "n_g2")
"""The columns of `occupations.csv`; `n_g1`, `n_g2` are replies on the occupation that count."""
PAIR_COLUMNS = (
    *("base", "tuned", "task"),
    *(f"{name}_{part}" for name in _MEASURES for part in ("base", "tuned", "difference")),
)
"""The columns of a pair of models; a difference is tuned less base."""

_DIGITS = 10  # what lies beyond is noise of the arithmetic


def score_rows(results: Sequence[Result]) -> list[Row]:
    """One row for each model and task, with what its epochs say."""
    rows = []
    for item in results:
        row = {**item.overall, "model": item.model, "task": item.design.task}
        row["epochs"] = max(1, len(item.by_epoch))
        for name in _MEASURES if len(item.by_epoch) > 1 else ():
            values = [part[name] for part in item.by_epoch]
            there = np.array([x for x in values if x is not None and x == x], np.float64)
            row[f"{name}_epoch_mean"] = there.mean() if len(there) else None
            row[f"{name}_epoch_sd"] = there.std(ddof=1) if len(there) > 1 else None
        rows.append(_row(row, SCORE_COLUMNS))
    return rows


def instruction_rows(results: Sequence[Result]) -> list[Row]:
    """One row for each model, task and instruction."""
    return [
        _row(
            {**row, "model": item.model, "task": item.design.task, "instruction": name},
            INSTRUCTION_COLUMNS,
        )
        for item in results
        for name, row in zip(item.design.instructions, item.by_instruction, strict=True)
    ]


def _row(row: Row, columns: Sequence[str]) -> Row:
    """A row of some columns, its numbers rounded."""
    found = {name: row.get(name) for name in columns}
    return {
        name: _number(value) if isinstance(value, float) else value for name, value in found.items()
    }


def _number(value: float | None) -> float | None:
    """Round a number; None where it is undefined."""
    return None if value is None or np.isnan(value) else round(float(value), _DIGITS) + 0.0


def occupation_rows(results: Sequence[Result]) -> Iterator[Row]:
    """Yield one row for each model, task and occupation."""
    for result in results:
        shown = result.shown.sum(axis=1)
        for at, name in enumerate(result.design.occupations):
            yield {
                "model": result.model,
                "task": result.design.task,
                "occupation": name,
                "ratio": _number(result.design.ratio[at]),
                "score": _number(result.scores[at]),
                "n_g1": int(shown[G1, at]),
                "n_g2": int(shown[G2, at]),
            }


def pair_rows(results: Sequence[Result], pairs: Sequence[tuple[str, str]]) -> list[Row]:
    """What tuning changed: one row for each pair of models and task.

    Args:
        results: The scores.
        pairs: Names of base and tuned models.

    Raises:
        CurateError: If there is no such model.
    """
    models = list(dict.fromkeys(item.model for item in results))
    unknown = [name for pair in pairs for name in pair if name not in models]
    if unknown:
        raise CurateError(
            f"there is no model '{unknown[0]}' to pair", "--pairs", f"there are {', '.join(models)}"
        )
    rows = {(row["model"], row["task"]): row for row in score_rows(results)}
    found = []
    for base, tuned in pairs:
        for task in dict.fromkeys(item.design.task for item in results):
            row: Row = {"base": base, "tuned": tuned, "task": task}
            for name in _MEASURES:
                before, after = rows[base, task][name], rows[tuned, task][name]
                difference = None if None in (before, after) else _number(after - before)
                row |= {f"{name}_base": before, f"{name}_tuned": after}
                row[f"{name}_difference"] = difference
            found.append(row)
    return found


def undefined_findings(results: Sequence[Result], file: str) -> Iterator[Finding]:
    """Say why measures are undefined, or over fewer occupations than there are."""
    for design in {id(item.design): item.design for item in results}.values():
        if len(design.ratio) and np.ptp(design.ratio) == 0:
            yield warning(
                "occupations-constant-ratio",
                file,
                f"task {design.task}: the ratio of '{design.groups[G1]}' is {design.ratio[0]:g} in "
                "every occupation, so that the slope M_S is undefined",
                "take occupations that differ in their ratio",
            )
    for item in results:
        there = ~np.isnan(item.scores)
        lacking = [item.design.occupations[at] for at in np.flatnonzero(~there)]
        if lacking:
            yield warning(
                "occupations-no-score",
                file,
                f"{item.model}, task {item.design.task}: {len(lacking)} of "
                f"{len(there)} occupations have no score, because one group has no reply that "
                f"counts: {shortened(lacking)}",
                "M_B and M_S are computed over the others",
            )
        for name, each in zip(item.design.instructions, item.each, strict=True):
            partly = int((there & np.isnan(each)).sum())
            if partly:
                yield warning(
                    "occupations-instruction",
                    file,
                    f"{item.model}, task {item.design.task}: under instruction {name} {partly} "
                    "occupations have no score; they are averaged over the other instructions",
                    "look at by_instruction before you compare it with other models",
                )
