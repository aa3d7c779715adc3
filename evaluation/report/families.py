"""The scores of the two other families of measures, read from what they wrote."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from curation.io.tables import read_table, refuse_problems
from curation.io.writers.cells import unescape_formula
from curation.model.errors import CurateError
from evaluation.score import Row
from evaluation.stories.score_tables import numbers_of, read_scores

PAIRS = ("uu", "bc", "bb", "bu", "cu", "cc")
"""The shares of pairs of continued stories."""
_STORY = ("n", *PAIRS, "ntr_gen", "bias_gen")
_STORY_MORE = ("ntr_gen_low", "ntr_gen_high", "bias_gen_low", "bias_gen_high", "n_out_of_choice")
_OCCUPATION = ("M_B", "M_R", "M_S", "out_of_choice")
_OCCUPATION_MORE = ("M_S_low", "M_S_high", "n_replies")
STORY_COLUMNS = ("model", "group_by", "group", *_STORY, *_STORY_MORE)
"""The columns of `stories.csv`."""
OCCUPATION_COLUMNS = ("model", "task", *_OCCUPATION, *_OCCUPATION_MORE)
"""The columns of `occupations.csv`."""
_RANGES = {
    **dict.fromkeys((*PAIRS, "ntr_gen", "M_B", "M_R"), (0.0, 1.0)),
    "bias_gen": (-1.0, 1.0),
}
_ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class Family:
    """The scores of a family.

    Attributes:
        rows: With the columns of the family; None is undefined, or not in the file.
    """

    rows: tuple[Row, ...]

    @property
    def models(self) -> list[str]:
        """The models, in their order."""
        return list(dict.fromkeys(str(row["model"]) for row in self.rows))


def read_stories(path: Path) -> Family:
    """Read `scores.csv` of `curate evaluate stories score`: overall and by category.

    Raises:
        CurateError: If it cannot be read, lacks a column, or holds what no such score can be.
    """
    found = read_scores(path, _STORY, ("overall", "category"), _STORY_MORE)
    rows = []
    for item in found:
        named = f"{item.model}, {item.group_by} {item.group}".strip()
        _check(item.values, f"{path}, {named}")
        values = {name: item.values.get(name) for name in (*_STORY, *_STORY_MORE)}
        rows.append({"model": item.model, "group_by": item.group_by, "group": item.group, **values})
    return Family(tuple(rows))


def read_occupations(path: Path) -> Family:
    """Read `scores.csv` of `curate evaluate occupations score`.

    Raises:
        CurateError: If it cannot be read, lacks a column, has two rows of one model and task, or
            holds what no such score can be.
    """
    table = read_table(path, required=("model", "task", *_OCCUPATION))
    refuse_problems(table)
    columns = [*_OCCUPATION, *(name for name in _OCCUPATION_MORE if name in table.columns)]
    found: dict[tuple[str, str], Row] = {}
    for row in table.rows:
        where = f"{table.file}, row {row.number}"
        model, task = (unescape_formula(row[name]).strip() for name in ("model", "task"))
        for name, cell in (("model", model), ("task", task)):
            if not cell:
                hint = f"name the {name}"
                raise CurateError("the cell is empty", f"{where}, column {name}", hint)
        if (model, task) in found:
            raise CurateError(f"{model} has two rows of {task}", where, "keep one of the two")
        values = dict(numbers_of(row, columns, where))
        _check(values, where)
        rest = {name: values.get(name) for name in (*_OCCUPATION, *_OCCUPATION_MORE)}
        found[model, task] = {"model": model, "task": task, **rest}
    if not found:
        hint = "name the scores.csv that 'curate evaluate occupations score --out' wrote"
        raise CurateError(f"{path.name} holds no scores", str(path), hint)
    return Family(tuple(found.values()))


def _check(values: dict[str, float | None], where: str) -> None:
    for name, value in _ranged(values):
        low, high = _RANGES[name]
        if not low - _ROUNDING <= value <= high + _ROUNDING:
            raise CurateError(
                f"{name} is {value:g}, and cannot be below {low:g} or above {high:g}",
                f"{where}, column {name}",
                "give shares of 1, not percent",
            )


def _ranged(values: dict[str, float | None]) -> Iterator[tuple[str, float]]:
    for name, value in values.items():
        if name in _RANGES and value is not None:
            yield name, value
