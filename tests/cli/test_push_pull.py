"""`curate push` and `curate pull`, against a server in memory."""

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.annotation.labelstudio.fake import FakeServer, choices, rating, text

from .conftest import Curate

pytestmark = pytest.mark.usefixtures("server")
ST, TM = [choices("decision", "ST")], [choices("decision", "TM")]


def push(curate: Curate, folder: Path, kind: str, *options: object) -> Any:
    """Push and give what was printed; it must succeed."""
    ran = curate("push", kind, "-w", folder, "--json", *options)
    assert (ran.code, ran.err) == (0, "")
    return ran.json


def pull(curate: Curate, folder: Path, kind: str) -> Any:
    """Pull and give what was printed; it must succeed."""
    ran = curate("pull", kind, "-w", folder, "--json")
    assert (ran.code, ran.err) == (0, "")
    return ran.json


def rows(folder: Path, kind: str) -> list[dict[str, str]]:
    """Read a normal form."""
    with (folder / "annotations" / f"{kind}.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def edit_bank(folder: Path, old: str, new: str) -> None:
    """Change a text of the bank."""
    path = folder / "templates_src" / "bank.csv"
    content = path.read_text(encoding="utf-8")
    assert old in content
    path.write_text(content.replace(old, new), encoding="utf-8")


def test_classify_there_and_back(
    curate: Curate, demo: Path, server: FakeServer, listing: Callable[[Path], dict[str, str]]
) -> None:
    """Labels, reasons, groups and remarks come back as from a workbook; again, nothing changes."""
    pushed = push(curate, demo, "classify")["projects"]
    assert [(item["sent"], item["title"]) for item in pushed] == [(29, "Marevia classify")]
    assert ("create", 3) in server.calls
    server.annotate(1, "age-001", 1, ST)
    server.annotate(
        1, "age-001", 2, [choices("decision", "SR"), text("removal_reason", "unknown", "here")]
    )
    server.annotate(
        1,
        "age-002",
        2,
        [
            choices("decision", "TM"),
            text("proposed_targets", "노인, 중년"),
            text("proposed_non_targets", "청년"),
            text("remark", " odd "),
        ],
    )
    pulled = pull(curate, demo, "classify")
    assert pulled["annotators"] == {"annotator-1": 1, "annotator-2": 2}
    assert "example.org" not in json.dumps(pulled)
    found = rows(demo, "classify")
    assert [(r["template_id"], r["annotator"], r["label"]) for r in found] == [
        ("age-001", "annotator-1", "ST"),
        ("age-001", "annotator-2", "SR"),
        ("age-002", "annotator-2", "TM"),
    ]
    assert found[1]["reason"] == "unknown\nhere"
    assert json.loads(found[2]["proposed_targets"]) == ["노인", "중년"]
    assert (found[2]["remark"], found[2]["source_file"]) == ("odd", "labelstudio:1")
    before = listing(demo)
    assert pull(curate, demo, "classify")["rows"] == 3
    assert listing(demo) == before
    standing = curate("classify", "collect", "-w", demo, "--json").json
    assert [item["changed"] for item in standing["annotators"]] == [[], []]
    assert standing["disagreements"] == ["age-001"]


def test_two_accounts_with_one_address_are_one_person(
    curate: Curate, demo: Path, server: FakeServer
) -> None:
    """However it is spelled; it is said, counted once, and can be taken back in people.csv."""
    push(curate, demo, "classify")
    server.people.append(replace(server.people[0], id=7, email="KIM@Example.org", name=""))
    server.annotate(1, "age-001", 1, ST)
    server.annotate(1, "age-001", 7, TM)
    server.annotate(1, "age-002", 7, TM)
    server.annotate(1, "age-003", 1, ST)
    server.annotate(1, "age-003", 7, [], was_cancelled=True)
    pulled = pull(curate, demo, "classify")
    assert pulled["annotators"] == {"annotator-1": 3}
    assert pulled["unfinished"] == []
    assert {f["rule"] for f in pulled["findings"]} == {
        *("labelstudio-same-person", "labelstudio-older"),
    }
    assert rows(demo, "people")[1]["same_as"] == "1"
    assert {r["template_id"]: r["label"] for r in rows(demo, "classify")} == {
        **{"age-001": "TM", "age-002": "TM", "age-003": "ST"}
    }
    people = demo / "annotations" / "people.csv"
    head = "user,email,annotator,same_as\n1,,Kim,\n"
    people.write_text(f"{head}7,,Anna,\n", encoding="utf-8")
    assert pull(curate, demo, "classify")["annotators"] == {"Anna": 2, "Kim": 2}
    people.write_text(f"{head}7,,Kim,\n", encoding="utf-8")
    ran = curate("pull", "classify", "-w", demo)
    assert (ran.code, "write 1 in column same_as of user 7" in ran.err) == (1, True)
    people.write_text(f"{head}7,,,1\n", encoding="utf-8")
    assert pull(curate, demo, "classify")["annotators"] == {"Kim": 3}
    for wrong in ("9", "7", "x"):
        people.write_text(f"{head}7,,,{wrong}\n", encoding="utf-8")
        ran = curate("pull", "classify", "-w", demo)
        assert (ran.code, "column same_as" in ran.err) == (1, True)


def test_a_page_that_asks_otherwise_is_said_at_pull(
    curate: Curate, demo: Path, server: FakeServer
) -> None:
    """A label renamed, a question deleted; answers to it are refused, with a link to the task."""
    push(curate, demo, "classify")
    setup = server.found[1]["setup"]
    config = setup.config.replace('alias="SR"', 'alias="gone"').replace('name="remark"', 'name="x"')
    server.found[1]["setup"] = replace(setup, config=config)
    server.annotate(1, "age-001", 1, [choices("decision", "gone")])
    server.annotate(1, "age-002", 1, ST)
    ran = curate("pull", "classify", "-w", demo, "--json")
    assert (ran.code, ran.json["annotators"]) == (1, {"annotator-1": 1})
    found = {item["rule"]: item["message"] for item in ran.json["findings"]}
    assert found["labelstudio-page"] == (
        "its page was edited on the server, or is of an earlier version: 'decision' has no choice "
        "'SR'; 'decision' has a choice of its own, 'gone'; it does not ask 'remark'; answers that "
        "the toolkit's page does not have are refused: http://fake/projects/1/settings/labeling"
    )
    number = next(n for n, t in server.tasks[1].items() if t["data"]["uid"] == "age-001")
    assert found["labelstudio-refused"].endswith(
        f"'gone' is not a choice of 'decision': http://fake/projects/1/data?task={number}"
    )
    push(curate, demo, "classify", "--update")
    assert all(f["rule"] != "labelstudio-page" for f in pull_findings(curate, demo))


def pull_findings(curate: Curate, demo: Path) -> Any:
    """What a pull finds, whatever its status."""
    return curate("pull", "classify", "-w", demo, "--json").json["findings"]


def test_a_task_that_was_imported_twice_counts_once(
    curate: Curate, demo: Path, server: FakeServer
) -> None:
    """Whoever answered either of the two; the next push says or takes out the second."""
    push(curate, demo, "classify")
    copy = next(t["data"] for t in server.tasks[1].values() if t["data"]["uid"] == "age-001")
    server.send(1, [copy])
    first, second = (
        task["annotations"] for task in server.tasks[1].values() if task["data"]["uid"] == "age-001"
    )
    server.annotate(1, "age-001", 1, TM)
    server.annotate(1, "age-001", 2, ST)
    first.append({**second[0], "result": ST, "updated_at": "2020-01-01T00:00:00Z"})
    pulled = pull(curate, demo, "classify")
    assert [f["rule"] for f in pulled["findings"]] == ["labelstudio-older"]
    assert [(r["annotator"], r["label"]) for r in rows(demo, "classify")] == [
        *(("annotator-1", "TM"), ("annotator-2", "ST")),
    ]
    assert curate("status", "-w", demo, "--json").json["labelstudio"][0]["tasks"] == 29


def test_each_annotator_has_a_project(curate: Curate, demo: Path, server: FakeServer) -> None:
    """Who alone annotated it is that annotator; an overlap is common to all."""
    options = ("--annotator", "Kim", "--annotator", "Lee", "--overlap", "5")
    pushed = push(curate, demo, "classify", *options)["projects"]
    assert [item["tasks"] for item in pushed] == [17, 17]
    held = [{t["data"]["uid"] for t in tasks.values()} for tasks in server.tasks.values()]
    assert (len(held[0] & held[1]), len(held[0] | held[1])) == (5, 29)
    assert [item["sent"] for item in push(curate, demo, "classify")["projects"]] == [0, 0]
    kim, lee = (item["project"] for item in pushed)
    server.annotate(kim, min(held[0]), 2, ST)
    server.annotate(lee, min(held[1]), 3, ST)
    assert pull(curate, demo, "classify")["annotators"] == {"Kim": 1, "Lee": 1}
    assert (demo / "annotations" / "people.csv").read_text() == (
        "user,email,annotator\n2,lee@example.org,Kim\n3,p@x.org,Lee\n"
    )
    ran = curate("push", "classify", "-w", demo, "--json")
    assert ran.code == 0


def test_removal_without_a_reason_is_refused(
    curate: Curate, demo: Path, server: FakeServer
) -> None:
    """The page asks for it, the server does not; the good ones are written, the status is 1."""
    push(curate, demo, "classify")
    server.annotate(1, "age-001", 1, [choices("decision", "SR"), text("removal_reason", "  ")])
    server.annotate(1, "age-002", 1, [text("proposed_targets", "x")])
    server.annotate(1, "age-003", 1, [*TM, text("proposed_targets", "[x")])
    server.annotate(1, "age-004", 1, [text("remark", "cannot say")])
    ran = curate("pull", "classify", "-w", demo)
    assert ran.code == 1
    assert "a template is removed without a reason" in ran.out
    assert "it has neither label nor remark" in ran.out
    assert "the proposed groups are not a list" in ran.out
    assert [(row["template_id"], row["label"]) for row in rows(demo, "classify")] == [
        ("age-004", "")
    ]


def test_a_template_that_changed_after_it_was_annotated_is_asked_about_again(
    curate: Curate, demo: Path, server: FakeServer
) -> None:
    """The new labels count, the old ones are history; push, pull and status lead out of it."""
    made = push(curate, demo, "classify", "--annotator", "Kim", "--annotator", "Lee")["projects"]
    for item, user in zip(made, (1, 2), strict=True):
        project = item["project"]
        server.annotate(project, "age-001", user, ST)
        server.annotate(project, "age-002", user, ST)
    edit_bank(demo, "honey rice cakes", "sesame cakes")
    ran = curate("push", "classify", "-w", demo)
    assert ran.out.count("--again ID asks about one again: age-001") == 2
    assert "--again ID, for each of them" in curate("pull", "classify", "-w", demo).out
    owed = curate("status", "-w", demo, "--json").json["owed"]
    assert [
        (item["who"], item["items"], item["do"]) for item in owed if item["what"] == "again"
    ] == [(name, ["age-001"], "curate push classify --again age-001") for name in ("Kim", "Lee")]
    ran = curate("push", "classify", "-w", demo, "--again", "age-001", "--again", "age-002")
    assert ran.out.count("1 task asked about again; the old task stays: age-001") == 2
    assert "not asked again: age-002" in ran.out
    owed = curate("status", "-w", demo, "--json").json["owed"]
    assert not [item for item in owed if item["what"] == "again"]
    assert len(server.tasks[1]) == 30
    ran = curate("pull", "classify", "-w", demo)
    assert "were asked about again and not answered by all: age-001" in ran.out
    assert "--again" not in ran.out
    server.annotate(1, "age-001", 1, TM)
    done = pull(curate, demo, "classify")
    assert [item["older"] for item in done["projects"]] == [0, 0]
    assert [f["rule"] for f in done["findings"]] == ["labelstudio-history", "labelstudio-stale"]
    found = {(r["annotator"], r["template_id"]): r["label"] for r in rows(demo, "classify")}
    assert found["Kim", "age-001"] == "TM"
    standing = curate("classify", "collect", "-w", demo, "--json").json
    assert [item["changed"] for item in standing["annotators"]] == [[], ["age-001"]]
    ran = curate("push", "classify", "-w", demo, "--again", "age-999")
    assert (ran.code, "there is no task age-999" in ran.err) == (1, True)


def test_comprehension_there_and_back(curate: Curate, demo: Path, server: FakeServer) -> None:
    """The answers are in the survey's normal form, which the filter reads as it is."""
    pushed = push(curate, demo, "comprehension", "--annotations", "5")["projects"][0]
    assert ("create", 5) in server.calls
    assert pushed["tasks"] == 36
    data = [task["data"] for task in server.tasks[1].values()]
    assert [o["alias"] for o in data[0]["options"]] != [o["alias"] for o in data[1]["options"]] or (
        len({tuple(o["alias"] for o in item["options"]) for item in data}) > 1
    )
    for item in data:
        server.annotate(1, item["uid"], 1, [choices("answer", "2")])
        server.annotate(1, item["uid"], 2, [choices("answer", "1")])
    assert pull(curate, demo, "comprehension")["rows"] == 72
    found = rows(demo, "comprehension")
    assert found[0]["question_id"] == "c-age-001"
    assert {row["option"] for row in found} == {"1", "2"}
    position = [o["alias"] for o in data[0]["options"]].index("2") + 1
    assert (found[0]["position"], found[0]["duration_s"]) == (str(position), "2.5")
    file = demo / "annotations" / "comprehension.csv"
    survey = demo / "responses" / "responses.csv"
    ran = curate(
        *("filter", "-w", demo, "--survey", survey, "--comprehension", file, "--dry-run", "--json")
    )
    assert (ran.code, ran.err) == (0, "")


def box(data: dict[str, Any]) -> tuple[str, str]:
    """Give the source of the only text of a page, and the machine's text."""
    [item] = data["texts"]
    return item["source"], item["machine"]


def test_translate_there_and_back(curate: Curate, workspace: Path, server: FakeServer) -> None:
    """The machine's text stands in the box; rating and checkboxes come back."""
    bank = workspace / "templates_src" / "bank.csv"
    with bank.open(encoding="utf-8", newline="") as stream:
        table = list(csv.DictReader(stream))
    for row in table:
        row["biased_question_source"] = row["biased_question"]
        row["biased_question_machine"] = f"mt {row['biased_question']}"
    with bank.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(table[0]))
        writer.writeheader()
        writer.writerows(table)
    push(curate, workspace, "translate")
    assert ("create", 1) in server.calls
    data = [task["data"] for task in server.tasks[1].values()]
    assert [(item["uid"], *box(item)) for item in data] == [
        ("craft-001", "Who hums?", "mt Who hums?"),
        ("craft-002", "Who sings?", "mt Who sings?"),
    ]
    ticked = [rating("rating", 4), choices("checks", "slots_kept")]
    server.annotate(1, data[0]["uid"], 1, [text("target_0", "Wer summt?"), *ticked])
    server.annotate(1, data[1]["uid"], 1, [rating("rating", 4)])
    ran = curate("pull", "translate", "-w", workspace)
    assert ran.code == 0
    assert "1 texts of annotator-1 are empty" in ran.out
    [row] = rows(workspace, "translate")
    assert (row["source"], row["target"], row["rating"]) == ("Who hums?", "Wer summt?", "4")
    assert (row["entities_adapted"], row["slots_kept"]) == ("false", "true")
    table[0]["biased_question_source"] = table[1]["biased_question_source"] = "Who hummed?"
    with bank.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(table[0]))
        writer.writeheader()
        writer.writerows(table)
    curate("pull", "translate", "-w", workspace)
    assert rows(workspace, "translate") == []


