"""Open a workbook that the toolkit made, and refuse every other file."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import ParseError
from zipfile import BadZipFile

from curation.files.tables import composed, read_bytes
from curation.files.workbooks.ods import is_ods, load_ods
from curation.files.workbooks.spec import INSTRUCTIONS, LISTS, META, ROW, VERSION, from_cell
from curation.records.errors import CurateError

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook

_SAVE = "save it as a workbook, .xlsx or .ods, without a password"
_ABOUT = "about."


@dataclass(frozen=True)
class OpenBook:
    """A workbook as it came back.

    Attributes:
        path: The file.
        data: Its bytes.
        about: What was given with it.
        hashes: By sheet and key the hash of what people were handed, in the order of the rows.
    """

    path: Path
    data: bytes = field(repr=False)
    about: Mapping[str, str]
    file: Any = field(repr=False)
    hashes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


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
    if META not in file.sheetnames:
        raise _not_ours(path)
    rows = ([text_of(cell.value) for cell in row] for row in file[META].iter_rows(max_col=2))
    meta = _meta(rows)
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
    return OpenBook(path, data, _about(meta), file, _hashes(meta))


def kind_of(path: Path) -> str:
    """What a workbook that the toolkit made is for, as its hidden sheet says.

    Raises:
        CurateError: If it is no such workbook.
    """
    sheets = cells_of(path, META.__eq__)
    if not sheets:
        raise _not_ours(path)
    return _meta(sheets[META]).get("kind", "")


@dataclass(frozen=True, slots=True)
class Glance:
    """The purpose of a workbook, and its current content.

    Attributes:
        path: The file.
        kind: What it is for.
        about: What was given with it.
        keys: Of the rows that were handed out.
        rows: The rows of its sheets, cells by header.
    """

    path: Path
    kind: str
    about: Mapping[str, str]
    keys: frozenset[str]
    rows: tuple[Mapping[str, str], ...]

    def filled(self, columns: Sequence[str]) -> list[Mapping[str, str]]:
        """The rows with a value in one of some columns."""
        return [row for row in self.rows if any(row.get(name, "").strip() for name in columns)]


def glance_at(folder: Path) -> Iterator[Glance | CurateError]:
    """Look at the workbooks in a folder, in the order of their names.

    What cannot be opened is given as the error that says so; workbooks of others are passed over.
    """
    for path in sorted((*folder.glob("*.xlsx"), *folder.glob("*.ods"))):
        if path.name.startswith(("~$", ".")):
            continue  # a spreadsheet that has the workbook open left it
        try:
            sheets = cells_of(path)
        except CurateError as error:
            yield error
            continue
        if META in sheets:
            meta = _meta(sheets[META])
            people = [sheets[name] for name in sheets if name not in (INSTRUCTIONS, LISTS, META)]
            rows = tuple(row for cells in people for row in _rows(cells))
            keys = frozenset(key for sheet in _hashes(meta).values() for key in sheet)
            yield Glance(path, meta.get("kind", ""), _about(meta), keys, rows)


def _rows(cells: Sequence[Sequence[str]]) -> Iterator[Mapping[str, str]]:
    """Yield the rows below the headers, which are the first row of several cells."""
    header = next((at for at, row in enumerate(cells) if sum(map(bool, row)) > 1), None)
    if header is not None:
        below = (row for row in cells[header + 1 :] if any(row))
        yield from (dict(zip(cells[header], row, strict=False)) for row in below)


def _meta(rows: Iterable[Sequence[str]]) -> dict[str, str]:
    """What the hidden sheet says."""
    return {row[0]: row[1] for row in rows if len(row) > 1}


def _about(meta: Mapping[str, str]) -> dict[str, str]:
    return {name.removeprefix(_ABOUT): meta[name] for name in meta if name.startswith(_ABOUT)}


def _hashes(meta: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """By sheet and key the hashes of what was handed out."""
    found: dict[str, dict[str, str]] = {}
    for name, value in meta.items():
        if name.startswith(ROW):
            sheet, _, key = name.removeprefix(ROW).partition("/")
            found.setdefault(sheet, {})[key] = value
    return found


def _not_ours(path: Path) -> CurateError:
    return CurateError(
        f"{path.name} is not a workbook made by curate, or its hidden sheet '{META}' was deleted",
        str(path),
        "fill in the workbook that was handed out, or copy the answers into a fresh one",
    )


def cells_of(
    path: Path, wanted: Callable[[str], bool] = lambda _name: True
) -> dict[str, list[list[str]]]:
    """The cells of a workbook's sheets as text, formulas by what they gave; quick.

    Args:
        path: The workbook, whoever made it.
        wanted: Tells of the name of a sheet whether it is read; all are by default.

    Raises:
        CurateError: If it is no workbook, or a damaged one.
    """
    from python_calamine import CalamineError, CalamineWorkbook

    data = _zipped(read_bytes(path), path)
    try:
        book = CalamineWorkbook.from_filelike(BytesIO(data))
        return {
            name: [
                [text_of(cell) for cell in row]
                for row in book.get_sheet_by_name(name).to_python(skip_empty_area=False)
            ]
            for name in book.sheet_names
            if wanted(name)
        }
    except (CalamineError, OSError, ValueError) as error:
        raise _damaged(path) from error


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

    _zipped(data, path)
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
        raise _damaged(path) from error


def _damaged(path: Path) -> CurateError:
    what = f"{path.name} is damaged and cannot be opened"
    hint = "open it in a spreadsheet and save it again as .xlsx or .ods, without a password"
    return CurateError(what, str(path), hint)


def _zipped(data: bytes, path: Path) -> bytes:
    """The bytes of a file that may be a workbook; any other is refused."""
    if data.startswith(b"PK\x03\x04"):
        return data
    what, hint = f"{path.name} is not an XLSX workbook", _SAVE
    if path.name.startswith(("~$", ".~lock.")):
        what = f"{path.name} is not a workbook, but the mark of a spreadsheet that has it open"
        hint = "save and close the workbook in the spreadsheet, then run the command again"
    elif not data:
        what = f"{path.name} is empty"
    elif data.startswith(b"\xd0\xcf\x11\xe0"):
        what = f"{path.name} is an old XLS workbook, or one with a password"
    elif path.suffix.lower() in (".csv", ".tsv"):
        what = f"{path.name} holds only one sheet, as text, and does not say whose workbook it was"
        hint = (
            "return the whole workbook, saved as .xlsx or .ods; where there is only this table, "
            "copy what was filled in into the workbook that was handed out"
        )
    raise CurateError(what, str(path), hint)


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
