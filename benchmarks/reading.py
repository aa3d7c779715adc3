"""Received survey files into answers and decisions, against pandas reading them as strings."""

import csv
import random
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from benchmarks.measure import Figures, python, report, side_by_side
from curation.files.bank import GroupBook
from curation.records.survey import Option, Question, QuestionKind, Role
from survey.building.build import write_questions
from survey.mapping import LongPart, Mapping, QuestionPart, RespondentPart, save_mapping

RESPONDENTS = 1_600
"""The size of KoBBQ's quota."""
WIDE = 600
"""Columns of the wide export."""
LONG = 1_000_000
"""Rows of the long one."""

_OURS = """
from pathlib import Path
from curation.records.culture import SurveySettings
from survey.answers import count_answers
from survey.mapping import load_mapping
from curation.files.questionnaire import GroupBook, read_questionnaire
from survey.readers.opening import open_file
from survey.readers.normalise import read_survey
from survey.rules import decide
folder = Path({folder!r})
questions = read_questionnaire(folder / 'questionnaire.csv', GroupBook([]))
mapping = load_mapping(folder / {mapping!r})
opened = open_file(folder / {file!r}, mapping.read, 'ko')
received = read_survey(opened, mapping, questions)
assert len(received.answers.respondents) == {people}
tallies, _ = count_answers(received.answers)
decisions = [decision for tally in tallies for decision in decide(tally, SurveySettings())]
assert len({{decision.subject for decision in decisions}}) == len(questions)
"""
_PANDAS = "import pandas\npandas.read_csv({path!r}, dtype=str, keep_default_na=False)"
_GRID = """
from pathlib import Path
from survey.readers.opening import open_file
assert len(open_file(Path({path!r})).frame()) == {people}
"""
_OPENPYXL = """
import openpyxl
book = openpyxl.load_workbook({path!r}, read_only=True)
rows = [[str(cell) for cell in row] for row in book.worksheets[0].iter_rows(values_only=True)]
"""
_INSPECT = """
from pathlib import Path
from curation.files.questionnaire import GroupBook, read_questionnaire
from survey.readers.inspection import inspect_file
from survey.readers.opening import open_file
folder = Path({folder!r})
questions = read_questionnaire(folder / 'questionnaire.csv', GroupBook([]))
opened = open_file(folder / {file!r}, language='ko')
found = inspect_file(opened, questions, folder / 'forms')
assert found.trial is not None and found.trial.respondents == {people}
"""
DENSE = 50_000
"""Respondents of the file of single answers."""


