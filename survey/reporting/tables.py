"""The report's tables: written as CSV, and the sheets of the workbook."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from curation.files.atomic import write_file
from curation.files.outcomes import TemplateOutcome
from curation.files.tables import escape_formula, json_list, write_csv
from curation.files.workbooks import frozen
from curation.files.workbooks.writing import fit_height, fit_page
from curation.files.writers.xlsx import MAX_CHARACTERS
from curation.records.letters import column_letters
from curation.records.messages import Table, significant
from curation.records.survey import DROPPING_ORDER
from survey.certainty import GROUP_TESTS, NO_STEREOTYPE_COLUMNS
from survey.order_effects import counted_turns
from survey.quality import NOBODY
from survey.reporting.data import TEXTS, Report

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

Value: TypeAlias = str | int | float | bool | tuple[str, ...] | None
"""What stands in a cell; None where there is no number."""


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


def tables(report: Report) -> dict[str, Table]:
    """All tables of a report; those without a row too, except for weights.

    Returns:
        By the name of file and sheet the columns and rows: texts, tuples of texts, numbers to six
        digits, and None where there is no number.
    """
    parts = {
        "questions": report.question_funnel,
        "stereotypes": report.stereotype_funnel,
        "templates": report.template_funnel,
    }
    funnel = [
        ({"of": name, "part": row["category"]}, row["dropped"], row)
        for name, rows in parts.items()
        for row in rows
    ]
    apart = (*report.undecided, *report.overridden, *report.modified)
    named = {item.template.id: item for item in apart}
    groups = [group for row in report.questions for group in row["groups"]]
    moved = [({"value": str(row["value"])}, row) for row in report.sensitivity]
    kinds = report.order.kinds if report.order else ()
    found = {
        "questions": _table(QUESTION_COLUMNS, zip(report.questions, strict=True)),
        "groups": _table(GROUP_COLUMNS, zip(groups, strict=True)),
        "funnel": _table(FUNNEL_COLUMNS, funnel),
        "drops": _table(DROPS_COLUMNS, zip(report.drops, strict=True)),
        "stability": _table(STABILITY_COLUMNS, zip(report.stability, strict=True)),
        "sensitivity": _table(SENSITIVITY_COLUMNS, moved),
        "items": _table(ITEM_COLUMNS, _items(report)),
        "no_stereotype": _table(NO_STEREOTYPE_COLUMNS, zip(report.no_stereotype, strict=True)),
        "templates": _table(TEMPLATE_COLUMNS, map(_template, named.values())),
        "exclusions": _table(EXCLUSION_COLUMNS, _exclusions(report)),
        "quotas": _quotas(report),
        "order": _table(ORDER_COLUMNS, _orders(report)),
        "order_kinds": _table(ORDER_KIND_COLUMNS, zip(kinds, strict=True)),
    }
    style = report.style["weighting"] if report.style else None
    weightings = {"margins": report.weighting, "doubt": style}
    heavy = [
        ({"weights": name, "turned": row in made["turned"]}, row)
        for name, made in weightings.items()
        if made is not None
        for row in made["decisions"]
    ]
    return {**found, "weighted": _table(WEIGHT_COLUMNS, heavy)} if heavy else found


def _table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Table:
    """A table of rows in parts, mappings and records: the first part that has a column gives it."""
    return columns, [{column: _cell(parts, column) for column in columns} for parts in rows]


def _cell(parts: Sequence[Any], column: str) -> Any:
    for part in parts:
        is_row = isinstance(part, Mapping)
        if column in part if is_row else hasattr(part, column):
            value = part[column] if is_row else getattr(part, column)
            return significant(value) if isinstance(value, float) else value
    return None


def _template(item: TemplateOutcome) -> tuple[object, ...]:
    label, decided = item.template.label, item.decisive
    made = {"id": str(item.template.id), "label": label.value if label else ""}
    return {**made, "by": decided.by if decided else ""}, item, item.template


def _exclusions(report: Report) -> Iterator[tuple[object, ...]]:
    for line in report.quality:
        found = line["turns"]
        turned = tuple(
            f"{it['subject']}, {it['rule']}: {it['otherwise'] or NOBODY}" for it in found or ()
        )
        turns = None if found is None else len(found)
        yield {"turns": turns, "turned": turned}, line


def _orders(report: Report) -> Iterator[tuple[object, ...]]:
    effects = report.order_of
    for row in report.questions:
        item = effects.get(row["question_id"])
        if item is not None:
            turned = tuple(
                f"{'|'.join(it['order'])}: {it['outcome']} ({it['answers']})"
                for it in item["turns"] or ()
            )
            yield {"turns": counted_turns(item), "turned": turned}, item, row


def _items(report: Report) -> Iterator[tuple[object, ...]]:
    """A row a template of each question, and of one without templates a row of its own."""
    for row in report.questions:
        for name in row["items"] or [""] * bool(row["asked"]):
            item = row["items"].get(name, {})
            yield (
                {"template_id": name},
                {
                    f"{text}{ending}": item.get(ending, {}).get(text, "")
                    for ending in ("", "_source")
                    for text in _WORDED
                },
                row,
            )


def _quotas(report: Report) -> Table:
    people = report.respondents or {"dimensions": (), "cells": (), "counted": 0}
    dimensions, counted = people["dimensions"], people["counted"]
    rows = [
        (
            dict(zip(dimensions, cell["values"], strict=True)),
            {
                "planned_share": cell["planned"],
                "planned": None if cell["planned"] is None else cell["planned"] * counted,
                "answered_share": cell["answered"] / counted if counted else None,
            },
            cell,
        )
        for cell in people["cells"]
    ]
    columns = (*dimensions, "planned_share", "planned", "answered", "answered_share")
    return _table(columns, rows)


def write_tables(folder: Path, found: Mapping[str, Table]) -> list[Path]:
    """Write tables as CSV, one file each.

    Raises:
        CurateError: If one cannot be written.
    """
    for name, (columns, rows) in found.items():
        cells = (list(map(text, row.values())) for row in rows)
        write_csv(folder / f"{name}.csv", columns, cells)
    return [folder / f"{name}.csv" for name in found]


def text(value: Value) -> str:
    """Write a value as a cell of text: numbers to six digits, lists as JSON."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, tuple):
        return json_list(value)
    return escape_formula(value) if isinstance(value, str) else str(value)


