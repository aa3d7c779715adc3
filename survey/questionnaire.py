"""Read `questionnaire.csv`, the questions that the survey asks."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from curation.files.group_book import GroupBook
from curation.files.tables import Row, Table, read_flag, read_table, refuse_problems
from curation.records.errors import CurateError
from curation.records.ids import category_slug
from curation.records.survey import Option, Question, QuestionKind, Role, Tally

COLUMNS = (
    "question_id",
    "kind",
    "category",
    "stereotype",
    "template_id",
    "option",
    "group",
    "counts",
    "role",
    "text",
)
"""The columns of `questionnaire.csv`, one row an option."""

_E = TypeVar("_E", QuestionKind, Role)
_REQUIRED = ("question_id", "kind", "category", "stereotype", "option", "role")
_ROLES = {
    QuestionKind.SELECT_ALL: {Role.GROUP, Role.NONE, Role.TARGET, Role.NON_TARGET},
    QuestionKind.CHOICE: {Role.TARGET, Role.NON_TARGET, Role.NONE},
    QuestionKind.COMPREHENSION: {Role.CORRECT, Role.WRONG},
}
_ONCE = {
    QuestionKind.SELECT_ALL: (),
    QuestionKind.CHOICE: (Role.TARGET, Role.NON_TARGET),
    QuestionKind.COMPREHENSION: (Role.CORRECT,),
}


def read_questionnaire(path: Path, book: GroupBook) -> list[Question]:
    """Read the questions.

    Raises:
        CurateError: If a row cannot be read, an option occurs twice, or a question lacks an
            option that its kind needs.
    """
    table = read_table(path, required=_REQUIRED, escaped=True)
    refuse_problems(table)
    rows: dict[str, list[Row]] = {}
    for row in table.rows:
        if not row["question_id"].strip():
            raise _fault(table, row, "question_id", "the row names no question", "write its id")
        rows.setdefault(row["question_id"].strip(), []).append(row)
    questions = [_question(table, name, members, book) for name, members in rows.items()]
    asked: dict[str, Question] = {}
    for question in questions:
        template = question.template_id
        if template in asked:
            what = f"{asked[template].id} and {question.id} both ask about {template}"
            row = rows[question.id][0]
            raise _fault(table, row, "template_id", what, "ask about each template once")
        if template:
            asked[template] = question
    return questions


def _question(table: Table, question_id: str, rows: Sequence[Row], book: GroupBook) -> Question:
    first = rows[0]
    kind = _enum(table, first, "kind", QuestionKind)
    for row in rows[1:]:
        for column in ("kind", "category", "stereotype", "template_id"):
            if row.get(column) != first.get(column):
                raise _fault(
                    table,
                    row,
                    column,
                    f"question {question_id} says '{row.get(column)}' here and "
                    f"'{first.get(column)}' in row {first.number}",
                    "the rows of one question share it",
                )
    template_id = first.get("template_id").strip()
    if kind is QuestionKind.COMPREHENSION and not template_id:
        raise _fault(table, first, "template_id", f"question {question_id} names no template", "")
    if kind is not QuestionKind.COMPREHENSION and not first["stereotype"].strip():
        raise _fault(
            table, first, "stereotype", f"question {question_id} names no stereotype", "write it"
        )
    try:
        category_slug(first["category"])
    except CurateError as error:
        raise _fault(table, first, "category", error.what, error.hint) from error
    options = tuple(_option(table, row, kind, book) for row in rows)
    codes = [option.code for option in options]
    for row, code in zip(rows, codes, strict=True):
        if not code or codes.count(code) > 1:
            what = f"has two options '{code}'" if code else "has an option without a code"
            raise _fault(table, row, "option", f"question {question_id} {what}", "rename one")
    question = Question(
        id=question_id,
        kind=kind,
        category=first["category"].strip(),
        stereotype=first["stereotype"],
        options=options,
        template_id=template_id if kind is QuestionKind.COMPREHENSION else "",
        row=first.number,
    )
    try:
        check_roles(question)
    except ValueError as error:
        raise _fault(table, first, "role", str(error), "") from error
    try:
        refuse_same_groups([option.label for option in options], [item.groups for item in options])
    except ValueError as error:
        raise _fault(table, first, "group", f"question {question_id}: {error}", "") from error
    return question


def check_roles(question: Question) -> None:
    """Check that a question has the options that its kind needs.

    Raises:
        ValueError: If one is lacking, or occurs twice.
    """
    for role in _ONCE[question.kind]:
        if sum(option.role is role for option in question.options) != 1:
            raise ValueError(f"question {question.id} needs exactly one {role} option")


def _option(table: Table, row: Row, kind: QuestionKind, book: GroupBook) -> Option:
    role = _enum(table, row, "role", Role)
    if role not in _ROLES[kind]:
        allowed = ", ".join(sorted(_ROLES[kind]))
        raise _fault(
            table, row, "role", f"role '{role}' does not go with kind {kind}", f"use {allowed}"
        )
    category, label = row["category"].strip(), row.get("group").strip()
    names_groups = role in (Role.GROUP, Role.TARGET, Role.NON_TARGET)
    try:
        groups = book.split(category, label) if names_groups else ()
    except ValueError as error:
        raise _fault(
            table, row, "group", f"'{label}' is not a list of groups", 'write ["one", "other"]'
        ) from error
    if names_groups and not groups:
        raise _fault(table, row, "group", "the option names no group", "write its name")
    try:
        counts = read_flag(row.get("counts"), default=book.counts(category, groups))
    except ValueError as error:
        raise _fault(table, row, "counts", str(error), "write true or false") from error
    return Option(
        code=row["option"].strip(),
        groups=groups,
        role=role,
        counts=counts,
        text=row.get("text"),
    )


def refuse_same_groups(labels: Sequence[str], groups: Sequence[Sequence[str]]) -> None:
    """Refuse a question with two options for the same groups, in whatever order.

    Args:
        labels: The options as they are written.
        groups: The groups of each; none for 'no stereotype exists'.

    Raises:
        ValueError: Naming the two.
    """
    seen: dict[frozenset[str], str] = {}
    for label, members in zip(labels, groups, strict=True):
        key = frozenset(members)
        if key in seen:
            raise ValueError(f"'{seen[key]}' and '{label}' are the same groups")
        if key:
            seen[key] = label


MERGED = (
    "groups that people told apart cannot be one: give each a name of its own in groups.csv, and "
    "none the key of the other in same_as"
)
"""What to do where a question has two options of one group."""


def with_names(tally: Tally, book: GroupBook) -> Tally:
    """Counts in whose question groups have the names of now.

    Args:
        tally: The counts, with keys or names.
        book: The groups.

    Raises:
        ValueError: If two options are of groups that were merged since.
    """
    question = tally.question
    options = tuple(
        replace(option, groups=book.names(question.category, option.groups))
        for option in question.options
    )
    refuse_same_groups(
        [option.label for option in question.options], [option.groups for option in options]
    )
    return replace(tally, question=replace(question, options=options))


def _enum(table: Table, row: Row, column: str, kind: type[_E]) -> _E:
    try:
        return kind(row[column].strip())
    except ValueError as error:
        allowed = ", ".join(item.value for item in kind)
        raise _fault(table, row, column, f"'{row[column]}' is not a {column}", allowed) from error


def _fault(table: Table, row: Row, column: str, what: str, hint: str) -> CurateError:
    return CurateError(what, f"{table.file}, row {row.number}, column {column}", hint)
