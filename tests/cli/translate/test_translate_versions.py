"""`curate translate versions`: a masculine and a feminine wording of a template."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from openpyxl import load_workbook

from curation.files.tables import read_table

Curate = Callable[..., Any]
BANK = Path("templates_src") / "bank.csv"


def rows(workspace: Path) -> dict[str, Any]:
    """The rows of the bank by template, letter and version."""
    found = read_table(workspace / BANK).rows
    return {f"{r['template_id']}{r['variant']}.{r.get('version')}".rstrip("."): r for r in found}


def add(curate: Curate, workspace: Path, *templates: str, versions: str = "mf") -> Any:
    """Give templates versions."""
    named = [part for version in versions for part in ("--version", version)]
    return curate("translate", "versions", "-w", workspace, *templates, *named, "--json")


def test_a_template_gets_two_wordings(curate: Curate, source_bank: Path) -> None:
    """What is written is the first; the other has the source, and rows of its own to translate."""
    done = add(curate, source_bank, "craft-001")
    assert (done.code, done.json["templates"], done.json["variants"]) == (0, ["craft-001"], 2)
    found = rows(source_bank)
    assert [name for name in found if name.startswith("craft-001")] == [
        *("craft-001a.m", "craft-001a.f", "craft-001b.m", "craft-001b.f")
    ]
    source = "ambiguous_context_source"
    assert found["craft-001a.f"][source] == found["craft-001a.m"][source] != ""
    assert "craft-002a" in found
    made = curate("translate", "sheet", "-w", source_bank, "--json").json["sheets"][0]
    sheet = load_workbook(made["file"])["texts"]
    at = {cell.value: cell.column for cell in sheet[1]}
    where = [
        sheet.cell(n, at["where"]).value
        for n in range(2, sheet.max_row + 1)
        if sheet.cell(n, at["source"]).value == "Who hums?"
    ]
    assert sorted(where) == ["biased_question (a.f, b.f)", "biased_question (a.m, b.m)"]


def test_what_is_written_is_the_wording_of_the_first(curate: Curate, source_bank: Path) -> None:
    """The other keeps the stereotype and the groups, and its texts are open."""
    made = curate("translate", "sheet", "-w", source_bank, "--json").json["sheets"][0]
    book = load_workbook(made["file"])
    sheet = book["texts"]
    at = {cell.value: cell.column for cell in sheet[1]}
    for number in range(2, sheet.max_row + 1):
        if sheet.cell(number, at["source"]).value in ("Who hums?", "They hum & sing"):
            sheet.cell(number, at["translation"]).value = f"T {number}"
    book.save(made["file"])
    curate("translate", "collect", "-w", source_bank, made["file"])
    before = rows(source_bank)["craft-001a"]
    add(curate, source_bank, "craft-001", versions="fm")
    found = rows(source_bank)
    assert found["craft-001a.f"]["biased_question"] == before["biased_question"] != ""
    assert found["craft-001a.m"]["biased_question"] == ""
    assert found["craft-001a.m"]["stereotype"] == before["stereotype"] != ""


def test_again_nothing_and_a_third_one_beside_them(curate: Curate, source_bank: Path) -> None:
    """A version that is there stays as it is."""
    add(curate, source_bank, "craft-001")
    before = (source_bank / BANK).read_bytes()
    again = add(curate, source_bank, "craft-001").json
    assert (again["templates"], again["unchanged"], again["variants"]) == ([], ["craft-001"], 0)
    assert (source_bank / BANK).read_bytes() == before
    assert add(curate, source_bank, "craft-001", versions="p").json["variants"] == 2
    assert {name[-1] for name in rows(source_bank) if name.startswith("craft-001")} == {*"mfp"}


def test_one_version_alone_and_unknown_templates_are_refused(
    curate: Curate, source_bank: Path
) -> None:
    """And nothing is written."""
    before = (source_bank / BANK).read_bytes()
    alone = add(curate, source_bank, "craft-001", versions="m")
    assert (alone.code, "craft-001 would have only one version" in alone.err) == (1, True)
    unknown = add(curate, source_bank, "craft-001", "craft-099")
    assert (unknown.code, "craft-099" in unknown.err) == (1, True)
    assert (source_bank / BANK).read_bytes() == before


def test_a_template_without_a_source_is_written_elsewhere(
    curate: Curate, source_bank: Path
) -> None:
    """Its rows become the first version; the workbook of new templates takes the others."""
    done = add(curate, source_bank, "craft-003").json
    assert (done["variants"], done["to_write"]) == (0, ["craft-003"])
    assert "craft-003a.m" in rows(source_bank)


def test_a_workbook_from_before_says_why_its_texts_are_not_taken(
    curate: Curate, source_bank: Path
) -> None:
    """Which version they are for is not guessed; those of other templates are taken."""
    made = curate("translate", "sheet", "-w", source_bank, "--json").json["sheets"][0]
    book = load_workbook(made["file"])
    sheet = book["texts"]
    at = {cell.value: cell.column for cell in sheet[1]}
    for number in range(2, sheet.max_row + 1):
        if sheet.cell(number, at["source"]).value in ("Who hums?", "Who slept?"):
            sheet.cell(number, at["translation"]).value = f"T {number}"
    book.save(made["file"])
    add(curate, source_bank, "craft-001")
    ran = curate("translate", "collect", "-w", source_bank, "--json", made["file"])
    assert ran.json["accepted"] == 1
    (said,) = (f for f in ran.json["findings"] if f["rule"] == "translation-versions")
    assert said["message"].startswith("craft-001 got versions after the sheet was made")
    assert rows(source_bank)["craft-002a"]["biased_question"] != ""
    assert rows(source_bank)["craft-001a.m"]["biased_question"] == ""
