"""`curate groups rename`: a group gets another name everywhere."""

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Curate = Callable[..., Any]
Listing = Callable[[Path], dict[str, str]]
GROUP_COLUMNS = ("target_groups", "n1_groups", "n2_groups")


def text_of(workspace: Path, name: str) -> str:
    """Read a file of the workspace."""
    return (workspace / name).read_text(encoding="utf-8")


def rows(workspace: Path, name: str = "templates_src/bank.csv") -> list[dict[str, str]]:
    """Read a table of the workspace."""
    with (workspace / name).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def cells(workspace: Path, template: str, variant: str = "a") -> list[list[str]]:
    """Give target, N1 and N2 of a variant."""
    (row,) = [
        row
        for row in rows(workspace)
        if (row["template_id"], row["variant"]) == (template, variant)
    ]
    return [json.loads(row[column] or "[]") for column in GROUP_COLUMNS]


def rename(curate: Curate, workspace: Path, *args: object) -> Any:
    """Rename a group, which must go well."""
    ran = curate("groups", "rename", "-w", workspace, *args, "--json")
    assert (ran.code, ran.err) == (0, "")
    return ran.json


def test_a_group_is_renamed_in_groups_and_bank(curate: Curate, workspace: Path) -> None:
    """As a whole name, in its category alone; what others wrote into the files stays."""
    (workspace / "responses" / "questionnaire.csv").unlink()
    groups = workspace / "templates_src" / "groups.csv"
    groups.write_text(
        "mine,category,group,parent,fillers\n"
        "x,Craft,Potters,,[Ann]\n,Craft,Bakers,Potters,[Bob]\n,Trade,Potters,,[Cy]\n"
    )
    bank = workspace / "templates_src" / "bank.csv"
    bank.write_text(
        bank.read_text()
        + "craft-003,a,Craft,ST,They knit,Old Potters,[N1] sat.,[N1] knit.,Who?,Who not?,[N1],[N2],"
        'N1: [Ann]; N2: [Bob],Old Potters,"[""Bakers"", ""Potters""]"\n'
    )
    culture = text_of(workspace, "culture.yaml")
    found = rename(curate, workspace, "Craft", "Potters", "Ceramists")
    assert groups.read_text() == (
        "mine,category,group,parent,fillers\n"
        "x,Craft,Ceramists,,[Ann]\n,Craft,Bakers,Ceramists,[Bob]\n,Trade,Potters,,[Cy]\n"
    )
    assert cells(workspace, "craft-001") == [["Bakers"], ["Ceramists"], ["Bakers"]]
    assert cells(workspace, "craft-001", "b") == [["Bakers"], ["Bakers"], ["Ceramists"]]
    assert cells(workspace, "craft-003") == [
        ["Old Potters"],
        ["Old Potters"],
        ["Bakers", "Ceramists"],
    ]
    assert text_of(workspace, "culture.yaml") == culture
    assert found == {
        "category": "Craft",
        "old": "Potters",
        "new": "Ceramists",
        "groups": 1,
        "parents": 1,
        "cells": 4,
        "filled": 0,
        "templates": ["craft-001", "craft-002", "craft-003"],
        "deleted": [],
        "former_names": [],
        "files": ["templates_src/groups.csv", "templates_src/bank.csv"],
        "source_only": [],
        "unwritten": [],
        "foreign": [],
    }


def test_deleted_templates_get_the_name_too(
    curate: Curate, workspace: Path, listing: Listing
) -> None:
    """They come back with the groups of now, and a table with --undo takes the name back there."""
    delete = ("templates", "delete", "-w", workspace, "craft-002", "--by", "Ada", "--reason", "odd")
    assert curate(*delete).code == 0
    table = workspace / "names.csv"
    table.write_text("category,group,new_name\nCraft,Potters,Ceramists\n")
    before = listing(workspace)
    ran = curate("groups", "rename", "-w", workspace, "--table", table)
    assert (ran.code, ran.err) == (0, "")
    assert "\n  bank.csv      2 cells, in 1 template (craft-001)\n" in ran.out
    assert "\n  deleted.csv   1 template (craft-002)\n" in ran.out
    (row,) = rows(workspace, "templates_src/deleted.csv")
    assert [json.loads(row[column]) for column in GROUP_COLUMNS] == [
        ["Bakers"],
        ["Ceramists"],
        ["Bakers"],
    ]
    after = listing(workspace)
    assert curate("groups", "rename", "-w", workspace, "--table", table).code == 0
    assert listing(workspace) == after
    undone = rename(curate, workspace, "--table", table, "--undo")
    assert undone["renamed"][0]["deleted"] == ["craft-002"]
    assert undone["files"][-2:] == ["templates_src/deleted.csv", "templates_src/bank.csv"]
    assert listing(workspace) == before
    rename(curate, workspace, "Craft", "Potters", "Ceramists")
    restore = ("templates", "restore", "-w", workspace, "craft-002", "--by", "Ada")
    assert curate(*restore, "--reason", "even").code == 0
    assert cells(workspace, "craft-002") == [["Bakers"], ["Ceramists"], ["Bakers"]]
    found = curate("check", "-w", workspace, "--json").json["findings"]
    assert not [item for item in found if item["rule"].startswith("group-")]


