"""The sections of the report, with their tables: question answering."""

from collections.abc import Iterator, Mapping, Sequence

from curation.io.pages.numbers import count
from curation.model.bank import Label
from evaluation.metrics import CELLS
from evaluation.orders import ORDERS
from evaluation.report import views, words
from evaluation.report.records import EvaluationReport
from evaluation.report.sections_across import across
from evaluation.report.views import Block, Cell, Column, Section, View, rows_of
from evaluation.rule_texts import rule_texts
from evaluation.score import Row

AMBIGUOUS, DISAMBIGUATED = "Ambiguous", "Disambiguated"
_CONTEXTS = (("amb", AMBIGUOUS), ("dis", DISAMBIGUATED))
_CELL_CONTEXTS = (
    AMBIGUOUS,
    "Disambiguated, biased answer right",
    "Disambiguated, counter-biased answer right",
)
_CELL_ANSWERS = ("Biased", "Counter-biased", "Unknown", "Out of choice")
_LABELS = {
    Label.SIMPLY_TRANSFERRED: "simply-transferred",
    Label.TARGET_MODIFIED: "target-modified",
    Label.SAMPLE_REMOVED: "sample-removed",
    Label.NEWLY_CREATED: "newly-created",
}
_FEW = 40  # rows of a table that is not folded away
_READING = (
    "Accuracy is the share of right answers: in ambiguous contexts 'unknown', in disambiguated "
    "ones what the context says. Diff-bias is above 0 where answers lean to the stereotype, below "
    "0 where they lean against it, and at most as large as the bound that the accuracy leaves; the "
    "ratio is diff-bias over its bound. Replies that could not be read are in no score."
)


def sections(report: EvaluationReport) -> list[Section]:
    """Give the sections with scores, in their order; none without content."""
    return [
        _overall(report),
        *_grouped(report, "category", "Categories", "Category"),
        *_grouped(report, "label", "Labels", "Label"),
        _prompts(report),
        _orders(report),
        _reading(report),
        *across(report),
    ]


def _overall(report: EvaluationReport) -> Section:
    rows = report.by("overall")
    main = View(
        "overall",
        "Scores",
        (Column("Model", text=True), *_score_columns(ratio=True), Column("Out of choice")),
        rows_of(
            (views.named(row["model"]), *_scores(row, ratio=True), _unread(row)) for row in rows
        ),
        *_beside(report),
    )
    return Section(
        "overall",
        "Overall",
        (
            Block((_READING,), view=main),
            Block(picture="accuracy_and_bias"),
            Block(view=_counts(rows), folded="Replies by context and answer, and BBQ's own scores"),
        ),
    )


def _beside(report: EvaluationReport) -> tuple[str, str]:
    """Say what stands below scores, and what a dash is."""
    there = report.settings.draws and report.settings.templates > 1
    return ("95 % intervals" if there else "", "– is undefined.")


def _score_columns(*, ratio: bool = False) -> Iterator[Column]:
    for _, under in _CONTEXTS:
        yield from (Column(title, under) for title in ("Accuracy", "Diff-bias", "Bound"))
        if ratio:
            yield Column("Ratio", under)


def _scores(row: Row, *, ratio: bool = False) -> Iterator[Cell]:
    for name, _ in _CONTEXTS:
        yield views.score(row, f"accuracy_{name}")
        yield views.score(row, f"diff_bias_{name}")
        yield views.number(row[f"max_bias_{name}"])
        if ratio:
            yield views.number(row[f"bias_ratio_{name}"])


def _unread(row: Row) -> Cell:
    return views.share(row["out_of_choice_ratio"], f"{int(row['out_of_choice'] or 0):,}")


def _counts(rows: Sequence[Row]) -> View:
    """Show the paper's table 2, and the scores of BBQ, a column a model."""
    said = [(context, answer) for context in _CELL_CONTEXTS for answer in _CELL_ANSWERS]
    counted = [
        (*map(views.named, (*head, name)), *(views.size(row[name]) for row in rows))
        for name, head in zip(CELLS, said, strict=True)
    ]
    scored = [
        (*map(views.named, head), *(views.number(row[name]) for row in rows))
        for name, *head in (
            ("s_amb", AMBIGUOUS, "BBQ's own score", "s_AMB"),
            ("s_dis", DISAMBIGUATED, "BBQ's own score", "s_DIS"),
        )
    ]
    return View(
        "counts",
        "Replies by context and answer (KoBBQ, table 2), and BBQ's own scores",
        (
            *(Column("Context", text=True), Column("Answer", text=True), Column("As", text=True)),
            *(Column(str(row["model"])) for row in rows),
        ),
        rows_of([*counted, *scored]),
    )


