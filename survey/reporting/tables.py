"""The report's tables: written as CSV, and the sheets of the workbook."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from curation.files.atomic import atomic_path
from curation.files.tables import write_csv
from curation.files.workbooks import frozen
from curation.files.writers.cells import escape_formula, json_list
from curation.records.survey import DROPPING_ORDER, QuestionKind, Role, Rule
from curation.records.wording import significant
from survey.certainty import BINS, GroupTest, NoStereotype, SensitivityRow
from survey.order_effects import KindOrder, OrderEffect
from survey.outcomes import FunnelRow, RuleDrops
from survey.reporting.records import (
    GroupVotes,
    Item,
    QualityLine,
    QuestionRow,
    Report,
    Respondents,
    Stability,
    TemplateLine,
    Wording,
)
from survey.reporting.words import HEADINGS
from survey.weighting import WeightedDecision

Value: TypeAlias = str | int | float | bool | tuple[str, ...] | None
"""What stands in a cell; None where there is no number."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its name, which is that of its file and its sheet.

    Attributes:
        name: In small letters.
        columns: The header.
        rows: Records with a value for each column.
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]


def _named(row: QuestionRow, role: Role) -> tuple[str, ...]:
    if row.kind is QuestionKind.COMPREHENSION:
        return ()
    return tuple(group.label for group in row.groups if group.role == role)


def _share(part: int | None, whole: int | None) -> float | None:
    return None if part is None or not whole else part / whole


def _of(part: str, name: str) -> Callable[[QuestionRow], Value]:
    """A number of a question's decision or test, where it has one."""
    return lambda row: getattr(getattr(row, part), name, None)


_TESTS = tuple(item.name for item in fields(GroupTest))


def _tested(name: str, _: QuestionRow, group: GroupVotes) -> Value:
    return getattr(group.test, name, None)


def _dropped(rule: Rule, _: str, row: FunnelRow) -> Value:
    return row.dropped[rule]


_QUESTION: Mapping[str, Callable[[QuestionRow], Value]] = {
    "question_id": lambda row: row.id,
    "kind": lambda row: row.kind.value,
    "category": lambda row: row.category,
    "stereotype": lambda row: row.stereotype,
    "templates": lambda row: row.templates,
    "target": lambda row: _named(row, Role.TARGET),
    "non_target": lambda row: _named(row, Role.NON_TARGET),
    "respondents": lambda row: row.respondents,
    "no_stereotype": lambda row: row.none,
    "equal_share": lambda row: row.equal_share,
    "k": _of("decisive", "k"),
    "n": _of("decisive", "n"),
    "share": lambda row: _share(row.decisive.k, row.decisive.n) if row.decisive else None,
    "value": _of("decisive", "value"),
    "threshold": _of("decisive", "threshold"),
    "margin": _of("decisive", "margin"),
    "ci_low": _of("decisive", "ci_low"),
    "ci_high": _of("decisive", "ci_high"),
    "p": lambda row: getattr(row.certainty or row.selection, "p", None),
    "q": lambda row: getattr(row.certainty or row.selection, "q", None),
    "decision": lambda row: row.decision.value,
    "reasons": lambda row: tuple(f"{i.rule}: {i.reason}" for i in row.decisions if i.reason),
    "per_person": lambda row: row.per_person,
    "same": _of("redrawn", "same"),
    "chance": _of("redrawn", "chance"),
    "least_p": _of("selection", "least"),
    "near": lambda row: row.borderline,
}
_GROUP: Mapping[str, Callable[[QuestionRow, GroupVotes], Value]] = {
    "question_id": lambda row, _: row.id,
    "kind": lambda row, _: row.kind.value,
    "category": lambda row, _: row.category,
    "stereotype": lambda row, _: row.stereotype,
    "group": lambda _, group: group.label,
    "counts": lambda _, group: group.counts,
    "votes": lambda _, group: group.votes,
    "respondents": lambda row, _: row.respondents,
    "share": lambda row, group: _share(group.votes, row.respondents),
    "times": lambda _, group: group.times,
    "ci_low": lambda _, group: group.ci_low,
    "ci_high": lambda _, group: group.ci_high,
    "role": lambda _, group: group.role,
    "again": lambda _, group: group.again,
    "named_share": lambda _, group: group.named_share,
    **{name: partial(_tested, name) for name in _TESTS},
}
_FUNNEL: Mapping[str, Callable[[str, FunnelRow], Value]] = {
    "of": lambda name, _: name,
    "part": lambda _, row: row.category,
    "before": lambda _, row: row.before,
    **{rule.value: partial(_dropped, rule) for rule in DROPPING_ORDER},
    "manual": lambda _, row: row.manual,
    "undecided": lambda _, row: row.undecided,
    "after": lambda _, row: row.after,
}
_DROPS: Mapping[str, Callable[[RuleDrops], Value]] = {
    "kind": lambda row: row.kind,
    "rule": lambda row: row.rule.value,
    "questions": lambda row: row.questions,
    "dropped": lambda row: row.dropped,
    "share": lambda row: row.share,
    "alone": lambda row: row.alone,
    "alone_share": lambda row: row.alone_share,
    "templates": lambda row: row.templates,
    "templates_dropped": lambda row: row.templates_dropped,
    "templates_share": lambda row: row.templates_share,
}
_SENSITIVITY: Mapping[str, Callable[[SensitivityRow], Value]] = {
    "setting": lambda row: row.setting,
    "value": lambda row: str(row.value),
    "as_set": lambda row: row.is_set,
    "questions": lambda row: row.questions,
    "stereotypes": lambda row: row.stereotypes,
    "templates": lambda row: row.templates,
    "gained": lambda row: row.gained,
    "lost": lambda row: row.lost,
    "turned": lambda row: row.turned,
}
_NUMBERS = tuple(
    item.name for item in fields(NoStereotype) if item.name not in ("category", "kind", "tenths")
)


