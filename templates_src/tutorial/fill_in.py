"""Fill in a workbook of the tutorial, as a person would do it in a spreadsheet.

    python3 fill_in.py SHEET.xlsx ANSWERS.csv OUT.xlsx

The first column of ANSWERS names the row, by what stands in the sheet's column of that name;
the other columns are written into the sheet's columns of theirs.
"""

import csv
import sys
from pathlib import Path

import openpyxl


def fill_in(sheet: str, answers: str, out: str) -> int:
    """Write answers into the second sheet of a workbook; give how many rows were filled in."""
    with open(answers, encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    key, *columns = rows[0]
    book = openpyxl.load_workbook(sheet)
    page = book.worksheets[1]
    place = {cell.value: cell.column for cell in page[1]}
    by_key = {row[key]: row for row in rows}
    filled = 0
    for number in range(2, page.max_row + 1):
        answer = by_key.get(page.cell(number, place[key]).value)
        for column in columns if answer else ():
            page.cell(number, place[column]).value = answer[column] or None
        filled += answer is not None
    Path(out).parent.mkdir(parents=True, exist_ok=True)
    book.save(out)
    return filled


if __name__ == "__main__":
    print(f"{fill_in(*sys.argv[1:4])} rows filled in: {sys.argv[3]}")
