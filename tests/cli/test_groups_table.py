"""`curate groups rename --table`: many groups at once, all or none."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curation.files.workspace import Workspace
from survey import rename_groups

Curate = Callable[..., Any]
Listing = Callable[[Path], dict[str, str]]


@pytest.fixture
def table(tmp_path: Path) -> Callable[..., Path]:
    """Write a table of new names."""

    def write(*rows: str, header: str = "category,group,new_name") -> Path:
        path = tmp_path / "names.csv"
        path.write_text("\n".join((header, *rows, "")), encoding="utf-8")
        return path

    return write


def test_all_groups_of_a_table_are_renamed_and_named_back(
    curate: Curate, workspace: Path, table: Callable[..., Path], listing: Listing
) -> None:
    """In groups, bank and former names, as single renames; --undo takes all back."""
    before, bank = listing(workspace), Workspace(workspace).bank
    path = table("Craft,Potters,Ceramists", "Craft,Bakers, Millers ", "Craft,Nobody,")
    command = ("groups", "rename", "-w", workspace, "--table", path)
    dry = curate(*command, "--dry-run")
    said = "2 groups would be renamed, 0 already had the new name, 1 without a new name.\n"
    assert (dry.code, listing(workspace)) == (0, before)
    assert dry.out.endswith(said)
    ran = curate(*command, "--json")
    assert (ran.code, ran.err) == (0, "")
    assert [(item["old"], item["new"]) for item in ran.json["renamed"]] == [
        ("Potters", "Ceramists"),
        ("Bakers", "Millers"),
    ]
    assert ran.json["files"] == [
        *("culture.yaml", "templates_src/groups.csv", "templates_src/bank.csv")
    ]
    single = curate("groups", "rename", "-w", workspace, "Craft", "Ceramists", "Ceramists")
    assert single.code == 1
    again = curate(*command)
    assert (again.code, again.out.splitlines()[-1]) == (
        *(0, "0 groups renamed, 2 already had the new name, 1 without a new name."),
    )
    assert curate(*command, "--undo").code == 0
    after = listing(workspace)
    assert {name for name in before if after[name] != before[name]} == {"templates_src/bank.csv"}
    assert Workspace(workspace).bank == bank  # the columns that it lacked are empty


def test_a_name_goes_to_another_group_when_its_own_gives_it_up(
    curate: Curate, workspace: Path, table: Callable[..., Path]
) -> None:
    """Whatever the order of the rows; where nobody was asked about either."""
    (workspace / "responses" / "questionnaire.csv").unlink()
    path = table("Craft,Bakers,Potters", "Craft,Potters,Ceramists")
    before = (workspace / "templates_src" / "groups.csv").read_text(encoding="utf-8")
    found = rename_groups(Workspace(workspace), path)
    assert [(item.old, item.new) for item in found.renamed] == [
        ("Potters", "Ceramists"),
        ("Bakers", "Potters"),
    ]
    assert list(found.to_frame()["groups"]) == [1, 1]
    after = before.replace("Potters", "Ceramists").replace("Bakers", "Potters")
    assert (workspace / "templates_src" / "groups.csv").read_text(encoding="utf-8") == after
    rename_groups(Workspace(workspace), path, undo=True)
    assert (workspace / "templates_src" / "groups.csv").read_text(encoding="utf-8") == before


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (
            ["Craft,Potters,Ceramists", "Craft,Bakes,Millers", "Trade,Bakers,X"],
            [
                "Error: 2 of 3 renames are refused, and nothing was written:\n",
                "    row 3 (templates_src/groups.csv): Craft has no group 'Bakes': "
                "did you mean Bakers?\n",
                "    row 4 (culture.yaml): there is no category 'Trade': ",
                "names.csv\n  do:    correct them\n",
            ],
        ),
        (["Craft,Potters,Bakers", "Craft,Bakers,Potters"], ["exchange their names"]),
        (["Craft,Potters,A", "Craft,Potters,B"], ["a new name here that differs from row 2"]),
        (["Craft,Potters,One", "Craft,Bakers,One"], ["'One' is a group of Craft already"]),
        (["Craft,Potters,"], ["names no group with a new name"]),
        (["Craft,Potters"], ["row 2"]),
    ],
)
def test_a_table_with_a_fault_changes_nothing(
    curate: Curate,
    workspace: Path,
    table: Callable[..., Path],
    listing: Listing,
    rows: list[str],
    said: list[str],
) -> None:
    """Every row that is refused is named with its reason."""
    before = listing(workspace)
    ran = curate("groups", "rename", "-w", workspace, "--table", table(*rows))
    assert ran.code == 1
    for part in said:
        assert part in ran.err
    assert listing(workspace) == before


def test_many_refused_renames_are_a_line_each_and_advice_is_said_once(
    curate: Curate, workspace: Path, table: Callable[..., Path]
) -> None:
    """Ten are shown, and what helps the others too, of each category."""
    settings = workspace / "culture.yaml"
    settings.write_text(settings.read_text(encoding="utf-8") + "  - id: Season\n", encoding="utf-8")
    with (workspace / "templates_src" / "groups.csv").open("a", encoding="utf-8") as stream:
        stream.write("Season,Spring,true,[May]\nSeason,Winter,true,[Noel]\n")
    rows = [f"{of},Q{number},X{number}" for of in ("Craft", "Season") for number in range(6)]
    ran = curate("groups", "rename", "-w", workspace, "--table", table(*rows))
    lines = ran.err.splitlines()
    assert ran.code == 1
    assert lines[:2] == [
        "Error: 12 of 12 renames are refused, and nothing was written:",
        "    row 2 (templates_src/groups.csv): Craft has no group 'Q0'",
    ]
    assert lines[10:12] == [
        "    row 11 (templates_src/groups.csv): Season has no group 'Q3'",
        "    ... and 2 more",
    ]
    assert lines[12].startswith("  where: ") and lines[12].endswith("names.csv")
    assert lines[13:] == [
        "  do:    the groups of Craft are Bakers, Potters",
        "         the groups of Season are Spring, Winter",
    ]


def test_one_group_and_a_table_are_two_ways(
    curate: Curate, workspace: Path, tmp_path: Path
) -> None:
    """Saying both, half of one, or nothing, is wrong usage."""
    start = ("groups", "rename", "-w", workspace)
    for args in ((), ("Craft", "Potters"), ("Craft", "Potters", "X", "--undo")):
        assert curate(*start, *args).code == 2
    assert curate(*start, "Craft", "Potters", "X", "--table", tmp_path / "a.csv").code == 2
    ran = curate(*start, "--table", tmp_path / "a.csv")
    assert (ran.code, "a.csv" in ran.err) == (1, True)
    columns = tmp_path / "b.csv"
    columns.write_text("category,group,name\nCraft,Potters,X\n", encoding="utf-8")
    ran = curate(*start, "--table", columns)
    wanted = "the required columns are category, group, new_name"
    assert (ran.code, wanted in ran.err) == (1, True)


def test_a_table_with_semicolons_is_read(
    curate: Curate, workspace: Path, table: Callable[..., Path]
) -> None:
    """As spreadsheets write it where the comma is the decimal point."""
    path = table("Craft;Potters;Ceramists", header="category;group;new_name")
    ran = curate("groups", "rename", "-w", workspace, "--table", path, "--json")
    assert [(item["old"], item["new"]) for item in ran.json["renamed"]] == [
        ("Potters", "Ceramists")
    ]