def shown_in(server: FakeServer, project: int) -> dict[str, list[str]]:
    """By task of a project the label that its page shows as chosen."""
    found = {}
    for task in server.tasks[project].values():
        parts = task.get("suggested", [])
        assert bool(parts) == ("rules" in task["data"].get("suggestion", ""))
        found[task["data"]["uid"]] = [label for part in parts for label in part["value"]["choices"]]
    return found


def test_suggestions_are_shown_to_those_who_are_not_blind(
    curate: Curate, demo: Path, server: FakeServer
) -> None:
    """By the project that a label comes from it is told whether they were seen."""
    both = ("--annotator", "Kim", "--annotator", "Lee")
    ran = curate("push", "classify", "-w", demo, *both, "--suggestions")
    assert (ran.code, "there are no suggestions to show" in ran.err) == (1, True)
    assert (server.tasks, rows_or_none(demo)) == ({}, [])
    made = curate("classify", "suggest", "-w", demo, "--json").json["suggestions"]
    pushed = push(curate, demo, "classify", *both, "--suggestions", "--blind", "Lee")["projects"]
    kim, lee = (item["project"] for item in pushed)
    labels = {item["template_id"]: item["label"] for item in made}
    shown = {name: found[0] for name, found in shown_in(server, kim).items() if found}
    assert shown == labels
    assert set(map(len, shown_in(server, lee).values())) == {0}
    assert "suggestion" not in server.tasks[lee][max(server.tasks[lee])]["data"]
    for project, user, label in ((kim, 1, ST), (lee, 2, TM)):
        server.annotate(project, "age-001", user, label)
    assert pull(curate, demo, "classify")["findings"] == []
    assert [(row["label"], row["remark"]) for row in rows(demo, "classify")] == [
        ("ST", ""),
        ("TM", ""),
    ]
    found = curate("classify", "collect", "-w", demo, "--json").json
    assert [(item["view"], item["labels"], item["agree"]) for item in found["suggestions"]] == [
        *(("shown", 1, 1), ("shown", 1, 1), ("blind", 1, 0), ("blind", 1, 0))
    ]
    assert {item["annotator"]: item["labelled"] for item in found["annotators"]} == {
        "Kim": 1,
        "Lee": 1,
    }


def rows_or_none(folder: Path) -> list[dict[str, str]]:
    """Who was shown what; nobody without a file."""
    there = (folder / "annotations" / "suggestions_shown.csv").exists()
    return rows(folder, "suggestions_shown") if there else []
