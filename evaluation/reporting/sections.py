"""The sections of the report, with their tables: question answering."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from itertools import product
from typing import Any, get_args

from curation.files.pages import count, visible
from evaluation.qa.metrics import CELLS
from evaluation.qa.score import Row
from evaluation.replies.readings import Mode
from evaluation.replies.rows import rule_texts
from evaluation.reporting import views, words
from evaluation.reporting.records import EvaluationReport
from evaluation.reporting.sections_across import across
from evaluation.reporting.views import TEXTS, Block, Cell, Field, Section, View, said, section, view
from evaluation.requests import ORDERS

AMBIGUOUS, DISAMBIGUATED = "Ambiguous", "Disambiguated"
_CELL_CONTEXTS = (
    AMBIGUOUS,
    "Disambiguated, biased answer right",
    "Disambiguated, counter-biased answer right",
)
_CELL_ANSWERS = ("Biased", "Counter-biased", "Unknown", "Out of choice")
_FEW = 40  # rows of a table that is not folded away


def sections(report: EvaluationReport) -> list[Section]:
    """The sections with scores, in their order; none without content."""
    return [
        _overall(report),
        *_grouped(report, "category"),
        *_grouped(report, "label"),
        _prompts(report),
        _orders(report),
        _reading(report),
        *across(report),
    ]


def _overall(report: EvaluationReport) -> Section:
    main = view("overall", _rows(report, "overall"), below=_below(report, "overall"))
    return section(
        "overall",
        Block(said("overall"), view=main),
        *_unparsed_blocks(report),
        Block(picture="accuracy_and_bias"),
        Block(view=_counts(report), folded="Replies by context and answer, and BBQ's own scores"),
    )


def _unparsed_blocks(report: EvaluationReport) -> Iterator[Block]:
    """Say how many replies could not be parsed, why, and how far scores may be from the truth."""
    if not report.unparsed:
        return
    shares = (
        {
            **asdict(part),
            "model": item.model,
            "shared": views.share(part.share, f"of {part.replies:,}"),
        }
        for item in report.unparsed
        for part in item.shares
    )
    rules = [
        {**asdict(rule), "model": item.model, "reply": visible(rule.reply)}
        for item in report.unparsed
        for rule in item.rules
    ]
    bounds = (
        {**asdict(part), "model": item.model, "score": words.SHORT[part.score]}
        for item in report.unparsed
        for part in item.bounds
    )
    yield Block(said("unparsed"), view=view("unparsed", shares))
    if rules:
        yield Block(view=view("failed", rules))
    yield Block(said("bounds"), view=view("bounds", bounds))


def _below(report: EvaluationReport, group_by: str) -> str:
    """Say what stands below scores."""
    there = report.settings.draws and report.settings.templates > 1
    few = any(row["interval_note"] for row in report.by(group_by))
    return f"95 % intervals{', * from fewer than 20 templates' if few else ''}" if there else ""


def _rows(report: EvaluationReport, group_by: str) -> list[dict[str, Any]]:
    """The scores of a grouping, models of a group beside one another."""
    names = report.names(group_by)
    rows = [{**row, "unparsed": _unparsed(row)} for row in report.by(group_by)]
    return sorted(rows, key=lambda row: names.index(str(row["group"])))


def _unparsed(row: Row) -> Cell:
    return views.share(row["out_of_choice_ratio"], f"{int(row['out_of_choice'] or 0):,}")


def _counts(report: EvaluationReport) -> View:
    """Show the paper's table 2, and the scores of BBQ, a column a model."""
    scores = report.by("overall")
    heads = product(_CELL_CONTEXTS, _CELL_ANSWERS)
    lines = [
        *((*head, name, name, views.size) for name, head in zip(CELLS, heads, strict=True)),
        (AMBIGUOUS, "BBQ's own score", "s_AMB", "s_amb", views.number),
        (DISAMBIGUATED, "BBQ's own score", "s_DIS", "s_dis", views.number),
    ]
    rows = (
        {
            "context": context,
            "answer": answer,
            "as": called,
            **{at: shown(row[name]) for at, row in enumerate(scores)},
        }
        for context, answer, called, name, shown in lines
    )
    return view("counts", rows, _fields(str(row["model"]) for row in scores))


def _fields(models: Iterable[str]) -> Iterator[Field]:
    return (Field(model, "size", at) for at, model in enumerate(models))


def _grouped(report: EvaluationReport, group_by: str) -> Iterator[Section]:
    names = report.names(group_by)
    if len(names) < 2:
        return
    rows = _rows(report, group_by)
    more = Field("Templates", "size", "templates"), Field("Out of choice", "share", "unparsed")
    one = group_by.capitalize()
    table = view("grouped", rows, more, group_by=group_by, one=one, below=_below(report, group_by))
    labels = ", ".join(f"{name}: {TEXTS['labels'].get(name, name)}" for name in names)
    yield section(
        group_by,
        Block((f"{labels}.",) * (group_by == "label"), picture=f"diff_bias_by_{group_by}"),
        Block(view=table, folded=f"All {len(rows)} rows" if len(rows) > _FEW else ""),
        *_tests(report, group_by),
    )


