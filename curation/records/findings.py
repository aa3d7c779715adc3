"""What a check or a reader says of a place in a file."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from curation.records.errors import CurateError
from curation.records.frames import frame
from curation.records.wording import counted, plural, shortened

if TYPE_CHECKING:
    import pandas as pd

FAST_YAML: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""Reads the toolkit's own files, by libyaml where it is there: ten times as fast."""
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


class HasFindings:
    """What results with findings have in common."""

    __slots__ = ()
    findings: tuple[Finding, ...]

    @property
    def has_errors(self) -> bool:
        """Whether one of the findings is an error."""
        return has_errors(self.findings)

    def to_frame(self) -> "pd.DataFrame":
        """A row a finding: rule, severity, file, column, message, hint as text, row as Int64."""
        return frame(self.findings, Finding, row="Int64")


class _Count(int):
    """A count in a text: `{count:task}` is `1 task` or `2 tasks`, `{count:is/are}` the verb too."""

    def __format__(self, spec: str) -> str:
        return counted(int(self), *spec.split("/")) if spec else f"{int(self):,}"


@cache
def _texts(package: str) -> dict[str, dict[str, Any]]:
    text = (files(package) / "findings.yaml").read_text(encoding="utf-8")
    return yaml.load(text, Loader=FAST_YAML)  # type: ignore[no-any-return]  # noqa: S506  # safe


def finding(
    package: str | None,
    key: str,
    /,
    file: str,
    *,
    way: str = "",
    severity: str | None = None,
    **words: object,
) -> Finding:
    """A finding on a whole file in the words of `findings.yaml`, which lies in a package.

    There stand by key `what` is wrong, in several ways where there are some, and the `hint`; the
    `severity`, where it is no error; the `rule`, where it is not the key; and the `column`.

    Args:
        package: The package.
        key: The rule, or the key of another text of it.
        file: Path as shown to the user.
        way: Which of several ways.
        severity: In place of the one that is listed.
        words: What stands in braces.
    """
    known = _texts(package or "")[key]
    what = known["what"][way] if way else known["what"]
    weight = Severity(severity or known.get("severity", Severity.ERROR))
    said = {k: _Count(v) if isinstance(v, int) else v for k, v in words.items()}
    message, hint = (text.format(**said) for text in (what, known["hint"]))
    return Finding(
        known.get("rule", key), weight, file, None, known.get("column", ""), message, hint
    )


def warning(
    rule: str, file: str, message: str, hint: str, column: str = "", row: int | None = None
) -> Finding:
    """A warning about a file, or a row of it."""
    return Finding(rule, Severity.WARNING, file, row, column, message, hint)


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
        super().__init__(f"Not collected: {count}.", errors[0].where, errors[0].message)
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
