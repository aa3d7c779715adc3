"""Counts of votes: joined from several files, and kept in `responses/tallies.csv`.

The file is derived: `curate filter` writes it, and whatever asks later which question a template is
linked to, or how many chose what, reads it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from curation.files.group_book import GroupBook
from curation.files.tables import Row, read_table, refuse_problems, write_csv
from curation.records.errors import CurateError
from curation.records.survey import (
    Option,
    Question,
    QuestionKind,
    Role,
    Tally,
    groups_cell,
    split_groups,
)
from survey import questionnaire
from survey.questionnaire import MERGED, check_roles, with_names

COLUMNS = (*questionnaire.COLUMNS, "votes", "respondents", "source")
"""The columns of `tallies.csv`: those of the questionnaire, and the counts."""


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
    book = book or GroupBook()
    write_csv(
        path,
        COLUMNS,
        (
            [
                tally.question.id,
                tally.question.kind.value,
                tally.question.category,
                tally.question.stereotype,
                _templates_cell(tally.question),
                option.code,
                groups_cell(book.keys(tally.question.category, option.groups)),
                "true" if option.counts else "false",
                option.role.value,
                option.text,
                votes,
                tally.respondents,
                tally.source,
            ]
            for tally in tallies
            for option, votes in zip(tally.question.options, tally.votes, strict=True)
        ),
        escaped=True,
    )


def _templates_cell(question: Question) -> str:
    """The template of a question of comprehension, or the list of those of another one."""
    return question.template_id or groups_cell(question.templates)


def read_tallies(path: Path, book: GroupBook) -> list[Tally]:
    """Read the counts, with today's names of groups; none where nothing has been filtered yet.

    Raises:
        CurateError: If the file was damaged.
    """
    if not path.exists():
        return []
    table = read_table(path, required=COLUMNS, escaped=True)
    refuse_problems(table)
    rows: dict[str, list[Row]] = {}
    for row in table.rows:
        rows.setdefault(row["question_id"], []).append(row)
    try:
        tallies = [_tally(members) for members in rows.values()]
        for tally in tallies:
            check_roles(tally.question)
    except ValueError as error:
        raise CurateError(
            f"{path.name} was changed: {error}", str(path), "make it again with 'curate filter'"
        ) from error
    try:
        return [with_names(tally, book) for tally in tallies]
    except ValueError as error:
        raise CurateError(str(error), str(path), MERGED) from error


def _tally(rows: Sequence[Row]) -> Tally:
    first = rows[0]
    kind, template = QuestionKind(first["kind"]), first["template_id"]
    understood = kind is QuestionKind.COMPREHENSION
    return Tally(
        question=Question(
            id=first["question_id"],
            kind=kind,
            category=first["category"],
            stereotype=first["stereotype"],
            options=tuple(
                Option(
                    code=row["option"],
                    groups=split_groups(row["group"]),
                    role=Role(row["role"]),
                    counts=row["counts"] == "true",
                    text=row["text"],
                )
                for row in rows
            ),
            template_id=template if understood else "",
            templates=() if understood else split_groups(template),
        ),
        respondents=int(first["respondents"]),
        votes=tuple(int(row["votes"]) for row in rows),
        source=first["source"],
    )
