"""`curate categories apply`: merges written after the import."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Curate = Callable[..., Any]
Listing = Callable[[Path], dict[str, str]]


@pytest.fixture
def merged(workspace: Path) -> Path:
    """A workspace whose bank has a category that the culture merges into another since."""
    (workspace / "responses" / "questionnaire.csv").unlink()
    bank = workspace / "templates_src" / "bank.csv"
    lines = bank.read_text(encoding="utf-8").splitlines()
    other = [
        line.replace("craft-00", "trade-00").replace(",Craft,", ",Trade,").replace("hum", "sigh")
        for line in lines[1:]
    ]
    bank.write_text("\n".join([*lines, *other, ""]), encoding="utf-8")
    groups = workspace / "templates_src" / "groups.csv"
    with groups.open("a", encoding="utf-8") as stream:
        stream.write("Trade,Bakers,true,[Bob]\nTrade,Potters,true,[Ann]\n")
    culture = workspace / "culture.yaml"
    text = culture.read_text(encoding="utf-8")
    culture.write_text(text.replace("{id: Craft,", "{id: Craft, sources: [Trade],"))
    return workspace


def ids(workspace: Path) -> list[str]:
    """Give the ids in the bank."""
    text = (workspace / "templates_src" / "bank.csv").read_text(encoding="utf-8")
    return [row["template_id"] + row["variant"] for row in csv.DictReader(text.splitlines())]


def test_templates_and_groups_go_to_the_category(curate: Curate, merged: Path) -> None:
    """Taken numbers give way to the next free ones; groups are not doubled."""
    ran = curate("categories", "apply", "-w", merged, "--json")
    assert ran.code == 0
    assert ran.json["renamed"] == {"trade-001": "craft-003", "trade-002": "craft-004"}
    assert ids(merged)[3:] == ["craft-003a", "craft-003b", "craft-004a"]
    assert "Trade" not in (merged / "templates_src" / "groups.csv").read_text(encoding="utf-8")
    assert not [
        item
        for item in curate("check", "-w", merged, "--json").json["findings"]
        if item["rule"] in ("category-unknown", "group-unknown", "group-duplicate")
    ]


def test_applying_again_changes_nothing(curate: Curate, merged: Path, listing: Listing) -> None:
    """The bank, the groups and the former ids stay to the byte."""
    curate("categories", "apply", "-w", merged)
    before = listing(merged)
    assert curate("categories", "apply", "-w", merged, "--json").json["renamed"] == {}
    assert listing(merged) == before


def test_a_former_id_is_found(curate: Curate, merged: Path) -> None:
    """`curate explain` shows the template by the id that it had."""
    curate("categories", "apply", "-w", merged)
    for subject in ("trade-001", "trade-001b"):
        assert "Template craft-003:" in curate("explain", "-w", merged, subject).out


def test_decisions_that_name_former_ids_are_said(curate: Curate, merged: Path) -> None:
    """The ledger is left as it is, and an id that it names is not given again."""
    args = ("--template", "trade-001", "--label", "ST", "--why", "known", "--by", "Mina")
    curate("classify", "resolve", "-w", merged, *args)
    before = (merged / "decisions.csv").read_bytes()
    ran = curate("categories", "apply", "-w", merged, "--json")
    assert [item["rule"] for item in ran.json["findings"]] == ["renamed-decision"]
    assert (merged / "decisions.csv").read_bytes() == before


def test_a_dry_run_writes_nothing(curate: Curate, merged: Path, listing: Listing) -> None:
    """It shows what would be renamed."""
    before = listing(merged)
    assert (
        "trade-001 is to be craft-003"
        in curate("categories", "apply", "-w", merged, "--dry-run").out
    )
    assert listing(merged) == before


def test_a_chain_of_merges_is_refused(curate: Curate, merged: Path) -> None:
    """A category that goes into one that goes elsewhere could never come to rest."""
    culture = merged / "culture.yaml"
    with culture.open("a", encoding="utf-8") as stream:
        stream.write("  - {id: Work, sources: [Craft]}\n")
    ran = curate("categories", "apply", "-w", merged)
    assert ran.code == 1
    assert "goes into" in ran.err


def test_a_deleted_template_is_restored_into_the_category(curate: Curate, merged: Path) -> None:
    """It gets an id there with the others, and comes back by its former one."""
    why = ("--by", "Mina", "--reason", "not asked here")
    curate("templates", "delete", "trade-001", *why, "-w", merged)
    ran = curate("categories", "apply", "-w", merged, "--json")
    assert ran.json["renamed"] == {"trade-002": "craft-003", "trade-001": "craft-004"}
    back = curate("templates", "restore", "trade-001", *why, "-w", merged, "--json")
    assert back.json["templates"] == ["craft-004"]
    assert ids(merged)[3:] == ["craft-003a", "craft-004a", "craft-004b"]
    found = curate("check", "-w", merged, "--json").json["findings"]
    assert {"category-unknown", "group-unknown"}.isdisjoint(item["rule"] for item in found)
