"""Workbooks speak the language of those who fill them in."""

import re
from pathlib import Path

import pytest

from curation.annotation.groups import groups_book
from curation.annotation.newtemplates import new_book
from curation.annotation.texts import english_for, pages, told
from curation.cli.main import main
from curation.files.workbooks import Book, Column, Sheet
from curation.languages import load
from curation.languages.annotation import Workbooks

HANGUL = re.compile("[\uac00-\ud7a3]")
KINDS = ("classify", "agenda", "translate", "new", "groups", "unreadable")
STORIES = ("stories-passages", "stories-edit")


@pytest.mark.parametrize("kind", (*KINDS, *STORIES))
def test_a_korean_workbook_is_in_korean_with_english_below(kind: str) -> None:
    """One of another language is in English alone."""
    korean, english = told(Book(kind, ()), "ko").instructions, told(Book(kind, ()), "en")
    headings = [at for at, line in enumerate(korean) if line.startswith("# ")]
    assert len(headings) == 2
    assert HANGUL.search(korean[0])
    assert korean[headings[1] - 1] == ""
    assert korean[headings[1] :] == english.instructions
    assert not any(map(HANGUL.search, english.instructions))
    assert told(Book(kind, ()), "eu") == english


def test_every_kind_of_workbook_has_texts() -> None:
    """In both languages."""
    kinds = {name.replace("_", "-") for name in Workbooks.model_fields}
    assert kinds == {"headings", *KINDS, *STORIES}
    for code in ("en", "ko"):
        annotation = load(code).annotation
        assert annotation is not None
        assert None not in dict(annotation.workbooks).values()
        assert annotation.pages is not None
    assert [bool(english_for(code)) for code in ("en", "ko-KR", "eu")] == [False, False, True]
    assert pages("eu") == pages("en") != pages("ko")


def test_notes_name_columns_that_there_are() -> None:
    """A note of a sheet belongs to its column alone; Korean ones have the English below."""
    book = told(groups_book((), ("Age",), 1), "en")
    notes = {(sheet.name, item.name): item.note for sheet in book.sheets for item in sheet.columns}
    assert notes["groups", "counts"] == ""
    assert notes["new groups", "counts"] == "true unless false is chosen."
    assert notes["groups", "parent"] == notes["new groups", "parent"] == "The group it is part of."
    korean = told(groups_book((), ("Age",), 1), "ko").sheets[1].columns[4].note.split("\n")
    assert korean[1:] == ["true unless false is chosen."]
    assert HANGUL.search(korean[0])
    annotation = load("ko").annotation
    assert annotation is not None and annotation.workbooks.new is not None
    columns = {item.name for item in new_book(("Age",), (), 1).sheets[0].columns}
    assert set(annotation.workbooks.new.notes) == columns


def test_a_note_is_put_to_its_column() -> None:
    """Nothing else of the workbook changes."""
    sheet = Sheet("templates", (Column("label", 10, editable=True, choices=("ST",)),))
    (column,) = (
        told(Book("classify", (sheet,), about={"annotator": "Mina"}), "en").sheets[0].columns
    )
    assert column.note.startswith("ST: known here, about the same groups.")
    assert (column.width, column.editable, column.choices) == (10, True, ("ST",))


def test_the_command_says_that_annotators_read_english(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once, on standard error; nothing is said in a language that has texts."""
    for code, told_so in (("pt", 1), ("ko", 0), ("es", 0)):
        folder = tmp_path / code
        for arguments in (("init", folder, "--language", code), ("groups", "sheet", "-w", folder)):
            with pytest.raises(SystemExit) as left:
                main([str(item) for item in arguments])
            assert left.value.code == 0
        shown = capsys.readouterr()
        assert shown.err.count(f"there are no texts for annotators in '{code}'") == told_so