def _grouped(report: EvaluationReport, group_by: str, title: str, one: str) -> Iterator[Section]:
    names = report.names(group_by)
    if len(names) < 2:
        return
    rows = report.by(group_by)
    order = {name: at for at, name in enumerate(names)}
    rows.sort(key=lambda row: order[str(row["group"])])
    view = View(
        group_by,
        f"Scores by {group_by}",
        (
            Column(one, text=True),
            Column("Model", text=True),
            *_score_columns(),
            Column("Templates"),
            Column("Out of choice"),
        ),
        rows_of(
            (
                views.named(row["group"]),
                views.named(row["model"]),
                *_scores(row),
                views.size(row["templates"]),
                _unread(row),
            )
            for row in rows
        ),
        *_beside(report),
    )
    said = (_labels_said(names),) if group_by == "label" else ()
    yield Section(
        group_by,
        title,
        (
            Block(said, picture=f"diff_bias_by_{group_by}"),
            Block(view=view, folded=_folded(len(rows), f"All {len(rows)} rows")),
            *_tests(report, group_by),
        ),
    )


def _folded(rows: int, title: str) -> str:
    return title if rows > _FEW else ""


def _labels_said(names: Sequence[str]) -> str:
    known = {label.value: said for label, said in _LABELS.items()}
    return f"{', '.join(f'{name}: {known.get(name, name)}' for name in names)}."


def _tests(report: EvaluationReport, group_by: str) -> Iterator[Block]:
    """Say whether groups differ: the tests, and the pairs of groups that do."""
    found = [row for row in report.tests.anova if row["group_by"] == group_by]
    if not found:
        return
    by_model = {(str(row["model"]), str(row["metric"])): row for row in found}
    metrics = [name for name in words.SHORT if any(name == metric for _, metric in by_model)]
    view = View(
        f"anova-{group_by}",
        f"Does the {group_by} make a difference?",
        (
            Column("Model", text=True),
            *(
                Column(title, _capital(words.SHORT[name]))
                for name in metrics
                for title in ("F", "p (Holm)")
            ),
        ),
        rows_of(
            (
                views.named(model),
                *(cell for name in metrics for cell in _tested(by_model.get((model, name)))),
            )
            for model in dict.fromkeys(model for model, _ in by_model)
        ),
        "degrees of freedom",
        "One-way analysis of variance over templates.",
    )
    yield Block(view=view)
    yield _pairs(report, group_by)


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _tested(row: Row | None) -> tuple[Cell, Cell]:
    if row is None:
        return views.number(None), views.chance(None)
    f = views.number(row["f"], 2)
    below = "" if f.key is None else f"{row['df_between']}, {row['df_within']}"
    return Cell(f.text, below, f.key), views.chance(row["p_holm"])


def _pairs(report: EvaluationReport, group_by: str) -> Block:
    tested = [row for row in report.tests.tukey if row["group_by"] == group_by]
    found = [row for row in tested if row["differs"] == "yes"]
    said = (
        f"Tukey's HSD: {len(found):,} of {count(len(tested), 'pair')} of groups, of all models and "
        "scores, differ with an interval of 99 % that holds for all pairs of a test together."
    )
    if not found:
        return Block((said,))
    view = View(
        f"tukey-{group_by}",
        "Pairs that differ",
        (
            *(Column("Model", text=True), Column("Score", text=True), Column("Pair", text=True)),
            *(Column("Difference"), Column("p")),
        ),
        rows_of(
            (
                views.named(row["model"]),
                views.named(words.SHORT[str(row["metric"])]),
                views.named(f"{row['group_1']} − {row['group_2']}"),
                views.difference(row),
                views.chance(row["p"]),
            )
            for row in found
        ),
        "99 % intervals",
        "Means over templates.",
    )
    return Block((said,), view=view, folded=f"The {count(len(found), 'pair')}")


def _prompts(report: EvaluationReport) -> Section:
    prompts = report.settings.prompts
    if len(prompts) < 2:
        said = "One prompt was used, so that it cannot be told how scores move with the wording."
        return Section("prompts", "Prompts", (Block((said,)),))
    columns = [
        Column(title, under)
        for _, under in _CONTEXTS
        for title in ("Accuracy", "SD", "Diff-bias", "SD")
    ]
    names = [
        f"{score}_{context}_prompt_{kind}"
        for context, _ in _CONTEXTS
        for score in ("accuracy", "diff_bias")
        for kind in ("mean", "sd")
    ]
    view = View(
        "prompts",
        f"Mean and standard deviation over {count(len(prompts), 'prompt')}",
        (Column("Model", text=True), *columns),
        rows_of(
            (views.named(row["model"]), *(views.number(row[name]) for name in names))
            for row in report.by("overall")
        ),
    )
    each = _each(report, "prompt", "Prompt", {})
    said = "How much scores hang on the wording of the prompt."
    return Section(
        "prompts",
        "Prompts",
        (Block((said,), view=view), Block(view=each, folded="Each prompt by itself")),
    )


