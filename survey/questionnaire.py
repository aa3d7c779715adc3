"""Read `questionnaire.csv`, the questions that the survey asks."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from curation.io.tables import Row, Table, read_table, refuse_problems
from curation.model.bank import Group
from curation.model.errors import CurateError
from curation.model.survey import Option, Question, QuestionKind, Role, split_groups

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


class GroupBook:
    """Answers what is known of a category's groups.

    Args:
        groups: The groups of the workspace.
    """

    def __init__(self, groups: Sequence[Group]) -> None:
        self._by_name: Mapping[tuple[str, str], Group] = {
            (group.category, group.group): group for group in groups
        }

    def known(self, category: str, group: str) -> bool:
        """Say whether the workspace has the group."""
        return (category, group) in self._by_name

    def counts(self, category: str, groups: Sequence[str]) -> bool:
        """Say whether an option counts for the equal share: unless its one group does not."""
        if len(groups) != 1:
            return True
        group = self._by_name.get((category, groups[0]))
        return group is None or group.counts

    def split(self, category: str, label: str) -> tuple[str, ...]:
        """Read an option's label as the groups it lists: a known group is never split."""
        return (label,) if self.known(category, label) else split_groups(label)


def read_questionnaire(path: Path, book: GroupBook) -> list[Question]:
    """Read the questions.

    Raises:
        CurateError: If a row cannot be read, an option stands twice, or a question lacks an
            option that its kind needs.
    """
    table = read_table(path, required=_REQUIRED)
    refuse_problems(table)
    rows: dict[str, list[Row]] = {}
    for row in table.rows:
        rows.setdefault(row["question_id"].strip(), []).append(row)
    return [_question(table, question_id, members, book) for question_id, members in rows.items()]


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
    options = tuple(_option(table, row, kind, book) for row in rows)
    codes = [option.code for option in options]
    for row, code in zip(rows, codes, strict=True):
        if not code or codes.count(code) > 1:
            what = f"has two options '{code}'" if code else "has an option without a code"
            raise _fault(table, row, "option", f"question {question_id} {what}", "rename one")
    for role in _ONCE[kind]:
        if sum(option.role is role for option in options) != 1:
            raise _fault(
                table, first, "role", f"question {question_id} needs exactly one {role} option", ""
            )
    template_id = first.get("template_id").strip()
    if kind is QuestionKind.COMPREHENSION and not template_id:
        raise _fault(table, first, "template_id", f"question {question_id} names no template", "")
    return Question(
        id=question_id,
        kind=kind,
        category=first["category"].strip(),
        stereotype=first["stereotype"],
        options=options,
        template_id=template_id if kind is QuestionKind.COMPREHENSION else "",
        row=first.number,
    )


def _option(table: Table, row: Row, kind: QuestionKind, book: GroupBook) -> Option:
    role = _enum(table, row, "role", Role)
    if role not in _ROLES[kind]:
        allowed = ", ".join(sorted(_ROLES[kind]))
        raise _fault(
            table, row, "role", f"role '{role}' does not go with kind {kind}", f"use {allowed}"
        )
    category, label = row["category"].strip(), row.get("group").strip()
    names_groups = role in (Role.GROUP, Role.TARGET, Role.NON_TARGET)
    if names_groups and not label:
        raise _fault(table, row, "group", "the option names no group", "write its name")
    try:
        groups = book.split(category, label) if names_groups else ()
    except ValueError as error:
        raise _fault(table, row, "group", f"'{label}' is no list of groups", "") from error
    stated = row.get("counts").strip().casefold()
    return Option(
        code=row["option"].strip(),
        groups=groups,
        role=role,
        counts=book.counts(category, groups) if not stated else stated in ("true", "yes", "1"),
        text=row.get("text"),
    )


def _enum(table: Table, row: Row, column: str, kind: type[_E]) -> _E:
    try:
        return kind(row[column].strip())
    except ValueError as error:
        allowed = ", ".join(item.value for item in kind)
        raise _fault(table, row, column, f"'{row[column]}' is no {column}", allowed) from error


def _fault(table: Table, row: Row, column: str, what: str, hint: str) -> CurateError:
    return CurateError(what, f"{table.file}, row {row.number}, column {column}", hint)
