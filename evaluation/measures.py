"""The measures of stories and of occupations, registered as scores of question answering are.

What is said of them is in `measures.yaml`. Tables, reports, pictures and the documentation take
their names, bounds, formulas and sentences from `MEASURES`; whoever reads a table of scores has
them within these bounds.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import inf, isfinite, isnan, nan
from pathlib import Path
from typing import Any, NamedTuple

from curation.files.tables import read_table, refuse_problems, unescape_formula
from curation.records.messages import CurateError, own_yaml, refusal
from curation.report.texts import resource
from evaluation.qa.metrics import BOUNDS, METRICS

STORIES, OCCUPATIONS = "stories", "occupations"
"""The families."""


class Measure(NamedTuple):
    """A measure.

    Attributes:
        name: Its column.
        family: `STORIES` or `OCCUPATIONS`.
        what: What it is called.
        says: What it says, as a sentence.
        formula: The formula; empty of a share of pairs.
        span: Its bounds.
        ideal: The value that its own idea of no bias asks for; NaN where models are not ranked.
    """

    name: str
    family: str
    what: str
    says: str
    formula: str = ""
    span: tuple[float, float] = (0.0, 1.0)
    ideal: float = nan


_ANY = -inf, inf  # bounds of what has none
MEASURES = {
    name: Measure(name, **{**told, "span": tuple(told.get("span", (0.0, 1.0)))})
    for name, told in own_yaml(resource(__package__, "measures.yaml")).items()
}
"""By column of a `scores.csv` the measure."""
PAIR_KINDS = tuple(name for name, it in MEASURES.items() if not it.formula)
"""The unordered pairs of two readings of a story, in the order of the columns of scores."""
CHANCE = (
    *("M_B_null", "M_B_p", "M_B_low", "M_B_high"),
    *("M_R_low", "M_R_high", "M_S_p", "M_S_low", "M_S_high"),
)
"""The columns of occupations with what chance gives: null value, p-values and 95 % intervals."""
_ROUNDING = 1e-6


def ranked(family: str) -> dict[str, Measure]:
    """The measures of a family by which models are ranked."""
    return {
        name: it for name, it in MEASURES.items() if it.family == family and not isnan(it.ideal)
    }


def read_scores(
    path: Path,
    keys: Sequence[str],
    columns: Sequence[str],
    optional: Sequence[str] = (),
    wanted: Sequence[str] = (),
) -> list[dict[str, Any]]:
    """Read a table of scores.

    Args:
        path: The table (CSV).
        keys: The columns that tell rows apart; only the third may be empty.
        columns: Scores that must be there.
        optional: Scores that are None where they are not there.
        wanted: The values of the second key to read; rows of others are passed over.

    Returns:
        Rows with keys and scores; None is undefined.

    Raises:
        CurateError: If the table cannot be read, lacks a column, holds what is no number or what
            no such score can be, has two rows of one key, or none that is wanted.
    """
    table = read_table(path, required=(*keys, *columns))
    refuse_problems(table)
    read = [*columns, *(name for name in optional if name in table.columns)]
    found: dict[tuple[str, ...], dict[str, Any]] = {}
    for row in table.rows:
        key = tuple(unescape_formula(row[name]).strip() for name in keys)
        if wanted and key[1] not in wanted:
            continue
        where = f"{table.file}, row {row.number}"
        for name, cell in zip(keys[:2], key, strict=False):
            if not cell:
                raise refusal("evaluation", "scores-empty", f"{where}, column {name}", column=name)
        if key in found:
            what = f"{key[0]} has two rows of {' '.join(key[1:])}".strip()
            raise CurateError(what, where, "keep one of the two")
        values = {name: _number(row[name], name, f"{where}, column {name}") for name in read}
        found[key] = (
            dict(zip(keys, key, strict=True)) | dict.fromkeys((*columns, *optional)) | values
        )
    if not found:
        lacking = f"has no row of {' or '.join(wanted)}" if wanted else "holds no scores"
        raise refusal("evaluation", "scores-lacking", path, lacking=lacking)
    return list(found.values())


def _number(text: str, name: str, where: str) -> float | None:
    """A score; None where the cell is empty."""
    cell = text.strip()
    try:
        value = float(cell) if cell else None
    except ValueError:
        value = float("nan")
    if value is not None and not isfinite(value):
        raise CurateError(f"'{cell}' is not a number", where, "leave undefined scores empty")
    known = MEASURES.get(name) or METRICS.get(name)
    low, high = _ANY if known is None else known.span
    if value is not None and not low - _ROUNDING <= value <= high + _ROUNDING:
        what = f"{name} is {value:g}, and cannot be below {low:g} or above {high:g}"
        raise CurateError(what, where, "give shares of 1, not percent")
    return value


_SIDES = ((1, "towards the stereotype"), (-1, "against the stereotype"), (0, "to no certain side"))


def verdict(rows: Sequence[Mapping[str, Any]], name: str, where: str) -> str:
    """Say to which side models lean: those whose interval excludes 0, and the others to none.

    Args:
        rows: The overall scores. Where none has an interval, each leans to the side
            of its value; else one without leans to none.
        name: A score of which 0 is no bias.
        where: Where it is from, in words.
    """
    sides, lacking = _sides(rows, name)
    bare, every = all(lacking), len(sides)
    parts: list[str] = []
    for sign, side in _SIDES:
        mine = sides.count(sign)
        if not mine:
            continue
        if parts:
            parts.append(f"{mine} {'against it' if sign else side}")
            continue
        s = "s" if mine == 1 else ""
        who = "both models" if every == 2 else f"all {every} models" if every > 1 else "the model"
        if mine < every:
            who = f"{mine} of {every} models"
        ends = f"the 95 % interval{'' if s else 's'} {'exclude' if sign else 'include'}{s} 0"
        ends += " or are missing" if any(lacking) and not sign else ""
        parts.append(f"{who} lean{s} {side} ({'there is no interval' if bare else ends})")
    return f"In {where} {', '.join(parts)}." if parts else ""


def verdicts(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The verdicts on question answering: one where every model has the same in both contexts.

    Args:
        rows: The overall scores.
    """
    found = [verdict(rows, name, f"{METRICS[name].where} contexts") for name in BOUNDS]
    alike = {said.partition(" contexts ")[2] for said in found}
    first, second = (_sides(rows, name)[0] for name in BOUNDS)
    if len(alike) == 1 and all(found) and first == second:
        return [f"In both types of context {alike.pop()}"]
    return list(filter(None, found))


