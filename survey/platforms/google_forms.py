"""Google Forms: a time, then one column a question; several options are joined in the cell."""

from curation.languages import received_words
from survey.mapping import ROW, RespondentPart
from survey.platforms.panel import respondent_column
from survey.platforms.recognise import Described, Head, Recognised, Start

_TIMESTAMP = frozenset(received_words("google_forms_time"))


def recognise(head: Head) -> Recognised | None:
    """Say whether the file is from Google Forms."""
    first = head.row(1)
    if not first or first[0].casefold() not in _TIMESTAMP:
        return None
    return Recognised("google_forms", (f"the first column is '{first[0]}'",))


def start(described: Described) -> Start:
    """Begin a mapping: nobody is named, so each row is a respondent."""
    named = respondent_column(described)
    note = (
        "the file names no respondent: each row is taken for one person; if the form asked for a "
        "number, put its column in 'respondent: id'"
    )
    return Start(
        respondent=RespondentPart(id=named or ROW, submitted=described.titles[0]),
        missing=("",),
        joined=(", ", ";"),
        known=frozenset(described.titles[:1]),
        said=() if named else (note,),
    )
