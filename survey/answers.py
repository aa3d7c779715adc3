"""The answers of a survey: in memory, and in `responses.csv`, the normal form of every survey.

Every reader gives them so, and every count takes them so.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from curation.files.atomic import atomic_path
from curation.files.tables import (
    Row,
    dictionary_of,
    read_columns,
    read_table,
    refuse_problems,
    row_numbers,
    separator,
    write_csv,
)
from curation.languages import received_words
from curation.records.errors import CurateError
from curation.records.survey import Question, State
from curation.records.wording import counted

if TYPE_CHECKING:
    import pyarrow as pa

Table = tuple[Sequence[str], npt.NDArray[np.integer]]
"""The different texts of a column, and for each row the position of its own."""

_AT_A_TIME = 200_000


def csv_lines(columns: Sequence[Table]) -> Iterator[bytes]:
    """Yield the rows as UTF-8, many at a time, as Python's csv module would write them.

    Args:
        columns: Two or more columns of equal length.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    *leading, (last, last_codes) = columns
    tables = [(_cells(texts, ","), codes) for texts, codes in leading]
    tables.append((_cells(last, "\n"), last_codes))
    for start in range(0, len(last_codes), _AT_A_TIME):
        rows = slice(start, start + _AT_A_TIME)
        parts = [cells.take(pa.array(codes[rows])) for cells, codes in tables]
        yield _bytes(pc.binary_join_element_wise(*parts, ""))


def _cells(texts: Iterable[str], after: str) -> "pa.Array":
    """Escape each text as a cell among others, with what follows it."""
    import pyarrow as pa

    cells = []
    for text in texts:
        stream = io.StringIO()
        csv.writer(stream, lineterminator="\n").writerow((text, ""))
        cells.append(stream.getvalue().removesuffix(",\n") + after)
    return pa.array(cells, pa.string())


def _bytes(lines: "pa.Array") -> bytes:
    """Texts one after the other, which is how they are held."""
    import pyarrow.compute as pc

    size = pc.sum(pc.binary_length(lines)).as_py()
    return bytes(memoryview(lines.buffers()[2])[:size])


STATES = (State.SELECTED, State.SHOWN, State.MISSING)
"""What the codes 0, 1, 2 of `Answers.state` mean."""
SELECTED, SHOWN, MISSING = range(3)

RESERVED_ATTRIBUTES = ("status", "attention", "duration_s", "form")
"""Attributes with a meaning: `status` is `complete`, `partial` or `screened_out`, `attention`
`passed` or `failed`, `duration_s` seconds for the whole survey, `form` the form answered."""

RESPONSE_COLUMNS = (
    "respondent_id",
    "question_id",
    "kind",
    "option",
    "state",
    "position",
    "duration_s",
)
"""The columns of `responses.csv`, the normal form."""

Codes = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Exclusion:
    """One row of a received file that was left out, and why: nobody is dropped silently.

    Attributes:
        rule: `keep` (the mapping keeps others), `duplicate` (another answer of the same
            respondent is kept) or `ignored` (the mapping ignores what was asked).
        respondent: Whose row it is; empty where the file does not say.
        question_id: The question, where a row holds one; empty where it holds them all.
        detail: Row, column and value in words.
    """

    rule: str
    respondent: str
    question_id: str
    detail: str


@dataclass(frozen=True, slots=True)
class Answers:
    """One row for each respondent, question and option, as columns of equal length.

    Attributes:
        source: The file, as messages show it.
        questions: The questionnaire; rows point into it.
        respondents: Ids of the respondents; rows point into it.
        respondent: Position of the respondent.
        question: Position of the question.
        option: Position of the option among its question's.
        state: 0 selected, 1 shown, 2 missing.
        position: Where the option was shown, from 1; 0 where it is not known.
        duration: Seconds that the question took; NaN where they are not known.
        row: Row in the file that it comes from, the header being 1.
        attributes: By name, one value for each respondent; empty where it is not known.
    """

    source: str
    questions: tuple[Question, ...]
    respondents: tuple[str, ...]
    respondent: Codes
    question: Codes
    option: Codes
    state: npt.NDArray[np.int8]
    position: npt.NDArray[np.int32]
    duration: npt.NDArray[np.float64]
    row: Codes
    attributes: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.respondent)

    @property
    def selected(self) -> npt.NDArray[np.bool_]:
        """Which rows are choices."""
        return np.equal(self.state, SELECTED)


