"""The form of a simple table, recognised by its headings."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal

from curation.records.errors import CurateError
from survey.mapping import ReadPart
from survey.readers.grid import read_head
from survey.readers.naming import QuestionNames
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


def holds_simple_counts(path: Path, language: str = "en") -> bool:
    """Say whether a file is a simple table of counts."""
    try:
        stat = path.stat()
        return _counts(path, language, stat.st_mtime_ns, stat.st_size)
    except OSError:
        return False


@lru_cache(maxsize=16)
def _counts(path: Path, language: str, changed: int, size: int) -> bool:
    try:
        _, rows = read_head(path, ReadPart(), language, 1)
    except CurateError:
        return False  # it is said when the file is read
    return bool(rows) and shape_of(rows[0]) == "counts"
