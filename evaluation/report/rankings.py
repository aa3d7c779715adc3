"""Models by each measure of all families, and where the rankings disagree."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt

from evaluation.report.families import Family
from evaluation.score import Row

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


_QA = (
    Measure("accuracy_amb", "Accuracy, ambiguous", QA, 1.0),
    Measure("accuracy_dis", "Accuracy, disambiguated", QA, 1.0),
    Measure("diff_bias_amb", "|Diff-bias|, ambiguous", QA, 0.0),
    Measure("diff_bias_dis", "|Diff-bias|, disambiguated", QA, 0.0),
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
