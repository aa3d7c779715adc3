"""What a release package holds, and what of the workspace it passes on."""

import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatchcase
from pathlib import Path
from zipfile import ZipFile

import pandas as pd
import pytest
from csv_rows import bank_rows, edit_rows, read_rows

from curation.files.annotations import CLASSIFY_TABLE, AnnotationsFolder
from curation.files.codec import DECISIONS
from curation.files.lock import writing
from curation.files.manifest import MANIFEST, read_manifest, verify_manifest
from curation.files.workspace import Workspace
from curation.records.annotation import Annotation
from curation.records.bank import Label
from curation.records.licences import Licence
from curation.records.messages import CurateError, Severity
from curation.records.survey import Decision, Outcome, Rule, Stage
from exports import package, package_files, survey_results, verify
from exports.browse.chunks import read_chunk
from exports.card.citation import known
from exports.folders import write_zip
from exports.releases import without_names, write_workspace
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


def test_people_in_the_ledger_are_numbers_unless_they_are_authors():
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
    tmp_path, terms, left_out
):
    """What is retained stays, and so does what was newly written."""
    workspace = Workspace(DEMO)
    sources = {name: Licence(licence) for name, licence in terms.items()}
    rows = read_rows(workspace.bank_file)
    theirs = {row["template_id"] for row in rows if row["source"] == "demo-en"}
    assert len(theirs) == 29
    assert write_workspace(workspace, tmp_path / "out", {"age-001"}, sources) == left_out
    there = {row["template_id"] for row in bank_rows(tmp_path / "out").values()}
    every = {row["template_id"] for row in rows}
    assert there == (every if not left_out else every - theirs | {"age-001"})


@pytest.mark.parametrize("terms", [{"demo-en": "MIT"}, {"another": "MIT"}])
def test_no_table_that_is_passed_on_holds_a_formula(tmp_path, terms):
    """A text that looks like one gets one mark, also where it has one; of the bank or a part.

    So does one in a row with cells too few: a draft may hold such rows. The name of a curators' own
    column is that of the workspace when it is read.
    """
    folder = tmp_path / "workspace"
    shutil.copytree(DEMO, folder)
    path = Workspace(folder).bank_file
    notes = iter(("=1+1", "'=2+2"))
    edit_rows(path, lambda row: {"note": next(notes, row["note"]), "=own": "x"})
    asked = Workspace(folder).questionnaire_file
    with asked.open("a", encoding="utf-8") as stream:
        stream.write("q-age-1,'=3+3,=4+4,-5\n")
    sources = {name: Licence(licence) for name, licence in terms.items()}
    write_workspace(Workspace(folder), tmp_path / "out", {"age-001"}, sources)
    passed = read_rows(tmp_path / "out" / "templates_src" / "bank.csv")
    assert [row["note"] for row in passed[:2]] == ["'=1+1", "'=2+2"]
    assert "'=own" in passed[0]
    assert Workspace(tmp_path / "out").bank.variants[0].extra[-1] == ("=own", "x")
    there = (tmp_path / "out" / asked.relative_to(folder)).read_text(encoding="utf-8")
    assert there.endswith("\nq-age-1,'=3+3,'=4+4,-5\n")


def test_a_workspace_is_passed_on_to_the_byte_and_without_names(tmp_path):
    """As somebody's spreadsheet wrote it, with numbers for people in the ledger."""
    folder = tmp_path / "workspace"
    shutil.copytree(DEMO, folder)
    groups = Workspace(folder).groups_file
    header, _, rest = groups.read_text(encoding="utf-8").partition("\n")
    quoted = ",".join(f'"{name}"' for name in header.split(","))
    groups.write_text(f"{quoted}\n{rest}", encoding="utf-8")
    said = Decision("age-001", Stage.MANUAL, Rule.OVERRIDE, Outcome.DROP, "dull", by="Mina Park")
    DECISIONS.append(folder / "decisions.csv", [said])
    every = {str(item.id) for item in Workspace(folder).bank.templates()}
    write_workspace(Workspace(folder), tmp_path / "out", every, {})
    assert (tmp_path / "out" / groups.relative_to(folder)).read_bytes() == groups.read_bytes()
    [passed] = DECISIONS.read(tmp_path / "out" / "decisions.csv")
    assert (passed.reason, passed.by) == ("dull", "person 1")