def run() -> list[str]:
    """Measure each as a whole process, start included."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        questions = _questions()
        write_questions(folder, questions, (), GroupBook())
        rows = [_columns(questions), *_wide(questions)]
        _write(folder / "wide.csv", rows)
        save_mapping(folder / "wide.yaml", _wide_mapping(questions))
        _write(folder / "long.csv", _long(questions))
        save_mapping(folder / "long.yaml", _long_mapping())
        _write_book(folder / "wide.xlsx", rows)
        people = LONG // len(questions)
        decided = "read and decided on / pandas"
        wide, long = (
            f"wide export, {RESPONDENTS:,} x {WIDE}, {decided}",
            f"{LONG:,} rows, {decided}",
        )
        return [
            *_against_pandas(wide, folder, "wide", RESPONDENTS),
            *_against_pandas(f"long export, {long}", folder, "long", people),
            _against_openpyxl(folder / "wide.xlsx"),
            _memory(folder, questions),
        ]


def _against_pandas(name: str, folder: Path, stem: str, people: int) -> list[str]:
    path = folder / f"{stem}.csv"
    program = _OURS.format(
        folder=str(folder), mapping=f"{stem}.yaml", file=path.name, people=people
    )
    ours, pandas = side_by_side(python(program), python(_PANDAS.format(path=str(path))))
    return [report(name, ours.median / pandas.median, 3, "x", _note(ours, pandas, path))]


def _against_openpyxl(path: Path) -> str:
    ours, other = side_by_side(
        python(_GRID.format(path=str(path), people=RESPONDENTS)),
        python(_OPENPYXL.format(path=str(path))),
    )
    name = f"XLSX, {RESPONDENTS:,} x {WIDE} / openpyxl, read-only"
    return report(name, ours.median / other.median, 1, "x", _note(ours, other, path))


def _memory(folder: Path, questions: Sequence[Question]) -> str:
    """The peak of inspecting a file of short answers beside that of pandas reading it."""
    path = folder / "dense.csv"
    asked = [question.id for question in questions if not _is_multiple(question)]
    draw = random.Random(3)  # noqa: S311  # a seeded survey
    people = ([f"R_{at:07d}", *draw.choices("12", k=len(asked))] for at in range(DENSE))
    _write(path, chain([["participant", *asked]], people))
    program = _INSPECT.format(folder=str(folder), file=path.name, people=DENSE)
    ours, pandas = side_by_side(python(program), python(_PANDAS.format(path=str(path))), runs=1)
    name = f"peak of inspecting {DENSE:,} x {len(asked)} / pandas"
    return report(name, ours.peak_mb / pandas.peak_mb, 1, "x", _note(ours, pandas, path))


def _note(ours: Figures, other: Figures, path: Path) -> str:
    size = path.stat().st_size / 1e6
    return (
        f"{ours.median:.2f} s / {other.median:.2f} s for {size:.0f} MB, "
        f"peak {ours.peak_mb:.0f} / {other.peak_mb:.0f} MB"
    )


def _questions() -> list[Question]:
    """Make questions whose columns are as many as the wide export has."""
    found: list[Question] = []
    columns = 1
    while columns < WIDE:
        several = len(found) % 3 == 0 and columns + 6 <= WIDE
        columns += 6 if several else 1
        size = 5 if several else 2
        roles = [Role.GROUP] * 5 if several else [Role.TARGET, Role.NON_TARGET]
        options = [
            Option(str(at + 1), (f"집단 {at + 1}",), roles[at], True, f"집단 {at + 1}")
            for at in range(size)
        ]
        options.append(Option("none", (), Role.NONE, False, "그런 고정관념은 없다"))
        kind = QuestionKind.SELECT_ALL if several else QuestionKind.CHOICE
        name = f"q-age-{len(found):08x}"
        found.append(Question(name, kind, "Age", f"고정관념 {len(found)}", tuple(options)))
    return found


def _is_multiple(question: Question) -> bool:
    return question.kind is QuestionKind.SELECT_ALL


def _columns(questions: Sequence[Question]) -> list[str]:
    names = ["id"]
    for question in questions:
        size = len(question.options) if _is_multiple(question) else 0
        names += [f"{question.id}_{at + 1}" for at in range(size)] or [question.id]
    return names


def _wide(questions: Sequence[Question]) -> Iterator[list[str]]:
    draw = random.Random(1)  # noqa: S311  # a seeded survey
    for person in range(RESPONDENTS):
        cells = [f"R_{person:05d}"]
        for question in questions:
            size = len(question.options)
            if _is_multiple(question):
                cells += [draw.choice("01") for _ in range(size)]
            else:
                cells.append(str(draw.randrange(size) + 1))
        yield cells


def _wide_mapping(questions: Sequence[Question]) -> Mapping:
    parts = [
        QuestionPart(
            id=question.id,
            kind=question.kind,
            options={str(at + 1): option.code for at, option in enumerate(question.options)},
            column=None if _is_multiple(question) else question.id,
            columns=f"{question.id}_{{code}}" if _is_multiple(question) else None,
        )
        for question in questions
    ]
    return Mapping(respondent=RespondentPart(id="id"), questions=tuple(parts))


def _long(questions: Sequence[Question]) -> Iterator[list[str]]:
    draw = random.Random(2)  # noqa: S311  # a seeded survey
    yield ["id", "question", "answer", "order", "seconds", "wave", "submitted", "remark"]
    for row in range(LONG // len(questions) * len(questions)):
        person, asked = divmod(row, len(questions))
        question = questions[asked]
        codes = [option.code for option in question.options]
        several = draw.sample(codes[:-1], 2) if _is_multiple(question) else [draw.choice(codes)]
        order = "|".join(draw.sample(codes, len(codes)))
        seconds = f"{draw.randrange(20, 200) / 10}"
        cells = [f"R_{person:05d}", question.id, ";".join(several), order, seconds]
        yield [*cells, "1", "2026-01-01", f"remark {row}"]


def _long_mapping() -> Mapping:
    return Mapping(
        respondent=RespondentPart(id="id"),
        attributes={"wave": "wave"},
        long=LongPart(
            question="question", answer="answer", joined=";", order="order", duration="seconds"
        ),
    )


def _write(path: Path, rows: Iterable[list[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows(rows)


def _write_book(path: Path, rows: Sequence[Sequence[str]]) -> None:
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    sheet = book.create_sheet("Data")
    for row in rows:
        sheet.append([int(cell) if cell.isdecimal() else cell for cell in row])
    book.save(path)