def test_turkish_names_that_differ_in_a_dot_are_renamed_apart(
    curate: Curate, workspace: Path
) -> None:
    """A table names one of them, in either form of its letters; one with another case is none."""
    (workspace / "responses" / "questionnaire.csv").unlink()
    settings = workspace / "culture.yaml"
    settings.write_text(
        re.sub(r"(?m)^language: .*$", "language: tr", settings.read_text("utf-8")), "utf-8"
    )
    for name in ("bank.csv", "groups.csv"):
        path = workspace / "templates_src" / name
        text = path.read_text("utf-8").replace("Potters", "İlıca").replace("Bakers", "Ilıca")
        path.write_text(text, "utf-8")
    table = workspace / "names.csv"
    table.write_text("category,group,new_name\nCraft,I\u0307lıca,ılgaz\n", "utf-8")
    rename(curate, workspace, "--table", table)
    assert cells(workspace, "craft-001") == [["Ilıca"], ["ılgaz"], ["Ilıca"]]
    assert [row["group"] for row in rows(workspace, "templates_src/groups.csv")].count("Ilıca")
    table.write_text("category,group,new_name\nCraft,ilıca,other\n", "utf-8")
    ran = curate("groups", "rename", "-w", workspace, "--table", table)
    assert ran.code == 1
    assert "Craft has no group 'ilıca'" in ran.err
    assert "did you mean Ilıca?" in ran.err
    assert cells(workspace, "craft-001") == [["Ilıca"], ["ılgaz"], ["Ilıca"]]


def test_a_name_that_is_left_among_deleted_templates_is_completed(
    curate: Curate, workspace: Path
) -> None:
    """Where groups and bank have the new name already, the deleted ones take it too."""
    delete = ("templates", "delete", "-w", workspace, "craft-002", "--by", "Ada", "--reason", "odd")
    assert curate(*delete).code == 0
    deleted = workspace / "templates_src" / "deleted.csv"
    before = deleted.read_text(encoding="utf-8")
    rename(curate, workspace, "Craft", "Potters", "Ceramists")
    wanted = deleted.read_text(encoding="utf-8")
    deleted.write_text(before, encoding="utf-8")
    found = rename(curate, workspace, "Craft", "Potters", "Ceramists")
    assert found["files"] == ["templates_src/deleted.csv"]
    assert deleted.read_text(encoding="utf-8") == wanted


def test_counts_are_said(curate: Curate, workspace: Path, listing: Listing) -> None:
    """With --dry-run what would change, of which nothing is written."""
    before = listing(workspace)
    command = ("groups", "rename", "-w", workspace, "Craft", "Potters", "Ceramists")
    lines = (
        "  groups.csv    1 row\n"
        "  bank.csv      3 cells, in 2 templates (craft-001, craft-002)\n"
        "  culture.yaml  former names, used in the survey: Potters\n"
    )
    ran = curate(*command, "--dry-run")
    assert (ran.code, ran.out) == (0, f"Craft: Potters would be Ceramists.\n{lines}")
    assert listing(workspace) == before
    assert curate(*command).out == f"Craft: Potters is now Ceramists.\n{lines}"
    after = listing(workspace)
    assert {name for name in before if before[name] != after[name]} == {
        *("culture.yaml", "templates_src/bank.csv", "templates_src/groups.csv")
    }
    assert curate(*command).out == "Craft: Potters is already named Ceramists; nothing to change.\n"
    assert listing(workspace) == after


