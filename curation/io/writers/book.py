"""Workbooks of several sheets, made with openpyxl and saved to the same bytes each time."""

import re
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from curation.io.atomic import atomic_path

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook

_EARLIEST = (1980, 1, 1, 0, 0, 0)
_DATE = datetime(*_EARLIEST)  # noqa: DTZ001  # a workbook's dates have no zone
_MODIFIED = re.compile(rb"(<dcterms:modified[^>]*>)[^<]*")


def new_book() -> "Workbook":
    """Give a workbook without a sheet, made at no time by nobody in particular."""
    from openpyxl import Workbook

    book = Workbook()
    book.properties.creator = "curate"
    book.properties.created = _DATE
    first = book.active
    assert first is not None  # noqa: S101  # a new workbook has a sheet
    book.remove(first)
    return book


def save_book(path: Path, book: "Workbook") -> None:
    """Save a workbook in place of `path`, with one date for all of its parts.

    Raises:
        CurateError: If it cannot be written.
    """
    raw = BytesIO()
    book.save(raw)
    with atomic_path(path) as beside, ZipFile(raw) as source, ZipFile(beside, "w") as target:
        for name in sorted(source.namelist()):
            data = source.read(name)
            if name == "docProps/core.xml":
                data = _MODIFIED.sub(rb"\g<1>1980-01-01T00:00:00Z", data)
            info = ZipInfo(name, _EARLIEST)
            info.compress_type = ZIP_DEFLATED
            info.create_system = 3
            info.external_attr = 0o644 << 16
            target.writestr(info, data)
