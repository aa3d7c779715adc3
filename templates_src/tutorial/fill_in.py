"""Fill in a workbook of the tutorial, as a person would do it in a spreadsheet.

    python3 fill_in.py WORKBOOK.xlsx ANSWERS.csv OUT.xlsx [SHEET]

The first column of ANSWERS names the row, by what stands in the sheet's column of that name;
the other columns are written into the sheet's columns of theirs. Where the named SHEET has empty
rows, every row of ANSWERS is written into the next one.
"""

import csv
import sys
from pathlib import Path

import openpyxl


def fill_in(workbook: str, answers: str, out: str, sheet: str = "") -> int:
    """Write answers into a sheet of a workbook, the second one; give how many rows they fill."""
    with open(answers, encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    key, *columns = rows[0]
    empty = iter(rows)
    book = openpyxl.load_workbook(workbook)
    page = book[sheet] if sheet else book.worksheets[1]
    place = {cell.value: cell.column for cell in page[1]}
    by_key = {row[key]: row for row in rows}
    if has_empty := page.cell(page.max_row, place[key]).value is None:
        columns = list(rows[0])
    filled = 0
    for number in range(2, page.max_row + 1):
        named = page.cell(number, place[key]).value
        answer = by_key.get(named)
        if has_empty:
            answer = None if named else next(empty, None)
        for column in columns if answer else ():
            page.cell(number, place[column]).value = answer[column] or None
        filled += answer is not None
    Path(out).parent.mkdir(parents=True, exist_ok=True)
    book.save(out)
    return filled


if __name__ == "__main__":
    print(f"{fill_in(*sys.argv[1:])} rows filled in: {sys.argv[3]}")
