"""Open a workbook that the toolkit made, and refuse every other file."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import ParseError
from zipfile import BadZipFile

from curation.files.tables import composed, read_bytes
from curation.files.workbooks.ods import is_ods, load_ods
from curation.files.workbooks.spec import META, ROW, VERSION, from_cell
from curation.records.errors import CurateError

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook

_SAVE = "save it as a workbook, .xlsx or .ods, without a password"


@dataclass(frozen=True)
class OpenBook:
    """A workbook as it came back.

    Attributes:
        path: The file.
        data: Its bytes.
        id: Of the workbook that was handed out.
        about: What was given with it.
        hashes: By sheet and key the hash of what people were handed, in the order of the rows.
    """

    path: Path
    data: bytes = field(repr=False)
    id: str
    about: Mapping[str, str]
    file: Any = field(repr=False)
    hashes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def kind_of(path: Path) -> str:
    """What a workbook that the toolkit made is for, as its hidden sheet says.

    Raises:
        CurateError: If it is no such workbook.
    """
    from python_calamine import CalamineError, CalamineWorkbook

    data = read_bytes(path)
    try:
        book = CalamineWorkbook.from_filelike(BytesIO(data))
        names = book.sheet_names
        rows = book.get_sheet_by_name(META).to_python() if META in names else []
    except (CalamineError, OSError, ValueError):
        return _meta(load(data, path), path).get("kind", "")
    if META not in names:
        raise _not_ours(path)
    return next((text_of(row[1]) for row in rows if text_of(row[0]) == "kind"), "")


def open_workbook(path: Path, kind: str) -> OpenBook:
    """Open a workbook that the toolkit made.

    Args:
        path: The file.
        kind: What it must be for.

    Raises:
        CurateError: If it is no workbook, or not one of this kind.
    """
    return opened(read_bytes(path), path, kind)


def opened(data: bytes, path: Path, kind: str) -> OpenBook:
    """Open a workbook that the toolkit made, of which the bytes are known.

    Raises:
        CurateError: If it is no workbook, or not one of this kind.
    """
    file = load(data, path)
    meta = _meta(file, path)
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
    return OpenBook(path, data, meta.get("id", ""), about, file, hashes_of(meta))


def _meta(file: "Workbook", path: Path) -> dict[str, str]:
    """What the hidden sheet says."""
    if META not in file.sheetnames:
        raise _not_ours(path)
    return {
        text_of(row[0].value): text_of(row[1].value)
        for row in file[META].iter_rows(max_col=2)
        if len(row) > 1
    }


def _not_ours(path: Path) -> CurateError:
    return CurateError(
        f"{path.name} is not a workbook made by curate, or its hidden sheet '{META}' was deleted",
        str(path),
        "fill in the workbook that was handed out, or copy the answers into a fresh one",
    )


def hashes_of(meta: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """By sheet and key the hashes of what was handed out, as the hidden sheet has them."""
    found: dict[str, dict[str, str]] = {}
    for name, value in meta.items():
        if name.startswith(ROW):
            sheet, _, key = name.removeprefix(ROW).partition("/")
            found.setdefault(sheet, {})[key] = value
    return found


def load(data: bytes, path: Path) -> "Workbook":
    """Load a workbook that a spreadsheet saved as .xlsx or .ods.

    Args:
        data: Its bytes.
        path: The file, to be named where it is none.

    Raises:
        CurateError: If it is no workbook, or a damaged one.
    """
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    if not data.startswith(b"PK\x03\x04"):
        raise _no_workbook(data, path)
    try:
        if is_ods(data):
            return load_ods(data)
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
            "open it in a spreadsheet and save it again as .xlsx or .ods, without a password",
        ) from error


def _no_workbook(data: bytes, path: Path) -> CurateError:
    """The error of a file that is none of the workbooks that are read."""
    if path.name.startswith(("~$", ".~lock.")):
        return CurateError(
            f"{path.name} is not a workbook, but the mark of a spreadsheet that has it open",
            str(path),
            "save and close the workbook in the spreadsheet, then run the command again",
        )
    if not data:
        return CurateError(f"{path.name} is empty", str(path), _SAVE)
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        what = "an old XLS workbook, or one with a password"
        return CurateError(f"{path.name} is {what}", str(path), _SAVE)
    if path.suffix.lower() in (".csv", ".tsv"):
        return CurateError(
            f"{path.name} holds only one sheet, as text, and does not say whose workbook it was",
            str(path),
            "return the whole workbook, saved as .xlsx or .ods; where there is only this table, "
            "copy what was filled in into the workbook that was handed out",
        )
    return CurateError(f"{path.name} is not an XLSX workbook", str(path), _SAVE)


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
