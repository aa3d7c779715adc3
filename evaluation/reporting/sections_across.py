"""The sections of the report that go across: models, families of measures, and rankings."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from curation.files.pages import DASH, count, decimal
from curation.records.wording import natural
from evaluation.qa.metrics import MAIN, METRICS
from evaluation.qa.score import Row
from evaluation.reporting import views
from evaluation.reporting.families import Agreement, Family, Ranking
from evaluation.reporting.records import EvaluationReport
from evaluation.reporting.views import (
    FEW,
    MOST,
    SURE,
    Block,
    Cell,
    Field,
    Section,
    View,
    said,
    section,
    view,
)

PERFECT_SLOPE = 2.0
"""M_S of a model that follows the statistics exactly (Ko et al. 2024)."""


def across(report: EvaluationReport) -> Iterator[Section]:
    """Yield the sections; none without content."""
    if report.stories is not None:
        yield _stories(report.stories, report.models)
    if report.occupations is not None:
        yield _occupations(report.occupations, report.models)
    if report.rankings:
        yield _rankings(report)


def models(report: EvaluationReport) -> Iterator[Section]:
    """Yield whether models differ: each from the next in their order, and all pairs."""
    if not report.differences:
        return
    found = [
        {
            **row,
            "pair": f"{row['model_1']} − {row['model_2']}",
            "score": METRICS[str(row["metric"])].title,
        }
        for row in report.differences
    ]
    every = view("models", found)
    if len(found) <= FEW:
        yield section("models", Block(said("models"), view=every))
        return
    blocks = [Block(said("models") + _how_many(report)), Block(view=_neighbours(report))]
    title = f"All pairs and scores: {len(found)} rows"
    if len(found) > MOST:
        blocks.append(Block(said("elsewhere", rows=len(found), file="models.csv")))
    else:
        blocks.append(Block(view=every, folded=title, file="models.csv"))
    yield section("models", *blocks)


def _how_many(report: EvaluationReport) -> tuple[str, ...]:
    """Say by score how many pairs differ."""
    parts = []
    for metric in MAIN:
        tested = [row for row in report.differences if row["metric"] == metric]
        sure = sum(row["p_holm"] is not None and float(row["p_holm"]) < SURE for row in tested)
        parts.append(f"{METRICS[metric].title}: {sure} of {len(tested)}")
    return said("pairs_of_models", parts="; ".join(parts))


def _neighbours(report: EvaluationReport) -> View:
    """Show each model beside the next one in their order."""
    known = {(row["model_1"], row["model_2"], row["metric"]): row for row in report.differences}
    rows = []
    for one, two in pairwise(report.models):
        row: dict[Any, Any] = {"pair": f"{one} − {two}"}
        for context in ("amb", "dis"):
            metric = f"diff_bias_{context}"
            found = known.get((one, two, metric)) or _turned(known.get((two, one, metric)))
            row[context] = views.difference(found, "difference") if found else Cell(DASH)
            row[f"p_{context}"] = found["p_holm"] if found else None
        rows.append(row)
    return view("neighbours", rows)


def _turned(row: Row | None) -> Row | None:
    """The same difference, seen from the other model."""
    if row is None:
        return None
    ends = {"difference": row["difference"], "low": row["high"], "high": row["low"]}
    turned = {name: None if end is None else -float(end) for name, end in ends.items()}
    return {**row, **turned}


def _stories(family: Family, models: Sequence[str]) -> Section:
    blocks = [
        Block(said("stories"), picture="neutrality_and_bias"),
        Block(view=_story_view("stories", family, "overall", models)),
    ]
    by_category = _story_view("stories-category", family, "category", models)
    if by_category.rows:
        blocks.append(Block(view=by_category, folded="Stories by category", file="stories.csv"))
    return section("stories", *blocks)


def _placed(rows: Iterable[Row], models: Sequence[str]) -> list[Row]:
    """Rows in the order of the models of the report, others after them."""
    rows = list(rows)
    others = natural({str(row["model"]) for row in rows} - set(models))
    places = {name: at for at, name in enumerate((*models, *others))}
    return sorted(rows, key=lambda row: places[str(row["model"])])


def _story_view(table: str, family: Family, group_by: str, models: Sequence[str]) -> View:
    rows = _placed((row for row in family.rows if row["group_by"] == group_by), models)
    if group_by == "category":
        names = list(dict.fromkeys(row["group"] for row in rows))
        rows.sort(key=lambda row: names.index(row["group"]))
    return view(table, ({**row, "bound": _distance(row["ntr_gen"], 1.0)} for row in rows))


def _occupations(family: Family, models: Sequence[str]) -> Section:
    placed = _placed(family.rows, models)
    tasks = list(dict.fromkeys(row["task"] for row in family.rows))
    placed.sort(key=lambda row: tasks.index(row["task"]))
    rows = ({**row, "distance": _distance(row["M_S"], PERFECT_SLOPE)} for row in placed)
    return section("occupations", Block(said("occupations"), view=view("occupations", rows)))


def _distance(value: views.Value, ideal: float) -> float | None:
    return None if value is None else abs(float(value) - ideal)


def _rankings(report: EvaluationReport) -> Section:
    others = (model for item in report.rankings for model in item.ranks)
    models = list(dict.fromkeys((*report.models, *natural(others))))
    families = list(dict.fromkeys(item.measure.family for item in report.rankings))
    blocks = [Block(said("rankings"))]
    for at, family in enumerate(families):
        part = [item for item in report.rankings if item.measure.family == family]
        fields = [
            Field(f"{item.measure.title} (ideal {item.measure.ideal:g})", "size", place)
            for place, item in enumerate(part)
        ]
        rows = [
            {"model": model, **_ranks(part, model), "spread": _spread(report, model)}
            for model in models
            if any(model in item.ranks for item in part)
        ]
        if not at:
            fields.append(Field("Best and worst rank", "size", "spread"))
        name = f"rankings-{at + 1}"
        blocks.append(Block(view=view("rankings", rows, fields, name=name, family=family)))
    return section("rankings", *blocks, *_agreement(report))


def _ranks(found: Sequence[Ranking], model: str) -> dict[Any, Any]:
    ranks: dict[Any, Any] = {}
    for at, item in enumerate(found):
        rank = item.ranks.get(model)
        value = "" if rank is None else decimal(item.values[model], views.DIGITS)
        ranks[at] = Cell(DASH if rank is None else str(rank), value, rank)
    return ranks


def _spread(report: EvaluationReport, model: str) -> Cell:
    """Show a model's best and worst rank."""
    ranks = [item.ranks[model] for item in report.rankings if model in item.ranks]
    return Cell(f"{min(ranks)} to {max(ranks)}" if ranks else DASH, key=min(ranks, default=None))


