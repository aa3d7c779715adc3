"""Inputs that changed after the command that read them: nothing is published then."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Curate = Callable[..., Any]
Edit = Callable[..., None]
Listing = Callable[[Path], dict[str, str]]
AGAIN = "run 'curate filter' again with the survey's files"


def errors(curate: Curate, folder: Path) -> list[tuple[str, str, str]]:
    """What stops a release: rule, place and message."""
    ran = curate("check", "--release", "-w", folder, "--json")
    found = [item for item in ran.json["findings"] if item["severity"] == "error"]
    assert ran.code == (1 if found else 0)
    return [(item["rule"], item["file"], item["message"]) for item in found]


def questionnaire(folder: Path, edit: Edit) -> None:
    """A word of a question is another one."""
    path = folder / "responses" / "questionnaire.csv"
    path.write_text(path.read_text("utf-8").replace("단것", "단 것", 1), encoding="utf-8")


def no_questionnaire(folder: Path, edit: Edit) -> None:
    """Nobody can tell any more what was asked."""
    (folder / "responses" / "questionnaire.csv").unlink()


def no_manifest(folder: Path, edit: Edit) -> None:
    """What the filter read is forgotten, and the questionnaire is another one."""
    questionnaire(folder, edit)
    (folder / "exports" / "filter" / "manifest.json").unlink()


def answers(folder: Path, edit: Edit) -> None:
    """A respondent comes after the counting."""
    path = folder / "responses" / "responses.csv"
    last = path.read_text("utf-8").splitlines()[-1]
    with path.open("a", encoding="utf-8") as stream:
        stream.write(f"r999,{last.partition(',')[2]}\n")


def groups(folder: Path, edit: Edit) -> None:
    """A group has a filler more."""
    path = folder / "templates_src" / "groups.csv"
    path.write_text(f"{path.read_text('utf-8')}\n", encoding="utf-8")


def templates(folder: Path, edit: Edit) -> None:
    """A text that respondents were asked about is another one."""
    edit(folder / "templates_src" / "bank.csv", "단것을 좋아하는 사람은", "단 것을 좋아하는 사람은")


def source(folder: Path, edit: Edit) -> None:
    """A published file is not the one that was imported."""
    path = folder / "templates_src" / "sources" / "own" / "file.csv"
    path.parent.mkdir()
    path.write_text("changed\n", encoding="utf-8")
    index = folder / "templates_src" / "sources" / "sources.json"
    known = json.loads(index.read_text("utf-8"))
    known.append({**known[0], "file": "own/file.csv", "source": "own", "sha256": "0" * 64})
    index.write_text(json.dumps(known), encoding="utf-8")


FILTER = "since the last 'curate filter'"
CASES = [
    (questionnaire, "responses/questionnaire.csv", f"has changed {FILTER}", "restore the"),
    (no_questionnaire, "responses/questionnaire.csv", f"is gone {FILTER}", "restore the"),
    (no_manifest, "exports/filter/manifest.json", f"is gone {FILTER}", AGAIN),
    (answers, "responses/responses.csv", f"has changed {FILTER}", AGAIN),
    (groups, "templates_src/groups.csv", f"has changed {FILTER}", AGAIN),
    (templates, "templates_src/bank.csv", f"has changed {FILTER}", AGAIN),
    (
        *(source, "templates_src/sources/own/file.csv"),
        "has changed since the last 'curate import'",
        "put the published file back",
    ),
]


@pytest.mark.parametrize(
    ("change", "file", "what", "hint"), CASES, ids=[case[0].__name__ for case in CASES]
)
def test_a_stale_input_stops_everything_before_it_is_written(
    curate: Curate,
    ready: Path,
    edit: Edit,
    listing: Listing,
    change: Callable[[Path, Edit], None],
    file: str,
    what: str,
    hint: str,
) -> None:
    """Check, package and dataset folder say the same one thing: what, since when, what to do."""
    change(ready, edit)
    before = listing(ready)
    assert errors(curate, ready) == [("release-stale", file, f"{file} {what}")]
    for command in ("package", "hub"):
        ran = curate("export", command, "-w", ready)
        assert ran.code == 1
        said = ran.out + ran.err
        assert said.count(f"{file} {what}") == 1
        assert hint in said
    assert listing(ready) == before


def test_the_filter_makes_it_fresh_again(curate: Curate, ready: Path, edit: Edit) -> None:
    """An edit of the texts is read by the next filter, whose decisions are the same."""
    templates(ready, edit)
    assert errors(curate, ready)
    ran = curate("filter", "-w", ready, "--survey", ready / "responses" / "responses.csv", "--json")
    assert ran.code == 0
    assert errors(curate, ready) == []


def test_what_decides_nothing_may_change(curate: Curate, ready: Path, edit: Edit) -> None:
    """Notes of the bank, what a release says of itself, answers that were deleted."""
    edit(ready / "templates_src" / "bank.csv", "마레비아에는 경매가 드물어", "a better note")
    edit(ready / "culture.yaml", "title: MareviBBQ", "title: Another title")
    (ready / "responses" / "responses.csv").unlink()
    assert errors(curate, ready) == []


def test_a_manifest_from_before_knows_the_file_alone(
    curate: Curate, ready: Path, edit: Edit
) -> None:
    """Without the digest of the bank any edit of it counts."""
    path = ready / "exports" / "filter" / "manifest.json"
    known = json.loads(path.read_text("utf-8"))
    del known["settings"]["bank_sha256"]
    path.write_text(json.dumps(known), encoding="utf-8")
    assert errors(curate, ready) == []
    edit(ready / "templates_src" / "bank.csv", "마레비아에는 경매가 드물어", "a better note")
    assert [item[:2] for item in errors(curate, ready)] == [
        ("release-stale", "templates_src/bank.csv")
    ]


def test_comprehension_that_nobody_asked_has_to_be_told(
    curate: Curate, ready: Path, edit: Edit, listing: Listing
) -> None:
    """Nothing is written until it is asked, or the settings say why not; the card then says it."""
    survey = ready / "responses" / "responses.csv"
    lines = survey.read_text("utf-8").splitlines(keepends=True)
    kept = [line for line in lines if ",comprehension," not in line]
    assert len(kept) < len(lines)
    survey.write_text("".join(kept), encoding="utf-8")
    assert curate("filter", "-w", ready, "--survey", survey, "--json").code == 0
    before = listing(ready)
    ((rule, file, message),) = errors(curate, ready)
    assert (rule, file) == ("release-comprehension", "culture.yaml")
    assert message.startswith("comprehension was not asked of ")
    for command in ("package", "hub"):
        ran = curate("export", command, "-w", ready)
        assert (ran.code, message in ran.out + ran.err) == (1, True)
    assert listing(ready) == before
    edit(ready / "culture.yaml", "    population:", "    comprehension: No funds.\n    population:")
    assert errors(curate, ready) == []
    assert curate("export", "hub", "-w", ready).code == 0
    card = (ready / "exports" / "hub" / "README.md").read_text("utf-8")
    assert "tested for comprehension. Why they were not: No funds." in " ".join(card.split())


def test_several_are_told_together(curate: Curate, ready: Path, edit: Edit) -> None:
    """The dataset folder names each once, with its place."""
    questionnaire(ready, edit)
    groups(ready, edit)
    ran = curate("export", "hub", "-w", ready)
    assert ran.code == 1
    assert "2 problems prevent publishing:" in ran.err
    for name in ("responses/questionnaire.csv", "templates_src/groups.csv"):
        assert ran.err.count(f"{name} has changed") == 1
