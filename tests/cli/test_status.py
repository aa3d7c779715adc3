"""`curate status`."""

import csv
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from tests.annotation.labelstudio.fake import FakeServer, choices, text

from .conftest import Curate

STEPS = (
    *("imported", "classified", "translated", "reviewed", "surveyed"),
    *("kept", "dropped", "removed", "undecided"),
)


def status(curate: Curate, folder: Path) -> Any:
    """Give what the command prints; it never fails, and says nothing beside."""
    ran = curate("status", "-w", folder, "--json")
    assert (ran.code, ran.err) == (0, "")
    return ran.json


def steps(found: Any) -> dict[str, dict[str, int]]:
    """Give by category how many templates stand where, those that are not 0."""
    return {
        row["category"]: {step: row[step] for step in STEPS if row[step]}
        for row in found["categories"]
    }


def owed(found: Any) -> list[tuple[str, str, int]]:
    """Give what is owed by whom of how many."""
    return [(item["what"], item["who"], item["count"]) for item in found["owed"]]


def only(found: Any, what: str) -> Any:
    """Give the one thing of a kind that is owed."""
    [item] = [item for item in found["owed"] if item["what"] == what]
    return item


def edit(folder: Path, change: Callable[[dict[str, str]], Mapping[str, str]]) -> None:
    """Change the rows of the bank."""
    path = folder / "templates_src" / "bank.csv"
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for row in rows:
        row.update(change(row))
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def as_imported(row: dict[str, str]) -> Mapping[str, str]:
    """Leave of a row of the demo what an import gives: the texts of the source."""
    if row["label"] == "NC":
        return {}
    own = [name.removesuffix("_source") for name in row if name.endswith("_source")]
    return {"label": "", **dict.fromkeys(own, "")}


@pytest.fixture
def imported(demo: Path) -> Path:
    """The demo culture when nothing was classified, translated or asked yet."""
    edit(demo, as_imported)
    shutil.rmtree(demo / "responses")
    return demo


def fill(file: Path, sheet: str, rows: Mapping[str, Mapping[str, str]], name: str = "") -> Path:
    """Fill in rows of a workbook by their keys, and save it here or under another name."""
    book = openpyxl.load_workbook(file)
    columns = {cell.value: cell.column for cell in book[sheet][1]}
    numbers = {row[0].value: row[0].row for row in book[sheet].iter_rows(min_row=2)}
    for key, cells in rows.items():
        for column, value in cells.items():
            book[sheet].cell(numbers[key], columns[column]).value = value
    target = file.parents[3] / name if name else file
    book.save(target)
    return target


def sheets(curate: Curate, folder: Path, *names: str) -> list[Path]:
    """Hand out sheets for annotators."""
    args = [part for name in names for part in ("--annotator", name)]
    made = curate("classify", "sheet", "-w", folder, *args, "--json").json["sheets"]
    return [Path(item["file"]) for item in made]


def test_each_template_is_counted_once(curate: Curate, demo: Path, filtered: Path) -> None:
    """Before the survey and after it; the counts are those of the filter."""
    before = status(curate, demo)
    assert steps(before) == {
        "Age": {"reviewed": 7, "removed": 1},
        "Home_region": {"reviewed": 8, "removed": 1},
        "Occupation": {"reviewed": 8, "removed": 1},
        "Hobby": {"reviewed": 7, "removed": 1},
        "Birth_season": {"reviewed": 6},
        "Total": {"reviewed": 36, "removed": 4},
    }
    after = status(curate, filtered)
    assert steps(after) == {
        "Age": {"kept": 6, "dropped": 1, "removed": 1},
        "Home_region": {"kept": 7, "dropped": 1, "removed": 1},
        "Occupation": {"kept": 7, "removed": 1, "undecided": 1},
        "Hobby": {"kept": 5, "dropped": 2, "removed": 1},
        "Birth_season": {"kept": 5, "dropped": 1},
        "Total": {"kept": 30, "dropped": 5, "removed": 4, "undecided": 1},
    }
    assert [row["templates"] for row in after["categories"]] == [8, 9, 9, 8, 6, 40]
    assert len(after["templates"]) == 40
    assert after["templates"][0] == {
        "template_id": "age-001",
        "category": "Age",
        "label": "ST",
        "step": "kept",
        "reason": "no rule drops it",
    }


def test_what_the_survey_left_undecided_is_listed(curate: Curate, filtered: Path) -> None:
    """With why; a survey that was not held yet leaves nothing undecided."""
    found = status(curate, filtered)
    assert found["undecided"] == ["occupation-009"]
    assert only(found, "undecided")["items"] == ["occupation-009"]
    [row] = [row for row in found["templates"] if row["step"] == "undecided"]
    assert row["reason"] == "its stereotype was not asked about"
    ran = curate("status", "-w", filtered)
    assert "1 template that the survey has not decided (occupation-009)" in ran.out


