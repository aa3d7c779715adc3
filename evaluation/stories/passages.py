"""Passages that people read as the evaluator does: drawn, handed out, read back."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import NamedTuple

from curation.io.tables import read_table, refuse_problems, write_csv
from curation.io.workbooks import Book, Column, FilledRow, Sheet, SheetRow
from curation.model.annotation import person_key
from curation.model.errors import CurateError
from curation.model.reply import choice_letters
from evaluation.requests import read_lines
from evaluation.stories.readings import READINGS

PASSAGES = "stories-passages"
"""The kind of a reader's workbook."""
READ_BY_PEOPLE = "stories_readers.csv"
"""The file's name in `annotations/`."""
COUNT = 100
"""Passages of a workbook."""
_LETTERS = tuple(choice_letters(3))
_AGAIN = "make the requests again: curate evaluate stories ask"

_COLUMNS = (
    Column("number", 8),
    Column("passage", 70, note="The whole story."),
    Column("question", 30),
    *(Column(letter, 24) for letter in _LETTERS),
    Column("answer", 10, editable=True, choices=_LETTERS, note="A, B or C."),
    Column("remark", 28, editable=True, note="Anything else."),
)
_INSTRUCTIONS = (
    "# Reading stories",
    "Each row is a story with a question about it and three answers. Read the story, and choose "
    "the answer that it gives: write A, B or C in the column 'answer'.",
    "Go by what the story says, not by what you think likely of such people. Where it does not "
    "say, or says both, choose the answer that it cannot be known.",
    "Answer every row by yourself, and do not talk about it with other readers before all have "
    "handed in. Please do not rename columns, merge cells or write formulas. Save the file as "
    ".xlsx under any name and send it back.",
    "",
    "# 이야기 읽기",
    "한 행은 이야기 하나와 그에 대한 물음, 세 가지 답입니다. 이야기를 읽고 거기에 나온 답을 골라 "
    "'answer' 열에 A, B, C 중 하나를 적으세요.",
    "그런 사람이라면 그럴 것 같다는 생각이 아니라 이야기에 적힌 것에 따라 고르세요. 이야기에 "
    "나오지 않거나 둘 다 맞을 수 있으면 알 수 없다는 답을 고르세요.",
    "다른 사람과 의논하지 말고 모든 행에 답해 주세요. 열 이름을 바꾸거나 셀을 합치지 마시고, "
    ".xlsx로 저장해 돌려보내 주세요.",
)


class Passage(NamedTuple):
    """A whole story with a question, as the evaluator was asked it.

    Attributes:
        request_id: The request.
        model: Who continued the story.
        category: The template's category, as its id has it.
        text: The whole story.
        question: The question.
        choices: The three choices as shown.
        roles: For each choice `B`, `C` or `U`.
    """

    request_id: str
    model: str
    category: str
    text: str
    question: str
    choices: tuple[str, ...]
    roles: tuple[str, ...]


def read_passages(path: Path) -> Iterator[Passage]:
    """Yield what an evaluator was asked, holding one at a time.

    Raises:
        CurateError: If the file cannot be read or a line is no request for a reading.
    """
    for line in read_lines(path):
        try:
            choices, roles = (line.value.get(name) for name in ("choices", "roles"))
            if not (isinstance(choices, list) and isinstance(roles, list)):
                raise ValueError("it has no choices with roles")
            yield Passage(
                request_id=line.text("request_id"),
                model=line.text("model"),
                category=line.text("template_id").rsplit("-", 1)[0],
                text=line.text("story"),
                question=line.text("asked"),
                choices=tuple(map(str, choices)),
                roles=tuple(map(str, roles)),
            )
        except ValueError as error:
            what = f"the line is no request for a reading: {error}"
            raise CurateError(what, f"{path}, line {line.number}", _AGAIN) from error


def draw_passages(path: Path, count: int, seed: int) -> list[Passage]:
    """Draw passages, from every model and category about as many.

    The file is read twice, so that of its stories those that are drawn alone are held.

    Args:
        path: What an evaluator was asked.
        count: How many.
        seed: Of the draw; what is drawn depends on it and on the ids alone.

    Raises:
        CurateError: If the file cannot be read or holds nothing.
    """
    strata: dict[tuple[str, str], list[str]] = {}
    for item in read_passages(path):
        strata.setdefault((item.model, item.category), []).append(item.request_id)
    if not strata:
        raise CurateError(f"{path.name} holds no request", str(path), _AGAIN)
    wanted = _draw([sorted(strata[key]) for key in sorted(strata)], count, seed)
    found = {item.request_id: item for item in read_passages(path) if item.request_id in wanted}
    return [found[name] for name in wanted]


