"""`curate stats`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

Curate = Callable[..., Any]
COLUMNS = ("sample_removed", "target_modified", "simply_transferred", "newly_created")


def table(found: Any) -> dict[str, tuple[int, ...]]:
    """Give labels, templates before the survey, templates left and samples by category."""
    return {
        row["category"]: (
            *(row[name] for name in COLUMNS),
            row["templates_before_survey"],
            row["templates"],
            row["samples"],
        )
        for row in found["rows"]
    }


def test_the_counts_are_those_of_the_export(curate: Curate, filtered: Path) -> None:
    """What is counted without making it is what is made."""
    counted = table(curate("stats", "-w", filtered, "--json").json)["Total"][-1]
    exported = curate("export", "samples", "-w", filtered, "--json").json["counts"]["samples"]
    assert counted == exported


def test_templates_that_explode_are_said_before_anything_is_written(
    curate: Curate, workspace: Path
) -> None:
    """With their numbers, and that no export writes so many."""
    bank = workspace / "templates_src" / "bank.csv"
    many = "; ".join(f"N{at}: [{', '.join(f'p{n}' for n in range(600))}]" for at in (1, 2))
    bank.write_text(
        bank.read_text()
        .replace("N1: [Ann]; N2: [Bob],Potters", f'"{many}",Potters', 1)
        .replace("N1: [Bob]; N2: [Ann],Bakers", f'"{many}",Bakers', 1)
    )
    ran = curate("stats", "-w", workspace)
    assert ran.code == 0
    assert [line.split() for line in ran.out.splitlines()[-2:]] == [
        ["---------", "--------", "----------------", "---------"],
        ["craft-001", "720,000", "2,880,000", "2,880,000"],
    ]
    assert "2,880,004 samples are more than samples.limit (1,000,000)" in ran.err
    found = curate("stats", "-w", workspace, "--json").json
    assert (found["limit"], found["exceeds_limit"]) == (1_000_000, True)
    assert found["templates"] == [
        {
            "template_id": "craft-001",
            "category": "Craft",
            "fillings": 720_000,
            "possible": 2_880_000,
            "samples": 2_880_000,
            "duplicates": 0,
            "large": True,
        },
        {
            "template_id": "craft-002",
            "category": "Craft",
            "fillings": 1,
            "possible": 4,
            "samples": 4,
            "duplicates": 0,
            "large": False,
        },
    ]
    bounded = curate("stats", "-w", workspace, "--per-template", "100", "--json").json
    assert [item["samples"] for item in bounded["templates"]] == [96, 4]
    assert bounded["rows"][-1]["samples"] == 100
    assert not bounded["exceeds_limit"]
