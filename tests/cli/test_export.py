"""`curate export`."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curation.files.bank import read_bank
from curation.files.manifest import read_manifest, verify_manifest
from curation.records.published import SAMPLE_COLUMNS as PUBLISHED_SAMPLES
from curation.records.published import TEMPLATE_COLUMNS as PUBLISHED_TEMPLATES
from curation.records.sample import SAMPLE_COLUMNS

Curate = Callable[..., Any]
Listing = Callable[[Path], dict[str, str]]


def table(path: Path, delimiter: str = ",") -> list[dict[str, str]]:
    """Give the rows of a table."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter=delimiter))


def test_samples_are_those_of_the_templates_that_are_left(curate: Curate, filtered: Path) -> None:
    """Dropped and removed templates give none; an undecided one is in, and said."""
    ran = curate("export", "samples", "-w", filtered)
    assert (ran.code, ran.out) == (
        *(0, f"Wrote 2,112 samples to {filtered / 'exports' / 'samples'}.\n"),
    )
    assert ran.err == ("Note: 1 template included without a survey decision: occupation-009\n")
    rows = table(filtered / "exports" / "samples" / "samples.csv")
    assert tuple(rows[0]) == SAMPLE_COLUMNS
    assert len({row["sample_id"] for row in rows}) == len(rows) == 2112
    templates = {row["template_id"] for row in rows}
    assert len(templates) == 31
    assert not templates & {"age-006", "hobby-008", "home_region-006"}
    assert {"home_region-005", "occupation-009"} < templates
    assert {len(json.loads(row["choices"])) for row in rows} == {3}


def test_before_the_survey_what_waits_is_left_out_and_said(curate: Curate, demo: Path) -> None:
    """Open lists give no samples."""
    ran = curate("export", "samples", "-w", demo)
    assert "1,952 samples" in ran.out
    assert "36 templates included without a survey decision" in ran.err
    assert "4 templates without samples (not translated, or groups not surveyed)" in ran.err


