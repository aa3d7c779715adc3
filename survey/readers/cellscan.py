"""Find the cells of a sheet that hold a formula or an error, which a fast reader does not tell."""

import re
import zipfile
import zlib
from pathlib import Path

from survey.readers.source import Place

_SHEET = re.compile(rb"<(?:\w+:)?sheet\s[^>]*?\s\w+:id=[\"']([^\"']+)[\"']")
_RELATION = re.compile(rb"<(?:\w+:)?Relationship\s[^>]*>")
_ID = re.compile(rb"\sId=[\"']([^\"']+)[\"']")
_TARGET = re.compile(rb"\sTarget=[\"']([^\"']+)[\"']")
_SUSPECT = re.compile(rb"<(?:\w+:)?f[\s/>]|\st=[\"']e[\"']")
_CELL = re.compile(rb"<(?:\w+:)?c\s([^>]*?)(?:/>|>(.*?)</(?:\w+:)?c>)", re.DOTALL)
_REFERENCE = re.compile(rb"\br=[\"']([A-Z]+)([0-9]+)[\"']")


def scan_cells(path: Path, sheet: int) -> dict[Place, str]:
    """Find formulas and errors.

    Args:
        path: The workbook.
        sheet: Position of the sheet in the workbook.

    Returns:
        What is wrong with each such cell.

    Raises:
        ValueError: If the workbook is damaged, or is no XLSX but of another kind.
    """
    try:
        with zipfile.ZipFile(path) as book:
            names = set(book.namelist())
            part = _part(book, names, sheet)
            if part not in names:
                raise ValueError("it is a workbook of another kind")
            data = book.read(part)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError) as error:
        raise ValueError(f"it is damaged: {error}") from error
    if not _SUSPECT.search(data):
        return {}
    found: dict[Place, str] = {}
    for match in _CELL.finditer(data):
        suspect = _SUSPECT.search(match[0])
        place = _REFERENCE.search(match[1])
        if suspect and place:
            what = "an error of the spreadsheet" if b"t=" in suspect[0] else "a formula"
            found[int(place[2]), column_number(place[1].decode())] = what
    return found


def _part(book: zipfile.ZipFile, names: set[str], sheet: int) -> str:
    """Give the name of the part that holds a sheet."""
    relations = "xl/_rels/workbook.xml.rels"
    if not {"xl/workbook.xml", relations} <= names:
        return ""
    ids = _SHEET.findall(book.read("xl/workbook.xml"))
    targets = {}
    for tag in _RELATION.findall(book.read(relations)):
        name, target = _ID.search(tag), _TARGET.search(tag)
        if name and target:
            targets[name[1]] = target[1].decode()
    target_of = targets.get(ids[sheet], "") if sheet < len(ids) else ""
    return target_of.lstrip("/") if target_of.startswith("/") else f"xl/{target_of}"


def column_number(letters: str) -> int:
    """Give the position, from 0, of the column that a spreadsheet calls by letters."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def column_letters(at: int) -> str:
    """Give the letters by which a spreadsheet calls a column, from 0."""
    letters = ""
    at += 1
    while at:
        at, rest = divmod(at - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
