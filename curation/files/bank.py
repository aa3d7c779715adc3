"""Read and write `bank.csv` and `groups.csv`."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from curation.files import tables
from curation.files.codec import cell
from curation.records.bank import (
    FILLED_FIELDS,
    GROUP_FIELDS,
    ONCE_COLUMN,
    OPEN_COLUMN,
    ORIGIN,
    PARTICLE_COLUMNS,
    PLACEHOLDER_COLUMNS,
    PUBLISHED,
    REFERENCE_COLUMN,
    TEXT_FIELDS,
    UNTIED_COLUMN,
    Bank,
    Group,
    Label,
    Texts,
    Variant,
    VariantId,
    VariantVersion,
    category_name,
    category_slug,
)
from curation.records.culture import Culture
from curation.records.messages import (
    CellError,
    CurateError,
    Finding,
    Severity,
    cell_refusal,
    finding,
    refusal,
)
from curation.records.survey import groups_cell, split_groups
from curation.slots.grammar import is_open


class GroupBook:
    """Says what groups are called, and what is known of them.

    The bank, the questionnaire and the counts of a survey hold keys. They are read as names and
    written as keys here, so that whatever is shown between has the names of now.

    Args:
        groups: The rows of `groups.csv`, merged groups too.
        culture: For categories that were merged, or split, after groups were asked about.

    Attributes:
        culture: The same.
    """

    def __init__(self, groups: Iterable[Group] = (), culture: Culture | None = None) -> None:
        self.culture = culture
        rows = list(groups)
        self._by_label: dict[tuple[str, str], Group] = {}
        for group in rows:
            self._by_label.setdefault((group.category, group.key), group)
        for group in rows:
            if group.same_as:
                into = self._by_label[group.category, group.same_as]
                self._by_label[group.category, group.key] = into
        self._doubled = {}
        for group in rows:
            mine = self._by_label[group.category, group.key]
            other = self._by_label.setdefault((group.category, group.group), mine)
            if other is not mine:
                self._doubled[group.category, group.group] = group

    def group(self, category: str, label: str) -> Group | None:
        """The group that a key or a name means; of a merged one, the one that it goes into.

        Args:
            category: Its category, or one that goes into it.
            label: The key or the name.
        """
        found = self._by_label.get((category, label))
        if found is None and self.culture is not None:
            found = self._by_label.get((self.culture.category_of_source(category), label))
        return found

    def known(self, category: str, label: str) -> bool:
        """Say whether the workspace has the group."""
        return self.group(category, label) is not None

    def name(self, category: str, label: str) -> str:
        """What a group is called; a label that is not known stays as it is."""
        group = self.group(category, label)
        return label if group is None else group.group

    def names(self, category: str, labels: Iterable[str]) -> tuple[str, ...]:
        """What groups are called, each once."""
        return tuple(dict.fromkeys(self.name(category, label) for label in labels))

    def keys(self, category: str, labels: Iterable[str]) -> tuple[str, ...]:
        """The keys of groups.

        Raises:
            CurateError: If two groups have one name, so that it is not known which is meant.
        """
        found = [(label, self.group(category, label)) for label in labels]
        for label, _ in found:
            doubled = self._doubled.get((category, label))
            if doubled is not None:
                where = f"groups.csv, row {doubled.row}, column group"
                raise refusal("curation", "group-ambiguous", where, label=label, category=category)
        return tuple(dict.fromkeys(label if group is None else group.key for label, group in found))

    def counts(self, category: str, groups: Sequence[str]) -> bool:
        """Say whether an option counts for the uniform share: unless its one group does not."""
        if len(groups) != 1:
            return True
        group = self.group(category, groups[0])
        return group is None or group.counts

    def split(self, category: str, label: str) -> tuple[str, ...]:
        """Read an option's label as the names of the groups it lists; a known one is never split.

        Raises:
            ValueError: If it begins as a JSON list and is none.
        """
        labels = (label,) if self.known(category, label) else split_groups(label)
        return self.names(category, labels)

    def named(self, bank: Bank) -> Bank:
        """A bank with the names of groups for their keys.

        Cells that are empty take over the groups of the source where one of these was given
        another name here: the keys are the same in both languages.
        """
        return Bank(tuple(_with(row, self._named_cells(row)) for row in bank.variants))

    def keyed(self, bank: Bank) -> Bank:
        """A bank with the keys of groups for their names.

        Raises:
            CurateError: If two groups have one name, so that it is not known which is meant.
        """
        rows = []
        for row in bank.variants:
            named = ((field, getattr(row.texts, field)) for field in GROUP_FIELDS)
            rows.append(_with(row, {field: self.keys(row.category, own) for field, own in named}))
        return Bank(tuple(rows))

    def _named_cells(self, row: Variant) -> dict[str, tuple[str, ...]]:
        cells = {}
        for field in GROUP_FIELDS:
            own, source = getattr(row.texts, field), getattr(row.source_texts, field)
            renamed = any(self.name(row.category, label) != label for label in source)
            if not own and renamed and _takes_over(row):
                own = source
            cells[field] = self.names(row.category, own)
        return cells


def _with(row: Variant, cells: dict[str, tuple[str, ...]]) -> Variant:
    same = all(getattr(row.texts, field) == groups for field, groups in cells.items())
    changed: dict[str, Any] = dict(cells)
    return row if same else replace(row, texts=replace(row.texts, **changed))


def _takes_over(row: Variant) -> bool:
    """Whether a row has texts, and leaves its groups neither out nor to the survey."""
    if row.label is Label.SAMPLE_REMOVED or not row.texts.has_body:
        return False
    try:
        return not is_open(row.texts)
    except CurateError:  # lists that cannot be read are for the check to say
        return False


_PLAIN = ("source", "source_id", "source_category", "reference", "note")
"""Columns that a variant has as they are."""
_CORE = (
    *("template_id", "variant", "version", "category", "label", "stereotype", "target_groups"),
    *("ambiguous_context", "disambiguating_context", "biased_question"),
    *("counter_biased_question", "biased_answer", "counter_biased_answer", "names", "words"),
    *("n1_groups", "n2_groups", *_PLAIN),
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
_IMPORTED = ("bbq_", "bbg_", "esbbq_", "bharatbbq_", "cbbq_")
"""How columns begin that published sets have beyond the bank's."""
_REQUIRED = ("template_id", "variant", "category")
GROUP_COLUMNS = ("category", "key", "group", "parent", "level", "counts", "fillers")
"""The columns of `groups.csv`; `same_as` is one more where groups were merged."""
SAME_AS = "same_as"


