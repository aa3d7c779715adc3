"""`curate export lm-eval` and `curate export inspect`."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curation.files.manifest import read_manifest, verify_manifest
from curation.files.workspace import Workspace
from curation.records.errors import CurateError
from exports.edition import Edition
from exports.harness import inspect, lm_eval
from exports.harness.measure.rows import DATA
from exports.harness.requests import tasks_of, write_data
from survey.bank import final_bank

Curate = Callable[..., Any]
Listing = Callable[[Path], dict[str, str]]
NAMES = {"lm-eval": "lm_eval", "inspect": "inspect"}
both = pytest.mark.parametrize("name", NAMES)

PROMPTS = """\
orders: kobbq
prompts:
  - id: own
    layout: "{context} {question}\\n1) {a}\\n2) {b}\\n3) {c}\\n답:"
    letters: ["1", "2", "3"]
    unknown: "정보 없음"
"""


def lines(path: Path) -> list[dict[str, Any]]:
    """Read JSON lines."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@both
def test_the_folder_is_written_with_a_manifest(curate: Curate, filtered: Path, name: str) -> None:
    """To exports, where its name can be that of a module; said in a line."""
    ran = curate("export", name, "-w", filtered)
    folder = filtered / "exports" / NAMES[name]
    tasks = ", 12 tasks" if name == "lm-eval" else ""
    assert (ran.code, ran.out) == (0, f"Wrote 264 samples, 3,960 requests{tasks} to {folder}.\n")
    assert "1 template included without a survey decision: occupation-009" in ran.err
    manifest = read_manifest(folder)
    assert manifest.counts["requests"] == 3960
    told = {key: manifest.settings[key] for key in ("export", "set", "orders", "prompts", "seed")}
    assert told == {
        **{"export": NAMES[name], "set": "test", "orders": "cyclic"},
        **{"prompts": ["1", "2", "3", "4", "5"], "seed": 42},
    }
    assert verify_manifest(folder) == []
    program = {"lm-eval": "utils.py", "inspect": "marevibbq_gen.py"}[name]
    assert {"README.md", "data.jsonl", "measure/reading/reader.py", program} < set(manifest.files)


@both
def test_json_says_the_same(curate: Curate, filtered: Path, name: str) -> None:
    """One object, nothing else."""
    told = curate("export", name, "-w", filtered, "--json").json
    assert (told["counts"]["samples"], told["counts"]["requests"]) == (264, 3960)
    assert told["undecided"] == ["occupation-009"]


@both
def test_two_exports_are_the_same_to_the_byte(
    curate: Curate, filtered: Path, tmp_path: Path, listing: Listing, name: str
) -> None:
    """Into whatever folder, from wherever the workspace lies."""
    moved = tmp_path / "elsewhere" / "moved"
    shutil.copytree(filtered, moved)
    outs = [tmp_path / "one", tmp_path / "two" / "deeper"]
    for workspace, out in zip((filtered, moved), outs, strict=True):
        assert curate("export", name, "-w", workspace, "--out", out).code == 0
    assert listing(outs[0]) == listing(outs[1])
    assert not (filtered / "exports" / NAMES[name]).exists()


@both
def test_own_prompts_their_orders_and_letters_are_taken(
    curate: Curate, filtered: Path, tmp_path: Path, name: str
) -> None:
    """As `evaluate prepare` takes them, and the file is named in the manifest."""
    prompts = tmp_path / "prompts.yaml"
    prompts.write_text(PROMPTS, "utf-8")
    assert curate("export", name, "-w", filtered, "--prompts", prompts).code == 0
    curate("export", "samples", "-w", filtered, "--set", "test")
    curate("evaluate", "prepare", "-w", filtered, "--prompts", prompts)
    folder = filtered / "exports" / NAMES[name]
    asked = lines(filtered / "exports" / "evaluation" / "requests.jsonl")
    for row, request in zip(lines(folder / "data.jsonl"), asked, strict=True):
        assert row["message"] == request["messages"][0]["content"]
        assert (row["request_id"], row["choices"]) == (request["request_id"], request["choices"])
        assert row["letters"] == ["1", "2", "3"]
    manifest = read_manifest(folder)
    assert (manifest.settings["orders"], manifest.settings["prompts"]) == ("kobbq", ["own"])
    assert "prompts.yaml" in manifest.inputs
    assert "each with 1 prompt and three orders" in (folder / "README.md").read_text("utf-8")


