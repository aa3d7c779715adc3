"""`curate export hub`."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from curation import __version__
from curation.files.manifest import read_manifest, verify_manifest
from curation.files.workspace import Workspace
from curation.records.errors import CurateError
from curation.records.sample import SAMPLE_COLUMNS
from evaluation.qa.samples import read_samples
from exports.card.gather import gather
from exports.edition import Edition
from exports.hub_files import write_folder
from survey.bank import final_bank

Curate = Callable[..., Any]
Listing = Callable[[Path], dict[str, str]]
GOLDEN = Path(__file__).with_name("hub_card.md")
CREATORS = {"found", "crowdsourced", "expert-generated", "machine-generated", "other"}
"""Those that the hub's card may name, of annotations and of texts."""
CONFIGURATIONS = ("test", "samples", "templates", "survey")


def write_hub(workspace: Workspace, folder: Path) -> dict[str, int]:
    """Write all of a dataset folder except for its manifest."""
    return write_folder(folder, *gather(Edition(workspace, final_bank(workspace)), ["all", "test"]))


@pytest.fixture(scope="module")
def _hub(_filtered: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hub") / "out"
    folder.mkdir()
    workspace = Workspace(_filtered)
    write_hub(workspace, folder)
    return folder


def in_another_process(program: str, *arguments: object, folder: Path) -> Any:
    """Run a program of its own, for libraries that warn, and read the JSON that it prints."""
    environment = {
        **os.environ,
        "HF_HUB_OFFLINE": "1",
        "HF_DATASETS_OFFLINE": "1",
        "HF_HOME": str(folder / "hf"),
        "HF_DATASETS_CACHE": str(folder / "hf" / "datasets"),
        "PYTHONUTF8": "1",
    }
    ran = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        env=environment,
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr.decode()
    return json.loads(ran.stdout)


def rows_of(path: Path) -> list[dict[str, object]]:
    """Give the rows of a Parquet file with plain pandas, lists as lists."""
    import pandas as pd

    records = pd.read_parquet(path).to_dict("records")
    return [
        {
            str(name): value.tolist() if hasattr(value, "tolist") else value
            for name, value in row.items()
        }
        for row in records
    ]


def exported(curate: Curate, workspace: Path, name: str) -> list[dict[str, object]]:
    """Give the rows of `samples.csv` or `test_samples.csv`, choices as lists."""
    assert curate("export", "samples", "-w", workspace, "--set", "all,test").code == 0
    path = workspace / "exports" / "samples" / f"{name}.csv"
    with path.open(encoding="utf-8", newline="") as stream:
        return [{**row, "choices": json.loads(row["choices"])} for row in csv.DictReader(stream)]


@pytest.mark.slow
def test_the_folder_says_what_is_in_it(curate: Curate, filtered: Path) -> None:
    """Data, card, metadata, checksums and manifest; what culture.yaml leaves open is listed."""
    ran = curate("export", "hub", "-w", filtered)
    folder = filtered / "exports" / "hub"
    assert (ran.code, ran.out) == (
        0,
        f"Wrote 264 test_samples, 2,112 samples, 66 variants, 254 survey_options to {folder}.\n",
    )
    assert ran.err.splitlines() == [
        "Note: 1 template included without a survey decision: occupation-009",
        "Note: 4 keys of culture.yaml are empty; the card says 'not stated':",
        "    release.contact  address for questions",
        "    release.url      home page or repository",
        "    release.doi      DOI of the data set",
        "    release.paper    what is to be cited",
    ]
    assert {path.relative_to(folder).as_posix() for path in folder.rglob("*.*")} == {
        *(f"{name}/test-00000-of-00001.parquet" for name in CONFIGURATIONS),
        *(
            "README.md",
            "templates.png",
            "croissant.json",
            "CITATION.cff",
            "checksums.txt",
            "manifest.json",
        ),
    }
    assert verify_manifest(folder) == []
    manifest = read_manifest(folder)
    assert manifest.settings["seed"] == 42
    assert (manifest.counts["samples"], manifest.counts["test_samples"]) == (2112, 264)
    subprocess.run(["sha256sum", "-c", "--quiet", "checksums.txt"], cwd=folder, check=True)  # noqa: S607


def test_json_lists_the_keys_that_are_empty(curate: Curate, filtered: Path) -> None:
    """One object, beside what every export says."""
    found = curate("export", "hub", "-w", filtered, "--json").json
    assert [item["key"] for item in found["not_stated"]] == [
        *("release.contact", "release.url", "release.doi", "release.paper"),
    ]
    assert found["undecided"] == ["occupation-009"]
    assert found["counts"]["survey_options"] == 254


def test_the_card_of_the_demo_is_as_written_down(_hub: Path) -> None:
    """Every word and number of it; a change that is meant is made in the file, too."""
    made = (_hub / "README.md").read_text(encoding="utf-8")
    assert made == GOLDEN.read_text(encoding="utf-8").replace("{version}", __version__)


@pytest.mark.slow
def test_the_hub_takes_the_metadata_and_the_line_of_the_card_loads(
    curate: Curate, filtered: Path, _hub: Path, tmp_path: Path
) -> None:
    """Every field as the hub's own classes read it; the printed lines as they stand, offline."""
    text = (_hub / "README.md").read_text(encoding="utf-8")
    printed = re.search(r"```python\n(from datasets.*?)```", text, re.DOTALL)
    pictured = re.search(r"!\[[^\]]*\]\((.*?)\)", text)
    assert printed and pictured and (_hub / pictured[1]).is_file()
    program = f"""
import json, sys
from huggingface_hub import DatasetCard
out, sys.stdout = sys.stdout, sys.stderr
{printed[1].replace("path/to/this/folder", _hub.as_posix())}
card = DatasetCard.load({str(_hub / "README.md")!r}).data.to_dict()
print(json.dumps({{"card": card, "rows": data.to_list()}}), file=out)
"""
    run = in_another_process(program, folder=tmp_path)
    told = run["card"]
    assert (told["license"], told["language"], told["pretty_name"]) == ("mit", ["ko"], "MareviBBQ")
    assert {item["config_name"] for item in told["configs"]} == set(CONFIGURATIONS)
    assert set(told["annotations_creators"]) <= CREATORS | {"no-annotation"}
    assert set(told["language_creators"]) <= CREATORS
    assert set(told["multilinguality"]) <= {"monolingual", "multilingual", "translation", "other"}
    assert run["rows"] == exported(curate, filtered, "test_samples")


@pytest.mark.slow
def test_datasets_loads_exactly_the_exported_rows(
    curate: Curate, filtered: Path, _hub: Path, tmp_path: Path
) -> None:
    """Offline, by the names of the configurations; the test set without a name."""
    program = """
import datasets, json, sys
folder, found = sys.argv[1], {}
for name in ("test", "samples", "templates", "survey", None):
    data = datasets.load_dataset(folder, name)
    assert list(data) == ["test"], list(data)
    found[name or "default"] = data["test"].to_list()
features = datasets.load_dataset(folder, "templates")["test"].features
found["features"] = {name: str(kind) for name, kind in features.items()}
print(json.dumps(found))
"""
    found = in_another_process(program, _hub, folder=tmp_path)
    assert found["samples"] == exported(curate, filtered, "samples")
    assert found["test"] == found["default"] == exported(curate, filtered, "test_samples")
    assert found["features"]["target_groups"] == "List(Value('string'))"
    for name in CONFIGURATIONS:
        assert found[name] == rows_of(_hub / name / "test-00000-of-00001.parquet")
        assert list(found["samples"][0]) == list(SAMPLE_COLUMNS)


@pytest.mark.slow
def test_croissant_is_valid_and_gives_the_data(_hub: Path, tmp_path: Path) -> None:
    """Every record of every configuration, read by the reference implementation."""
    program = """
import json, logging, sys
import mlcroissant
said = []
handler = logging.Handler(); handler.emit = lambda record: said.append(record.getMessage())
from absl import logging as absl_logging
absl_logging.get_absl_logger().addHandler(handler)
data = mlcroissant.Dataset(sys.argv[1])
def plain(value):
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value.item() if hasattr(value, "item") else value
rows = {
    item.id: [
        {key.split("/", 1)[1]: plain(value) for key, value in row.items()}
        for row in data.records(item.id)
    ]
    for item in data.metadata.record_sets
}
issues = data.metadata.ctx.issues
print(json.dumps({"rows": rows, "errors": list(issues.errors), "warnings": list(issues.warnings),
    "said": [line for line in said if "WARNING" in line]}))
"""
    found = in_another_process(program, _hub / "croissant.json", folder=tmp_path)
    assert found["errors"] == []
    # The demo has no address; nothing else is amiss.
    assert [line for line in found["warnings"] if "url" not in line] == []
    assert found["said"] == []
    assert set(found["rows"]) == set(CONFIGURATIONS)
    for name in CONFIGURATIONS:
        assert found["rows"][name] == rows_of(_hub / name / "test-00000-of-00001.parquet")


def test_evaluation_reads_the_published_samples(_hub: Path, curate: Curate, filtered: Path) -> None:
    """As it reads those of `curate export samples`."""
    ours = list(read_samples(_hub / "test" / "test-00000-of-00001.parquet"))
    curate("export", "samples", "-w", filtered, "--set", "test")
    assert ours == list(read_samples(filtered / "exports" / "samples" / "test_samples.csv"))


def test_the_commands_of_the_card_run(_hub: Path, curate: Curate, tmp_path: Path) -> None:
    """In a new workspace of the language, with a model that is none."""
    card = (_hub / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^curate (evaluate .*)$", card, re.MULTILINE)
    assert [command.split()[1] for command in commands] == ["prepare", "run", "score"]
    workspace = tmp_path / "new"
    assert curate("init", workspace, "--language", "ko").code == 0
    for command in commands:
        words = command.replace("path/to/this/folder", str(_hub)).split()
        words = [str(tmp_path / word) if word.endswith(".jsonl") else word for word in words]
        words = [str(tmp_path / word) if word == "scores" else word for word in words]
        asked = _hub / "test" / "test-00000-of-00001.parquet"
        model = ["--backend", "always-unknown", "--option", f"samples={asked}"]
        more = model if words[1] == "run" else []
        ran = curate(*words, *more, "-w", workspace)
        assert ran.code == 0, ran.err
    with (tmp_path / "scores" / "scores.csv").open(encoding="utf-8", newline="") as stream:
        first = next(csv.DictReader(stream))
    assert float(first["accuracy_amb"]) == 1.0


def test_the_survey_has_counts_and_no_respondents(_hub: Path, filtered: Path) -> None:
    """What tallies, targets and ledger hold, a row an option."""
    rows = rows_of(_hub / "survey" / "test-00000-of-00001.parquet")
    with (filtered / "responses" / "tallies.csv").open(encoding="utf-8", newline="") as stream:
        tallies = list(csv.DictReader(stream))
    assert [(r["question_id"], r["option"], r["votes"], r["respondents"]) for r in rows] == [
        (t["question_id"], t["option"], int(t["votes"]), int(t["respondents"])) for t in tallies
    ]
    exact = {(r["question_id"], ", ".join(r["groups"])): r for r in rows}  # type: ignore[arg-type]
    asked = "q-home_region-c4888bc5"
    assert {
        name: exact[asked, name]["standing"] for name in ("구름언덕", "솔바람숲", "너른들")
    } == {
        **{"구름언덕": "target", "솔바람숲": "neither", "너른들": "non_target"},
    }
    dropped = exact["q-age-5673ccc7", "노인"]
    assert (dropped["decision"], dropped["reasons"]) == ("dropped", ["two_thirds: below"])
    assert dropped["standing"] == "neither"
    kept = exact["q-age-6df96e0c", ""]
    assert (kept["role"], kept["standing"], kept["decision"]) == ("none", "", "kept")
    text = json.dumps(rows, ensure_ascii=False) + (_hub / "README.md").read_text("utf-8")
    with (filtered / "responses" / "respondents.csv").open(encoding="utf-8") as stream:
        ids = [line.split(",")[0] for line in stream][1:]
    assert not [name for name in ids if re.search(rf"\b{re.escape(name)}\b", text)]


def test_templates_say_where_they_stand(_hub: Path) -> None:
    """The final bank, groups as lists, with the survey's question and status."""
    rows = rows_of(_hub / "templates" / "test-00000-of-00001.parquet")
    by_id = {(row["template_id"], row["variant"]): row for row in rows}
    changed = by_id["home_region-005", "a"]
    assert changed["target_groups"] == ["솔바람숲", "갈대늪"]
    assert (changed["survey_status"], changed["survey_question"]) == (
        *("kept", "q-home_region-06442cca"),
    )
    undecided = by_id["occupation-009", "a"]
    assert (undecided["survey_status"], undecided["survey_question"]) == ("undecided", "")
    assert len(rows) == 66


def test_the_numbers_of_the_card_are_those_of_stats(
    curate: Curate, filtered: Path, _hub: Path
) -> None:
    """Table 1 and the funnel, number by number."""
    card = (_hub / "README.md").read_text(encoding="utf-8")
    lines = [line.replace("\\", "").strip("| ").split(" | ") for line in card.splitlines()]
    table = {line[0].split(" ")[0].strip("*"): line[1:] for line in lines if len(line) == 9}
    stats = curate("stats", "-w", filtered, "--json").json
    for row in stats["rows"]:
        cells = [int(cell.strip("*").replace(",", "")) for cell in table[row["category"]]]
        assert cells[:7] == [
            *(row["sample_removed"], row["simply_transferred"], row["target_modified"]),
            *(row["newly_created"], row["templates_before_survey"], row["templates"]),
            row["samples"],
        ]
    total = stats["rows"][-1]
    at = lines.index(["Step", "Templates"]) + 2
    steps = dict(lines[at : lines.index([""], at)])
    numbers = {name: int(n.replace("−", "-").strip("*")) for name, n in steps.items()}
    dropped_by = [number for name, number in numbers.items() if name.startswith("dropped by")]
    assert sum(dropped_by) == total["templates"] - total["templates_before_survey"] == -5
    assert numbers["**retained**"] == total["templates"] == 31
    assert numbers["taken from published sets"] + numbers["newly written"] == 40
    assert numbers["labelled SR, so removed before the survey"] == -total["sample_removed"]
    assert numbers["of these not decided by the survey"] == len(stats["undecided"])


def test_the_thresholds_of_the_card_are_those_of_the_decisions(
    curate: Curate, filtered: Path
) -> None:
    """Not those that culture.yaml was changed to since; with the filter's manifest or without.

    The command refuses it, a draft is written.
    """
    settings = filtered / "culture.yaml"
    text = settings.read_text(encoding="utf-8")
    changed = text.replace("min_respondents: 30", "min_respondents: 30\n  stereotype_share: 3/4")
    settings.write_text(changed, encoding="utf-8")
    for manifest in (True, False):
        if not manifest:
            shutil.rmtree(filtered / "exports" / "filter")
        out = filtered / "exports" / f"draft-{manifest}"
        ran = curate("export", "hub", "-w", filtered, "--out", out)
        assert (ran.code, out.exists()) == (1, False)
        assert "since the last 'curate filter' decided: stereotype_share (2/3 → 3/4)" in ran.err
        out.mkdir()
        write_hub(Workspace(filtered), out)
        card = (out / "README.md").read_text(encoding="utf-8")
        assert "strictly more than 2/3 of those who named a group" in card
        assert "3/4" not in card
        said = "120 counted of 120 in the answers" if manifest else "only the counts are known"
        assert f"| Respondents | {said}" in card


def test_the_same_workspace_gives_the_same_bytes_anywhere(
    _filtered: Path, _hub: Path, tmp_path: Path, listing: Listing
) -> None:
    """In another folder of another name."""
    copied = tmp_path / "elsewhere" / "other name"
    shutil.copytree(_filtered, copied)
    again = tmp_path / "again"
    again.mkdir()
    workspace = Workspace(copied)
    counts = write_hub(workspace, again)
    assert counts == {"test_samples": 264, "samples": 2112, "variants": 66, "survey_options": 254}
    assert listing(again) == listing(_hub)


def test_one_set_alone_can_be_written(curate: Curate, filtered: Path) -> None:
    """What an earlier export wrote beside it goes."""
    folder = filtered / "exports" / "hub"
    curate("export", "hub", "-w", filtered)
    assert curate("export", "hub", "-w", filtered, "--set", "all").code == 0
    assert not (folder / "test" / "test-00000-of-00001.parquet").exists()
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert [item["config_name"] for item in yaml.safe_load(card.split("---\n")[1])["configs"]] == [
        *("samples", "templates", "survey"),
    ]
    assert 'load_dataset("path/to/this/folder", "samples", split="test")' in card
    assert "| test set |" not in card
    listed = (folder / "checksums.txt").read_text(encoding="utf-8")
    assert "samples/test-00000-of-00001.parquet" in listed
    assert " test/" not in listed


def test_before_the_survey_there_is_none_to_tell(curate: Curate, demo: Path) -> None:
    """Nothing is said of it, nor asked about it."""
    ran = curate("export", "hub", "-w", demo)
    assert ran.code == 0
    assert "release.survey" not in ran.err
    folder = demo / "exports" / "hub"
    assert not (folder / "survey").exists()
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "There was no survey." in card
    assert "**Validation.**" not in card


def test_sources_are_credited_as_they_were_imported(curate: Curate, filtered: Path) -> None:
    """With the licence that the import recorded."""
    folder = filtered / "templates_src" / "sources"
    folder.mkdir(exist_ok=True)
    entry = {
        "file": "demo-en/a.csv",
        "source": "demo-en",
        "sha256": "0" * 64,
        "bytes": 1,
        "licence": {
            "name": "CC-BY-SA-4.0",
            "holder": "The invented people",
            "address": "https://example.org/demo",
            "share_alike": True,
        },
    }
    (folder / "sources.json").write_text(json.dumps([entry]), encoding="utf-8")
    assert curate("export", "hub", "-w", filtered).code == 0
    card = (filtered / "exports" / "hub" / "README.md").read_text(encoding="utf-8")
    assert (
        "- **demo-en** by The invented people, <https://example.org/demo>, licensed under "
        "CC-BY-SA-4.0 (<https://spdx.org/licenses/CC-BY-SA-4.0.html>), which texts derived from it "
        "must carry too. Changes were made. Of its 29 templates 16 were taken over (translated "
        "from `en` and adapted); 5 were given other groups or another wording for the culture; 4 "
        "were removed, because the culture has no such stereotype; 4 were dropped by the survey or "
        "by a person.\n- Newly written: 10 templates of those that are retained.\n"
    ) in card


@pytest.mark.slow
def test_the_agreement_of_annotators_is_told_without_their_names(
    curate: Curate, filtered: Path
) -> None:
    """As `curate classify collect` has it."""
    labels = {
        "age-001": ("ST", "ST"),
        "age-002": ("ST", "TM"),
        "age-003": ("SR", "SR"),
    }
    rows = [
        f"{template},{name},{label},,,,,,,"
        for template, given in labels.items()
        for name, label in zip(("Ann Ames", "Bob Burr"), given, strict=True)
    ]
    header = (
        "template_id,annotator,label,reason,proposed_targets,proposed_non_targets,remark,"
        "source_file,row_hash,collected_at"
    )
    path = filtered / "annotations" / "classify.csv"
    path.parent.mkdir()
    path.write_text("\n".join([header, *rows, ""]), encoding="utf-8")
    collected = curate("classify", "collect", "-w", filtered, "--json").json["agreement"]
    assert curate("export", "hub", "-w", filtered).code == 0
    folder = filtered / "exports" / "hub"
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert (
        "2 annotators labelled 3 templates as ST, TM or SR; all of them labelled 3, and gave 2 of "
        "these the same label."
    ) in card
    value, low, high = (collected["fleiss"][name] for name in ("value", "ci_low", "ci_high"))
    ends = f"95 % interval {low:.3f} to {high:.3f}"
    assert f"| Fleiss' kappa | {value:.3f}, {ends} (3 templates) |" in card
    for name in ("README.md", "croissant.json"):
        text = (folder / name).read_text(encoding="utf-8")
        assert "Ames" not in text
        assert "Burr" not in text


def test_nothing_to_publish_is_refused(curate: Curate, workspace: Path, listing: Listing) -> None:
    """Where no template gives samples; nothing is written."""
    bank = workspace / "templates_src" / "bank.csv"
    header = bank.read_text(encoding="utf-8").splitlines()[0]
    columns = header.count(",") - 4
    bank.write_text(f"{header}\ncraft-001,a,Craft,ST,They hum{',' * columns}\n", encoding="utf-8")
    before = listing(workspace)
    ran = curate("export", "hub", "-w", workspace)
    assert (ran.code, ran.out) == (1, "")
    assert "no template gives samples, so there is nothing to publish" in ran.err
    assert listing(workspace) == before


def test_a_template_that_cannot_be_filled_leaves_nothing(
    curate: Curate, filtered: Path, listing: Listing
) -> None:
    """The place is named before a file is written."""
    bank = filtered / "templates_src" / "bank.csv"
    text = bank.read_text(encoding="utf-8")
    bank.write_text(text.replace("단것을 좋아하는 사람은", "[W9]", 1), encoding="utf-8")
    before = listing(filtered)
    ran = curate("export", "hub", "-w", filtered)
    assert (ran.code, ran.out) == (1, "")
    assert "slot W9 has no list of fillers" in ran.err
    assert listing(filtered) == before


def test_a_column_of_the_bank_that_the_folder_writes_itself_is_refused(
    filtered: Path, tmp_path: Path
) -> None:
    """Neither is lost."""
    bank = filtered / "templates_src" / "bank.csv"
    with bank.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream))
    made = [[*row, "survey_status" if not at else "x"] for at, row in enumerate(rows)]
    with bank.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(made)
    workspace = Workspace(filtered)
    with pytest.raises(CurateError, match="the bank has a column 'survey_status'"):
        write_hub(workspace, tmp_path)


