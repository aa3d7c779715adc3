"""`curate status`."""

import csv
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.annotation.labelstudio.fake import FakeServer, text

from .conftest import Curate

STEPS = (
    *("imported", "classified", "translated", "reviewed", "surveyed"),
    *("kept", "dropped", "removed", "undecided"),
)


def status(curate: Curate, folder: Path) -> Any:
    """Give what the command prints; it never fails, and says nothing beside."""
    ran = curate("status", "-w", folder, "--json")
    assert (ran.code, ran.err) == (0, "")
    return ran.json


def steps(found: Any) -> dict[str, dict[str, int]]:
    """Give by category how many templates stand where, those that are not 0."""
    return {
        row["category"]: {step: row[step] for step in STEPS if row[step]}
        for row in found["categories"]
    }


def owed(found: Any) -> list[tuple[str, str, int]]:
    """Give what is owed by whom of how many."""
    return [(item["what"], item["who"], item["count"]) for item in found["owed"]]


def only(found: Any, what: str) -> Any:
    """Give the one thing of a kind that is owed."""
    [item] = [item for item in found["owed"] if item["what"] == what]
    return item


def edit(folder: Path, change: Callable[[dict[str, str]], Mapping[str, str]]) -> None:
    """Change the rows of the bank."""
    path = folder / "templates_src" / "bank.csv"
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for row in rows:
        row.update(change(row))
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def as_imported(row: dict[str, str]) -> Mapping[str, str]:
    """Leave of a row of the demo what an import gives: the texts of the source."""
    if row["label"] == "NC":
        return {}
    own = [name.removesuffix("_source") for name in row if name.endswith("_source")]
    return {"label": "", **dict.fromkeys(own, "")}


@pytest.fixture
def imported(demo: Path) -> Path:
    """The demo culture when nothing was classified, translated or asked yet."""
    edit(demo, as_imported)
    shutil.rmtree(demo / "responses")
    return demo


def sheets(curate: Curate, folder: Path, *names: str) -> list[Path]:
    """Hand out sheets for annotators."""
    args = [part for name in names for part in ("--annotator", name)]
    made = curate("classify", "sheet", "-w", folder, *args, "--json").json["sheets"]
    return [Path(item["file"]) for item in made]


def test_each_template_is_counted_once(curate: Curate, demo: Path, filtered: Path) -> None:
    """Before the survey and after it; the counts are those of the filter."""
    before = status(curate, demo)
    assert steps(before) == {
        "Age": {"reviewed": 7, "removed": 1},
        "Home_region": {"reviewed": 8, "removed": 1},
        "Occupation": {"reviewed": 8, "removed": 1},
        "Hobby": {"reviewed": 7, "removed": 1},
        "Birth_season": {"reviewed": 6},
        "Total": {"reviewed": 36, "removed": 4},
    }
    after = status(curate, filtered)
    assert steps(after) == {
        "Age": {"kept": 6, "dropped": 1, "removed": 1},
        "Home_region": {"kept": 7, "dropped": 1, "removed": 1},
        "Occupation": {"kept": 7, "removed": 1, "undecided": 1},
        "Hobby": {"kept": 5, "dropped": 2, "removed": 1},
        "Birth_season": {"kept": 5, "dropped": 1},
        "Total": {"kept": 30, "dropped": 5, "removed": 4, "undecided": 1},
    }
    assert [row["templates"] for row in after["categories"]] == [8, 9, 9, 8, 6, 40]
    assert len(after["templates"]) == 40
    assert after["templates"][0] == {
        "template_id": "age-001",
        "category": "Age",
        "label": "ST",
        "step": "kept",
        "reason": "no rule drops it",
    }


