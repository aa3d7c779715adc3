"""Count the answers of `responses.csv`, the normal form that every survey is read into.

A row is one respondent, question and option: `selected`, `shown` (and not chosen) or
`missing`. Who selected nothing has not answered the question; who contradicts himself (two
options of a choice, or 'no stereotype' together with a group) is taken out of it and listed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from curation.io.tables import read_columns, row_numbers
from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity
from curation.model.survey import Question, QuestionKind, Role, State, Tally

COLUMNS = ("respondent_id", "question_id", "kind", "option", "state", "position", "duration_s")
"""The columns of `responses.csv`."""

_READ = ("respondent_id", "question_id", "kind", "option", "state")
_NAMED = 5  # respondents that a message names; all of them are listed with --json

Codes = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Coded:
    """A column as numbers: `values[codes[row]]` is the cell."""

    codes: Codes
    values: list[str]


@dataclass(frozen=True, slots=True)
class _Answers:
    """All rows, as positions in the lists of respondents, questions and options."""

    path: Path
    respondent: Codes
    respondents: list[str]
    question: Codes
    option: Codes
    selected: npt.NDArray[np.bool_]


def read_responses(path: Path, questions: Sequence[Question]) -> tuple[list[Tally], list[Finding]]:
    """Count a file of responses.

    Args:
        path: The file.
        questions: The questionnaire.

    Returns:
        A tally for each question that the file holds, in the questionnaire's order, and
        findings on respondents that were taken out.

    Raises:
        CurateError: If the file cannot be read; a question, option, kind or state is not of
            the questionnaire; or a respondent has two rows for one option.
    """
    table = read_columns(path, _READ, encoded=_READ)
    if table.num_rows == 0:
        raise CurateError(f"{path.name} holds no answers", str(path), "check the export")
    columns = {name: _coded(table.column(name)) for name in _READ}
    answers = _answers(path, columns, questions)
    _refuse_doubles(answers, questions)
    return _tallies(answers, questions)


def _coded(column: Any) -> _Coded:
    """Read a dictionary-encoded column; blanks around values are taken off."""
    joined = column.unify_dictionaries().combine_chunks()
    if hasattr(joined, "num_chunks"):
        joined = joined.chunk(0)
    cells = [value.strip() for value in joined.dictionary.to_pylist()]
    codes = joined.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    values = list(dict.fromkeys(cells))
    if len(values) < len(cells):
        place = {value: at for at, value in enumerate(values)}
        codes = np.array([place[cell] for cell in cells], dtype=np.int64)[codes]
    return _Coded(codes, values)


def _answers(path: Path, columns: dict[str, _Coded], questions: Sequence[Question]) -> _Answers:
    by_id = {question.id: at for at, question in enumerate(questions)}
    asked, option, state = columns["question_id"], columns["option"], columns["state"]
    question_of = np.array([by_id.get(value, -1) for value in asked.values], dtype=np.int64)
    question = question_of[asked.codes]
    _refuse_unknown(path, question, asked, "question_id", "is not in the questionnaire")
    states = {item.value for item in State}
    bad_state = np.array([value not in states for value in state.values], dtype=bool)
    _refuse_unknown(path, -bad_state[state.codes].astype(np.int64), state, "state", "is no state")
    _refuse_kinds(path, columns["kind"], question, questions)
    at_option = _option_of(questions, option.values)[question, option.codes]
    _refuse_unknown(path, at_option, option, "option", "is no option of its question")
    empty = np.array([not value for value in columns["respondent_id"].values], dtype=bool)
    _refuse_unknown(
        path,
        -empty[columns["respondent_id"].codes].astype(np.int64),
        columns["respondent_id"],
        "respondent_id",
        "names nobody",
    )
    chosen = np.array([value == State.SELECTED.value for value in state.values], dtype=bool)
    return _Answers(
        path=path,
        respondent=columns["respondent_id"].codes,
        respondents=columns["respondent_id"].values,
        question=question,
        option=at_option,
        selected=chosen[state.codes],
    )


def _option_of(questions: Sequence[Question], codes: Sequence[str]) -> Codes:
    """Give for each question and code the position of the option, or -1."""
    positions = np.full((len(questions), len(codes)), -1, dtype=np.int64)
    at = {code: column for column, code in enumerate(codes)}
    for row, question in enumerate(questions):
        for position, option in enumerate(question.options):
            if option.code in at:
                positions[row, at[option.code]] = position
    return positions


def _refuse_unknown(path: Path, codes: Codes, column: _Coded, name: str, what: str) -> None:
    bad = np.flatnonzero(codes < 0)
    if bad.size:
        value = column.values[column.codes[bad[0]]]
        others = len({column.values[code] for code in column.codes[bad]}) - 1
        more = f", and {others} more like it" if others else ""
        raise CurateError(
            f"{name} '{value}' {what}{more} ({_rows(bad.size)})",
            f"{path}, row {row_numbers(path, [int(bad[0])])[0]}, column {name}",
            "mend the file, or give the questionnaire that was asked",
        )


def _refuse_kinds(path: Path, kind: _Coded, question: Codes, questions: Sequence[Question]) -> None:
    names = {value: at for at, value in enumerate(kind.values)}
    wanted = np.array([names.get(item.kind.value, -1) for item in questions], dtype=np.int64)
    bad = np.flatnonzero(kind.codes != wanted[question])
    if bad.size:
        asked = questions[question[bad[0]]]
        raise CurateError(
            f"kind '{kind.values[kind.codes[bad[0]]]}' where question {asked.id} is of kind "
            f"{asked.kind} ({_rows(bad.size)})",
            f"{path}, row {row_numbers(path, [int(bad[0])])[0]}, column kind",
            "mend the file, or give the questionnaire that was asked",
        )


def _refuse_doubles(answers: _Answers, questions: Sequence[Question]) -> None:
    """Refuse a respondent who has two rows for one option of a question."""
    width = max(len(question.options) for question in questions)
    key = (answers.respondent * len(questions) + answers.question) * width + answers.option
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    doubled = np.flatnonzero(ordered[1:] == ordered[:-1])
    if doubled.size:
        second = order[doubled + 1]
        row = int(second.min())
        first = int(order[np.searchsorted(ordered, key[row])])
        people = {answers.respondents[code] for code in answers.respondent[second]}
        who = answers.respondents[answers.respondent[row]]
        asked = questions[answers.question[row]]
        option = asked.options[answers.option[row]].code
        earlier, later = row_numbers(answers.path, [first, row])
        others = f"; {_people(len(people))} do so" if len(people) > 1 else ""
        raise CurateError(
            f"respondent {who} answers option '{option}' of question {asked.id} twice, in rows "
            f"{earlier} and {later}{others}",
            f"{answers.path}, row {later}",
            "keep one answer of each respondent",
        )


def _tallies(answers: _Answers, questions: Sequence[Question]) -> tuple[list[Tally], list[Finding]]:
    pair = answers.respondent * len(questions) + answers.question
    count = len(answers.respondents) * len(questions)
    kinds = np.array([item.kind is QuestionKind.SELECT_ALL for item in questions])
    width = max(len(item.options) for item in questions)
    is_none = np.zeros((len(questions), width), dtype=bool)
    for row, item in enumerate(questions):
        for column, option in enumerate(item.options):
            is_none[row, column] = option.role is Role.NONE
    chosen = np.flatnonzero(answers.selected)
    chosen_pair, size = _dense(pair[chosen], count)
    picks = np.bincount(chosen_pair, minlength=size)
    nones = np.bincount(
        chosen_pair,
        weights=is_none[answers.question[chosen], answers.option[chosen]],
        minlength=size,
    )
    several = kinds[answers.question[chosen]]
    contradicts = np.where(
        several, (nones[chosen_pair] > 0) & (picks[chosen_pair] > 1), picks[chosen_pair] > 1
    )
    good = chosen[~contradicts]
    votes = np.bincount(
        answers.question[good] * width + answers.option[good], minlength=len(questions) * width
    ).reshape(len(questions), width)
    answered = _distinct(answers, good, questions)
    asked = _distinct(answers, np.arange(len(pair)), questions)
    tallies = [
        Tally(
            question=item,
            respondents=int(answered[row]),
            votes=tuple(int(n) for n in votes[row, : len(item.options)]),
            source=answers.path.name,
        )
        for row, item in enumerate(questions)
        if asked[row]
    ]
    return tallies, list(_contradictions(answers, chosen[contradicts], questions))


def _dense(keys: Codes, count: int) -> tuple[Codes, int]:
    """Give keys as small numbers, as they are where an array of all of them is affordable."""
    if count <= 50_000_000:
        return keys, count
    values, dense = np.unique(keys, return_inverse=True)
    return dense, len(values)


def _distinct(answers: _Answers, rows: Codes, questions: Sequence[Question]) -> Codes:
    """Count for each question the respondents in the given rows."""
    pair = answers.respondent[rows] * len(questions) + answers.question[rows]
    dense, size = _dense(pair, len(answers.respondents) * len(questions))
    seen = np.zeros(size, dtype=bool)
    seen[dense] = True
    first = np.zeros(size, dtype=np.int64)
    first[dense] = answers.question[rows]
    return np.bincount(first[seen], minlength=len(questions)).astype(np.int64)


def _contradictions(
    answers: _Answers, rows: Codes, questions: Sequence[Question]
) -> Iterator[Finding]:
    asked, first = np.unique(answers.question[rows], return_index=True)
    numbers = row_numbers(answers.path, rows[first].tolist()) if rows.size else []
    for at, number in zip(asked, numbers, strict=True):
        mine = rows[answers.question[rows] == at]
        people = sorted({answers.respondents[code] for code in answers.respondent[mine]})
        question = questions[at]
        what = (
            "chose 'no stereotype' together with a group"
            if question.kind is QuestionKind.SELECT_ALL
            else "chose more than one option"
        )
        named = ", ".join(people[:_NAMED]) + (", ..." if len(people) > _NAMED else "")
        yield Finding(
            "survey-contradiction",
            Severity.WARNING,
            str(answers.path),
            number,
            "option",
            f"question {question.id}: {_people(len(people))} {what}; what they answered to it is "
            f"not counted: {named}",
            "ask the panel company, or mend the answers",
        )


def _people(count: int) -> str:
    return f"{count} respondent" if count == 1 else f"{count} respondents"


def _rows(count: int) -> str:
    return f"{count} row" if count == 1 else f"{count} rows"
