"""What a person should know of a file that was read: encoding, hidden cells, what nothing reads."""

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Mapping as Map

from curation.records.findings import Finding
from curation.records.survey import Question
from survey.mapping import SIMPLE, Mapping
from survey.platforms.recognise import Described, platform_of
from survey.readers.frames import Column, Frame, View, column_letters, plain, tell
from survey.readers.naming import Note, Spelling, namings, option_text
from survey.readers.options import names_of


def unread_columns(view: View, mapping: Mapping) -> tuple[str, ...]:
    """The columns with values that are neither read nor in `ignored`.

    The platform's own columns, such as times and addresses, are no question's.

    Args:
        view: The records, after all that is needed of them was read.
        mapping: How they were read.
    """
    frame = view.frame
    # A simple table has no platform's own columns; what names its respondents is looked at once.
    simple = mapping.preset == SIMPLE
    own = frozenset() if simple else platform_of(mapping.preset).start(described(frame)).known
    known = own | ignored(frame.titles, mapping)
    return tuple(
        title or f"column {at + 1}"
        for at, (title, column) in enumerate(zip(frame.titles, frame.columns, strict=True))
        if at not in view.used and title not in known and holds(column)
    )


def described(frame: Frame) -> Described:
    """The columns of a file with what stands above them."""
    above = zip(*frame.heads, strict=True)
    texts = tuple(tuple(plain(cell) for cell in cells) for cells in above)
    return Described(frame.titles, texts, frame.columns)


def holds(column: Column) -> bool:
    """Whether a column holds anything."""
    return any(value.strip() for value in column.values)


def ignored(titles: Iterable[str], mapping: Mapping) -> set[str]:
    """The columns that a mapping ignores: by name, `*` being anything."""
    patterns = [
        re.compile(".*".join(re.escape(part) for part in plain(name).split("*")))
        for name in mapping.ignored
    ]
    return {title for title in titles if any(known.fullmatch(title) for known in patterns)}


def unread_finding(file: str, columns: Sequence[str], *, mapped: bool = True) -> list[Finding]:
    """Say that columns hold something and are not read; nothing where there are none.

    Args:
        file: The file.
        columns: Their names.
        mapped: Whether a mapping says what is read.
    """
    key = "survey-unread-columns" if mapped else "unread-without-mapping"
    told = {"count": len(columns), "names": columns}
    return [tell(key, file, None, columns[0], **told)] if columns else []


def spelling_findings(file: str, mapping: Mapping, questions: Sequence[Question]) -> list[Finding]:
    """Say which texts a draft took for options that the questionnaire writes otherwise.

    Args:
        file: The file.
        mapping: The draft.
        questions: The questionnaire.
    """
    by_id = {question.id: question for question in questions}
    said: dict[str, None] = {}
    for part in mapping.questions:
        ways, codes = namings(by_id[part.id]), [option.code for option in by_id[part.id].options]
        for text, code in part.options.items():
            at = codes.index(code)
            written = plain(text) in names_of(by_id[part.id].options[at])
            like = (way.by(plain(text), Spelling.UNACCENTED) for way in ways)
            if not written and any(at in places for places in like):
                said[f"'{text}' for '{option_text(by_id[part.id], at)}'"] = None
    return [tell("naming-drafted", file, cells=list(said))] if said else []


def file_findings(frame: Frame) -> Iterator[Finding]:
    """Say what of a file itself gives cause for doubt."""
    source, file = frame.source, frame.file
    if source.guessed:
        encoding, reason = source.encoding.upper(), source.encoding_reason
        yield tell("survey-encoding", file, encoding=encoding, reason=reason)
    if source.hidden:
        rows = source.hidden
        yield tell("survey-hidden-rows", file, rows[0], count=len(rows), rows=rows)
    read = [at for at in source.hidden_columns if at < len(frame.columns)]
    if read:
        heads = [f"{column_letters(at)} ('{plain(frame.heads[0][at])}')" for at in read]
        yield tell("survey-hidden-columns", file, 1, count=len(read), heads=heads)
    if source.ends_open:
        yield tell("survey-file-end", file, int(frame.rows[-1]), count=len(frame))


def naming_findings(file: str, notes: Map[tuple[Note, str], int]) -> Iterator[Finding]:
    """Say which answers were read though they do not simply write an option of one kind."""
    for note in Note:
        counts = {said: count for (kind, said), count in notes.items() if kind is note}
        if counts:
            cells = [f"{said} ({count:,})" for said, count in counts.items()]
            total = sum(counts.values())
            yield tell(f"naming-{note.name.casefold()}", file, answers=total, cells=cells)
