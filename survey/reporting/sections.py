"""Parts of the report that HTML and Markdown lay out alike: funnels, quotas, sensitivity."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby

from curation.records.survey import DROPPING_ORDER, QuestionKind, Rule, Standing
from curation.records.wording import half_up
from curation.report.texts import (
    DASH,
    SOURCES,
    count,
    decimal,
    environment,
    percent,
    plain,
    spread,
)
from survey.certainty import SensitivityRow
from survey.order_effects import OrderEffect
from survey.outcomes import FunnelRow
from survey.reporting import words
from survey.reporting.records import QuestionDecision, Report, Respondents, Stability
from survey.reporting.tables import tables
from survey.reporting.words import KINDS, RULES, SETTINGS, SHARED


def markdown(report: Report) -> str:
    """Set a report out as Markdown, by the template beside this module."""
    made = environment(__package__).overlay(autoescape=False)
    made.filters["plain"] = plain
    return f"{made.get_template('report.md.j2').render(context(report)).rstrip()}\n"


def context(report: Report) -> dict[str, object]:
    """What the templates of both forms are filled with."""
    return {
        "report": report,
        "culture": report.culture,
        **{kind.value: report.of_kind(kind) for kind in QuestionKind},
        "funnels": list(funnels(report)),
        "quotas": cross(report.respondents) if report.respondents else None,
        "sensitivity": list(sensitivity_tables(report)),
        "method": list(words.method(report)),
        "summary": summary(report),
        "removed_said": removed_said(report),
        "worded": [row for row in report.questions if row.items],
        "citation": words.citation(report),
        "sources": SOURCES,
        "table_names": [table.name for table in tables(report)],
        "words": words,
        "moved_to": moved_to,
        "selection_note": selection_note(report),
        "turned": turned(report),
        "stability_said": list(stability_said(report)),
        "quota_note": quota_note,
        "points": points,
        "points_span": points_span,
        "order_said": order_said,
    }


@dataclass(frozen=True, slots=True)
class Funnel:
    """A funnel as a table, laid out with the columns that it needs.

    Attributes:
        title: What is counted.
        note: How to read it.
        columns: The header.
        rows: A row a part: its name and numbers; the last is the total.
        shares: For each row the part of those before that is retained.
    """

    title: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]
    shares: tuple[float, ...]


def funnels(report: Report) -> Iterator[Funnel]:
    """Yield the funnels of questions, stereotypes and templates."""
    kinds = [replace(line.row, category=KINDS[line.kind]) for line in report.question_funnel]
    yield _funnel("Questions", "A question may be dropped by several rules.", kinds)
    first = "What several rules drop is counted once, under the first of them."
    yield _funnel("Stereotypes", first, report.stereotype_funnel)
    yield _funnel("Templates", first, report.template_funnel)


def _funnel(title: str, note: str, lines: Sequence[FunnelRow]) -> Funnel:
    rules = [rule for rule in DROPPING_ORDER if any(line.dropped.get(rule) for line in lines)]
    manual = [Rule.OVERRIDE] * any(line.manual for line in lines)
    columns = (
        "Before",
        *(RULES[rule] for rule in (*rules, *manual)),
        "Retained",
        "of these undecided",
    )
    rows = []
    for line in lines:
        fallen = [*(line.dropped.get(rule, 0) for rule in rules), *[line.manual] * len(manual)]
        numbers = (line.before, *(-number for number in fallen), line.after, line.undecided)
        rows.append((line.category, numbers))
    if len(rows) != 1:
        totals = [sum(numbers[at] for _, numbers in rows) for at in range(len(columns))]
        rows.append(("Total", tuple(totals)))
    shares = tuple(numbers[-2] / numbers[0] if numbers[0] else 0.0 for _, numbers in rows)
    return Funnel(title, note, columns, tuple(rows), shares)


@dataclass(frozen=True, slots=True)
class Cross:
    """People by two attributes, or by any other number of them in one column.

    Attributes:
        corner: What the rows are.
        columns: The header beside it.
        rows: A row a value: its name and, for each column, people and the plan's.
    """

    corner: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[tuple[int, str], ...]], ...]


def cross(people: Respondents) -> Cross | None:
    """Cross the quotas' attributes; None where none is known."""
    if not people.dimensions:
        return None
    cells = {cell.values: (cell.answered, cell.planned, cell.values) for cell in people.cells}
    if len(people.dimensions) != 2:
        rows = [(" × ".join(map(_named, values)), [cells[values][:2]]) for values in cells]
        return _cross(" × ".join(people.dimensions), ("Respondents",), rows, people.counted)
    across = list(dict.fromkeys(values[0] for values in cells))
    down = list(dict.fromkeys(values[1] for values in cells))
    found = []
    for value in down:
        mine = [cells.get((other, value), (0, None))[:2] for other in across]
        found.append((_named(value), [*mine, _sum(mine)]))
    columns = [[row[1][at] for row in found] for at in range(len(across) + 1)]
    found.append(("Total", [_sum(column) for column in columns]))
    header = (*map(_named, across), "Total")
    return _cross(f"{people.dimensions[1]} × {people.dimensions[0]}", header, found, people.counted)