def test_questions_without_a_decision_wait_for_the_filter(curate: Curate, demo: Path) -> None:
    """And a template that no question asks about, for the survey to be built again."""
    found = status(curate, demo)
    assert owed(found) == [("questionnaire", "", 1), ("decision", "respondents", 66)]
    assert only(found, "questionnaire")["items"] == ["occupation-009"]
    assert found["next"] == [
        "curate survey build",
        "curate filter --survey responses/responses.csv",
    ]
    (demo / "responses" / "responses.csv").unlink()
    assert only(status(curate, demo), "decision")["do"] == (
        "curate filter --survey FILE, or first curate survey inspect FILE"
    )
    (demo / "responses" / "questionnaire.csv").unlink()
    found = status(curate, demo)
    assert (only(found, "questionnaire")["count"], owed(found)[1:]) == (36, [])


def test_a_question_that_the_last_filter_did_not_hold_waits_again(
    curate: Curate, filtered: Path
) -> None:
    """Though an earlier one has decided on it."""
    path = filtered / "responses" / "responses.csv"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    left = [line for line in lines if ",q-age-cfb6de20," not in line]
    assert 0 < len(left) < len(lines)
    path.write_text("".join(left), encoding="utf-8")
    assert curate("filter", "-w", filtered, "--survey", path).code == 0
    found = status(curate, filtered)
    assert only(found, "decision")["items"] == ["q-age-cfb6de20"]
    assert "age-001" in found["undecided"]


def test_a_bank_that_was_changed_after_the_filter_is_said(curate: Curate, filtered: Path) -> None:
    """By its content, not by its date; without a manifest it is said that nobody knows."""
    path = filtered / "templates_src" / "bank.csv"
    path.touch()
    assert "filter" not in {item["what"] for item in status(curate, filtered)["owed"]}
    edit(filtered, lambda row: {"note": "seen"} if row["template_id"] == "age-001" else {})
    item = only(status(curate, filtered), "filter")
    assert item["items"] == ["templates_src/bank.csv"]
    assert item["do"] == "curate filter --survey responses/responses.csv"
    shutil.rmtree(filtered / "exports")
    found = status(curate, filtered)
    assert [item["rule"] for item in found["findings"]] == ["status-no-manifest"]
    assert "filter" not in {item["what"] for item in found["owed"]}


def test_what_the_filter_kept_is_unfinished_while_a_text_is_missing(
    curate: Curate, filtered: Path
) -> None:
    """It is surveyed, and gives no samples yet."""
    edit(
        filtered,
        lambda row: {"biased_question": ""} if row["template_id"] == "birth_season-002" else {},
    )
    found = status(curate, filtered)
    assert steps(found)["Birth_season"] == {"surveyed": 1, "kept": 4, "dropped": 1}
    assert only(found, "unfinished")["items"] == ["birth_season-002"]
    [row] = [row for row in found["templates"] if row["step"] == "surveyed"]
    assert row["reason"] == "kept, but not written: biased_question"


def test_nobody_was_asked_yet(curate: Curate, imported: Path) -> None:
    """Templates without label, and nobody who was handed a sheet."""
    found = status(curate, imported)
    assert steps(found)["Total"] == {"imported": 29, "reviewed": 11}
    item = only(found, "classify")
    assert (item["count"], item["who"]) == (29, "")
    assert item["do"].startswith("curate classify sheet --annotator")


def test_annotators_owe_what_they_were_handed(curate: Curate, imported: Path) -> None:
    """Less what they returned; a sheet that was filled in where it lies is to be collected."""
    mina, jun = sheets(curate, imported, "Mina", "Jun")
    found = status(curate, imported)
    assert owed(found)[:2] == [("label", "Jun", 29), ("label", "Mina", 29)]
    assert only(found, "questionnaire")["count"] == 11
    labels = {"age-001": {"label": "ST"}, "age-002": {"label": "SR", "reason": "unknown"}}
    back = fill(mina, "templates", labels, "mina-back.xlsx")
    assert curate("classify", "collect", "-w", imported, back).code == 0
    found = status(curate, imported)
    assert owed(found)[:2] == [("label", "Mina", 27), ("label", "Jun", 29)]
    assert "age-001" not in found["owed"][0]["items"]
    fill(jun, "templates", labels)
    found = status(curate, imported)
    assert owed(found)[:3] == [("collect", "Jun", 2), ("label", "Mina", 27), ("label", "Jun", 27)]
    assert found["owed"][0]["do"] == (
        "curate classify collect annotations/sheets/classify-Jun.xlsx"
    )
    assert curate("classify", "collect", "-w", imported, jun).code == 0
    assert owed(status(curate, imported))[0] == ("label", "Jun", 27)


