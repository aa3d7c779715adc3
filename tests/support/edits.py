"""Edits that people make in workbooks, at random, and what is then read of them.

An edit moves cells. What a person wrote belongs to the row in which they wrote it, so whatever an
edit does, an answer that is read must be that of its row, or the workbook must be refused.
"""

import random
from dataclasses import dataclass, replace

from curation.annotation.drafts import judged_sheet
from curation.annotation.groups import added_sheet, edited_sheet, moved_sheet
from curation.annotation.labels import agenda_sheet, classify_sheet
from curation.annotation.newtemplates import new_sheet
from curation.annotation.translation.handed import (
    other_texts_sheet,
    translation_sheet,
    wording_sheet,
)
from curation.files.workbooks import (
    Book,
    Sheet,
    SheetRow,
    open_workbook,
    read_sheet,
    write_workbook,
)
from curation.files.workbooks.spec import tints_of
from curation.files.workbooks.writing import tint
from curation.records.bank import Bank
from curation.records.messages import Severity
from evaluation.replies.rows import REPLIES, reply_columns
from evaluation.stories.building import edit_sheet
from evaluation.stories.readers import passage_sheet

ROWS = 40


class Cell(str):
    """A text and the colours of its cell: spreadsheets move and copy both, as LibreOffice shows."""

    tints = None

    @classmethod
    def of(cls, text, tints):
        cell = cls(text)
        cell.tints = tints
        return cell


Grid = list[list[str | None]]
"""The cells of a sheet, the header among them."""
Truth = dict[str, dict[str, str]]
"""By key and column what a person wrote."""


def with_rows(sheet, count=ROWS):
    """The sheet with rows in which every text is another one."""
    rows = []
    for at in range(count):
        key = f"craft-{at:03}" if sheet.key else f"{at * 7919 % 1000:03}/craft {at}"
        cells = {c.name: f"{c.name} {at * 37 % count}" for c in sheet.columns if not c.editable}
        rows.append(SheetRow(key, cells | ({sheet.key: key} if sheet.key else {})))
    return replace(sheet, rows=tuple(rows))


def _groups():
    sheet = edited_sheet(())
    parents = ("North", "South", "East")
    columns = (replace(c, choices=parents) if c.name == "parent" else c for c in sheet.columns)
    return replace(sheet, columns=tuple(columns))


SHEETS = {
    "classify": with_rows(classify_sheet(())),
    "agenda": with_rows(agenda_sheet((), ())),
    "groups": with_rows(_groups()),
    "moved": with_rows(moved_sheet(Bank(), str)),
    "judge": with_rows(judged_sheet(())),
    "translate": with_rows(translation_sheet((), {})),
    "wording": with_rows(wording_sheet((), ())),
    "unreadable": with_rows(Sheet(REPLIES, reply_columns(3))),
    "passages": with_rows(passage_sheet(())),
    "stories": with_rows(edit_sheet((), ())),
}
"""By workbook the sheet of it in which rows are answered."""

ADDED = {
    "new": new_sheet(()),
    "new groups": added_sheet(()),
    "other texts": other_texts_sheet(),
}
"""By workbook the sheet of it of which the rows are empty."""


