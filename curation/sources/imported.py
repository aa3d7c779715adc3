"""What a reader of a published format gives."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from curation.files.tables import Table, list_literal, literal
from curation.records.bank import (
    FILLED_FIELDS,
    OPEN_COLUMN,
    PUBLISHED,
    Group,
    Texts,
    Variant,
)
from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity
from curation.records.ids import VariantId
from curation.slots import Filler, SlotError, parse_lists, print_fillers


@dataclass(frozen=True, slots=True)
class PublishedCount:
    """Survey counts that a published template carries, votes by option label."""

    template_id: str
    category: str
    stereotype: str
    votes: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Imported:
    """Templates read from published files.

    `rows_in == rows_read + rows_reported` always holds: a row is read or has a finding.

    Attributes:
        source: Name of the published set.
        language: Language of the variants' `texts`.
        source_language: Language of their `source_texts`.
        variants: What was read, in the order of the files.
        groups: The groups that the files name.
        findings: What could not be read, or was read with a remark.
        rows_in: Rows in the files.
        rows_read: Rows that became variants.
        counts: Survey counts, where the set publishes them.
        samples: The wording of the published samples, for variants whose source texts have another.
        select_all: Categories whose stereotypes the set asked about by target selection.
    """

    source: str
    language: str
    source_language: str
    variants: tuple[Variant, ...]
    groups: tuple[Group, ...]
    findings: tuple[Finding, ...]
    rows_in: int
    rows_read: int
    counts: tuple[PublishedCount, ...] = ()
    samples: Mapping[VariantId, Texts] = field(default_factory=dict)
    select_all: frozenset[str] = frozenset()

    def variants_for(self, language: str) -> tuple[Variant, ...]:
        """The variants as a workspace of a language takes them.

        Where it is not theirs, the source is what people translate: the corrected wording. What
        the published samples say stands in extra columns where it differs, so that they can be
        traced.
        """
        if language == self.language or self.language != self.source_language:
            return self.variants
        return tuple(map(self._as_source, self.variants))

    def _as_source(self, variant: Variant) -> Variant:
        ours, published = variant.texts, self.samples.get(variant.id, variant.source_texts)
        differing = (
            name for name in FILLED_FIELDS if getattr(published, name) != getattr(ours, name)
        )
        columns = tuple((f"{name}{PUBLISHED}", getattr(published, name)) for name in differing)
        return replace(variant, source_texts=ours, extra=(*variant.extra, *columns))

    @classmethod
    def of_files(
        cls,
        source: str,
        languages: tuple[str, str],
        reports: Sequence["RowReport"],
        variants: Iterable[Variant],
        groups: Iterable[Group],
        remarks: Iterable[Finding] = (),
        counts: Iterable[PublishedCount] = (),
        samples: Mapping[VariantId, Texts] | None = None,
    ) -> "Imported":
        """What was read of files: a row that is not refused is read.

        Args:
            source: Name of the published set.
            languages: Of the variants' texts and of their source texts.
            reports: Each file, with what was found in it.
            variants: What was read.
            groups: The groups that the files name.
            remarks: Findings besides, which come first.
            counts: Survey counts.
            samples: The wording of published samples.
        """
        found = (item for one in reports for item in (*one.table.problems, *one.findings))
        return cls(
            source,
            *languages,
            variants=tuple(variants),
            groups=tuple(groups),
            findings=(*remarks, *found),
            rows_in=sum(one.table.rows_in for one in reports),
            rows_read=sum(len(one.table.rows) - len(one.refused) for one in reports),
            counts=tuple(counts),
            samples=samples or {},
        )

    @property
    def rows_reported(self) -> int:
        """Rows that were not read; each has a finding."""
        return self.rows_in - self.rows_read


@dataclass(slots=True)
class RowReport:
    """Collects the findings of a reader on one table.

    Attributes:
        table: The table.
        findings: What was found so far.
        refused: Rows that cannot become variants.
    """

    table: Table
    findings: list[Finding] = field(default_factory=list)
    refused: set[int] = field(default_factory=set)

    def refuse(self, rule: str, row: int, column: str, message: str, hint: str = "") -> None:
        """Report a row that cannot be read."""
        self.refused.add(row)
        self._add(rule, Severity.ERROR, row, column, f"{message}; the row is not read", hint)

    def warn(self, rule: str, row: int | None, column: str, message: str, hint: str = "") -> None:
        """Report a remark on a row that is read all the same."""
        self._add(rule, Severity.WARNING, row, column, message, hint)

    def open_role(self, row: int, column: str, message: str) -> None:
        """Report a row that is read although it does not settle who is the target."""
        hint = f"say who it is in the bank, and empty the cell {OPEN_COLUMN} (docs/formats.md)"
        self._add("source-role-open", Severity.ERROR, row, column, message, hint)

    def note(self, rule: str, row: int | None, column: str, message: str, hint: str = "") -> None:
        """Report something worth knowing."""
        self._add(rule, Severity.INFO, row, column, message, hint)

    def unknown_columns(self, known: Sequence[str]) -> None:
        """Report columns that the published format does not have."""
        for column in self.table.columns:
            if column not in known:
                self.warn(
                    "source-unknown-column",
                    1,
                    column,
                    f"column '{column}' is not of the published format; it is not read",
                    "the file is kept as it is under templates_src/sources",
                )

    def _add(
        self, rule: str, severity: Severity, row: int | None, column: str, message: str, hint: str
    ) -> None:
        self.findings.append(Finding(rule, severity, self.table.file, row, column, message, hint))


NO_TEMPLATES = "no-templates"
"""The code of the failure that no file holds templates of a format."""
KEPT = "nothing of it is imported; the file is kept under templates_src/sources"
"""What happens with a file that is passed over."""


def passed_over(table: Table, why: str, hint: str = KEPT) -> Finding:
    """Report a file that holds no templates, or none that were not read already."""
    return Finding("source-file-passed-over", Severity.INFO, table.file, 1, "", why, hint)


def lacking(
    required: Iterable[str], alternatives: Iterable[Sequence[str]] = ()
) -> Callable[[Table], list[str]]:
    """Names the columns that a file lacks to be a template file.

    Args:
        required: Columns that it must have.
        alternatives: Columns of which it must have one.
    """
    wanted = [*((column,) for column in required), *(tuple(names) for names in alternatives)]
    return lambda table: [" or ".join(names) for names in wanted if not {*names} & {*table.columns}]


def template_files(
    tables: Iterable[Table],
    title: str,
    lacking: Callable[[Table], Sequence[str]],
    hint: str = KEPT,
) -> tuple[list[RowReport], list[Finding]]:
    """Tell files that hold templates from others, and from those with the rows of one before them.

    Args:
        tables: The files.
        title: What the published set is called.
        lacking: The columns that a file would need to hold templates.
        hint: What to say of a file that holds none.

    Returns:
        A report for each file to read, and a finding for each that is passed over.

    Raises:
        CurateError: If none is left to read.
    """
    reports: list[RowReport] = []
    other: list[Finding] = []
    for table in tables:
        columns = ", ".join(lacking(table))
        cells = [row.cells for row in table.rows]
        read = ((one.table.file, [row.cells for row in one.table.rows]) for one in reports)
        same = next((file for file, rows in read if cells and cells == rows), "")
        if columns:
            what = f"this is not a template file of {title}: the header lacks {columns}"
            other.append(passed_over(table, what, hint))
        elif same:
            other.append(passed_over(table, f"it has the same rows as {same}"))
        else:
            reports.append(RowReport(table))
    if not reports:
        raise refuse_all(other, f"template files of {title}")
    return reports, other


def refuse_all(
    files: Sequence[Finding], wanted: str, what: str = "no file holds templates"
) -> CurateError:
    """The error of an import all of whose files are passed over."""
    return CurateError(
        files[0].message if files else what,
        files[0].where if files else "",
        f"name {wanted}, or their folder",
        code=NO_TEMPLATES,
    )


_CURLY = str.maketrans({"“": '"', "”": '"', "„": '"'})
_QUOTES = "\"'‘’"


class CellError(CurateError):
    """A cell that cannot be read, so that its row cannot either.

    Attributes:
        column: The column of the cell.
    """

    def __init__(self, column: str, what: str, hint: str = "") -> None:
        super().__init__(what, hint=hint)
        self.column = column


def read_groups(cell: str) -> tuple[str, ...]:
    """Read a list of groups: JSON, Python-style, with curly quotes, or names with commas.

    A name in brackets that is no such list is read name by name, so that one wrong quote does
    not cost the row.
    """
    text = cell.translate(_CURLY).strip()
    if text.startswith("["):
        found = list_literal(text)
        if found is not None:
            return tuple(dict.fromkeys(item.strip() for item in found if item.strip()))
        text = text[1:].removesuffix("]")
    names = (part.strip().strip(_QUOTES).strip() for part in re.split(r"[,;\n]", text))
    return tuple(dict.fromkeys(name for name in names if name))


def read_words(cell: str, column: str) -> tuple[tuple[str, ...], ...]:
    """Read a JSON or Python-style list of words; nothing in it is ever run.

    Args:
        cell: The cell, for example `["rich", ["poor", "needy"]]`.
        column: Its column, for errors.

    Returns:
        The entries, each with its synonyms.

    Raises:
        CellError: If the cell is no list of texts and lists of texts, or an empty one.
    """
    found = literal(cell.translate(_CURLY).strip())
    entries = [[item] if isinstance(item, str) else item for item in _items(found)]
    if all(isinstance(word, str) for entry in entries for word in _items(entry)):
        named = ((str(word).strip() for word in _items(entry)) for entry in entries)
        words = tuple(tuple(dict.fromkeys(filter(None, entry))) for entry in named)
        if any(words):
            return tuple(dict.fromkeys(filter(None, words)))
    raise CellError(column, "the cell is not a list of names", "write ['name', 'name']")


def _items(found: object) -> list[object]:
    """The items of a list; for anything else None, which is no text."""
    return found if isinstance(found, list) else [None]


def spelled_as(name: str, groups: Iterable[str]) -> str:
    """Write a group's name as one of `groups`, if only case, blanks or characters differ."""
    return next((group for group in groups if _plain(group) == _plain(name)), name)


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.casefold())


def groups_of(variants: Iterable[Variant]) -> tuple[Group, ...]:
    """List the groups that templates are about, with the names used for them.

    A name goes to a group where it is certain: the person has one group only, or the name is
    the group's own. Hierarchy, levels and what counts are for people to add.
    """
    fillers: dict[tuple[str, str], dict[Filler, None]] = {}
    for variant in variants:
        texts = variant.texts if not variant.texts.is_empty else variant.source_texts
        try:
            lists = parse_lists(texts.names)
        except SlotError:
            lists = {}
        for slot, groups in (("N1", texts.n1_groups), ("N2", texts.n2_groups)):
            for group in groups:
                fillers.setdefault((variant.category, group), {})
            for filler in lists[slot].fillers if slot in lists else ():
                group = groups[0] if len(groups) == 1 else filler.text
                if group in groups:
                    fillers[variant.category, group].setdefault(filler)
        for group in texts.target_groups:
            fillers.setdefault((variant.category, group), {})
    return tuple(
        Group(category, group, fillers=print_fillers(names))
        for (category, group), names in fillers.items()
    )