def test_chains_end_in_one_list_and_a_rename_is_taken_back(
    curate: Curate, workspace: Path, listing: Listing
) -> None:
    """What was asked is the first name, so nothing else is kept, and back it is as it was."""
    rename(curate, workspace, "Craft", "Potters", "Clay people")
    rename(curate, workspace, "Craft", "Clay people", "Potters")
    before = listing(workspace)
    first = rename(curate, workspace, "Craft", "Potters", "Ceramists")
    assert first["former_names"] == ["Potters"]
    assert "renamed_groups: {Ceramists: [Potters]}}" in text_of(workspace, "culture.yaml")
    second = rename(curate, workspace, "Craft", "Ceramists", "Clay people")
    assert second["former_names"] == ["Potters"]
    assert "renamed_groups: {Clay people: [Potters]}}" in text_of(workspace, "culture.yaml")
    (workspace / "responses" / "questionnaire.csv").write_text(
        text_of(workspace, "responses/questionnaire.csv").replace(
            "They sing,,2,Potters", "They sing,,2,Clay people"
        )
    )
    third = rename(curate, workspace, "Craft", "Clay people", "Ceramists")
    assert third["former_names"] == ["Potters", "Clay people"]
    back = rename(curate, workspace, "Craft", "Ceramists", "Potters")
    assert back["former_names"] == ["Clay people"]
    assert "renamed_groups: {Potters: [Clay people]}}" in text_of(workspace, "culture.yaml")
    (workspace / "responses" / "questionnaire.csv").write_text(
        text_of(workspace, "responses/questionnaire.csv").replace("Clay people", "Potters")
    )
    culture = workspace / "culture.yaml"
    culture.write_text(
        culture.read_text().replace(", renamed_groups: {Potters: [Clay people]}", "")
    )
    assert listing(workspace) == before


@pytest.mark.parametrize(
    ("args", "what", "hint"),
    [
        (("craft", "Potters", "X"), "there is no category 'craft'", "did you mean Craft?"),
        (("Zzz", "Potters", "X"), "there is no category 'Zzz'", "categories are Craft"),
        (("Craft", "Poters", "X"), "Craft has no group 'Poters'", "did you mean Potters?"),
        (
            ("Craft", "Xyz", "Y"),
            "Craft has no group 'Xyz'",
            "the groups of Craft are Bakers, Potters",
        ),
        (
            ("Craft", "Potters", "Bakers"),
            "'Bakers' is a group of Craft already",
            "cannot merge groups",
        ),
        (
            ("Craft", "Potters", "Pot, makers"),
            "'Pot, makers' cannot be the name of a group: the name 'Pot, makers' has a comma",
            "write the name without comma",
        ),
        (
            ("Craft", "Potters", "Pot\u200bmakers"),
            "cannot be the name of a group",
            "",
        ),
        (("Craft", "Potters", "Potters "), "'Potters' is already its name", ""),
        (("Craft", "Potters", " "), "the new name is empty", ""),
        (("Craft", "", "X"), "the old name is empty", ""),
    ],
)
def test_what_is_no_rename_is_refused(
    curate: Curate,
    workspace: Path,
    listing: Listing,
    args: tuple[str, str, str],
    what: str,
    hint: str,
) -> None:
    """With one error that says what to do; nothing is written."""
    before = listing(workspace)
    ran = curate("groups", "rename", "-w", workspace, *args)
    assert (ran.code, ran.out) == (1, "")
    assert what in ran.err
    assert hint in ran.err
    assert listing(workspace) == before


def test_groups_that_would_become_one_are_refused(
    curate: Curate, workspace: Path, listing: Listing
) -> None:
    """Whether templates name both, the survey asked about both, or the settings know better."""
    groups = workspace / "templates_src" / "groups.csv"
    groups.write_text("category,group,fillers\nCraft,Bakers,[Bob]\n")  # Potters were taken out

    def refusal(*args: str) -> str:
        before = listing(workspace)
        ran = curate("groups", "rename", "-w", workspace, *args)
        assert (ran.code, ran.out) == (1, "")
        assert listing(workspace) == before
        text: str = ran.err
        return text

    asked = refusal("Craft", "Potters", "Bakers")
    assert "the survey asked about 'Potters' and about 'Bakers'" in asked
    (workspace / "responses" / "questionnaire.csv").unlink()
    named = refusal("Craft", "Potters", "Bakers")
    assert "craft-001a names 'Potters' and 'Bakers', which would become one group" in named
    culture = workspace / "culture.yaml"
    told = "question: choice, renamed_groups: {Millers: [Dusty]}}"
    culture.write_text(culture.read_text().replace("question: choice}", told))
    former = refusal("Craft", "Bakers", "Dusty")
    assert "'Dusty' is a former name of 'Millers'" in former
    gone = refusal("Craft", "Dusty", "Bakers")
    assert "Craft has no group 'Dusty'" in gone
    assert "it is called 'Millers' now" in gone