def test_sets_and_formats_can_be_given_several_at_once(curate: Curate, filtered: Path) -> None:
    """Each set in each format, and one manifest of all."""
    found = curate(
        *("export", "samples", "-w", filtered, "--json"),
        *("--set", "all,test", "--format", "csv, jsonl,kobbq"),
    ).json
    folder = filtered / "exports" / "samples"
    assert {path.relative_to(folder).as_posix() for path in folder.rglob("*.*")} == {
        *("samples.csv", "samples.jsonl", "test_samples.csv", "test_samples.jsonl"),
        *("kobbq/all_samples.tsv", "kobbq/test_samples.tsv", "manifest.json"),
    }
    assert (found["counts"]["samples"], found["counts"]["test_samples"]) == (2112, 264)
    every = {row["sample_id"]: row for row in table(folder / "samples.csv")}
    drawn = table(folder / "test_samples.csv")
    assert [every[row["sample_id"]] for row in drawn] == drawn
    lines = (folder / "samples.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["sample_id"] for line in lines] == list(every)
    rows = table(folder / "kobbq" / "all_samples.tsv", "\t")
    assert tuple(rows[0]) == PUBLISHED_SAMPLES
    assert [row["sample_id"] for row in rows] == list(every)
    assert verify_manifest(folder) == []


def test_the_test_set_is_drawn_by_the_seed(curate: Curate, filtered: Path) -> None:
    """That of the settings unless one is given; another seed draws others of the same size."""

    def drawn(*options: str) -> list[str]:
        curate("export", "samples", "-w", filtered, "--set", "test", *options)
        path = filtered / "exports" / "samples" / "test_samples.csv"
        return [row["sample_id"] for row in table(path)]

    first = drawn()
    assert drawn("--seed", "42") == first
    manifest = read_manifest(filtered / "exports" / "samples")
    assert manifest.settings["seed"] == 42
    other = drawn("--seed", "0")
    assert len(other) == len(first) == 264
    assert other != first
    assert read_manifest(filtered / "exports" / "samples").settings["seed"] == 0


def test_the_bank_has_the_surveyed_groups_and_the_status_of_all(
    curate: Curate, filtered: Path
) -> None:
    """The bank can be read again, and every template is accounted for."""
    ran = curate("export", "bank", "-w", filtered)
    assert "Wrote 66 variants, 31 templates" in ran.out
    folder = filtered / "exports" / "bank"
    bank, findings = read_bank(folder / "bank.csv")
    assert (len(bank.variants), findings) == (66, [])
    changed = next(row for row in bank.variants if str(row.template_id) == "home_region-005")
    assert changed.texts.target_groups == ("솔바람숲", "갈대늪")
    statuses = {row["template_id"]: row for row in table(folder / "templates.csv")}
    assert len(statuses) == 40
    assert statuses["age-006"]["status"] == "dropped"
    assert statuses["age-006"]["reason"].startswith("two_thirds drop (below): 64 of 96")
    assert statuses["home_region-005"]["modified"] == "true"


def test_the_bank_has_the_published_columns(curate: Curate, filtered: Path) -> None:
    """With the counts of each template's question as the published tables hold them."""
    path = filtered / "templates_src" / "bank.csv"
    with path.open(encoding="utf-8", newline="") as stream:
        rows = [row for row in csv.reader(stream) if row[0] != "hobby-004"]
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(rows)
    ran = curate("export", "bank", "-w", filtered, "--format", "kobbq")
    assert (ran.code, "Wrote 64 variants, 30 templates" in ran.out) == (0, True)
    found = table(filtered / "exports" / "bank" / "kobbq" / "templates.tsv", "\t")
    assert tuple(found[0]) == PUBLISHED_TEMPLATES
    assert len(found) == 64
    assert found[0]["Survey_stats"] == "{'노인': 84, '청년': 18, 'no_stereo': 18}"


def test_what_a_format_cannot_hold_is_refused_before_anything_is_written(
    curate: Curate, filtered: Path, listing: Listing
) -> None:
    """The place is named, and no format asked for beside it is left behind."""
    before = listing(filtered)
    ran = curate("export", "bank", "-w", filtered, "--format", "csv,kobbq")
    assert (ran.code, ran.out) == (1, "")
    assert "hobby-004a, column disambiguating_context" in ran.err
    assert listing(filtered) == before


@pytest.mark.parametrize(
    ("old", "new", "sets", "what"),
    [
        ("N1: [대학생, 신입 사원]; N2", "N1: [대학생]; N2", "all,test", "so no index fits both"),
        ("단것을 좋아하는 사람은", "[W9]", "all", "slot W9 has no list of fillers"),
        ("단것을 좋아하는 사람은", "[W9]", "test", "slot W9 has no list of fillers"),
    ],
)
def test_a_template_that_cannot_be_filled_is_refused_before_anything_is_written(
    curate: Curate, filtered: Path, listing: Listing, old: str, new: str, sets: str, what: str
) -> None:
    """A fault in one template leaves no half of the samples."""
    path = filtered / "templates_src" / "bank.csv"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    before = listing(filtered)
    ran = curate("export", "samples", "-w", filtered, "--set", sets)
    assert (ran.code, ran.out) == (1, "")
    assert what in ran.err
    assert "age-001" in ran.err
    assert listing(filtered) == before


@pytest.mark.parametrize("command", ["samples", "hub", "lm-eval", "inspect", "package"])
def test_every_template_that_cannot_be_filled_is_named(
    curate: Curate, filtered: Path, listing: Listing, command: str
) -> None:
    """All of them at once, before anything is made."""
    path = filtered / "templates_src" / "bank.csv"
    text = path.read_text("utf-8")
    for sentence in ("단것을 좋아하는 사람은", "그래서 "):
        text = text.replace(sentence, f"{sentence}[W9]", 1) if sentence in text else text
    lines = text.splitlines(keepends=True)
    kept = {row["template_id"] for row in table(_exported_bank(curate, filtered))}
    wanted = [name for name in ("age-001", "hobby-001") if name in kept]
    for number, line in enumerate(lines):
        if line.startswith(tuple(f"{name},a," for name in wanted)):
            lines[number] = line.replace("[N1", "[W9] [N1", 1)
    path.write_text("".join(lines), "utf-8")
    before = listing(filtered)
    draft = ("--draft",) if command == "package" else ()
    ran = curate("export", command, "-w", filtered, *draft)
    assert (ran.code, ran.out) == (1, "")
    assert "2 templates cannot be filled:" in ran.err
    assert all(f"{name}a" in ran.err for name in wanted)
    assert listing(filtered) == before


def _exported_bank(curate: Curate, workspace: Path) -> Path:
    folder = workspace.parent / "bank"
    assert curate("export", "bank", "-w", workspace, "--out", folder).code == 0
    return folder / "bank.csv"


def _set(workspace: Path, setting: str) -> None:
    """Write a setting of samples into the settings of the demo."""
    path = workspace / "culture.yaml"
    text = path.read_text("utf-8")
    assert "\nsamples:\n" in text
    path.write_text(text.replace("\nsamples:\n", f"\nsamples:\n  {setting}\n"), "utf-8")


@pytest.mark.parametrize("command", ["samples", "hub", "lm-eval", "package"])
def test_more_samples_than_the_limit_are_not_written(
    curate: Curate, filtered: Path, listing: Listing, command: str
) -> None:
    """It stops at once with the number, the largest templates and what to do."""
    _set(filtered, "limit: 1000")
    before = listing(filtered)
    every = ("--set", "all") if command == "lm-eval" else ()
    draft = ("--draft",) if command == "package" else ()
    ran = curate("export", command, "-w", filtered, *every, *draft)
    assert (ran.code, ran.out) == (1, "")
    assert "2,112 samples, more than the 1,000 of samples.limit" in ran.err
    assert "the largest templates: " in ran.err
    assert "--per-template N" in ran.err
    assert listing(filtered) == before
    assert curate("export", "samples", "-w", filtered, "--set", "test").code == 0


def test_a_subset_of_each_template_can_be_written(curate: Curate, filtered: Path) -> None:
    """By option or setting; printed, and stated in the manifest with its counts."""
    ran = curate("export", "samples", "-w", filtered, "--set", "all,test", "--per-template", "24")
    assert ran.code == 0
    samples = table(filtered / "exports" / "samples" / "samples.csv")
    drawn = {row["sample_id"] for row in table(filtered / "exports/samples/test_samples.csv")}
    assert f"Wrote {len(samples):,} samples, 264 test_samples to " in ran.out
    left_out = 2112 - len(samples)
    assert f"Left out: {left_out:,} samples of fillings that were not drawn." in ran.out
    of_template: dict[str, int] = {}
    for row in samples:
        of_template[row["template_id"]] = of_template.get(row["template_id"], 0) + 1
    assert max(of_template.values()) == 24
    assert drawn < {row["sample_id"] for row in samples}
    manifest = read_manifest(filtered / "exports" / "samples")
    assert manifest.settings["per_template"] == 24
    assert manifest.counts["samples_not_drawn"] == left_out
    by_option = (filtered / "exports" / "samples" / "samples.csv").read_bytes()
    _set(filtered, "per_template: 24")
    assert curate("export", "samples", "-w", filtered).code == 0
    assert (filtered / "exports" / "samples" / "samples.csv").read_bytes() == by_option
    assert curate("export", "samples", "-w", filtered, "--per-template", "0").code == 2


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_how_far_an_export_is_is_told_on_a_terminal(
    curate: Curate, filtered: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    """Planning, checking and writing, each until it is over; nowhere else a word of it."""
    told: list[tuple[str, int, int]] = []
    monkeypatch.setattr(
        "exports.cli.data.progress_of_each", lambda: lambda *said: told.append(said)
    )
    ran = curate("export", "samples", "-w", filtered, "--format", form)
    assert ran.code == 0
    assert "planned" not in ran.err
    works = ("Templates planned", "Rules checked", "Templates written")
    assert tuple(dict.fromkeys(what for what, _, _ in told)) == works
    for work in works:
        steps = [(done, total) for what, done, total in told if what == work]
        total = steps[0][1]
        assert steps == [(done, total) for done in range(total + 1)]
        assert total == 31 or work == "Rules checked"


@pytest.mark.parametrize(
    ("row", "told", "hint"),
    [
        ("craft-001,a,Craft,ST,They hum", "of 1 template 1 not translated", "curate status"),
        ("craft-001,a,Craft,SR,They hum", "of 1 template 1 removed by their label", "status"),
        ("", "the bank is empty", "curate import"),
    ],
)
@pytest.mark.parametrize(
    ("command", "what"), [("samples", "write"), ("hub", "publish"), ("lm-eval", "ask")]
)
def test_where_no_template_gives_samples_nothing_is_written(
    curate: Curate,
    workspace: Path,
    listing: Listing,
    *,
    row: str,
    told: str,
    hint: str,
    command: str,
    what: str,
) -> None:
    """An error says what is missing, and an earlier export stays as it is."""
    assert curate("export", "samples", "-w", workspace).code == 0
    bank = workspace / "templates_src" / "bank.csv"
    header = bank.read_text("utf-8").splitlines()[0]
    rest = "," * (header.count(",") - 4) if row else ""
    bank.write_text(f"{header}\n{row}{rest}\n", "utf-8")
    before = listing(workspace)
    for which in ("all", "test"):
        ran = curate("export", command, "-w", workspace, "--set", which)
        assert (ran.code, ran.out) == (1, "")
        assert f"no template gives samples, so there is nothing to {what}: {told}" in ran.err
        assert hint in ran.err
        assert listing(workspace) == before


def test_a_list_with_a_filler_twice_gives_its_samples_once(curate: Curate, workspace: Path) -> None:
    """What is left out is printed and counted in the manifest."""
    path = workspace / "templates_src" / "bank.csv"
    before = curate("export", "samples", "-w", workspace, "--json").json["counts"]
    assert (before["samples"], before.get("duplicates")) == (12, None)
    text = path.read_text("utf-8")
    for old, new in (
        ("N1: [Ann]; N2: [Bob]", "N1: [Ann, Ann]; N2: [Bob]"),
        ("N1: [Bob]; N2: [Ann]", "N1: [Bob]; N2: [Ann, Ann]"),
    ):
        assert old in text
        text = text.replace(old, f'"{new}"')
    path.write_text(text, "utf-8")
    ran = curate("export", "samples", "-w", workspace)
    assert ran.out.splitlines()[0].startswith("Wrote 12 samples to ")
    assert ran.out.splitlines()[1] == "Left out: 12 samples that repeat others of their template."
    manifest = read_manifest(workspace / "exports" / "samples")
    assert (manifest.counts["samples"], manifest.counts["duplicates"]) == (12, 12)
    found = curate("stats", "-w", workspace, "--json").json
    assert [(item["samples"], item["duplicates"]) for item in found["templates"]] == [
        (8, 8),
        (4, 4),
    ]


@pytest.mark.parametrize("what", ["samples", "bank"])
def test_two_exports_are_the_same_to_the_byte(
    curate: Curate, filtered: Path, tmp_path: Path, listing: Listing, what: str
) -> None:
    """Into whatever folder, in every text format and in Parquet."""
    outs = [tmp_path / "one", tmp_path / "two" / "deeper"]
    for out in outs:
        ran = curate(
            "export", what, "-w", filtered, "--out", out, "--format", "csv,tsv,jsonl,parquet"
        )
        assert ran.code == 0
    assert listing(outs[0]) == listing(outs[1])
    assert not (filtered / "exports" / what).exists()


def test_the_manifest_names_all_that_was_used(curate: Curate, filtered: Path) -> None:
    """Settings, bank, groups, decisions, standings and counts are there with their hashes."""
    curate("export", "samples", "-w", filtered)
    manifest = read_manifest(filtered / "exports" / "samples")
    assert set(manifest.inputs) == {
        *("culture.yaml", "templates_src/bank.csv", "templates_src/groups.csv"),
        *("decisions.csv", "responses/targets.csv", "responses/tallies.csv"),
    }
    assert manifest.counts == {
        **{"samples": 2112, "kept": 30},
        **{"dropped": 5, "undecided": 1, "removed": 4},
    }
    assert manifest.settings["culture"] == "Marevia"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["samples", "--set", "some"], "'some': name one or more of all, test"),
        (["samples", "--format", "csv,doc"], "'csv,doc': name one or more of csv, "),
        (["samples", "--format", ","], "',': name one or more of csv, "),
        (["bank", "--format", "xls"], "'xls': name one or more of csv, "),
        (["all"], "No such command 'all'"),
    ],
)
def test_unknown_sets_and_formats_are_wrong_usage(
    curate: Curate, filtered: Path, listing: Listing, args: list[str], said: str
) -> None:
    """Status 2 with what there is, and nothing is written."""
    before = listing(filtered)
    ran = curate("export", *args, "-w", filtered)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert listing(filtered) == before


