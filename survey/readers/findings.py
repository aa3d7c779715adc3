"""What a person should know of a file that was read: encoding, hidden cells, what nothing reads."""

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Mapping as Map

from curation.records.findings import Finding, Severity
from curation.records.wording import counted, plural
from survey.mapping import Mapping
from survey.platforms.recognise import Described, platform_of
from survey.readers.frames import Column, Frame, View, column_letters, plain
from survey.readers.naming import Note

_NAMED = 5


def unread_columns(view: View, mapping: Mapping) -> tuple[str, ...]:
    """The columns with values that are neither read nor in `ignored`.

    The platform's own columns, such as times and addresses, are no question's.

    Args:
        view: The records, after all that is needed of them was read.
        mapping: How they were read.
    """
    frame = view.frame
    own = platform_of(mapping.preset).start(described(frame)).known
    known = own | ignored(frame.titles, mapping)
    return tuple(
        title
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
    if not columns:
        return []
    named = ", ".join(f"'{title}'" for title in columns[:_NAMED])
    more = f" and {len(columns) - _NAMED:,} more" if len(columns) > _NAMED else ""
    what = "column holds" if len(columns) == 1 else "columns hold"
    return [
        Finding(
            "survey-unread-columns",
            Severity.WARNING,
            file,
            None,
            columns[0],
            f"{len(columns):,} {what} something that "
            f"{'the mapping does not read' if mapped else 'is not read'}: {named}{more}",
            "add the questions among them to the mapping, and name the others in 'ignored'"
            if mapped
            else "name a question's column by its id, its text or its stereotype; other columns "
            "can stay",
        )
    ]


def file_findings(frame: Frame) -> list[Finding]:
    """Say what of a file itself gives cause for doubt."""
    source = frame.source
    found = []
    if source.guessed:
        found.append(
            Finding(
                "survey-encoding",
                Severity.INFO,
                frame.file,
                None,
                "",
                f"read as {source.encoding.upper()}: {source.encoding_reason}",
                "save it as 'CSV UTF-8' to have it checked, or name the encoding in a mapping "
                "(read: encoding)",
            )
        )
    if source.hidden:
        rows = ", ".join(map(str, source.hidden[:_NAMED]))
        more = f" and {len(source.hidden) - _NAMED:,} more" if len(source.hidden) > _NAMED else ""
        found.append(
            Finding(
                "survey-hidden-rows",
                Severity.WARNING,
                frame.file,
                source.hidden[0],
                "",
                f"{len(source.hidden):,} of the rows that are read are hidden in the sheet: "
                f"{rows}{more}",
                "show them, and delete those that do not count",
            )
        )
    read = [at for at in source.hidden_columns if at < len(frame.columns)]
    if read:
        count = f"{len(read):,} {plural('column', len(read))}"
        heads = ", ".join(
            f"{column_letters(at)} ('{plain(frame.heads[0][at])}')" for at in read[:_NAMED]
        )
        found.append(
            Finding(
                "survey-hidden-columns",
                Severity.WARNING,
                frame.file,
                1,
                "",
                f"{count} of those that are read {'is' if len(read) == 1 else 'are'} hidden in the "
                f"sheet: {heads}{', ...' if len(read) > _NAMED else ''}",
                "show them, and delete those that do not count",
            )
        )
    if source.ends_open:
        found.append(
            Finding(
                "survey-file-end",
                Severity.WARNING,
                frame.file,
                int(frame.rows[-1]),
                "",
                f"the last of {len(frame):,} records has no line end: is the file complete?",
                "compare the number of records with the platform's; a mapping may state it (read: "
                "rows)",
            )
        )
    return found


_ONE_FITS = "each fits only one option of its question, and is counted for it"
_NOTED = {
    Note.TYPED: (
        "survey-spelling",
        Severity.INFO,
        "written with different capital letters, apostrophes or quotation marks",
        _ONE_FITS,
    ),
    Note.NUMBER: (
        "survey-spelling",
        Severity.WARNING,
        "numbers written with other zeros, as spreadsheets do",
        _ONE_FITS,
    ),
    Note.UNACCENTED: ("survey-spelling", Severity.WARNING, "written without accents", _ONE_FITS),
    Note.ALIKE: (
        "survey-names-alike",
        Severity.WARNING,
        "counted for one option, and what is written may be another one",
        "compare these cells with the export, for a spreadsheet may have changed capital letters "
        "or zeros; a mapping says how a file is read ('curate filter --draft')",
    ),
    Note.MIXED: (
        "survey-codes-and-texts",
        Severity.WARNING,
        "codes of options where others are texts",
        "check that these were meant as codes, or write texts alone or codes alone",
    ),
}
"""By note its rule, its weight, what is said of the answers, and what to do."""


def naming_findings(file: str, notes: Map[tuple[Note, str], int]) -> Iterator[Finding]:
    """Say which answers were read though they do not simply write an option of one kind."""
    for note, (rule, severity, how, hint) in _NOTED.items():
        counts = {said: count for (kind, said), count in notes.items() if kind is note}
        if counts:
            listed = [f"{said} ({count:,})" for said, count in counts.items()]
            more = f" and {len(listed) - _NAMED:,} more" if len(listed) > _NAMED else ""
            total = sum(counts.values())
            what = f"{counted(total, 'answer is', 'answers are')} {how}"
            yield Finding(
                rule,
                severity,
                file,
                None,
                "",
                f"{what}: {', '.join(listed[:_NAMED])}{more}",
                hint,
            )
