"""What annotators read: texts in the language of the culture with English below, or English."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from curation.files.workbooks import Book, Sheet
from curation.files.workbooks.spec import KEY
from curation.languages import LanguageOrCode, is_rtl, load
from curation.languages.annotation import ConsensusPage, Pages, Workbooks, WorkbookTexts

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
    found = (load(code).annotation for code in (language, FALLBACK))
    books: list[Workbooks] = []
    for each in found:
        if each is not None and each.workbooks not in books:
            books.append(each.workbooks)
    lines: list[str] = []
    texts = []
    keyed = any(sheet.is_answered for sheet in book.sheets)
    for one in books:
        said = getattr(one, book.kind.replace("-", "_"))
        if said is not None:
            texts.append(said)
            key = [one.key] if keyed and one.key else []
            lines += ["", f"# {said.title}", *said.rules, *key, *one.handling]
    sheets = tuple(_noted(sheet, texts, books) for sheet in book.sheets)
    return replace(
        book, sheets=sheets, instructions=tuple(lines[1:]), right_to_left=is_rtl(language)
    )


def pages(language: LanguageOrCode) -> Pages:
    """The texts of labelling pages in the language of the culture, or in English."""
    found = (load(code).annotation for code in (language, FALLBACK))
    return next(item.pages for item in found if item and item.pages)


def helps(language: LanguageOrCode, names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """What columns of the translator's workbook are called, and what is said of them, by name."""
    found = (load(code).annotation for code in (language, FALLBACK))
    books = [one.workbooks for one in found if one is not None]
    notes = [one.translate.notes for one in books if one.translate is not None]
    return {
        name: (
            next(filter(None, (_heading(one.headings, "texts", name) for one in books)), name),
            next((one[name] for one in notes if name in one), ""),
        )
        for name in names
    }


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


def _noted(sheet: Sheet, texts: list[WorkbookTexts], books: Sequence[Workbooks]) -> Sheet:
    headings = [book.headings for book in books]
    columns = []
    for column in sheet.columns:
        keys = f"{sheet.name} / {column.name}", column.name
        notes = (next((t.notes[key] for key in keys if key in t.notes), "") for t in texts)
        said = next(filter(None, (_heading(one, sheet.name, column.name) for one in headings)), "")
        note = "\n".join(filter(None, notes))
        columns.append(replace(column, note=note or column.note, heading=said or column.heading))
    heading = next(filter(None, (one.get(KEY, "") for one in headings)), "")
    note = next(filter(None, (book.key for book in books)), "")
    keys_of = replace(sheet.keys, heading=heading, note=note)
    return replace(sheet, columns=tuple(columns), keys=keys_of)


def _heading(headings: Mapping[str, str], sheet: str, column: str) -> str:
    """What a column is called in words; one of variant b as that of a, with the letter."""
    found = headings.get(f"{sheet} / {column}") or headings.get(column, "")
    if found or not column.endswith(_OTHER):
        return found
    of_a = _heading(headings, sheet, column.removesuffix(_OTHER))
    return f"{of_a} {_OTHER[1:]}" if of_a else ""
