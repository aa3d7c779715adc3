"""An invented questionnaire, and how files are written."""

import csv

from openpyxl import Workbook

from curation.records.survey import Option, Question, QuestionKind, Role


def _select_all(number, stereotype, groups):
    options = [
        Option(str(at), members, Role.GROUP, True, ", ".join(members))
        for at, members in enumerate(groups, start=1)
    ]
    options.append(Option("none", (), Role.NONE, False, "그런 고정관념은 없다"))
    return Question(
        f"q-age-0000000{number}", QuestionKind.SELECT_ALL, "Age", stereotype, tuple(options)
    )


def _choice(number, stereotype, target, other):
    options = (
        Option("1", target, Role.TARGET, True, ", ".join(target)),
        Option("2", other, Role.NON_TARGET, True, ", ".join(other)),
        Option("none", (), Role.NONE, False, "그런 고정관념은 없다"),
    )
    return Question(f"q-age-0000000{number}", QuestionKind.CHOICE, "Age", stereotype, options)


QUESTIONS = (
    _select_all(1, "단것을 좋아한다", [("노인",), ("청년", "중년"), ("어린이",), ("교사, 강사",)]),
    _choice(2, "아침 일찍 장을 본다", ("노인",), ("청소년",)),
    _choice(3, "사진부터 찍는다", ("청년", "중년"), ("노인",)),
    _choice(4, "사진부터 찍는다", ("청년",), ("노인",)),
    Question(
        "q-age-00000005",
        QuestionKind.COMPREHENSION,
        "Age",
        "",
        (
            Option("1", (), Role.CORRECT, True, "할머니"),
            Option("2", (), Role.WRONG, True, "손자"),
            Option("3", (), Role.WRONG, True, "알 수 없음"),
        ),
        "age-001",
    ),
    _select_all(6, "우산을 자주 잃어버린다", [("Bakers",), ("Bakers", "Millers"), ("-18세",)]),
)
"""With options that hold commas, begin as formulas do, are part of one another, and share a
stereotype with another question."""


def put(path, rows, **how):
    with path.open("w", encoding=how.pop("encoding", "utf-8"), newline="") as stream:
        csv.writer(stream, **{"lineterminator": "\n", **how}).writerows(rows)
    return path


def put_book(path, **sheets):
    book = Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path