def read_bank(path: Path, shown_as: str = "") -> tuple[Bank, list[Finding]]:
    """Read the bank; a row that cannot be a variant is a finding, the others are read.

    Raises:
        CurateError: If the file as a whole cannot be read.
    """
    table = tables.read_table(path, shown_as=shown_as, required=_REQUIRED, escaped=True)
    findings = list(table.problems)
    others = [column for column in table.columns if column not in {*BANK_COLUMNS, *_MACHINE}]
    for column in others:
        if column not in _KNOWN and not column.startswith(_IMPORTED):
            said = finding("curation", "bank-unknown-column", table.file, name=column)
            findings.append(replace(said, row=1, column=column))
    variants = []
    for row in table.rows:
        try:
            variants.append(_variant(row, others))
        except CellError as error:
            findings.append(_unread("bank-unreadable-row", error, table, row))
    return Bank(tuple(variants)), findings


def _unread(rule: str, error: CellError, table: tables.Table, row: tables.Row) -> Finding:
    place = table.file, row.number, error.column
    what = f"{error.what}; the row is not read"
    return Finding(rule, Severity.ERROR, *place, what, error.hint)


def _variant(row: tables.Row, others: Sequence[str]) -> Variant:
    letter = row["variant"].strip()
    version = row.get("version").strip()
    template = row["template_id"].strip()
    if version not in tuple(VariantVersion):
        raise cell_refusal("curation", "bank-version", "version", version=version)
    try:
        variant_id = replace(VariantId.parse(template + letter), version=VariantVersion(version))
    except CurateError as error:
        column = "variant" if letter not in tuple("abcd") else "template_id"
        kind = "variant" if column == "variant" else "template id"
        raise cell_refusal("curation", "bank-id", column, cell=row[column], kind=kind) from error
    category = category_name(row["category"])
    try:
        slug = category_slug(category)
    except CurateError as error:
        raise CellError("category", error.what, error.hint) from error
    if slug != variant_id.template.category:
        told = {"category": category, "template": template}
        raise cell_refusal("curation", "bank-category", "category", **told)
    return Variant(
        id=variant_id,
        category=category,
        label=_label(row),
        texts=_texts(row, ""),
        source_texts=_texts(row, "_source"),
        machine_texts=_texts(row, "_machine"),
        **{name: row.get(name) for name in _PLAIN},
        extra=tuple((column, row[column]) for column in others),
        row=row.number,
    )


def _label(row: tables.Row) -> Label | None:
    text = row.get("label").strip()
    if not text:
        return None
    try:
        return Label(unicodedata.normalize("NFKC", text))  # full-width letters are meant so
    except ValueError as error:
        raise cell_refusal("curation", "bank-label", "label", label=text) from error


def _texts(row: tables.Row, suffix: str) -> Texts:
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
        raise cell_refusal("curation", "bank-groups", column, cell=cell) from error


def write_bank(path: Path, bank: Bank, *, escaped: bool = False) -> None:
    """Write the bank in place of `path`, with the curators' own columns at the end.

    Args:
        path: The file.
        bank: The bank.
        escaped: Whether texts that a spreadsheet would take for formulas get an apostrophe before
            them: in what is exported. In a workspace's own bank only those that look as if they
            had one get one more, which reading takes off.

    Raises:
        CurateError: If it cannot be written.
    """
    rows = bank_rows(bank)
    if not escaped:
        rows = ([tables.escape_formula(c) if c[:1] == "'" else c for c in cells] for cells in rows)
    tables.write_csv(path, bank_columns(bank), rows, escaped=escaped)


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
        **{name: getattr(variant, name) for name in _PLAIN},
    }
    sides = (("", variant.texts), ("_source", variant.source_texts))
    for suffix, texts in (*sides, ("_machine", variant.machine_texts)):
        for name in TEXT_FIELDS:
            value = getattr(texts, name)
            cells[name + suffix] = groups_cell(value) if name in GROUP_FIELDS else value
    return {**cells, **dict(variant.extra)}