_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_CUT = " … (the CSV file has all of it)"
_WIDE = ("asked", "context", "context_source", "stereotype", "what", "reason", "reasons", "turned")


def write_workbook(path: Path, found: Mapping[str, Table]) -> None:
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
    for name, table in found.items():
        _write_sheet(book.create_sheet(name), *table)
    write_file(path, frozen(book))


def _write_sheet(sheet: "Worksheet", columns: Sequence[str], table: Sequence[Any]) -> None:
    from openpyxl.styles import Alignment, Font

    bold, wrap = Font(bold=True), Alignment(wrap_text=True, vertical="top")
    wide = [50 if it in _WIDE else 24 if not at else 14 for at, it in enumerate(columns)]
    looks: dict[tuple[bool, type], Any] = {}
    for row, values in enumerate((map(heading, columns), *(it.values() for it in table)), 1):
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
            cell.alignment = wrap
            if row == 1:
                cell.font = bold
            elif isinstance(content, float):
                cell.number_format = "0.000"
            looks[look] = cell._style
        cells = ((it.value, width) for it, width in zip(sheet[row], wide, strict=True))
        fit_height(sheet, row, [(text, width) for text, width in cells if isinstance(text, str)])
    for at, width in enumerate(wide):
        sheet.column_dimensions[column_letters(at)].width = width
    sheet.freeze_panes = "B2"
    sheet.auto_filter.ref = sheet.dimensions
    fit_page(sheet)


def heading(column: str) -> str:
    """How a column is headed in the workbook: in words; the CSV files have its name."""
    plain = column.replace("_", " ")
    return str(TEXTS.known["headings"].get(column, f"{plain[:1].upper()}{plain[1:]}"))


def _content(value: Value) -> str | int | float | bool | None:
    """What stands in a cell, as a spreadsheet holds it."""
    if isinstance(value, tuple):
        value = "; ".join(value)
    if isinstance(value, str):
        content = _NO_XML.sub("\ufffd", escape_formula(value))
        if len(content) > MAX_CHARACTERS:
            content = content[: MAX_CHARACTERS - len(_CUT)] + _CUT
        return content or None
    return value