def write_answers(answers: Answers, responses: Path, respondents: Path) -> None:
    """Write answers in normal form, and the respondents' attributes beside.

    Rows come ordered by respondent, question and option, so that the same answers give the
    same bytes whatever file they were read from.

    Raises:
        CurateError: If a file cannot be written.
    """
    order = np.lexsort((answers.option, answers.question, _ranks(answers)))
    columns = [(texts, codes[order]) for texts, codes in _columns(answers)]
    with atomic_path(responses) as beside, beside.open("wb") as stream:
        stream.write(f"{','.join(RESPONSE_COLUMNS)}\n".encode())
        for lines in csv_lines(columns):
            stream.write(lines)
    names = tuple(answers.attributes)
    people = sorted(range(len(answers.respondents)), key=lambda at: answers.respondents[at])
    write_csv(
        respondents,
        ("respondent_id", *names),
        (
            [answers.respondents[at], *(answers.attributes[name][at] for name in names)]
            for at in people
        ),
    )


def _columns(answers: Answers) -> Iterator[tuple[list[str], npt.NDArray[np.integer]]]:
    """The texts of each column of the normal form, and for each row which it holds."""
    questions = answers.questions
    starts = np.cumsum([0, *(len(question.options) for question in questions)])[:-1]
    yield list(answers.respondents), answers.respondent
    yield [question.id for question in questions], answers.question
    yield [question.kind.value for question in questions], answers.question
    codes = [option.code for question in questions for option in question.options]
    yield codes, starts[answers.question] + answers.option
    yield [state.value for state in STATES], answers.state
    positions, at = np.unique(answers.position, return_inverse=True)
    yield [str(place) if place else "" for place in positions.tolist()], at
    seconds, at = np.unique(answers.duration, return_inverse=True)
    yield ["" if np.isnan(value) else f"{value:g}" for value in seconds.tolist()], at


def _ranks(answers: Answers) -> Codes:
    """Each row's respondent as their place in the order of ids."""
    order = np.argsort(np.array(answers.respondents, dtype=object), kind="stable")
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.arange(len(order))
    return ranks[answers.respondent]


def join_answers(parts: Sequence[Answers]) -> Answers:
    """Join the answers of several files to one questionnaire, such as its forms.

    Raises:
        CurateError: If a respondent answers one question in two of them.
    """
    if len(parts) == 1:
        return parts[0]
    people: dict[str, int] = {}
    for part in parts:
        for name in part.respondents:
            people.setdefault(name, len(people))
    places = [
        np.array([people[name] for name in part.respondents], dtype=np.int64) for part in parts
    ]
    joined = Answers(
        source=", ".join(part.source for part in parts),
        questions=parts[0].questions,
        respondents=tuple(people),
        respondent=np.concatenate(
            [place[part.respondent] for place, part in zip(places, parts, strict=True)]
        ),
        question=np.concatenate([part.question for part in parts]),
        option=np.concatenate([part.option for part in parts]),
        state=np.concatenate([part.state for part in parts]),
        position=np.concatenate([part.position for part in parts]),
        duration=np.concatenate([part.duration for part in parts]),
        row=np.concatenate([part.row for part in parts]),
        attributes=_joined_attributes(parts, people),
    )
    _refuse_answered_twice(joined, parts)
    return joined


_FIXED = ("gender", "age_band")
"""Attributes that a respondent has but one of."""


