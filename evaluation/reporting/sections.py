"""The sections of the report, with their tables: question answering."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any
from urllib.parse import quote

from curation.records.messages import natural
from curation.report import page as blocks
from curation.report.page import FEW, MOST, Block, Cell, Field, Page, Section, View, closing
from curation.report.texts import DASH, between, count, decimal, visible
from evaluation.compare.discrimination import TWIN_LEVEL
from evaluation.compare.templates import CONTEXTS, LEAST
from evaluation.compare.testing import model_ranks
from evaluation.folders import Row
from evaluation.measures import MEASURES
from evaluation.qa.effects import EFFECTS
from evaluation.qa.metrics import CELLS, MAIN, METRICS
from evaluation.qa.score import NAMELESS, bias_from
from evaluation.qa.surveyed import FEWEST
from evaluation.replies.rows import rule_texts
from evaluation.reporting import words
from evaluation.reporting.words import TEXTS, EvaluationReport, Family, by_balance, by_leaning
from evaluation.statistics import is_sure

_CELL_CONTEXTS = (
    "Ambiguous",
    "Disambiguated, biased is correct",
    "Disambiguated, counter-biased is correct",
)
_CELL_ANSWERS = ("Biased", "Counter-biased", "Unknown", "Out of choice")
_LISTED = 10  # templates that are named
_RANKED = 10  # models of which ranks alone are worth a section
_REASONS = 12
said, section, view = TEXTS.said, TEXTS.section, TEXTS.view
_FROM_KNOWN = (
    Field("Ambiguous", "number", "known_accuracy_amb", "Accuracy over the samples of the bias"),
    Field("Disambiguated", "number", "known_accuracy_dis", "Accuracy over the samples of the bias"),
    Field("Bias from", "text", "bias_from"),
)


def page_of(report: EvaluationReport) -> Page:
    """The whole report, as it is shown."""
    files = [f"{name}.csv" for name in report.tables()]
    return Page(
        kind="Evaluation report",
        **report.benchmark,
        answer=tuple(words.answer(report)),
        notes=report.notes,
        sections=(
            *sections(report),
            *[section("details", _details(report))] * bool(report.rows),
            section("method", *words.method(report), folded="How it was asked and scored"),
            *closing(
                [*files, "pictures as SVG"],
                words.USES,
                words.citation(report),
                words.sources(report),
            ),
        ),
    )


def _details(report: EvaluationReport) -> Block:
    """Say where samples and replies are to be looked at."""
    links = {"The page of samples and replies": f"{report.browse}#/models"}
    return Block(said("details", browse=report.browse), links=links if report.browse else None)


def sections(report: EvaluationReport) -> Iterator[Section]:
    """Yield the sections with scores, in their order; none without content."""
    if report.rows:
        yield _overall(report)
        yield from _grouped(report, "category")
        yield from _drivers(report)
        yield from _grouped(report, "label")
        yield from models(report)
        yield from _discrimination(report)
        yield from _surveyed(report)
        yield from _prompts(report)
        yield _orders(report)
        yield _reading(report)
    if report.stories is not None:
        yield _stories(report.stories)
    if report.occupations is not None:
        yield _occupations(report.occupations)
    families = {item.family for item in report.rankings}
    names = {model for item in report.rankings for model in item.values}
    if len(families) > 1 or len(names) >= _RANKED:
        yield _rankings(report)


def _overall(report: EvaluationReport) -> Section:
    rows = _rows(report, "overall")
    marked = _marked(report)
    for row, metric in product(rows, MAIN):
        is_best = marked.get((str(row["model"]), metric))
        sign = "\N{DAGGER}" if is_best is False else ""
        row.update({f"{metric}_sign": sign, f"{metric}_best": bool(is_best)})
    below = _below(report, "overall")
    main = view("overall", rows, _bias_fields(rows), below=below, is_compared=bool(marked))
    return section(
        "overall",
        Block(picture="bias"),
        Block(said("overall", is_open=len(_bias_fields(rows)) > 0), view=main),
        Block(said("against"), picture="accuracy_and_bias"),
        Block(
            view=_counts(report),
            folded="Replies by context and answer, and BBQ's own scores",
        ),
        *_unparsed_blocks(report),
    )


def _marked(report: EvaluationReport) -> dict[tuple[str, str], bool]:
    """By model and score True for the best, and False for what is surely further than the best.

    Further from the best value, that is; of several that are equally good, than each. Others, which
    cannot be told from the best, are not in it.
    """
    firsts = [row for row in model_ranks(report.differences) if row["rank"] == 1]
    found = {(str(row["model"]), str(row["metric"])): True for row in firsts}
    behind: Counter[tuple[str, str]] = Counter()
    for row in report.differences:
        metric, nearer = str(row["metric"]), str(row["nearer"])
        if (nearer, metric) in found:
            (other,) = {str(row["model_1"]), str(row["model_2"])} - {nearer}
            behind[other, metric] += 1
    number = Counter(str(row["metric"]) for row in firsts)
    worse = (at for at, count in behind.items() if count == number[at[1]])
    return found | dict.fromkeys(worse, False)


def _bias_fields(rows: Sequence[Mapping[str, Any]]) -> tuple[Field, ...]:
    """The columns that say what bias is from, where open roles leave it fewer samples."""
    is_open = any(row["bias_samples"] != row["samples"] for row in rows)
    return _FROM_KNOWN if is_open else ()


def _unparsed_blocks(report: EvaluationReport) -> Iterator[Block]:
    """Say how many replies could not be parsed, why, and how far scores may be from the truth."""
    if not report.unparsed:
        return
    found = {item.model: item for item in report.unparsed}
    ordered = [found[name] for name in report.models if name in found]
    kinds = list(
        dict.fromkeys((it["group_by"], it["group"]) for item in ordered for it in item.shares)
    )
    fields = (
        Field(group or NAMELESS, "share", (kind, group), f"By {kind}") for kind, group in kinds
    )
    shares = []
    for item in ordered:
        row: dict[Any, Any] = {**dict.fromkeys(kinds), "model": item.model}
        row["out_of_choice"] = item.out_of_choice
        for it in item.shares:
            cell = blocks.share(it["share"], f"{it['out_of_choice']:,}")
            row[it["group_by"], it["group"]] = cell
        shares.append(row)
    rules = [
        {**rule, "model": item.model, "reply": visible(rule["reply"])}
        for item in ordered
        for rule in item.rules
    ]
    most = sorted(rules, key=lambda rule: -int(rule["count"]))[:_REASONS]
    yield Block(said("unparsed"), view=view("unparsed", shares, fields))
    if rules:
        yield Block(view=view("failed", [rule for rule in rules if rule in most]))
    bounds = (
        {"model": item.model, **{part["score"]: _within(part) for part in item.bounds}}
        for item in ordered
    )
    yield Block(said("bounds"), view=view("bounds", bounds))


def _within(part: Mapping[str, Any]) -> Cell:
    """Show between which values a score lies, and the score."""
    text = between(part["least"], part["most"])
    return Cell(
        text,
        decimal(part["value"], blocks.DIGITS) if part["value"] is not None else "",
        part["most"],
    )


def _below(report: EvaluationReport, group_by: str) -> str:
    """Say what stands below scores."""
    there = report.settings["intervals"] and report.settings["templates"] > 1
    few = any(row["interval_note"] for row in report.by(group_by))
    return f"95 % intervals{', * from fewer than 20 templates' if few else ''}" if there else ""


def _rows(report: EvaluationReport, group_by: str) -> list[dict[str, Any]]:
    """The scores of a grouping, models of a group beside one another."""
    names = report.names(group_by)
    rows = [
        {
            **row,
            "unparsed": _unparsed(row),
            "bias_from": Cell(f"{bias_from(row)} samples", key=row["bias_samples"]),
        }
        for row in report.by(group_by)
    ]
    return sorted(rows, key=lambda row: names.index(str(row["group"])))


def _unparsed(row: Row) -> Cell:
    return blocks.share(row["out_of_choice_ratio"], f"{int(row['out_of_choice'] or 0):,}")


def _counts(report: EvaluationReport) -> View:
    """Show the paper's table 2, and the scores of BBQ, a row a model."""
    heads = product(_CELL_CONTEXTS, _CELL_ANSWERS)
    fields = [
        *(
            Field(answer, "size", name, context)
            for name, (context, answer) in zip(CELLS, heads, strict=True)
        ),
        Field("s_AMB", "number", "s_amb", "BBQ's own"),
        Field("s_DIS", "number", "s_dis", "BBQ's own"),
    ]
    return view("counts", report.by("overall"), fields)


