"""What annotators read: texts in the language of the culture with English below, or English."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from curation.files.workbooks import Book, Sheet
from curation.languages import LanguageOrCode, is_rtl, load
from curation.languages.annotation import ConsensusPage, Pages, WorkbookTexts

_OTHER = "_b"
"""What the names of columns end in that hold a text of variant b."""
FALLBACK = "en"
"""What annotators read where their own language has no texts."""


def told(book: Book, language: LanguageOrCode) -> Book:
    """Put rules and notes into a workbook, and turn it the way that the language is written.

    Args:
        book: The workbook; its kind says which texts are meant.
        language: The culture's.
    """
    texts = _texts(book.kind, language)
    lines = [line for item in texts for line in ("", f"# {item.title}", *item.rules)]
    found = (load(code).annotation for code in (language, FALLBACK))
    headings = [one.workbooks.headings for one in found if one is not None]
    sheets = tuple(_noted(sheet, texts, headings) for sheet in book.sheets)
    return replace(
        book, sheets=sheets, instructions=tuple(lines[1:]), right_to_left=is_rtl(language)
    )


def pages(language: LanguageOrCode) -> Pages:
    """The texts of labelling pages in the language of the culture, or in English."""
    found = (load(code).annotation for code in (language, FALLBACK))
    return next(item.pages for item in found if item and item.pages)


def consensus_page(language: LanguageOrCode) -> ConsensusPage:
    """The texts of the page of consensus in the language of the culture, or in English."""
    found = (load(code).annotation for code in (language, FALLBACK))
    return next(item.consensus for item in found if item and item.consensus)


def english_for(language: LanguageOrCode) -> str:
    """Why annotators read English, all of it or some; empty where they read their language."""
    found = load(language)
    own = found.written("annotation")
    where = f"the section annotation of {found.file}"
    if found.annotation is None:
        open_ = f"; write {where}" if found.file is not None else ""
        open_ = f": {where} has {len(own.open)} open texts" if own is not None else open_
        return f"there are no texts for annotators in '{found}', so that they read English{open_}"
    if own is not None and own.left:
        return f"{where} has {len(own.left)} open texts: annotators read English in their place"
    return ""


def _texts(kind: str, language: LanguageOrCode) -> list[WorkbookTexts]:
    """The texts of a kind of workbook: of the language, then English; each once."""
    found: list[WorkbookTexts] = []
    for annotation in (load(language).annotation, load(FALLBACK).annotation):
        texts = getattr(annotation.workbooks, kind.replace("-", "_")) if annotation else None
        found += [texts] if texts and texts not in found else []
    return found


def _noted(
    sheet: Sheet, texts: list[WorkbookTexts], headings: Sequence[Mapping[str, str]]
) -> Sheet:
    columns = []
    for column in sheet.columns:
        keys = f"{sheet.name} / {column.name}", column.name
        notes = (next((t.notes[key] for key in keys if key in t.notes), "") for t in texts)
        said = next(filter(None, (_heading(one, sheet.name, column.name) for one in headings)), "")
        note = "\n".join(filter(None, notes))
        columns.append(replace(column, note=note or column.note, heading=said or column.heading))
    return replace(sheet, columns=tuple(columns))


def _heading(headings: Mapping[str, str], sheet: str, column: str) -> str:
    """What a column is called in words; one of variant b as that of a, with the letter."""
    found = headings.get(f"{sheet} / {column}") or headings.get(column, "")
    if found or not column.endswith(_OTHER):
        return found
    of_a = _heading(headings, sheet, column.removesuffix(_OTHER))
    return f"{of_a} {_OTHER[1:]}" if of_a else ""
