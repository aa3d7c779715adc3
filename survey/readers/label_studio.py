"""Label Studio's CSV: a row an annotation; several choices are a JSON object."""

from survey.mapping import RespondentPart
from survey.readers.recognise import Described, Head, Recognised, Start, found_in

_OWN = ("annotator", "annotation_id", "created_at", "updated_at", "lead_time")


def recognise(head: Head) -> Recognised | None:
    """Say whether the file is from Label Studio."""
    own = found_in(head.row(1), _OWN)
    if not {"annotator", "annotation_id"} <= set(own):
        return None
    return Recognised("label_studio", (f"its own columns are there: {', '.join(own)}",))


def start(described: Described) -> Start:
    """Begin a mapping: the annotator is the respondent."""
    return Start(
        respondent=RespondentPart(
            id="annotator",
            duration=described.first("lead_time"),
            submitted=described.first("updated_at", "created_at"),
        ),
        missing=("",),
        joined=(),
        writes_codes=True,
        rows_hold_options=False,
        known=frozenset(found_in(described.titles, ("id", *_OWN[1:]))),
    )