def test_who_returned_a_sheet_of_elsewhere_was_asked_about_all(
    curate: Curate, imported: Path
) -> None:
    """And no template is without somebody."""
    [mina] = sheets(curate, imported, "Mina")
    back = fill(mina, "templates", {"age-001": {"label": "ST"}}, "back.xlsx")
    mina.unlink()
    assert curate("classify", "collect", "-w", imported, back).code == 0
    found = status(curate, imported)
    assert owed(found)[:1] == [("label", "Mina", 28)]
    assert "classify" not in {item["what"] for item in found["owed"]}


def test_a_consensus_is_owed_by_the_meeting(curate: Curate, imported: Path) -> None:
    """Disagreements, then what all agree on, until each is recorded."""
    mina, jun = sheets(curate, imported, "Mina", "Jun")
    every = [
        row["template_id"] for row in status(curate, imported)["templates"] if not row["label"]
    ]
    labels = {name: {"label": "ST"} for name in every}
    files = [
        fill(mina, "templates", labels, "mina.xlsx"),
        fill(jun, "templates", {**labels, "age-002": {"label": "TM"}}, "jun.xlsx"),
    ]
    assert curate("classify", "collect", "-w", imported, *files).code == 0
    found = status(curate, imported)
    assert owed(found)[:2] == [("consensus", "consensus meeting", 1), ("record", "", 28)]
    assert only(found, "consensus")["items"] == ["age-002"]
    assert only(found, "consensus")["do"].endswith("resolve annotations/agenda.xlsx --by NAME")
    assert curate("classify", "resolve", "-w", imported, "--unanimous", "--by", "Mina").code == 0
    found = status(curate, imported)
    assert [item["what"] for item in found["owed"]] == ["consensus", "translate", "questionnaire"]
    assert steps(found)["Total"] == {"imported": 1, "classified": 28, "reviewed": 11}
    settle = ("--template", "age-002", "--label", "TM", "--why", "so", "--by", "Mina")
    assert curate("classify", "resolve", "-w", imported, *settle).code == 0
    assert only(status(curate, imported), "translate")["count"] == 29
    edit(imported, lambda row: {"label": ""} if row["template_id"] == "age-001" else {})
    assert only(status(curate, imported), "record")["items"] == ["age-001"]


def test_translation_is_owed_step_by_step(curate: Curate, imported: Path) -> None:
    """By the machine, by nobody in particular, by a translator, by who confirms it, by nobody."""
    edit(imported, lambda row: {} if row["label"] else {"label": "ST"})
    assert only(status(curate, imported), "translate")["do"] == "curate translate run"
    assert curate("translate", "run", "-w", imported, "--engine", "pseudo").code == 0
    found = status(curate, imported)
    assert steps(found)["Total"] == {"translated": 29, "reviewed": 11}
    assert only(found, "review")["count"] == 29
    made = curate("translate", "sheet", "-w", imported, "--translator", "Mina", "--json").json
    file = Path(made["sheets"][0]["file"])
    found = status(curate, imported)
    item = only(found, "texts")
    assert (item["who"], item["count"]) == ("Mina", made["sheets"][0]["texts"])
    assert len(item["items"]) == 29
    assert "review" not in {item["what"] for item in found["owed"]}
    ran = curate("translate", "collect", "-w", imported, file)
    assert ran.code == 0, ran.out
    found = status(curate, imported)
    assert steps(found)["Total"] == {"translated": 29, "reviewed": 11}
    assert only(found, "confirm")["count"] == 29
    accept = ("--accept-unchanged", "--by", "Mina")
    assert curate("translate", "collect", "-w", imported, *accept).code == 0
    found = status(curate, imported)
    assert steps(found)["Total"] == {"reviewed": 40}
    assert [item["what"] for item in found["owed"]] == ["groups", "questionnaire"]
    assert only(found, "groups")["count"] == 25
    edit(
        imported,
        lambda row: {"names": "N1: [*]; N2: [*]"} if row["template_id"] == "age-002" else {},
    )
    assert "age-002" not in only(status(curate, imported), "groups")["items"]


