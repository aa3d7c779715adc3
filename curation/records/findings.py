"""What a check or a reader says of a place in a file."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from curation.records.errors import CurateError
from curation.records.wording import plural, shortened

_SHOWN = 20
_MOST_HINTS = 2


class Severity(StrEnum):
    """How much a finding weighs: an error stops a release, a warning is to be looked at."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of a check: a rule, a place and a message.

    Attributes:
        rule: Stable id of the rule, for example `form-count`.
        severity: Weight of the finding.
        file: Path as shown to the user.
        row: Row number as in a spreadsheet, where the header is row 1; None for the whole file.
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
        """The place in words, with file, row and column as far as they are known."""
        parts = [self.file] if self.file else []
        if self.row is not None:
            parts.append(f"row {self.row}")
        if self.column:
            parts.append(f"column {self.column}")
        return ", ".join(parts)


def has_errors(findings: Iterable[Finding]) -> bool:
    """Whether any of the findings is an error."""
    return any(finding.severity is Severity.ERROR for finding in findings)


def warning(rule: str, file: str, message: str, hint: str, column: str = "") -> Finding:
    """A warning about a whole file."""
    return Finding(rule, Severity.WARNING, file, None, column, message, hint)


def listed(
    rule: str, file: str, names: Sequence[str], what: str, hint: str, column: str = ""
) -> list[Finding]:
    """A warning that tells how many there are of something, and some of them; none of nothing."""
    if not names:
        return []
    return [warning(rule, file, f"{len(names)} {what}: {shortened(names, 5)}", hint, column)]


class Refusal(CurateError):
    """Data that was refused because of errors in it; nothing was collected.

    Args:
        findings: The findings, including the errors.
        marked: Copies of the workbooks that show what is wrong.
    """

    def __init__(self, findings: Sequence[Finding], marked: Sequence[Path] = ()) -> None:
        errors = [item for item in findings if item.severity is Severity.ERROR]
        count = f"{len(errors)} {plural('error', len(errors))}"
        super().__init__(f"Nothing was collected: {count}.", errors[0].where, errors[0].message)
        self.findings = tuple(findings)
        self.marked = tuple(marked)


def refuse_findings(findings: Sequence[Finding], what: str, more: str, also: str = "") -> None:
    """Refuse what findings say, in one error; nothing where there are none.

    Args:
        findings: The findings.
        what: What there are several of, as `templates cannot be filled`.
        more: What lists all of them, as `'curate check' lists them`.
        also: Another thing to do, where there are several.

    Raises:
        CurateError: Naming all of them, or as many as can be looked through.
    """
    if not findings:
        return
    if len(findings) == 1:
        raise CurateError(findings[0].message, findings[0].where, findings[0].hint)
    shown = [f"    {item.message} ({item.where})" for item in findings[:_SHOWN]]
    if len(findings) > _SHOWN:
        shown.append(f"    ... and {len(findings) - _SHOWN} more: {more}")
    hints = list(dict.fromkeys(item.hint for item in findings if item.hint))
    known = "; ".join(hints) if 0 < len(hints) <= _MOST_HINTS else more
    raise CurateError("\n".join((f"{len(findings)} {what}:", *shown)), "", f"{known}{also}")
