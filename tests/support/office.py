"""Edits workbooks in LibreOffice: run by a Python that has its `uno`, beside an open office.

    python3 office.py PIPE

Each line of the input is a job: the file, where its copy goes, and by sheet the cells that a person
fills in, by column, and what is done then with which cells. A line says that it is done.
"""

import json
import os
import sys
import time
from pathlib import Path

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException
from com.sun.star.sheet.FillDateMode import FILL_DATE_DAY
from com.sun.star.sheet.FillDirection import TO_BOTTOM
from com.sun.star.sheet.FillMode import SIMPLE
from com.sun.star.table import TableSortField

FILTERS = {".xlsx": "Calc MS Excel 2007 XML", ".ods": "calc8"}


def desktop(pipe):
    """The office that listens on a pipe; it takes a while to start."""
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstance("com.sun.star.bridge.UnoUrlResolver")
    for _ in range(120):
        try:
            found = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
        except NoConnectException:
            time.sleep(0.5)
        else:
            return found.ServiceManager.createInstance("com.sun.star.frame.Desktop")
    raise SystemExit("LibreOffice does not answer")


def value(name, what):
    return PropertyValue(Name=name, Value=what)


def sort(sheet, cells, by):
    """Sort some cells by one of their columns, as Data > Sort does."""
    field = TableSortField(Field=by, IsAscending=True)
    fields = uno.Any("[]com.sun.star.table.TableSortField", (field,))
    area = sheet.getCellRangeByName(cells)
    area.sort((value("SortFields", fields), value("ContainsHeader", False)))


def move(sheet, cells, to):
    address = sheet.getCellRangeByName(to).getCellAddress()
    sheet.moveRange(address, sheet.getCellRangeByName(cells).getRangeAddress())


def copy(sheet, cells, to):
    address = sheet.getCellRangeByName(to).getCellAddress()
    sheet.copyRange(address, sheet.getCellRangeByName(cells).getRangeAddress())


def insert_rows(sheet, at, count):
    sheet.Rows.insertByIndex(at, count)


def delete_rows(sheet, at, count):
    sheet.Rows.removeByIndex(at, count)


def fill_down(sheet, cells):
    sheet.getCellRangeByName(cells).fillSeries(TO_BOTTOM, SIMPLE, FILL_DATE_DAY, 0, 0)


EDITS = {one.__name__: one for one in (*(sort, move, copy, fill_down, insert_rows, delete_rows),)}


def fill(sheet, columns):
    """Write texts below the header, by the letter of their column."""
    for letter, texts in columns.items():
        area = sheet.getCellRangeByName(f"{letter}2:{letter}{len(texts) + 1}")
        area.setDataArray(tuple((text,) for text in texts))


if __name__ == "__main__":
    office = desktop(sys.argv[1])
    for line in sys.stdin:
        job = json.loads(line)
        url = Path(job["file"]).as_uri()
        book = office.loadComponentFromURL(url, "_blank", 0, (value("Hidden", True),))
        for name, work in job["sheets"].items():
            fill(book.Sheets.getByName(name), work["filled"])
            for edit, arguments in work["edits"]:
                EDITS[edit](book.Sheets.getByName(name), *arguments)
        target = Path(job["to"])
        book.storeToURL(target.as_uri(), (value("FilterName", FILTERS[target.suffix]),))
        book.close(True)
        sys.stdout.write("done\n")
        sys.stdout.flush()
    office.terminate()
    os._exit(0)  # the bridge to an office that is gone may crash the interpreter as it ends