@both
def test_a_set_and_prompts_can_be_chosen(curate: Curate, filtered: Path, name: str) -> None:
    """The entire set, which is scored otherwise and said to be."""
    ran = curate("export", name, "-w", filtered, "--set", "all", "--prompt", "2", "--json")
    assert ran.json["counts"]["requests"] == 2112 * 3
    folder = filtered / "exports" / NAMES[name]
    assert json.loads((folder / "benchmark.json").read_text("utf-8"))["set"] == "all"
    text = (folder / "README.md").read_text("utf-8")
    assert "entire set" in text and "Each template is scored" in text
    assert "seed" not in read_manifest(folder).settings


@both
def test_what_an_earlier_export_wrote_and_this_one_does_not_is_taken_away(
    curate: Curate, filtered: Path, name: str
) -> None:
    """A renamed benchmark leaves no task of its old name; bytecode of a run is no foreign file."""
    folder = filtered / "exports" / NAMES[name]
    curate("export", name, "-w", filtered)
    old = sorted(path.name for path in folder.glob("marevibbq*"))
    (folder / "measure" / "__pycache__").mkdir()
    (folder / "measure" / "__pycache__" / "rows.cpython-311.pyc").write_bytes(b"x")
    assert verify_manifest(folder) == []
    path = filtered / "culture.yaml"
    path.write_text(path.read_text("utf-8").replace("name: marevibbq", "name: othername"), "utf-8")
    assert curate("export", name, "-w", filtered).code == 0
    assert not list(folder.glob("marevibbq*"))
    new = [item.replace("marevibbq", "othername") for item in old]
    assert sorted(path.name for path in folder.glob("othername*")) == new
    assert verify_manifest(folder) == []


@both
def test_a_folder_with_other_things_is_left_alone(
    curate: Curate, filtered: Path, tmp_path: Path, listing: Listing, name: str
) -> None:
    """A README.md that somebody wrote is not written over."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "README.md").write_text("mine")
    before = listing(tmp_path / "mine")
    ran = curate("export", name, "-w", filtered, "--out", tmp_path / "mine")
    assert (ran.code, ran.out) == (1, "")
    assert "mine holds files that no export wrote" in ran.err
    assert listing(tmp_path / "mine") == before


@both
def test_a_language_without_prompts_needs_some(
    curate: Curate, workspace: Path, tmp_path: Path, listing: Listing, name: str
) -> None:
    """Nothing is guessed, and nothing written; with prompts of one's own it works."""
    path = workspace / "culture.yaml"
    path.write_text(path.read_text("utf-8").replace("language: en", "language: eu"), "utf-8")
    before = listing(workspace)
    ran = curate("export", name, "-w", workspace)
    assert (ran.code, ran.out) == (1, "")
    assert "there are no prompts in 'eu'" in ran.err
    assert "name it with --prompts FILE" in ran.err
    assert listing(workspace) == before
    with pytest.raises(CurateError, match="there are no prompts in 'eu'"):
        tasks_of(Edition(Workspace(workspace), final_bank(Workspace(workspace))))
    prompts = tmp_path / "prompts.yaml"
    prompts.write_text(PROMPTS, "utf-8")
    assert curate("export", name, "-w", workspace, "--prompts", prompts).code == 0