def _grouped(report: EvaluationReport, group_by: str) -> Iterator[Section]:
    names = report.names(group_by)
    if len(names) < 2:
        return
    rows = _rows(report, group_by)
    more = (
        Field("Templates", "size", "templates"),
        Field("Out of choice", "share", "unparsed"),
        *_bias_fields(rows),
    )
    one = group_by.capitalize()
    table = view("grouped", rows, more, group_by=group_by, one=one, below=_below(report, group_by))
    labels = ", ".join(f"{name}: {TEXTS.known['labels'].get(name, name)}" for name in names)
    yield section(
        group_by,
        Block((f"{labels}.",) if group_by == "label" else said("multiples")),
        Block(picture=f"diff_bias_by_{group_by}"),
        _rowed(table, f"Scores by {group_by}"),
        *_tests(report, group_by),
    )


def _rowed(table: View, title: str, text: tuple[str, ...] = (), file: str = "scores.csv") -> Block:
    """Show a table open where it is short, folded where it is long, and name its file else."""
    rows = len(table.rows)
    if rows > MOST:
        return Block((*text, *said("elsewhere", rows=rows, file=file)))
    return Block(text, view=table, folded=f"{title}: {rows} rows" if rows > FEW else "")


def _drivers(report: EvaluationReport) -> Iterator[Section]:
    """Yield the templates with bias; those that cannot be told from chance are counted."""
    if len(report.drivers) < 2:
        return
    differ = [row for row in report.drivers if row["differs"]]
    text = said(
        "drivers", differ=len(differ), templates=count(len(report.drivers), "template"), least=LEAST
    )
    if not differ:
        yield section("drivers", Block(text))
        return
    rows = [
        {**row, **dict(_means(row)), "template_id": _linked(report, str(row["template_id"]))}
        for row in differ[:_LISTED]
    ]
    if len(differ) > len(rows):
        text = (*text, *said("first", shown=len(rows)))
    yield section("drivers", Block(text, view=view("drivers", rows)))


