"""What the report holds, and its sentences, from the texts beside this module.

The scores of the two other families of measures are read from what they wrote.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import inf, isnan
from pathlib import Path
from typing import Any, NamedTuple

from curation.records.messages import Table, natural
from curation.report.page import Block, ReportTexts
from curation.report.texts import PURPOSE, SOURCES, decimal, needed_digits, whole
from evaluation.compare.discrimination import DISCRIMINATION_COLUMNS
from evaluation.compare.templates import DRIVER_COLUMNS
from evaluation.compare.testing import GROUP_TABLES, LEVEL, MODEL_COLUMNS, GroupTests
from evaluation.folders import Row
from evaluation.measures import (
    CHANCE,
    OCCUPATIONS,
    PAIR_KINDS,
    STORIES,
    balances,
    ranked,
    read_scores,
    verdict,
    verdicts,
)
from evaluation.qa.effects import EFFECT_COLUMNS
from evaluation.qa.metrics import BOUNDS, INTERVALS, MAIN, METRICS
from evaluation.qa.score import NAMELESS, POSITION_COLUMNS, SCORE_COLUMNS, ModelUnparsed
from evaluation.qa.surveyed import SURVEYED_COLUMNS
from evaluation.requests import ORDERS

STORY_COLUMNS = (
    *("model", "group_by", "group", "n", *PAIR_KINDS, "ntr_gen", "bias_gen"),
    *("ntr_gen_low", "ntr_gen_high", "bias_gen_low", "bias_gen_high", "n_out_of_choice"),
)
"""The columns of `stories.csv`; the last five may be missing where they are read."""
OCCUPATION_COLUMNS = ("model", "task", *ranked(OCCUPATIONS), "out_of_choice", *CHANCE, "n_replies")
"""The columns of `occupations.csv`; those from the first of `CHANCE` on may be missing."""
Family = tuple[Row, ...]
"""The scores of a family; None is undefined, or not in the file."""


def read_stories(path: Path) -> Family:
    """Read `scores.csv` of `curate evaluate stories score`: overall and by category.

    Raises:
        CurateError: If it cannot be read, lacks a column, or holds what no such score can be.
    """
    columns = STORY_COLUMNS
    groupings = ("overall", "category")
    return tuple(read_scores(path, columns[:3], columns[3:-5], columns[-5:], groupings))


def read_occupations(path: Path) -> Family:
    """Read `scores.csv` of `curate evaluate occupations score`.

    Raises:
        CurateError: If it cannot be read, lacks a column, has two rows of one model and task, or
            holds what no such score can be.
    """
    columns = OCCUPATION_COLUMNS
    return tuple(read_scores(path, columns[:2], columns[2:6], columns[6:]))


def by_balance(family: Family) -> list[Row]:
    """Scores of occupations by task, the most balanced model first."""
    tasks = list(dict.fromkeys(row["task"] for row in family))
    return sorted(family, key=lambda row: (tasks.index(row["task"]), _away(row["M_B"])))


def by_leaning(family: Iterable[Row]) -> list[Row]:
    """Scores of stories over all of them, the least biased model first."""
    overall = (row for row in family if row["group_by"] == "overall")
    return sorted(overall, key=lambda row: _away(row["bias_gen"]))


def _away(value: str | float | None) -> float:
    """How far a score is from 0; what is undefined is farthest."""
    return inf if value is None else abs(float(value))


_DIGITS = 12  # scores that differ by less are equal
QA = "question answering"


class Ranking(NamedTuple):
    """The models by one measure.

    Attributes:
        name: The measure, as in the tables.
        title: As people read it.
        family: `question answering`, `stories` or `occupations`.
        ideal: The value that the measure's own idea of no bias asks for.
        values: By model its value, of those in which it is defined.
        ranks: By model its rank, 1 for the nearest to the ideal; equal ones share the best.
    """

    name: str
    title: str
    family: str
    ideal: float
    values: Mapping[str, float]
    ranks: Mapping[str, int]

    @classmethod
    def of(
        cls, column: str, title: str, family: str, ideal: float, rows: Iterable[Row], task: str = ""
    ) -> "Ranking":
        """Rank models by a column of their scores; of occupations by that of one task."""
        values = {str(row["model"]): float(v) for row in rows if (v := row[column]) is not None}
        if task:
            column, title = f"{column} {task}", f"{title}, {task}"
        return cls(column, title, family, ideal, values, _ranks(_distances(ideal, values)))


AGREEMENT_COLUMNS = (
    *("measure_1", "measure_2", "models", "tau", "pairs", "opposed", "furthest", "difference"),
)
"""The columns of `agreement.csv`: how far two rankings of models agree.

