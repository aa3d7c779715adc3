"""The errors that are shown to a user."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # this is loaded before any command, which is to start at once
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from curation.records.findings import Finding


class CurateError(Exception):
    """An error that a user has to correct: what is wrong, where, and what to do.

    Args:
        what: What is wrong, one line.
        where: File, row and column, or the option or subject; empty if there is no place.
        hint: What to do about it, one line.
        code: The kind of failure, for callers that need it; messages may change.
    """

    def __init__(self, what: str, where: str = "", hint: str = "", *, code: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.hint = hint
        self.code = code

    def __str__(self) -> str:
        return "\n".join(line for line in (self.what, self.where, self.hint) if line)


class Refusal(CurateError):
    """Data that was refused because of errors in it; nothing was collected.

    Args:
        findings: The findings, including the errors.
        marked: Copies of the workbooks that show what is wrong.
    """

    def __init__(self, findings: "Sequence[Finding]", marked: "Sequence[Path]" = ()) -> None:
        from curation.records.findings import Severity
        from curation.records.wording import plural

        errors = [item for item in findings if item.severity is Severity.ERROR]
        count = f"{len(errors)} {plural('error', len(errors))}"
        super().__init__(f"Nothing was collected: {count}.", errors[0].where, errors[0].message)
        self.findings = tuple(findings)
        self.marked = tuple(marked)


def refuse_unknown(what: str, given: str, known: "Collection[str]") -> None:
    """Refuse a name that is not one of the known names.

    Args:
        what: What it names, as `format`.
        given: The name.
        known: Those that there are.

    Raises:
        CurateError: With the nearest name, and all of them.
    """
    if given in known:
        return
    import difflib  # only for a mistake

    near = difflib.get_close_matches(str(given), known, n=1)
    meant = f"did you mean '{near[0]}'? " if near else ""
    raise CurateError(f"there is no {what} '{given}'", hint=f"{meant}there are {', '.join(known)}")
