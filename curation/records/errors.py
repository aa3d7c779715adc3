"""The errors that are shown to a user."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # this is loaded before any command, which is to start at once
    from collections.abc import Collection


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


_MOST_NAMES = 40


def refuse_unknown(what: str, given: str, known: "Collection[str]") -> None:
    """Refuse a name that is not one of the known names.

    Args:
        what: What it names, as `format`.
        given: The name.
        known: Those that there are.

    Raises:
        CurateError: With the nearest name, and all of them where they can be read at a glance.
    """
    if given in known:
        return
    import difflib  # only for a mistake

    near = difflib.get_close_matches(str(given), known, n=1)
    hints = [f"did you mean '{near[0]}'?"] if near else []
    if len(known) <= _MOST_NAMES:
        hints.append(f"there are {', '.join(known)}")
    raise CurateError(f"there is no {what} '{given}'", hint=" ".join(hints))
