"""`curate export package`."""

import csv
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from curation.files.bank import read_bank
from curation.files.manifest import read_manifest, verify_manifest
from curation.records.culture import RELEASE_COLUMNS
from curation.records.errors import CurateError
from exports import package_files
from exports.card import gather
from exports.harness import requests

pytestmark = pytest.mark.slow


ROOT = Path(__file__).parents[3]
Curate = Callable[..., Any]
Listing = Callable[[Path], dict[str, str]]
Edit = Callable[..., None]


def rows(path: Path) -> list[dict[str, str]]:
    """Give the rows of a table."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_a_package_holds_everything_of_a_release(released: Path) -> None:
    """Data, card, task folders, survey, and the workspace that they are made from."""
    package = released / "exports" / "package"
    manifest = read_manifest(package)
    assert verify_manifest(package) == []
    assert {name.partition("/")[0] for name in manifest.files} >= {
        *("README.md", "CITATION.cff", "samples", "test", "templates"),
        *("lm_eval", "inspect", "survey", "workspace"),
    }
    assert {name for name in manifest.files if name.startswith("workspace/")} == {
        f"workspace/{name}" for name in manifest.inputs
    }
    assert set(manifest.inputs) == {
        *("culture.yaml", "decisions.csv", "templates_src/bank.csv", "templates_src/groups.csv"),
        *("templates_src/sources/sources.json", "responses/questionnaire.csv"),
        *("responses/tallies.csv", "responses/targets.csv"),
    }
    assert manifest.counts == {
        **{"samples": 2080, "test_samples": 256, "templates": 30, "questions": 66, "votes": 8382}
    }
    assert manifest.settings["version"] == "1.0"
    assert "draft" not in manifest.settings
    assert not (package / "DRAFT.md").exists()


def test_the_card_of_a_package_names_its_folders(
    curate: Curate, ready: Path, released: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is there, and what is missing without prompts; nothing is promised."""
    text = (released / "exports" / "package" / "README.md").read_text("utf-8")
    for name in ("lm_eval", "inspect", "survey", "workspace"):
        assert f"| `{name}/` |" in text
    assert "they are here in `lm_eval/` and `inspect/`." in text

    def refuse(*_: object) -> None:
        raise CurateError("there are no prompts in 'tlh'")

    for module in (gather, requests):
        monkeypatch.setattr(module, "chosen_prompts", refuse)
    ran = curate("export", "package", "-w", ready, "--draft")
    package = ready / "exports" / "package"
    text = (package / "README.md").read_text("utf-8")
    assert "no task folders are in it: there are no prompts in 'tlh'" in ran.err
    for name in ("lm_eval", "inspect"):
        assert not (package / name).exists()
        assert f"| `{name}/` |" not in text
        assert f"Not in this package: `{name}/`, the benchmark as tasks of " in text
        assert ": there are no prompts in 'tlh'." in text
    assert "| `workspace/` |" in text and "they are here in" not in text


def test_a_bounded_package_says_so_and_comes_out_again(curate: Curate, ready: Path) -> None:
    """In its manifest, its card and what is printed; it is made again with the same bound."""
    ran = curate("export", "package", "-w", ready, "--per-template", "24")
    assert ran.code == 0
    package = ready / "exports" / "package"
    manifest = read_manifest(package)
    samples = manifest.counts["samples"]
    left_out = manifest.counts["samples_not_drawn"]
    assert (manifest.settings["per_template"], samples + left_out) == (24, 2080)
    assert 0 < samples <= 24 * 30
    assert f"Left out: {left_out:,} samples of fillings that were not drawn." in ran.out
    text = (package / "README.md").read_text("utf-8")
    assert (
        f"| `samples` | Samples of the fillings that were drawn, not of all | {samples:,} |" in text
    )
    assert f"{samples:,} of the 2,080 samples that all combinations give" in text
    assert "At most 24 samples of a template are included, but at least one filling" in text
    assert curate("verify", package, "-w", ready, "--rebuild").code == 0


def test_a_package_holds_nothing_of_single_respondents_and_no_names(released: Path) -> None:
    """No id of anybody who answered, no name of who decided."""
    package = released / "exports" / "package"
    people = {row["respondent_id"] for row in rows(released / "responses" / "respondents.csv")}
    assert len(people) == 120
    for path in package.rglob("*"):
        assert path.name not in ("responses.csv", "respondents.csv")
        if path.suffix in (".csv", ".json", ".jsonl", ".md", ".yaml", ".cff"):
            text = path.read_text("utf-8")
            assert "respondent_id" not in text, path
            assert "r001," not in text
            assert "Kim Minsu" not in text
    ledger = rows(package / "workspace" / "decisions.csv")
    assert {row["by"] for row in ledger} == {"curate 0.1.0", "person 1"}
    assert len(ledger) == len(rows(released / "decisions.csv"))


