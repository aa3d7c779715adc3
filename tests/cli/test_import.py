"""`curate import`."""

import csv
import json
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from curation.files.bank import read_groups
from curation.files.culture import load_culture
from curation.records.published import TEMPLATE_COLUMNS

Curate = Callable[..., Any]
Listing = Callable[[Path], dict[str, str]]

CULTURE = """\
# Ours.
culture: Nowhere   # an invented one
language: ko
source_language: en
unknown: 모름
categories:
  # the first
  - id: Life_stage
    sources: [Age, Stage]   # merged
# about the survey
survey:
  stereotype_share: 3/4
"""
KOREAN = {
    "Category": "Craft",
    "ID": "1",
    "version": "a",
    "Label_annotation": "ST",
    "Stereotype": "흥얼거린다",
    "Ambiguous_context": "[N1]과 [N2]가 왔다.",
    "Disambiguating_context": "[N1]은 흥얼거렸고 [N2]는 조용했다.",
    "Names": "N1: [옹기장]; N2: [제빵사]",
    "Biased_question": "누가 흥얼거렸는가?",
    "Counter-biased_question": "누가 조용했는가?",
    "Biased_question_answer": "[N1]",
    "Counter-biased_question_answer": "[N2]",
    "N1_info": "옹기장이",
    "N2_info": "제빵사",
    "Target_group": "제빵사",
    "Stereotype_translated": "They hum",
    "BBQ_id": "7",
    "BBQ_category": "Craft",
    "Survey_stats": "{'제빵사': 80, '옹기장이': 10, 'no_stereo': 10}",
}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace with settings and nothing else."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    (folder / "culture.yaml").write_text(CULTURE, encoding="utf-8")
    return folder


