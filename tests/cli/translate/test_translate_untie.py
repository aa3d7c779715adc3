"""`curate translate untie`: variants as texts of their own in workbooks."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

Curate = Callable[..., Any]

QUESTION = "Who hums?"


def sheet(curate: Curate, workspace: Path, name: str = "t") -> Path:
    """Make a workbook in a folder of its own."""
    made = curate("translate", "sheet", "-w", workspace, "--json", "--out", workspace / name)
    return Path(made.json["sheets"][0]["file"])


def rows_of(path: Path, source: str) -> list[tuple[int, str]]:
    """The rows of a source text, each with where it stands."""
    sheet = load_workbook(path)["texts"]
    at = {cell.value: cell.column for cell in sheet[1]}
    numbers = range(2, sheet.max_row + 1)
    return [
        (number, sheet.cell(number, at["where"]).value)
        for number in numbers
        if sheet.cell(number, at["source"]).value == source
    ]


def fill(path: Path, texts: dict[int, str]) -> Path:
    """Write translations into rows, and nothing elsewhere."""
    book = load_workbook(path)
    sheet = book["texts"]
    column = next(cell.column for cell in sheet[1] if cell.value == "translation")
    for number in range(2, sheet.max_row + 1):
        sheet.cell(number, column).value = texts.get(number)
    book.save(path)
    return path


def collect(curate: Curate, workspace: Path, *files: Path) -> Any:
    """Collect, and give what `--json` prints."""
    return curate("translate", "collect", "-w", workspace, "--json", *files).json


@pytest.fixture
def tied(curate: Curate, source_bank: Path) -> Path:
    """A workbook in which a question of variants a and b is one row."""
    path = sheet(curate, source_bank)
    ((number, where),) = rows_of(path, QUESTION)
    assert where == "biased_question (a, b)"
    return fill(path, {number: "Q1?"})


def test_what_is_open_in_workbooks_from_before_is_owed(
    curate: Curate, source_bank: Path, tied: Path
) -> None:
    """By its own rows: untied or tied again since, nothing of it is closed by that."""

    def owed() -> list[int]:
        found = curate("status", "-w", source_bank, "--json").json["owed"]
        return [item["count"] for item in found if item["what"] == "texts"]

    folder = source_bank / "annotations" / "sheets"
    folder.mkdir(parents=True, exist_ok=True)
    tied.rename(folder / "tied.xlsx")
    before = owed()
    curate("translate", "untie", "-w", source_bank, "craft-001")
    assert owed() == before
    fresh = sheet(curate, source_bank, "annotations/sheets")
    many = len(load_workbook(fresh)["texts"]["A"]) - 1
    assert owed() == [*before, many]
    assert many > before[0]
    (first, _), (second, _) = rows_of(fresh, QUESTION)
    collect(curate, source_bank, fill(fresh, {first: "Qa?"}))
    assert owed() == [*before, many - 1]
    collect(curate, source_bank, fill(fresh, {first: "Qa?", second: "Qb?"}))
    assert owed() == [before[0] - 1, many - 2]
    curate("translate", "untie", "-w", source_bank, "--undo", "craft-001")
    assert owed() == [before[0] - 1, many - 2]