def test_new_templates_that_are_written_are_to_be_collected(curate: Curate, imported: Path) -> None:
    """An empty sheet asks for nothing."""
    made = curate("new", "sheet", "-w", imported, "--json").json
    file = Path(made["file"])
    assert "collect" not in {item["what"] for item in status(curate, imported)["owed"]}
    book = openpyxl.load_workbook(file)
    sheet = book["templates"]
    columns = {cell.value: cell.column for cell in sheet[1]}
    sheet.cell(3, columns["stereotype"]).value = "They whistle"
    book.save(file)
    item = only(status(curate, imported), "collect")
    assert (item["count"], item["do"]) == (
        1,
        "curate new collect annotations/sheets/new-templates.xlsx",
    )


def test_annotators_of_a_server_owe_their_projects(
    curate: Curate, imported: Path, server: FakeServer
) -> None:
    """Each what was allotted to him."""
    options = ("--annotator", "Kim", "--annotator", "Lee", "--overlap", "5")
    assert curate("push", "classify", "-w", imported, *options).code == 0
    assert owed(status(curate, imported))[:2] == [("label", "Kim", 17), ("label", "Lee", 17)]
    uid = next(iter(server.tasks[1].values()))["data"]["uid"]
    server.annotate(1, uid, 1, [choices("decision", "ST")])
    assert curate("pull", "classify", "-w", imported).code == 0
    found = status(curate, imported)
    assert owed(found)[:2] == [("label", "Kim", 16), ("label", "Lee", 17)]
    assert found["owed"][0]["do"] == "curate pull classify && curate classify collect"


def test_a_project_of_all_owes_what_nobody_labelled(
    curate: Curate, imported: Path, server: FakeServer
) -> None:
    """Who annotated one of its tasks need not annotate them all."""
    assert curate("push", "classify", "-w", imported).code == 0
    assert owed(status(curate, imported))[:1] == [("label", "annotators of project 1", 29)]
    server.annotate(1, "age-001", 1, [choices("decision", "ST")])
    assert curate("pull", "classify", "-w", imported).code == 0
    found = status(curate, imported)
    assert [item for item in owed(found) if item[0] == "label"] == [
        ("label", "annotators of project 1", 28)
    ]


def test_pulled_texts_are_owed_until_they_are_in_the_bank(
    curate: Curate, imported: Path, server: FakeServer
) -> None:
    """What waits on the page, what differs, what cannot be taken, and what is to be collected."""
    edit(imported, lambda row: {"label": "ST"} if row["template_id"] == "age-003" else {})
    people = imported / "annotations" / "people.csv"
    people.parent.mkdir()
    people.write_text("user,email,annotator\n1,,Kim\n2,,Lee\n", encoding="utf-8")
    assert curate("push", "translate", "-w", imported, "--annotations", "2").code == 0
    [page] = (task["data"] for task in server.tasks[1].values())
    found = status(curate, imported)
    item = only(found, "texts")
    assert (page["uid"], item["items"]) == ("age-003", ["age-003"])
    sources = [item["source"] for item in page["texts"]]
    assert (item["who"], item["count"]) == ("translators of project 1", len(sources))
    boxes = {source: f"target_{at}" for at, source in enumerate(sources)}
    plain = [source for source in sources if "[" not in source]
    slots = next(source for source in sources if "[N1]" in source)
    for user, given in (
        (1, {plain[0]: "가", plain[1]: "다", slots: "[N9]"}),
        (2, {plain[0]: "나", plain[1]: "다"}),
    ):
        result = [text(boxes[source], target) for source, target in given.items()]
        server.annotate(1, page["uid"], user, result)
    assert curate("pull", "translate", "-w", imported).code == 0
    found = status(curate, imported)
    assert only(found, "texts")["count"] == len(sources) - 3
    assert len(only(found, "collect")["items"]) == 1
    differ = only(found, "disagreement")
    assert (differ["who"], len(differ["items"])) == ("Kim, Lee", 1)
    assert differ["items"] != only(found, "collect")["items"]
    assert only(found, "correct")["count"] == 1
    collect = ("translate", "collect", "-w", imported, "--labelstudio", "--by", "Kim")
    assert curate(*collect).code == 1
    found = status(curate, imported)
    assert {item["what"] for item in found["owed"]} >= {"texts", "correct"}
    assert not {item["what"] for item in found["owed"]} & {"collect", "disagreement"}


def test_a_sheet_that_cannot_be_opened_is_said(curate: Curate, imported: Path) -> None:
    """The rest is told all the same."""
    [mina] = sheets(curate, imported, "Mina")
    mina.with_name("b.xlsx").write_bytes(mina.read_bytes()[:900])
    found = status(curate, imported)
    assert [item["rule"] for item in found["findings"]] == ["status-sheet"]
    assert ("label", "Mina", 29) in owed(found)
    ran = curate("status", "-w", imported)
    assert "b.xlsx cannot be opened" in ran.out


