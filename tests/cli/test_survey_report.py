"""`curate survey report`."""

import csv
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook
from scipy.stats import binomtest

from curation.files.manifest import read_manifest, verify_manifest

Curate = Callable[..., Any]
Listing = Callable[[Path], dict[str, str]]
TABLES = (
    *(
        "questions",
        "groups",
        "funnel",
        "drops",
        "stability",
        "sensitivity",
        "items",
        "no_stereotype",
    ),
    *("templates", "exclusions", "quotas"),
    *("order", "order_kinds"),
)
FILES = ["report.html", "report.md", "report.xlsx", *(f"{name}.csv" for name in TABLES)]


def read(folder: Path, name: str) -> dict[str, dict[str, str]]:
    """Read a table by its first column."""
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
        return {next(iter(row.values())): row for row in csv.DictReader(stream)}


def read_by(folder: Path, name: str, column: str) -> dict[str, dict[str, str]]:
    """Read a table by one of its columns."""
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
        return {row[column]: row for row in csv.DictReader(stream)}


def report_of(curate: Curate, workspace: Path, *more: object) -> Path:
    """Report, and give the folder."""
    assert curate("survey", "report", "-w", workspace, *more).code == 0
    return workspace / "exports" / "survey"


def filter_by(
    curate: Curate, workspace: Path, *more: object, survey: str | Path = "responses.csv"
) -> None:
    """Filter a workspace."""
    path = workspace / "responses" / survey
    assert curate("filter", "-w", workspace, "--survey", path, *more).code == 0


def test_nothing_filtered_is_nothing_to_report(
    curate: Curate, demo: Path, listing: Listing
) -> None:
    """It is said what to do, and nothing is written."""
    before = listing(demo)
    ran = curate("survey", "report", "-w", demo)
    assert ran.code == 1
    assert ran.err.splitlines() == [
        "Error: nothing has been filtered yet, so there is nothing to report",
        f"  where: {demo / 'responses' / 'tallies.csv'}",
        "  do:    run 'curate filter --survey FILE' first, or name the survey here: --survey FILE",
    ]
    assert listing(demo) == before


def test_the_demo_is_reported_as_its_readme_says(curate: Curate, filtered: Path) -> None:
    """Every threshold met or missed on purpose has its numbers, and p is scipy's."""
    folder = report_of(curate, filtered)
    questions = read(folder, "questions")
    assert len(questions) == 66
    for name, k, n, decision, near in (
        ("q-age-6df96e0c", 65, 97, "kept", "true"),
        ("q-age-5673ccc7", 64, 96, "dropped", "true"),
        ("q-birth_season-89d16e2b", 20, 96, "dropped", "false"),
        ("q-occupation-0fb64981", 45, 60, "kept", "true"),
        ("q-hobby-382045e0", 47, 59, "dropped", "true"),
    ):
        row = questions[name]
        assert (row["k"], row["n"], row["decision"], row["near"]) == (
            str(k),
            str(n),
            decision,
            near,
        )
        p_value = binomtest(k, n, 2 / 3, alternative="greater").pvalue
        assert float(row["p"]) == pytest.approx(p_value, rel=1e-5)
        assert float(row["p"]) <= float(row["q"]) <= 1
        assert float(row["share"]) == pytest.approx(k / n, rel=1e-5)
    exactly = questions["q-age-5673ccc7"]
    assert (exactly["margin"], exactly["reasons"]) == ("0", '["two_thirds: below"]')
    assert questions["q-hobby-382045e0"]["reasons"] == '["no_stereotype: above"]'
    selection = questions["q-home_region-c4888bc5"]
    assert (selection["equal_share"], selection["value"]) == ("14", "2")
    # 28 of 120 are just twice the uniform share, so that the survey cannot tell them from it.
    assert float(selection["p"]) == 1
    assert json.loads(selection["target"]) == ["구름언덕"]
    assert questions["c-hobby-008"]["decision"] == "dropped"