@dataclass
class Edited:
    """A sheet that a person has filled in and changes.

    Attributes:
        sheet: The sheet as it was handed out.
        grid: Its cells.
        chance: What decides.
        truth: What was written, by key.
        gone: Keys of rows that were taken out.
    """

    sheet: Sheet
    grid: Grid
    chance: random.Random
    truth: Truth
    gone: set[str]

    def __post_init__(self):
        self.laid = list(self.sheet.laid_out())

    @property
    def names(self):
        return [str(cell or "") for cell in self.grid[0]]

    def places(self, names):
        return [self.names.index(name) for name in names if name in self.names]

    def runs(self):
        """Answers with the key beside them, of one key or of all that stand side by side."""
        runs = [
            sorted(self.places([column.name, *column.key_of]))
            for column in self.laid
            if column.key_of
        ]
        return [*runs, list(range(min(map(min, runs)), max(map(max, runs)) + 1))]

    def answers(self):
        return self.places([column.name for column in self.laid if column.editable])

    def sort(self, columns, first, last, by):
        """Sort some columns of some rows as spreadsheets do: empty cells are last."""
        there = [self.grid[row] for row in range(first, last + 1)]
        empty = [row for row in there if not row[by]]
        full = [row for row in there if row[by]]
        full.sort(key=lambda row: str(row[by]).casefold(), reverse=self.chance.random() < 0.3)
        moved = [[row[at] for at in columns] for row in (*full, *empty)]
        for row, cells in zip(there, moved, strict=True):
            for at, cell in zip(columns, cells, strict=True):
                row[at] = cell

    def some_rows(self):
        first, last = sorted(self.chance.sample(range(1, len(self.grid)), 2))
        return first, last


def _all(one):
    return 1, len(one.grid) - 1


def sort_table(one):
    every = list(range(len(one.names)))
    one.sort(every, *_all(one), one.chance.choice(every))


def sort_part_of_rows(one):
    every = list(range(len(one.names)))
    one.sort(every, *one.some_rows(), one.chance.choice(every))


def sort_answers(one):
    run = one.chance.choice(one.runs())
    one.sort(run, *_all(one), one.chance.choice(run))


def sort_block(one):
    first, last = sorted(one.chance.sample(range(len(one.names)), 2))
    block = list(range(first, last + 1))
    one.sort(block, *_all(one), one.chance.choice(block))


def sort_one_column(one):
    """Sort a column of answers alone, though the program asks first."""
    at = one.chance.choice(one.answers())
    one.sort([at], *_all(one), at)


def sort_one_column_of_some_rows(one):
    at = one.chance.choice(one.answers())
    one.sort([at], *one.some_rows(), at)


def move_one_answer(one):
    """Cut an answer, without its key, and paste it into another row."""
    at = one.chance.choice(one.answers())
    start, to = one.chance.sample([n for n in range(1, len(one.grid)) if one.grid[n][at]], 2)
    one.grid[to][at], one.grid[start][at] = one.grid[start][at], None


def paste_one_column_elsewhere(one):
    """Copy answers of one column, without their keys, beside other rows."""
    at = one.chance.choice(one.answers())
    first, last = one.some_rows()
    cells = [row[at] for row in one.grid[first : last + 1]]
    to = one.chance.choice([row for row in range(1, len(one.grid) - 1) if row != first])
    pasted = [*zip(one.grid[to:], cells, strict=False)]
    is_one = len({str(cell or "") for _, cell in pasted}) == 1
    for row, cell in pasted:
        row[at] = cell
        if is_one:  # as filled down
            _mean(one, row, at)


def shift_one_column_down(one):
    at = one.chance.choice(one.answers())
    first = one.chance.randint(1, len(one.grid) - 1)
    one.grid.append([None] * len(one.names))
    for row in range(len(one.grid) - 1, first, -1):
        one.grid[row][at] = one.grid[row - 1][at]
    one.grid[first][at] = None


def sort_texts(one):
    told = one.places([column.name for column in one.sheet.columns if not column.editable])
    first = one.chance.choice(told)
    block = [first]
    while block[-1] + 1 < len(one.names) and block[-1] + 1 not in one.answers():
        block.append(block[-1] + 1)
    one.sort(block, *_all(one), one.chance.choice(block))


def filter_and_sort(one):
    at = one.chance.choice(one.answers())
    values = [row[at] for row in one.grid[1:]]
    shown = one.chance.choice(values)
    rows = [number for number, value in enumerate(values, start=1) if value == shown]
    there = [one.grid[row] for row in rows]
    one.chance.shuffle(there)
    for row, cells in zip(rows, there, strict=True):
        one.grid[row] = cells