def _linked(report: EvaluationReport, template: str) -> Cell:
    """Lead from a template to the page of its samples, where there is one."""
    link = f"{report.browse}#/template/{quote(template)}" if report.browse else ""
    return Cell(template, key=template, link=link)


def _means(row: Row) -> Iterator[tuple[str, Cell]]:
    """Show the mean of each type of context, with its interval and how many replies it is of."""
    for context in CONTEXTS:
        shown = blocks.number(row[f"diff_bias_{context}"])
        ends = (row[f"{end}_{context}"] for end in ("low", "high"))
        low, high = (None if end is None else float(end) for end in ends)
        below = f"{between(low, high)}, n {row[f'n_{context}']}" if low is not None else ""
        yield context, Cell(shown.text, below, shown.key)


def _tests(report: EvaluationReport, group_by: str) -> Iterator[Block]:
    """Say whether groups differ: the tests, and the pairs of groups that do."""
    found = [row for row in report.tests["anova"] if row["group_by"] == group_by]
    if not found:
        return
    metrics = [name for name in MAIN if any(name == row["metric"] for row in found)]
    fields = (
        Field(title, shown, (kind, name), METRICS[name].title.capitalize())
        for name in metrics
        for title, shown, kind in (("F", "number", "f"), ("p (Holm)", "chance", "p"))
    )
    empty = {(kind, name): None for name in metrics for kind in ("f", "p")}
    rows: dict[str, dict[Any, Any]] = {}
    for row in found:
        tested = rows.setdefault(str(row["model"]), {"model": row["model"], **empty})
        f = blocks.number(row["f"], 2)
        below = "" if f.key is None else f"{row['df_between']}, {row['df_within']}"
        tested["f", row["metric"]] = Cell(f.text, below, f.key)
        tested["p", row["metric"]] = row["p_holm"]
    table = view("anova", rows.values(), fields, group_by=group_by)
    differ = sum(any(is_sure(row["p", name]) for name in metrics) for row in rows.values())
    text = said("differ", group_by=group_by, differ=differ, models=count(len(rows), "model"))
    if not differ:
        return
    yield Block(text, view=table, folded=table.title)
    yield from _pairs(report, group_by)