def test_one_that_is_known_in_another_category_is_pointed_to(
    curate: Curate, filtered: Path
) -> None:
    """A group belongs to one category."""
    ran = curate("groups", "rename", "-w", filtered, "Hobby", "노인", "어르신")
    assert "Hobby has no group '노인'" in ran.err
    assert "it is a group of Age" in ran.err


@pytest.fixture
def imported(curate: Curate, tmp_path: Path) -> Path:
    """The tutorial's templates, imported; two of them have texts."""
    files, folder = tmp_path / "files", tmp_path / "culture"
    assert curate("demo", "--tutorial", files).code == 0
    assert curate("init", folder, "--language", "ko", "--culture", "M").code == 0
    assert curate("import", "bbq", "-w", folder, files / "bbq").code == 0
    bank = folder / "templates_src" / "bank.csv"
    table = rows(folder)
    for row in table:
        if row["template_id"] in ("age-001", "age-002", "age-003", "region-002"):
            row["ambiguous_context"] = "[N1]."
            row["names"] = "N1: [A]; N2: [B]"
        if row["template_id"] == "age-003":
            row["label"] = "SR"
        if row["template_id"] == "region-002":
            row["names"] = "N1: [*]; N2: [*]"
    with bank.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(table[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)
    return folder


def test_names_of_the_source_are_taken_over_where_they_are_wanted(
    curate: Curate, imported: Path
) -> None:
    """In written templates, by --from-source alone; not where SR or the survey says otherwise."""
    sources = [{key: row[key] for key in row if key.endswith("_source")} for row in rows(imported)]
    plain = curate("groups", "rename", "-w", imported, "Age", "young", "청년")
    assert (
        "2 templates (age-001, age-002) with an empty cell, where the source names young"
        in plain.out
    )
    assert "fill them with --from-source" in plain.out
    assert cells(imported, "age-001") == [[], [], []]
    found = rename(curate, imported, "Age", "young", "청년", "--from-source")
    assert (found["groups"], found["cells"], found["filled"]) == (0, 0, 6)
    assert found["files"] == ["templates_src/bank.csv"]
    assert cells(imported, "age-001") == [[], ["청년"], []]
    found = rename(curate, imported, "Age", "old", "노인", "--from-source")
    assert (found["groups"], found["filled"]) == (1, 6)
    assert cells(imported, "age-001") == [["노인"], ["청년"], ["노인"]]
    assert cells(imported, "age-002", "b") == [["청년"], ["청년"], ["노인"]]
    assert cells(imported, "age-003") == [[], [], []]
    found = rename(curate, imported, "Region", "coast", "해안", "--from-source")
    assert (found["filled"], found["unwritten"]) == (0, ["region-001"])
    assert cells(imported, "region-002") == [[], [], []]
    assert "renamed_groups: {" not in text_of(imported, "culture.yaml").split("categories:")[1]
    assert sources == [
        {key: row[key] for key in row if key.endswith("_source")} for row in rows(imported)
    ]


def test_other_names_of_a_list_come_along_until_they_are_renamed(
    curate: Curate, imported: Path
) -> None:
    """So that templates translated later get all their names, in whatever order."""
    bank = imported / "templates_src" / "bank.csv"
    text = bank.read_text(encoding="utf-8")
    bank.write_text(text.replace('"[""young""]"', '"[""young"", ""old""]"'), encoding="utf-8")
    (imported / "templates_src" / "groups.csv").write_text(
        "category,group\nAge,청년\nAge,노인\n", encoding="utf-8"
    )
    found = rename(curate, imported, "Age", "young", "청년", "--from-source")
    assert found["foreign"] == ["old"]
    assert cells(imported, "age-001")[1] == ["청년", "old"]
    unknown = curate("check", "-w", imported, "--rule", "group-unknown", "--json").json["findings"]
    assert [item["message"] for item in unknown] == [
        "group 'old' is not listed in Age (in 6 cells)"
    ]
    found = rename(curate, imported, "Age", "old", "노인", "--from-source")
    assert found["foreign"] == []
    assert cells(imported, "age-001")[1] == ["청년", "노인"]


def test_a_list_that_cannot_be_read_stops_the_rename(
    curate: Curate, imported: Path, listing: Listing
) -> None:
    """Whether the survey is to name its people cannot be told."""
    bank = imported / "templates_src" / "bank.csv"
    bank.write_text(bank.read_text("utf-8").replace("N1: [*];", "N1: [*;"), "utf-8")
    before = listing(imported)
    ran = curate("groups", "rename", "-w", imported, "Region", "coast", "해안", "--from-source")
    assert ran.code == 1
    assert "region-002a" in ran.err
    assert "columns names and words" in ran.err
    assert listing(imported) == before


def test_a_rename_that_breaks_off_is_completed_by_the_same_command(
    curate: Curate, workspace: Path, listing: Listing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever that is: what was asked is told first, and the check finds what is left to do."""
    kept = {path: path.read_bytes() for path in workspace.rglob("*") if path.is_file()}
    rename(curate, workspace, "Craft", "Potters", "Ceramists")
    wanted = listing(workspace)
    real = Path.replace
    for good in range(3):
        for path, data in kept.items():
            path.write_bytes(data)
        done: list[Path] = []

        def stop(self: Path, target: Path, done: list[Path] = done, good: int = good) -> Path:
            # Tables are written beside in two steps; only what takes a file's place counts.
            if not target.name.startswith("."):
                if len(done) == good:
                    raise OSError(28, "No space left on device")
                done.append(target)
            return real(self, target)

        with monkeypatch.context() as patch:
            patch.setattr(Path, "replace", stop)
            ran = curate("groups", "rename", "-w", workspace, "Craft", "Potters", "Ceramists")
        assert ran.code == 1
        assert "No space left" in ran.err
        assert [path.name for path in done] == ["culture.yaml", "groups.csv", "bank.csv"][:good]
        assert not list(workspace.rglob(".*.stage"))
        findings = curate("check", "-w", workspace, "--json").json["findings"]
        of_groups = {item["rule"] for item in findings if item["rule"].startswith("group-")}
        assert of_groups == (set(), {"group-renamed"}, {"group-unknown"})[good]
        rename(curate, workspace, "Craft", "Potters", "Ceramists")
        assert listing(workspace) == wanted


def test_nothing_is_put_in_place_before_all_is_written(
    curate: Curate, workspace: Path, listing: Listing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bank that cannot be written leaves settings and groups alone."""
    before = listing(workspace)

    def full(path: Path, bank: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("survey.group_renaming.write_bank", full)
    ran = curate("groups", "rename", "-w", workspace, "Craft", "Potters", "Ceramists")
    assert ran.code == 1
    assert "No space left" in ran.err
    assert listing(workspace) == before  # nor does what lay beside stay


def test_what_was_renamed_by_hand_is_completed(curate: Curate, filtered: Path) -> None:
    """The survey's name is told where groups and bank have the new one already."""
    for name in ("bank.csv", "groups.csv"):
        path = filtered / "templates_src" / name
        path.write_text(path.read_text("utf-8").replace("노인", "어르신"), "utf-8")
    found = rename(curate, filtered, "Age", "노인", "어르신")
    assert (found["files"], found["former_names"]) == (["culture.yaml"], ["노인"])
    assert "    question: choice\n    renamed_groups: {어르신: [노인]}\n" in text_of(
        filtered, "culture.yaml"
    )


def test_published_counts_are_a_survey_too(curate: Curate, workspace: Path) -> None:
    """Their groups keep their names there."""
    (workspace / "responses" / "questionnaire.csv").unlink()
    counts = [
        {
            "category": "Craft",
            "stereotype": "They hum",
            "survey_stats": {"Bakers": 30, "Potters": 5, "no_stereo": 5},
            "template_id": "craft-001",
        }
    ]
    path = workspace / "responses" / "published_counts.json"
    path.write_text(json.dumps(counts), encoding="utf-8")
    before = path.read_bytes()
    assert rename(curate, workspace, "Craft", "Potters", "Clay")["former_names"] == ["Potters"]
    assert path.read_bytes() == before
    ran = curate("filter", "-w", workspace, "--survey", path, "--json")
    assert ran.json["templates"]["kept"] == 1