def read_groups(path: Path, shown_as: str = "") -> tuple[list[Group], list[Finding]]:
    """Read `groups.csv`, merged groups too; a row that cannot be a group is a finding.

    Parents are named as they are called, which their own rows say.

    Raises:
        CurateError: If the file as a whole cannot be read.
    """
    table = tables.read_table(path, shown_as=shown_as, required=("category", "group"), escaped=True)
    findings = list(table.problems)
    groups = []
    for row in table.rows:
        try:
            groups.append(_group(row))
        except CellError as error:
            findings.append(_unread("groups-unreadable-row", error, table, row))
    known = {(group.category, group.key): group for group in groups}
    for group in [item for item in groups if item.same_as]:
        into = known.get((group.category, group.same_as))
        if into is None or into.same_as:
            told = {"into": group.same_as, "category": group.category}
            wrong = cell_refusal("curation", "group-same-as", SAME_AS, **told)
            row = next(item for item in table.rows if item.number == group.row)
            findings.append(_unread("groups-unreadable-row", wrong, table, row))
            groups.remove(group)
    return named_parents(groups), findings


def named_parents(groups: Iterable[Group]) -> list[Group]:
    """Groups whose parents are given by key, with the names of these; merged ones are one."""
    rows = list(groups)
    known = {(group.category, group.key): group for group in rows}

    def name(category: str, key: str) -> str:
        group = known.get((category, key))
        if group is not None and group.same_as:
            group = known[category, group.same_as]
        return key if group is None else group.group

    return [replace(group, parent=name(group.category, group.parent)) for group in rows]


def _group(row: tables.Row) -> Group:
    try:
        counts = tables.read_flag(row.get("counts"), default=True)
    except ValueError as error:
        raise CellError("counts", str(error), "write one") from error
    if not row["category"].strip() or not row["group"].strip():
        raise CellError("group", "category or group is empty", "name both")
    cells = {name: row.get(name).strip() for name in (*GROUP_COLUMNS, SAME_AS) if name != "counts"}
    cells["category"] = category_name(row["category"])
    return Group(**cells, counts=counts, row=row.number)


GroupRow = dict[str, str]
"""The cells of a row of `groups.csv`, by column."""


def group_rows(path: Path) -> tuple[Sequence[str], list[GroupRow]]:
    """The columns of `groups.csv`, people's own among them, and its rows; none without a file.

    Raises:
        CurateError: If it cannot be read.
    """
    if not path.exists():
        return GROUP_COLUMNS, []
    table = tables.read_table(path)
    tables.refuse_problems(table)
    return table.columns, [dict(row.cells) for row in table.rows]


def group_row_key(row: Mapping[str, str]) -> tuple[str, str]:
    """The category and the key of a row."""
    return category_name(row["category"]), row.get("key", "").strip() or row["group"].strip()


def write_groups(path: Path, groups: Iterable[Group]) -> None:
    """Write `groups.csv` in place of `path`; columns of people's own are kept.

    Raises:
        CurateError: If it cannot be read or written.
    """
    columns, rows = group_rows(path)
    own = {group_row_key(row): row for row in rows}
    cells = (own.get((item.category, item.key), {}) | group_cells(item) for item in groups)
    write_group_rows(path, columns, cells)


def add_groups(path: Path, groups: Sequence[Group]) -> None:
    """Append groups to `groups.csv`; existing rows and additional columns are kept.

    Args:
        path: The file.
        groups: The groups; their parents by key.

    Raises:
        CurateError: If it cannot be read or written.
    """
    if groups:
        columns, rows = group_rows(path)
        write_group_rows(path, columns, [*rows, *map(group_cells, groups)])


def write_group_rows(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> None:
    """Write rows of `groups.csv` with every column that it has; a key that lacks is the name.

    Args:
        path: The file.
        columns: Columns that it had, people's own among them.
        rows: The cells of each row, by column.

    Raises:
        CurateError: If it cannot be written.
    """
    cells = [{**row, "key": group_row_key(row)[1]} for row in rows]
    header = list(dict.fromkeys((*columns, *(name for name in GROUP_COLUMNS if name != "key"))))
    if "key" not in header:
        header.insert(header.index("category") + 1, "key")
    if SAME_AS not in header and any(row.get(SAME_AS) for row in cells):
        header.append(SAME_AS)
    tables.write_csv(path, header, ([row.get(name, "") for name in header] for row in cells))


def group_cells(group: Group) -> GroupRow:
    """The cells of a group's row, by column."""
    return {name: cell(getattr(group, name)) for name in (*GROUP_COLUMNS, SAME_AS)}