def test_the_workspace_of_a_package_gives_the_same_samples(
    curate: Curate, released: Path, tmp_path: Path
) -> None:
    """Byte for byte, in another place, where nothing else of the workspace is."""
    package = tmp_path / "somewhere" / "package"
    shutil.copytree(released / "exports" / "package", package)
    outs = tmp_path / "one", tmp_path / "two"
    for folder, out in zip((released, package / "workspace"), outs, strict=True):
        ran = curate("export", "samples", "-w", folder, "--out", out, "--set", "all,test")
        assert ran.code == 0
    for name in ("samples.csv", "test_samples.csv"):
        assert (outs[0] / name).read_bytes() == (outs[1] / name).read_bytes()
    assert len(rows(outs[1] / "samples.csv")) == 2080


def test_a_release_is_recorded_once(curate: Curate, released: Path) -> None:
    """Exporting the same state again adds nothing, wherever it is written to."""
    (row,) = rows(released / "releases.csv")
    assert tuple(row) == RELEASE_COLUMNS
    package = released / "exports" / "package"
    assert (row["version"], row["date"], row["samples"], row["test_samples"], row["seed"]) == (
        *("1.0", "2026-01-01", "2080", "256", "42"),
    )
    assert row["samples_sha256"] == read_manifest(package).settings["samples_sha256"]
    digest = sha256((package / "manifest.json").read_bytes()).hexdigest()
    assert row["manifest_sha256"] == digest
    before = (released / "releases.csv").read_bytes()
    again = curate("export", "package", "-w", released, "--json").json
    assert (again["recorded"], again["manifest_sha256"]) == (False, digest)
    zipped = curate("export", "package", "-w", released, "--zip", "--json").json
    assert (zipped["recorded"], zipped["manifest_sha256"]) == (False, digest)
    assert (released / "releases.csv").read_bytes() == before


def test_the_hash_of_the_samples_is_that_of_their_cells(curate: Curate, released: Path) -> None:
    """As the documentation says how to work it out."""
    curate("export", "samples", "-w", released, "--set", "all,test", "--format", "jsonl")
    recorded = rows(released / "releases.csv")[0]
    for name, key in (("samples", "samples_sha256"), ("test_samples", "test_samples_sha256")):
        found = sha256()
        path = released / "exports" / "samples" / f"{name}.jsonl"
        for line in path.read_text("utf-8").splitlines():
            for cell in json.loads(line).values():
                for text in cell if isinstance(cell, list) else [cell]:
                    found.update(f"{text}\x1f".encode())
            found.update(b"\x1e")
        assert found.hexdigest() == recorded[key]


def test_a_release_that_is_not_ready_is_refused_with_its_findings(
    curate: Curate, filtered: Path, listing: Listing
) -> None:
    """Nothing was written and nothing recorded."""
    before = listing(filtered)
    ran = curate("export", "package", "-w", filtered)
    assert ran.code == 1
    assert "error [release-undecided] templates_src/bank.csv, row 54" in ran.out
    assert "1 error, 1 warning, 0 info. Nothing was written" in ran.out
    assert listing(filtered) == before
    found = curate("export", "package", "-w", filtered, "--json")
    assert found.code == 1
    assert [item["rule"] for item in found.json["findings"] if item["severity"] == "error"] == [
        "release-undecided"
    ]


def test_a_draft_says_that_it_is_one_and_is_not_recorded(curate: Curate, filtered: Path) -> None:
    """In the package, in its manifest, and on standard error."""
    ran = curate("export", "package", "-w", filtered, "--draft")
    assert ran.code == 0
    assert "Wrote a draft of version 1.0 of MareviBBQ" in ran.out
    assert "Draft: this is not a release" in ran.err
    package = filtered / "exports" / "package"
    assert read_manifest(package).settings["draft"] is True
    text = (package / "DRAFT.md").read_text("utf-8")
    assert "- `release-undecided` templates_src/bank.csv, row 54: occupation-009" in text
    assert not (filtered / "releases.csv").exists()
    assert not (filtered / "releases").exists()


def test_a_release_in_place_of_a_draft_is_no_draft(
    curate: Curate, filtered: Path, ready: Path
) -> None:
    """What only the draft had is taken away."""
    curate("export", "package", "-w", filtered, "--draft")
    out = filtered / "exports" / "package"
    assert curate("export", "package", "-w", ready, "--out", out).code == 0
    assert not (out / "DRAFT.md").exists()
    assert verify_manifest(out) == []