def test_each_template_of_the_demo_is_shown_filled_in_both_languages(
    curate: Curate, filtered: Path
) -> None:
    """A co-author who reads one of the two languages can judge a row; slots are filled."""
    folder = report_of(curate, filtered)
    items = read_by(folder, "items", "template_id")
    assert len(items) == 35  # all but the one that was not asked about
    item = items["home_region-001"]
    assert item["stereotype"] == "음식을 짜게 먹는다"
    assert item["stereotype_source"] == "They eat salty food"
    assert item["context"].startswith("역 앞 국밥집에서 소금해안 사람과 구름언덕 사람이")
    assert item["answer_source"] == "The Salt Coast local"
    # The survey found no groups for a template that leaves them open.
    assert [name for name, row in items.items() if "[" in row["context"]] == ["home_region-006"]
    html = (folder / "report.html").read_text(encoding="utf-8")
    assert item["context"] in html
    assert item["context_source"] in html
    plainly = "The survey found no groups that could fill this template."
    assert html.count(plainly) == 1
    assert html.count("ko, groups left open") == 1
    text = (folder / "report.md").read_text(encoding="utf-8")
    part = text.split("## What was asked about")[1].split("##")[0]
    assert f"\n  - `home_region-001`, en: They eat salty food · {item['context_source']} " in part
    assert f"\n  - `home_region-001`, ko: {item['context']} " in part
    assert part.count(plainly) == 1


def test_a_dropped_template_is_shown_with_the_groups_that_the_survey_found(
    curate: Curate, demo: Path
) -> None:
    """Where another rule drops it, target and non-targets of its open lists are known."""
    filter_by(curate, demo, "--no-stereotype-limit", "0.01")
    folder = report_of(curate, demo)
    items = read_by(folder, "items", "template_id")
    assert read(folder, "questions")["q-home_region-c4888bc5"]["decision"] == "dropped"
    assert items["home_region-002"]["context"].startswith(
        "장터 어귀에서 구름언덕 사람과 너른들 사람이 함께 출발해"
    )
    assert [name for name, row in items.items() if "[" in row["context"]] == ["home_region-006"]


def test_the_funnel_of_the_demo_adds_up(curate: Curate, filtered: Path) -> None:
    """36 templates, five fall, one of the 31 retained is undecided: it was not asked about."""
    folder = report_of(curate, filtered)
    said = "Of 36 templates, 35 were asked about; 31 are retained, 1 of them undecided."
    assert said in (folder / "report.md").read_text(encoding="utf-8")
    with (folder / "funnel.csv").open(encoding="utf-8", newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["of"] == "templates"]
    total = {
        name: sum(int(row[name]) for row in rows) for name in rows[0] if name not in ("of", "part")
    }
    assert (total["before"], total["after"], total["undecided"]) == (36, 31, 1)
    assert total["two_thirds"] == 2
    assert sum(total.values()) - total["before"] - total["after"] - total["undecided"] == 5
    assert list(read(folder, "templates")) == [
        "occupation-009",
        *(f"home_region-{number:03d}" for number in (2, 3, 4, 5)),
    ]


def test_respondents_of_the_demo_fill_the_quotas(curate: Curate, filtered: Path) -> None:
    """Twelve in each cell, as many as the default quotas would have."""
    folder = report_of(curate, filtered)
    with (folder / "quotas.csv").open(encoding="utf-8", newline="") as stream:
        cells = list(csv.DictReader(stream))
    assert len(cells) == 10
    assert {(cell["planned"], cell["answered"]) for cell in cells} == {("12", "12")}
    partial = read(folder, "exclusions")["partial"]
    assert (partial["respondents"], partial["excluded"], partial["turns"]) == ("12", "false", "1")
    assert "culture.yaml states none" in (folder / "report.md").read_text(encoding="utf-8")


def test_the_folder_is_as_its_manifest_says(curate: Curate, filtered: Path) -> None:
    """Every file is written, said, and listed with its hash."""
    ran = curate("survey", "report", "-w", filtered)
    folder = filtered / "exports" / "survey"
    assert ran.out.endswith(f"Wrote {', '.join(FILES)} to {folder}.\n")
    assert sorted(path.name for path in folder.iterdir()) == sorted([*FILES, "manifest.json"])
    assert verify_manifest(folder) == []
    manifest = read_manifest(folder)
    assert manifest.counts["questions"] == 66
    assert {"decisions.csv", "responses/tallies.csv", "responses/responses.csv"} <= {
        *manifest.inputs
    }
    book = load_workbook(folder / "report.xlsx")
    assert book.sheetnames == list(TABLES)


def test_the_same_workspace_gives_the_same_bytes(
    curate: Curate, filtered: Path, tmp_path: Path, listing: Listing
) -> None:
    """Twice, elsewhere, and without touching anything else."""
    before = listing(filtered)
    first = listing(report_of(curate, filtered))
    assert listing(report_of(curate, filtered)) == first
    elsewhere = tmp_path / "elsewhere" / "copy"
    shutil.copytree(filtered, elsewhere)
    assert listing(report_of(curate, elsewhere)) == first
    after = {
        name: content
        for name, content in listing(filtered).items()
        if not name.startswith("exports/survey")
    }
    assert after == before