def test_nothing_is_written(
    curate: Curate, filtered: Path, listing: Callable[[Path], dict[str, str]]
) -> None:
    """It only looks."""
    before = listing(filtered)
    status(curate, filtered)
    assert curate("status", "-w", filtered).code == 0
    assert listing(filtered) == before


def test_the_terminal_shows_a_table_and_what_comes_next(curate: Curate, imported: Path) -> None:
    """Steps at which nothing stands are left out."""
    sheets(curate, imported, "Mina", "Jun")
    ran = curate("status", "-w", imported)
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0].split() == ["Category", "templates", "imported", "reviewed"]
    assert lines[7].split() == ["Total", "40", "29", "11"]
    assert "  Mina: 29 templates to label (age-001, age-002, age-003, " in ran.out
    assert lines[-1] == "Next: curate classify collect FILE..."
    assert "\x1b" not in ran.out


def test_when_nothing_is_owed_the_benchmark_is_exported(curate: Curate, filtered: Path) -> None:
    """The last step."""
    path = filtered / "templates_src" / "bank.csv"
    kept = [
        line
        for line in path.read_text(encoding="utf-8").splitlines()
        if "occupation-009" not in line
    ]
    path.write_text("\n".join([*kept, ""]), encoding="utf-8")
    survey = filtered / "responses" / "responses.csv"
    assert curate("filter", "-w", filtered, "--survey", survey).code == 0
    found = status(curate, filtered)
    export, check = "curate export samples --set all,test", "curate check --release"
    package = "curate export package"
    assert (found["owed"], found["next"]) == ([], [export, check, package])
    assert curate(*export.split()[1:], "-w", filtered).code == 0
    assert status(curate, filtered)["next"] == [check, package]
    culture = filtered / "culture.yaml"
    settings = culture.read_text(encoding="utf-8")
    culture.write_text(settings + "\n", encoding="utf-8")
    assert status(curate, filtered)["next"] == [export, check, package]
    culture.write_text(settings, encoding="utf-8")


def test_after_a_release_nothing_comes_next(curate: Curate, filtered: Path) -> None:
    """Until a file that the package was made from changes, or the version is another one."""
    ledger = filtered / "decisions.csv"
    with ledger.open("a", encoding="utf-8") as stream:
        stream.write("occupation-009,manual,override,drop,not asked about,,,,,,,,,Kim,2026\n")
    assert curate("export", "package", "-w", filtered).code == 0
    found = status(curate, filtered)
    assert (found["owed"], found["next"]) == ([], [])
    out = curate("status", "-w", filtered).out
    assert out.endswith("\nThis version is released, and nothing has changed since.\n")
    shutil.move(filtered / "exports" / "package", filtered.parent / "package")
    assert status(curate, filtered)["next"] == []
    shutil.move(filtered.parent / "package", filtered / "exports" / "package")
    with ledger.open("a", encoding="utf-8") as stream:
        stream.write("\n")
    assert status(curate, filtered)["next"][-1] == "curate export package"


def test_an_empty_workspace_is_told_what_to_do(curate: Curate, tmp_path: Path) -> None:
    """Import something; a folder that is no workspace is an error, as everywhere."""
    curate("init", tmp_path / "new")
    found = status(curate, tmp_path / "new")
    assert (owed(found), found["next"]) == ([("import", "", 0)], ["curate import bbq FILE..."])
    assert found["categories"] == [
        {"category": "Total", "templates": 0, **dict.fromkeys(STEPS, 0)},
    ]
    assert "Next: curate import bbq FILE..." in curate("status", "-w", tmp_path / "new").out
    ran = curate("status", "-w", tmp_path)
    assert (ran.code, "there is no workspace" in ran.err) == (1, True)


def test_published_templates_are_looked_at_quickly(
    curate: Curate, tmp_path: Path, reference: Path
) -> None:
    """All that BBQ's files hold waits for annotators; KoBBQ's is ready for its counts."""
    folder = tmp_path / "bbq"
    curate("init", folder, "--language", "ko")
    curate("import", "bbq", reference / "bbq" / "templates", "-w", folder)
    found = status(curate, folder)
    assert steps(found)["Total"] == {"imported": 100}
    assert owed(found) == [("classify", "", 100)]
    folder = tmp_path / "kobbq"
    curate("init", folder, "--language", "ko")
    curate("import", "kobbq", reference / "kobbq" / "templates.tsv", "-w", folder)
    found = status(curate, folder)
    assert steps(found)["Total"] == {"reviewed": 168}
    assert found["next"] == ["curate filter --survey responses/published_counts.json"]
