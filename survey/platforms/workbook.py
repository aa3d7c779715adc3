"""A workbook to be filled in: a sheet a form, a row a respondent, drop-downs in every cell.

Its reader recognises the toolkit's own forms: this workbook with its three header rows, and the
table of a panel company.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from curation.files.atomic import write_file
from curation.files.tables import escape_formula
from survey.mapping import AttentionPart, QuestionPart, ReadPart, RespondentPart
from survey.mapping import Mapping as FileMapping
from survey.platforms import Head, Recognised, Start
from survey.platforms.kit import ATTENTION, FORM, RESPONDENT, FormItem, FormTexts, Instruction, Kit
from survey.readers.frames import Frame

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

    from curation.files.workbooks.writing import ValueLists

FILE = "forms.xlsx"
_WORK = "Steps of the workbook"
HEADER_ROWS = 3
"""Rows above the answers: the column's name, the question, the option."""
MARK = "x"
"""What marks a chosen option in a column of its own."""

_OPTION = 16
"""The width of the column of an option."""
_TOGETHER = 6
"""Options over which a question stands once: as many as are seen on a screen together."""
_WIDTHS = (34, 44, 56, 70, 90)
_LINES = 8
"""A question has as many lines, where its column can be made wide enough for them."""
_BOLD = 0.92
_INSTRUCTIONS, _INSTRUCTIONS_WIDTH = "instructions", 100


@dataclass(frozen=True, slots=True)
class _Column:
    """One column of a form: its name, what stands above it, and the values it takes."""

    name: str
    question: str = ""
    option: str = ""
    values: tuple[str, ...] = ()


def write(folder: Path, kit: Kit) -> list[Path]:
    """Write the workbook; the same survey gives the same bytes."""
    from openpyxl import Workbook

    from curation.files.workbooks.spec import LISTS
    from curation.files.workbooks.writing import ValueLists, fit_page, frozen, keep_together, turn

    book = Workbook()
    book.properties.creator = "curate"
    first = book.active
    assert first is not None  # noqa: S101  # a new workbook has a sheet
    book.remove(first)
    _write_instructions(book.create_sheet(_INSTRUCTIONS), kit)
    forms = [book.create_sheet(sheet.id) for sheet in kit.sheets]
    lists = ValueLists(book.create_sheet(LISTS))
    # They are written when all are laid out, which takes as long as that.
    kit.progress(_WORK, 0, 2 * len(forms))
    for done, (form, sheet) in enumerate(zip(forms, kit.sheets, strict=True), start=1):
        _write_form(form, list(_columns(kit, sheet)), kit.respondents, lists)
        kit.progress(_WORK, done, 2 * len(forms))
    lists.close()
    for sheet_of_book in book.worksheets:
        if kit.right_to_left:
            turn(sheet_of_book)
        fit_page(sheet_of_book)
    for form, sheet in zip(forms, kit.sheets, strict=True):
        parts = _over(list(_columns(kit, sheet)))
        keep_together(form, [(one + 1, end + 1) for one, end in parts])
    path = folder / FILE
    write_file(path, frozen(book))
    kit.progress(_WORK, 2 * len(forms), 2 * len(forms))
    return [path]


def _columns(kit: Kit, sheet: FormTexts) -> Iterator[_Column]:
    """The columns of a form, in the order of its questions and drawn options."""
    yield _Column(RESPONDENT, kit.words.fill("respondent"))
    instruction = ""
    for step in (*kit.attributes, *kit.steps(sheet)):
        if isinstance(step, Instruction):
            instruction = f"{step.text}\n\n"
            continue
        text = step.text
        if isinstance(step, FormItem):
            text, instruction = f"{instruction}{text}", ""
        if step.is_multiple:
            for at, (_, code, option) in enumerate(step.choices):
                asked = text if at % _TOGETHER == 0 else ""
                yield _Column(f"{step.name}_{code}", asked, option, (MARK,))
        else:
            yield _Column(step.name, text, values=tuple(text for _, _, text in step.choices))


def _write_instructions(sheet: "Worksheet", kit: Kit) -> None:
    from openpyxl.styles import Alignment, Font

    from curation.files.workbooks.writing import fit_height

    words = kit.words
    lines = [words.fill("title"), "", *_intros(kit), words.fill("consent"), words.fill("workbook")]
    kinds = {item.question.kind for form in kit.sheets for item in form.items}
    lines += [words.fill(f"instructions_{kind.value}") for kind in sorted(kinds)]
    lines.append(words.fill("thanks"))
    for row, line in enumerate(lines, start=1):
        cell = sheet.cell(row, 1, escape_formula(line))
        cell.alignment = Alignment(wrap_text=True, vertical="top")
        cell.font = Font(bold=row == 1, size=14 if row == 1 else 11)
        fit_height(sheet, row, [(line, _INSTRUCTIONS_WIDTH)])
    sheet.column_dimensions["A"].width = _INSTRUCTIONS_WIDTH
    sheet.protection.enable()


def _intros(kit: Kit) -> Iterator[str]:
    """Yield what each form is about and how long it takes, forms of like length together."""
    forms: dict[str, list[str]] = {}
    for sheet in kit.sheets:
        forms.setdefault(sheet.intro, []).append(sheet.id)
    for intro, names in forms.items():
        yield intro if len(forms) == 1 else f"{', '.join(names)}: {intro}"


