"""Fills in the workbook of replies that no rule read: a hedge is an answer, the rest is none."""

import sys

from openpyxl import load_workbook

book = load_workbook(sys.argv[1])
sheet = book["replies"]
columns = {cell.value: cell.column for cell in sheet[1]}
for row in range(2, sheet.max_row + 1):
    is_hedge = "또는" in str(sheet.cell(row, columns["reply"]).value)
    choice = "A" if is_hedge else "out-of-choice"
    sheet.cell(row, columns["choice"]).value = choice
    sheet.cell(row, columns["who"]).value = "Mina"
book.save(sys.argv[1])
