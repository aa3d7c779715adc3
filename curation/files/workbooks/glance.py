"""Look at workbooks for people without reading all of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from curation.files.workbooks.opening import hashes_of, text_of
from curation.files.workbooks.spec import INSTRUCTIONS, LISTS, META
from curation.records.errors import CurateError

_OURS = frozenset({INSTRUCTIONS, LISTS, META})


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
            found = _glance(path)
        except CurateError as error:
            yield error
        else:
            if found is not None:
                yield found


def _glance(path: Path) -> Glance | None:
    from python_calamine import CalamineError, CalamineWorkbook

    try:
        book = CalamineWorkbook.from_path(path)
        if META not in book.sheet_names:
            return None
        sheets = {
            name: [
                [text_of(cell) for cell in row] for row in book.get_sheet_by_name(name).to_python()
            ]
            for name in book.sheet_names
            if name not in (INSTRUCTIONS, LISTS)
        }
    except (CalamineError, OSError, ValueError) as error:
        raise CurateError(
            f"{path.name} cannot be opened",
            str(path),
            "open it in a spreadsheet and save it again as .xlsx or .ods, or move it away",
        ) from error
    meta = {row[0]: row[1] for row in sheets[META] if len(row) > 1}
    about = {
        name.removeprefix("about."): value
        for name, value in meta.items()
        if name.startswith("about.")
    }
    rows = [row for name, cells in sheets.items() if name not in _OURS for row in _rows(cells)]
    keys = frozenset(key for sheet in hashes_of(meta).values() for key in sheet)
    return Glance(path, meta.get("kind", ""), about, keys, tuple(rows))


def _rows(cells: Sequence[Sequence[str]]) -> Iterator[Mapping[str, str]]:
    """Yield the rows below the headers, which are the first row of several cells."""
    header = next((at for at, row in enumerate(cells) if sum(map(bool, row)) > 1), None)
    if header is None:
        return
    for row in cells[header + 1 :]:
        if any(row):
            yield dict(zip(cells[header], row, strict=False))
