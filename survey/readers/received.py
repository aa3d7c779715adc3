"""Any survey file, read as its mapping says."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity
from curation.records.survey import Question
from curation.records.wording import plural
from survey.answers import Answers, Exclusion
from survey.mapping import ROW, Mapping, QuestionPart
from survey.platforms.mturk import TASK_ANSWERS, with_task_answers
from survey.readers.columns import View, unread_columns
from survey.readers.grid import Grid, Heads, Names, column_names, plain, read_grid
from survey.readers.people import kept_rows, of_one_person, personal_cells, same_people
from survey.readers.rows import read_long, read_wide
from survey.readers.sheets import column_letters
from survey.readers.states import Collector, Collects, Counter, Read


def needed_columns(mapping: Mapping, names: Names) -> set[int]:
    """The positions of the columns that a mapping asks for, as far as they are there."""
    found = {at for name in _named(mapping) for at in names.all(name)}
    return found | {0} if mapping.respondent.id == ROW else found


def _named(mapping: Mapping) -> Iterator[str]:
    person, long = mapping.respondent, mapping.long
    yield from person.columns()
    yield from (*mapping.keep, *mapping.finished, *mapping.screened_out)
    yield from (part.column for part in mapping.attention)
    yield from (part.column for part in mapping.attributes.values())
    yield TASK_ANSWERS
    if long is not None:
        places = (long.question, long.answer, long.order, long.duration)
        yield from (name for name in places if name)
    for part in mapping.questions:
        yield from part.places()
        yield from _of_question(part)


def _of_question(part: QuestionPart) -> Iterator[str]:
    yield from part.asked
    for pattern in (part.order, part.duration):
        if pattern is not None and "{code}" in pattern:
            yield from (pattern.replace("{code}", key) for key in part.options)
        elif pattern is not None:
            yield pattern


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


def read_survey(
    path: Path,
    mapping: Mapping,
    questions: Sequence[Question],
    language: str,
    *,
    shown_as: str = "",
) -> Received:
    """Read a survey file.

    Args:
        path: The file.
        mapping: How it is to be read, to the letter.
        questions: The questionnaire that was asked.
        language: Language of the workspace.
        shown_as: The path to show; that of the file by default.

    Returns:
        The answers and what is left out: each row of the file is in one of the two.

    Raises:
        CurateError: If anything in the file is not as the mapping says.
    """
    collector = Collector(shown_as or str(path), questions)
    read, unread = _read(path, mapping, questions, language, shown_as, collector)
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


def try_survey(path: Path, mapping: Mapping, questions: Sequence[Question], language: str) -> Tried:
    """Read a survey file as `read_survey` does, and count what it gives without keeping it.

    Args:
        path: The file.
        mapping: How it is to be read, to the letter.
        questions: The questionnaire that was asked.
        language: Language of the workspace.

    Raises:
        CurateError: If anything in the file is not as the mapping says.
    """
    counter = Counter()
    read, _ = _read(path, mapping, questions, language, "", counter)
    return Tried(len(read.ids), counter.rows, len(read.excluded), tuple(read.findings))


def _read(
    path: Path,
    mapping: Mapping,
    questions: Sequence[Question],
    language: str,
    shown_as: str,
    collector: Collects,
) -> tuple[Read, tuple[str, ...]]:
    """Read a survey file into a collector; the columns that nothing reads are given beside."""
    _refuse_useless(mapping, shown_as or str(path))
    grid, titles = _open(path, mapping, language, shown_as)
    names = Names(titles, grid.file, mapping.read.header)
    view = View(grid, names, np.arange(len(grid), dtype=np.int64))
    kept = kept_rows(view, mapping)
    read = (read_wide if mapping.long is None else read_long)(kept, mapping, questions, collector)
    kept.view.refuse_suspects()
    left_out = (*kept.excluded, *read.excluded)
    # Nobody is dropped silently: each row of the file is read, or among those left out.
    complete = read.rows + len(left_out) == len(grid)
    complete &= mapping.long is not None or read.rows == len(read.ids)
    assert complete  # noqa: S101  # a fault of ours, not of input
    said = (
        *file_findings(grid),
        *_personal(view, mapping),
        *same_people(kept, titles),
        *kept.findings,
        *read.findings,
    )
    whole = replace(read, excluded=left_out, findings=said)
    return whole, unread_columns(view, titles, mapping)


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


def _open(path: Path, mapping: Mapping, language: str, shown_as: str) -> tuple[Grid, Sequence[str]]:
    """Read a file's cells and name its columns as the mapping says.

    Raises:
        CurateError: If the file cannot be read.
    """

    def needed(heads: Heads) -> set[int]:
        titles = column_names(heads, mapping.read.header, mapping.preset)
        own = {at for at, title in enumerate(titles) if of_one_person(title)}
        return own | needed_columns(mapping, Names(titles, str(path)))

    quoted = mapping.preset == "limesurvey"
    grid = read_grid(path, mapping.read, language, quoted=quoted, shown_as=shown_as, needed=needed)
    titles = column_names(grid.heads, mapping.read.header, mapping.preset)
    if mapping.preset == "mturk":
        grid, titles = with_task_answers(grid, titles)
    return grid, titles


def file_findings(grid: Grid) -> list[Finding]:
    """Say what of a file itself gives cause for doubt."""
    source = grid.source
    found = []
    if source.guessed:
        found.append(
            Finding(
                "survey-encoding",
                Severity.INFO,
                grid.file,
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
                grid.file,
                source.hidden[0],
                "",
                f"{len(source.hidden):,} of the rows that are read are hidden in the sheet: "
                f"{rows}{more}",
                "show them, and delete those that do not count",
            )
        )
    read = [at for at in source.hidden_columns if at < len(grid.columns)]
    if read:
        count = f"{len(read):,} {plural('column', len(read))}"
        heads = ", ".join(
            f"{column_letters(at)} ('{plain(grid.heads[0][at])}')" for at in read[:_NAMED]
        )
        found.append(
            Finding(
                "survey-hidden-columns",
                Severity.WARNING,
                grid.file,
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
                grid.file,
                int(grid.rows[-1]),
                "",
                f"the last of {len(grid):,} records has no line end: is the file complete?",
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
            view.grid.file,
            None,
            name,
            f"respondents are named by {what}, which responses.csv then holds",
            "put numbers in its place before you read the file",
        )
    ]
