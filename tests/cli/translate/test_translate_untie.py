"""`curate translate untie`: variants as texts of their own in workbooks."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from curation.files.tables import read_table

Curate = Callable[..., Any]

QUESTION = "Who hums?"
BANK = Path("templates_src") / "bank.csv"


def cells(workspace: Path, column: str) -> dict[str, str]:
    """A column of the bank, by template and variant."""
    rows = read_table(workspace / BANK).rows
    return {row["template_id"] + row["variant"]: row.get(column) for row in rows}


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


def test_variants_have_rows_of_their_own(curate: Curate, source_bank: Path) -> None:
    """Texts with slots, answers among them; stereotype and fillers stay one row each."""
    ran = curate("translate", "untie", "-w", source_bank, "craft-001", "--json")
    assert (ran.code, ran.json["changed"], ran.json["untied"]) == (0, ["craft-001"], ["craft-001"])
    path = sheet(curate, source_bank)
    where = [text for _, text in rows_of(path, QUESTION)]
    assert where == ["biased_question (a)", "biased_question (b)"]
    answers = [text for _, text in rows_of(path, "The [N1]")]
    assert answers == ["biased_answer (a)", "counter_biased_answer (b)"]
    assert [text for _, text in rows_of(path, "They hum & sing")] == ["stereotype (a, b)"]
    assert [text for _, text in rows_of(path, "potter")] == ["filler of N1 (a)\nfiller of N2 (b)"]
    assert cells(source_bank, "untied") == {
        **{"craft-001a": "true", "craft-001b": "true"},
        **{"craft-002a": "", "craft-003a": "", "craft-004a": ""},
    }


def test_each_variant_gets_its_own_text(curate: Curate, source_bank: Path) -> None:
    """The two rows go to the two variants, and the list of what was returned tells them apart."""
    curate("translate", "untie", "-w", source_bank, "craft-001")
    path = sheet(curate, source_bank)
    (first, _), (second, _) = rows_of(path, QUESTION)
    found = collect(curate, source_bank, fill(path, {first: "Qa?", second: "Qb?"}))
    assert (found["accepted"], found["cells"], found["findings"]) == (2, 2, [])
    texts = cells(source_bank, "biased_question")
    assert (texts["craft-001a"], texts["craft-001b"]) == ("Qa?", "Qb?")
    kept = read_table(source_bank / "annotations" / "translated.csv").rows
    assert [(row["variant"], row["translation"]) for row in kept] == [("a", "Qa?"), ("b", "Qb?")]
    assert collect(curate, source_bank, path)["unchanged"] == 2


def test_a_workbook_from_before_is_taken_for_both_and_said(
    curate: Curate, source_bank: Path, tied: Path
) -> None:
    """Nothing of it is lost, and which templates it is about is said."""
    curate("translate", "untie", "-w", source_bank, "craft-001")
    found = collect(curate, source_bank, tied)
    (finding,) = found["findings"]
    assert (finding["rule"], finding["severity"]) == ("translation-untied", "warning")
    assert finding["message"].startswith("craft-001: untied since the sheet was made")
    texts = cells(source_bank, "biased_question")
    assert (texts["craft-001a"], texts["craft-001b"]) == ("Q1?", "Q1?")


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


def test_a_workbook_from_before_does_not_go_over_a_variants_own_text(
    curate: Curate, source_bank: Path, tied: Path
) -> None:
    """Whether it comes together with the fresh one or after it; what differs is said."""
    curate("translate", "untie", "-w", source_bank, "craft-001")
    fresh = sheet(curate, source_bank, "fresh")
    (first, _), _ = rows_of(fresh, QUESTION)
    found = collect(curate, source_bank, tied, fill(fresh, {first: "Qa?"}))
    texts = cells(source_bank, "biased_question")
    assert (texts["craft-001a"], texts["craft-001b"]) == ("Qa?", "Q1?")
    assert {item["rule"] for item in found["findings"]} == {
        "translation-untied",
        "translation-twice",
    }
    again = collect(curate, source_bank, tied)
    assert again["conflicts"] == 1
    assert cells(source_bank, "biased_question")["craft-001a"] == "Qa?"


def test_undo_makes_equal_texts_one_row_again(curate: Curate, source_bank: Path) -> None:
    """The bank is as it was, and a workbook of two rows goes to the variant of each."""
    curate("translate", "untie", "-w", source_bank, "craft-001")
    path = sheet(curate, source_bank)
    ran = curate("translate", "untie", "-w", source_bank, "--undo", "craft-001", "--json")
    assert (ran.json["changed"], ran.json["untied"]) == (["craft-001"], [])
    after = read_table(source_bank / BANK)
    assert "untied" not in after.columns
    assert [row.cells["note"] for row in after.rows] == ["Kiln & Co. is a shop", "", "", "", ""]
    _, (second, _) = rows_of(path, QUESTION)
    found = collect(curate, source_bank, fill(path, {second: "Qb?"}))
    assert "tied again since" in found["findings"][0]["message"]
    assert cells(source_bank, "biased_question")["craft-001b"] == "Qb?"
    assert cells(source_bank, "biased_question")["craft-001a"] == ""


def test_the_whole_workspace_is_a_setting(curate: Curate, source_bank: Path) -> None:
    """Comments of culture.yaml stay; one template can be an exception, and undo takes all back."""
    file = source_bank / "culture.yaml"
    text = file.read_text(encoding="utf-8") + "  # ours\n"
    file.write_text(text, encoding="utf-8")
    ran = curate("translate", "untie", "-w", source_bank, "--json")
    every = ["craft-001", "craft-002", "craft-003", "craft-004"]
    assert (ran.json["everything"], ran.json["untied"]) == (True, every)
    assert "  untie: true\n" in file.read_text(encoding="utf-8")
    assert "# ours" in file.read_text(encoding="utf-8")
    curate("translate", "untie", "-w", source_bank, "--undo", "craft-002")
    assert cells(source_bank, "untied")["craft-002a"] == "false"
    assert curate("translate", "status", "-w", source_bank, "--json").json["untied"] == [
        *("craft-001", "craft-003", "craft-004")
    ]
    curate("translate", "untie", "-w", source_bank, "--undo")
    assert file.read_text(encoding="utf-8") == text
    assert curate("translate", "status", "-w", source_bank, "--json").json["untied"] == []


def test_a_settings_file_without_the_section_gets_it(curate: Curate, source_bank: Path) -> None:
    """And loses it again."""
    file = source_bank / "culture.yaml"
    text = file.read_text(encoding="utf-8").split("translation:")[0]
    file.write_text(text, encoding="utf-8")
    curate("translate", "untie", "-w", source_bank)
    assert file.read_text(encoding="utf-8") == text + "translation:\n  untie: true\n"
    curate("translate", "untie", "-w", source_bank, "--undo")
    assert file.read_text(encoding="utf-8") == text


def test_an_unknown_template_is_named_and_nothing_written(
    curate: Curate, source_bank: Path
) -> None:
    """Those that there are stay as they were too."""
    before = (source_bank / BANK).read_bytes()
    ran = curate("translate", "untie", "-w", source_bank, "craft-001", "craft-999")
    assert (ran.code, "craft-999" in ran.err) == (1, True)
    assert (source_bank / BANK).read_bytes() == before


def test_a_dry_run_writes_nothing(curate: Curate, source_bank: Path) -> None:
    """But says what would change."""
    before = (source_bank / BANK).read_bytes()
    ran = curate("translate", "untie", "-w", source_bank, "craft-001", "--dry-run")
    assert "The variants of 1 template would be translated separately: craft-001." in ran.out
    assert (source_bank / BANK).read_bytes() == before


def test_explain_and_status_say_it(curate: Curate, source_bank: Path) -> None:
    """Where a person looks for what is special about a template."""
    curate("translate", "untie", "-w", source_bank, "craft-001")
    shown = curate("explain", "-w", source_bank, "craft-001").out
    assert "variants      a, b  (each has texts of its own for translators)" in shown
    assert "each has texts" not in curate("explain", "-w", source_bank, "craft-004").out
    status = curate("translate", "status", "-w", source_bank).out
    assert status.endswith("Variants are translated separately in craft-001.\n")


def test_the_fresh_sheet_has_a_place_beside_those_that_are_out(
    curate: Curate, source_bank: Path
) -> None:
    """The command that is named works as it stands; without it the way out is said."""
    make = ("translate", "sheet", "-w", source_bank, "--translator", "Lena")
    assert curate(*make).code == 0
    ran = curate("translate", "untie", "-w", source_bank, "craft-001")
    named = "make new workbooks beside the earlier ones: curate translate sheet --out FOLDER"
    assert ran.out.endswith(f"To translate them, {named}\n")
    ran = curate(*make)
    assert ran.code == 1
    assert "collect it and move it away, or write the new one elsewhere with --out" in (
        " ".join(ran.err.split())
    )
    assert curate(*make, "--out", source_bank / "fresh").code == 0


def test_a_template_that_is_not_translated_is_told(curate: Curate, source_bank: Path) -> None:
    """It is untied all the same: its label may change."""
    path = source_bank / BANK
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("craft-002,a,Craft,TM", "craft-002,a,Craft,SR"), encoding="utf-8")
    named = ("craft-001", "craft-002", "craft-003", "craft-004")
    untie = ("translate", "untie", "-w", source_bank, *named)
    ran = curate(*untie, "--dry-run", "--json")
    assert ran.json["changed"] == [*named]
    assert ran.json["not_translated"] == ["craft-002", "craft-003"]
    said = (
        "Not in workbooks, because they are not translated: craft-002, craft-003 (labelled SR or NC"
    )
    assert said in curate(*untie).out
    assert "not translated" not in curate("translate", "untie", "-w", source_bank).out
