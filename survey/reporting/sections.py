"""The sections of the report, with tables and picture, and the page of every question."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from curation import __version__
from curation.files.outcomes import describe
from curation.records.messages import half_up
from curation.records.survey import DROPPING_ORDER, GroupRole, QuestionKind, Role, Rule
from curation.report import page as blocks
from curation.report.figures import (
    FIRST,
    INK,
    LINE,
    NARROW,
    PAPER,
    SECOND,
    WIDTH,
    Picture,
    draw,
    segments,
)
from curation.report.page import Block, Cell, Field, Page, Section, View, bar, closing
from curation.report.texts import DASH, SOURCES, between, citation, count, decimal, percent, span
from survey.certainty import MOVES
from survey.outcomes import fraction
from survey.quality import NOBODY
from survey.reporting.data import (
    KINDS,
    RULES,
    TEXTS,
    USES,
    QuestionDecision,
    QuestionRow,
    Report,
    method,
    quality_rule,
)
from survey.rules import Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

said, section, view = TEXTS.said, TEXTS.section, TEXTS.view
SHEET = "questions.html"
"""The page of every question, beside the report."""
_NAMED_IDS = 6  # ids that a cell has, before it has their number alone
_A_FIFTH = 0.2
_PART = "\u2020"  # a dagger: an option that is part of another


def page_of(report: Report, tables: Iterable[str] = ()) -> Page:
    """The whole report, as it is shown; `tables` are the names of those that lie beside it."""
    files = ["report.xlsx", *(f"{name}.csv" for name in tables), SHEET]
    made = Block((TEXTS.fill(TEXTS.known["made"], report=report, version=__version__),))
    steps = (Block((text,), title=title) for title, text in method(report))
    sections = (
        _funnel_section(report),
        *(_questions(report, kind) for kind in QuestionKind if report.of_kind(kind)),
        *_templates(report),
        _respondents(report),
        *_order(report),
        *_no_stereotype(report),
        *_stability(report),
        *_sensitivity(report),
        *_plan(report),
        section("method", made, *steps, folded="How it was asked and decided"),
    )
    culture = report.culture
    cited = citation(culture.culture, culture.version, culture.language, __version__)
    return _page(
        report,
        "Survey report",
        (summary(report),),
        (*sections, *closing(files, USES, cited, SOURCES)),
        notes=report.notes,
    )


def sheet_of(report: Report) -> Page:
    """Every question with its votes, texts and decisions, which the report leads to."""
    parts = (
        Section(f"all-{kind}", KINDS[kind], tuple(_details(report, row) for row in rows))
        for kind in QuestionKind
        if (rows := report.of_kind(kind))
    )
    told = ("All votes, texts and decisions, in the order of the survey.",)
    return _page(report, "Questions of the survey", told, tuple(parts), sheet=True)


def _page(
    report: Report, kind: str, answer: tuple[str, ...], sections: tuple[Section, ...], **more: Any
) -> Page:
    culture = report.culture
    return Page(
        kind=kind,
        title=culture.culture,
        version=culture.version,
        language=culture.language,
        tool_version=__version__,
        answer=answer,
        sections=sections,
        **more,
    )


def summary(report: Report) -> str:
    """Say in a few sentences what came out: of templates, and of the questions."""
    rows = report.questions
    decided = [row["decision"] for row in rows]
    return TEXTS.fill(
        TEXTS.known["summary"],
        report=report,
        before=sum(row["before"] for row in report.template_funnel),
        after=sum(row["after"] for row in report.template_funnel),
        kinds=[
            f"{it['before']:,} {KINDS[it['category']].lower()}" for it in report.question_funnel
        ],
        kept=decided.count(QuestionDecision.KEPT),
        dropped=decided.count(QuestionDecision.DROPPED),
    )


def _funnel_section(report: Report) -> Section:
    parts = [(KINDS[row["category"]], row) for row in report.question_funnel]
    parts += [(f"Stereotypes, {row['category']}", row) for row in report.stereotype_funnel]
    templates = [(row["category"], row) for row in report.template_funnel]
    drops = (
        {
            **row,
            "title": RULES[row["rule"]],
            "asked": KINDS.get(row["kind"], "Both"),
            **{
                name: Cell(str(row[of]), percent(row[share]), row[of])
                for name, of, share in (
                    ("drop", "dropped", "share"),
                    ("lone", "alone", "alone_share"),
                    ("template_drop", "templates_dropped", "templates_share"),
                )
            },
        }
        for row in report.drops
    )
    return section(
        "funnel",
        Block(said("removed", report=report), view=_funnel("funnel", templates, True)),
        Block(view=_funnel("questions", parts, False), folded="Questions and stereotypes"),
        Block(view=view("drops", drops, said=said("drops")[0]), folded="Dropped by each rule"),
    )


def _funnel(table: str, lines: Sequence[tuple[str, Row]], is_summed: bool) -> View:
    """A funnel with the columns that it needs, and the part that is retained as a bar."""
    rules = [rule for rule in DROPPING_ORDER if any(row["dropped"].get(rule) for _, row in lines)]
    manual = any(row["manual"] for _, row in lines)
    rows: list[dict[str, Any]] = [
        {
            "part": name.replace("_", " "),
            **{rule.value: -row["dropped"].get(rule, 0) for rule in rules},
            "manual": -row["manual"],
            **{name: row[name] for name in ("before", "after", "undecided")},
        }
        for name, row in lines
    ]
    if is_summed and len(rows) > 1:
        total = {name: sum(row[name] for row in rows) for name in rows[0] if name != "part"}
        rows.append({**total, "part": "Total", "strong": True})
    for row in rows:
        kept = row["after"] / row["before"] if row["before"] else None
        row["kept"] = blocks.share(kept, bar=bar("part", kept))
    more = [
        Field("Before", "size", "before"),
        *(Field(RULES[rule], "size", rule.value) for rule in rules),
        *[Field(RULES[Rule.OVERRIDE], "size", "manual")] * manual,
        Field("Retained", "size", "after"),
        *[Field("Of these undecided", "size", "undecided")]
        * any(it["undecided"] for _, it in lines),
        Field("Part retained", "share", "kept"),
    ]
    return view(table, rows, more)


def _questions(report: Report, kind: QuestionKind) -> Section:
    """A line a question; those that are kept without doubt are not printed."""
    rows = report.of_kind(kind)
    lines = [{**_line(report, row), "quiet": _is_quiet(row)} for row in rows]
    text = said(kind.value, settings=report.settings)
    if kind is next((it for it in QuestionKind if any(map(_is_quiet, report.of_kind(it)))), None):
        text += said("details")
    note = selection_note(report) if kind is QuestionKind.SELECT_ALL else ""
    if kind is QuestionKind.CHOICE:
        text += said("turning", rows=report.turning)
    picture = "validation" if kind is QuestionKind.CHOICE else ""
    return section(
        kind.value, Block(text, picture=picture), Block(view=view(kind.value, lines, note=note))
    )


def _is_quiet(row: QuestionRow) -> bool:
    return row["decision"] is QuestionDecision.KEPT and not row["near"]


def _line(report: Report, row: QuestionRow) -> dict[str, Any]:
    settings, value, ends = report.settings, row["value"], (row["ci_low"], row["ci_high"])
    made: dict[str, Any] = {
        "stereotype": _own(row["stereotype"], row["question_id"]),
        "category": row["category"],
        "decision": _decision(row),
    }
    if row["kind"] is QuestionKind.COMPREHENSION:
        name = ", ".join(row["templates"])
        made["name"] = Cell(name, key=name, link=made["stereotype"].link)
        made["stereotype"] = _own(row["stereotype"])
        drawn = bar("target", value, ends=ends, marks=(settings.comprehension_share,))
        return {**made, "share": blocks.share(value, span(*ends), bar=drawn)}
    for role in (Role.TARGET, Role.NON_TARGET):
        mine = [f"{it['group']} {it['votes']}" for it in row["groups"] if it["role"] == role.value]
        made[role.value] = _own(", ".join(mine))
    none = (row["no_stereotype"] or 0) / row["respondents"] if row["respondents"] else None
    made["none"] = blocks.share(none)
    if row["kind"] is QuestionKind.CHOICE:
        drawn = bar("target", value, ends=ends, marks=(settings.stereotype_share,))
        share = blocks.share(value, span(*ends), bar=drawn)
        return {**made, "share": share, "q": row["q"], "above": row["above"]}
    highest = ((it["ci_high"] or 0) for it in row["groups"])
    reach = max(float(settings.target_multiple), *highest) * 1.05
    marks = (settings.non_target_multiple, settings.target_multiple)
    drawn = bar("target", value, reach=reach, ends=ends, marks=marks)
    below = between(*ends, 2) if row["decisive"] else ""
    shares = Cell(f"{decimal(value)}×" if value is not None else DASH, below, value, bar=drawn)
    # The groups with the votes that it was decided by; several if equal.
    deciding = ", ".join(it["group"] for it in row["groups"] if it["votes"] == row["k"])
    return {**made, "share": shares, "deciding": _own(deciding)}


def _own(text: str, question: str = "") -> Cell:
    """A text in the culture's language, which leads to all that is said of a question."""
    link = f"{SHEET}#{question}" if question else ""
    return Cell(text or DASH, key=text, link=link, local=True)