def published(path: Path, *rows: dict[str, str]) -> Path:
    """Write a published table."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(
            stream, TEMPLATE_COLUMNS, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_ALL
        )
        writer.writeheader()
        writer.writerows({**KOREAN, **row} for row in rows)
    return path


def bank(workspace: Path) -> list[dict[str, str]]:
    """Give the rows of the bank."""
    with (workspace / "templates_src" / "bank.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def ids(workspace: Path) -> list[str]:
    """Give the variants of the bank, in order."""
    return [row["template_id"] + row["variant"] for row in bank(workspace)]


def test_every_row_is_read_or_reported(curate: Curate, workspace: Path, tmp_path: Path) -> None:
    """Rows in are rows read and rows reported, each of those with a finding and its row."""
    path = published(
        tmp_path / "templates.tsv",
        {},
        {"version": "b"},
        {"version": "x"},
        {"ID": "one"},
        {"ID": "2"},
    )
    with path.open("a", encoding="utf-8") as stream:
        stream.write("only\tthree\tcells\n")
    ran = curate("import", "kobbq", path, "-w", workspace, "--json")
    found = ran.json
    assert ran.code == 1
    assert (found["rows"], found["read"], found["reported"]) == (6, 3, 3)
    assert (found["rows_in"], found["rows_read"], found["rows_reported"]) == (6, 3, 3)
    errors = [
        (item["file"], item["row"]) for item in found["findings"] if item["severity"] == "error"
    ]
    assert sorted(errors) == [("templates.tsv", at) for at in (4, 5, 7)]
    assert (found["variants_added"], found["variants_known"]) == (3, 0)
    assert ids(workspace) == ["craft-001a", "craft-001b", "craft-002a"]


def test_what_was_imported_is_in_bank_settings_groups_and_counts(
    curate: Curate, workspace: Path, tmp_path: Path
) -> None:
    """All that the workspace lacked is added and said."""
    path = published(tmp_path / "templates.tsv", {}, {"version": "b"})
    ran = curate("import", "kobbq", path, "-w", workspace)
    assert (ran.code, ran.err) == (0, "")
    for line in (
        "2 rows in = 2 read + 0 reported.",
        "2 variants added to the bank, 0 already there.",
        "Categories added to culture.yaml: Craft",
        "Groups added to groups.csv: 2",
        "Survey counts of 1 template: responses/published_counts.json",
        f"Next: curate status -w {workspace}",
    ):
        assert line in ran.out
    row = bank(workspace)[0]
    assert (row["stereotype"], row["stereotype_source"]) == ("흥얼거린다", "They hum")
    assert (row["source"], row["source_id"], row["label"]) == ("kobbq", "7", "ST")
    groups, _ = read_groups(workspace / "templates_src" / "groups.csv")
    assert {(item.category, item.group) for item in groups} == {
        *(("Craft", "제빵사"), ("Craft", "옹기장이")),
    }
    counts = json.loads((workspace / "responses" / "published_counts.json").read_text("utf-8"))
    assert counts == [
        {
            "category": "Craft",
            "stereotype": "흥얼거린다",
            "survey_stats": {"제빵사": 80, "옹기장이": 10, "no_stereo": 10},
            "template_id": "craft-001",
        }
    ]


def test_categories_are_added_and_what_people_wrote_is_kept(
    curate: Curate, workspace: Path, tmp_path: Path
) -> None:
    """Comments, order and the rest of the settings stay where they are."""
    path = published(tmp_path / "templates.tsv", {}, {"Category": "Trade"})
    curate("import", "kobbq", path, "-w", workspace)
    text = (workspace / "culture.yaml").read_text("utf-8")
    assert text == CULTURE.replace("# merged\n", "# merged\n  - {id: Craft}\n  - {id: Trade}\n")
    assert [item.id for item in load_culture(workspace / "culture.yaml").categories] == [
        *("Life_stage", "Craft", "Trade"),
    ]


def test_importing_again_changes_no_byte(
    curate: Curate, workspace: Path, tmp_path: Path, listing: Listing
) -> None:
    """Merged categories included."""
    rows = [{}, {"Category": "Age"}, {"Category": "Stage", "BBQ_id": "N/A"}]
    path = published(tmp_path / "templates.tsv", *rows)
    assert curate("import", "kobbq", path, "-w", workspace).code == 0
    before = listing(workspace)
    found = curate("import", "kobbq", path, "-w", workspace, "--json").json
    assert (found["variants_added"], found["variants_known"]) == (0, 3)
    assert (found["categories_added"], found["groups_added"]) == ([], [])
    assert listing(workspace) == before


def test_an_edited_bank_is_not_overwritten(
    curate: Curate, workspace: Path, tmp_path: Path, listing: Listing
) -> None:
    """An edit is said with its row; columns, order and line ends of people's own stay."""
    path = published(tmp_path / "templates.tsv", {}, {"version": "b"}, {"ID": "2"})
    curate("import", "kobbq", path, "-w", workspace)
    file = workspace / "templates_src" / "bank.csv"
    rows = bank(workspace)
    rows[1]["stereotype"] = "노래한다"
    columns = ["our_remark", *reversed(rows[0])]
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, columns, lineterminator="\r\n")
        writer.writeheader()
        writer.writerows({**row, "our_remark": "ours"} for row in rows)
    before = listing(workspace)
    ran = curate("import", "kobbq", path, "-w", workspace, "--json")
    assert (ran.code, ran.json["variants_known"]) == (0, 2)
    assert [
        (item["rule"], item["severity"], item["file"], item["row"])
        for item in ran.json["findings"]
        if item["rule"] == "import-differs"
    ] == [("import-differs", "warning", "templates_src/bank.csv", 3)]
    assert listing(workspace) == before


