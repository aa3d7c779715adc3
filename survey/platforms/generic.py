"""Files of which nothing is known but their columns."""

from dataclasses import replace

from survey.platforms.panel import begin
from survey.platforms.recognise import Described, Head, Recognised, Start

RANK = 100
CODED_AS = "csv"
_BLANKS = (
    "an empty cell counts as a question that was not shown; if it means that the question was "
    "not answered, add '' to 'missing'"
)
_PROLIFIC = frozenset({"participant id", "submission id"})


def recognise(head: Head) -> Recognised:
    """Take any file."""
    names = {name.casefold() for name in head.row(1)}
    if names >= _PROLIFIC:
        return Recognised(
            "generic",
            ("the columns are those of Prolific's demographics, which hold no answers",),
        )
    return Recognised("generic", ("no platform's own columns were found",))


def start(described: Described) -> Start:
    """Begin a mapping by the names that people give to such columns."""
    return replace(begin(described, missing=("-99",)), said=(_BLANKS,))