def _decision(row: QuestionRow) -> Cell:
    decision, near = row["decision"].value, row["near"]
    text = f"{decision}{', borderline' if near else ''}"
    below = "; ".join(row["why"]) or ("no answer is counted" if decision == "undecided" else "")
    return Cell(text, below, text, mark="near" if near else decision)


def _details(report: Report, row: QuestionRow) -> Block:
    """All that is said of a question: as asked, its votes, decisions and templates."""
    name = row["question_id"]
    names = ", ".join(dict.fromkeys((row["category"], name, *row["templates"])))
    same, chance = row["same"], row["chance"]
    facts = [
        f"As asked: {row['asked']}" if row["asked"] else "",
        *map(describe, row["decisions"]),
        "" if same is None else f"The same decision in {percent(same)} of surveys drawn anew",
        "" if chance is None else f"Kept by chance in {percent(chance)}",
        order_said(report.order_of.get(name)),
    ]
    for template, item in row["items"].items():
        for part in item.values():
            worded = " ".join(part[text] for text in ("context", "question", "answer"))
            facts.append(f"{template}, {part['language']}{part['slots']}: {worded}")
    uncounted = any(not it["counts"] for it in row["groups"])
    note = f"{_PART} is part of a broader option, and does not count for the uniform share."
    groups = (
        {
            **it,
            "label": Cell(
                f"{it['group']}{'' if it['counts'] else _PART}", key=it["group"], local=True
            ),
            "role": it["role"].replace("_", "-"),
            "times": Cell(
                decimal(it["times"]), between(it["ci_low"], it["ci_high"], 2), it["times"]
            )
            if it["times"] is not None
            else None,
        }
        for it in row["groups"]
    )
    table = view("groups", groups, name=f"g-{name}", id=name, note=note * uncounted)
    none = row["no_stereotype"]
    said_none = f", {none} say that there is none" if none is not None else ""
    answered = count(row["respondents"], "respondent")
    return Block(
        (f"{names}. {answered}{said_none}. {_decision(row).text}.",),
        title=row["stereotype"] or name,
        name=name,
        items=tuple(filter(None, facts)),
        view=table,
    )


