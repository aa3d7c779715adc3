"""Edits workbooks in LibreOffice: run by a Python that has its `uno`, beside an open office.

    python3 office.py PIPE

Each line of the input is a job: the file, where its copy goes, the sheet, and what is done with
which of its cells. A line says that it is done.
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


def fill_down(sheet, cells):
    sheet.getCellRangeByName(cells).fillSeries(TO_BOTTOM, SIMPLE, FILL_DATE_DAY, 0, 0)


EDITS = {one.__name__: one for one in (sort, move, copy, fill_down)}


if __name__ == "__main__":
    office = desktop(sys.argv[1])
    for line in sys.stdin:
        job = json.loads(line)
        url = Path(job["file"]).as_uri()
        book = office.loadComponentFromURL(url, "_blank", 0, (value("Hidden", True),))
        edit, *arguments = job["edit"]
        EDITS[edit](book.Sheets.getByName(job["sheet"]), *arguments)
        target = Path(job["to"])
        book.storeToURL(target.as_uri(), (value("FilterName", FILTERS[target.suffix]),))
        book.close(True)
        sys.stdout.write("done\n")
        sys.stdout.flush()
    office.terminate()
    os._exit(0)  # the bridge to an office that is gone may crash the interpreter as it ends
