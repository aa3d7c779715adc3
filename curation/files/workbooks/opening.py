"""Open a workbook that was handed out, and refuse every other file."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError
from zipfile import BadZipFile

from curation.files.tables import composed, read_bytes
from curation.files.workbooks.spec import MADE_WITH, META, VERSION, from_cell
from curation.records.errors import CurateError


@dataclass(frozen=True)
class OpenBook:
    """A workbook as it came back.

    Attributes:
        path: The file.
        data: Its bytes.
        id: Of the workbook that was handed out.
        about: What was given with it.
        columns: The columns that each of its sheets had; none where it does not say.
    """

    path: Path
    data: bytes = field(repr=False)
    id: str
    about: Mapping[str, str]
    file: Any = field(repr=False)
    columns: Mapping[str, frozenset[str]] = field(default_factory=dict)


def open_workbook(path: Path, kind: str) -> OpenBook:
    """Open a workbook that was handed out.

    Args:
        path: The file.
        kind: What it must be for.

    Raises:
        CurateError: If it is no workbook, or not one of this kind.
    """
    data = read_bytes(path)
    file = _load(data, path)
    if META not in file.sheetnames:
        raise CurateError(
            f"{path.name} is no sheet of curate's, or its hidden sheet '{META}' was taken out",
            str(path),
            "fill in the workbook that was handed out, or copy the answers into a fresh one",
        )
    meta = {
        text_of(row[0].value): text_of(row[1].value)
        for row in file[META].iter_rows(max_col=2)
        if len(row) > 1
    }
    if meta.get("kind") != kind:
        raise CurateError(
            f"{path.name} is a sheet for '{meta.get('kind', '')}', not for '{kind}'",
            str(path),
            "name the workbook that belongs to this command",
        )
    if meta.get("version") != VERSION:
        raise CurateError(
            f"{path.name} has layout {meta.get('version')}; this version reads {VERSION}",
            str(path),
            "use the version of curate that made it",
        )
    about = {
        name.removeprefix("about."): value
        for name, value in meta.items()
        if name.startswith("about.")
    }
    columns = {
        name.removeprefix(MADE_WITH): frozenset(value.split("\n"))
        for name, value in meta.items()
        if name.startswith(MADE_WITH)
    }
    return OpenBook(path, data, meta.get("id", ""), about, file, columns)


def _load(data: bytes, path: Path) -> Any:
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    if not data.startswith(b"PK\x03\x04"):
        what = "an old XLS workbook" if data.startswith(b"\xd0\xcf\x11\xe0") else "no XLSX workbook"
        raise CurateError(
            f"{path.name} is {what}" if data else f"{path.name} is empty",
            str(path),
            "save it as 'Excel workbook (.xlsx)', without a password",
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # parts of other programs that openpyxl leaves out
            return load_workbook(BytesIO(data))
    except (
        *(BadZipFile, InvalidFileException, ParseError, OSError, EOFError),
        *(KeyError, ValueError, TypeError, AttributeError, IndexError),
    ) as error:
        raise CurateError(
            f"{path.name} is damaged and cannot be opened",
            str(path),
            "open it in a spreadsheet and save it again as .xlsx",
        ) from error


def text_of(value: object) -> str:
    """A cell as text, whatever type a program made of it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime) and value.time() == time():
        return value.date().isoformat()
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return from_cell(composed(str(value)))
