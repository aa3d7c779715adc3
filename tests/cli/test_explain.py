"""`curate explain`."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

Curate = Callable[..., Any]


def explain(curate: Curate, workspace: Path, subject: str) -> tuple[str, Any]:
    """Explain a subject in words and as JSON."""
    words = curate("explain", "-w", workspace, subject)
    assert (words.code, words.err) == (0, "")
    return words.out, curate("explain", "-w", workspace, subject, "--json").json


def with_names(workspace: Path, names: Callable[[str], str]) -> None:
    """Write other lists of people into a template."""
    bank = workspace / "templates_src" / "bank.csv"
    with bank.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for row in rows:
        if row["template_id"] == "age-001":
            row["names"] = names(row["names"])
    with bank.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def test_of_a_long_list_a_few_names_are_shown(curate: Curate, filtered: Path) -> None:
    """Twenty from all over it, without what they are known for, and how many more there are."""
    people = ", ".join(f"Ann{at} {{town: t{at % 40}}}" for at in range(1200))
    names = f"N1: [{people}]; N2: [Bo {{town: t1}}]; N1.town = N2.town"
    with_names(filtered, lambda _: names)
    lines = explain(curate, filtered, "age-001a")[0].splitlines()
    (one,) = (line for line in lines if line.startswith("  N1 (a) "))
    assert one.partition(": ")[2].startswith("Ann0, Ann60, Ann120, ")
    assert one.endswith(", Ann1080, Ann1140 (and 1,180 more)")
    (two,) = (line for line in lines if line.startswith("  N2 (a) "))
    assert two.endswith(": Bo {town: t1}")
    (left,) = (line for line in lines if line.startswith("  conditions "))
    assert left.endswith("  (90 of 3,600 combinations)")


def test_conditions_and_features_are_shown(curate: Curate, filtered: Path) -> None:
    """Of a template with what they leave of the product, of a sample with its fillers."""

    def in_towns(names: str) -> str:
        people = names.split("; ")
        lists = [
            part.replace("]", " {town: hill}]").replace(",", " {town: lake},") for part in people
        ]
        return "; ".join([*lists, "N1.town = N2.town"])

    with_names(filtered, in_towns)
    text, found = explain(curate, filtered, "age-001a")
    assert found["templates"][0]["conditions"] == ["N1.town = N2.town"]
    assert "\n  conditions    N1.town = N2.town  (6 of 12 combinations)\n" in text
    text, found = explain(curate, filtered, "age-001a-001-amb-bsd")
    assert found["sample"]["conditions"] == ["N1.town = N2.town"]
    towns = {name: part.get("features") for name, part in found["sample"]["filling"].items()}
    assert towns == {"N1": {"town": "lake"}, "N2": {"town": "lake"}, "W1": None}
    assert "\n  conditions    N1.town = N2.town\n" in text


def test_an_explained_sample_is_the_exported_one(curate: Curate, filtered: Path) -> None:
    """Field by field, for a sample of surveyed groups."""
    assert curate("export", "samples", "-w", filtered).code == 0
    path = filtered / "exports" / "samples" / "samples.csv"
    with path.open(encoding="utf-8", newline="") as stream:
        rows = {row["sample_id"]: row for row in csv.DictReader(stream)}
    name = "home_region-002a-003-amb-cnt"
    sample = explain(curate, filtered, name)[1]["sample"]
    for column, value in rows[name].items():
        assert column == "choices" or sample[column] == value