def test_the_next_release_says_what_changed(curate: Curate, released: Path, edit: Edit) -> None:
    """Against the one that the workspace kept; the same again when it is written again."""
    edit(released / "templates_src" / "bank.csv", "꿀떡", "찹쌀떡")
    survey = released / "responses" / "responses.csv"
    assert curate("filter", "-w", released, "--survey", survey).code == 0
    ran = curate("export", "package", "-w", released)
    assert ran.code == 1
    assert "[release-version] culture.yaml, column version: version 1.0 was released" in ran.out
    edit(released / "culture.yaml", 'version: "1.0"', 'version: "1.1"')
    assert curate("export", "package", "-w", released).code == 0
    package = released / "exports" / "package"
    text = (package / "CHANGES.md").read_text("utf-8")
    assert text.startswith("# Changes from MareviBBQ 1.0 to MareviBBQ 1.1\n")
    assert "| Age | 0 | 0 | 1 | 0 | 0 | 192 |" in text
    assert "- `version`: `1.0` → `1.1`" in text
    assert read_manifest(package).settings["previous"] == "MareviBBQ 1.0"
    assert [row["version"] for row in rows(released / "releases.csv")] == ["1.0", "1.1"]
    digest = sha256((package / "manifest.json").read_bytes()).hexdigest()
    curate("export", "package", "-w", released)
    assert sha256((package / "manifest.json").read_bytes()).hexdigest() == digest
    assert len(rows(released / "releases.csv")) == 2


def test_a_package_that_is_named_is_the_one_before(
    curate: Curate, released: Path, edit: Edit, tmp_path: Path
) -> None:
    """Where the workspace kept none."""
    old = tmp_path / "old"
    shutil.copytree(released / "exports" / "package", old)
    shutil.rmtree(released / "releases")
    edit(released / "culture.yaml", 'version: "1.0"', 'version: "1.1"')
    ran = curate("export", "package", "-w", released)
    assert "Note: CHANGES.md is not in it: version 1.0 was not kept" in ran.err
    assert not (released / "exports" / "package" / "CHANGES.md").exists()
    curate("export", "package", "-w", released, "--previous", old, "--draft")
    text = (released / "exports" / "package" / "CHANGES.md").read_text("utf-8")
    assert "## Settings\n\n- `version`: `1.0` → `1.1`" in text
    assert "## Samples" not in text


def test_a_release_of_another_benchmark_is_said(
    curate: Curate, released: Path, tmp_path: Path, edit: Edit
) -> None:
    """All of it would stand in CHANGES.md as removed or changed."""
    old = tmp_path / "old"
    shutil.copytree(released / "exports" / "package", old)
    edit(released / "culture.yaml", "name: marevibbq", "name: otherbbq")
    edit(released / "culture.yaml", 'version: "1.0"', 'version: "1.1"')
    ran = curate("export", "package", "-w", released, "--previous", old, "--draft")
    assert ran.code == 0
    said = "--previous is a release of 'marevibbq', and this is one of 'otherbbq'"
    assert said in " ".join((ran.out + ran.err).split())


def test_a_template_that_may_not_be_passed_on_is_not_in_the_package(
    curate: Curate, ready: Path, edit: Edit, tmp_path: Path
) -> None:
    """It fell, so nothing of it is missed; one that is left is refused."""
    path = ready / "templates_src" / "bank.csv"
    text = path.read_text("utf-8")
    lines = [
        line.replace(",demo-en,", ",secret,") if line.startswith("age-006,") else line
        for line in text.splitlines(keepends=True)
    ]
    path.write_text("".join(lines), encoding="utf-8")
    assert curate("export", "samples", "-w", ready, "--out", tmp_path / "a").code == 0
    ran = curate("export", "package", "-w", ready)
    assert ran.code == 0
    assert "1 templates that are left out are not in workspace/" in ran.err
    package = ready / "exports" / "package"
    bank, findings = read_bank(package / "workspace" / "templates_src" / "bank.csv")
    assert findings == []
    assert "age-006" not in {str(variant.template_id) for variant in bank.variants}
    assert read_manifest(package).counts["templates_left_out"] == 1
    curate("export", "samples", "-w", package / "workspace", "--out", tmp_path / "b")
    assert (tmp_path / "a" / "samples.csv").read_bytes() == (
        tmp_path / "b" / "samples.csv"
    ).read_bytes()
    path.write_text("".join(lines).replace(",demo-en,", ",secret,"), encoding="utf-8")
    ran = curate("export", "package", "-w", ready)
    assert ran.code == 1
    assert "[release-source-unknown]" in ran.out