def _number_of(name: str, row: NoStereotype) -> Value:
    number: int | float = getattr(row, name)
    return number


def _tenth(at: int, row: NoStereotype) -> Value:
    return row.tenths[at]


_EXCLUSION: Mapping[str, Callable[[QualityLine], Value]] = {
    "rule": lambda line: line.rule,
    "what": lambda line: line.what,
    "respondents": lambda line: line.respondents,
    "records": lambda line: line.records,
    "excluded": lambda line: line.excluded,
    "turns": lambda line: None if line.turns is None else len(line.turns),
    "turned": lambda line: tuple(
        f"{turn.subject}, {turn.rule}: {turn.instead}" for turn in line.turns or ()
    ),
}
_WEIGHTED: Mapping[str, Callable[[WeightedDecision], Value]] = {
    "subject": lambda row: row.subject,
    "rule": lambda row: row.rule.value,
    "outcome": lambda row: row.outcome.value,
    "value": lambda row: row.value,
    "threshold": lambda row: row.threshold,
    "weighted_outcome": lambda row: row.weighted_outcome.value,
    "weighted_value": lambda row: row.weighted_value,
    "weighted_threshold": lambda row: row.weighted_threshold,
    "weighted_se": lambda row: row.weighted_se,
    "weighted_ci_low": lambda row: row.weighted_ci_low,
    "weighted_ci_high": lambda row: row.weighted_ci_high,
    "weighted_near": lambda row: row.weighted_near,
    "design_effect": lambda row: row.design_effect,
    "effective_n": lambda row: row.effective_n,
    "turned": lambda row: row.outcome is not row.weighted_outcome,
}

_ORDER: Mapping[str, Callable[[QuestionRow, OrderEffect], Value]] = {
    "question_id": lambda row, _: row.id,
    "kind": lambda row, _: row.kind.value,
    "category": lambda row, _: row.category,
    "stereotype": lambda row, _: row.stereotype,
    "orders": lambda _, item: item.orders,
    "answers": lambda _, item: item.answers,
    "unknown": lambda _, item: item.unknown,
    "first_k": lambda _, item: item.first_k,
    "first_n": lambda _, item: item.first_n,
    "later_k": lambda _, item: item.later_k,
    "later_n": lambda _, item: item.later_n,
    "difference": lambda _, item: item.difference,
    "ci_low": lambda _, item: item.ci_low,
    "ci_high": lambda _, item: item.ci_high,
    "outcome": lambda _, item: item.outcome.value if item.outcome else None,
    "turns": lambda _, item: None if item.turns is None else len(item.turns),
    "turned": lambda _, item: tuple(
        f"{'|'.join(turn.order)}: {turn.outcome} ({turn.answers})" for turn in item.turns or ()
    ),
    "expected": lambda _, item: item.expected,
}
_ORDER_KIND: Mapping[str, Callable[[KindOrder], Value]] = {
    "kind": lambda item: item.kind.value,
    "questions": lambda item: item.questions,
    "respondents": lambda item: item.respondents,
    "difference": lambda item: item.difference,
    "ci_low": lambda item: item.ci_low,
    "ci_high": lambda item: item.ci_high,
    "standing_out": lambda item: item.standing_out,
    "told": lambda item: item.told,
    "turned": lambda item: item.turned,
    "expected": lambda item: item.expected,
    "one_order": lambda item: item.one_order,
}
_NO_STEREOTYPE: Mapping[str, Callable[[NoStereotype], Value]] = {
    "category": lambda row: row.category,
    "kind": lambda row: row.kind,
    **{name: partial(_number_of, name) for name in _NUMBERS},
    **{f"from_{at}0": partial(_tenth, at) for at in range(BINS)},
}