def _templates(report: Report) -> Iterator[Section]:
    rows = [
        {
            "template": str(item.template.id),
            "category": item.template.category,
            "stereotype": _own(item.template.stereotype),
            "why": f"{why}{f', by {item.decisive.by}' if by and item.decisive else ''}"
            f"{f': {item.reason}' if item.reason and not modified else ''}",
        }
        for found, why, by, modified in (
            (report.undecided, "undecided", False, False),
            (report.overridden, "decided by a person", True, False),
            (report.modified, "with groups that the survey found", False, True),
        )
        for item in found
    ]
    if rows:
        yield section("templates", Block(view=view("templates", rows)))


def _plan(report: Report) -> Iterator[Section]:
    """Where the survey departs from its preregistration."""
    if report.registered is not None:
        rows = report.registered["deviations"]
        text = said("plan", registered=report.registered)
        yield section("plan", Block(text, view=view("plan", rows) if rows else None))


def _respondents(report: Report) -> Section:
    people = report.respondents
    text = said("respondents", people=people)
    if people is None:
        return section("respondents", Block(text), *_quality(report))
    others = (
        f"{name}: {', '.join(f'{value or _UNKNOWN} {number}' for value, number in values.items())}."
        for name, values in people["attributes"].items()
        if name not in people["dimensions"]
    )
    quotas = [Block(view=_crossed(people))] if people["dimensions"] else []
    return section(
        "respondents",
        Block((*text, *others)),
        *quotas,
        *_quality(report),
        *_style(report),
        *_weighted(report),
    )