def test_json_is_all_that_is_printed(curate: Curate, filtered: Path) -> None:
    """With every table, numbers as numbers."""
    ran = curate("survey", "report", "-w", filtered, "--json")
    found = ran.json
    assert ran.err == ""
    assert (found["files"], found["notes"]) == (FILES, [])
    by_id = {row["question_id"]: row for row in found["questions"]}
    assert (by_id["q-age-5673ccc7"]["k"], by_id["q-age-5673ccc7"]["share"]) == (64, 0.666667)
    assert [row["value"] for row in found["sensitivity"] if row["as_set"]] == [
        *("2/3", "2", "respondents", "0", "1/2")
    ]
    assert found["settings"]["stereotype_share"] == "2/3"


def test_survey_files_can_be_reported_without_a_ruling(
    curate: Curate, workspace: Path, listing: Listing, tmp_path: Path
) -> None:
    """Nothing goes to the ledger, which is said; the numbers are those of a filter."""
    before = listing(workspace)
    answers = workspace / "responses" / "responses.csv"
    out = tmp_path / "out"
    ran = curate("survey", "report", "-w", workspace, "--survey", answers, "--out", out)
    assert ran.code == 0
    assert "Note: 6 decisions of this report are not in the ledger" in ran.err
    assert listing(workspace) == before
    hum = read(out, "questions")["q-hum"]
    assert (hum["k"], hum["n"], hum["decision"]) == ("30", "35", "kept")
    filter_by(curate, workspace)
    folder = report_of(curate, workspace)
    for name in ("questions", "groups", "sensitivity"):
        assert (folder / f"{name}.csv").read_bytes() == (out / f"{name}.csv").read_bytes()
    again = curate("survey", "report", "-w", workspace, "--survey", answers, "--out", out)
    assert "in the ledger" not in again.err


@pytest.mark.parametrize("option", ["--mapping", "--comprehension", "--questionnaire"])
def test_how_a_survey_is_read_goes_with_a_survey(
    curate: Curate, workspace: Path, option: str
) -> None:
    """Otherwise it would be passed over in silence."""
    ran = curate("survey", "report", "-w", workspace, option, workspace / "culture.yaml")
    assert ran.code == 2
    assert "go with --survey" in ran.err


def test_the_thresholds_of_the_last_filter_are_used(curate: Curate, workspace: Path) -> None:
    """Also those that an option set for that run alone; 65 of 97 is below .7."""
    filter_by(curate, workspace, "--stereotype-share", "0.7")
    folder = report_of(curate, workspace)
    sing = read(folder, "questions")["q-sing"]
    assert (sing["decision"], sing["threshold"]) == ("dropped", "0.7")
    text = (folder / "report.md").read_text(encoding="utf-8")
    assert "strictly more than 0.7 of those who named a group" in text
    assert "**0.7 (as set)**" in text


def test_other_answers_than_the_filter_read_are_not_reported(
    curate: Curate, workspace: Path, write_answers: Callable[..., str]
) -> None:
    """The counts stand; of the respondents nothing is said but that."""
    filter_by(curate, workspace)
    answers = workspace / "responses" / "responses.csv"
    answers.write_text(write_answers(q_hum=(3, 1, 0)), encoding="utf-8")
    ran = curate("survey", "report", "-w", workspace, "--json")
    assert ran.code == 0
    first, second, third = ran.json["notes"]
    assert third.startswith("Comprehension was not asked")
    assert first.startswith("responses/responses.csv has changed since the last 'curate filter'")
    assert second.endswith(
        "responses/responses.csv gives counts that differ from the last filter's. "
        "Run 'curate filter' again with the survey's files."
    )
    assert ran.json["quotas"] == []
    assert {row["question_id"]: row["k"] for row in ran.json["questions"]} == {
        "q-hum": 30,
        "q-sing": 65,
    }


def test_answers_that_are_gone_are_asked_for(curate: Curate, workspace: Path) -> None:
    """A file that was filtered and taken out of the workspace: what keeps them is named."""
    filter_by(curate, workspace)
    (workspace / "responses" / "responses.csv").unlink()
    first, _ = curate("survey", "report", "-w", workspace, "--json").json["notes"]
    assert "Run 'curate filter --survey FILE' with the survey's files again" in first


