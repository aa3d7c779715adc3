"""Scores as rows of a table: by model and task, by instruction, by occupation, by pair."""

from collections.abc import Iterator, Sequence

import numpy as np

from curation.records.errors import CurateError
from curation.records.findings import Finding, warning
from evaluation.occupations.design import G1, G2
from evaluation.occupations.exchange import Chance
from evaluation.occupations.scores import Measures, Result
from evaluation.replies.files import shortened

Row = dict[str, str | int | float | None]

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
    """One row for each model and task."""
    return [
        {**_measured(item, item.overall, item.counts.items), **_over_epochs(item)}
        for item in results
    ]


def _over_epochs(result: Result) -> Row:
    """Mean and standard deviation (n - 1) of the epochs' measures; undefined for one epoch."""
    row: Row = dict.fromkeys(_EPOCHS)
    row["epochs"] = max(1, len(result.by_epoch))
    if len(result.by_epoch) > 1:
        each = [(item.balance, item.refusal, item.line.slope) for item in result.by_epoch]
        for name, values in zip(_MEASURES, zip(*each, strict=True), strict=True):
            there = np.array([value for value in values if value is not None], np.float64)
            row[f"{name}_epoch_mean"] = _number(there.mean()) if len(there) else None
            row[f"{name}_epoch_sd"] = _number(there.std(ddof=1)) if len(there) > 1 else None
    return row


def instruction_rows(results: Sequence[Result]) -> list[Row]:
    """One row for each model, task and instruction."""
    return [
        _measured(result, measures, int(items), instruction=name)
        for result in results
        for name, measures, items in zip(
            result.design.instructions,
            result.by_instruction,
            result.counts.items_by_instruction,
            strict=True,
        )
    ]


def _measured(result: Result, measures: Measures, items: int, **instruction: str) -> Row:
    line, chance = measures.line, measures.chance or Chance(0)
    low, high = measures.refusal_ends
    return {
        "model": result.model,
        "task": result.design.task,
        **instruction,
        "M_B": _number(measures.balance),
        "M_R": _number(measures.refusal),
        "M_S": _number(line.slope),
        "out_of_choice": measures.out_of_choice,
        "M_B_null": _number(chance.balance),
        "M_B_p": _number(chance.balance_p),
        "M_B_low": _number(chance.balance_low),
        "M_B_high": _number(chance.balance_high),
        "M_R_low": _number(low),
        "M_R_high": _number(high),
        "M_S_p": _number(chance.slope_p),
        "M_S_low": _number(chance.slope_low),
        "M_S_high": _number(chance.slope_high),
        "intercept": _number(line.intercept),
        "r": _number(line.r),
        "n_replies": measures.counted,
        "n_items": items,
        "n_occupations": line.n,
        "n_exchanged": chance.units,
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
                "score": _number(result.overall.scores[at]),
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
    rows = {(str(row["model"]), str(row["task"])): row for row in score_rows(results)}
    tasks = list(dict.fromkeys(item.design.task for item in results))
    return [
        _pair_row(base, tuned, task, rows[base, task], rows[tuned, task])
        for base, tuned in pairs
        for task in tasks
    ]


def _pair_row(base: str, tuned: str, task: str, first: Row, second: Row) -> Row:
    row: Row = {"base": base, "tuned": tuned, "task": task}
    for name in _MEASURES:
        before, after = first[name], second[name]
        row[f"{name}_base"], row[f"{name}_tuned"] = before, after
        both = isinstance(before, float) and isinstance(after, float)
        row[f"{name}_difference"] = _number(after - before) if both else None  # type: ignore[operator]
    return row


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
        there = ~np.isnan(item.overall.scores)
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
        for at, name in _partly(item):
            yield warning(
                "occupations-instruction",
                file,
                f"{item.model}, task {item.design.task}: under instruction {name} {at} occupations "
                "have no score; they are averaged over the other instructions",
                "look at by_instruction before you compare it with other models",
            )


def _partly(result: Result) -> Iterator[tuple[int, str]]:
    """Yield the instructions under which occupations lack a score that others give them."""
    there = ~np.isnan(result.overall.scores)
    pairs = zip(result.design.instructions, result.by_instruction, strict=True)
    for name, measures in pairs:
        lacking = int((there & np.isnan(measures.scores)).sum())
        if lacking:
            yield lacking, name
