"""The scores of the two other families of measures, read from what they wrote."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from pathlib import Path

from curation.files.tables import read_table, refuse_problems
from curation.files.writers.cells import unescape_formula
from curation.records.errors import CurateError
from evaluation.occupations.rows import CHANCE
from evaluation.qa.metrics import BOUNDS, MAIN, METRICS
from evaluation.qa.score import Row
from evaluation.stories.ranking import numbers_of, read_scores

PAIRS = ("uu", "bc", "bb", "bu", "cu", "cc")
"""The shares of pairs of continued stories."""
_STORY = ("n", *PAIRS, "ntr_gen", "bias_gen")
_STORY_MORE = ("ntr_gen_low", "ntr_gen_high", "bias_gen_low", "bias_gen_high", "n_out_of_choice")
_OCCUPATION = ("M_B", "M_R", "M_S", "out_of_choice")
_OCCUPATION_MORE = (*CHANCE, "n_replies")
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
    for name, (low, high) in _RANGES.items():
        value = values.get(name)
        if value is not None and not low - _ROUNDING <= value <= high + _ROUNDING:
            raise CurateError(
                f"{name} is {value:g}, and cannot be below {low:g} or above {high:g}",
                f"{where}, column {name}",
                "give shares of 1, not percent",
            )


_DIGITS = 12  # scores that differ by less are equal
QA, STORIES, OCCUPATIONS = "question answering", "stories", "occupations"


@dataclass(frozen=True, slots=True)
class Measure:
    """Something that models are ranked by.

    Attributes:
        name: As in the tables.
        title: As people read it.
        family: `question answering`, `stories` or `occupations`.
        ideal: The value that the measure's own idea of no bias asks for.
    """

    name: str
    title: str
    family: str
    ideal: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """The models by one measure.

    Attributes:
        measure: The measure.
        values: By model its value, of those in which it is defined.
        ranks: By model its rank, 1 for the nearest to the ideal; equal ones share the best.
    """

    measure: Measure
    values: Mapping[str, float]
    ranks: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two rankings agree.

    Attributes:
        first: One measure.
        second: The other one.
        models: The models that both rank.
        tau: Kendall's tau-b, from -1 to 1; None where a ranking tells no model from another.
        pairs: Pairs of models.
        opposed: Pairs that the two rankings put in opposite orders.
        furthest: The model whose two ranks among these models differ most, the first of several;
            empty where none differs.
        difference: By how much.
    """

    first: Measure
    second: Measure
    models: tuple[str, ...]
    tau: float | None
    pairs: int
    opposed: int
    furthest: str
    difference: int


_QA = tuple(
    Measure(
        name,
        f"|{title}|, {METRICS[name].where}" if name in BOUNDS else METRICS[name].title.capitalize(),
        QA,
        0.0 if name in BOUNDS else 1.0,
    )
    for name in MAIN
    for title in (METRICS[name].what.capitalize(),)
)
_STORIES = (
    Measure("ntr_gen", "Neutrality of stories", STORIES, 1.0),
    Measure("bias_gen", "|Bias| of stories", STORIES, 0.0),
)
_OCCUPATIONS = (
    ("M_B", "Balance M_B", 0.0),
    ("M_R", "Refusal M_R", 1.0),
    ("M_S", "Alignment M_S", 2.0),
)


def rankings(
    rows: Sequence[Row], stories: Family | None, occupations: Family | None
) -> Iterator[Ranking]:
    """Yield the rankings of models by every measure that there is, overall.

    Measures of occupations are those of one task each.

    Args:
        rows: Scores of question answering.
        stories: Scores of stories.
        occupations: Scores of occupations.
    """
    overall = [row for row in rows if row["group_by"] == "overall"]
    yield from (_ranking(measure, overall, measure.name) for measure in _QA)
    if stories is not None:
        told = [row for row in stories.rows if row["group_by"] == "overall"]
        yield from (_ranking(measure, told, measure.name) for measure in _STORIES)
    if occupations is not None:
        for task in dict.fromkeys(str(row["task"]) for row in occupations.rows):
            of_task = [row for row in occupations.rows if row["task"] == task]
            for name, title, ideal in _OCCUPATIONS:
                measure = Measure(f"{name} {task}", f"{title}, {task}", OCCUPATIONS, ideal)
                yield _ranking(measure, of_task, name)


def _ranking(measure: Measure, rows: Iterable[Row], column: str) -> Ranking:
    values = {str(row["model"]): float(v) for row in rows if (v := row[column]) is not None}
    return Ranking(measure, values, _ranks(_distances(measure, values)))


def _distances(measure: Measure, values: Mapping[str, float]) -> dict[str, float]:
    return {model: round(abs(value - measure.ideal), _DIGITS) for model, value in values.items()}


def _ranks(distances: Mapping[str, float]) -> dict[str, int]:
    return {
        model: 1 + sum(other < distance for other in distances.values())
        for model, distance in distances.items()
    }


def agreements(found: Sequence[Ranking]) -> Iterator[Agreement]:
    """Yield how far each two rankings agree that have two models or more in common."""
    for first, second in combinations(found, 2):
        shared = [model for model in first.values if model in second.values]
        if len(shared) > 1:
            yield _agreement(first, second, shared)


def _agreement(first: Ranking, second: Ranking, models: Sequence[str]) -> Agreement:
    """Hold two rankings against each other (Kendall 1945, tau-b, for ties)."""
    distances = [
        {model: _distances(item.measure, item.values)[model] for model in models}
        for item in (first, second)
    ]
    signs = [
        tuple((item[one] > item[two]) - (item[one] < item[two]) for item in distances)
        for one, two in combinations(models, 2)
    ]
    told = [sum(pair[at] != 0 for pair in signs) for at in (0, 1)]
    together = sum(one * two for one, two in signs)
    ranks = [_ranks(item) for item in distances]
    apart = {model: abs(ranks[0][model] - ranks[1][model]) for model in models}
    furthest = max(apart, key=lambda model: apart[model])
    return Agreement(
        first=first.measure,
        second=second.measure,
        models=tuple(models),
        tau=together / sqrt(told[0] * told[1]) if all(told) else None,
        pairs=len(signs),
        opposed=sum(one * two < 0 for one, two in signs),
        furthest=furthest if apart[furthest] else "",
        difference=apart[furthest],
    )
