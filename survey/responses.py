"""Read `responses.csv`, the normal form that every survey is read into.

A row is one respondent, question and option: `selected`, `shown` (and not chosen) or
`missing`. Attributes of the respondents stand in `respondents.csv` beside it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from curation.io.tables import Row, read_columns, read_table, refuse_problems, row_numbers
from curation.model.errors import CurateError
from curation.model.findings import Finding
from curation.model.survey import Question, State, Tally
from survey.answers import RESPONSE_COLUMNS, STATES, Answers, Codes
from survey.counting import count_answers

COLUMNS = RESPONSE_COLUMNS
"""The columns of `responses.csv`."""

_READ = ("respondent_id", "question_id", "kind", "option", "state")
_NUMBERS = ("position", "duration_s")


@dataclass(frozen=True, slots=True)
class _Coded:
    """A column as numbers: `values[codes[row]]` is the cell."""

    codes: Codes
    values: list[str]


def read_responses(path: Path, questions: Sequence[Question]) -> tuple[list[Tally], list[Finding]]:
    """Read and count a file of responses, leaving nobody out but for contradictions.

    Raises:
        CurateError: As `read_answers` does.
    """
    return count_answers(read_answers(path, questions))


def read_answers(path: Path, questions: Sequence[Question]) -> Answers:
    """Read a file of responses, and the respondents' attributes from beside it.

    Args:
        path: The file.
        questions: The questionnaire.

    Raises:
        CurateError: If the file cannot be read; a question, option, kind or state is not of
            the questionnaire; a position or duration is no number; or a respondent has two
            rows for one option.
    """
    table = read_columns(path, _READ, encoded=(*_READ, *_NUMBERS), optional=_NUMBERS)
    if table.num_rows == 0:
        raise CurateError(f"{path.name} holds no answers", str(path), "check the export")
    columns = {name: _coded(table.column(name)) for name in table.column_names}
    answers = _answers(path, columns, questions)
    _refuse_doubles(path, answers)
    return answers


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


def _answers(path: Path, columns: dict[str, _Coded], questions: Sequence[Question]) -> Answers:
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
    code_of_state = {item.value: code for code, item in enumerate(STATES)}
    codes = np.array([code_of_state[value] for value in state.values], dtype=np.int8)
    people = columns["respondent_id"]
    count = len(people.codes)
    position, duration = (_numbers(path, columns.get(name), name, count) for name in _NUMBERS)
    return Answers(
        source=str(path),
        questions=tuple(questions),
        respondents=tuple(people.values),
        respondent=people.codes,
        question=question,
        option=at_option,
        state=codes[state.codes],
        position=np.nan_to_num(position).astype(np.int32),
        duration=duration,
        row=_rows_of(path, count),
        attributes=_attributes(path.with_name("respondents.csv"), people.values),
    )


def _numbers(path: Path, column: _Coded | None, name: str, count: int) -> npt.NDArray[np.float64]:
    """Read numbers from 0, NaN where the cell is empty."""
    if column is None:
        return np.full(count, np.nan)
    values = np.full(len(column.values), np.nan)
    for at, text in enumerate(column.values):
        number = _number(text)
        if number is None or (name == "position" and (number % 1 > 0 or number >= 2**31)):
            row = row_numbers(path, [int(np.flatnonzero(column.codes == at)[0])])[0]
            raise CurateError(
                f"{name} '{text}' is no {'whole ' if name == 'position' else ''}number from 0",
                f"{path}, row {row}, column {name}",
                "write it with digits and a point, or leave it empty",
            )
        values[at] = number
    return values[column.codes]


def _number(text: str) -> float | None:
    """Read a number; NaN for an empty text, None for what is none."""
    if not text:
        return float("nan")
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None


def _rows_of(path: Path, count: int) -> Codes:
    """Give the row of each record; where every line is one, without reading the file again."""
    lines, last = 0, b""
    with path.open("rb") as stream:
        for block in iter(lambda: stream.read(1 << 20), b""):
            lines += block.count(b"\n")
            last = block[-1:]
    if lines + (last != b"\n") == count + 1:
        return np.arange(2, count + 2, dtype=np.int64)
    return np.array(row_numbers(path, range(count)), dtype=np.int64)


def _attributes(path: Path, respondents: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Read the attributes of the respondents; none where there is no such file.

    Raises:
        CurateError: If the file cannot be read or names a respondent twice.
    """
    if not path.exists():
        return {}
    table = read_table(path, required=("respondent_id",))
    refuse_problems(table)
    rows: dict[str, Row] = {}
    for row in table.rows:
        who = row["respondent_id"].strip()
        if who in rows:
            raise CurateError(
                f"respondent {who} stands twice, in rows {rows[who].number} and {row.number}",
                f"{table.file}, row {row.number}",
                "keep one row of each respondent",
            )
        rows[who] = row
    names = [column for column in table.columns if column != "respondent_id"]
    return {
        name: tuple(rows[who][name].strip() if who in rows else "" for who in respondents)
        for name in names
    }


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


def _refuse_doubles(path: Path, answers: Answers) -> None:
    """Refuse a respondent who has two rows for one option of a question."""
    questions = answers.questions
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
        earlier, later = int(answers.row[first]), int(answers.row[row])
        others = f"; {len(people)} respondents do so" if len(people) > 1 else ""
        raise CurateError(
            f"respondent {who} answers option '{option}' of question {asked.id} twice, in rows "
            f"{earlier} and {later}{others}",
            f"{path}, row {later}",
            "keep one answer of each respondent",
        )


def _rows(count: int) -> str:
    return f"{count} row" if count == 1 else f"{count} rows"
