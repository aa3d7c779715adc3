"""The toolkit's own forms: the workbook with its three rows, and the table of a panel company."""

from survey.mapping import RespondentPart
from survey.readers.recognise import Described, Head, Recognised, Start

_RESPONDENT = "respondent_id"
_FORM = "form"
_SEVERAL = (
    "the file holds several forms, so that an empty cell is taken for a question of another form; "
    "to tell who left one unanswered, name the forms that ask each question in its 'asked', and "
    "add '' to 'missing'"
)


def recognise(head: Head) -> Recognised | None:
    """Say whether the file is a form of ours that was filled in."""
    names = head.row(1)
    if not names or names[0] != _RESPONDENT or "question_id" in names:
        return None
    below = [head.row(number)[:1] for number in (2, 3)]
    if head.source.kind == "workbook" and below[0] != ("",) and below[1] == ("",):
        return Recognised(
            "workbook",
            ("the first column is respondent_id", "rows 2 and 3 hold questions and options"),
            header_rows=3,
        )
    if "attention" in names or "form" in names:
        own = [name for name in ("form", "attention") if name in names]
        return Recognised("panel", (f"the first columns are respondent_id, {', '.join(own)}",))
    return None


def start(described: Described) -> Start:
    """Begin a mapping: x marks what is chosen; an empty cell may be of another form."""
    forms = [form for form in described.values(_FORM) if form] if _FORM in described.titles else []
    several = len(forms) > 1
    return Start(
        respondent=RespondentPart(id=_RESPONDENT),
        selected=("x", "X", "1"),
        not_selected=("", "0"),
        missing=("-99",) if several else ("", "-99"),
        writes_codes=True,
        notes=(_SEVERAL,) if several else (),
    )
