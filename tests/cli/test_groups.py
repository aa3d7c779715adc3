"""`curate groups`: groups edited in a workbook."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from ods import save_ods

Curate = Callable[..., Any]
Listing = Callable[[Path], dict[str, str]]


@pytest.fixture
def sheet(curate: Curate, workspace: Path) -> Callable[..., Path]:
    """Make the workbook, edit groups by key, and add new ones."""

    def write(edits: Mapping[str, Mapping[str, str]], *new: Mapping[str, str]) -> Path:
        path = workspace.parent / "groups.xlsx"
        path.unlink(missing_ok=True)
        assert curate("groups", "sheet", "-w", workspace, "--out", path).code == 0
        book = openpyxl.load_workbook(path)
        for name, rows in (("groups", edits), ("new groups", dict(enumerate(new, start=2)))):
            columns = {cell.value: cell.column for cell in book[name][1]}
            numbers = {row[0].value: row[0].row for row in book[name].iter_rows(min_row=2)}
            for key, cells in rows.items():
                for column, value in cells.items():
                    row = key if isinstance(key, int) else numbers[key]
                    book[name].cell(row, columns[column]).value = value
        book.save(path)
        return path

    return write


def groups(workspace: Path) -> str:
    """Give the text of groups.csv."""
    return (workspace / "templates_src" / "groups.csv").read_text(encoding="utf-8")


def test_edits_and_new_groups_are_taken_over(
    curate: Curate, workspace: Path, sheet: Callable[..., Path]
) -> None:
    """Own columns stay; what changed is said; the same again changes nothing."""
    path = workspace / "templates_src" / "groups.csv"
    path.write_text(
        "category,group,counts,fillers,mine\nCraft,Bakers,true,[Bob],x\nCraft,Potters,true,[Ann],\n"
    )
    new = {"category": "Craft", "group": "Weavers", "parent": "Potters", "fillers": "[Cleo]"}
    file = sheet({"Craft / Bakers": {"level": "trade", "counts": "false"}}, new)
    ran = curate("groups", "collect", "-w", workspace, file, "--json")
    assert ran.code == 0
    assert (ran.json["changed"], ran.json["added"]) == (["Craft / Bakers"], ["Craft / Weavers"])
    assert groups(workspace) == (
        "category,group,counts,fillers,mine,parent,level\n"
        "Craft,Bakers,false,[Bob],x,,trade\n"
        "Craft,Potters,true,[Ann],,,\n"
        "Craft,Weavers,true,[Cleo],,Potters,\n"
    )
    ran = curate("groups", "collect", "-w", workspace, file, "--json")
    assert (ran.code, ran.json["changed"], ran.json["added"]) == (0, [], [])


@pytest.mark.parametrize(
    ("edits", "new", "rule"),
    [
        ({"Craft / Bakers": {"parent": "Bakers"}}, {}, "group-cycle"),
        ({"Craft / Bakers": {"parent": "Nobody"}}, {}, "workbook-value-unknown"),
        ({"Craft / Bakers": {"fillers": "[Bob"}}, {}, "group-fillers-syntax"),
        ({"Craft / Bakers": {"remove": "yes"}}, {}, "group-unknown"),
        ({}, {"category": "Craft", "group": "A, B"}, "group-comma"),
        ({}, {"category": "Craft", "group": "Bakers", "level": "x"}, "group-duplicate"),
        ({}, {"category": "Craft"}, "workbook-value-required"),
    ],
)
def test_a_rule_that_would_be_broken_stops_everything(
    curate: Curate,
    workspace: Path,
    sheet: Callable[..., Path],
    edits: Mapping[str, Mapping[str, str]],
    new: Mapping[str, str],
    rule: str,
) -> None:
    """groups.csv stays as it is, and a marked copy comes back."""
    before = groups(workspace)
    file = sheet(edits, *([{"fillers": "[Z]", **new}] if new else []))
    ran = curate("groups", "collect", "-w", workspace, file, "--json")
    assert ran.code == 1
    errors = [item["rule"] for item in ran.json["findings"] if item["severity"] == "error"]
    assert rule in errors
    assert groups(workspace) == before
    assert len(ran.json["marked"]) == 1


def test_an_unused_group_can_be_removed(
    curate: Curate, workspace: Path, sheet: Callable[..., Path]
) -> None:
    """A group that no template names goes."""
    with (workspace / "templates_src" / "groups.csv").open("a", encoding="utf-8") as stream:
        stream.write("Craft,Weavers,true,[Cleo]\n")
    file = sheet({"Craft / Weavers": {"remove": "yes"}})
    ran = curate("groups", "collect", "-w", workspace, file)
    assert ran.code == 0
    assert "removed    Craft / Weavers" in ran.out
    assert "Weavers" not in groups(workspace)


def test_a_removal_that_is_collected_again_changes_nothing(
    curate: Curate, workspace: Path, sheet: Callable[..., Path], listing: Listing
) -> None:
    """It says that the group was removed already; another edit of the sheet still counts."""
    with (workspace / "templates_src" / "groups.csv").open("a", encoding="utf-8") as stream:
        stream.write("Craft,Weavers,true,[Cleo]\nCraft,Dyers,true,[Dan]\n")
    file = sheet({"Craft / Weavers": {"remove": "yes"}, "Craft / Bakers": {"level": "trade"}})
    first = curate("groups", "collect", "-w", workspace, file, "--json")
    assert (first.code, first.json["removed"], first.json["gone"]) == (0, ["Craft / Weavers"], [])
    before = listing(workspace)
    again = curate("groups", "collect", "-w", workspace, file, "--json")
    assert (again.code, again.json["findings"]) == (0, [])
    assert (again.json["removed"], again.json["changed"]) == ([], [])
    assert again.json["gone"] == ["Craft / Weavers"]
    ran = curate("groups", "collect", "-w", workspace, file)
    assert (ran.code, ran.err) == (0, "")
    assert "gone       Craft / Weavers: it was removed already" in ran.out
    assert "0 changed, 0 new, 0 removed." in ran.out
    assert listing(workspace) == before
    book = openpyxl.load_workbook(file)
    columns = {cell.value: cell.column for cell in book["groups"][1]}
    for row in book["groups"].iter_rows(min_row=2):
        if row[0].value == "Craft / Dyers":
            book["groups"].cell(row[0].row, columns["level"]).value = "trade"
    book.save(file)
    ran = curate("groups", "collect", "-w", workspace, file)
    assert (ran.code, "changed after this sheet was made" in ran.err) == (1, True)
    assert listing(workspace) == before


def test_a_row_of_a_group_that_is_not_there_is_an_error(
    curate: Curate, workspace: Path, sheet: Callable[..., Path]
) -> None:
    """An edit of it would be lost."""
    with (workspace / "templates_src" / "groups.csv").open("a", encoding="utf-8") as stream:
        stream.write("Craft,Weavers,true,[Cleo]\n")
    file = sheet({"Craft / Weavers": {"level": "trade"}})
    path = workspace / "templates_src" / "groups.csv"
    path.write_text(groups(workspace).replace("Craft,Weavers,true,[Cleo]\n", ""))
    ran = curate("groups", "collect", "-w", workspace, file, "--json")
    assert ran.code == 1
    assert [item["rule"] for item in ran.json["findings"]] == ["workbook-row-unknown"]


def test_a_row_deleted_from_the_sheet_stays_a_group(
    curate: Curate, workspace: Path, sheet: Callable[..., Path]
) -> None:
    """It is said, and the group is kept."""
    before = groups(workspace)
    file = sheet({})
    book = openpyxl.load_workbook(file)
    book["groups"].delete_rows(2)
    book.save(file)
    ran = curate("groups", "collect", "-w", workspace, file)
    assert ran.code == 0
    assert "1 of 2 rows are missing: Craft / Bakers" in ran.out
    assert groups(workspace) == before


def test_a_sheet_from_before_an_edit_is_refused(
    curate: Curate, workspace: Path, sheet: Callable[..., Path]
) -> None:
    """What was written into groups.csv meanwhile is not taken back."""
    file = sheet({"Craft / Bakers": {"level": "trade"}})
    path = workspace / "templates_src" / "groups.csv"
    path.write_text(groups(workspace).replace("[Bob]", "[Rob]"))
    ran = curate("groups", "collect", "-w", workspace, file)
    assert ran.code == 1
    assert "changed after this sheet was made" in ran.err


def test_an_open_document_is_collected(
    curate: Curate, workspace: Path, sheet: Callable[..., Path]
) -> None:
    """Both of its sheets."""
    new = {"category": "Craft", "group": "Weavers", "fillers": "[Cleo]"}
    made = sheet({"Craft / Bakers": {"level": "trade"}}, new)
    path = save_ods(openpyxl.load_workbook(made), workspace.parent / "groups.ods")
    ran = curate("groups", "collect", "-w", workspace, path, "--json")
    assert (ran.json["changed"], ran.json["added"]) == (["Craft / Bakers"], ["Craft / Weavers"])
    assert "Craft,Weavers,true,[Cleo],," in groups(workspace)
