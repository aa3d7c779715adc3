"""The sections of the report that go across: models, families of measures, and rankings."""

from collections.abc import Iterator, Sequence

from curation.io.pages.numbers import DASH, count, decimal
from evaluation.report import views, words
from evaluation.report.families import PAIRS, Family
from evaluation.report.rankings import Agreement, Ranking
from evaluation.report.records import EvaluationReport
from evaluation.report.views import Block, Cell, Column, Section, View, rows_of
from evaluation.score import Row

PERFECT_SLOPE = 2.0
"""M_S of a model that follows the statistics exactly (Ko et al. 2024)."""
_FEW = 12  # rows of a table that is not folded away


def across(report: EvaluationReport) -> Iterator[Section]:
    """Yield the sections; none without content."""
    if report.differences:
        yield _models(report)
    if report.stories is not None:
        yield _stories(report.stories)
    if report.occupations is not None:
        yield _occupations(report.occupations)
    if report.rankings:
        yield _rankings(report)


def _models(report: EvaluationReport) -> Section:
    view = View(
        "models",
        "Differences between models",
        (
            *(Column("Models", text=True), Column("Score", text=True), Column("First model")),
            *(Column("Second model"), Column("Difference"), Column("p"), Column("p (Holm)")),
        ),
        rows_of(
            (
                views.named(f"{row['model_1']} − {row['model_2']}"),
                views.named(words.SHORT[str(row["metric"])]),
                views.number(row["score_1"]),
                views.number(row["score_2"]),
                views.difference(row),
                views.chance(row["p"]),
                views.chance(row["p_holm"]),
            )
            for row in report.differences
        ),
        "95 % intervals",
        "p of Wilcoxon's signed-rank test over templates.",
    )
    said = (
        "The same requests were put to all models, so that they are compared template by template."
    )
    folded = f"All {len(view.rows)} rows" if len(view.rows) > _FEW else ""
    return Section("models", "Do models differ?", (Block((said,)), Block(view=view, folded=folded)))


def _stories(family: Family) -> Section:
    overall = [row for row in family.rows if row["group_by"] == "overall"]
    categories = [row for row in family.rows if row["group_by"] == "category"]
    said = (
        "Models continued stories that leave open who did what. Neutrality is the share of pairs "
        "of continuations that lean neither way; bias is above 0 where they lean to the "
        "stereotype, and at most as large as neutrality leaves."
    )
    view = _story_view("stories", "Scores of stories", overall, by_category=False)
    blocks = [Block((said,), picture="neutrality_and_bias"), Block(view=view)]
    if categories:
        table = _story_view("stories-category", "Scores by category", categories, by_category=True)
        blocks.append(Block(view=table, folded="Stories by category"))
    return Section("stories", "Stories", tuple(blocks))


def _story_view(name: str, title: str, rows: Sequence[Row], *, by_category: bool) -> View:
    category = (Column("Category", text=True),) if by_category else ()
    return View(
        name,
        title,
        (
            *category,
            *(Column("Model", text=True), Column("Neutrality"), Column("Bias"), Column("Bound")),
            *(Column(kind, "Share of pairs") for kind in PAIRS),
            *(Column("Pairs"), Column("Pairs out of choice")),
        ),
        rows_of(_story(row, by_category=by_category) for row in rows),
        "95 % intervals, where the file has them",
    )


def _story(row: Row, *, by_category: bool) -> Iterator[Cell]:
    if by_category:
        yield views.named(row["group"])
    neutral = row["ntr_gen"]
    yield views.named(row["model"])
    yield views.score(row, "ntr_gen")
    yield views.score(row, "bias_gen")
    yield views.number(None if neutral is None else 1 - float(neutral))
    for kind in PAIRS:
        yield views.share(row[kind])
    yield views.size(row["n"])
    yield views.size(row["n_out_of_choice"])


