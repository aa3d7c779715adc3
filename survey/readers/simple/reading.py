"""One simple table read, whatever its shape."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from curation.languages import LanguageOrCode
from curation.records.culture import Culture
from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity
from curation.records.survey import Question, Tally
from curation.records.wording import counted
from survey.answers import Answers
from survey.attributes import compared
from survey.readers.columns import View, filled, unread_finding
from survey.readers.frames import plain
from survey.readers.naming import Note, QuestionNames
from survey.readers.opening import Opened
from survey.readers.people import same_people
from survey.readers.received import file_findings
from survey.readers.simple.by_columns import read_columns
from survey.readers.simple.by_counts import read_counts
from survey.readers.simple.by_rows import read_rows
from survey.readers.simple.people import read_people
from survey.readers.simple.shape import is_simple, shape_of
from survey.readers.simple.table import NAMED, SimpleTable


@dataclass(frozen=True, slots=True)
class Simple:
    """A simple table as read.

    Attributes:
        lines: What was recognised, a line a column, below one of the file.
        findings: What a person should know.
        answers: The answers of respondents; None where the table holds counts.
        tallies: The counts; none where it holds answers.
    """

    lines: tuple[str, ...]
    findings: tuple[Finding, ...] = ()
    answers: Answers | None = None
    tallies: tuple[Tally, ...] = ()


def read_simple(
    opened: Opened,
    questions: Sequence[Question],
    culture: Culture,
    texts: dict[str, str],
    language: LanguageOrCode | None = None,
) -> Simple | None:
    """Read a simple table.

    Args:
        opened: The file: CSV, TSV or semicolons in UTF-8, UTF-16 or the language's encoding; XLSX
            or ODS.
        questions: The questionnaire.
        culture: Settings of the workspace.
        texts: By question the text that was asked, where it is known.
        language: The culture's language with what its workspace says of it; by default as we have
            it.

    Returns:
        What it holds; None where its headings are of no simple table.

    Raises:
        CurateError: If it cannot be read, or something in it is unknown or has two readings.
    """
    heads = [cells for _, cells in opened.head(1)]
    if not heads or shape_of(heads[0]) is None:
        _refuse_title(opened)
        return None
    _refuse_doubled(heads[0], opened.file)
    frame = opened.frame()
    titles = frame.titles
    view = View(frame, np.arange(len(frame), dtype=np.int64))
    table = SimpleTable(
        opened.path, view, titles, QuestionNames(questions, texts), culture, language
    )
    shape = shape_of(titles)
    if shape == "columns" and not any(map(table.names.places, titles)):
        return None
    table.lines += _other_sheets(opened, table.names)
    findings = file_findings(frame)
    if shape == "counts":
        made = Simple((), tuple(findings), tallies=tuple(read_counts(table)))
        what = "counts by question and option"
    else:
        kept = read_people(table)
        answers = (read_rows if shape == "rows" else read_columns)(table, kept, questions)
        said = (*findings, *kept.findings, *same_people(kept))
        made = Simple((), said, answers=answers)
        what = (
            "rows of respondent, question and answer"
            if shape == "rows"
            else "a row a respondent, a column a question"
        )
    view.refuse_suspects()
    left = _left(table)
    return replace(
        made,
        lines=(f"{frame.file}: {what}", *table.lines),
        findings=(
            *made.findings,
            *_naming_findings(table),
            *unread_finding(frame.file, left, mapped=False),
        ),
    )


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
        "or zeros; a mapping says how a file is read ('curate survey inspect')",
    ),
    Note.MIXED: (
        "survey-codes-and-texts",
        Severity.WARNING,
        "codes of options where others are texts",
        "check that these were meant as codes, or write texts alone or codes alone",
    ),
}
"""By note its rule, its weight, what is said of the answers, and what to do."""


def _naming_findings(table: SimpleTable) -> Iterable[Finding]:
    """Say which answers were read though they do not simply write an option of one kind."""
    for note, (rule, severity, how, hint) in _NOTED.items():
        counts: dict[str, int] = {}
        for noted in table.noted.values():
            for (kind, said), count in noted.items():
                if kind is note:
                    counts[said] = counts.get(said, 0) + count
        if counts:
            listed = [f"{said} ({count:,})" for said, count in counts.items()]
            more = f" and {len(listed) - NAMED:,} more" if len(listed) > NAMED else ""
            total = sum(counts.values())
            what = f"{counted(total, 'answer is', 'answers are')} {how}"
            yield Finding(
                rule,
                severity,
                table.view.frame.file,
                None,
                "",
                f"{what}: {', '.join(listed[:NAMED])}{more}",
                hint,
            )


def _other_sheets(opened: Opened, names: QuestionNames) -> list[str]:
    """Name the sheets of a workbook that are not read, for the person to see.

    Raises:
        CurateError: If one of them is a simple table too: its answers would not be counted.
    """
    lines = []
    for other in opened.source.sheets:
        if other == opened.source.sheet:
            continue
        try:
            rows = opened.sheet(other).head(1)
        except CurateError:
            rows = [(1, [])]  # it is not read as a table of answers, and is named all the same
        if any(is_simple(cells, names) for _, cells in rows):
            raise CurateError(
                f"sheets '{opened.source.sheet}' and '{other}' both hold answers or counts, and "
                "one sheet is read",
                f"{opened.file}, sheet {other}, row 1",
                "put all rows into one sheet; or save each sheet as a file, and give --survey for "
                "each; or delete the sheet that does not count",
            )
        if rows:
            lines.append(f"  sheet '{other}': not read")
    return lines


_LOOKED_AT = 6
"""Rows among which headings are looked for."""


def _refuse_title(opened: Opened) -> None:
    """Refuse a simple table whose headings have a title or remarks above them."""
    rows = [cells for _, cells in opened.head(_LOOKED_AT)]
    filled_cells = [sum(bool(plain(cell)) for cell in row) for row in rows]
    for at, row in enumerate(rows[1:], start=1):
        if shape_of(row) is not None and max(filled_cells[:at]) < min(3, filled_cells[at]):
            above = "row 1" if at == 1 else f"rows 1 to {at}"
            raise CurateError(
                f"the headings are in row {at + 1}, below a title",
                f"{opened.file}, row 1",
                f"delete {above}, so that the headings are the first row",
            )


def _refuse_doubled(heads: Sequence[str], file: str) -> None:
    named = [compared(head) for head in heads]
    twice = next((at for at, name in enumerate(named) if name and name in named[:at]), None)
    if twice is not None:
        raise CurateError(
            f"column '{plain(heads[twice])}' occurs twice in the header",
            f"{file}, row 1",
            "rename or delete one",
        )


def _left(table: SimpleTable) -> list[str]:
    left = []
    for at, title in enumerate(table.titles):
        if at not in table.used:
            holds = filled(table.view.frame.columns[at]).any()
            table.tell(at, "not read" if holds else "empty")
            left += [title or f"column {at + 1}"] if holds else []
    return left