def _draw(strata: list[list[str]], count: int, seed: int) -> dict[str, None]:
    """Take one of each stratum in turn, in a drawn order, until there are enough."""
    generator = random.Random(seed)  # noqa: S311  # a seeded draw
    for members in strata:
        generator.shuffle(members)
    generator.shuffle(strata)
    found: list[str] = []
    while len(found) < count and any(strata):
        found += [members.pop() for members in strata if members][: count - len(found)]
    generator.shuffle(found)
    return dict.fromkeys(found)


def passage_book(passages: Sequence[Passage], reader: str, about: Mapping[str, str]) -> Book:
    """Make the workbook of a reader; who continued a story is not told."""
    sheet = passage_sheet(passages)
    return Book(PASSAGES, (sheet,), _INSTRUCTIONS, {**about, "reader": reader})


def passage_sheet(passages: Sequence[Passage]) -> Sheet:
    """Make the sheet of a reader."""
    return Sheet("passages", _COLUMNS, tuple(_rows(passages)))


def _rows(passages: Sequence[Passage]) -> Iterator[SheetRow]:
    for number, item in enumerate(passages, start=1):
        choices = dict(zip(_LETTERS, item.choices, strict=True))
        cells = {"number": str(number), "passage": item.text, "question": item.question}
        yield SheetRow(item.request_id, {**cells, **choices})


@dataclass(frozen=True, slots=True)
class PersonReading:
    """How a person read a passage; fields are the columns of the file.

    Attributes:
        request_id: The request that the evaluator was asked.
        reader: Who read.
        reading: `B`, `C` or `U`.
        remark: The reader's remark.
        source_file: The workbook.
        collected_at: When, ISO 8601.
    """

    request_id: str
    reader: str
    reading: str
    remark: str
    source_file: str
    collected_at: str


PERSON_COLUMNS = tuple(PersonReading.__dataclass_fields__)
"""The columns of the file, in order."""


def person_reading(
    row: FilledRow, passage: Passage, reader: str, source: str, at: str
) -> PersonReading | None:
    """Give how a person read a passage; None where no answer is filled in."""
    letter = row.cells["answer"].strip().upper()
    if letter not in _LETTERS:
        return None
    reading = passage.roles[_LETTERS.index(letter)]
    return PersonReading(row.key, reader, reading, row.cells["remark"].strip(), source, at)


def read_people(path: Path) -> list[PersonReading]:
    """Read what people returned; nothing where there is no file.

    Raises:
        CurateError: If a row cannot be read.
    """
    if not path.exists():
        return []
    table = read_table(path, required=("request_id", "reader", "reading"))
    refuse_problems(table)
    for row in table.rows:
        if row["reading"] not in READINGS[:3]:
            what, where = f"'{row['reading']}' is no reading", f"{table.file}, row {row.number}"
            raise CurateError(what, f"{where}, column reading", "use B, C or U")
    return [PersonReading(*(row.get(name) for name in PERSON_COLUMNS)) for row in table.rows]


def write_people(path: Path, old: Iterable[PersonReading], new: Sequence[PersonReading]) -> int:
    """Write what people returned, in the place of what the same readers returned earlier.

    Raises:
        CurateError: If the file cannot be written.
    """
    readers = {person_key(item.reader) for item in new}
    kept = [item for item in old if person_key(item.reader) not in readers]
    return write_csv(path, PERSON_COLUMNS, (astuple(item) for item in (*kept, *new)))


def evaluator_readings(path: Path, wanted: Iterable[str]) -> tuple[str, dict[str, str]]:
    """Give the evaluator's name and its readings of some passages, by request.

    Args:
        path: `readings.csv` as `curate evaluate stories readings` writes it.
        wanted: The requests.

    Raises:
        CurateError: If the file cannot be read, or holds readings by several evaluators.
    """
    table = read_table(path, required=("request_id", "evaluator", "reading"))
    refuse_problems(table)
    names = sorted({row["evaluator"] for row in table.rows})
    if len(names) != 1:
        raise CurateError(
            f"the readings are by {len(names)} evaluators", str(path), "name a file of one"
        )
    known = set(wanted)
    found = {r["request_id"]: r["reading"] for r in table.rows if r["request_id"] in known}
    return names[0], found