NAMES = ("Mina Park", "Junho")


@pytest.fixture(scope="module")
def release_of():
    """Make a small workspace of a version, decided by its survey."""

    def make(folder, version, **changed):
        canary = "6a1f9f0e-3c57-4f0b-9d5e-2b7c8c1d4e90"
        files = {
            "culture.yaml": CULTURE + RELEASE.format(version=version, canary=canary),
            "templates_src/bank.csv": PAIR.replace("hummed", changed.get("text", "hummed")),
            "templates_src/groups.csv": GROUPS,
            "responses/questionnaire.csv": QUESTIONNAIRE,
            "responses/responses.csv": answers(q_hum=(24, 3, 3), q_sing=(65, 32, 3)),
        }
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        workspace = Workspace(folder)
        filter(workspace, [folder / "responses" / "responses.csv"])
        said = [
            Annotation("craft-001", name, Label.SIMPLY_TRANSFERRED, f"{name} knows it", remark=name)
            for name in NAMES
        ]
        CLASSIFY_TABLE.write(AnnotationsFolder(folder).classify, said)
        return Workspace(folder)

    return make


@pytest.fixture(scope="module")
def first(release_of, tmp_path_factory):
    """The first release of such a workspace; nobody changes it."""
    folder = tmp_path_factory.mktemp("released") / "workspace"
    return package(release_of(folder, "1.0"))


@pytest.fixture
def workspace(first, tmp_path):
    assert first.path is not None
    return Workspace(Path(shutil.copytree(first.path.parents[1], tmp_path / "workspace")))


def test_an_archive_holds_nothing_that_is_not_looked_at(workspace, tmp_path):
    """Python would run bytecode in place of the program that was verified."""
    for name in ("lm_eval/__pycache__/utils.cpython-311.pyc", ".git/hooks/x"):
        target = tmp_path / "release.zip"
        write_zip(target, workspace.exports_folder / "package", "top")
        with ZipFile(target, "a") as archive:
            archive.writestr(f"top/{name}", "x")
        assert [(one.rule, one.file) for one in verify(target).findings] == [
            ("manifest-added", name)
        ]


def test_nobody_is_named_in_the_page_of_a_release(workspace):
    """Of annotators there are labels alone; the page has the samples of the release."""
    data = workspace.exports_folder / "package" / "browse" / "data"
    found = {path.stem: read_chunk(path) for path in data.glob("*.js")}
    assert found["index"]["counts"]["samples"] == len(found["samples-0-0"]["sample_id"]) == 8
    assert not any(name in json.dumps(found) for name in (*NAMES, "knows it"))
    shown = found["template-0"]["templates"]["craft-001"]["annotations"]
    assert [(one["by"], one["label"], one["reason"], one["remark"]) for one in shown] == [
        ("", "ST", "", "") for _ in NAMES
    ]


def test_a_package_that_breaks_off_leaves_what_was_there(workspace, monkeypatch):
    """To the byte, with nothing half written beside it."""

    def breaks(*_arguments):
        raise CurateError("the disk is full")

    def files():
        found = (path for path in workspace.root.rglob("*") if path.is_file())
        return {path: path.read_bytes() for path in found if ".curate" not in path.parts}

    before = files()
    monkeypatch.setattr(package_files, "write_survey", breaks)
    for wanted in ({}, {"as_zip": True}, {"out": workspace.exports_folder / "other"}):
        with pytest.raises(CurateError, match="the disk is full"):
            package(workspace, **wanted)
        assert files() == before


