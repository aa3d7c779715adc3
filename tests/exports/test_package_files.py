"""What a release package holds, and what of the workspace it passes on."""

import csv
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from curation.files.manifest import read_manifest, verify_manifest
from curation.files.workspace import Workspace
from curation.records.errors import CurateError
from curation.records.licences import Licence
from curation.records.survey import Decision, Outcome, Rule, Stage
from exports import package, verify
from exports.package_files import without_names, write_workspace
from survey import filter
from tests.cli.conftest import BANK, CULTURE, DEMO, GROUPS, QUESTIONNAIRE, answers

PAIR = "".join(
    f"{line},{cell}\n"
    for line, cell in zip(
        BANK.replace(",ST,", ",NC,").splitlines()[:3],
        ("reference", "a book", "a book"),
        strict=True,
    )
)
RELEASE = """\
version: "{version}"
samples: {{seed: 1}}
release:
  name: nowhere
  title: Nowhere BBQ
  licence: CC-BY-4.0
  date: 2026-01-01
  canary: {canary}
  authors: [{{name: Ann}}]
  description: An invented benchmark.
  survey:
    began: 2025-01-02
    ended: 2025-01-09
    population: adults of Nowhere
    comprehension: Nobody was asked.
"""


def table(path: Path) -> list[dict[str, str]]:
    """The rows of a table."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_people_in_the_ledger_are_numbers_unless_they_are_authors() -> None:
    """By the order of their first decision; the tool, nobody and authors stay."""
    said = ("Mina", "", "curate 0.1.0", "Ann", "Jun", "Mina", "curate", "curated by Jo")
    decisions = [Decision("a-001", Stage.MANUAL, Rule.OVERRIDE, Outcome.KEEP, by=by) for by in said]
    found = [decision.by for decision in without_names(decisions, {"Ann"})]
    assert found == [
        *("person 1", "", "curate 0.1.0", "Ann", "person 2", "person 1", "person 3", "person 4")
    ]
    assert [item.subject for item in without_names(decisions, {})] == ["a-001"] * len(said)


@pytest.mark.parametrize(
    ("terms", "left_out"),
    [
        ({"demo-en": "MIT"}, 0),
        ({"demo-en": "CC-BY-NC-SA-4.0"}, 28),  # the release is under MIT
        ({"demo-en": "our own"}, 28),
        ({"another": "MIT"}, 28),
    ],
)
def test_templates_that_are_out_go_where_their_source_may_not_be_passed_on(
    tmp_path: Path, terms: dict[str, str], left_out: int
) -> None:
    """What is retained stays, and so does what was newly written."""
    workspace = Workspace(DEMO)
    sources = {name: Licence(licence) for name, licence in terms.items()}
    rows = table(workspace.bank_file)
    theirs = {row["template_id"] for row in rows if row["source"] == "demo-en"}
    assert len(theirs) == 29
    assert write_workspace(workspace, tmp_path / "out", {"age-001"}, sources) == left_out
    there = {row["template_id"] for row in table(tmp_path / "out" / "templates_src" / "bank.csv")}
    every = {row["template_id"] for row in rows}
    assert there == (every if not left_out else every - theirs | {"age-001"})


@pytest.fixture
def release_of(tmp_path: Path) -> Callable[..., Workspace]:
    """A small workspace of a version, decided by its survey."""

    def make(version: str, **changed: str) -> Workspace:
        folder = tmp_path / "workspace"
        canary = "6a1f9f0e-3c57-4f0b-9d5e-2b7c8c1d4e90"
        files = {
            "culture.yaml": CULTURE + RELEASE.format(version=version, canary=canary),
            "templates_src/bank.csv": PAIR.replace("hummed", changed.get("text", "hummed")),
            "templates_src/groups.csv": GROUPS,
            "responses/questionnaire.csv": QUESTIONNAIRE,
            "responses/responses.csv": answers(q_hum=(30, 5, 5), q_sing=(65, 32, 3)),
        }
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        workspace = Workspace(folder)
        filter(workspace, [folder / "responses" / "responses.csv"])
        return Workspace(folder)

    return make


def test_a_release_is_recorded_once_and_followed_by_the_next(
    release_of: Callable[..., Workspace], tmp_path: Path
) -> None:
    """Folder and archive are the same release; the next one says what changed since."""
    first = package(workspace := release_of("1.0"))
    assert [item.rule for item in first.findings if item.severity.value == "error"] == []
    assert (first.recorded, first.draft, first.path) == (
        *(True, False, workspace.exports_folder / "package"),
    )
    assert first.counts["samples"] == 8
    assert verify_manifest(workspace.exports_folder / "package") == []
    known = (workspace.root / "releases.csv").read_bytes()
    again = package(workspace, as_zip=True)
    assert (again.recorded, again.manifest_sha256) == (False, first.manifest_sha256)
    assert (workspace.root / "releases.csv").read_bytes() == known
    shutil.copytree(workspace.exports_folder / "package", tmp_path / "old")
    empty = workspace.exports_folder / "package" / "nothing" / "below"
    empty.mkdir(parents=True)
    second = package(workspace := release_of("1.1", text="sang"))
    assert (second.recorded, empty.parent.exists()) == (True, False)
    said = (workspace.exports_folder / "package" / "CHANGES.md").read_text("utf-8")
    assert said.startswith("# Changes from Nowhere BBQ 1.0 to Nowhere BBQ 1.1")
    assert "craft-001" in said
    manifest = read_manifest(workspace.exports_folder / "package")
    assert manifest.settings["previous"] == "Nowhere BBQ 1.0"
    assert [row["version"] for row in table(workspace.root / "releases.csv")] == ["1.0", "1.1"]
    assert verify(workspace.exports_folder / "package", workspace, rebuild=True).findings == ()
    # Where the workspace kept none, a package is named; one of another benchmark is said.
    shutil.rmtree(workspace.root / "releases")
    assert package(workspace, draft=True).notes == (
        "CHANGES.md is not in it: version 1.0 was not kept",
    )
    assert package(workspace, draft=True, previous=tmp_path / "old").notes == ()
    path = tmp_path / "old" / "manifest.json"
    path.write_text(path.read_text("utf-8").replace('"name": "nowhere"', '"name": "else"'), "utf-8")
    (note,) = package(workspace, draft=True, previous=tmp_path / "old").notes
    assert "'else'" in note
    path.unlink()
    assert package(workspace, draft=True, previous=tmp_path / "old").notes == ()


def test_what_is_not_ready_is_a_draft_that_says_so(
    release_of: Callable[..., Workspace], tmp_path: Path
) -> None:
    """Nothing is written without; a draft is not recorded."""
    workspace = release_of("1.0")
    with (workspace.root / "templates_src" / "bank.csv").open("a", encoding="utf-8") as stream:
        stream.write(PAIR.splitlines()[-1].replace("craft-001,b", "craft-003,a") + "\n")
    workspace = Workspace(workspace.root)
    refused = package(workspace)
    assert (refused.path, refused.counts, refused.recorded) == (None, {}, False)
    rules = {item.rule for item in refused.findings if item.severity.value == "error"}
    assert rules
    draft = package(workspace, draft=True, out=tmp_path / "draft")
    assert (draft.draft, draft.recorded, draft.counts["samples"]) == (True, False, 12)
    listed = (tmp_path / "draft" / "DRAFT.md").read_text("utf-8").splitlines()
    assert {line.split("`")[1] for line in listed if line.startswith("- ")} == rules
    assert read_manifest(tmp_path / "draft").settings["draft"] is True
    assert not (workspace.root / "releases.csv").exists()


def test_a_language_without_prompts_has_no_tasks_and_says_why(
    release_of: Callable[..., Workspace], tmp_path: Path
) -> None:
    """On the card and in the notes."""
    workspace = release_of("1.0")
    text = workspace.culture_file.read_text("utf-8")
    workspace.culture_file.write_text(
        text.replace("en\nunknown: Unknown", "eu\nunknown: Ez dakigu"), "utf-8"
    )
    made = package(Workspace(workspace.root), draft=True, out=tmp_path / "draft")
    assert "no task folders are in it: there are no prompts in 'eu'" in made.notes
    assert not (tmp_path / "draft" / "lm_eval").exists()
    card = (tmp_path / "draft" / "README.md").read_text("utf-8")
    assert "Not in this package: `lm_eval/`" in card
    assert "| `workspace/` |" in card


def test_what_others_wrote_is_not_written_over(
    release_of: Callable[..., Workspace], tmp_path: Path
) -> None:
    """A folder for an archive, an archive of others, another export in the place of a package."""
    workspace = release_of("1.0")
    (tmp_path / "thesis.zip").write_bytes(b"mine")
    other = tmp_path / "other.zip"
    shutil.make_archive(str(other.with_suffix("")), "zip", workspace.exports_folder / "filter")
    for target, as_zip in (
        (tmp_path, True),
        (tmp_path / "thesis.zip", True),
        (other, True),
        (workspace.exports_folder / "filter", False),
    ):
        with pytest.raises(CurateError):
            package(workspace, out=target, as_zip=as_zip)
    assert (tmp_path / "thesis.zip").read_bytes() == b"mine"
    assert json.loads((workspace.exports_folder / "filter" / "manifest.json").read_text("utf-8"))
