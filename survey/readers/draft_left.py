"""What a draft leaves to a person: questions without a column, columns without a question.

A part is suggested for each set of columns, with `?` where only a person knows. Suggestions are
comments, for a file need not hold what they are about.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import yaml

from curation.model.survey import Question
from survey.mapping import UNPLACED
from survey.readers.options import shown
from survey.readers.placing import role_of
from survey.readers.recognise import Described, Start

_SETS = 12
_QUESTIONS = 30
_VALUES = 8
_LONG = 60
_CODED = (
    re.compile(r"(?P<before>.+\[)(?P<code>[^\[\]]+)(?P<after>\])"),
    re.compile(r"(?P<before>.+[._])(?P<code>[^._\s]{1,12})(?P<after>)"),
)
"""Names of columns of which each is about one option."""


@dataclass(frozen=True, slots=True)
class Left:
    """What is left to a person.

    Attributes:
        problem: What it is; empty where nothing is left.
        lines: Suggested parts, and the questions that they may be about.
    """

    problem: str = ""
    lines: tuple[str, ...] = ()


def draft_left(
    described: Described,
    known: set[str],
    start: Start,
    questions: Sequence[Question],
    drafted: set[str],
) -> Left:
    """Say which questions have no column and which columns no question.

    Args:
        described: The columns.
        known: Columns that the draft reads, or that are no question's.
        start: What the platform tells of its own columns.
        questions: The questionnaire.
        drafted: Ids of the questions that have columns.
    """
    unplaced = [question for question in questions if question.id not in drafted]
    titles = [title for title in described.titles if title and title not in known]
    sets = {key: members for key, members in _sets(described, titles, start).items() if members}
    if not unplaced or not sets:
        return Left()
    count = sum(map(len, sets.values()))
    columns = "1 column is" if count == 1 else f"{count:,} columns are"
    no_column = "1 question has" if len(unplaced) == 1 else f"{len(unplaced):,} questions have"
    problem = (
        f"{no_column} no column, and {columns} left over: where one holds answers, write its part "
        "under 'questions'; comments in the draft begin it"
    )
    lines = ["Parts for columns that are left over:", *_parts(described, sets, start)]
    lines += ["Questions without a column:", *_listed(unplaced)]
    return Left(problem, tuple(lines))


_Key = tuple[str, str]
"""What the names of some columns have in common, before the code and after it."""


def _sets(described: Described, titles: Sequence[str], start: Start) -> dict[_Key, dict[str, str]]:
    """Group columns that mark one option each; those that stand alone have no code.

    Sets of which no column holds anything are empty, and so is what is about no answer.
    """
    found: dict[_Key, dict[str, str]] = {}
    marks = {*start.selected, *start.not_selected, *start.missing, ""}
    for title in titles:
        match = next((m for known in _CODED if (m := known.fullmatch(title))), None)
        if match is not None and set(described.values(title)) <= marks:
            found.setdefault((match["before"], match["after"]), {})[match["code"]] = title
        elif role_of(title) == "answer":
            found[title, ""] = {"": title}
    return {
        key: members if _holds(described, members.values()) else {}
        for key, members in found.items()
    }


def _holds(described: Described, titles: Iterable[str]) -> bool:
    return any(any(described.values(title)) for title in titles)


def _parts(
    described: Described, sets: Mapping[_Key, Mapping[str, str]], start: Start
) -> Iterator[str]:
    for (before, after), members in [*sets.items()][:_SETS]:
        part: dict[str, object] = {"id": UNPLACED, "kind": UNPLACED}
        if len(members) == 1:
            (column,) = members.values()
            part |= {"column": column, "missing": list(start.missing)}
            part |= {"options": _options(described.values(column), start)}
        else:
            part |= {"columns": f"{before}{{code}}{after}", "selected": list(start.selected)}
            part |= {"not_selected": list(start.not_selected), "missing": list(start.missing)}
            part |= {"options": dict.fromkeys(members, UNPLACED)}
        yield "  - " + _in_one_line(part)
    if len(sets) > _SETS:
        yield f"  ... and {len(sets) - _SETS} more"


def _options(values: Sequence[str], start: Start) -> dict[str, str]:
    """Give the values of a column as they stand for options, if they are few."""
    found = [value for value in values if value and value not in start.missing]
    if len(found) > _VALUES or any(len(value) > _LONG for value in found):
        return {"...": UNPLACED}
    return dict.fromkeys(found, UNPLACED)


def _in_one_line(part: Mapping[str, object]) -> str:
    text = yaml.safe_dump(
        dict(part), default_flow_style=True, allow_unicode=True, sort_keys=False, width=10**6
    )
    return str(text).strip()


def _listed(questions: Sequence[Question]) -> Iterator[str]:
    for question in questions[:_QUESTIONS]:
        options = "; ".join(shown(option) for option in question.options)
        about = question.stereotype or question.template_id
        yield f"  {question.id} ({question.kind.value}) {about}: {options}"
    if len(questions) > _QUESTIONS:
        yield f"  ... and {len(questions) - _QUESTIONS} more"
