"""Edits workbooks in LibreOffice: run by a Python that has its `uno`, beside an open office.

    python3 office.py PIPE EDITS.json

EDITS lists edits: the file, where its copy goes, the sheet, what is done and with which cells.
"""

import json
import os
import sys
import time
from pathlib import Path

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException
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


def insert_columns(sheet, at, count):
    sheet.Columns.insertByIndex(at, count)


EDITS = {one.__name__: one for one in (sort, move, copy, insert_rows, delete_rows, insert_columns)}

if __name__ == "__main__":
    office = desktop(sys.argv[1])
    for edit in json.loads(Path(sys.argv[2]).read_text(encoding="utf-8")):
        url = Path(edit["file"]).as_uri()
        book = office.loadComponentFromURL(url, "_blank", 0, (value("Hidden", True),))
        for name, arguments in edit["edits"]:
            EDITS[name](book.Sheets.getByName(edit["sheet"]), *arguments)
        target = Path(edit["to"])
        book.storeToURL(target.as_uri(), (value("FilterName", FILTERS[target.suffix]),))
        book.close(True)
    office.terminate()
    os._exit(0)  # the bridge to an office that is gone may crash the interpreter as it ends