@pytest.mark.slow
def test_an_archive_is_the_same_on_two_machines(workspace, tmp_path):
    """Whatever the place, the rights of new files, the time zone, the language and the clock."""
    made = []
    for number, (umask, zone, language) in enumerate(
        ((0o022, "UTC", "C"), (0o077, "Asia/Seoul", "C.UTF-8"))
    ):
        folder = tmp_path / f"place {number}" / ("deeper" * number) / "ws"
        shutil.copytree(workspace.root, folder, copy_function=shutil.copyfile)
        own = {"PATH": os.environ["PATH"], "PYTHONPATH": str(Path(__file__).parents[2])}
        command = ("export", "package", "--zip", "-w", str(folder), "--out", f"{tmp_path}/{number}")
        subprocess.run(
            [sys.executable, "-c", "from curation.cli.main import main; main()", *command],
            umask=umask,
            env={**own, "PYTHONHASHSEED": str(number), "TZ": zone, "LC_ALL": language},
            check=True,
            capture_output=True,
            timeout=280,
        )
        made.append((tmp_path / str(number)).read_bytes())
    assert made[0] == made[1]
    with ZipFile(tmp_path / "0") as archive:
        entries = archive.infolist()
    assert [entry.filename for entry in entries] == sorted(entry.filename for entry in entries)
    assert {entry.filename.partition("/")[0] for entry in entries} == {"nowhere-1.0"}
    assert {entry.date_time for entry in entries} == {(1980, 1, 1, 0, 0, 0)}
    assert {(it.external_attr >> 16, it.compress_type) for it in entries} == {(0o100644, 8)}


def test_neither_ids_nor_the_order_of_the_file_can_be_seen(workspace):
    """The same people under other ids, in another order, give the same bytes."""
    one = survey_results(workspace, respondents=True, attributes=[])[0] / "responses.csv"
    before = one.read_bytes()
    path = workspace.responses_folder / "responses.csv"
    header, *lines = path.read_text("utf-8").splitlines()
    draw = random.Random(5)  # noqa: S311  # a seeded example
    draw.shuffle(lines)
    names = {line.partition(",")[0] for line in lines}
    other = dict(zip(sorted(names), draw.sample(range(10**6), len(names)), strict=True))
    renamed = [f"x{other[name]},{rest}" for name, _, rest in (one.partition(",") for one in lines)]
    path.write_text("\n".join((header, *renamed, "")), "utf-8")
    survey_results(workspace, respondents=True, attributes=[])
    assert one.read_bytes() == before


def text(name, was, now):
    """Forge some words of a text."""

    def forge(folder):
        path = folder / name
        found = path.read_text("utf-8")
        assert was in found
        path.write_text(found.replace(was, now), "utf-8")

    return forge


def rows(name, change):
    """Forge the rows of a table."""

    def forge(folder):
        path = folder / name / "test-00000-of-00001.parquet"
        change(pd.read_parquet(path)).to_parquet(path)

    return forge


def other_answer(frame):
    """The right answer of a sample is the other one."""
    at = frame.index[frame["context_type"] == "dis"][0]
    frame.loc[at, "answer"] = frame.loc[at, "choices"][2]
    return frame


def one_more(frame):
    return pd.concat([frame, frame.iloc[[0]].assign(sample_id="craft-001a-009-amb-bsd")])


def praised(folder):
    """Somebody says how good it is, in the card and in the metadata."""
    said = "Linguists of three universities checked it."
    text("README.md", "## Uses", f"{said}\n\n## Uses")(folder)
    path = folder / "croissant.json"
    found = json.loads(path.read_text("utf-8"))
    found["rai:dataLimitations"].append("Experts found none.")
    path.write_text(json.dumps(found, ensure_ascii=False, indent=2) + "\n", "utf-8")


def sealed_again(folder):
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    for name, told in manifest["files"].items():
        data = (folder / name).read_bytes()
        told |= {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}
    path.write_text(json.dumps(manifest), "utf-8")


