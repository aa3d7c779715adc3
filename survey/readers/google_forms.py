"""Google Forms: a time, then one column a question; several options are joined in the cell."""

from survey.mapping import ROW, RespondentPart
from survey.readers.panel import respondent_column
from survey.readers.recognise import Described, Head, Recognised, Start

_TIMESTAMP = frozenset(
    {
        *("timestamp", "타임스탬프", "タイムスタンプ", "时间戳记", "时间戳", "時間戳記"),
        *("zeitstempel", "marca temporal", "horodateur", "informazioni cronologiche"),
        *("carimbo de data/hora", "tijdstempel", "отметка времени", "sygnatura czasowa"),
        *("zaman damgası", "tidsstämpel", "časové razítko", "cap waktu", "dấu thời gian"),
    }
)


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
        "the file names no respondent: each row is taken for one; if the form asked for a number, "
        "put its column in 'respondent: id'"
    )
    return Start(
        respondent=RespondentPart(id=named or ROW, submitted=described.titles[0]),
        missing=("",),
        joined=(", ", ";"),
        known=frozenset(described.titles[:1]),
        notes=() if named else (note,),
    )
