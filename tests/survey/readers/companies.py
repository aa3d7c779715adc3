"""Files as panel companies and people with spreadsheets give them, with their mappings."""

from collections.abc import Sequence
from pathlib import Path

from survey.mapping import LongPart, Mapping, QuestionPart, ReadPart, RespondentPart
from tests.survey.readers.platforms import (
    Rows,
    _boxes,
    _shown,
    boxes_mapping,
    is_multiple,
    label,
    labels,
    put,
    tag,
    text,
)
from tests.survey.readers.population import QUESTIONS, Person


def panel_rows(persons: Sequence[Person]) -> Rows:
    """Numbers of options; 1 and 0 where there are several; empty where nobody answered."""
    names = ["respondent_id"]
    for question in QUESTIONS:
        size = len(question.options) if is_multiple(question) else 0
        names += [f"{tag(question)}_{at + 1}" for at in range(size)] or [tag(question)]
    rows = [names]
    for person in persons:
        cells = [person.id]
        for question in QUESTIONS:
            cells += _boxes(question, person.answers[question.id], "1", "0", "")
        rows.append(cells)
    return rows


def write_panel(path: Path, persons: Sequence[Person], **how: str) -> None:
    """As text."""
    put(path, panel_rows(persons), **how)


def write_book(path: Path, sheets: dict[str, Rows]) -> None:
    """Write a workbook; cells of digits become numbers, as in a company's export."""
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append([int(cell) if cell.isdecimal() else cell or None for cell in row])
    book.save(path)


def codebook() -> Rows:
    """The codes, the variable in the first row of each alone."""
    rows = [["변수명", "문항", "코드", "보기"]]
    for question in QUESTIONS:
        for at, option in enumerate(question.options):
            if is_multiple(question):
                about = f"{text(question)} - {option.text}"
                rows.append([f"{tag(question)}_{at + 1}", about, "1", option.text])
            else:
                first = [tag(question), text(question)] if at == 0 else ["", ""]
                rows.append([*first, str(at + 1), option.text])
    return rows


def write_panel_book(path: Path, persons: Sequence[Person]) -> None:
    """A workbook with a codebook sheet."""
    write_book(path, {"Data": panel_rows(persons), "코드북": codebook()})


def panel_mapping(**read: object) -> Mapping:
    """How it is read: an empty cell is no answer."""
    return boxes_mapping(
        "panel",
        "{tag}_{code}",
        "respondent_id",
        selected=("1",),
        not_selected=("0",),
        missing=("",),
        read=ReadPart(**read),
    )


def write_sav(path: Path, persons: Sequence[Person]) -> None:
    """SPSS: missing by the system is not shown, -99 is not answered."""
    import pandas
    import pyreadstat

    columns: dict[str, list[object]] = {"respondent_id": [], "gender": []}
    names: dict[str, str] = {"respondent_id": "응답자", "gender": "성별"}
    values: dict[str, dict[float, str]] = {}
    for person in persons:
        columns["respondent_id"].append(person.id)
        columns["gender"].append(person.gender)
    for question in QUESTIONS:
        several = is_multiple(question)
        size = len(question.options) if several else 1
        titles = [f"{tag(question)}_{at + 1}" if several else tag(question) for at in range(size)]
        cells = [
            _boxes(question, person.answers.get(question.id), "1", "0", "-99") for person in persons
        ]
        for at, title in enumerate(titles):
            columns[title] = [float(row[at]) if row[at] else None for row in cells]
            names[title] = text(question) + (f" - {label(question, at)}" if several else "")
            options = range(len(question.options))
            values[title] = (
                {1.0: "선택"} if several else {at + 1.0: label(question, at) for at in options}
            )
    pyreadstat.write_sav(
        pandas.DataFrame(columns), str(path), column_labels=names, variable_value_labels=values
    )


def sav_mapping() -> Mapping:
    """How it is read."""
    return boxes_mapping(
        "spss",
        "{tag}_{code}",
        "respondent_id",
        not_selected=("0",),
        attributes={"gender": "gender"},
    )


def write_workbook(path: Path, persons: Sequence[Person]) -> None:
    """The toolkit's own form: three header rows, texts in cells, x where an option is chosen."""
    names, asked, options = ["respondent_id"], ["응답자 번호"], [""]
    for question in QUESTIONS:
        several = is_multiple(question)
        for at in range(len(question.options) if several else 1):
            code = question.options[at].code
            names.append(f"{tag(question)}_{code}" if several else tag(question))
            asked.append("" if at else text(question))
            options.append(escaped(label(question, at)) if several else "")
    rows = [names, asked, options]
    for person in persons:
        cells = [person.id]
        for question in QUESTIONS:
            chosen = person.answers[question.id].chosen
            if is_multiple(question):
                cells += ["x" if at in chosen else "" for at in range(len(question.options))]
            else:
                cells.append(escaped(label(question, chosen[0])) if chosen else "")
        rows.append(cells)
    write_book(path, {"안내": [["이 설문은 ..."]], "f01": rows})


def escaped(cell: str) -> str:
    """A text as a spreadsheet shows it and does not run it."""
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@")) else cell


def workbook_mapping() -> Mapping:
    """How it is read."""
    parts = []
    for question in QUESTIONS:
        place: dict[str, object] = {
            "column": tag(question),
            "options": {escaped(key): code for key, code in labels(question).items()},
        }
        if is_multiple(question):
            place = {
                "columns": f"{tag(question)}_{{code}}",
                "options": {option.code: option.code for option in question.options},
                "selected": ("x",),
                "not_selected": ("",),
            }
        parts.append(QuestionPart(id=question.id, kind=question.kind, missing=("",), **place))
    return Mapping(
        preset="workbook",
        read=ReadPart(header_rows=3, sheet="f01"),
        respondent=RespondentPart(id="respondent_id"),
        questions=tuple(parts),
    )


def write_long(path: Path, persons: Sequence[Person]) -> None:
    """A row a respondent and question; several options joined by semicolons."""
    rows = [["참가자", "문항", "응답", "순서", "초"]]
    for person in persons:
        for question in QUESTIONS:
            if (answer := person.answers.get(question.id)) is not None:
                chosen = "; ".join(label(question, at) for at in answer.chosen)
                shown = _shown(question, answer)
                rows.append([person.id, tag(question), chosen, shown, f"{answer.seconds:g}"])
    put(path, rows, delimiter="\t", encoding="utf-16")


def long_mapping() -> Mapping:
    """How it is read."""
    return Mapping(
        respondent=RespondentPart(id="참가자"),
        long=LongPart(question="문항", answer="응답", joined=";", order="순서", duration="초"),
        questions=tuple(
            QuestionPart(
                id=question.id,
                kind=question.kind,
                column=tag(question),
                options=labels(question)
                | {option.code: option.code for option in question.options},
            )
            for question in QUESTIONS
        ),
    )


def write_option_rows(path: Path, persons: Sequence[Person]) -> None:
    """A row for each chosen option; one with an empty answer where nothing was chosen."""
    rows = [["id", "question", "answer"]]
    for person in persons:
        for question in QUESTIONS:
            if (answer := person.answers.get(question.id)) is not None:
                chosen = [question.options[at].code for at in answer.chosen]
                rows += [[person.id, question.id, code] for code in chosen or [""]]
    put(path, rows, delimiter=";", line_end="\r")


def option_rows_mapping() -> Mapping:
    """How it is read: ids and codes are the questionnaire's."""
    return Mapping(
        respondent=RespondentPart(id="id"),
        long=LongPart(question="question", answer="answer", row="option"),
    )