def test_a_package_that_breaks_off_leaves_what_was_there(
    curate: Curate, released: Path, listing: Listing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the byte, with nothing half written beside it."""
    before = listing(released)

    def breaks(*_arguments: object) -> None:
        raise CurateError("the disk is full")

    monkeypatch.setattr(package_files, "write_survey", breaks)
    for options in ([], ["--zip"], ["--out", released / "exports" / "other"]):
        ran = curate("export", "package", "-w", released, *options)
        assert (ran.code, "the disk is full" in ran.err) == (1, True)
        assert listing(released) == before


def test_what_others_wrote_is_not_overwritten(
    curate: Curate, released: Path, listing: Listing, tmp_path: Path
) -> None:
    """A file in the package's folder, another folder, a file that is no package."""
    note = released / "exports" / "package" / "notes.txt"
    note.write_text("mine", encoding="utf-8")
    other = tmp_path / "thesis.zip"
    other.write_bytes(b"mine")
    for options, what in (
        ([], "package holds notes.txt, which no export wrote"),
        (["--out", released / "templates_src"], "templates_src holds files that no export wrote"),
        (["--zip", "--out", other], "thesis.zip was not made by 'curate export package'"),
        (["--zip", "--out", tmp_path], f"{tmp_path.name} is a folder"),
    ):
        before = listing(released)
        ran = curate("export", "package", "-w", released, *options)
        assert ran.code == 1
        assert what in ran.err
        assert listing(released) == before
    assert other.read_bytes() == b"mine"


def test_a_zip_is_the_same_on_two_machines(ready: Path, tmp_path: Path) -> None:
    """Whatever the place, the rights of new files, the time zone, the language and the clock."""
    made = []
    for number, (umask, zone, language) in enumerate(
        ((0o022, "UTC", "C"), (0o077, "Asia/Seoul", "C.UTF-8"))
    ):
        folder = tmp_path / f"place {number}" / ("deeper" * number) / "ws"
        shutil.copytree(ready, folder, copy_function=shutil.copyfile)
        target = tmp_path / f"{number}.zip"
        environment = {
            **{"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": str(number)},
            **{"TZ": zone, "LC_ALL": language, "LANG": language},
        }
        subprocess.run(
            [
                *(sys.executable, "-c", "from curation.cli.main import main; main()"),
                *("export", "package", "--zip", "-w", str(folder), "--out", str(target)),
            ],
            umask=umask,
            env=environment,
            check=True,
            capture_output=True,
        )
        made.append(target.read_bytes())
    assert made[0] == made[1]
    with ZipFile(tmp_path / "0.zip") as archive:
        entries = archive.infolist()
    assert [entry.filename for entry in entries] == sorted(entry.filename for entry in entries)
    assert {entry.filename.partition("/")[0] for entry in entries} == {"marevibbq-1.0"}
    assert {entry.date_time for entry in entries} == {(1980, 1, 1, 0, 0, 0)}
    assert {entry.external_attr >> 16 for entry in entries} == {0o100644}


def test_what_fell_and_has_other_terms_is_not_in_the_package(
    curate: Curate, ready: Path, edit: Edit
) -> None:
    """As what is left may not have them: the package is under MIT."""
    path = ready / "templates_src" / "bank.csv"
    lines = path.read_text("utf-8").splitlines(keepends=True)
    lines = [
        line.replace(",demo-en,", ",others,") if line.startswith("age-006,") else line
        for line in lines
    ]
    path.write_text("".join(lines), encoding="utf-8")
    index = ready / "templates_src" / "sources" / "sources.json"
    licence = {"name": "CC-BY-NC-SA-4.0", "holder": "x", "address": "https://example.org"}
    known = json.loads(index.read_text("utf-8"))
    added = {"file": "others/a.csv", "source": "others", "sha256": "", "licence": licence}
    index.write_text(json.dumps([*known, added]), encoding="utf-8")
    assert curate("export", "package", "-w", ready).code == 0
    package = ready / "exports" / "package"
    bank, _ = read_bank(package / "workspace" / "templates_src" / "bank.csv")
    assert "age-006" not in {str(variant.template_id) for variant in bank.variants}


def test_settings_filled_in_after_the_survey_are_no_limit_of_the_data(
    curate: Curate, ready: Path, edit: Edit
) -> None:
    """The thresholds are those of the decisions in any case."""
    edit(ready / "culture.yaml", "date: 2026-01-01", "date: 2026-01-02")
    assert curate("export", "package", "-w", ready).code == 0
    text = (ready / "exports" / "package" / "README.md").read_text("utf-8")
    assert "2026-01-02" in text
    assert "curate filter" not in text