def _joined_attributes(
    parts: Sequence[Answers], people: Mapping[str, int]
) -> dict[str, tuple[str, ...]]:
    names = dict.fromkeys(name for part in parts for name in part.attributes)
    found = {name: [""] * len(people) for name in names}
    for part in parts:
        for name, values in part.attributes.items():
            for who, value in zip(part.respondents, values, strict=True):
                known = found[name][people[who]]
                if known and value and known != value and name in ("form", *_FIXED):
                    raise CurateError(
                        f"respondent {who} has {name} '{known}' in one file and '{value}' here",
                        part.source,
                        "if these are two people, give each an id of their own, or each file a "
                        "'prefix' in its mapping (respondent); if it is one person, write one "
                        "value",
                    )
                found[name][people[who]] = value or known
    return {name: tuple(values) for name, values in found.items()}


def _refuse_answered_twice(joined: Answers, parts: Sequence[Answers]) -> None:
    width = len(joined.questions)
    pair = joined.respondent * width + joined.question
    starts = np.cumsum([0, *(len(part) for part in parts)])
    seen = np.empty(0, dtype=np.int64)
    for part, start, end in zip(parts, starts, starts[1:], strict=False):
        mine = np.unique(pair[start:end])
        twice = np.intersect1d(seen, mine, assume_unique=True)
        if twice.size:
            who = joined.respondents[int(twice[0]) // width]
            asked = joined.questions[int(twice[0]) % width]
            raise CurateError(
                f"respondent {who} answers question {asked.id} in two files "
                f"({twice.size} answers occur twice)",
                part.source,
                "give each file once, and each answer in one file",
            )
        seen = np.union1d(seen, mine)


def only_questions(answers: Answers, wanted: npt.NDArray[np.bool_]) -> Answers:
    """The answers to some of the questions.

    Args:
        answers: The answers.
        wanted: For each question whether it is wanted.
    """
    rows = wanted[answers.question]
    columns = ("respondent", "question", "option", "state", "position", "duration", "row")
    return replace(answers, **{name: getattr(answers, name)[rows] for name in columns})


COLUMNS = RESPONSE_COLUMNS
"""The columns of `responses.csv`."""

_READ = ("respondent_id", "question_id", "kind", "option", "state")
_NUMBERS = ("position", "duration_s")


@dataclass(frozen=True, slots=True)
class _Coded:
    """A column as numbers: `values[codes[row]]` is the cell."""

    codes: Codes
    values: list[str]


def is_normal(path: Path) -> bool:
    """Say whether a file is in normal form: a CSV in UTF-8 whose header has its columns."""
    try:
        with path.open("rb") as stream:
            head = stream.read(1 << 16)
    except OSError:
        return False
    first = "".join(head.decode("utf-8-sig", "replace").splitlines()[:1])
    try:
        names = next(csv.reader([first], delimiter=separator(first)), [])
    except csv.Error:
        return False
    return set(_READ) <= {name.strip() for name in names}


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
    refuse_doubles(path, answers)
    return answers


def _coded(column: Any) -> _Coded:
    """Read a dictionary-encoded column; blanks around values are taken off."""
    held, texts = dictionary_of(column)
    cells, codes = [value.strip() for value in texts], held.astype(np.int64)
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
    _refuse_unknown(
        path, -bad_state[state.codes].astype(np.int64), state, "state", "is not a state"
    )
    _refuse_kinds(path, columns["kind"], question, questions)
    at_option = _option_of(questions, option.values)[question, option.codes]
    _refuse_unknown(path, at_option, option, "option", "is not an option of its question")
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
        attributes=attributes_beside(path, people.values),
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
                f"{name} '{text}' is not a {'whole ' if name == 'position' else ''}number from 0",
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
    """The row of each record; where every line is one, without reading the file again."""
    lines, last = 0, b""
    with path.open("rb") as stream:
        for block in iter(lambda: stream.read(1 << 20), b""):
            lines += block.count(b"\n")
            last = block[-1:]
    if lines + (last != b"\n") == count + 1:
        return np.arange(2, count + 2, dtype=np.int64)
    return np.array(row_numbers(path, range(count)), dtype=np.int64)


def people_beside(answers: Path) -> tuple[dict[str, Row], dict[str, str]]:
    """Read what is known of respondents from beside their answers; nothing where there is no file.

    A panel's export is read with its own headings: the ids in a column that is called as panels
    call it, and attributes with a meaning in any capitals.

    Args:
        answers: The file of answers.

    Returns:
        The row of each respondent, by id; and the column of each attribute, by its name.

    Raises:
        CurateError: If `respondents.csv` cannot be read, has no column of ids or several, or names
            a respondent twice.
    """
    path = answers.with_name("respondents.csv")
    if not path.exists():
        return {}, {}
    table = read_table(path)
    refuse_problems(table)
    named = [name for name in table.columns if name.strip().casefold() in _id_words()]
    ids = [name for name in named if name == "respondent_id"] or named
    if len(ids) != 1:
        found = " and ".join(f"'{name}'" for name in ids)
        raise CurateError(
            f"{found} may both hold the ids" if ids else "no column holds the ids of respondents",
            f"{table.file}, row 1",
            "call the column of the ids respondent_id",
        )
    rows: dict[str, Row] = {}
    for row in table.rows:
        who = row[ids[0]].strip()
        if who in rows:
            raise CurateError(
                f"respondent {who} occurs twice, in rows {rows[who].number} and {row.number}",
                f"{table.file}, row {row.number}",
                "keep one row of each respondent",
            )
        rows[who] = row
    small = {name.casefold(): name for name in table.columns}
    known = {small[name]: name for name in RESERVED_ATTRIBUTES if name in small}
    return rows, {known.get(name, name): name for name in table.columns if name != ids[0]}


@cache
def _id_words() -> frozenset[str]:
    return frozenset((*received_words("simple_respondent"), *received_words("panel_ids")))


def attributes_beside(answers: Path, respondents: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The attributes of respondents from beside their answers; none where there is no file.

    Args:
        answers: The file of answers.
        respondents: The respondents.

    Raises:
        CurateError: If `respondents.csv` cannot be read (`people_beside`).
    """
    rows, names = people_beside(answers)
    return {
        name: tuple(rows[who][column].strip() if who in rows else "" for who in respondents)
        for name, column in names.items()
    }


def _option_of(questions: Sequence[Question], codes: Sequence[str]) -> Codes:
    """For each question and code the position of the option, or -1."""
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
            f"{name} '{value}' {what}{more} ({counted(bad.size, 'row')})",
            f"{path}, row {row_numbers(path, [int(bad[0])])[0]}, column {name}",
            "fix the file, or give the questionnaire that was asked",
        )


def _refuse_kinds(path: Path, kind: _Coded, question: Codes, questions: Sequence[Question]) -> None:
    names = {value: at for at, value in enumerate(kind.values)}
    wanted = np.array([names.get(item.kind.value, -1) for item in questions], dtype=np.int64)
    bad = np.flatnonzero(kind.codes != wanted[question])
    if bad.size:
        asked = questions[question[bad[0]]]
        raise CurateError(
            f"kind '{kind.values[kind.codes[bad[0]]]}' where question {asked.id} is of kind "
            f"{asked.kind} ({counted(bad.size, 'row')})",
            f"{path}, row {row_numbers(path, [int(bad[0])])[0]}, column kind",
            "fix the file, or give the questionnaire that was asked",
        )


_DENSE = 100_000_000
"""With so many possible rows or fewer an array of all of them, a byte each, costs less than
sorting."""


def refuse_doubles(path: Path, answers: Answers) -> None:
    """Refuse a respondent who has two rows for one option of a question.

    Args:
        path: The file, as messages show it.
        answers: The answers.

    Raises:
        CurateError: If there is one.
    """
    questions = answers.questions
    width = max(len(question.options) for question in questions)
    key = (answers.respondent * len(questions) + answers.question) * width + answers.option
    every = len(answers.respondents) * len(questions) * width
    if every <= _DENSE:
        there = np.zeros(every, dtype=bool)
        there[key] = True
        if np.count_nonzero(there) == len(key):
            return
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