@pytest.mark.parametrize(
    ("forge", "told"),
    [
        (None, ""),
        # In each copy of the counts, as if another threshold had decided, with a column that is
        # gone though it was empty, and in lines with a number and without one.
        (text("workspace/responses/tallies.csv", ",65,100,", ",66,100,"), "the survey gives 66"),
        (rows("samples", other_answer), "answer is"),
        (rows("samples", one_more), "craft-001a-009-amb-bsd is not made of the bank"),
        (
            rows("templates", lambda it: it.drop(columns="note").assign(remark="")),
            "the column note is missing|the column remark is not made of the bank",
        ),
        (rows("test", lambda it: it.iloc[:0]), "-bsd is missing"),
        (rows("samples", lambda it: it.iloc[::-1]), "its rows are in another order"),
        (
            text("workspace/culture.yaml", "samples:", "survey: {stereotype_share: 0.5}\nsamples:"),
            "survey.stereotype_share: the decisions were made with another value",
        ),
        (text("README.md", "8 samples", "80 samples"), "80 samples"),
        (text("checksums.txt", "  README", "  READ"), "hash of READ.md is not|hash of README.md"),
        (text("README.md", "SR, sample-removed: the", "SR, kept: the"), "SR, kept"),
        (
            praised,
            "says 'Linguists of three universities checked it.', which|"
            "says '\"Experts found none.\"', which",
        ),
    ],
)
def test_a_release_that_somebody_forged_contradicts_itself(first, tmp_path, forge, told):
    """With hashes that fit, so that the manifest is right; an honest one has no finding."""
    assert first.path is not None
    folder = tmp_path / "package"
    shutil.copytree(first.path, folder)
    if forge is not None:
        forge(folder)
        sealed_again(folder)
    assert not verify(folder).findings
    errors = (
        one for one in verify(folder, contents=True).findings if one.severity.value == "error"
    )
    found = [item.message for item in errors]
    assert bool(found) == bool(told)
    assert all(any(one in message for message in found) or not one for one in told.split("|"))


def test_every_file_of_a_release_is_listed(first):
    """The list says what each holds, which the reference shows, and how verify compares it."""
    assert first.path is not None
    listed = known()["files"]
    for name in (*read_manifest(first.path).files, MANIFEST):
        assert any(fnmatchcase(name, pattern) for pattern in listed), name
    said = {entry.get("compared", "bytes") for entry in listed.values()}
    assert said == {"bytes", "rows", "lines", "page", "hashes", "none"}
    card = (first.path / "README.md").read_text("utf-8")
    assert "fewer than 30 respondents" not in card  # of 30 there are just enough
    folders = re.findall(r"(?m)^\| `(\w[\w/]*)/` \|", card)
    assert folders == ["lm_eval", "inspect", "survey", "browse", "workspace"]
    shown = json.loads(re.findall(r"(?s)```json\n(.*?)```", card)[0])
    assert (shown["context_type"], shown["answer"]) == ("dis", shown["biased_answer"])


