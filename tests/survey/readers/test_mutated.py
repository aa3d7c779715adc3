"""Files of every shape, damaged at random: what they say, or one error that names the file."""

import csv
import io
import random
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from openpyxl import Workbook

from curation.records.culture import Culture
from curation.records.errors import CurateError
from survey.answers import Answers
from survey.mapping import ReadPart
from survey.readers.grid import read_grid
from survey.readers.inspection import inspect_file
from survey.readers.simple.reading import Simple, read_simple
from survey.votes import count_answers
from tests.survey.readers.population import QUESTIONS, people

CULTURE = Culture.model_validate({"culture": "Marevia", "language": "ko", "unknown": "unknown"})
SHAPES = Path(__file__).with_name("shapes")
PERSONS = people(6)
ROWS = [
    ["respondent", "question", "answer"],
    *(
        [person.id, asked, _code]
        for person in PERSONS
        for at, (asked, answer) in enumerate(person.answers.items())
        for _code in (
            next(q for q in QUESTIONS if q.id == asked).options[place].code
            for place in answer.chosen
        )
    ),
]
WIDE = [
    ["respondent", *(question.id for question in QUESTIONS)],
    *(
        [
            person.id,
            *(
                ";".join(
                    question.options[place].code
                    for place in (
                        person.answers[question.id].chosen if question.id in person.answers else ()
                    )
                )
                for question in QUESTIONS
            ),
        ]
        for person in PERSONS
    ),
]


def as_csv(rows: list[list[str]]) -> bytes:
    """A table as text."""
    stream = io.StringIO()
    csv.writer(stream).writerows(rows)
    return stream.getvalue().encode()


def as_xlsx(rows: list[list[str]]) -> bytes:
    """A table as a workbook."""
    book = Workbook()
    for row in rows:
        book.active.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def mutated(data: bytes, draw: random.Random) -> bytes:
    """Change, take out, double or cut off a few bytes."""
    found = bytearray(data)
    for _ in range(draw.randint(1, 3)):
        if not found:
            break
        at = draw.randrange(len(found))
        way = draw.randrange(6)
        if way == 0:
            found[at] = draw.randrange(256)
        elif way == 1:
            del found[at : at + draw.randint(1, 30)]
        elif way == 2:
            found[at:at] = found[at : at + draw.randint(1, 60)]
        elif way == 3:
            found[at:at] = draw.choice([b'"', b"\n", b",", b";", b"\x00", b"'", b"\xff\xfe", b"="])
        elif way == 4:
            del found[at:]
        else:
            other = draw.randrange(len(found))
            found[at], found[other] = found[other], found[at]
    return bytes(found)


