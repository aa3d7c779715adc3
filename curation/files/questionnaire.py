"""The questions of a survey as a table, one row an option: `questionnaire.csv`, `tallies.csv`.

`tallies.csv` is derived: `curate filter` writes it, and whatever asks later which question a
template is linked to, or how many chose what, reads it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TypeVar

from curation.files.bank import GroupBook
from curation.files.codec import Codec
from curation.files.tables import read_table, refuse_absent, refuse_problems
from curation.records.bank import category_slug
from curation.records.messages import CurateError
from curation.records.survey import (
    Option,
    Question,
    QuestionKind,
    Role,
    Tally,
    groups_cell,
    join_groups,
    options_cell,
    split_groups,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionRow:
    """An option of a question: the columns of `questionnaire.csv`.

    Attributes:
        question_id: Its question; kind, category, stereotype and template_id are the question's.
        kind: How it is asked.
        category: Category as the culture writes it.
        stereotype: The stereotype; empty for comprehension.
        template_id: The template that a question of comprehension is about.
        option: What answers hold.
        group: Keys or names of the groups: one, several with commas between, or a JSON list.
        counts: Whether the uniform share is divided by it; None leaves it to `groups.csv`.
        role: What choosing it means.
        text: As shown to respondents.
        row: Row in the file.
    """

    question_id: str
    kind: QuestionKind
    category: str
    stereotype: str
    template_id: str = ""
    option: str
    group: str = ""
    counts: bool | None = None
    role: Role
    text: str = ""
    row: int = field(default=0, compare=False)


O = TypeVar("O", bound=OptionRow)  # noqa: E741  # an option

QUESTIONNAIRE = Codec(OptionRow, "write one of them", escaped=True)
"""The table `questionnaire.csv`."""
COLUMNS = QUESTIONNAIRE.columns
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
_OF_GROUPS = (Role.GROUP, Role.TARGET, Role.NON_TARGET)


def option_rows(question: Question, book: GroupBook) -> list[OptionRow]:
    """The rows of a question in `questionnaire.csv`.

    Args:
        question: The question.
        book: For the keys of groups; an empty one leaves their names.
    """
    return [
        OptionRow(
            question_id=question.id,
            kind=question.kind,
            category=question.category,
            stereotype=question.stereotype,
            template_id=question.template_id,
            option=option.code,
            group=options_cell(book.keys(question.category, option.groups)),
            counts=option.counts,
            role=option.role,
            text=option.text,
        )
        for option in question.options
    ]


def read_questionnaire(path: Path, book: GroupBook) -> list[Question]:
    """Read the questions, with the names that groups have now.

    Raises:
        CurateError: If there is no such file, a row cannot be read, an option occurs twice, or a
            question lacks an option that its kind needs.
    """
    refuse_absent(path)
    found = questions_of(path, QUESTIONNAIRE.read(path), book)
    return [question for question, _ in found]


def asked_texts(path: Path) -> dict[str, str]:
    """The questions as respondents read them, by id; none where there is no file.

    Args:
        path: `texts.csv` in the folder of the forms that were built.

    Raises:
        CurateError: If it cannot be read.
    """
    if not path.exists():
        return {}
    table = read_table(path, required=("question_id", "text"))
    refuse_problems(table)
    return {row["question_id"]: row["text"] for row in table.rows if row["text"].strip()}


def questions_of(
    path: Path, rows: Sequence[O], book: GroupBook, hint: str = ""
) -> list[tuple[Question, list[O]]]:
    """The questions of a table of options, each with its rows.

    Args:
        path: The file, as errors name it.
        rows: Its rows.
        book: The groups.
        hint: What to do about errors other than those of groups; by default what suits each.

    Raises:
        CurateError: If rows of a question contradict each other, an option occurs twice, a question
            lacks an option that its kind needs, or two ask about one template.
    """
    found: dict[str, list[O]] = {}
    for row in rows:
        found.setdefault(row.question_id.strip(), []).append(row)
    asked: dict[str, str] = {}
    questions = []

    def fault(row: OptionRow, column: str, what: str, do: str) -> CurateError:
        own = do if column == "group" else hint or do
        return CurateError(what, f"{path}, row {row.row}, column {column}", own)

    for name, mine in found.items():
        question = _question(name, mine, book, fault)
        template = question.template_id
        if template and asked.setdefault(template, name) != name:
            what = f"{asked[template]} and {name} both ask about {template}"
            raise fault(mine[0], "template_id", what, "ask about each template once")
        questions.append((question, mine))
    return questions


_Fault = Callable[[OptionRow, str, str, str], CurateError]
"""What is wrong with a cell: its row and column, what, and what to do."""


def _question(name: str, rows: Sequence[OptionRow], book: GroupBook, fault: _Fault) -> Question:
    first = rows[0]
    if not name:
        raise fault(first, "question_id", "the row names no question", "write its id")
    for row in rows[1:]:
        for column in ("kind", "category", "stereotype", "template_id"):
            here, there = getattr(row, column), getattr(first, column)
            if here != there:
                what = f"question {name} says '{here}' here and '{there}' in row {first.row}"
                raise fault(row, column, what, "the rows of one question share it")
    of_template = first.kind is QuestionKind.COMPREHENSION
    needed = "template_id" if of_template else "stereotype"
    if not getattr(first, needed).strip():
        what = f"question {name} names no {needed.removesuffix('_id')}"
        raise fault(first, needed, what, "write it")
    try:
        category_slug(first.category)
    except CurateError as error:
        raise fault(first, "category", error.what, error.hint) from error
    options = tuple(_option(row, book, fault) for row in rows)
    codes = [option.code for option in options]
    for row, code in zip(rows, codes, strict=True):
        if not code or codes.count(code) > 1:
            what = f"has two options '{code}'" if code else "has an option without a code"
            raise fault(row, "option", f"question {name} {what}", "rename one")
    question = Question(
        id=name,
        kind=first.kind,
        category=first.category.strip(),
        stereotype=first.stereotype,
        options=options,
        template_id=first.template_id.strip() if of_template else "",
        row=first.row,
    )
    try:
        check_roles(question)
    except ValueError as error:
        raise fault(first, "role", f"question {name}: {error}", "") from error
    try:
        labels = [join_groups(split_groups(row.group)) for row in rows]
        refuse_same_groups(labels, [option.groups for option in options])
    except ValueError as error:
        raise fault(first, "group", f"question {name}: {error}", MERGED) from error
    return question


def _option(row: OptionRow, book: GroupBook, fault: _Fault) -> Option:
    if row.role not in _ROLES[row.kind]:
        allowed = ", ".join(sorted(_ROLES[row.kind]))
        what = f"role '{row.role}' does not go with kind {row.kind}"
        raise fault(row, "role", what, f"use {allowed}")
    category, label = row.category.strip(), row.group.strip()
    groups: tuple[str, ...] = ()
    if row.role in _OF_GROUPS:
        try:
            groups = book.split(category, label)
        except ValueError as error:
            what = f"'{label}' is not a list of groups"
            raise fault(row, "group", what, 'write ["one", "other"]') from error
        if not groups:
            raise fault(row, "group", "the option names no group", "write its name")
    counts = book.counts(category, groups) if row.counts is None else row.counts
    return Option(row.option.strip(), groups, row.role, counts, row.text)


def check_roles(question: Question) -> None:
    """Check that a question has the options that its kind needs.

    Raises:
        ValueError: If one is lacking, or occurs twice.
    """
    for role in _ONCE[question.kind]:
        if sum(option.role is role for option in question.options) != 1:
            raise ValueError(f"it needs exactly one {role} option")


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
