"""What a check or a reader says of a place in a file."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How much a finding weighs: an error stops a release, a warning wants a look."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Finding:
    """One remark on one place.

    Attributes:
        rule: Stable id of the rule, for example `form-count`.
        severity: Weight of the finding.
        file: Path as shown to the user.
        row: Row as a spreadsheet numbers it, the header being row 1; None for the whole file.
        column: Column name, or empty.
        message: What is wrong.
        hint: What to do.
    """

    rule: str
    severity: Severity
    file: str
    row: int | None
    column: str
    message: str
    hint: str = ""

    @property
    def where(self) -> str:
        """The place in words: file, row and column, as far as they are known."""
        parts = [self.file] if self.file else []
        if self.row is not None:
            parts.append(f"row {self.row}")
        if self.column:
            parts.append(f"column {self.column}")
        return ", ".join(parts)


def has_errors(findings: Iterable[Finding]) -> bool:
    """Say whether any of the findings is an error."""
    return any(finding.severity is Severity.ERROR for finding in findings)
