"""Counts of votes: joined from several files, and kept in `responses/tallies.csv`.

The file is derived: `curate filter` writes it, and whatever asks later which question a template is
linked to, or how many chose what, reads it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path

from curation.files.codec import Codec
from curation.files.group_book import GroupBook
from curation.records.errors import CurateError
from curation.records.survey import QuestionKind, Role, Tally, groups_cell, split_groups
from survey.questionnaire import OptionRow, option_rows, questions_of


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedRow(OptionRow):
    """An option with its votes: the columns of `tallies.csv`.

    Its `template_id` may be a list: the templates that published counts say they are of.

    Attributes:
        votes: Respondents who chose it.
        respondents: How many gave a usable answer to the question.
        source: File that the counts come from.
    """

    votes: int
    respondents: int
    source: str


_AGAIN = "make it again with 'curate filter'"
COUNTS = Codec(CountedRow, _AGAIN, escaped=True, exact=True)
"""The table `tallies.csv`."""


def merge(tallies: Iterable[Tally]) -> list[Tally]:
    """Join the tallies of several files; a question that two of them hold alike is one.

    It is the question of every template that one of them names.

    Raises:
        CurateError: If two files hold different counts of one question.
    """
    merged: dict[str, Tally] = {}
    for tally in tallies:
        known = merged.setdefault(tally.question.id, tally)
        if known is tally:
            continue
        templates = dict.fromkeys((*known.question.templates, *tally.question.templates))
        if (known.respondents, _votes(known)) != (tally.respondents, _votes(tally)):
            raise CurateError(
                f"question {tally.question.id} ('{tally.question.stereotype}') has different "
                "counts "
                f"in {_place(tally)} and in {_place(known)}",
                _place(tally),
                "give each question once, or join the answers before",
            )
        question = replace(known.question, templates=tuple(templates))
        merged[question.id] = replace(known, question=question)
    return list(merged.values())


def _votes(tally: Tally) -> dict[tuple[Role, tuple[str, ...]], int]:
    pairs = zip(tally.question.options, tally.votes, strict=True)
    return {(option.role, tuple(sorted(option.groups))): votes for option, votes in pairs}


def _place(tally: Tally) -> str:
    return tally.source if tally.row is None else f"{tally.source}, entry {tally.row}"


def write_tallies(path: Path, tallies: Iterable[Tally], book: GroupBook | None = None) -> None:
    """Write the counts in place of `path`.

    Args:
        path: The file.
        tallies: The counts.
        book: For the keys of groups; without it their names are written, as exports show them.

    Raises:
        CurateError: If it cannot be written.
    """
    COUNTS.write(path, (row for tally in tallies for row in _rows(tally, book or GroupBook())))


def _rows(tally: Tally, book: GroupBook) -> Iterator[CountedRow]:
    question = tally.question
    for row, option, votes in zip(
        option_rows(question, book), question.options, tally.votes, strict=True
    ):
        cells = {item.name: getattr(row, item.name) for item in fields(row)}
        cells["template_id"] = question.template_id or groups_cell(question.templates)
        cells["group"] = groups_cell(book.keys(question.category, option.groups))
        yield CountedRow(**cells, votes=votes, respondents=tally.respondents, source=tally.source)


def read_tallies(path: Path, book: GroupBook) -> list[Tally]:
    """Read the counts, with today's names of groups; none where nothing has been filtered yet.

    Raises:
        CurateError: If the file was damaged, or groups were merged that the survey told apart.
    """
    found = []
    for question, rows in questions_of(path, COUNTS.read(path), book, _AGAIN):
        try:
            ((template, people, source),) = {
                (row.template_id, row.respondents, row.source) for row in rows
            }
        except ValueError as error:
            what = f"the rows of question {question.id} are not of the same people"
            raise CurateError(what, str(path), _AGAIN) from error
        if question.kind is not QuestionKind.COMPREHENSION:
            question = replace(question, templates=split_groups(template))
        votes = tuple(row.votes for row in rows)
        found.append(Tally(question, people, votes, source))
    return found