def test_a_simple_table_is_reported_as_the_normal_form_is(
    curate: Curate, workspace: Path, tmp_path: Path
) -> None:
    """The filter keeps what a table says of respondents, and leaves what people wrote."""
    normal = workspace / "responses" / "responses.csv"
    with normal.open(encoding="utf-8", newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["state"] == "selected"]
    ids = dict.fromkeys(row["respondent_id"] for row in rows)
    people = {name: ("female", "male")[at % 2] for at, name in enumerate(ids)}
    told = "".join(f"{name},{gender}\n" for name, gender in people.items())
    file = normal.with_name("respondents.csv")
    file.write_text(f"respondent_id,gender\n{told}", encoding="utf-8")
    filter_by(curate, workspace)
    wanted = curate("survey", "report", "-w", workspace, "--json").json
    normal.unlink()
    beside = file.read_bytes()
    table = tmp_path / "answers.csv"
    with table.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["respondent", "question", "answer", "gender"])
        writer.writerows(
            [row["respondent_id"], row["question_id"], row["option"], people[row["respondent_id"]]]
            for row in rows
        )
    filter_by(curate, workspace, survey=table)
    found = curate("survey", "report", "-w", workspace, "--json").json
    assert found["quotas"] == wanted["quotas"] != []
    assert found["questions"] == wanted["questions"]
    assert [note for note in found["notes"] if "not reported" in note] == []
    assert file.read_bytes() == beside
    assert not normal.exists()


@pytest.mark.parametrize("name", ["templates_src/bank.csv", "culture.yaml"])
def test_what_changed_since_the_filter_is_said(curate: Curate, workspace: Path, name: str) -> None:
    """Counts and decisions may be of another state than what the report reads now."""
    filter_by(curate, workspace)
    with (workspace / name).open("a", encoding="utf-8") as stream:
        stream.write("\n")
    ran = curate("survey", "report", "-w", workspace)
    assert f"Note: {name} has changed since the last 'curate filter'" in ran.err
    assert f"{name} has changed" in (workspace / "exports/survey/report.html").read_text("utf-8")


def test_published_counts_make_a_report_without_respondents(
    curate: Curate, workspace: Path
) -> None:
    """The answers lying in the workspace are not theirs."""
    counts = [
        {
            "category": "Craft",
            "stereotype": "They hum",
            "survey_stats": {"Bakers": 70, "Potters": 20, "no_stereo": 10},
        }
    ]
    path = workspace / "responses" / "counts.json"
    path.write_text(json.dumps(counts), encoding="utf-8")
    filter_by(curate, workspace, survey="counts.json")
    ran = curate("survey", "report", "-w", workspace, "--json")
    (row,) = ran.json["questions"]
    assert (row["k"], row["n"], row["respondents"]) == (70, 90, 100)
    (note,) = ran.json["notes"]
    assert note.startswith("Comprehension was not asked: no rule looked at whether the 1 template")
    assert (ran.json["exclusions"], ran.json["quotas"]) == ([], [])
    assert [line["id"] for line in ran.json["templates"]] == ["craft-002"]


def test_a_manifest_without_thresholds_is_refused(curate: Curate, workspace: Path) -> None:
    """No threshold is taken for granted."""
    filter_by(curate, workspace)
    path = workspace / "exports" / "filter" / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    for settings in ({}, {"survey": {"stereotype_share": "much"}}):
        path.write_text(json.dumps({**manifest, "settings": settings}), encoding="utf-8")
        ran = curate("survey", "report", "-w", workspace)
        assert ran.code == 1
        assert "the manifest of the last filter holds" in ran.err
        assert "run 'curate filter' again" in ran.err


def test_weights_follow_the_margins_of_the_culture(curate: Curate, filtered: Path) -> None:
    """They are shown beside the decisions, in a table of their own."""
    culture = filtered / "culture.yaml"
    text = culture.read_text(encoding="utf-8")
    margins = "survey:\n  margins: {gender: {female: 0.7, male: 0.3}}\n"
    culture.write_text(text.replace("survey:\n", margins, 1), encoding="utf-8")
    filter_by(curate, filtered)
    folder = report_of(curate, filtered)
    weighted = read(folder, "weighted")
    assert weighted["q-age-5673ccc7"]["effective_n"] != ""
    # 60 women of weight 1.4 and 60 men of 0.6 are worth 120^2 / (60 x 1.96 + 60 x 0.36).
    assert float(weighted["q-age-cfb6de20"]["effective_n"]) == pytest.approx(103.448, abs=1e-3)
    text = (folder / "report.md").read_text(encoding="utf-8")
    raked = "120 respondents raked to gender (female 0.7, male 0.3), worth 103.4 of equal weight"
    assert f"{raked} (Kish)" in text