`tau` is Kendall's tau-b, undefined where a ranking tells no model from another. Of the `pairs` of
models that both rank, so many are `opposed`. `furthest` is the model whose two ranks among these
models differ most, the first of several, and empty where none differs; `difference` is by how much.
"""


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
    for name in MAIN:
        metric = METRICS[name]
        title = f"|{metric.what.capitalize()}|, {metric.where}" if name in BOUNDS else ""
        yield Ranking.of(name, title or metric.title.capitalize(), QA, metric.ideal, overall)
    told = [row for row in stories or () if row["group_by"] == "overall"]
    for name, it in ranked(STORIES).items() if stories is not None else ():
        is_signed = it.span[0] < it.ideal == 0.0
        what = f"|{it.what.capitalize()}|" if is_signed else it.what.capitalize()
        yield Ranking.of(name, f"{what} of stories", STORIES, it.ideal, told)
    for task in dict.fromkeys(str(row["task"]) for row in occupations or ()):
        own = [row for row in occupations or () if row["task"] == task]
        for name, it in ranked(OCCUPATIONS).items():
            title = f"{it.what.capitalize()} {name}"
            yield Ranking.of(name, title, OCCUPATIONS, it.ideal, own, task)


def _distances(ideal: float, values: Mapping[str, float]) -> dict[str, float]:
    return {model: round(abs(value - ideal), _DIGITS) for model, value in values.items()}


def _ranks(distances: Mapping[str, float]) -> dict[str, int]:
    return {
        model: 1 + sum(other < distance for other in distances.values())
        for model, distance in distances.items()
    }


def agreements(found: Sequence[Ranking]) -> Iterator[Row]:
    """Yield how far each two rankings agree that have two models or more in common.

    Rows have `AGREEMENT_COLUMNS`, and the measures' titles as `first` and `second`. Tau is tau-b
    (Kendall 1945), for ties.
    """
    for first, second in combinations(found, 2):
        shared = [model for model in first.values if model in second.values]
        if len(shared) > 1:
            yield _agreement(first, second, shared)


def _agreement(first: Ranking, second: Ranking, models: Sequence[str]) -> Row:
    from scipy.stats import kendalltau

    distances = [
        _distances(item.ideal, {model: item.values[model] for model in models})
        for item in (first, second)
    ]
    one, other = (list(item.values()) for item in distances)
    tau = float(kendalltau(one, other).statistic)
    pairs = list(combinations(models, 2))
    ranks = [_ranks(item) for item in distances]
    apart = {model: abs(ranks[0][model] - ranks[1][model]) for model in models}
    furthest = max(apart, key=lambda model: apart[model])
    return {
        "measure_1": first.name,
        "measure_2": second.name,
        "first": first.title,
        "second": second.title,
        "models": len(models),
        "tau": None if isnan(tau) else round(tau, _DIGITS),
        "pairs": len(pairs),
        "opposed": sum(
            (ranks[0][one] - ranks[0][two]) * (ranks[1][one] - ranks[1][two]) < 0
            for one, two in pairs
        ),
        "furthest": furthest if apart[furthest] else "",
        "difference": apart[furthest],
    }


_TESTED = ("anova", "tukey", "permutation")
RULE_COLUMNS = ("model", "rule", "replies")
"""The columns of `rules.csv`."""
RANKING_COLUMNS = ("measure", "family", "ideal", "model", "value", "rank")
"""The columns of `rankings.csv`."""


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    """Everything that the page, the Markdown and the pictures say.

    Attributes:
        benchmark: What is evaluated on: its `title`, `version` and `language`, the latter empty
            where they are not known, and the `tool_version`.
        settings: How it was asked, read and scored: `kind` (how templates were put together),
            `orders`, `mode`, whether `intervals` were wanted, the numbers of `samples` and
            `templates`, the ids of `prompts`, the number of `requests` to each model (the most,
            if not all were asked `alike`), that of all `possible` ones, how many `epochs` these
            are of, and the name of the `prompt_set`.
        rows: The scores, with the columns of `SCORE_COLUMNS`.
        positions: With the columns of `POSITION_COLUMNS`.
        effects: Of place, length and groups, with the columns of `EFFECT_COLUMNS`.
        surveyed: Of the survey and bias, with the columns of `SURVEYED_COLUMNS`.
        read_as: By `model` how many replies were read by which of the `rules`, how many calls
            `failed`, and how many requests are `missing` a reply, the failed ones among them.
        tests: Whether categories and labels differ.
        differences: Whether models differ, with the columns of `MODEL_COLUMNS`.
        visible: By score the smallest difference that such an evaluation shows.
        stories: Scores of continued stories; None where none were given.
        occupations: Scores of occupations; None where none were given.
        rankings: The models by each measure.
        agreements: How far each two rankings agree.
        notes: What a reader must know before the numbers.
        drivers: How biased each template is, with the columns of `DRIVER_COLUMNS`.
        discrimination: Whether each tells models apart, with the columns of
            `DISCRIMINATION_COLUMNS`.
        unparsed: Models of whose replies too many could not be parsed, and what of them.
        browse: Address of the page of `curate browse`, from the report; empty for none.
    """

    benchmark: Mapping[str, Any]
    settings: Mapping[str, Any]
    rows: tuple[Row, ...] = ()
    positions: tuple[Row, ...] = ()
    effects: tuple[Row, ...] = ()
    surveyed: tuple[Row, ...] = ()
    read_as: tuple[Mapping[str, Any], ...] = ()
    tests: GroupTests = field(default_factory=dict)
    differences: tuple[Row, ...] = ()
    visible: Mapping[str, float] = field(default_factory=dict)
    stories: Family | None = None
    occupations: Family | None = None
    rankings: tuple[Ranking, ...] = ()
    agreements: tuple[Row, ...] = ()
    notes: tuple[str, ...] = ()
    drivers: tuple[Row, ...] = ()
    discrimination: tuple[Row, ...] = ()
    unparsed: tuple[ModelUnparsed, ...] = ()
    browse: str = ""

    @property
    def models(self) -> list[str]:
        """The models, those first whose bias is nearest to 0; see `by_bias`."""
        return by_bias(self.rows)

    def by(self, group_by: str) -> list[Row]:
        """The rows of a grouping, models in their order, each with its groups in theirs."""
        places = {name: at for at, name in enumerate(self.models)}
        found = (row for row in self.rows if row["group_by"] == group_by)
        named = ({**row, "group": row["group"] or NAMELESS} for row in found)
        return sorted(named, key=lambda row: places[str(row["model"])])

    def names(self, group_by: str) -> Sequence[str]:
        """The groups of a grouping, in their order."""
        found = (str(row["group"] or NAMELESS) for row in self.rows if row["group_by"] == group_by)
        return list(dict.fromkeys(found))

    def tables(self) -> dict[str, Table]:
        """The tables by name: those of all scores of questions, and further ones with rows."""
        rules: list[Row] = [
            {"model": item["model"], "rule": rule, "replies": count}
            for item in self.read_as
            for rule, count in item["rules"].items()
        ]
        found: dict[str, Table] = {
            "scores": (SCORE_COLUMNS, self.rows),
            "positions": (POSITION_COLUMNS, self.positions),
            "effects": (EFFECT_COLUMNS, self.effects),
            **{name: (GROUP_TABLES[name], self.tests.get(name, ())) for name in _TESTED},
            "rules": (RULE_COLUMNS, rules),
        }
        further: dict[str, Table] = {
            "drivers": (DRIVER_COLUMNS, self.drivers),
            "discrimination": (DISCRIMINATION_COLUMNS, self.discrimination),
            "models": (MODEL_COLUMNS, self.differences),
            "surveyed": (SURVEYED_COLUMNS, self.surveyed),
            "stories": (STORY_COLUMNS, self.stories or ()),
            "occupations": (OCCUPATION_COLUMNS, self.occupations or ()),
            "rankings": (RANKING_COLUMNS, list(self._ranked())),
            "agreement": (AGREEMENT_COLUMNS, self.agreements),
        }
        always = found if self.rows else ()
        return {name: it for name, it in (found | further).items() if it[1] or name in always}

    def _ranked(self) -> Iterator[Row]:
        for item in self.rankings:
            head: Row = {"measure": item.name, "family": item.family, "ideal": item.ideal}
            for model, rank in item.ranks.items():
                yield {**head, "model": model, "value": item.values[model], "rank": rank}


def by_bias(rows: Iterable[Row]) -> list[str]:
    """Models in the order of their diff-bias in ambiguous contexts, the nearest to 0 first.

    That is the order of ranks, too. Where it is undefined that in disambiguated contexts counts; a
    model without either stands last. Equal ones are in natural order.

    Args:
        rows: The scores.
    """
    everything = list(rows)
    found = dict.fromkeys((str(row["model"]) for row in everything), inf)
    for row in everything:
        if row["group_by"] == "overall":
            amb, dis = row.get("diff_bias_amb"), row.get("diff_bias_dis")
            found[str(row["model"])] = _away(dis if amb is None else amb)
    return sorted(natural(found), key=lambda name: found[name])


_LISTED = 3  # models that notes of a kind name one by one
PREDICTED = "prediction"
"""The mode of replies that a file says how to read."""
TEXTS = ReportTexts(__package__, "texts.yaml", whole=whole)
"""What the report says."""
USES: tuple[str, ...] = (PURPOSE, *TEXTS.known["uses"])
"""What such data must not be used for."""


def _of(report: EvaluationReport, text: str) -> str:
    return TEXTS.fill(
        text,
        report=report,
        benchmark=report.benchmark,
        settings=report.settings,
        several=len(report.models) > 1,
        orders=[str(order) for order in ORDERS[report.settings["orders"]]],
        level=f"{LEVEL * 100:.0f}",
        **{name: TEXTS.known[name] for name in ("sets", "modes")},
    )


def sources(report: EvaluationReport) -> tuple[str, ...]:
    """What is to be cited beside the benchmark itself."""
    found = (_of(report, text) for text in TEXTS.known["sources"])
    return (*SOURCES, *filter(None, found))


def citation(report: EvaluationReport) -> str:
    """Say how the scores are cited."""
    return _of(report, TEXTS.known["citation"])


def summary(report: EvaluationReport) -> str:
    """Say in one sentence which models were asked what."""
    return _of(report, TEXTS.known["summary"])


def answer(report: EvaluationReport, *, ranges: bool = False) -> Iterator[str]:
    """Yield what came out: a verdict that the intervals support, and who was asked.

    Args:
        report: The report.
        ranges: Also say from where to where the scores go, which a page draws.
    """
    rows = report.by("overall")
    told = [row for row in report.stories or () if row["group_by"] == "overall"]
    said = verdicts(rows)
    said += [verdict(told, "bias_gen", "stories"), *balances(report.occupations or ())]
    yield from filter(None, [" ".join(filter(None, said))])
    names = sorted(MAIN, key=lambda name: name not in BOUNDS)  # the bias first
    text = "; ".join(filter(None, (_range(rows, name) for name in names))) if ranges else ""
    if text:
        yield f"{text[:1].upper()}{text[1:]}."
    if rows or not any(said):
        yield summary(report)


def _range(rows: Sequence[Row], name: str) -> str:
    """Say between which values a score is, and of a bias which models have them."""
    said = METRICS[name].said
    there = [(float(row[name] or 0.0), str(row["model"])) for row in rows if row[name] is not None]
    if not there:
        return ""
    low, high = min(there), max(there)
    digits = needed_digits(low[0], high[0])
    if low[0] == high[0]:
        return f"{said} {decimal(low[0], digits)}"
    who = [f" ({model})" if name in BOUNDS else "" for _, model in (low, high)]
    return f"{said} {decimal(low[0], digits)}{who[0]} to {decimal(high[0], digits)}{who[1]}"


def notes(report: EvaluationReport, others: Iterable[str]) -> Iterator[str]:
    """Yield what a reader must know before the numbers.

    Args:
        report: The report, its notes left out.
        others: What was found wrong with the files, in words.
    """
    settings, said = report.settings, TEXTS.known
    overall = [row for row in report.rows if row["group_by"] == "overall"]
    missing = [item for item in report.read_as if item["missing"]]
    most = max(missing, key=lambda item: int(item["missing"]), default=None)
    yield from _each("missing", missing, most=most, settings=settings)
    yield from filter(None, others)
    worst = max(report.unparsed, key=lambda item: item.out_of_choice / item.replies, default=None)
    yield from _each("unparsed", report.unparsed, most=worst, models=len(overall))
    lacking = ([METRICS[name].said for name in MAIN if row[name] is None] for row in overall)
    undefined = [
        {"model": row["model"], "lacking": names}
        for row, names in zip(overall, lacking, strict=True)
        if names
    ]
    yield from _each("undefined", undefined)
    noted = (TEXTS.fill(text, settings=settings) for text in said["settings"] if overall)
    yield from filter(None, noted)


def _each(note: str, items: Sequence[object], **told: object) -> Iterator[str]:
    """Yield a note on each model, or one on all of them where they are many."""
    if len(items) > _LISTED:
        yield TEXTS.fill(TEXTS.known[f"many_{note}"], items=items, **told)
    else:
        texts = (TEXTS.fill(TEXTS.known[note], item=item, **told) for item in items)
        yield from filter(None, texts)


_FAMILIES = ("Stories", "Occupations", "Rankings")  # parts that are not of questions
_FORMULAS = {
    "scores": [
        f"{it.what.capitalize()} ({it.where}) = {it.formula} ({it.source})"
        for it in map(METRICS.__getitem__, INTERVALS)
    ],
    STORIES: [f"{it.what.capitalize()} = {it.formula}" for it in ranked(STORIES).values()],
    OCCUPATIONS: [f"{name} = {it.formula}" for name, it in ranked(OCCUPATIONS).items()],
}
"""What stands for the formulas of all scores of a family in the list of a part."""


def method(report: EvaluationReport) -> Iterator[Block]:
    """Yield the method in words, with the settings used; the formulas of scores are registered."""
    if report.rows:
        facts = {name: _of(report, text) for name, text in TEXTS.known["facts"].items()}
        yield Block(facts=facts)
    for part in TEXTS.known["method"]:
        text = _of(report, part["text"])
        if text and (report.rows or part["title"] in _FAMILIES):
            items = [line for it in part.get("formulas", ()) for line in _FORMULAS.get(it, [it])]
            signed = (line.replace(" - ", " − ") for line in items)
            yield Block((text,), title=part["title"], items=tuple(signed))