_UNKNOWN = "not known"


def _crossed(people: Row) -> View:
    """People by the attributes of the quotas, the first across, the others down."""
    cells = [cell["values"] for cell in people["cells"]]
    across = list(dict.fromkeys(values[0] for values in cells))
    down = list(dict.fromkeys(values[1:] for values in cells))
    rows = [
        {
            "name": " × ".join(value or _UNKNOWN for value in rest) or "Respondents",
            **{first: _people(people, [(first, *rest)]) for first in across},
            "Total": _people(people, [(first, *rest) for first in across]),
        }
        for rest in down
    ]
    if len(down) > 1:
        sums = {one: _people(people, [(one, *rest) for rest in down]) for one in across}
        rows.append({"name": "Total", **sums, "Total": _people(people, cells), "strong": True})
    return view(
        "quotas",
        rows,
        [*(Field(one or _UNKNOWN, "size", one) for one in across), Field("Total", "size", "Total")],
        dimensions=" × ".join(people["dimensions"]),
        corner=" × ".join(people["dimensions"][1:]),
        whose="the quotas" if people["stated"] else "the default quotas (culture.yaml states none)",
    )


def _people(people: Row, values: Iterable[tuple[str, ...]]) -> Cell:
    """How many there are of some combinations, and how many the plan would have."""
    wanted = set(values)
    mine = [cell for cell in people["cells"] if cell["values"] in wanted]
    planned = [cell["planned"] for cell in mine if cell["planned"] is not None]
    number = sum(cell["answered"] for cell in mine)
    text = half_up(sum(planned) * people["counted"], 1).removesuffix(".0") if planned else DASH
    return Cell(f"{number:,}", text, number)


def _quality(report: Report) -> Iterator[Block]:
    rows = [
        {
            **line,
            "respondents": line["respondents"] or None,
            "outcome": "excluded" if line["excluded"] else "flagged, and counted",
            "turned": _UNKNOWN if line["turns"] is None else _turned(line["turns"], "otherwise"),
        }
        for line in report.quality
    ]
    weights = report.weighting
    if weights and weights["decisions"]:
        what = f"Weighted, worth {decimal(weights['effective'], 1)} of equal weight"
        rows.append(
            {
                "what": what,
                "respondents": weights["respondents"],
                "outcome": "counted without weights",
                "turned": _turned(weights["turned"], "weighted_outcome"),
            }
        )
    if rows or report.people is not None:
        yield Block(said("quality", rows=rows), view=view("quality", rows) if rows else None)


def _turned(decisions: Iterable[Row], otherwise: str) -> str:
    """The decisions that come out otherwise, each with what it was and what it would be."""
    lines = (
        f"{it['subject']}, {RULES[it['rule']]}: {it['outcome'] or NOBODY} → "
        f"{it[otherwise] or NOBODY}"
        for it in decisions
    )
    return "; ".join(lines) or "none"


def _weighted(report: Report) -> Iterator[Block]:
    weights = report.weighting
    if weights is None:
        return
    margins = " and ".join(
        f"{name.replace('_', ' ')} ({', '.join(f'{it} {part:g}' for it, part in shares.items())})"
        for name, shares in weights["margins"].items()
    )
    rows = [
        {
            **row,
            "rule": RULES[row["rule"]],
            "value": Cell(decimal(row["value"], 3), decimal(row["threshold"], 3), row["value"]),
            "weighted_value": Cell(
                decimal(row["weighted_value"], 3),
                between(row["weighted_ci_low"], row["weighted_ci_high"]),
                row["weighted_value"],
            ),
            "effective_n": blocks.number(row["effective_n"], 1),
        }
        for row in weights["turned"]
    ]
    text = said("weighted", weights=weights, margins=margins)
    yield Block(text, view=view("weighted", rows) if rows else None)