def points(value: float | None) -> str:
    """Write a difference of two shares in points: hundredths, with a sign."""
    if value is None:
        return DASH
    said = half_up(value, 1, times=100).replace("-", "−")
    return f"+{said}" if value > 0 and said != "0.0" else said


def points_span(low: float | None, high: float | None) -> str:
    """Write an interval of differences."""
    return DASH if low is None or high is None else f"{points(low)} to {points(high)}"


_COMPARED = {
    QuestionKind.CHOICE: ("target named by {} who saw it first", "{} who saw it second"),
    QuestionKind.SELECT_ALL: (
        "groups chosen {} times where they were in the first half",
        "{} in the second",
    ),
    QuestionKind.COMPREHENSION: ("correct answer given by {} who saw it first", "{} who did not"),
}


def order_said(item: OrderEffect | None) -> str:
    """Say what the order of its options does to a question; empty where that is not known."""
    if item is None or not item.answers:
        return ""
    if item.orders == 1:
        return (
            f"Order of options: the same for all {item.answers:,} respondents, "
            "so its effect is not known."
        )
    if item.difference is None:
        return ""
    first, later = _COMPARED[item.kind]
    turned = " One order alone would change the decision." if item.turns else ""
    return (
        f"Order of options: {first.format(f'{item.first_k:,} of {item.first_n:,}')}, "
        f"{later.format(f'{item.later_k:,} of {item.later_n:,}')}. Difference: "
        f"{points(item.difference)} percentage points, 95 % interval "
        f"{points_span(item.ci_low, item.ci_high)}.{turned}"
    )


def removed_said(report: Report) -> str:
    """Say which templates were out before the survey; nothing where none was."""
    whys = {
        "labelled SR: the stereotype does not exist in this culture": report.removed,
        "set aside by a person before the survey": report.aside,
    }
    return " ".join(
        f"{count(number, 'template')} {'is' if number == 1 else 'are'} {why}. "
        f"{'It was' if number == 1 else 'They were'} not asked about."
        for why, number in whys.items()
        if number
    )


def quota_note(people: Respondents) -> str:
    """Say what the planned numbers are."""
    whose = "the quotas" if people.stated else "the default quotas (culture.yaml states none)"
    return f"In brackets: the number that {whose} would have of as many respondents."


_Pair = tuple[int, float | None]


def _sum(pairs: Sequence[_Pair]) -> _Pair:
    planned = [share for _, share in pairs if share is not None]
    return sum(number for number, _ in pairs), sum(planned) if planned else None


def _named(value: str) -> str:
    return value or "not known"


def _cross(
    corner: str, columns: tuple[str, ...], rows: Iterable[tuple[str, Sequence[_Pair]]], total: int
) -> Cross:
    def shown(number: int, share: float | None) -> tuple[int, str]:
        return number, DASH if share is None else half_up(share * total, 1).removesuffix(".0")

    lines = tuple((name, tuple(shown(*pair) for pair in pairs)) for name, pairs in rows)
    return Cross(corner, columns, lines)


@dataclass(frozen=True, slots=True)
class Moved:
    """One threshold and what its values would leave."""

    setting: str
    title: str
    rows: tuple[SensitivityRow, ...]
    most: int


_OF_SELECTION = ("target_multiple", "equal_share", "target_share")


def sensitivity_tables(report: Report) -> Iterator[Moved]:
    """Yield the sensitivity table of each threshold that concerns a question asked."""
    kinds = {row.kind for row in report.questions}
    for setting, members in groupby(report.sensitivity, key=lambda row: row.setting):
        if setting == "stereotype_share" and QuestionKind.CHOICE not in kinds:
            continue
        if setting in _OF_SELECTION and QuestionKind.SELECT_ALL not in kinds:
            continue
        rows = tuple(members)
        most = max((row.templates for row in rows), default=0)
        yield Moved(setting, SETTINGS[setting], rows, most)


def moved_to(value: Fraction | str, setting: str = "") -> str:
    """Write the value that a threshold is moved to."""
    if isinstance(value, str):
        return SHARED[value]
    if setting == "target_share" and not value:
        return "off"
    return str(value) if value.denominator == 3 else f"{float(value):g}"


_A_FIFTH = 0.2


