"""What a reader of a published format gives."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from curation.io.tables import Table
from curation.model.bank import Group, Variant
from curation.model.findings import Finding, Severity


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