ITEM_COLUMNS = (
    *("question_id", "category", "asked", "template_id"),
    *("stereotype", "context", "question", "answer"),
    *("stereotype_source", "context_source", "question_source", "answer_source"),
)
"""The columns of `items.csv`: each template filled once, in the context that confirms."""

QUESTION_COLUMNS = tuple(_QUESTION)
"""The columns of `questions.csv`. From `k` to `ci_high` they are those of the ledger for the rule
that is the kind's own. For target selection those from `value` on are in uniform shares. `share`
is `k / n`."""
GROUP_COLUMNS = tuple(_GROUP)
"""The columns of `groups.csv`; `times` and the interval are in uniform shares."""
DROPS_COLUMNS = tuple(_DROPS)
"""The columns of `drops.csv`; `kind` is empty for both kinds of question about stereotypes."""
STABILITY_COLUMNS = tuple(item.name for item in fields(Stability))
"""The columns of `stability.csv`."""
FUNNEL_COLUMNS = tuple(_FUNNEL)
"""The columns of `funnel.csv`. A question may be dropped by several rules, a stereotype or template
is counted at the first; what is undecided is among those after."""
SENSITIVITY_COLUMNS = tuple(_SENSITIVITY)
"""The columns of `sensitivity.csv`."""
NO_STEREOTYPE_COLUMNS = tuple(_NO_STEREOTYPE)
"""The columns of `no_stereotype.csv`."""
EXCLUSION_COLUMNS = tuple(_EXCLUSION)
"""The columns of `exclusions.csv`; `turns` is empty where it cannot be told."""
TEMPLATE_COLUMNS = tuple(item.name for item in fields(TemplateLine))
"""The columns of `templates.csv`."""
WEIGHT_COLUMNS = tuple(_WEIGHTED)
"""The columns of `weighted.csv`."""
ORDER_COLUMNS = tuple(_ORDER)
"""The columns of `order.csv`."""
ORDER_KIND_COLUMNS = tuple(_ORDER_KIND)
"""The columns of `order_kinds.csv`."""


def tables(report: Report) -> list[Table]:
    """All tables of a report; those without a record too, except for weights."""
    groups = ((row, group) for row in report.questions for group in row.groups)
    parts = {
        "questions": [line.row for line in report.question_funnel],
        "stereotypes": report.stereotype_funnel,
        "templates": report.template_funnel,
    }
    funnel = ((name, row) for name, rows in parts.items() for row in rows)
    lines = dict.fromkeys((*report.undecided, *report.overridden, *report.modified))
    rows = {row.id: row for row in report.questions}
    shown = report.order.questions if report.order else ()
    effects = [item for item in shown if item.question_id in rows]
    found = [
        _table("questions", _QUESTION, zip(report.questions, strict=True)),
        _table("groups", _GROUP, groups),
        _table("funnel", _FUNNEL, funnel),
        _table("drops", _DROPS, zip(report.drops, strict=True)),
        Table("stability", STABILITY_COLUMNS, tuple(map(astuple, report.stability))),
        _table("sensitivity", _SENSITIVITY, zip(report.sensitivity, strict=True)),
        Table("items", ITEM_COLUMNS, tuple(_items(report))),
        _table("no_stereotype", _NO_STEREOTYPE, zip(report.no_stereotype, strict=True)),
        Table("templates", TEMPLATE_COLUMNS, tuple(map(astuple, lines))),
        _table("exclusions", _EXCLUSION, zip(report.quality, strict=True)),
        _quotas(report.respondents),
        _table("order", _ORDER, ((rows[item.question_id], item) for item in effects)),
        _table("order_kinds", _ORDER_KIND, zip(report.order.kinds if report.order else ())),
    ]
    if report.weighting is not None and not report.weighting.problem:
        found.append(_table("weighted", _WEIGHTED, zip(report.weighting.decisions, strict=True)))
    return found


