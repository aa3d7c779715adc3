"""Any survey file, read as its mapping says."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity
from curation.records.survey import Question
from curation.records.wording import plural
from survey.answers import Answers, Exclusion
from survey.mapping import ROW, Mapping
from survey.platforms.recognise import framed
from survey.readers.columns import View, unread_columns
from survey.readers.frames import Frame, column_letters, plain
from survey.readers.opening import Opened
from survey.readers.people import kept_rows, personal_cells, same_people
from survey.readers.rows import read_long, read_wide
from survey.readers.states import Collector, Collects, Counter, Read

_NAMED = 5


@dataclass(frozen=True, slots=True)
class Received:
    """A survey file in normal form.

    Attributes:
        answers: The answers.
        excluded: Every row that is not among them, and why.
        findings: What a person should know of the reading.
        unread: Columns that hold something and that the mapping neither reads nor ignores.
    """

    answers: Answers
    excluded: tuple[Exclusion, ...]
    findings: tuple[Finding, ...]
    unread: tuple[str, ...] = ()


def read_survey(opened: Opened, mapping: Mapping, questions: Sequence[Question]) -> Received:
    """Read a survey file.

    Args:
        opened: The file, opened as the mapping says.
        mapping: How it is to be read, to the letter.
        questions: The questionnaire that was asked.

    Returns:
        The answers and what is left out: each row of the file is in one of the two.

    Raises:
        CurateError: If anything in the file is not as the mapping says.
    """
    collector = Collector(opened.file, questions)
    read, unread = _read(opened, mapping, questions, collector)
    answers = collector.answers(read.ids, read.attributes)
    return Received(answers, tuple(read.excluded), tuple(read.findings), unread)


@dataclass(frozen=True, slots=True)
class Tried:
    """What reading a survey file gives, counted.

    Attributes:
        respondents: How many people.
        rows: Answers, a row for each respondent, question and option.
        excluded: Rows of the file that are left out.
        findings: What a person should know of the reading.
    """

    respondents: int
    rows: int
    excluded: int
    findings: tuple[Finding, ...]


def try_survey(opened: Opened, mapping: Mapping, questions: Sequence[Question]) -> Tried:
    """Read a survey file as `read_survey` does, and count what it gives without keeping it.

    Args:
        opened: The file, opened as the mapping says.
        mapping: How it is to be read, to the letter.
        questions: The questionnaire that was asked.

    Raises:
        CurateError: If anything in the file is not as the mapping says.
    """
    counter = Counter()
    read, _ = _read(opened, mapping, questions, counter)
    return Tried(len(read.ids), counter.rows, len(read.excluded), tuple(read.findings))


def _read(
    opened: Opened, mapping: Mapping, questions: Sequence[Question], collector: Collects
) -> tuple[Read, tuple[str, ...]]:
    """Read a survey file into a collector; the columns that nothing reads are given beside."""
    _refuse_useless(mapping, opened.file)
    frame = framed(opened, mapping.preset, mapping.read)
    view = View(frame, np.arange(len(frame), dtype=np.int64))
    kept = kept_rows(view, mapping)
    read = (read_wide if mapping.long is None else read_long)(kept, mapping, questions, collector)
    kept.view.refuse_suspects()
    left_out = (*kept.excluded, *read.excluded)
    # Nobody is dropped silently: each row of the file is read, or among those left out.
    complete = read.rows + len(left_out) == len(frame)
    complete &= mapping.long is not None or read.rows == len(read.ids)
    assert complete  # noqa: S101  # a fault of ours, not of input
    said = (
        *file_findings(frame),
        *_personal(view, mapping),
        *same_people(kept),
        *kept.findings,
        *read.findings,
    )
    whole = replace(read, excluded=left_out, findings=said)
    return whole, unread_columns(view, mapping)


def _refuse_useless(mapping: Mapping, file: str) -> None:
    if mapping.preset == "normal":
        raise CurateError(
            "a file in normal form needs no mapping",
            file,
            "give it to 'curate filter --survey' without --mapping",
        )
    if not mapping.questions and mapping.long is None:
        raise CurateError(
            "the mapping names no question", "mapping", "fill in 'questions', or 'long'"
        )


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


def _personal(view: View, mapping: Mapping) -> list[Finding]:
    """Warn of respondents who are called by what says who they are: answers are published."""
    name = mapping.respondent.id
    what = "" if name == ROW else personal_cells(view.column(name, "respondent: id"))
    if not what:
        return []
    return [
        Finding(
            "survey-personal-id",
            Severity.WARNING,
            view.frame.file,
            None,
            name,
            f"respondents are named by {what}, which responses.csv then holds",
            "put numbers in its place before you read the file",
        )
    ]