def _style(report: Report) -> Iterator[Block]:
    """What the checks tell together, where there is any."""
    found = report.style
    if found is None or not report.quality:
        return
    checks = found["style"].get("checks", {}).items()
    rows = [
        {"what": quality_rule(name, report.settings), "doubtful": of, "others": other}
        for name, (of, other) in checks
    ]
    text = said("style", found=found, style=found["style"], rules=RULES, nobody=NOBODY)
    yield Block(text, view=view("style", rows) if rows else None)


def points(value: float | None) -> str:
    """Write a difference of two shares in points: hundredths, with a sign."""
    if value is None:
        return DASH
    said = half_up(value, 1, times=100).replace("-", "−")
    return f"+{said}" if value > 0 and said != "0.0" else said


def points_span(low: float | None, high: float | None) -> str:
    """Write an interval of differences."""
    return DASH if low is None else f"{points(low)} to {points(high)}"


def order_said(item: Row | None) -> str:
    """Say what the order of its options does to a question; empty where that is not known."""
    return "".join(said("question_order", it=item, points=points, points_span=points_span))


def _difference(item: Row) -> Cell:
    found = item["difference"]
    return Cell(points(found), points_span(item["ci_low"], item["ci_high"]), found)


def _order(report: Report) -> Iterator[Section]:
    if report.order is None:
        return
    if not report.order.kinds:
        yield section("order", Block(said("no_order")))
        return
    kinds = (
        {
            **it,
            "kind": KINDS[it["kind"]],
            "difference": _difference(it),
            "turned": f"{len(it['turned'])} of {it['told']}" if it["told"] else _UNKNOWN,
            "expected": blocks.number(it["expected"], 1),
        }
        for it in report.order.kinds
    )
    alone = tuple(
        text
        for it in report.order.kinds
        if it["one_order"]
        for text in said("one_order", ids=it["one_order"], kind=KINDS[it["kind"]])
    )
    shown = [
        {
            "stereotype": _own(row["stereotype"], row["question_id"]),
            **{side: f"{it[f'{side}_k']} of {it[f'{side}_n']}" for side in ("first", "later")},
            "difference": _difference(it),
            "outcome": it["outcome"].value if it["outcome"] else None,
            "turned": "; ".join(
                f"{' '.join(turn['order'])}: {turn['outcome']} ({turn['answers']} answers)"
                for turn in it["turns"] or ()
            )
            or "no change",
        }
        for row, it in report.order_shown
    ]
    table = view("kinds", kinds)
    more = [Block(view=view("order", shown), folded="Questions with an effect")] if shown else []
    yield section("order", Block(said("order"), view=table), *[Block(alone)] * bool(alone), *more)


def _no_stereotype(report: Report) -> Iterator[Section]:
    limit = report.settings.no_stereotype_limit
    rows = [
        {
            **row,
            "category": row["category"] or "All",
            "kind": KINDS.get(row["kind"], "Both"),
            "middle": blocks.share(
                row["median"],
                span(*ends),
                bar=bar("none", row["median"], ends=ends, marks=(limit,)),
            ),
        }
        for row in report.no_stereotype
        if (ends := (row["quartile_1"], row["quartile_3"]))
    ]
    if rows:
        yield section("none", Block(said("none"), view=view("none", rows)))


def _stability(report: Report) -> Iterator[Section]:
    if report.stability:
        items = (said(f"again_{it['kind']}", it=it) for it in report.stability)
        yield section("stability", Block(said("stability"), items=sum(items, ())))


def selection_note(report: Report) -> str:
    """Say how many targets few of those named who named any group at all."""
    targets = [
        group["named_share"] or 0
        for row in report.of_kind(QuestionKind.SELECT_ALL)
        for group in row["groups"]
        if group["role"] == GroupRole.TARGET.value
    ]
    few = sum(share < _A_FIFTH for share in targets)
    return "".join(said("few_named", targets=len(targets), few=few, settings=report.settings))