def test_files_of_others_are_not_written_over(curate: Curate, filtered: Path) -> None:
    """A folder that no export wrote is refused; a clone of a hub's repository is none."""
    mine = filtered / "mine"
    mine.mkdir()
    (mine / "README.md").write_text("my notes", encoding="utf-8")
    ran = curate("export", "hub", "-w", filtered, "--out", mine)
    assert ran.code == 1
    assert (mine / "README.md").read_text(encoding="utf-8") == "my notes"
    clone = filtered / "clone"
    (clone / ".git").mkdir(parents=True)
    (clone / ".gitattributes").write_text("*.parquet filter=lfs\n", encoding="utf-8")
    for _ in range(2):
        assert curate("export", "hub", "-w", filtered, "--out", clone).code == 0
    assert (clone / ".gitattributes").read_text(encoding="utf-8") == "*.parquet filter=lfs\n"


HOSTILE = 'Näher: # {} & | <b> "q" `x` \\ [l](http://e.org) 김'


@pytest.mark.slow
def test_hostile_texts_of_the_settings_leave_the_folder_whole(
    curate: Curate, filtered: Path, tmp_path: Path
) -> None:
    """Card, citation, metadata and data are read back with the texts as they were written."""
    settings = filtered / "culture.yaml"
    made = yaml.safe_load(settings.read_text(encoding="utf-8"))
    made["culture"] = HOSTILE
    made["release"] |= {
        **dict.fromkeys(("title", "description", "contact", "licence"), HOSTILE),
        "authors": [{"family": "김", "given": HOSTILE}, {"name": HOSTILE}],
        "paper": {"title": HOSTILE, "venue": HOSTILE, "year": 2026},
        "limits": [HOSTILE],
        "uses": [HOSTILE],
        "annotators": [HOSTILE],
        "survey": dict.fromkeys(("company", "population", "payment", "ethics"), HOSTILE),
    }
    settings.write_text(yaml.safe_dump(made, allow_unicode=True), encoding="utf-8")
    assert curate("export", "hub", "-w", filtered).code == 0
    folder = filtered / "exports" / "hub"
    program = """
import datasets, json, mlcroissant, sys
folder = sys.argv[1]
about = mlcroissant.Dataset(folder + "/croissant.json").metadata
print(json.dumps({
    "name": about.name,
    "errors": list(about.ctx.issues.errors),
    "creators": [item.name for item in about.creators],
    "cite": about.cite_as,
    "rows": datasets.load_dataset(folder, "test")["test"].num_rows,
}))
"""
    found = in_another_process(program, folder, folder=tmp_path)
    assert (found["name"], found["errors"], found["rows"]) == (HOSTILE, [], 264)
    assert found["creators"] == [f"{HOSTILE} 김", HOSTILE]
    assert found["cite"].count("{") == found["cite"].count("}")
    cited = yaml.safe_load((folder / "CITATION.cff").read_text(encoding="utf-8"))
    assert (cited["title"], cited["preferred-citation"]["journal"]) == (HOSTILE, HOSTILE)
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert yaml.safe_load(card.split("---\n")[1])["license_name"] == HOSTILE


def test_a_set_that_there_is_not_is_wrong_usage(curate: Curate, filtered: Path) -> None:
    """The sets are named."""
    ran = curate("export", "hub", "-w", filtered, "--set", "train")
    assert ran.code == 2
    assert "'train': name one or more of all, test" in ran.err
