"""`curate verify`."""

import json
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from curation.files.manifest import read_manifest, verify_manifest
from exports.zipping import write_zip

pytestmark = pytest.mark.slow


Curate = Callable[..., Any]
Edit = Callable[..., None]


@pytest.fixture
def package(released: Path) -> Path:
    """The package of the first release."""
    return released / "exports" / "package"


def rules(ran: Any) -> list[tuple[str, str]]:
    """Give the findings of a run: rule and file."""
    return [(item["rule"], item["file"]) for item in ran.json["findings"]]


def test_a_release_of_the_demo_verifies(curate: Curate, package: Path, released: Path) -> None:
    """By itself it says what a manifest cannot prove; with the workspace it is known."""
    digest = sha256((package / "manifest.json").read_bytes()).hexdigest()
    ran = curate("verify", package)
    count = len(read_manifest(package).files)
    assert ran.code == 0
    assert ran.out == (
        f"{package} is unchanged: {count} files.\nSHA-256 of its manifest: {digest}\n"
    )
    assert "the manifest alone is no proof" in ran.err
    for options in (["--sha256", digest.upper()], ["-w", released]):
        known = curate("verify", package, *options)
        assert (known.code, known.err) == (0, "")


def test_one_changed_byte_in_any_file_is_found(package: Path) -> None:
    """Every file of the package in turn: the finding names it and no other."""
    names = sorted(read_manifest(package).files)
    assert len(names) > 40
    for name in names:
        path = package / name
        content = path.read_bytes()
        path.write_bytes(bytes([content[0] ^ 1]) + content[1:] if content else b"x")
        found = verify_manifest(package)
        assert [(item.rule, item.file) for item in found] == [("manifest-changed", name)]
        path.write_bytes(content)
    assert verify_manifest(package) == []


def test_what_is_missing_added_or_changed_is_said(curate: Curate, package: Path) -> None:
    """Exit status 1, each file a finding."""
    (package / "survey" / "tallies.csv").unlink()
    (package / "new.txt").write_text("new", encoding="utf-8")
    with (package / "README.md").open("a", encoding="utf-8") as stream:
        stream.write(" ")
    ran = curate("verify", package, "--json")
    assert ran.code == 1
    assert rules(ran) == [
        ("manifest-changed", "README.md"),
        ("manifest-added", "new.txt"),
        ("manifest-missing", "survey/tallies.csv"),
    ]
    assert "was changed: 3 findings." in curate("verify", package).out


def test_a_copy_under_version_control_is_the_same_package(package: Path) -> None:
    """What git and downloads put beside it is no part of it."""
    for name in (".git/config", ".cache/huggingface/download.lock"):
        path = package / name
        path.parent.mkdir(parents=True)
        path.write_text("x", encoding="utf-8")
    assert verify_manifest(package) == []