def _tests(report: EvaluationReport, group_by: str) -> Iterator[Block]:
    """Say whether groups differ: the tests, and the pairs of groups that do."""
    found = [row for row in report.tests.anova if row["group_by"] == group_by]
    if not found:
        return
    metrics = [name for name in words.SHORT if any(name == row["metric"] for row in found)]
    fields = (
        Field(title, shown, (kind, name), f"{words.SHORT[name][:1].upper()}{words.SHORT[name][1:]}")
        for name in metrics
        for title, shown, kind in (("F", "number", "f"), ("p (Holm)", "chance", "p"))
    )
    empty = {(kind, name): None for name in metrics for kind in ("f", "p")}
    rows: dict[str, dict[Any, Any]] = {}
    for row in found:
        tested = rows.setdefault(str(row["model"]), {"model": row["model"], **empty})
        f = views.number(row["f"], 2)
        below = "" if f.key is None else f"{row['df_between']}, {row['df_within']}"
        tested["f", row["metric"]] = Cell(f.text, below, f.key)
        tested["p", row["metric"]] = row["p_holm"]
    yield Block(view=view("anova", rows.values(), fields, group_by=group_by))
    yield _pairs(report, group_by)


def _pairs(report: EvaluationReport, group_by: str) -> Block:
    tested = [row for row in report.tests.tukey if row["group_by"] == group_by]
    found = [
        {
            **row,
            "score": words.SHORT[str(row["metric"])],
            "pair": f"{row['group_1']} − {row['group_2']}",
        }
        for row in tested
        if row["differs"] == "yes"
    ]
    text = said("pairs", differ=len(found), pairs=count(len(tested), "pair"))
    if not found:
        return Block(text)
    table = view("tukey", found, group_by=group_by)
    return Block(text, view=table, folded=f"The {count(len(found), 'pair')}")


def _prompts(report: EvaluationReport) -> Section:
    prompts = report.settings.prompts
    if len(prompts) < 2:
        return section("prompts", Block(said("one_prompt")))
    table = view("prompts", report.by("overall"), prompts=count(len(prompts), "prompt"))
    return section(
        "prompts",
        Block(said("prompts"), view=table),
        Block(view=_each(report, "prompt", {}), folded="Each prompt by itself"),
    )


def _each(report: EvaluationReport, group_by: str, called: Mapping[str, str]) -> View:
    rows = _rows(report, group_by)
    for row in rows:
        group = str(row["group"])
        row["group"] = Cell(called.get(group, group), key=group)
    one = group_by.capitalize()
    return view("each", rows, group_by=group_by, one=one, below=_below(report, group_by))


def _orders(report: EvaluationReport) -> Section:
    contexts = {"all": "all", "amb": "ambiguous", "dis": "disambiguated"}
    rows = (
        {
            **row,
            "context_type": contexts[str(row["context_type"])],
            "consistent": views.share(row["consistent"], f"of {int(row['asked_thrice'] or 0):,}"),
        }
        for row in report.positions
    )
    called = {str(at): f"{at} {order}" for at, order in enumerate(ORDERS[report.settings.orders])}
    return section(
        "orders",
        Block(said("orders"), view=view("positions", rows)),
        Block(view=_each(report, "order", called), folded="Scores by order"),
    )


def _reading(report: EvaluationReport) -> Section:
    overall = {str(row["model"]): row for row in report.by("overall")}
    found = {item.model: item.rules for item in report.read_as}
    scores = [overall[model] for model in report.models]
    lines = [
        (name.replace("_", " "), text, [found[model].get(name, 0) for model in report.models])
        for name, text in _rules(report).items()
    ]
    for rule, text, keys in (
        ("Read as a choice", "these are in the scores", ("n_amb", "n_dis")),
        ("Out of choice", "in no score", ("out_of_choice",)),
    ):
        lines.append((rule, text, [sum(int(row[key] or 0) for key in keys) for row in scores]))
    rows: list[dict[Any, Any]] = [
        {"rule": rule, "said": text, **dict(enumerate(map(_part, numbers, scores)))}
        for rule, text, numbers in lines
    ]
    missing = dict(enumerate(row["missing"] for row in scores))
    rows.append({"rule": "No reply", "said": "requests without one", **missing})
    return section("reading", Block(view=view("reading", rows, _fields(report.models))))


_MODES: dict[str, Mode] = {mode: mode for mode in get_args(Mode)}


def _rules(report: EvaluationReport) -> dict[str, str]:
    """The rules that read a reply of any model, in their order, in words."""
    mode = report.settings.mode
    known = (
        {"prediction": "as the file says", "out_of_choice": "none of the choices"}
        if mode == words.PREDICTED
        else rule_texts(_MODES.get(mode, "strict"))
    )
    used = {name for item in report.read_as for name, number in item.rules.items() if number}
    return {name: said for name, said in known.items() if name in used}


def _part(number: int, row: Row) -> Cell:
    """Show how many of a model's replies are so, and which share of them."""
    replies = sum(int(row[name] or 0) for name in ("n_amb", "n_dis", "out_of_choice"))
    cell = views.size(number)
    return Cell(cell.text, views.share(number / replies).text if replies else "", cell.key)