@pytest.mark.parametrize(
    ("file", "what"),
    [
        ("decisions.csv", "the header lacks"),
        ("responses/targets.csv", "the header lacks"),
        ("responses/tallies.csv", "the header lacks"),
        ("templates_src/groups.csv", "the header lacks"),
    ],
)
def test_a_damaged_workspace_is_not_exported(
    curate: Curate, filtered: Path, file: str, what: str
) -> None:
    """A benchmark is never made from half of what decides it."""
    (filtered / file).write_text("a,b\n1,2\n")
    ran = curate("export", "samples", "-w", filtered)
    assert (ran.code, ran.out) == (1, "")
    assert what in ran.err
    assert not (filtered / "exports" / "samples").exists()


def test_fillers_of_a_group_that_cannot_be_read_name_their_row(
    curate: Curate, filtered: Path
) -> None:
    """The list of groups is read for the group of each person."""
    groups = filtered / "templates_src" / "groups.csv"
    text = groups.read_text("utf-8")
    groups.write_text(text.replace('"[초등학생, 동네 꼬마]"', '"[초등학생, 동네 꼬마"'), "utf-8")
    ran = curate("export", "samples", "-w", filtered)
    assert ran.code == 1
    assert "Age, 어린이: a list is not closed (line 1, column 1)" in ran.err
    assert "groups.csv, row 2, column fillers" in ran.err


