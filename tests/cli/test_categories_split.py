"""`curate categories split` and `unsplit`: some templates become a category, and go back."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import curation
import survey
from curation.files.bank import read_groups, write_bank
from curation.files.workspace import Workspace
from curation.records.errors import CurateError
from curation.records.published import TEMPLATE_COLUMNS

Curate = Callable[..., Any]
Listing = Callable[[Path], dict[str, str]]
YOUTH = ("categories", "split", "Age", "--into", "Youth")
TWO = ("--template", "age-001", "--template", "age-003")
WHY = ("--by", "Mina", "--reason", "not asked here")
KOREAN = {
    "Category": "Craft",
    "Label_annotation": "ST",
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
}


@pytest.fixture
def surveyed(filtered: Path) -> Path:
    """The demo after its survey, its bank with all columns, as every command writes it."""
    write_bank(filtered / "templates_src" / "bank.csv", Workspace(filtered).bank)
    return filtered


def standing(folder: Path) -> dict[str, tuple[str, str, str]]:
    """By stereotype, where each template stands and by which question."""
    found = survey.final_bank(Workspace(folder)).outcomes
    return {
        item.template.stereotype: (
            item.status.value,
            item.reason,
            item.question.id if item.question else "",
        )
        for item in found
    }


def groups(folder: Path, category: str) -> list[str]:
    """The groups of a category."""
    found, _ = read_groups(folder / "templates_src" / "groups.csv")
    return [item.group for item in found if item.category == category]


def test_a_split_keeps_what_was_decided_and_is_undone_to_the_byte(
    curate: Curate, surveyed: Path, listing: Listing
) -> None:
    """Templates get ids of the new category; survey, comprehension and people's decisions hold."""
    curate("override", "age-003", "--drop", "--by", "Mina", "--reason", "odd", "-w", surveyed)
    before, stood = listing(surveyed), standing(surveyed)
    dry = curate(*YOUTH, *TWO, "-w", surveyed, "--dry-run")
    assert (dry.code, listing(surveyed)) == (0, before)
    assert dry.out.splitlines()[0] == "renamed    age-001 is to be youth-001"
    ran = curate(*YOUTH, *TWO, "-w", surveyed, "--json")
    assert (ran.code, ran.json["category"], ran.json["categories"]) == (0, "Age", ["Youth"])
    assert ran.json["renamed"] == {"age-001": "youth-001", "age-003": "youth-003"}
    assert standing(surveyed) == stood
    assert "Youth" in {item.id for item in Workspace(surveyed).culture.categories}
    assert set(groups(surveyed, "Youth")) < set(groups(surveyed, "Age"))
    assert curate("check", "-w", surveyed).code == 0
    answers = surveyed / "responses" / "responses.csv"
    again = curate("filter", "-w", surveyed, "--survey", answers, "--json")
    assert again.json["ledger"]["added"] == 0
    assert [i for i in again.json["findings"] if i["rule"] == "survey-not-in-bank"] == []
    assert "odd" in curate("explain", "youth-003", "-w", surveyed).out
    assert curate("export", "samples", "-w", surveyed, "--out", surveyed / "mine").code == 0
    assert curate("status", "-w", surveyed).code == 0

    back = curate("categories", "unsplit", "Youth", "-w", surveyed, "--json")
    assert back.json["renamed"] == {"youth-001": "age-001", "youth-003": "age-003"}
    after = listing(surveyed)
    changed = {name for name in before if after[name] != before[name]}
    assert {name for name in changed if not name.startswith("exports")} == set()
    assert standing(surveyed) == stood
    once_more = curate(*YOUTH, *TWO, "-w", surveyed, "--json")
    assert once_more.json["renamed"] == ran.json["renamed"]
    assert standing(surveyed) == stood


def test_a_group_may_be_renamed_after_a_split(curate: Curate, surveyed: Path) -> None:
    """In the new category or the old one: what was asked holds of the templates of both."""
    stood = standing(surveyed)
    assert curate(*YOUTH, *TWO, "-w", surveyed).code == 0
    for category, name in (("Youth", "어르신"), ("Age", "연장자")):
        assert curate("groups", "rename", category, "노인", name, "-w", surveyed).code == 0
        assert standing(surveyed) == stood
    refused = curate("categories", "unsplit", "Youth", "-w", surveyed)
    assert (refused.code, "groups of Youth were renamed: 어르신" in refused.err) == (1, True)
    assert curate("groups", "rename", "Youth", "어르신", "노인", "-w", surveyed).code == 0
    assert standing(surveyed) == stood


def test_people_who_chose_among_all_groups_keep_their_options(
    curate: Curate, surveyed: Path
) -> None:
    """A category of target selection is split with all its groups, and its surveyed groups hold."""
    stood, final = standing(surveyed), survey.final_bank(Workspace(surveyed))
    assert "home_region-002" in final.modified
    ran = curate(
        *("categories", "split", "Home_region", "--into", "Birth_region", "-w", surveyed),
        *("--template", "home_region-002"),
    )
    assert ran.code == 0
    assert groups(surveyed, "Birth_region") == groups(surveyed, "Home_region")
    assert standing(surveyed) == stood
    assert "birth_region-002" in survey.final_bank(Workspace(surveyed)).modified
    kinds = {item.id: item.question for item in Workspace(surveyed).culture.categories}
    assert kinds["Birth_region"] == kinds["Home_region"] == "select_all"


