"""The form of a simple table, recognised by its headings."""

from collections.abc import Sequence
from typing import Literal

from survey.readers.naming import QuestionNames
from survey.readers.opening import Opened
from survey.readers.simple.table import ANSWER_ROLES, columns_called

Shape = Literal["rows", "columns", "counts"]


def shape_of(heads: Sequence[str]) -> Shape | None:
    """Tell the shape of a simple table by its headings; None where they are of no such table.

    A table with a column a question is only known by the questions: it is one where something
    names respondents.
    """
    votes, questions = columns_called(heads, "votes"), columns_called(heads, "question")
    answers = [at for role in ANSWER_ROLES for at in columns_called(heads, role)]
    people = [at for at in columns_called(heads, "respondent") if at not in questions]
    if votes and questions and answers:
        return "counts"
    if people and questions and answers:
        return "rows"
    return "columns" if people else None


def is_simple(heads: Sequence[str], names: QuestionNames) -> bool:
    """Say whether headings are those of a simple table, some questions among them if need be."""
    shape = shape_of(heads)
    return shape is not None and (shape != "columns" or any(map(names.places, heads)))


def holds_counts(opened: Opened) -> bool:
    """Say whether a file is a simple table of counts."""
    return any(shape_of(cells) == "counts" for _, cells in opened.head(1))