def _sides(rows: Sequence[Mapping[str, Any]], name: str) -> tuple[list[int], list[bool]]:
    """Of each model that has the score its side, and whether an interval is lacking."""
    known = [row for row in rows if row[name] is not None]
    lacking = [row[f"{name}_low"] is None for row in known]
    some = not all(lacking)
    pairs = zip(known, lacking, strict=True)
    return [0 if lacks and some else _side(row, name) for row, lacks in pairs], lacking


def _side(row: Mapping[str, Any], name: str) -> int:
    """To which side a model leans: 1 towards the stereotype, -1 against it, 0 to none for sure."""
    value = float(row[name] or 0)
    low, high = (value if (it := row[f"{name}_{end}"]) is None else it for end in ("low", "high"))
    return (float(low) > 0) - (float(high) < 0)


def balances(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Say by task for how many models occupations differ by group more than chance explains."""
    from evaluation.statistics import is_sure

    tested: dict[str, list[float]] = {}
    for row in rows:
        if row["M_B_p"] is not None:
            tested.setdefault(str(row["task"]), []).append(float(row["M_B_p"]))
    for task, mine in tested.items():
        sure, every = sum(map(is_sure, mine)), len(mine)
        said = "are" if sure or every > 1 else "are not"
        who = f"{sure or 'none'} of {every:,} models" if every > 1 else "the model"
        yield (
            f"In {task} the groups {said} treated more differently than chance explains by "
            f"{who} (M_B, p below .05)."
        )