def _pairs(report: EvaluationReport, group_by: str) -> Iterator[Block]:
    tested = [
        row
        for row in report.tests["permutation"]
        if row["group_by"] == group_by and row["p"] is not None
    ]
    found = _paired((row for row in tested if row["differs"] == "yes"), "group")
    if not found:
        return
    text = said("pairs", differ=len(found), pairs=count(len(tested), "pair"))
    table = view("permutation", found, group_by=group_by)
    yield _rowed(table, "The pairs that differ", text, "permutation.csv")


def _prompts(report: EvaluationReport) -> Iterator[Section]:
    prompts = report.settings["prompts"]
    if len(prompts) > 1:
        table = view("prompts", report.by("overall"), prompts=count(len(prompts), "prompt"))
        yield section("prompts", Block(said("prompts"), view=table))


def _orders(report: EvaluationReport) -> Section:
    places = {(str(row["model"]), str(row["context_type"])): row for row in report.positions}
    empty: Row = {"consistent": None, "asked_thrice": None}
    rows: list[dict[Any, Any]] = []
    for model in report.models:
        if (model, "all") in places:
            same = {
                f"same_{kind}": blocks.share(
                    row["consistent"], f"of {int(row['asked_thrice'] or 0):,}"
                )
                for kind in ("all", "amb", "dis")
                for row in (places.get((model, kind), empty),)
            }
            rows.append({**places[model, "all"], **same})
    return section("orders", Block(said("orders"), view=view("positions", rows)), *_effects(report))


def _effects(report: EvaluationReport) -> Iterator[Block]:
    """Show the effects of place, length and groups: those over all samples, and others if sure."""
    tested = [row for row in report.effects if row["p_holm"] is not None]
    if not tested:
        return
    sure = [row for row in tested if is_sure(row["p_holm"])]
    rows = [
        {**row, "what": EFFECTS[str(row["effect"])].what, "of": row["group"] or "all"}
        for row in tested
        if row["group_by"] == "overall" or row in sure
    ]
    yield Block(said("effects", differ=len(sure), tested=count(len(tested), "effect")))
    table = view("effects", rows)
    yield replace(_rowed(table, table.title, (), "effects.csv"), folded=table.title)


def _reading(report: EvaluationReport) -> Section:
    overall = {str(row["model"]): row for row in report.by("overall")}
    found = {item["model"]: item["rules"] for item in report.read_as}
    known = _rules(report)
    fields = [
        Field(name.replace("_", " "), "size", ("rule", name), "Rule or reason") for name in known
    ]
    rows: list[dict[Any, Any]] = []
    for model, row in overall.items():
        read = int(row["n_amb"] or 0) + int(row["n_dis"] or 0)
        rows.append(
            {
                "model": model,
                "read": _part(read, row),
                "unread": _part(int(row["out_of_choice"] or 0), row),
                "missing": row["missing"],
                **{("rule", name): _part(found[model].get(name, 0), row) for name in known},
            }
        )
    rules = "; ".join(f"{name.replace('_', ' ')}: {text}" for name, text in known.items())
    return section("reading", Block((f"{rules}.",), view=view("reading", rows, fields)))