def test_translation_is_owed_step_by_step(curate: Curate, imported: Path) -> None:
    """By the machine, by nobody in particular, by a translator, by who confirms it, by nobody."""
    edit(imported, lambda row: {} if row["label"] else {"label": "ST"})
    assert only(status(curate, imported), "translate")["do"] == "curate translate run"
    assert curate("translate", "run", "-w", imported, "--engine", "pseudo").code == 0
    found = status(curate, imported)
    assert steps(found)["Total"] == {"translated": 29, "reviewed": 11}
    assert only(found, "review")["count"] == 29
    made = curate("translate", "sheet", "-w", imported, "--translator", "Mina", "--json").json
    file = Path(made["sheets"][0]["file"])
    found = status(curate, imported)
    item = only(found, "texts")
    assert (item["who"], item["count"]) == ("Mina", made["sheets"][0]["texts"])
    assert len(item["items"]) == 29
    assert "review" not in {item["what"] for item in found["owed"]}
    ran = curate("translate", "collect", "-w", imported, file)
    assert ran.code == 0, ran.out
    found = status(curate, imported)
    assert steps(found)["Total"] == {"translated": 29, "reviewed": 11}
    assert only(found, "confirm")["count"] == 29
    accept = ("--accept-unchanged", "--by", "Mina")
    assert curate("translate", "collect", "-w", imported, *accept).code == 0
    found = status(curate, imported)
    assert steps(found)["Total"] == {"reviewed": 40}
    assert [item["what"] for item in found["owed"]] == ["groups", "questionnaire"]
    assert only(found, "groups")["count"] == 25
    edit(
        imported,
        lambda row: {"names": "N1: [*]; N2: [*]"} if row["template_id"] == "age-002" else {},
    )
    assert "age-002" not in only(status(curate, imported), "groups")["items"]


def test_pulled_texts_are_owed_until_they_are_in_the_bank(
    curate: Curate, imported: Path, server: FakeServer
) -> None:
    """What waits on the page, what differs, what cannot be taken, and what is to be collected."""
    edit(imported, lambda row: {"label": "ST"} if row["template_id"] == "age-003" else {})
    people = imported / "annotations" / "people.csv"
    people.parent.mkdir()
    people.write_text("user,email,annotator\n1,,Kim\n2,,Lee\n", encoding="utf-8")
    assert curate("push", "translate", "-w", imported, "--annotations", "2").code == 0
    [page] = (task["data"] for task in server.tasks[1].values())
    found = status(curate, imported)
    item = only(found, "texts")
    assert (page["uid"], item["items"]) == ("age-003", ["age-003"])
    sources = [item["source"] for item in page["texts"]]
    assert (item["who"], item["count"]) == ("translators of project 1", len(sources))
    boxes = {source: f"target_{at}" for at, source in enumerate(sources)}
    plain = [source for source in sources if "[" not in source]
    slots = next(source for source in sources if "[N1]" in source)
    for user, given in (
        (1, {plain[0]: "가", plain[1]: "다", slots: "[N9]"}),
        (2, {plain[0]: "나", plain[1]: "다"}),
    ):
        result = [text(boxes[source], target) for source, target in given.items()]
        server.annotate(1, page["uid"], user, result)
    assert curate("pull", "translate", "-w", imported).code == 0
    found = status(curate, imported)
    assert only(found, "texts")["count"] == len(sources) - 3
    assert len(only(found, "collect")["items"]) == 1
    differ = only(found, "disagreement")
    assert (differ["who"], len(differ["items"])) == ("Kim, Lee", 1)
    assert differ["items"] != only(found, "collect")["items"]
    assert only(found, "correct")["count"] == 1
    collect = ("translate", "collect", "-w", imported, "--labelstudio", "--by", "Kim")
    assert curate(*collect).code == 1
    found = status(curate, imported)
    assert {item["what"] for item in found["owed"]} >= {"texts", "correct"}
    assert not {item["what"] for item in found["owed"]} & {"collect", "disagreement"}


def test_after_a_release_nothing_comes_next(curate: Curate, filtered: Path) -> None:
    """Until a file that the package was made from changes, or the version is another one."""
    ledger = filtered / "decisions.csv"
    with ledger.open("a", encoding="utf-8") as stream:
        stream.write("occupation-009,manual,override,drop,not asked about,,,,,,,,,Kim,2026\n")
    assert curate("export", "package", "-w", filtered).code == 0
    found = status(curate, filtered)
    assert (found["owed"], found["next"]) == ([], [])
    out = curate("status", "-w", filtered).out
    assert out.endswith("\nThis version is released, and nothing has changed since.\n")
    shutil.move(filtered / "exports" / "package", filtered.parent / "package")
    assert status(curate, filtered)["next"] == []
    shutil.move(filtered.parent / "package", filtered / "exports" / "package")
    with ledger.open("a", encoding="utf-8") as stream:
        stream.write("\n")
    assert status(curate, filtered)["next"][-1] == "curate export package"