@both
def test_without_a_template_there_is_nothing_to_ask(
    curate: Curate, workspace: Path, name: str
) -> None:
    """Said with the place, and nothing is written."""
    bank = workspace / "templates_src" / "bank.csv"
    header = bank.read_text("utf-8").splitlines()[0]
    bank.write_text(f"{header}\n", "utf-8")
    ran = curate("export", name, "-w", workspace)
    assert (ran.code, ran.out) == (1, "")
    assert "no template gives samples, so there is nothing to ask: the bank is empty" in ran.err
    assert not (workspace / "exports" / NAMES[name]).exists()


@both
def test_an_unknown_expression_that_is_a_choice_is_refused(
    curate: Curate, filtered: Path, tmp_path: Path, name: str
) -> None:
    """No reply could tell which is meant; the folder of before is left."""
    prompts = tmp_path / "prompts.yaml"
    prompts.write_text(PROMPTS.replace("정보 없음", "할아버지"), "utf-8")
    ran = curate("export", name, "-w", filtered, "--prompts", prompts)
    assert (ran.code, "is a choice of a sample" in ran.err) == (1, True)
    assert not list((filtered / "exports").glob(f"*{NAMES[name]}*/*"))


@both
def test_a_small_benchmark_without_a_release_is_written_too(
    curate: Curate, workspace: Path, name: str
) -> None:
    """No canary, no licence: said, and nothing empty is told to programs."""
    curate("filter", "-w", workspace, "--survey", workspace / "responses" / "responses.csv")
    assert curate("export", name, "-w", workspace, "--json").code == 0
    folder = workspace / "exports" / NAMES[name]
    row = lines(folder / "data.jsonl")[0]
    assert "canary" not in row
    assert "canary" not in json.loads((folder / "benchmark.json").read_text("utf-8"))
    text = (folder / "README.md").read_text("utf-8")
    assert "# Nowhere bias benchmark, version 0.1" in text
    assert "The data states no licence" in text
    assert "canary," not in text
    assert list(folder.glob("nowhere_bbq_gen*"))


@pytest.mark.parametrize(
    ("name", "harness"), [("lm-eval", lm_eval), ("inspect", inspect)], ids=["lm-eval", "inspect"]
)
def test_a_package_writes_what_the_command_writes(
    curate: Curate, filtered: Path, tmp_path: Path, listing: Listing, name: str, harness: Any
) -> None:
    """The same bytes, except for the manifest, which the package writes."""
    curate("export", name, "-w", filtered, "--out", tmp_path / "command")
    about = (tmp_path / "command" / "README.md").read_text("utf-8")
    assert r"of The curate developers (templates\_src/demo of the toolkit)." in about
    workspace = Workspace(filtered)
    (tmp_path / "part").mkdir()
    tasks = tasks_of(Edition(workspace, final_bank(workspace)))
    written = write_data(tmp_path / "part" / DATA, tasks)
    counts = harness.write_folder(tmp_path / "part", tasks, written)
    assert (counts["samples"], counts["requests"]) == (264, 3960)
    (tmp_path / "command" / "manifest.json").unlink()
    assert listing(tmp_path / "part") == listing(tmp_path / "command")


@both
def test_a_bounded_set_says_so(curate: Curate, filtered: Path, name: str) -> None:
    """In the README.md; the entire set and the test set have nothing to say of it."""
    path = filtered / "exports" / NAMES[name] / "README.md"

    def first(*args: str) -> str:
        assert curate("export", name, "-w", filtered, "--prompt", "1", *args).code == 0
        lines = path.read_text("utf-8").splitlines()
        return next(line for line in lines if " samples of the " in line)

    assert "2,112 samples of the entire set, each with" in first("--set", "all")
    text = first("--set", "all", "--per-template", "24")
    found = re.match(r"(\d+) samples of the entire set, drawn by the seed 42 \((.*); (.*)\),", text)
    assert found is not None
    assert found[2] == "at most 24 of a template"
    assert found[3] == f"{2112 - int(found[1]):,} were not drawn"
    assert "264 samples of the test set (one filling" in first("--per-template", "24")