_TURNED = ("setting", "as_set", "gained", "lost", "turned")


def _sensitivity(report: Report) -> Iterator[Section]:
    """What other thresholds would leave, of those that concern a question asked."""
    kinds = {row["kind"] for row in report.questions}
    told = (
        row
        for row in report.sensitivity
        if not kinds.isdisjoint(MOVES[row["setting"]]) and (row["as_set"] or row["turned"])
    )
    alike = (list(them) for _, them in groupby(told, itemgetter(*_TURNED)))
    rows = [
        {
            **row,
            "title": TEXTS.known["settings"][row["setting"]],
            "moved": " to ".join(
                dict.fromkeys(moved_to(it["value"], it["setting"]) for it in (row, last))
            ),
            "gained": _ids(row["gained"]),
            "lost": _ids(row["lost"]),
            "turned": len(row["turned"]),
            "strong": row["as_set"],
        }
        for row, last in ((them[0], them[-1]) for them in alike)
    ]
    if rows:
        table, title = view("sensitivity", rows), "What each would retain"
        block = Block(said("sensitivity"), view=table, folded=title, is_open=True)
        yield section("sensitivity", block)


def _ids(found: Sequence[str]) -> Cell:
    text = ", ".join(found) if len(found) <= _NAMED_IDS else count(len(found), "template")
    return Cell(text or DASH, key=text)


def moved_to(value: Fraction | str, setting: str = "") -> str:
    """Write the value that a threshold is moved to."""
    if isinstance(value, str):
        return str(TEXTS.known["shared"][value])
    if setting == "target_share" and not value:
        return "off"
    return str(value) if value.denominator == 3 else f"{float(value):g}"


_LOOKS = ((QuestionDecision.KEPT, FIRST, "o"), (QuestionDecision.DROPPED, SECOND, "X"))


def pictures(report: Report) -> Iterator[Picture]:
    """Draw the validation questions by their share; nothing where none was answered."""
    tested = [
        (row["value"], row["ci_low"] or 0.0, row["ci_high"] or 0.0, row["decision"])
        for row in report.of_kind(QuestionKind.CHOICE)
        if row["value"] is not None
    ]
    if not tested:
        return
    tested.sort()
    limit = float(report.settings.stereotype_share)
    said = fraction(report.settings.stereotype_share)

    def paint(figure: "Figure") -> None:
        axes = figure.add_subplot()
        axes.axhline(limit, color=INK, linewidth=1.0)
        for decision, colour, marker in _LOOKS:
            mine = [(at, *row[:3]) for at, row in enumerate(tested) if row[3] is decision]
            ends = segments(((at, low), (at, high)) for at, _, low, high in mine)
            axes.plot(*ends, color=colour, linewidth=1.0, alpha=0.6)
            where, shares = [at for at, *_ in mine], [share for _, share, *_ in mine]
            look: dict[str, Any] = {"color": colour, "edgecolors": PAPER, "s": 24, "zorder": 3}
            axes.scatter(where, shares, marker=marker, label=decision.value, **look)
        ticks = {0.0: "0", 0.25: "25 %", 0.5: "50 %", 0.75: "75 %", 1.0: "100 %"}
        axes.set(ylim=(-0.02, 1.02), xlim=(-0.8, len(tested) - 0.2), xticks=[])
        axes.set_yticks(list(ticks), list(ticks.values()))
        axes.set(xlabel="questions, by their share", ylabel="named the target")
        axes.grid(axis="y", color=LINE, linewidth=0.6)
        axes.set_axisbelow(True)
        axes.text(1.005, limit, said, transform=axes.get_yaxis_transform(), va="center")
        figure.legend(loc="outside upper left", ncols=2, frameon=False, fontsize=8)

    shares = [row[0] for row in tested]
    alt = (
        f"Share of those naming a group who named the target, for {count(len(tested), 'question')} "
        f"from {percent(shares[0])} to {percent(shares[-1])}, with 95 % intervals and the "
        f"threshold of {said}. The table has the numbers."
    )
    yield draw("validation", alt, (WIDTH, 2.7), paint, narrow=((NARROW, 2.7), paint))