def test_a_table_splits_into_several(curate: Curate, surveyed: Path, tmp_path: Path) -> None:
    """A later split adds to a category that was split off before."""
    table = tmp_path / "goals.csv"
    table.write_text("template_id,category\nage-001,Old age\nage-003,Youth\n", encoding="utf-8")
    found = curation.split_category(Workspace(surveyed), "Age", table=table)
    assert found.renamed == {"age-001": "old_age-001", "age-003": "youth-003"}
    assert found.categories == ("Old age", "Youth")
    more = curate(*YOUTH, "--template", "age-002", "-w", surveyed, "--json")
    assert (more.code, more.json["categories"]) == (0, [])
    assert more.json["renamed"] == {"age-002": "youth-002"}
    back = curation.unsplit_category(Workspace(surveyed), "Youth")
    assert back.renamed == {"youth-002": "age-002", "youth-003": "age-003"}
    with pytest.raises(CurateError, match="was not split off another category"):
        curation.unsplit_category(Workspace(surveyed), "Age")


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        ((*YOUTH, "--template", "hobby-001", "--template", "age-901"), 1, "hobby-001, age-901"),
        (("categories", "split", "Age", "--into", "Hobby", *TWO), 1, "'Hobby' is a category"),
        (("categories", "split", "Age", "--into", "age", *TWO), 1, "'age' is a category"),
        (("categories", "split", "Age", "--into", "Job", *TWO), 1, "goes into Occupation"),
        (("categories", "split", "Nobody", "--into", "X", *TWO), 1, "no category 'Nobody'"),
        (("categories", "split", "Age", "--into", "!", *TWO), 1, "'!'"),
        (("categories", "split", "Age", "--into", "Youth"), 2, "--template"),
        (("categories", "split", "Age", *TWO), 2, "--into"),
        (("categories", "unsplit", "Nobody"), 1, "no category 'Nobody'"),
    ],
)
def test_what_cannot_be_split_changes_nothing(
    curate: Curate,
    surveyed: Path,
    listing: Listing,
    args: tuple[str, ...],
    code: int,
    said: str,
) -> None:
    """Every template that is not of the category is named."""
    before = listing(surveyed)
    ran = curate(*args, "-w", surveyed)
    assert (ran.code, said in ran.err) == (code, True), ran.err
    assert listing(surveyed) == before


def test_importing_again_finds_templates_that_were_split_off(
    curate: Curate, tmp_path: Path
) -> None:
    """None is imported twice; a variant that is new goes to the template where it is now."""
    folder = tmp_path / "w"

    def publish(letters: str) -> Path:
        source = tmp_path / f"templates-{letters}.tsv"
        with source.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, TEMPLATE_COLUMNS, delimiter="\t", restval="")
            writer.writeheader()
            for number in "12":
                for letter in letters:
                    texts = {"ID": number, "version": letter, "Stereotype": f"흥얼거린다 {number}"}
                    writer.writerow({**KOREAN, **texts})
        return source

    source = publish("a")
    assert curate("init", folder, "--language", "ko").code == 0
    assert curate("import", "kobbq", source, "-w", folder).code == 0
    made = curate(
        *("categories", "split", "Craft", "--into", "Trade", "--template", "craft-002"),
        *("-w", folder),
    )
    assert made.code == 0
    again = curate("import", "kobbq", source, "-w", folder, "--json")
    assert (again.json["variants_added"], again.json["variants_known"]) == (0, 2)
    more = curate("import", "kobbq", publish("ab"), "-w", folder, "--json")
    assert more.json["variants_added"] == 2
    bank = Workspace(folder).bank
    assert [(str(item.id), item.category) for item in bank.variants] == [
        *(("craft-001a", "Craft"), ("trade-002a", "Trade")),
        *(("craft-001b", "Craft"), ("trade-002b", "Trade")),
    ]


def test_a_template_that_went_and_came_back_is_restored_by_its_id(
    curate: Curate, surveyed: Path
) -> None:
    """Deleted after the split was undone, it has the id under which it was deleted."""
    rows = Workspace(surveyed).bank
    curate(*YOUTH, "--template", "age-003", "-w", surveyed)
    curate("categories", "unsplit", "Youth", "-w", surveyed)
    assert curate("templates", "delete", "age-003", *WHY, "-w", surveyed).code == 0
    told = curate("explain", "age-003", "-w", surveyed)
    assert (told.code, "not asked here" in told.out) == (0, True)
    back = curate("templates", "restore", "age-003", *WHY, "-w", surveyed, "--json")
    assert (back.code, back.json["templates"]) == (0, ["age-003"])
    assert Workspace(surveyed).bank == rows


def test_deleted_templates_of_a_category_go_back_with_it(curate: Curate, surveyed: Path) -> None:
    """Restored by either id, they are of the category that there is."""
    rows = Workspace(surveyed).bank
    curate(*YOUTH, *TWO, "-w", surveyed)
    curate("templates", "delete", "youth-001", "youth-003", *WHY, "-w", surveyed)
    undone = curate("categories", "unsplit", "Youth", "-w", surveyed, "--json")
    assert undone.json["renamed"] == {"youth-001": "age-001", "youth-003": "age-003"}
    for name, variants in (("youth-001", 4), ("age-003", 2)):
        back = curate("templates", "restore", name, *WHY, "-w", surveyed, "--json")
        assert (back.code, back.json["variants"]) == (0, variants)
    assert Workspace(surveyed).bank == rows
    assert curate("check", "-w", surveyed).code == 0