def _width(column: _Column) -> int:
    """Wide enough that a question takes few lines: the answers below it stay on the screen."""
    from curation.files.workbooks.writing import lines_of

    if column.option:
        return _OPTION
    few = (width for width in _WIDTHS if lines_of(column.question, width * _BOLD) <= _LINES)
    return next(few, _WIDTHS[-1])


def _over(columns: Sequence[_Column]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last place of columns that one question stands over."""
    first = 0
    for at, column in enumerate((*columns, _Column("", "."))):
        if at and (column.question or not column.option):
            yield first, at - 1
            first = at


def _write_form(
    sheet: "Worksheet", columns: Sequence[_Column], respondents: int, lists: "ValueLists"
) -> None:
    from openpyxl.styles import Alignment, Border, Font, PatternFill, Protection, Side
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation

    from curation.files.workbooks.writing import fit_height

    wrap, bold = Alignment(wrap_text=True, vertical="top"), Font("Calibri", 11, bold=True)
    line = Border(bottom=Side("thin", "BFBFBF"), right=Side("thin", "BFBFBF"))
    paper, open_cell = PatternFill("solid", fgColor="FFF8E1"), Protection(locked=False)
    last = HEADER_ROWS + respondents
    drop_downs: dict[tuple[str, ...], DataValidation] = {}
    asked = [
        (columns[one].question, sum(map(_width, columns[one : end + 1])))
        for one, end in _over(columns)
    ]
    fit_height(sheet, 2, [(text, width * _BOLD) for text, width in asked])
    fit_height(sheet, 3, [(column.option, _width(column) * _BOLD) for column in columns])
    for at, column in enumerate(columns, start=1):
        for row, text in enumerate((column.name, column.question, column.option), start=1):
            cell = sheet.cell(row, at, escape_formula(text) or None)
            cell.alignment, cell.font, cell.border = wrap, bold, line
        for row in range(HEADER_ROWS + 1, last + 1):
            answer = sheet.cell(row, at)
            answer.fill, answer.protection, answer.number_format = paper, open_cell, "@"
            answer.border = line
        letter = get_column_letter(at)
        sheet.column_dimensions[letter].width = _width(column)
        if column.values:
            if column.values not in drop_downs:
                rule = DataValidation("list", formula1=lists.range_of(column.values))
                rule.showErrorMessage = True
                drop_downs[column.values] = rule
                sheet.add_data_validation(rule)
            drop_downs[column.values].add(f"{letter}{HEADER_ROWS + 1}:{letter}{last}")
    for one, end in _over(columns):
        if end > one:
            sheet.merge_cells(start_row=2, end_row=2, start_column=one + 1, end_column=end + 1)
    sheet.freeze_panes = f"B{HEADER_ROWS + 1}"
    sheet.protection.enable()


def mapping(kit: Kit, sheet: FormTexts) -> FileMapping:
    """Say how the filled-in sheet of a form is read."""
    expected = escape_formula(kit.check.options[kit.check.answer])
    return FileMapping(
        preset="workbook",
        read=ReadPart(header_rows=HEADER_ROWS, sheet=sheet.id),
        respondent=RespondentPart(id=RESPONDENT, form=sheet.id),
        attention=(AttentionPart(column=ATTENTION, expect=(expected,)),),
        attributes=kit.attribute_parts(lambda choice: escape_formula(choice[2])),
        questions=tuple(_part(sheet, item) for item in sheet.items),
    )


def _part(sheet: FormTexts, item: FormItem) -> QuestionPart:
    if not item.is_multiple:
        options = item.question.options
        texts = {escape_formula(option.text): option.code for option in options}
        return item.part((sheet,), options=texts)
    columns = f"{item.code}_{{code}}"
    return item.part((sheet,), columns=columns, selected=(MARK,), not_selected=("",))


_SEVERAL = (
    "the file holds several forms, so that an empty cell is taken for a question of another form; "
    "to tell who left one unanswered, name the forms that ask each question in its 'asked', and "
    "add '' to 'missing'"
)


def recognise(head: Head) -> Recognised | None:
    """Say whether the file is a form of ours that was filled in."""
    names = head.row(1)
    if not names or names[0] != RESPONDENT or "question_id" in names:
        return None
    below = [head.row(number)[:1] for number in (2, 3)]
    if head.source.kind == "workbook" and below[0] != ("",) and below[1] == ("",):
        reasons = ("the first column is respondent_id", "rows 2 and 3 hold questions and options")
        return Recognised("workbook", reasons, header_rows=3)
    if own := [name for name in ("form", "attention") if name in names]:
        return Recognised("panel", (f"the first columns are respondent_id, {', '.join(own)}",))
    return None


def prepare(frame: Frame) -> Frame:
    """Let a question go on over its options, above which its cell is empty."""
    if len(frame.heads) < 3:
        return frame
    names, questions, options = frame.heads
    filled = list(questions)
    for at in range(1, len(filled)):
        filled[at] = filled[at] or (filled[at - 1] if options[at] else "")
    return replace(frame, heads=(names, tuple(filled), options))


def start(frame: Frame) -> Start:
    """Begin a mapping: x marks what is chosen; an empty cell may be of another form."""
    forms = [form for form in frame.values(FORM) if form] if FORM in frame.titles else []
    several = len(forms) > 1
    return Start(
        respondent=RespondentPart(id=RESPONDENT),
        selected=("x", "X", "1"),
        not_selected=("", "0"),
        missing=("-99",) if several else ("", "-99"),
        writes_codes=True,
        notes=(_SEVERAL,) if several else (),
    )