def test_more_is_added_beside_what_people_edited(
    curate: Curate, workspace: Path, tmp_path: Path
) -> None:
    """Their texts, labels, columns and groups are in the bank as they were."""
    curate("import", "kobbq", published(tmp_path / "one.tsv", {}), "-w", workspace)
    rows = bank(workspace)
    rows[0].update(stereotype="노래한다", label="TM", note="ours", remark="kept")
    with (workspace / "templates_src" / "bank.csv").open("w", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    file = workspace / "templates_src" / "groups.csv"
    file.write_text(
        "category,group,parent,why\nCraft,제빵사,사람,ours\nCraft,옹기장이,,\n", "utf-8"
    )
    more = published(tmp_path / "two.tsv", {"ID": "2", "N1_info": "대장장이"})
    assert curate("import", "kobbq", more, "-w", workspace).code == 0
    assert ids(workspace) == ["craft-001a", "craft-002a"]
    first, second = bank(workspace)
    assert {name: first[name] for name in ("stereotype", "label", "note", "remark")} == {
        **{"stereotype": "노래한다", "label": "TM"},
        **{"note": "ours", "remark": "kept"},
    }
    assert second["remark"] == ""
    assert file.read_text("utf-8").splitlines() == [
        "category,group,parent,why,level,counts,fillers",
        "Craft,제빵사,사람,ours,,,",
        "Craft,옹기장이,,,,,",
        "Craft,대장장이,,,,true,[옹기장]",
    ]


def test_a_merged_category_gets_new_ids_and_remembers(
    curate: Curate, workspace: Path, tmp_path: Path
) -> None:
    """Each row keeps its old id, the counts follow, and what moved is said."""
    path = published(
        tmp_path / "templates.tsv",
        {"Category": "Age"},
        {"Category": "Stage"},
        {"Category": "Stage", "version": "b"},
    )
    ran = curate("import", "kobbq", path, "-w", workspace)
    assert "  age-001 is now life_stage-001\n  stage-001 is now life_stage-002\n" in ran.out
    assert ids(workspace) == ["life_stage-001a", "life_stage-002a", "life_stage-002b"]
    assert [row["imported_as"] for row in bank(workspace)] == ["age-001", "stage-001", "stage-001"]
    assert {row["category"] for row in bank(workspace)} == {"Life_stage"}
    counts = json.loads((workspace / "responses" / "published_counts.json").read_text("utf-8"))
    assert [(item["category"], item["template_id"]) for item in counts] == [
        *(("Life_stage", "life_stage-001"), ("Life_stage", "life_stage-002")),
    ]
    later = published(tmp_path / "more.tsv", {"Category": "Stage", "version": "c"})
    assert curate("import", "kobbq", later, "-w", workspace).code == 0
    assert ids(workspace)[-1] == "life_stage-002c"


def test_sources_are_kept_with_hash_and_licence(
    curate: Curate, workspace: Path, tmp_path: Path
) -> None:
    """The files lie untouched beside a list of what they are."""
    folder = tmp_path / "published"
    paths = [
        published(folder / "one.tsv", {}),
        published(folder / "two.tsv", {"ID": "2"}),
    ]
    (folder / "notes.txt").write_text("not a table")
    assert curate("import", "kobbq", folder, "-w", workspace).code == 0
    kept = workspace / "templates_src" / "sources"
    assert json.loads((kept / "sources.json").read_text("utf-8")) == [
        {
            "file": f"kobbq/{path.name}",
            "source": "kobbq",
            "sha256": sha256(path.read_bytes()).hexdigest(),
            "bytes": path.stat().st_size,
            "licence": {
                "name": "MIT",
                "holder": "2024-present NAVER Cloud Corp.",
                "address": "https://github.com/naver-ai/KoBBQ",
                "share_alike": False,
            },
        }
        for path in paths
    ]
    for path in paths:
        assert (kept / "kobbq" / path.name).read_bytes() == path.read_bytes()
    assert ids(workspace) == ["craft-001a", "craft-002a"]


def test_a_kept_file_that_was_changed_is_kept_anew(
    curate: Curate, workspace: Path, tmp_path: Path
) -> None:
    """Importing the file again puts back what its hash says."""
    path = published(tmp_path / "t.tsv", {})
    curate("import", "kobbq", path, "-w", workspace)
    kept = workspace / "templates_src" / "sources" / "kobbq" / "t.tsv"
    kept.write_text("changed")
    assert curate("import", "kobbq", path, "-w", workspace).code == 0
    assert kept.read_bytes() == path.read_bytes()


def refused(
    curate: Curate, listing: Listing, workspace: Path, args: Sequence[object], what: str
) -> str:
    """Import what is refused, and check that nothing was written."""
    before = listing(workspace)
    ran = curate("import", *args, "-w", workspace)
    assert (ran.code, ran.out) == (1, "")
    assert what in ran.err
    assert listing(workspace) == before
    return str(ran.err)


def test_another_file_of_the_same_name_is_refused(
    curate: Curate, workspace: Path, tmp_path: Path, listing: Listing
) -> None:
    """A published file is never overwritten, and none of its rows is added."""
    curate("import", "kobbq", published(tmp_path / "a" / "t.tsv", {}), "-w", workspace)
    other = published(tmp_path / "b" / "t.tsv", {"ID": "2"})
    refused(curate, listing, workspace, ["kobbq", other], "another t.tsv was imported before")


def test_a_language_that_does_not_fit_is_refused(
    curate: Curate, workspace: Path, tmp_path: Path, listing: Listing
) -> None:
    """Neither language is the workspace's, so that no text would have a place."""
    settings = workspace / "culture.yaml"
    text = settings.read_text("utf-8")
    settings.write_text(
        text.replace("language: ko\nsource_language: en", "language: de\nsource_language: fr"),
        "utf-8",
    )
    path = published(tmp_path / "templates.tsv", {})
    said = refused(curate, listing, workspace, ["kobbq", path], "the templates are in ko and en")
    assert "the workspace is for de and fr" in said


def test_another_language_may_be_the_source(
    curate: Curate, workspace: Path, tmp_path: Path
) -> None:
    """For a German culture the English twins are the source texts."""
    settings = workspace / "culture.yaml"
    settings.write_text(
        settings.read_text("utf-8").replace("language: ko", "language: de", 1), "utf-8"
    )
    curate("import", "kobbq", published(tmp_path / "templates.tsv", {}), "-w", workspace)
    row = bank(workspace)[0]
    assert (row["stereotype"], row["stereotype_source"]) == ("", "They hum")


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "t.tsv is empty"),
        (b"\x00\x01", "t.tsv is a binary file"),
        ("Category\n한글\n".encode("cp949"), "t.tsv is not UTF-8"),
        (b"Category,ID\nAge,1\n", "the header lacks"),
        ("\t".join(TEMPLATE_COLUMNS).encode(), "no template could be read from t.tsv"),
        (None, "there is no file or folder t.tsv"),
    ],
)
def test_a_file_that_cannot_be_read_changes_nothing(
    curate: Curate,
    workspace: Path,
    tmp_path: Path,
    listing: Listing,
    content: bytes | None,
    what: str,
) -> None:
    """Not even the copy of the file is kept."""
    path = tmp_path / "t.tsv"
    if content is not None:
        path.write_bytes(content)
    refused(curate, listing, workspace, ["kobbq", path], what)