def test_a_release_is_recorded_once_and_followed_by_the_next(
    release_of, first, workspace, tmp_path
):
    """Folder and archive are the same release; the next one says what changed since."""
    assert [item.rule for item in first.findings if item.severity.value == "error"] == []
    assert (first.recorded, first.draft) == (True, False)
    assert first.counts["samples"] == 8
    assert verify_manifest(workspace.exports_folder / "package") == []
    known = (workspace.root / "releases.csv").read_bytes()
    assert read_rows(workspace.root / "releases.csv")[0]["date"] == "2026-01-01"
    again = package(workspace, as_zip=True)
    assert (again.recorded, again.manifest_sha256) == (False, first.manifest_sha256)
    assert (workspace.root / "releases.csv").read_bytes() == known
    shutil.copytree(workspace.exports_folder / "package", tmp_path / "old")
    (workspace.root / "releases.csv").write_bytes(known.replace(b",", b";"))
    with pytest.raises(CurateError, match="separated by semicolons"):
        package(workspace)
    (workspace.root / "releases.csv").write_bytes(known)
    workspace = release_of(workspace.root, "1.1", text="sang")
    (workspace.root / "releases.csv").write_bytes(known.replace(b",", b";"))
    with pytest.raises(CurateError, match="separated by semicolons"):
        package(workspace)
    assert not (workspace.root / "releases" / "1.1").exists()
    (workspace.root / "releases.csv").write_bytes(known)
    package(workspace)
    assert verify(workspace.exports_folder / "package", workspace, contents=True).findings == ()
    # Where the workspace kept none, a package is named.
    shutil.rmtree(workspace.root / "releases")
    assert package(workspace, draft=True).notes == (
        "CHANGES.md is not in it: version 1.0 was not kept",
    )
    assert package(workspace, draft=True, previous=tmp_path / "old").notes == ()
    (tmp_path / "old" / "manifest.json").unlink()
    assert package(workspace, draft=True, previous=tmp_path / "old").notes == ()


def test_what_may_be_no_release_is_not_written_unless_as_a_draft(release_of, workspace, tmp_path):
    """One that lacks what readers want, and another one of the same version, as its samples say."""
    other = release_of(workspace.root, "1.0", text="sang")
    for rules in (["release-version"], ["release-incomplete", "release-version"]):
        before = (other.exports_folder / "package" / MANIFEST).read_bytes()
        made = package(other)
        errors = [item for item in made.findings if item.severity is Severity.ERROR]
        assert dict(made) == {"path": None, "findings": made.findings}
        assert [item.rule for item in errors] == rules
        assert (other.exports_folder / "package" / MANIFEST).read_bytes() == before
        made = package(other, draft=True, out=tmp_path / "draft")
        assert (made.path, made.draft, made.recorded) == (tmp_path / "draft", True, False)
        assert read_manifest(tmp_path / "draft").settings["draft"] is True
        said = (tmp_path / "draft" / "DRAFT.md").read_text("utf-8").splitlines()
        assert [line.split("`")[1] for line in said if line[:1] == "-"] == rules
        text = other.culture_file.read_text("utf-8")
        other.culture_file.write_text(re.sub("  description:.*\n", "", text), "utf-8")
        other = Workspace(other.root)


def test_a_language_without_prompts_has_no_tasks_and_says_why(workspace, tmp_path):
    """On the card and in the notes."""
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


def test_a_release_that_lies_elsewhere_is_made_by_one_writer(workspace, tmp_path):
    """It is recorded in the workspace; a draft is not, and needs no lock."""
    waiting = Workspace(workspace.root, wait=0)
    with ThreadPoolExecutor(1) as other, writing(workspace, "another"):
        made = other.submit(package, waiting, draft=True, out=tmp_path / "draft")
        assert made.result().path == tmp_path / "draft"
        refused = other.submit(package, waiting, out=tmp_path / "release")
        with pytest.raises(CurateError, match="another command is writing"):
            refused.result()
    assert not (tmp_path / "release").exists()


def test_what_others_wrote_is_not_written_over(workspace, tmp_path):
    """A folder for an archive, an archive of others, another export in the place of a package."""
    (tmp_path / "thesis.zip").write_bytes(b"mine")
    other = tmp_path / "other.zip"
    shutil.make_archive(str(other.with_suffix("")), "zip", workspace.exports_folder / "filter")
    for target, as_zip, hint in (
        (tmp_path, True, "name a file with"),
        (tmp_path / "thesis.zip", True, "name another file"),
        (other, True, "name another file"),
        (workspace.exports_folder / "filter", False, "name another folder"),
    ):
        with pytest.raises(CurateError) as caught:
            package(workspace, out=target, as_zip=as_zip)
        assert hint in caught.value.hint
    assert (tmp_path / "thesis.zip").read_bytes() == b"mine"
    assert json.loads((workspace.exports_folder / "filter" / "manifest.json").read_text("utf-8"))