def cut_and_paste(one):
    run = one.chance.choice(one.runs())
    start, to = one.chance.sample(range(1, len(one.grid)), 2)
    for at in run:
        one.grid[to][at], one.grid[start][at] = one.grid[start][at], None


def copy_down(one):
    run = one.chance.choice(one.runs())
    first, last = one.some_rows()
    for row in range(first, min(last, first + 5) + 1):
        for at in run:
            one.grid[row][at] = one.grid[first][at]


def shift_down(one):
    """Insert cells above answers and their key, so that those below move down."""
    run = one.chance.choice(one.runs())
    first = one.chance.randint(1, len(one.grid) - 1)
    one.grid.append([None] * len(one.names))
    for row in range(len(one.grid) - 1, first, -1):
        for at in run:
            one.grid[row][at] = one.grid[row - 1][at]
    for at in run:
        one.grid[first][at] = None


def _mean(one, row, at):
    """Let an answer be what its row is to say."""
    key = str(row[one.names.index(one.sheet.row_key)] or "")
    if key in one.truth:
        one.truth[key][one.names[at]] = str(row[at] or "")


def fill_answer_down(one):
    """Give some rows the same answer: that is what is meant."""
    at = one.chance.choice(one.answers())
    first, last = one.some_rows()
    for row in one.grid[first : last + 1]:
        row[at] = one.grid[first][at]
        _mean(one, row, at)


def paste_without_key(one):
    """Paste answers over others, key and all, of a table without keys."""
    keys = [at for at in one.chance.choice(one.runs()) if at not in one.answers()]
    for row in one.chance.sample(range(1, len(one.grid)), 3):
        for at in keys:
            one.grid[row][at] = None


def insert_rows(one):
    for _ in range(one.chance.randint(1, 3)):
        one.grid.insert(one.chance.randint(1, len(one.grid)), [None] * len(one.names))
    if one.chance.random() < 0.5:
        row = one.chance.randint(1, len(one.grid))
        cells = [None] * len(one.names)
        cells[one.chance.choice(one.answers())] = "ST"
        one.grid.insert(row, cells)


def delete_rows(one):
    key = one.names.index(one.sheet.row_key)
    for _ in range(one.chance.randint(1, 5)):
        row = one.grid.pop(one.chance.randint(1, len(one.grid) - 1))
        one.gone.add(str(row[key] or ""))


def copy_row(one):
    row = one.chance.randint(1, len(one.grid) - 1)
    one.grid.insert(one.chance.randint(1, len(one.grid)), list(one.grid[row]))


def insert_column(one):
    at = one.chance.randint(0, len(one.names))
    for number, row in enumerate(one.grid):
        row.insert(at, f"mine {number}" if one.chance.random() < 0.5 else None)


def delete_column(one):
    at = one.chance.randrange(len(one.names))
    for row in one.grid:
        del row[at]


def move_columns(one):
    order = list(range(len(one.names)))
    one.chance.shuffle(order)
    one.grid[:] = [[row[at] for at in order] for row in one.grid]


def clear_answers(one):
    run = one.chance.choice(one.runs())
    row = one.grid[one.chance.randint(1, len(one.grid) - 1)]
    key = str(row[one.names.index(one.sheet.row_key)] or "")
    for at in run:
        row[at] = None
        if key in one.truth:
            one.truth[key].pop(one.names[at], None)


EDITS = (
    *(sort_table, sort_part_of_rows, filter_and_sort, sort_answers),
    *(sort_block, sort_one_column, sort_texts, cut_and_paste, copy_down, shift_down),
    *(sort_one_column_of_some_rows, move_one_answer, paste_one_column_elsewhere),
    shift_one_column_down,
    *(fill_answer_down, paste_without_key, clear_answers),
    *(insert_rows, delete_rows, copy_row, insert_column, delete_column, move_columns),
)


def filled(sheet, chance):
    """Answers of a person, to most of the rows; each text is another one."""
    share = chance.choice((0.6, 0.9, 1.0))
    truth = {}
    for row in sheet.rows:
        truth[row.key] = {}
        if chance.random() < share:
            for column in sheet.columns:
                if column.editable:
                    truth[row.key][column.name] = _answer(column, chance)
    return truth