def _items(report: Report) -> Iterable[tuple[Value, ...]]:
    """A row a template of each question, and of one without templates a row of its own."""
    for row in report.questions:
        shown: Sequence[Item | None] = row.items or ((None,) if row.asked else ())
        for item in shown:
            yield (
                *(row.id, row.category, row.asked, item.template_id if item else ""),
                *_worded(item.own if item else None),
                *_worded(item.source if item else None),
            )


def _worded(part: Wording | None) -> tuple[str, ...]:
    if part is None:
        return "", "", "", ""
    return part.stereotype, part.context, part.question, part.answer


def _table(
    name: str, columns: Mapping[str, Callable[..., Value]], records: Iterable[tuple[object, ...]]
) -> Table:
    """A table with a row a record, each cell made of all parts of the record."""
    rows = (tuple(cell(*record) for cell in columns.values()) for record in records)
    return Table(name, tuple(columns), tuple(rows))


def _quotas(people: Respondents | None) -> Table:
    rows = tuple(
        (
            *cell.values,
            cell.planned,
            None if cell.planned is None else cell.planned * people.counted,
            cell.answered,
            _share(cell.answered, people.counted),
        )
        for cell in (people.cells if people else ())
        if people
    )
    dimensions = people.dimensions if people else ()
    columns = (*dimensions, "planned_share", "planned", "answered", "answered_share")
    return Table("quotas", columns, rows)


def write_tables(folder: Path, found: Iterable[Table]) -> list[Path]:
    """Write tables as CSV, one file each.

    Raises:
        CurateError: If one cannot be written.
    """
    written = []
    for table in found:
        path = folder / f"{table.name}.csv"
        write_csv(path, table.columns, (list(map(text, row)) for row in table.rows))
        written.append(path)
    return written


def text(value: Value) -> str:
    """Write a value as a cell of text: numbers to six digits, lists as JSON."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{significant(value):.6g}"
    if isinstance(value, tuple):
        return json_list(value)
    return escape_formula(value) if isinstance(value, str) else str(value)


if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

_FIXED = datetime(1980, 1, 1)  # noqa: DTZ001  # a workbook's dates have no zone
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_LONGEST = 32_767
_CUT = " … (the CSV file has all of it)"
_WIDTHS = {
    **dict.fromkeys(("asked", "context", "context_source"), 60),
    "stereotype": 44,
    "what": 60,
    "reason": 60,
    "templates": 28,
    "reasons": 28,
    "turned": 40,
}


def write_workbook(path: Path, found: Iterable[Table]) -> None:
    """Write tables as the sheets of one workbook; the same tables give the same bytes.

    Raises:
        CurateError: If it cannot be written.
    """
    from openpyxl import Workbook

    book = Workbook()
    book.properties.creator = "curate"
    book.properties.created = _FIXED
    first = book.active
    assert first is not None  # noqa: S101  # a new workbook has a sheet
    book.remove(first)
    for table in found:
        _write_sheet(book.create_sheet(table.name), table)
    with atomic_path(path) as beside:
        beside.write_bytes(frozen(book))


def _write_sheet(sheet: "Worksheet", table: Table) -> None:
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    bold, wrap = Font(bold=True), Alignment(wrap_text=True, vertical="top")
    heads = tuple(map(heading, table.columns))
    for row, values in enumerate((heads, *table.rows), start=1):
        for at, value in enumerate(values, start=1):
            cell = sheet.cell(row, at)
            content = _content(value)
            cell.value = content
            if isinstance(content, str):
                cell.data_type = "s"  # a text, whatever its first character
                cell.alignment = wrap
            if row == 1:
                cell.font = bold
            elif isinstance(content, float):
                cell.number_format = "0.000"
    for at, column in enumerate(table.columns, start=1):
        sheet.column_dimensions[get_column_letter(at)].width = _WIDTHS.get(column, 14)
    sheet.freeze_panes = "B2"
    sheet.auto_filter.ref = sheet.dimensions


def heading(column: str) -> str:
    """How a column is headed in the workbook: in words; the CSV files have its name."""
    plain = column.replace("_", " ")
    return HEADINGS.get(column, f"{plain[:1].upper()}{plain[1:]}")


def _content(value: Value) -> str | int | float | bool | None:
    """What stands in a cell, as a spreadsheet holds it."""
    if isinstance(value, float):
        return significant(value)
    if isinstance(value, tuple):
        value = "; ".join(value)
    if isinstance(value, str):
        content = _NO_XML.sub("\ufffd", escape_formula(value))
        if len(content) > _LONGEST:
            content = content[: _LONGEST - len(_CUT)] + _CUT
        return content or None
    return value
