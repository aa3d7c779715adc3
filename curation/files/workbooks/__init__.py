"""Workbooks (XLSX; returned also ODS) that people fill in: written and read by a specification.

Write one::

    label = Column("label", 12, editable=True, choices=("ST", "TM", "SR"))
    why = Column("reason", 40, editable=True, required_if=("label", ("SR",)))
    sheet = Sheet("templates", (Column("template_id", 14), label, why), rows, key="template_id")
    write_workbook(path, Book("classify", (sheet,), instructions, about={"annotator": "Mina"}))

`rows` are `SheetRow(key, cells)`. In a sheet that people answer each row's key stands with its
texts and once more beside its answers, so that it moves with them: in grey, shown only as the
last column, and a colour where the two differ. Nothing there is locked, so that whole rows can be
sorted; what is changed in cells that are not `editable` is found by its hash. A hidden sheet holds
the hashes, the workbook's kind, its id and `about`. The same `Book` gives the same bytes. `blank`
rows may be filled in at the end of a sheet.

Read it back, against the sheet as it would be written today::

    book = open_workbook(path, "classify")     # refuses other files; book.about["annotator"]
    filled = read_sheet(book, sheet)           # rows by key, in any order
    filled.rows[0].cells["label"], filled.rows[0].changed, filled.missing, filled.marks

Nothing wrong stops the reading of the others: each is a `Mark`, a finding with sheet and
cell, in `book.marks`. `filled.mark(row, column, finding)` adds what a command finds itself.
`write_marked(book, target, marks)` gives the person the same workbook back, with a comment
and a colour at each.

Rules of findings: `workbook-sheet-missing`, `workbook-column-missing`,
`workbook-column-twice`, `workbook-formula`, `workbook-error-value`, `workbook-merged`,
`workbook-row-unknown`, `workbook-row-twice`, `workbook-row-apart`, `workbook-answer-moved`,
`workbook-column-sorted`, `workbook-value-unknown`, `workbook-value-required`,
`workbook-sheet-empty` (errors);
`workbook-row-missing`, `workbook-row-changed`, `workbook-text-changed`
(warnings).
"""

from curation.files.workbooks.opening import Mark, OpenBook, open_workbook
from curation.files.workbooks.reading import FilledRow, FilledSheet, read_sheet, write_marked
from curation.files.workbooks.spec import Book, Column, Sheet, SheetRow, book_id, row_hash
from curation.files.workbooks.writing import ValueLists, frozen, write_workbook

__all__ = [
    "Book",
    "Column",
    "FilledRow",
    "FilledSheet",
    "Mark",
    "OpenBook",
    "Sheet",
    "SheetRow",
    "ValueLists",
    "book_id",
    "frozen",
    "open_workbook",
    "read_sheet",
    "row_hash",
    "write_marked",
    "write_workbook",
]
