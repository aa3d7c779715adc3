"""`curate groups rename` after a survey: every decision and every sample stays."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Curate = Callable[..., Any]
Listing = Callable[[Path], dict[str, str]]
GROUP_COLUMNS = ("target_groups", "n1_groups", "n2_groups")
EXPLAINED = ("age-005", "home_region-005", "occupation-004", "hobby-008", "birth_season-001")
"""Kept, with two groups on a side, with groups from the survey; dropped by different rules."""


def rows(workspace: Path, name: str) -> list[dict[str, str]]:
    """Read a table of the workspace."""
    with (workspace / name).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def rename(curate: Curate, workspace: Path, *args: object) -> Any:
    """Rename a group, which must go well."""
    ran = curate("groups", "rename", "-w", workspace, *args, "--json")
    assert (ran.code, ran.err) == (0, "")
    return ran.json


def new_name(group: str) -> str:
    """Give a group of the demo another name."""
    return f"새 {group}"


def everywhere(names: set[str], groups: list[str]) -> list[str]:
    """Put the new names into a list of groups."""
    return [new_name(group) if group in names else group for group in groups]


def state(curate: Curate, workspace: Path) -> dict[str, Any]:
    """Give what the commands say and write, with the names of groups by themselves."""
    for args in (("export", "samples", "--set", "all,test"), ("export", "bank")):
        assert curate(*args, "-w", workspace).code == 0
    bank = rows(workspace, "exports/bank/bank.csv")
    samples = [
        row
        for name in ("samples", "test_samples")
        for row in rows(workspace, f"exports/samples/{name}.csv")
    ]
    explained = [
        curate("explain", "-w", workspace, name, "--json").json["templates"] for name in EXPLAINED
    ]
    return {
        "groups": [json.loads(row.pop(key) or "[]") for row in bank for key in GROUP_COLUMNS],
        "of samples": [
            row.pop(key).split(", ") for row in samples for key in ("n1_group", "n2_group")
        ],
        "votes": [
            (item["group"] or "").split(", ")
            for (template,) in explained
            for item in template["question"]["votes"]
        ],
        "kept": {
            "bank": bank,
            "samples": samples,
            "standing": rows(workspace, "exports/bank/templates.csv"),
            "decisions": [(item["status"], item["decisions"]) for (item,) in explained],
            "votes": [
                [item["votes"] for item in template["question"]["votes"]]
                for (template,) in explained
            ],
            "check": curate("check", "-w", workspace, "--json").json,
            "stats": curate("stats", "-w", workspace, "--json").json["rows"],
        },
    }


def test_decisions_stay_when_every_group_is_renamed(curate: Curate, filtered: Path) -> None:
    """Kept and dropped, votes and targets, samples: as before except for the names of groups."""
    groups = rows(filtered, "templates_src/groups.csv")
    names = {row["group"] for row in groups}
    before = state(curate, filtered)
    asked = {
        group
        for row in rows(filtered, "responses/tallies.csv")
        for group in json.loads(row["group"] or "[]")
    }
    assert {"조개섬", "청년"} <= asked
    for row in groups:
        found = rename(curate, filtered, row["category"], row["group"], new_name(row["group"]))
        assert found["former_names"] == ([row["group"]] if row["group"] in asked else [])
    after = state(curate, filtered)
    assert after["kept"] == before["kept"]
    standing = [row["status"] for row in after["kept"]["standing"]]
    assert (standing.count("kept"), standing.count("dropped")) == (30, 5)
    assert len(after["kept"]["samples"]) > 1000
    for part in ("groups", "of samples", "votes"):
        assert after[part] == [everywhere(names, found) for found in before[part]]
        assert after[part] != before[part]
    survey = filtered / "responses" / "responses.csv"
    again = curate("filter", "-w", filtered, "--survey", survey, "--json").json
    assert again["ledger"]["added"] == 0
    assert {item["rule"] for item in again["findings"]} <= {"survey-undecided"}
    assert [
        item.json["templates"][0]["decisions"]
        for item in [curate("explain", "-w", filtered, name, "--json") for name in EXPLAINED]
    ] == [decisions for _, decisions in after["kept"]["decisions"]]


def test_renaming_all_and_back_leaves_every_file_as_it_was(
    curate: Curate, filtered: Path, listing: Listing
) -> None:
    """Settings with their comments, groups and bank, to the byte."""
    # The first writing puts rows into the toolkit's own shape of CSV.
    rename(curate, filtered, "Age", "노인", "어르신")
    rename(curate, filtered, "Age", "어르신", "노인")
    before = listing(filtered)
    every = [
        (row["category"], row["group"])
        for row in rows(filtered, "templates_src/groups.csv")
        if row["category"] in ("Age", "Occupation")
    ]
    for category, group in every:
        rename(curate, filtered, category, group, new_name(group))
    settings = (filtered / "culture.yaml").read_text(encoding="utf-8")
    assert "  - id: Occupation          # merged from two categories" in settings
    assert settings.count("renamed_groups:") == 2
    assert "새 도서 직군: [도서 직군]" in settings
    for category, group in every:
        rename(curate, filtered, category, new_name(group), group)
    assert listing(filtered) == before