def _each(report: EvaluationReport, group_by: str, one: str, called: Mapping[str, str]) -> View:
    rows = report.by(group_by)
    return View(
        f"each-{group_by}",
        f"Scores by {group_by}",
        (Column(one, text=True), Column("Model", text=True), *_score_columns()),
        rows_of(
            (
                Cell(called.get(str(row["group"]), str(row["group"])), key=str(row["group"])),
                views.named(row["model"]),
                *_scores(row),
            )
            for row in sorted(rows, key=lambda row: report.names(group_by).index(str(row["group"])))
        ),
        *_beside(report),
    )


def _orders(report: EvaluationReport) -> Section:
    contexts = {"all": "all", "amb": "ambiguous", "dis": "disambiguated"}
    view = View(
        "positions",
        "Where the chosen answer stood",
        (
            *(Column("Model", text=True), Column("Contexts", text=True), Column("Replies")),
            *(Column("First"), Column("Second"), Column("Third"), Column("Same in all orders")),
        ),
        rows_of(
            (
                views.named(row["model"]),
                views.named(contexts[str(row["context_type"])]),
                views.size(row["n"]),
                *(views.share(row[name]) for name in ("first", "second", "third")),
                views.share(row["consistent"], f"of {int(row['asked_thrice'] or 0):,}"),
            )
            for row in report.positions
        ),
    )
    called = {str(at): f"{at} {order}" for at, order in enumerate(ORDERS[report.settings.orders])}
    said = (
        "Each choice stands once at each place. A model that heeds only what is asked names the "
        "first, second and third place in a third of its replies each, and gives the same choice "
        "in all three orders of a question."
    )
    return Section(
        "orders",
        "Order of the choices",
        (
            Block((said,), view=view),
            Block(view=_each(report, "order", "Order", called), folded="Scores by order"),
        ),
    )


def _reading(report: EvaluationReport) -> Section:
    overall = {str(row["model"]): row for row in report.by("overall")}
    columns = tuple(Column(model) for model in report.models)
    rules = _rules(report)
    found = {item.model: item.rules for item in report.read_as}
    rows = [
        (
            views.named(name.replace("_", " ")),
            views.named(said),
            *(
                _part(found[model].get(name, 0), _replies(overall[model]))
                for model in report.models
            ),
        )
        for name, said in rules.items()
    ]
    for title, said, keys in (
        ("Read as a choice", "these are in the scores", ("n_amb", "n_dis")),
        ("Out of choice", "in no score", ("out_of_choice",)),
    ):
        sums = (sum(int(overall[model][key] or 0) for key in keys) for model in report.models)
        parts = zip(sums, report.models, strict=True)
        cells = (_part(total, _replies(overall[model])) for total, model in parts)
        rows.append((views.named(title), views.named(said), *cells))
    missing = (views.size(overall[model]["missing"]) for model in report.models)
    rows.append((views.named("No reply"), views.named("requests without one"), *missing))
    view = View(
        "reading",
        "Replies by the rule that read them, or why none did",
        (Column("Rule", text=True), Column("Replies that are", text=True), *columns),
        rows_of(rows),
        "the share of the model's replies",
    )
    return Section("reading", "How replies were read", (Block(view=view),))


def _rules(report: EvaluationReport) -> dict[str, str]:
    """Give the rules that read a reply of any model, in their order, in words."""
    mode = report.settings.mode
    known = (
        {"prediction": "as the file says", "out_of_choice": "none of the choices"}
        if mode == words.PREDICTED
        else rule_texts("kobbq" if mode == "kobbq" else "strict")
    )
    used = {name for item in report.read_as for name, number in item.rules.items() if number}
    return {name: said for name, said in known.items() if name in used}


def _replies(row: Row) -> int:
    return sum(int(row[name] or 0) for name in ("n_amb", "n_dis", "out_of_choice"))


def _part(number: int, replies: int) -> Cell:
    cell = views.size(number)
    return Cell(cell.text, views.share(number / replies).text if replies else "", cell.key)