def in_parts(data: bytes, draw: random.Random) -> bytes:
    """Change what a part of a workbook says, so that the archive itself is whole."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w", 8) as new:
        names = old.namelist()
        chosen = draw.choice([name for name in names if name.endswith(".xml")])
        for name in names:
            part = old.read(name)
            new.writestr(name, mutated(part, draw) if name == chosen else part)
    return stream.getvalue()


Votes = Counter[tuple[str, str]]


def votes(answers: Answers) -> Votes:
    """The votes of a file of answers, contradictions and all."""
    found: Votes = Counter()
    for question, option in zip(answers.question, answers.option, strict=True):
        asked = answers.questions[question]
        found[asked.id, asked.options[option].code] += 1
    return found


def naive(data: bytes) -> Votes:
    """Count a table without any care: rows of three cells, or cells of several codes."""
    text = data.decode("utf-8-sig", "replace")
    head, *rows = [row for row in csv.reader(io.StringIO(text, newline="")) if any(row)]
    cells: list[tuple[str, str]] = []
    if len(head) == 3:
        cells = [(row[1], row[2]) for row in rows]
    else:
        cells = [pair for row in rows for pair in zip(head[1:], row[1:], strict=True)]
    found: Votes = Counter()
    for asked, cell in cells:
        for code in cell.replace("|", ";").split(";"):
            if code.strip():
                found[asked.strip().casefold(), code.strip().casefold()] += 1
    return found


def lowered(found: Votes) -> Votes:
    """The same in small letters."""
    return Counter({(asked.casefold(), code.casefold()): n for (asked, code), n in found.items()})


def read(path: Path) -> Simple | None:
    """Read a simple table."""
    return read_simple(path, QUESTIONS, CULTURE, {})


def check_text(path: Path, data: bytes) -> bool:
    """Whether it is read; then it says what it says."""
    path.write_bytes(data)
    try:
        found = read(path)
    except CurateError as error:
        assert error.what
        assert path.name in (error.where or error.what)
        return False
    if found is None or found.answers is None:
        return False
    unread = [line for line in found.lines if line.endswith("not read")]
    if not unread and b";" not in data.split(b"\n", 1)[0] and b"\t" not in data:
        assert lowered(votes(found.answers)) == naive(data), data
    return True


def check_book(path: Path, data: bytes) -> bool:
    """Whether it is read; no other fault than one that is said."""
    path.write_bytes(data)
    try:
        found = read(path)
    except CurateError as error:
        assert error.what
        return False
    if found is not None and found.answers is not None:
        count_answers(found.answers)
    return True


Check = Callable[[Path, bytes], bool]
CASES: dict[str, tuple[bytes, str, Check, Callable[[bytes, random.Random], bytes]]] = {
    "rows.csv": (as_csv(ROWS), ".csv", check_text, mutated),
    "wide.csv": (as_csv(WIDE), ".csv", check_text, mutated),
    "rows.xlsx": (as_xlsx(ROWS), ".xlsx", check_book, mutated),
    "wide.xlsx in its parts": (as_xlsx(WIDE), ".xlsx", check_book, in_parts),
}


@pytest.mark.parametrize("count", [60, pytest.param(2_500, marks=pytest.mark.slow)])
@pytest.mark.parametrize("case", CASES)
def test_damaged_tables_are_right_or_refused(tmp_path: Path, case: str, count: int) -> None:
    """10,000 files in all: never another count than what the file says, never a fault of ours."""
    data, suffix, check, change = CASES[case]
    path = tmp_path / f"a{suffix}"
    assert check(path, data)
    outcomes = Counter(check(path, change(data, random.Random(seed))) for seed in range(count))  # noqa: S311
    assert outcomes[False] > count // 20
    assert case == "rows.xlsx" or outcomes[True] > count // 100


@pytest.mark.parametrize(
    ("name", "count"),
    [("spss.sav", 4), pytest.param("spss.sav", 24, marks=pytest.mark.slow)],
)
def test_damaged_spss_files_are_refused(tmp_path: Path, name: str, count: int) -> None:
    """The library may fall over them: the message is ours."""
    pytest.importorskip("pyreadstat")
    data = (SHAPES / name).read_bytes()
    path = tmp_path / "a.sav"
    for seed in range(count):
        path.write_bytes(mutated(data, random.Random(seed)))  # noqa: S311
        try:
            read_grid(path, ReadPart(), "ko")
        except CurateError as error:
            assert error.what


@pytest.mark.parametrize("cell", ['[{"x":1}]', "[[1]]", '{"choices": [{}]}', "[" * 5000, "[1e999]"])
def test_json_that_lists_no_options_is_no_fault(tmp_path: Path, cell: str) -> None:
    """Not in a table, and not where a draft is made."""
    for head in ("question", "item"):
        stream = io.StringIO()
        writer = csv.writer(stream)
        writer.writerow(["respondent", head, "answer"])
        writer.writerows([["a", QUESTIONS[0].id, cell], ["b", QUESTIONS[1].id, "1"]])
        path = tmp_path / "a.csv"
        path.write_text(stream.getvalue(), encoding="utf-8")
        inspect_file(path, QUESTIONS, "ko", tmp_path / "forms")
    path.write_text(path.read_text(encoding="utf-8").replace("item", "question"), encoding="utf-8")
    with pytest.raises(CurateError, match="is not an option of question"):
        read(path)