def _rules(report: EvaluationReport) -> dict[str, str]:
    """The rules that read a reply of any model, in their order, in words."""
    mode = report.settings["mode"]
    known = {"prediction": "as the file says", "out_of_choice": "none of the choices"}
    if mode != words.PREDICTED:
        known = dict(rule_texts(mode))
    used = {name for item in report.read_as for name, number in item["rules"].items() if number}
    return {name: said for name, said in known.items() if name in used}


def _part(number: int, row: Row) -> Cell:
    """Show how many of a model's replies are so, and which share of them."""
    replies = sum(int(row[name] or 0) for name in ("n_amb", "n_dis", "out_of_choice"))
    cell = blocks.size(number)
    return Cell(cell.text, blocks.share(number / replies).text if replies else "", cell.key)


def models(report: EvaluationReport) -> Iterator[Section]:
    """Yield whether models differ: each from the next in their order, and all pairs."""
    if not report.differences:
        return
    found = _paired(report.differences, "model")
    seen = [f"{METRICS[name].title} {decimal(value)}" for name, value in report.visible.items()]
    several = any(row["low_prompts"] is not None for row in found)
    for row in found:
        row["over_prompts"] = between(row["low_prompts"], row["high_prompts"])
    text = said("models", seen=seen, several=several)
    if len(found) > FEW:
        parts = []
        for metric in MAIN:
            ps = [row["p_holm"] for row in found if row["metric"] == metric]
            parts.append(f"{METRICS[metric].title}: {sum(map(is_sure, ps))} of {len(ps)}")
        text += said("pairs_of_models", parts="; ".join(parts))
    more = [Field("Over other prompts", "text", "over_prompts", "interval")] * several
    every = _rowed(view("models", found, more), "All pairs and scores", text, "models.csv")
    yield section("models", every)


def _discrimination(report: EvaluationReport) -> Iterator[Section]:
    """Yield which templates tell models apart, or go against the others, or are like another."""
    rows = report.discrimination
    if not rows:
        return
    sure = [row for row in rows if is_sure(row["p"])]
    against = [row for row in sure if float(row["discrimination"] or 0) < 0]
    alike = [row for row in rows if row["twin"] and float(row["twin_p"] or 0) <= TWIN_LEVEL]
    text = said(
        "discrimination",
        apart=len(sure) - len(against),
        against=len(against),
        rows=len(rows),
        same=sum(row["least"] == row["most"] for row in rows),
        alike=len(alike),
    )
    named = (*against, *alike)
    table = view("discrimination", map(_titled, named))
    shown = _rowed(table, table.title, text, "discrimination.csv") if named else Block(text)
    yield section("discrimination", shown)


def _surveyed(report: EvaluationReport) -> Iterator[Section]:
    """Yield whether what people know goes with what models do, where there was a survey."""
    tested = [row for row in report.surveyed if row["p_holm"] is not None]
    if not tested:
        return
    text = said(
        "surveyed",
        sure=sum(is_sure(row["p_holm"]) for row in tested),
        tested=count(len(tested), "correlation"),
        least=FEWEST,
    )
    rows = ({**_titled(row), "asked": _ASKED[str(row["kind"])]} for row in tested)
    table = view("surveyed", rows)
    yield section("surveyed", _rowed(table, table.title, text, "surveyed.csv"))


_ASKED = {"choice": "which of two groups", "select_all": "which of many groups"}


def _paired(rows: Iterable[Row], side: str) -> list[dict[str, Any]]:
    """Rows with the names of both sides, and of the score."""
    sides = f"{side}_1", f"{side}_2"
    return [{**_titled(row), "pair": " − ".join(str(row[it]) for it in sides)} for row in rows]


def _titled(row: Row) -> dict[str, Any]:
    return {**row, "score": METRICS[str(row["metric"])].title}