@pytest.mark.parametrize(
    ("file", "content", "what"),
    [
        (
            "templates_src/bank.csv",
            "template_id,variant,category\nx,a,Age\n",
            "is not a template id",
        ),
        ("templates_src/groups.csv", "category,group\nAge\n", "the row has 1 cells"),
        ("templates_src/sources/sources.json", "[{", "sources.json was damaged"),
        ("templates_src/sources/sources.json", '[{"sha256": ""}]', "sources.json was damaged"),
        ("culture.yaml", "culture: x\n", "language"),
    ],
)
def test_a_damaged_workspace_is_not_written_to(
    curate: Curate,
    workspace: Path,
    tmp_path: Path,
    listing: Listing,
    file: str,
    content: str,
    what: str,
) -> None:
    """Nothing is added to half a bank."""
    path = workspace / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    refused(curate, listing, workspace, ["kobbq", published(tmp_path / "t.tsv", {})], what)


def test_a_folder_without_tables_is_refused(
    curate: Curate, workspace: Path, tmp_path: Path, listing: Listing
) -> None:
    """The suffix that is looked for is said."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "t.csv").write_text("x")
    refused(curate, listing, workspace, ["kobbq", tmp_path / "folder"], "folder holds no .tsv file")


def test_no_format_but_the_one_asked_for_is_imported(
    curate: Curate, workspace: Path, tmp_path: Path
) -> None:
    """BBQ's files are read by BBQ's reader, which says what it wants."""
    path = tmp_path / "templates.csv"
    path.write_text("Category,Q_id\nAge,1\n")
    ran = curate("import", "bbq", path, "-w", workspace)
    assert (ran.code, "not a template file of BBQ" in ran.err) == (1, True)


def test_signs_that_end_lines_survive_in_a_cell(
    curate: Curate, workspace: Path, tmp_path: Path
) -> None:
    """A lone carriage return and a line feed are read back, and importing again adds nothing."""
    path = published(tmp_path / "t.tsv", {"Reference": "one\rtwo\nthree", "N1_info": "a\rb"})
    assert curate("import", "kobbq", path, "-w", workspace).code == 0
    assert bank(workspace)[0]["reference"] == "one\rtwo\nthree"
    again = curate("import", "kobbq", path, "-w", workspace, "--json").json
    assert (again["variants_added"], again["variants_known"]) == (0, 1)