def _agreement(report: EvaluationReport) -> Iterator[Block]:
    """Say which rankings disagree, and how all of them go together."""
    found = sorted(report.agreements, key=lambda item: (item.tau is None, item.tau or 0.0))
    if not found:
        return
    opposed = sum(item.opposed > 0 for item in found)
    against = [item for item in found if item.tau is not None and item.tau < 0]
    pairs = count(len(found), "pair")
    text = said("agreement", opposed=opposed, pairs=pairs, against=len(against))
    if not against:
        yield Block(text)
    else:
        view = _agreement_view("disagreements", "Where rankings disagree", against)
        few = len(against) <= FEW
        folded = "" if few else f"The {len(against)} pairs that disagree"
        yield Block(text, view=view, folded=folded, file="agreement.csv")
    others = [item for item in found if item not in against]
    if others:
        title = "The other pairs of rankings" if against else "All pairs of rankings"
        yield Block(
            view=_agreement_view("agreements", title, others), folded=title, file="agreement.csv"
        )


def _agreement_view(name: str, title: str, found: Sequence[Agreement]) -> View:
    rows = (
        {
            "first": item.first.title,
            "second": item.second.title,
            "models": len(item.models),
            "tau": views.number(item.tau, 2),
            "opposed": Cell(f"{item.opposed} of {item.pairs}", key=item.opposed),
            "furthest": Cell(
                f"{item.furthest}, {item.difference}" if item.furthest else DASH,
                key=item.furthest,
            ),
        }
        for item in found
    )
    return view("agreement", rows, name=name, title=title)