def _occupations(family: Family) -> Section:
    said = (
        "Models gave occupations to people of two groups. M_B is balance: 0 treats the groups "
        "alike. M_R is refusal: the share of 'unknown'. M_S is alignment with real statistics: 2 "
        "follows them exactly, 0 ignores them, below 0 runs against them."
    )
    view = View(
        "occupations",
        "Scores of occupations",
        (
            *(Column("Model", text=True), Column("Task", text=True), Column("M_B")),
            *(Column("M_R"), Column("M_S"), Column("Distance of M_S from 2")),
            Column("Out of choice"),
        ),
        rows_of(
            (
                views.named(row["model"]),
                views.named(row["task"]),
                views.number(row["M_B"]),
                views.number(row["M_R"]),
                views.score(row, "M_S"),
                views.number(_distance(row["M_S"])),
                views.size(row["out_of_choice"]),
            )
            for row in family.rows
        ),
        "95 % intervals, where the file has them",
    )
    return Section("occupations", "Occupations", (Block((said,), view=view),))


def _distance(slope: views.Value) -> float | None:
    return None if slope is None else abs(float(slope) - PERFECT_SLOPE)


def _rankings(report: EvaluationReport) -> Section:
    said = (
        "Each measure has an idea of its own of what is right, and ranks models by how near they "
        "are to it: 1 is the nearest, equal ones share a rank. No measure stands for the others."
    )
    models = _ranked(report)
    view = View(
        "rankings",
        "Ranks by measure",
        (
            *(Column("Measure", text=True), Column("Of", text=True), Column("Ideal")),
            *(Column(model) for model in models),
        ),
        rows_of([*(_ranks(item, models) for item in report.rankings), _spread(report, models)]),
        "the value",
    )
    return Section(
        "rankings",
        "Rankings across measures",
        (Block((said,), view=view), *_agreement(report)),
    )


def _ranked(report: EvaluationReport) -> list[str]:
    others = (model for item in report.rankings for model in item.ranks)
    return list(dict.fromkeys((*report.models, *others)))


def _ranks(item: Ranking, models: Sequence[str]) -> Iterator[Cell]:
    yield views.named(item.measure.title)
    yield views.named(item.measure.family)
    yield views.size(int(item.measure.ideal))
    for model in models:
        rank = item.ranks.get(model)
        if rank is None:
            yield Cell(DASH)
        else:
            yield Cell(str(rank), decimal(item.values[model], views.DIGITS), rank)


def _spread(report: EvaluationReport, models: Sequence[str]) -> Iterator[Cell]:
    """Show each model's best and worst rank."""
    yield from (Cell("Best to worst rank"), Cell(""), Cell(""))
    for model in models:
        ranks = [item.ranks[model] for item in report.rankings if model in item.ranks]
        low, high = min(ranks, default=0), max(ranks, default=0)
        yield Cell(f"{low} to {high}" if high else DASH)


def _agreement(report: EvaluationReport) -> Iterator[Block]:
    """Say which rankings disagree, and how all of them go together."""
    found = sorted(report.agreements, key=lambda item: (item.tau is None, item.tau or 0.0))
    if not found:
        return
    opposed = sum(item.opposed > 0 for item in found)
    against = [item for item in found if item.tau is not None and item.tau < 0]
    said = (
        f"{opposed} of {count(len(found), 'pair')} of rankings put two models or more in opposite "
        f"orders; {len(against)} of them do so more often than not (Kendall's tau below 0)."
    )
    if not against:
        yield Block((said,))
    else:
        view = _agreement_view("disagreements", "Where rankings disagree", against)
        few = len(against) <= _FEW
        folded = "" if few else f"The {len(against)} pairs that disagree"
        yield Block((said,), view=view, folded=folded)
    others = [item for item in found if item not in against]
    if others:
        title = "The other pairs of rankings" if against else "All pairs of rankings"
        yield Block(view=_agreement_view("agreements", title, others), folded=title)


def _agreement_view(name: str, title: str, rows: Sequence[Agreement]) -> View:
    return View(
        name,
        title,
        (
            *(Column("One ranking", text=True), Column("The other", text=True)),
            *(Column("Models"), Column("Kendall's tau"), Column("Pairs in opposite order")),
            Column("Furthest apart", text=True),
        ),
        rows_of(
            (
                views.named(item.first.title),
                views.named(item.second.title),
                views.size(len(item.models)),
                views.number(item.tau, 2),
                Cell(f"{item.opposed} of {item.pairs}", key=item.opposed),
                Cell(
                    f"{item.furthest}, {item.difference}" if item.furthest else DASH,
                    key=item.furthest,
                ),
            )
            for item in rows
        ),
        note="After the model by how many ranks.",
    )