def _answer(column, chance):
    if column.choices:
        return chance.choice(column.choices)
    return f"{column.name} {chance.randrange(10**6)}"


def edited(handed, sheet, seed, edits):
    """Fill in a workbook that was handed out, and change it.

    Args:
        handed: The workbook, which is changed itself.
        sheet: Its sheet.
        seed: What decides what is written, and where it is changed.
        edits: What is changed, in order.
    """
    chance = random.Random(seed)  # noqa: S311  # a seeded draw
    truth = added(sheet) if sheet.blank else filled(sheet, chance)
    laid = [column.name for column in sheet.laid_out()]
    keys = {column.name for column in sheet.laid_out() if column.key_of is not None}
    asked = {column.name for column in sheet.columns if column.editable}
    grid = [[*laid]]
    rows = sheet.rows or [SheetRow(key, {}) for key in truth]
    for row, tints in zip(rows, tints_of(len(sheet.hashes), handed.hashes), strict=False):
        cells = {**row.cells, **truth[row.key]}
        cells |= {name: Cell.of(cells.get(name, ""), tints) for name in asked}
        grid.append([row.key if name in keys else cells.get(name) for name in laid])
    one = Edited(sheet, grid, chance, truth, set())
    for edit in edits:
        edit(one)
    page = handed.file[sheet.name]
    page.delete_rows(1, page.max_row)
    for number, cells_of_row in enumerate(one.grid, start=1):
        page.append([text or None for text in cells_of_row])
        for at, text in enumerate(cells_of_row, start=1):
            if isinstance(text, Cell):
                tint(page.cell(number, at), text.tints)
    return one


def handed_out(path, sheet):
    write_workbook(path, Book("classify", (sheet,), about={"annotator": "Mina"}))
    return open_workbook(path, "classify")


def added(sheet):
    """The cells of a sheet of empty rows, each filled in, by the place of the row."""
    return {at: {c.name: f"{c.name} {at * 37 % ROWS}" for c in sheet.columns} for at in range(20)}


def added_outcome(book, sheet):
    """What is read of rows that `added` filled in; as `outcome`, of rows with cells of several."""
    book.marks.clear()
    found = read_sheet(book, sheet)
    errors = [m for m in found.marks if m.finding.rule.startswith("workbook-answer")]
    rows = [{text.rpartition(" ")[2] for text in row.cells.values() if text} for row in found.rows]
    wrong = [numbers for numbers in rows if len(numbers) > 1]
    return ("WRONG" if wrong else "refused" if errors else "right"), wrong


def outcome(book, one):
    """What is read of a workbook, compared with what was written.

    Returns:
        `right`, `refused` or `WRONG`; and the answers at another row, or of which nothing is said
        though they are gone.
    """
    book.marks.clear()
    found = read_sheet(book, one.sheet)
    errors = [mark for mark in found.marks if mark.finding.severity is Severity.ERROR]
    wrong_cells = {mark.cell for mark in errors}
    asked = [column.name for column in one.sheet.columns if column.editable]
    wrong = []
    for row in found.rows:
        written = one.truth.get(row.key, {})
        for name in asked:
            text = row.cells[name].strip()
            cell = f"{found.letters[name]}{row.row}"
            same = text == written.get(name, "")
            if not same and cell not in wrong_cells and (text or not errors):
                wrong.append(f"{row.key} {name}: '{text}'")
    read = {row.key for row in found.rows}
    lost = {key for key, cells in one.truth.items() if cells} - read - one.gone
    if lost and not any(
        mark.finding.rule == "workbook-row-missing" or mark in errors for mark in found.marks
    ):
        wrong += sorted(lost)
    if errors and not any(mark.cell for mark in errors) and "column" not in errors[0].finding.rule:
        wrong.append("no row is named")
    return ("WRONG" if wrong else "refused" if errors else "right"), wrong