def _stories(family: Family) -> Section:
    """Show the scores of stories, the least biased model first, as the picture does."""
    rows = [{**row, "bound": _distance(row["ntr_gen"], "ntr_gen")} for row in family]
    overall = by_leaning(rows)
    placed = _placed(rows, [str(row["model"]) for row in overall])
    by_category = [row for row in placed if row["group_by"] == "category"]
    groups = list(dict.fromkeys(row["group"] for row in by_category))
    by_category.sort(key=lambda row: groups.index(row["group"]))
    found = [
        Block(said("stories"), picture="neutrality_and_bias"),
        Block(view=view("stories", overall)),
    ]
    if by_category:
        found.append(
            Block(view=view("stories-category", by_category), folded="Stories by category")
        )
    return section("stories", *found)


def _placed(rows: Sequence[Row], models: Sequence[str]) -> list[Row]:
    """Rows in the order of the models of the report, others after them."""
    others = natural({str(row["model"]) for row in rows} - set(models))
    places = {name: at for at, name in enumerate((*models, *others))}
    return sorted(rows, key=lambda row: places[str(row["model"])])


def _occupations(family: Family) -> Section:
    """Show the scores of occupations, the most balanced model first, as the picture does."""
    rows = ({**row, "distance": _distance(row["M_S"], "M_S")} for row in by_balance(family))
    return section(
        "occupations",
        Block(said("occupations"), picture="occupations"),
        Block(view=view("occupations", rows)),
    )


def _distance(value: blocks.Value, name: str) -> float | None:
    return None if value is None else abs(float(value) - MEASURES[name].ideal)


def _rankings(report: EvaluationReport) -> Section:
    others = (model for item in report.rankings for model in item.ranks)
    models = list(dict.fromkeys((*report.models, *natural(others))))
    found = [Block(said("rankings"))]
    for family in dict.fromkeys(item.family for item in report.rankings):
        part = [item for item in report.rankings if item.family == family]
        fields = [
            Field(f"{item.title} (ideal {item.ideal:g})", "size", at)
            for at, item in enumerate(part)
        ]
        if len(found) == 1:
            fields.append(Field("Best and worst rank", "size", "spread"))
        rows: list[dict[Any, Any]] = []
        for model in models:
            if not any(model in item.ranks for item in part):
                continue
            every = [item.ranks[model] for item in report.rankings if model in item.ranks]
            row: dict[Any, Any] = {"model": model}
            row["spread"] = Cell(f"{min(every)} to {max(every)}", key=min(every))
            for at, item in enumerate(part):
                rank = item.ranks.get(model)
                row[at] = Cell(DASH)
                if rank is not None:
                    row[at] = Cell(str(rank), decimal(item.values[model], blocks.DIGITS), rank)
            rows.append(row)
        name = f"rankings-{len(found)}"
        found.append(Block(view=view("rankings", rows, fields, name=name, family=family)))
    return section("rankings", *found, *_agreement(report))


def _agreement(report: EvaluationReport) -> Iterator[Block]:
    """Say which rankings disagree, and how all of them go together."""
    found = sorted(report.agreements, key=lambda row: (row["tau"] is None, row["tau"] or 0.0))
    if not found:
        return
    opposed = sum(bool(row["opposed"]) for row in found)
    against = [row for row in found if row["tau"] is not None and float(row["tau"]) < 0]
    pairs = count(len(found), "pair")
    yield Block(said("agreement", opposed=opposed, pairs=pairs, against=len(against)))
    others = [item for item in found if item not in against]
    for name, title, part in (
        ("disagreements", "Where rankings disagree", against),
        ("agreements", "All pairs of rankings" if not against else "The other pairs", others),
    ):
        rows = [
            {
                **row,
                "tau": blocks.number(row["tau"], 2),
                "opposed": Cell(f"{row['opposed']} of {row['pairs']}", key=row["opposed"]),
                "furthest": Cell(
                    f"{row['furthest']}, {row['difference']}" if row["furthest"] else DASH,
                    key=row["furthest"],
                ),
            }
            for row in part
        ]
        if rows:
            yield Block(view=view("agreement", rows, name=name, title=title), folded=title)