def test_a_manifest_that_was_changed_with_its_file_is_found_where_its_hash_is_known(
    curate: Curate, package: Path, released: Path
) -> None:
    """By the published hash, or by the record of the workspace; not by itself."""
    digest = sha256((package / "manifest.json").read_bytes()).hexdigest()
    path = package / "README.md"
    path.write_text("other", encoding="utf-8")
    manifest = json.loads((package / "manifest.json").read_text("utf-8"))
    manifest["files"]["README.md"] = {"sha256": sha256(b"other").hexdigest(), "size": 5}
    (package / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    alone = curate("verify", package, "--json")
    assert (alone.code, alone.json["manifest_known"]) == (0, False)
    for options in (["--sha256", digest], ["-w", released]):
        ran = curate("verify", package, "--json", *options)
        assert ran.code == 1
        assert rules(ran) == [("manifest-other", "manifest.json")]
    rebuilt = curate("verify", package, "-w", released, "--rebuild", "--json")
    assert rules(rebuilt) == [("manifest-other", "manifest.json"), ("rebuilt-changed", "README.md")]


def test_a_zip_is_verified_like_its_folder(
    curate: Curate, released: Path, package: Path, tmp_path: Path
) -> None:
    """Whole, with a changed file, and cut off."""
    target = tmp_path / "release.zip"
    curate("export", "package", "-w", released, "--zip", "--out", target)
    assert curate("verify", target, "-w", released).code == 0
    changed = tmp_path / "changed.zip"
    with ZipFile(target) as before, ZipFile(changed, "w") as after:
        for entry in before.infolist():
            data = before.read(entry)
            after.writestr(entry, data + b" " if entry.filename.endswith("CITATION.cff") else data)
    ran = curate("verify", changed, "--json")
    assert (ran.code, rules(ran)) == (1, [("manifest-changed", "CITATION.cff")])
    target.write_bytes(target.read_bytes()[:-2000])
    cut = curate("verify", target)
    assert cut.code == 1
    assert "release.zip is not a ZIP file that can be read" in cut.err


def test_the_workspace_is_still_what_the_package_was_made_from(
    curate: Curate, released: Path, package: Path, edit: Edit
) -> None:
    """Files that were changed or lost since are said."""
    edit(released / "templates_src" / "groups.csv", "초등학생", "유치원생")
    (released / "responses" / "questionnaire.csv").unlink()
    ran = curate("verify", package, "-w", released, "--json")
    assert ran.code == 1
    assert rules(ran) == [
        ("input-missing", "responses/questionnaire.csv"),
        ("input-changed", "templates_src/groups.csv"),
    ]


def test_a_package_is_made_again_and_compared(
    curate: Curate, released: Path, package: Path, edit: Edit
) -> None:
    """The same from the same workspace; otherwise what comes out otherwise is said."""
    assert curate("verify", package, "-w", released, "--rebuild").code == 0
    edit(released / "templates_src" / "bank.csv", "꿀떡", "찹쌀떡")
    ran = curate("verify", package, "-w", released, "--rebuild", "--json")
    assert ran.code == 1
    found = rules(ran)
    assert ("input-changed", "templates_src/bank.csv") in found
    assert {name for rule, name in found if rule == "rebuilt-changed"} >= {
        *("samples/test-00000-of-00001.parquet", "workspace/templates_src/bank.csv"),
        *("templates/test-00000-of-00001.parquet", "lm_eval/data.jsonl"),
    }
    assert not [name for rule, name in found if rule == "rebuilt-changed" and "survey/" in name]


def test_the_second_release_is_made_again_with_its_changes(
    curate: Curate, released: Path, package: Path, edit: Edit
) -> None:
    """CHANGES.md comes out of what the workspace kept."""
    edit(released / "culture.yaml", 'version: "1.0"', 'version: "1.1"')
    curate("export", "package", "-w", released)
    assert (package / "CHANGES.md").exists()
    assert curate("verify", package, "-w", released, "--rebuild").code == 0


def test_a_package_of_another_workspace_is_not_recorded_here(
    curate: Curate, released: Path, package: Path
) -> None:
    """Its version has no record."""
    (released / "releases.csv").unlink()
    ran = curate("verify", package, "-w", released, "--json")
    assert (ran.code, rules(ran)) == (1, [("release-unknown", "releases.csv")])


@pytest.mark.parametrize("what", ["bank", "samples"])
def test_every_exported_folder_can_be_verified(curate: Curate, ready: Path, what: str) -> None:
    """And compared with its workspace; only packages are made again."""
    curate("export", what, "-w", ready)
    folder = ready / "exports" / what
    assert curate("verify", folder, "-w", ready).code == 0
    name = f"{what}.csv"
    (folder / name).write_text("", encoding="utf-8")
    ran = curate("verify", folder, "--json")
    assert (ran.code, rules(ran)) == (1, [("manifest-changed", name)])
    refused = curate("verify", folder, "-w", ready, "--rebuild")
    assert refused.code == 1
    assert "it is not a package of 'curate export package'" in refused.err


def test_wrong_usage_is_refused(curate: Curate, released: Path, package: Path) -> None:
    """Nothing is guessed."""
    assert curate("verify", package, "--rebuild").code == 2
    assert curate("verify", package / "no").code == 2
    assert "there is no manifest.json" in curate("verify", released / "responses").err
    ran = curate("verify", package, "-w", package / "lm_eval")
    assert (ran.code, "there is no workspace" in ran.err) == (1, True)


def test_a_draft_is_verified_and_made_again(curate: Curate, filtered: Path) -> None:
    """Its findings are part of it; no release is asked for."""
    curate("export", "package", "-w", filtered, "--draft")
    package = filtered / "exports" / "package"
    ran = curate("verify", package, "-w", filtered, "--rebuild")
    assert ran.code == 0
    assert "[release-draft]" in ran.out  # nothing could tell whether its manifest was changed
    shutil.rmtree(package / "survey")
    assert curate("verify", package).code == 1


def test_compiled_programs_in_a_folder_are_a_warning(curate: Curate, package: Path) -> None:
    """Python writes them where a program is run, and may run them in its place."""
    compiled = package / "lm_eval" / "__pycache__" / "utils.cpython-311.pyc"
    compiled.parent.mkdir()
    compiled.write_bytes(b"x")
    ran = curate("verify", package, "--json")
    (shown,) = [item for item in ran.json["findings"] if item["severity"] != "info"]
    assert (ran.code, shown["rule"], shown["severity"], shown["file"]) == (
        *(0, "manifest-bytecode", "warning", "lm_eval/__pycache__/utils.cpython-311.pyc"),
    )
    assert shown["message"].startswith("1 compiled Python file cannot be checked")


@pytest.mark.parametrize("name", ["lm_eval/__pycache__/utils.cpython-311.pyc", ".git/hooks/x"])
def test_a_zip_holds_nothing_that_is_not_looked_at(
    curate: Curate, package: Path, tmp_path: Path, name: str
) -> None:
    """Python would run the bytecode in place of the program that was verified."""
    target = tmp_path / "release.zip"
    write_zip(target, package, "top")
    with ZipFile(target, "a") as archive:
        archive.writestr(f"top/{name}", "x")
    ran = curate("verify", target, "--json")
    assert (ran.code, rules(ran)) == (1, [("manifest-added", name)])
