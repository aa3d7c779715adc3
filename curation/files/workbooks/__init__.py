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
the hashes, the workbook's kind and `about`. The same `Book` gives the same bytes. `blank`
rows may be filled in at the end of a sheet.

Read it back, against the sheet as it would be written today::

    book = open_workbook(path, "classify")     # refuses other files; book.about["annotator"]
    filled = read_sheet(book, sheet)           # rows by key, in any order
    filled.rows[0].cells["label"], filled.rows[0].changed, filled.marks

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

from curation.files.workbooks.opening import Mark as Mark
from curation.files.workbooks.opening import OpenBook as OpenBook
from curation.files.workbooks.opening import open_workbook as open_workbook
from curation.files.workbooks.reading import FilledRow as FilledRow
from curation.files.workbooks.reading import FilledSheet as FilledSheet
from curation.files.workbooks.reading import read_sheet as read_sheet
from curation.files.workbooks.reading import write_marked as write_marked
from curation.files.workbooks.spec import Book as Book
from curation.files.workbooks.spec import Column as Column
from curation.files.workbooks.spec import Sheet as Sheet
from curation.files.workbooks.spec import SheetRow as SheetRow
from curation.files.workbooks.spec import row_hash as row_hash
from curation.files.workbooks.writing import ValueLists as ValueLists
from curation.files.workbooks.writing import frozen as frozen
from curation.files.workbooks.writing import write_workbook as write_workbook
