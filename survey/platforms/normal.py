"""The normal form, into which every other is read."""

from survey.answers import RESPONSE_COLUMNS
from survey.mapping import RespondentPart
from survey.platforms.recognise import Described, Head, Recognised, Start

RANK = 0
_NEEDED = frozenset({"respondent_id", "question_id", "option", "state"})


def recognise(head: Head) -> Recognised | None:
    """Say whether the file is in normal form."""
    names = set(head.row(1))
    if not names >= _NEEDED:
        return None
    there = [name for name in RESPONSE_COLUMNS if name in names]
    return Recognised("normal", (f"its columns are {', '.join(there)}",))


def start(described: Described) -> Start:
    """Begin a mapping, of which the normal form needs none."""
    return Start(respondent=RespondentPart(id="respondent_id"))
