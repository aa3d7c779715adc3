"""`curate filter`."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curation.files.ledger import read_decisions
from curation.records.survey import Rule

EPOCH = "1767225600"

Curate = Callable[..., Any]
Listing = Callable[[Path], dict[str, str]]


def filter_by(curate: Curate, workspace: Path, *more: object, survey: object = "") -> Any:
    """Filter a workspace by its own answers, or by another file."""
    path = survey or workspace / "responses" / "responses.csv"
    return curate("filter", "-w", workspace, "--survey", path, *more)


def ledger(workspace: Path) -> bytes:
    """Give the ledger's bytes."""
    return (workspace / "decisions.csv").read_bytes()


# The demo culture.


STANDINGS = {
    "걸음이 빠르다": ({"구름언덕"}, {"너른들"}),
    "안개 속에서도 길을 잘 찾는다": ({"등대제도", "안개섬"}, {"솔바람숲", "너른들"}),
    "일하면서 노래를 흥얼거린다": ({"갈대늪", "솔바람숲"}, {"소금해안", "구름언덕"}),
    "손님에게 차를 여러 번 권한다": (set(), {"갈대늪", "안개섬"}),
    "감자를 자주 먹는다": ({"너른들"}, {"소금해안", "등대제도"}),
}


def test_groups_of_the_demo_stand_as_its_readme_says(filtered: Path) -> None:
    """Exactly twice the share is a target, exactly half a non-target, counting or not."""
    with (filtered / "responses" / "targets.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for stereotype, (targets, non_targets) in STANDINGS.items():
        mine = [row for row in rows if row["stereotype"] == stereotype]
        assert {row["group"] for row in mine if row["role"] == "target"} == targets
        assert {row["group"] for row in mine if row["role"] == "non_target"} >= non_targets
    fast = {row["group"]: row for row in rows if row["stereotype"] == "걸음이 빠르다"}
    assert {row["equal_share"] for row in fast.values()} == {"14"}
    assert fast["솔바람숲"]["role"] == fast["거울호수"]["role"] == "neither"


# The ledger.


def test_groups_that_are_no_longer_modified_are_taken_back(curate: Curate, filtered: Path) -> None:
    """The ledger says that the stated groups stand again, once."""

    def latest() -> tuple[str, str]:
        found = [
            item
            for item in read_decisions(filtered / "decisions.csv")
            if (item.subject, item.rule) == ("home_region-005", "target_selection")
        ]
        return found[-1].outcome.value, found[-1].reason

    assert latest() == ("modify", "surveyed_groups")
    filter_by(curate, filtered, "--target-multiple", "9/2")  # no group has so many shares
    assert latest() == ("keep", "stated_groups")
    size = len(ledger(filtered))
    filter_by(curate, filtered, "--target-multiple", "9/2")
    assert len(ledger(filtered)) == size
    filter_by(curate, filtered)
    assert latest() == ("modify", "surveyed_groups")


# Refused data.


# What is said, and decided all the same.


def test_groups_that_cannot_be_put_in_are_an_error_that_exports_refuse(
    curate: Curate, demo: Path
) -> None:
    """The decisions are kept, the template is named, and the status is 1."""
    groups = demo / "templates_src" / "groups.csv"
    text = groups.read_text("utf-8")
    line = next(line for line in text.splitlines() if line.startswith("Home_region,갈대늪,"))
    groups.write_text(text.replace(line, "Home_region,갈대늪,,region,true,"), "utf-8")
    ran = filter_by(curate, demo, "--json")
    assert ran.code == 1
    errors = [item for item in ran.json["findings"] if item["severity"] == "error"]
    assert {item["rule"] for item in errors} == {"survey-groups-not-put-in"}
    assert any("'갈대늪' has no fillers" in item["message"] for item in errors)
    assert read_decisions(demo / "decisions.csv")
    export = curate("export", "samples", "-w", demo)
    assert (export.code, "has no fillers" in export.err) == (1, True)
    assert not (demo / "exports" / "samples").exists()


# Several files.


@pytest.mark.parametrize("answered", [False, True])
def test_comprehension_of_an_earlier_file_decides_nothing(
    curate: Curate, demo: Path, answered: bool
) -> None:
    """Without answers to it, or none that count, no template is dropped by what others said."""
    path = demo / "responses" / "responses.csv"
    assert filter_by(curate, demo, "--json").json["templates"]["dropped"] == 5
    lines = path.read_text("utf-8").splitlines(keepends=True)
    rest = [line.replace(",selected,", ",missing,") if answered else "" for line in lines]
    path.write_text(
        "".join(b if ",comprehension," in a else a for a, b in zip(lines, rest, strict=True)),
        "utf-8",
    )
    again = filter_by(curate, demo, "--json").json
    assert again["templates"]["dropped"] == 4
    assert "hobby-008" not in {item["template_id"] for item in again["dropped"]}
    assert sum(row["dropped"]["comprehension"] for row in again["funnel"]["templates"]) == 0
    last = {
        item.subject: (item.outcome.value, item.reason)
        for item in read_decisions(demo / "decisions.csv")
        if item.rule is Rule.COMPREHENSION
    }
    assert last["hobby-008"] == ("keep", "not_asked")
    assert filter_by(curate, demo, "--json").json["ledger"]["added"] == 0


# The command as a user runs it.


def test_a_run_that_was_broken_off_is_made_good_by_the_next(
    curate: Curate, workspace: Path, listing: Listing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever file the disk fills up at, no half file is left and a rerun gives all of it."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)
    replace = Path.replace
    for allowed in range(1, 8):
        written: list[Path] = []

        def limited(
            path: Path, target: Path, *, written: list[Path] = written, allowed: int = allowed
        ) -> Path:
            if len(written) >= allowed:
                raise OSError(28, "No space left on device")
            written.append(target)
            return replace(path, target)

        with monkeypatch.context() as patch:
            patch.setattr(Path, "replace", limited)
            broken = filter_by(curate, workspace)
        left = listing(workspace)
        assert not [name for name in left if name.rsplit("/", 1)[-1].startswith(".")]
        if broken.code == 0:
            break
    else:
        pytest.fail("the run never came to its end")
    assert filter_by(curate, workspace, "--json").json["ledger"]["added"] == 0
    assert listing(workspace) == left


def test_counts_of_several_files_name_them_all(curate: Curate, demo: Path) -> None:
    """A reader can go back to every answer that was counted."""
    header, *rows = (demo / "responses" / "responses.csv").read_text("utf-8").splitlines()
    first = {f"r{number:03d}" for number in range(1, 61)}
    assert {row.partition(",")[0] for row in rows} > first
    for name, mine in (("one", True), ("two", False)):
        part = [row for row in rows if (row.partition(",")[0] in first) is mine]
        text = "\n".join([header, *part, ""])
        (demo / "responses" / f"{name}.csv").write_text(text, "utf-8")
    files = [demo / "responses" / f"{name}.csv" for name in ("one", "two")]
    ran = curate("filter", "-w", demo, "--survey", files[0], "--survey", files[1])
    assert ran.code == 0
    with (demo / "responses" / "tallies.csv").open(encoding="utf-8", newline="") as stream:
        tallies = list(csv.DictReader(stream))
    assert {row["source"] for row in tallies} == {"one.csv, two.csv"}
    assert max(int(row["respondents"]) for row in tallies) == 120


# The order of options.