def selection_note(report: Report) -> str:
    """Say how many targets few of those named who named any group at all."""
    targets = [
        group.named_share or 0
        for row in report.of_kind(QuestionKind.SELECT_ALL)
        for group in row.groups
        if group.role == Standing.TARGET.value
    ]
    few = sum(share < _A_FIFTH for share in targets)
    if not targets:
        return ""
    rule = (
        "the setting target_share requires no minimum"
        if not report.settings.target_share
        else f"the setting target_share requires {words.fraction(report.settings.target_share)}"
    )
    return (
        f"Of {count(len(targets), 'target')}, {few:,} {'was' if few == 1 else 'were'} named by "
        f"fewer than a fifth of those who named any group; {rule}."
    )


def stability_said(report: Report) -> Iterator[str]:
    """Say what would come out if the survey were repeated, and what chance alone gives."""
    for item in report.stability:
        yield (
            f"{KINDS[item.kind]}: {percent(item.same)} of the decisions on "
            f"{count(item.questions, 'question')} are the same on average, and "
            f"{decimal(item.changed, 1)} are expected to be different."
        )
        if item.kind is QuestionKind.SELECT_ALL:
            yield from _selection_said(item)


def _selection_said(item: Stability) -> Iterator[str]:
    again = [
        f"{percent(share)} of the {count(number, name)}"
        for number, share, name in (
            (item.targets, item.targets_again, "target"),
            (item.non_targets, item.non_targets_again, "non-target"),
        )
        if share is not None
    ]
    if again:
        yield f"The same role again, on average: {' and '.join(again)}."
    if item.per_person is not None and item.chance is not None:
        yield (
            f"Who named a group named {decimal(item.per_person)} groups that count on average. If "
            "all groups of a question were named equally often, by as many people and as many "
            f"groups a person, chance alone would keep it in {percent(item.chance)} of surveys, as "
            f"a mean over {count(item.questions, 'question')}."
        )
    if item.untestable:
        yield (
            f"In {item.untestable:,} of {count(item.questions, 'question')} no test can show a "
            "non-target: even of a group that nobody names p is above .05."
        )


def turned(report: Report) -> Mapping[str, str]:
    """By question id, what to call one whose decision turns."""
    return {row.id: row.stereotype for row in report.questions}


def summary(report: Report) -> str:
    """Say in a few sentences what came out."""
    rows = report.questions
    kept = sum(row.decision is QuestionDecision.KEPT for row in rows)
    fallen = sum(row.decision is QuestionDecision.DROPPED for row in rows)
    kinds = [f"{line.asked:,} {KINDS[line.kind].lower()}" for line in report.question_funnel]
    people = report.respondents
    low, high = report.answers
    who = f"{count(people.counted, 'respondent')} answered" if people else "The survey asked"
    return (
        f"{who} {count(len(rows), 'question')} ({', '.join(kinds)}), each answered by "
        f"{spread(low, high)}. Kept: {kept:,}; dropped: {fallen:,}; borderline: "
        f"{len(report.borderline):,}. {_templates_left(report)}"
    )


def _templates_left(report: Report) -> str:
    """Say how many templates there were, how many of them were asked about, and are retained."""
    before, after = (sum(numbers) for numbers in zip(*_before_after(report), strict=True))
    asked, undecided = report.asked, len(report.undecided)
    left = f"{after:,} {'is' if after == 1 else 'are'} retained"
    left += f", {undecided} of them undecided." if undecided else "."
    if asked == before:
        return f"Of {count(before, 'template')} asked about, {left}"
    were = "was" if asked == 1 else "were"
    return f"Of {count(before, 'template')}, {asked:,} {were} asked about; {left}"


def _before_after(report: Report) -> list[tuple[int, int]]:
    return [(0, 0), *((row.before, row.after) for row in report.template_funnel)]


def key_figures(report: Report) -> list[tuple[str, str, str]]:
    """The figures to begin with: what, the figure, and a remark."""
    found = []
    if report.respondents:
        people = report.respondents
        found.append(("Respondents", f"{people.counted:,}", f"of {people.total:,} in the answers"))
    for name, rows in (
        ("Stereotypes", report.stereotype_funnel),
        ("Templates", report.template_funnel),
    ):
        before, after = sum(row.before for row in rows), sum(row.after for row in rows)
        undecided = sum(row.undecided for row in rows)
        remark = f"{undecided} of them undecided" if undecided else "all decided"
        found.append((name, f"{before:,} → {after:,}", remark))
    asked = len(report.questions)
    kept = sum(row.decision is QuestionDecision.KEPT for row in report.questions)
    found.append(("Questions kept", f"{kept:,}", f"of {asked:,}"))
    found.append(("Borderline", f"{len(report.borderline):,}", f"of {asked:,} questions"))
    return found
