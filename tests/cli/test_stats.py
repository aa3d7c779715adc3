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


def test_before_the_survey_all_templates_are_left(curate: Curate, demo: Path) -> None:
    """Those that wait for their groups give no samples, and are named."""
    found = curate("stats", "-w", demo, "--json").json
    assert table(found) == {
        "Age": (1, 0, 6, 1, 7, 7, 480),
        "Home_region": (1, 5, 1, 2, 8, 8, 352),
        "Occupation": (1, 1, 6, 1, 8, 8, 544),
        "Hobby": (1, 0, 6, 1, 7, 7, 288),
        "Birth_season": (0, 0, 0, 6, 6, 6, 288),
        "Total": (4, 6, 19, 11, 36, 36, 1952),
    }
    assert found["without_samples"] == [f"home_region-00{at}" for at in (2, 3, 4, 6)]


def test_after_the_survey_those_that_are_left_are_counted(curate: Curate, filtered: Path) -> None:
    """Surveyed groups give samples to templates that had none."""
    found = curate("stats", "-w", filtered, "--json").json
    assert table(found)["Home_region"] == (1, 4, 1, 2, 8, 7, 640)
    assert table(found)["Total"] == (4, 5, 16, 10, 36, 31, 2112)
    assert found["without_samples"] == []


def test_the_counts_are_those_of_the_export(curate: Curate, filtered: Path) -> None:
    """What is counted without making it is what is made."""
    counted = table(curate("stats", "-w", filtered, "--json").json)["Total"][-1]
    exported = curate("export", "samples", "-w", filtered, "--json").json["counts"]["samples"]
    assert counted == exported


def test_the_table_is_aligned(curate: Curate, demo: Path) -> None:
    """Figures stand to the right, with a note on what gives no samples."""
    ran = curate("stats", "-w", demo)
    lines = ran.out.splitlines()
    assert " ".join(lines[0].split()) == "Category SR TM ST NC before survey templates samples"
    assert lines[2].endswith("480")
    assert lines[7].split() == ["Total", "4", "6", "19", "11", "36", "36", "1,952"]
    assert len({len(line) for line in lines[:8]}) == 1
    assert " ".join(lines[-2:]) == (
        "4 templates give no samples yet (not translated, or groups not surveyed): "
        "home_region-002, home_region-003, home_region-004, home_region-006"
    )
    assert max(map(len, lines)) <= 80
    assert ran.err == ""


def test_templates_without_a_label_have_a_column(curate: Curate, workspace: Path) -> None:
    """It is shown where there are any."""
    bank = workspace / "templates_src" / "bank.csv"
    assert "unlabelled" not in curate("stats", "-w", workspace).out
    bank.write_text(bank.read_text().replace("craft-002,a,Craft,ST", "craft-002,a,Craft,"))
    ran = curate("stats", "-w", workspace)
    assert ran.out.splitlines()[0].split()[5] == "unlabelled"
    assert curate("stats", "-w", workspace, "--json").json["rows"][0]["unlabelled"] == 1
    with bank.open("a") as stream:
        stream.write("age-001,a,Age,SR,They rest,,,,,,,,,,\n")
    assert "unlabelled" in curate("stats", "-w", workspace).out


def test_a_template_that_cannot_be_filled_is_said_and_not_counted(
    curate: Curate, workspace: Path
) -> None:
    """The others are counted all the same; the status says that something is wrong."""
    bank = workspace / "templates_src" / "bank.csv"
    bank.write_text(bank.read_text().replace("[N1] sang", "[N3] sang"))
    ran = curate("stats", "-w", workspace)
    assert ran.code == 1
    assert ran.out.splitlines()[-1 - 4].split()[-2:] == ["2", "8"]
    assert ran.out.splitlines()[-3:] == [
        "1 template cannot be filled and is not counted:",
        "error [template-unfillable] bank, row 4: craft-002a: slot N3 has no list of fillers",
        "    -> declare it in names or words",
    ]
    ran = curate("stats", "-w", workspace, "--json")
    assert ran.code == 1
    assert [item["rule"] for item in ran.json["findings"]] == ["template-unfillable"]
    assert [item["template_id"] for item in ran.json["templates"]] == ["craft-001"]


def test_all_that_is_shown_fits_a_terminal(curate: Curate, workspace: Path) -> None:
    """A wide table is written in two, with stacked titles; names and numbers stay whole."""
    bank = workspace / "templates_src" / "bank.csv"
    many = "; ".join(f"N{at}: [{', '.join(f'p{n}' for n in range(9000))}]" for at in (1, 2))
    name = "Work_of_the_parents_of_both_grandparents"
    bank.write_text(
        bank.read_text()
        .replace("craft-001,a,Craft,ST", f"{name.lower()}-001,a,{name},")
        .replace("N1: [Ann]; N2: [Bob],Potters", f'"{many}",Potters', 1)
    )
    ran = curate("stats", "-w", workspace)
    lines = [*ran.out.splitlines(), *ran.err.splitlines()]
    assert max(map(len, lines)) <= 80
    assert [line.split()[-1] for line in lines if line.startswith("Category")] == [
        "survey",
        "samples",
    ]
    assert lines[-1].split()[-1] == "culture.yaml"
    rows = [line.split() for line in lines if line.startswith(name)]
    assert rows[-1][-1] == "324,000,000"


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


def test_nothing_is_written(curate: Curate, filtered: Path, listing: Callable[..., Any]) -> None:
    """Counting and explaining change no file."""
    before = listing(filtered)
    curate("stats", "-w", filtered)
    curate("explain", "-w", filtered, "age-001")
    assert listing(filtered) == before
