"""Fills in a workbook.

    fill.py FILE SHEET COLUMN ROW=TEXT ...

ROW is the first cell of a row, `#8` for the eighth row, or `*` for all others.
"""

import sys

from openpyxl import load_workbook

path, sheet, column, *cells = sys.argv[1:]
book = load_workbook(path)
columns = {cell.value: cell.column for cell in book[sheet][1]}
texts = dict(cell.split("=", 1) for cell in cells)
for row in range(2, book[sheet].max_row + 1):
    first = str(book[sheet].cell(row, 1).value)
    text = texts.get(first, texts.get(f"#{row - 1}", texts.get("*")))
    if text is not None:
        book[sheet].cell(row, columns[column]).value = text
book.save(path)
