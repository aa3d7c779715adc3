"""Read and write `bank.csv` and `groups.csv`."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path

from curation.files.tables import (
    Row,
    Table,
    read_flag,
    read_table,
    refuse_problems,
    write_csv,
)
from curation.records.bank import (
    FILLED_FIELDS,
    GROUP_FIELDS,
    ONCE_COLUMN,
    OPEN_COLUMN,
    ORIGIN,
    PUBLISHED,
    REFERENCE_COLUMN,
    TEXT_FIELDS,
    UNTIED_COLUMN,
    Bank,
    Group,
    Label,
    Texts,
    Variant,
)
from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity
from curation.records.ids import VariantId, VariantVersion, category_slug
from curation.records.published import PARTICLE_COLUMNS, PLACEHOLDER_COLUMNS
from curation.records.survey import groups_cell, split_groups

_CORE = (
    *("template_id", "variant", "version", "category", "label", "stereotype", "target_groups"),
    *("ambiguous_context", "disambiguating_context", "biased_question"),
    *("counter_biased_question", "biased_answer", "counter_biased_answer", "names", "words"),
    *("n1_groups", "n2_groups", "source", "source_id", "source_category", "reference", "note"),
)
_SOURCE = tuple(f"{name}_source" for name in TEXT_FIELDS)
_MACHINE = tuple(f"{name}_machine" for name in TEXT_FIELDS)
BANK_COLUMNS = (*_CORE, *_SOURCE)
"""The columns of `bank.csv` that are always written."""
_KNOWN = frozenset(
    {
        *(ONCE_COLUMN, OPEN_COLUMN, ORIGIN, REFERENCE_COLUMN, UNTIED_COLUMN),
        *(*PARTICLE_COLUMNS, *PLACEHOLDER_COLUMNS),
        *(f"{name}{PUBLISHED}" for name in FILLED_FIELDS),
    }
)
_IMPORTED = (
    "bbq_",
    "bbg_",
    "esbbq_",
    "bharatbbq_",
    "cbbq_",
)  # what published sets have beyond the bank's columns
_REQUIRED = ("template_id", "variant", "category")
GROUP_COLUMNS = tuple(item.name for item in fields(Group) if item.name != "row")
"""The columns of `groups.csv`."""


def read_bank(path: Path, shown_as: str = "") -> tuple[Bank, list[Finding]]:
    """Read the bank; a row that cannot be a variant is a finding, the others are read.

    Raises:
        CurateError: If the file as a whole cannot be read.
    """
    table = read_table(path, shown_as=shown_as, required=_REQUIRED, escaped=True)
    findings = list(table.problems)
    others = [column for column in table.columns if column not in {*BANK_COLUMNS, *_MACHINE}]
    findings.extend(
        Finding(
            "bank-unknown-column",
            Severity.INFO,
            table.file,
            1,
            column,
            f"column '{column}' is not the toolkit's",
            "it is kept as it is; correct the name if it was meant to be one of the bank's columns",
        )
        for column in others
        if column not in _KNOWN and not column.startswith(_IMPORTED)
    )
    variants = []
    for row in table.rows:
        try:
            variants.append(_variant(row, others))
        except _CellError as error:
            findings.append(error.finding(table, row))
    return Bank(tuple(variants)), findings


class _CellError(Exception):
    """A cell that cannot be read."""

    def __init__(self, column: str, message: str, hint: str) -> None:
        super().__init__(message)
        self.column, self.message, self.hint = column, message, hint

    def finding(self, table: Table, row: Row) -> Finding:
        return Finding(
            "bank-unreadable-row",
            Severity.ERROR,
            table.file,
            row.number,
            self.column,
            f"{self.message}; the row is not read",
            self.hint,
        )


def _variant(row: Row, others: Sequence[str]) -> Variant:
    letter = row["variant"].strip()
    version = row.get("version").strip()
    template = row["template_id"].strip()
    if version not in tuple(VariantVersion):
        raise _CellError(
            "version",
            f"'{version}' is not a version",
            "versions are m (masculine), f (feminine), p (proper names), pm and pf, or nothing",
        )
    try:
        variant_id = replace(VariantId.parse(template + letter), version=VariantVersion(version))
    except CurateError as error:
        column = "variant" if letter not in tuple("abcd") else "template_id"
        raise _CellError(
            column,
            f"'{row[column]}' is not a {'variant' if column == 'variant' else 'template id'}",
            "variants are a, b, c, d; template ids look like age-001",
        ) from error
    category = row["category"].strip()
    try:
        slug = category_slug(category)
    except CurateError as error:
        raise _CellError("category", error.what, error.hint) from error
    if slug != variant_id.template.category:
        raise _CellError(
            "category",
            f"category '{category}' does not fit the id {template}",
            "an id begins with its category in lower case",
        )
    return Variant(
        id=variant_id,
        category=category,
        label=_label(row),
        texts=_texts(row, ""),
        source_texts=_texts(row, "_source"),
        machine_texts=_texts(row, "_machine"),
        source=row.get("source"),
        source_id=row.get("source_id"),
        source_category=row.get("source_category"),
        reference=row.get("reference"),
        note=row.get("note"),
        extra=tuple((column, row[column]) for column in others),
        row=row.number,
    )


def _label(row: Row) -> Label | None:
    text = row.get("label").strip()
    if not text:
        return None
    try:
        return Label(unicodedata.normalize("NFKC", text))  # full-width letters are meant so
    except ValueError as error:
        raise _CellError(
            "label", f"'{text}' is not a label", "labels are ST, TM, SR and NC, or empty"
        ) from error


def _texts(row: Row, suffix: str) -> Texts:
    cells: dict[str, str | tuple[str, ...]] = {}
    for name in TEXT_FIELDS:
        cell = row.get(name + suffix)
        cells[name] = _groups(cell, name + suffix) if name in GROUP_FIELDS else cell
    return Texts(**cells)  # type: ignore[arg-type]  # group fields hold tuples, the others text


def _groups(cell: str, column: str) -> tuple[str, ...]:
    if not cell.strip():
        return ()
    try:
        return split_groups(cell.strip())
    except ValueError as error:
        raise _CellError(
            column, f"'{cell}' is not a list of groups", 'write a JSON list: ["group", "group"]'
        ) from error


def write_bank(path: Path, bank: Bank, *, escaped: bool = False) -> None:
    """Write the bank in place of `path`, with the curators' own columns at the end.

    Args:
        path: The file.
        bank: The bank.
        escaped: Whether texts that a spreadsheet would take for formulas get an apostrophe before
            them: in what is exported, not in a workspace's own bank.

    Raises:
        CurateError: If it cannot be written.
    """
    write_csv(path, bank_columns(bank), bank_rows(bank), escaped=escaped)


def bank_columns(bank: Bank) -> tuple[str, ...]:
    """The columns of a bank: machine columns only where one is filled."""
    machine = tuple(
        column
        for name, column in zip(TEXT_FIELDS, _MACHINE, strict=True)
        if any(getattr(variant.machine_texts, name) for variant in bank.variants)
    )
    others = dict.fromkeys(column for variant in bank.variants for column, _ in variant.extra)
    return (*BANK_COLUMNS, *machine, *others)


def bank_rows(bank: Bank) -> Iterator[list[str]]:
    """Yield the cells of each variant, in the order of `bank_columns`."""
    columns = bank_columns(bank)
    for variant in bank.variants:
        cells = _cells(variant)
        yield [cells.get(column, "") for column in columns]


def _cells(variant: Variant) -> dict[str, str]:
    cells = {
        "template_id": str(variant.template_id),
        "variant": variant.letter.value,
        "version": variant.id.version.value,
        "category": variant.category,
        "label": variant.label.value if variant.label else "",
        "source": variant.source,
        "source_id": variant.source_id,
        "source_category": variant.source_category,
        "reference": variant.reference,
        "note": variant.note,
    }
    sides = (("", variant.texts), ("_source", variant.source_texts))
    for suffix, texts in (*sides, ("_machine", variant.machine_texts)):
        for name in TEXT_FIELDS:
            value = getattr(texts, name)
            cells[name + suffix] = groups_cell(value) if name in GROUP_FIELDS else value
    return {**cells, **dict(variant.extra)}


def read_groups(path: Path, shown_as: str = "") -> tuple[list[Group], list[Finding]]:
    """Read `groups.csv`; a row that cannot be a group is a finding.

    Raises:
        CurateError: If the file as a whole cannot be read.
    """
    return groups_of_table(
        read_table(path, shown_as=shown_as, required=("category", "group"), escaped=True)
    )


def groups_of_table(table: Table) -> tuple[list[Group], list[Finding]]:
    """The groups of a table as `groups.csv` is; a row that cannot be a group is a finding."""
    findings = list(table.problems)
    groups = []
    for row in table.rows:
        try:
            counts = read_flag(row.get("counts"), default=True)
        except ValueError as error:
            column, message, hint = "counts", str(error), "write one"
        else:
            if row["category"].strip() and row["group"].strip():
                groups.append(_group(row, counts))
                continue
            column, message, hint = "group", "category or group is empty", "name both"
        findings.append(
            Finding(
                "groups-unreadable-row",
                Severity.ERROR,
                table.file,
                row.number,
                column,
                f"{message}; the row is not read",
                hint,
            )
        )
    return groups, findings


def _group(row: Row, counts: bool) -> Group:
    return Group(
        category=row["category"].strip(),
        group=row["group"].strip(),
        parent=row.get("parent").strip(),
        level=row.get("level").strip(),
        counts=counts,
        fillers=row.get("fillers").strip(),
        row=row.number,
    )


def write_groups(path: Path, groups: Iterable[Group]) -> None:
    """Write `groups.csv` in place of `path`.

    Raises:
        CurateError: If it cannot be written.
    """
    write_csv(path, GROUP_COLUMNS, (list(group_cells(group).values()) for group in groups))


def add_groups(path: Path, groups: Sequence[Group]) -> None:
    """Append groups to `groups.csv`; existing rows and additional columns are kept.

    Raises:
        CurateError: If it cannot be read or written.
    """
    if not groups:
        return
    if not path.exists():
        write_groups(path, groups)
        return
    table = read_table(path)
    refuse_problems(table)
    columns = tuple(dict.fromkeys((*table.columns, *GROUP_COLUMNS)))
    rows = [*(row.cells for row in table.rows), *map(group_cells, groups)]
    write_csv(path, columns, ([cells.get(name, "") for name in columns] for cells in rows))


def group_cells(group: Group) -> dict[str, str]:
    """The cells of a group's row, by column."""
    return {
        "category": group.category,
        "group": group.group,
        "parent": group.parent,
        "level": group.level,
        "counts": "true" if group.counts else "false",
        "fillers": group.fillers,
    }


def renamed_groups(
    table: Table, category: str, old: str, new: str
) -> tuple[list[list[str]], int, int]:
    """The rows of `groups.csv` in which a group of a category has another name.

    All other cells stay as they are.

    Args:
        table: The file.
        category: The group's category.
        old: The name that it has.
        new: The name that it gets.

    Returns:
        The rows, how many are the group's own, and in how many it is the parent.

    Raises:
        CurateError: If the file holds rows that cannot be read.
    """
    refuse_problems(table)
    counts = {"group": 0, "parent": 0}
    rows = []
    for row in table.rows:
        cells = dict(row.cells)
        for column in counts if cells["category"].strip() == category else ():
            if cells.get(column, "").strip() == old:
                cells[column] = new
                counts[column] += 1
        rows.append([cells[column] for column in table.columns])
    return rows, counts["group"], counts["parent"]