def test_a_full_disk_leaves_the_old_export(
    curate: Curate, filtered: Path, listing: Listing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Old files stay whole and no temporary one lies beside them."""
    curate("export", "samples", "-w", filtered)
    before = listing(filtered)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    ran = curate("export", "samples", "-w", filtered, "--seed", "1", "--set", "all,test")
    assert (ran.code, "No space left on device" in ran.err) == (1, True)
    assert listing(filtered) == before


@pytest.mark.parametrize("what", ["samples", "bank"])
def test_errors_of_the_check_are_said_and_counted(
    curate: Curate, filtered: Path, what: str
) -> None:
    """A mistyped category does not stop the export, nor does it pass silently."""
    path = filtered / "culture.yaml"
    path.write_text(path.read_text("utf-8").replace("id: Hobby", "id: Hobbies"), "utf-8")
    ran = curate("export", what, "-w", filtered)
    assert ran.code == 0
    errors = [line for line in ran.err.splitlines() if line.startswith("Warning")]
    assert errors == [
        "Warning: 'curate check' finds 2 errors in the workspace. The first: "
        "templates_src/bank.csv, row 56, column category: category 'Hobby' is not in culture.yaml "
        "(16 rows)"
    ]
    assert "before you publish, fix the errors and export again" in ran.err
    assert read_manifest(filtered / "exports" / what).settings["check_errors"] == 2
    found = curate("export", what, "-w", filtered, "--json").json["findings"]
    assert [item["rule"] for item in found] == ["category-unknown"] * 2


def test_an_export_without_errors_says_nothing_of_them(curate: Curate, filtered: Path) -> None:
    """Nor does its manifest."""
    ran = curate("export", "samples", "-w", filtered, "--json")
    assert (ran.err, ran.json["findings"]) == ("", [])
    assert "check_errors" not in read_manifest(filtered / "exports" / "samples").settings
