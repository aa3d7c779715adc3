"""The report's tables: written as CSV, and the sheets of the workbook."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from curation.files.atomic import atomic_path
from curation.files.tables import escape_formula, json_list, write_csv
from curation.files.workbooks import frozen
from curation.records.messages import significant
from curation.records.survey import DROPPING_ORDER, QuestionKind, Role
from survey.certainty import BINS, GROUP_TESTS, NoStereotype
from survey.outcomes import TemplateOutcome
from survey.reporting.records import HEADINGS, QuestionRow, Report

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

Value: TypeAlias = str | int | float | bool | tuple[str, ...] | None
"""What stands in a cell; None where there is no number."""


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table with its name, which is that of its file and its sheet.

    Attributes:
        name: In small letters.
        columns: The header.
        rows: Records with a value for each column.
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]


_ABOUT = ("question_id", "kind", "category", "stereotype")
_WORDED = ("stereotype", "context", "question", "answer")
_DECIDED = ("k", "n", "share", "value", "threshold", "margin", "ci_low", "ci_high", "p", "q")
QUESTION_COLUMNS = (
    *_ABOUT,
    *("templates", "target", "non_target", "respondents", "no_stereotype", "equal_share"),
    *_DECIDED,
    *("decision", "reasons", "per_person", "same", "chance", "least_p", "near"),
    *("shrunk", "above"),
)
"""The columns of `questions.csv`. From `k` to `ci_high` they are those of the ledger for the rule
that is the kind's own. For target selection those from `value` on are in uniform shares. `share`
is `k / n`."""
GROUP_COLUMNS = (
    *_ABOUT,
    *("group", "counts", "votes", "respondents", "share", "times", "ci_low", "ci_high", "role"),
    *("again", "named_share"),
    *GROUP_TESTS,
)
"""The columns of `groups.csv`; `times` and the interval are in uniform shares."""
FUNNEL_COLUMNS = (
    *("of", "part", "before"),
    *(rule.value for rule in DROPPING_ORDER),
    *("manual", "undecided", "after"),
)
"""The columns of `funnel.csv`. A question may be dropped by several rules, a stereotype or template
is counted at the first; what is undecided is among those after."""
DROPS_COLUMNS = (
    *("kind", "rule", "questions", "dropped", "share", "alone", "alone_share"),
    *("templates", "templates_dropped", "templates_share"),
)
"""The columns of `drops.csv`; `kind` is empty for both kinds of question about stereotypes."""
STABILITY_COLUMNS = (
    *("kind", "questions", "same", "changed", "targets", "targets_again"),
    *("non_targets", "non_targets_again", "per_person", "chance", "untestable"),
)
"""The columns of `stability.csv`."""
SENSITIVITY_COLUMNS = (
    *("setting", "value", "as_set", "questions", "stereotypes", "templates"),
    *("gained", "lost", "turned"),
)
"""The columns of `sensitivity.csv`."""
ITEM_COLUMNS = (
    *("question_id", "category", "asked", "template_id", *_WORDED),
    *(f"{name}_source" for name in _WORDED),
)
"""The columns of `items.csv`: each template filled once, in the context that confirms."""
NO_STEREOTYPE_COLUMNS = (
    *(item.name for item in fields(NoStereotype) if item.name != "tenths"),
    *(f"from_{at}0" for at in range(BINS)),
)
"""The columns of `no_stereotype.csv`."""
TEMPLATE_COLUMNS = ("id", "category", "label", "stereotype", "status", "reason", "by")
"""The columns of `templates.csv`."""
EXCLUSION_COLUMNS = ("rule", "what", "respondents", "records", "excluded", "turns", "turned")
"""The columns of `exclusions.csv`; `turns` is empty where it cannot be told."""
ORDER_COLUMNS = (
    *_ABOUT,
    *("orders", "answers", "unknown", "first_k", "first_n", "later_k", "later_n", "difference"),
    *("ci_low", "ci_high", "outcome", "turns", "turned", "expected"),
)
"""The columns of `order.csv`."""
ORDER_KIND_COLUMNS = (
    *("kind", "questions", "respondents", "difference", "ci_low", "ci_high", "standing_out"),
    *("told", "turned", "expected", "one_order"),
)
"""The columns of `order_kinds.csv`."""
WEIGHT_COLUMNS = (
    *("weights", "subject", "rule", "outcome", "value", "threshold"),
    *(f"weighted_{name}" for name in ("outcome", "value", "threshold", "se", "ci_low", "ci_high")),
    *("weighted_near", "design_effect", "effective_n", "turned"),
)
"""The columns of `weighted.csv`."""


def tables(report: Report) -> list[ReportTable]:
    """All tables of a report; those without a record too, except for weights."""
    parts = {
        "questions": report.question_funnel,
        "stereotypes": report.stereotype_funnel,
        "templates": report.template_funnel,
    }
    funnel = [
        ({"of": name, "part": row.category}, row.dropped, row)
        for name, rows in parts.items()
        for row in rows
    ]
    named = {item.template.id: item for item in report.named_templates}
    found = [
        _table("questions", QUESTION_COLUMNS, map(_question, report.questions)),
        _table("groups", GROUP_COLUMNS, _groups(report)),
        _table("funnel", FUNNEL_COLUMNS, funnel),
        _table("drops", DROPS_COLUMNS, zip(report.drops, strict=True)),
        _table("stability", STABILITY_COLUMNS, zip(report.stability, strict=True)),
        _table(
            "sensitivity",
            SENSITIVITY_COLUMNS,
            (({"value": str(row.value), "as_set": row.is_set}, row) for row in report.sensitivity),
        ),
        _table("items", ITEM_COLUMNS, _items(report)),
        _table(
            "no_stereotype",
            NO_STEREOTYPE_COLUMNS,
            (
                ({f"from_{at}0": number for at, number in enumerate(row.tenths)}, row)
                for row in report.no_stereotype
            ),
        ),
        _table("templates", TEMPLATE_COLUMNS, map(_template, named.values())),
        _table("exclusions", EXCLUSION_COLUMNS, _exclusions(report)),
        _quotas(report),
        _table("order", ORDER_COLUMNS, _orders(report)),
        _table(
            "order_kinds",
            ORDER_KIND_COLUMNS,
            zip(report.order.kinds if report.order else (), strict=True),
        ),
    ]
    style = report.style.weighting if report.style else None
    weightings = {"margins": report.weighting, "doubt": style}
    heavy = [
        ({"weights": name, "turned": row in made.turned}, row)
        for name, made in weightings.items()
        if made is not None
        for row in made.decisions
    ]
    if heavy:
        found.append(_table("weighted", WEIGHT_COLUMNS, heavy))
    return found


def _table(name: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> ReportTable:
    """A table of rows in parts, mappings and records: the first part that has a column gives it."""
    made = (tuple(_cell(parts, column) for column in columns) for parts in rows)
    return ReportTable(name, tuple(columns), tuple(made))


def _cell(parts: Sequence[Any], column: str) -> Any:
    for part in parts:
        if isinstance(part, Mapping):
            if column in part:
                return part[column]
        elif hasattr(part, column):
            return getattr(part, column)
    return None


def _question(row: QuestionRow) -> tuple[object, ...]:
    own, test = row.decisive, row.test
    groups = () if row.kind is QuestionKind.COMPREHENSION else row.groups
    made = {
        "question_id": row.id,
        "target": tuple(it.label for it in groups if it.role == Role.TARGET),
        "non_target": tuple(it.label for it in groups if it.role == Role.NON_TARGET),
        "no_stereotype": row.none,
        "share": _share(own.k, own.n) if own else None,
        "p": test.p if test else None,
        "q": test.q if test else None,
        "reasons": tuple(f"{it.rule}: {it.reason}" for it in row.decisions if it.reason),
        "least_p": test.least if test else None,
        "near": row.borderline,
    }
    return made, row.together or {}, own, row, row.redrawn


def _groups(report: Report) -> Iterator[tuple[object, ...]]:
    for row in report.questions:
        for group in row.groups:
            share = _share(group.votes, row.respondents)
            made = {"question_id": row.id, "group": group.label, "share": share}
            yield made, group, group.tests, row


def _share(part: int | None, whole: int | None) -> float | None:
    return None if part is None or not whole else part / whole


def _template(item: TemplateOutcome) -> tuple[object, ...]:
    label, decided = item.template.label, item.decisive
    made = {"id": str(item.template.id), "label": label.value if label else ""}
    return {**made, "by": decided.by if decided else ""}, item, item.template


def _exclusions(report: Report) -> Iterator[tuple[object, ...]]:
    for line in report.quality:
        found = line["turns"]
        turned = tuple(f"{it.subject}, {it.rule}: {it.instead}" for it in found or ())
        turns = None if found is None else len(found)
        yield {"turns": turns, "turned": turned}, line


def _orders(report: Report) -> Iterator[tuple[object, ...]]:
    for row in report.questions:
        item = report.order_of.get(row.id)
        if item is not None:
            turned = tuple(
                f"{'|'.join(it.order)}: {it.outcome} ({it.answers})" for it in item.turns or ()
            )
            turns = None if item.turns is None else len(item.turns)
            yield {"turns": turns, "turned": turned}, item, row


def _items(report: Report) -> Iterator[tuple[object, ...]]:
    """A row a template of each question, and of one without templates a row of its own."""
    for row in report.questions:
        for name in row.items or [""] * bool(row.asked):
            item = row.items.get(name, {})
            yield (
                {"question_id": row.id, "template_id": name},
                {
                    f"{text}{ending}": item.get(ending, {}).get(text, "")
                    for ending in ("", "_source")
                    for text in _WORDED
                },
                row,
            )


def _quotas(report: Report) -> ReportTable:
    people = report.respondents
    dimensions = people.dimensions if people else ()
    rows = [
        (
            dict(zip(dimensions, cell["values"], strict=True)),
            {
                "planned_share": cell["planned"],
                "planned": None if cell["planned"] is None else cell["planned"] * people.counted,
                "answered_share": _share(cell["answered"], people.counted),
            },
            cell,
        )
        for cell in (people.cells if people else ())
        if people
    ]
    columns = (*dimensions, "planned_share", "planned", "answered", "answered_share")
    return _table("quotas", columns, rows)


def write_tables(folder: Path, found: Iterable[ReportTable]) -> list[Path]:
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


_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_LONGEST = 32_767
_CUT = " … (the CSV file has all of it)"
_WIDE = ("asked", "context", "context_source", "stereotype", "what", "reason", "reasons", "turned")


def write_workbook(path: Path, found: Iterable[ReportTable]) -> None:
    """Write tables as the sheets of one workbook; the same tables give the same bytes.

    Raises:
        CurateError: If it cannot be written.
    """
    from openpyxl import Workbook

    book = Workbook()
    book.properties.creator = "curate"
    first = book.active
    assert first is not None  # noqa: S101  # a new workbook has a sheet
    book.remove(first)
    for table in found:
        _write_sheet(book.create_sheet(table.name), table)
    with atomic_path(path) as beside:
        beside.write_bytes(frozen(book))


def _write_sheet(sheet: "Worksheet", table: ReportTable) -> None:
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    bold, wrap = Font(bold=True), Alignment(wrap_text=True, vertical="top")
    heads = tuple(map(heading, table.columns))
    looks: dict[tuple[bool, type], Any] = {}
    for row, values in enumerate((heads, *table.rows), start=1):
        for at, value in enumerate(values, start=1):
            cell: Any = sheet.cell(row, at)
            content = _content(value)
            cell.value = content
            is_text, look = isinstance(content, str), (row == 1, type(content))
            if is_text:
                cell.data_type = "s"  # a text, whatever its first character
            if look in looks:  # setting parts of a style takes as long as all the rest
                cell._style = looks[look]
                continue
            if is_text:
                cell.alignment = wrap
            if row == 1:
                cell.font = bold
            elif isinstance(content, float):
                cell.number_format = "0.000"
            looks[look] = cell._style
    for at, column in enumerate(table.columns, start=1):
        sheet.column_dimensions[get_column_letter(at)].width = 50 if column in _WIDE else 14
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
