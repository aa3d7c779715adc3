"""`curate push` and `curate pull`, against a server in memory."""

import csv
import html
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from curation.annotation.labelstudio.client import KEY_VARIABLE, URL_VARIABLE
from tests.annotation.labelstudio.fake import FakeServer, choices, fault, rating, text

from .conftest import EPOCH, Curate

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


def test_what_changed_keeps_apart_from_what_did_not(
    curate: Curate, demo: Path, server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer that did not change keeps the time at which it was read first."""
    push(curate, demo, "classify")
    server.annotate(1, "age-001", 1, ST)
    pull(curate, demo, "classify")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(EPOCH) + 3600))
    server.annotate(1, "age-002", 1, ST)
    pull(curate, demo, "classify")
    assert [row["collected_at"] for row in rows(demo, "classify")] == [
        "2026-01-01T00:00:00Z",
        "2026-01-01T01:00:00Z",
    ]


def test_an_annotation_that_was_deleted_goes(
    curate: Curate, demo: Path, server: FakeServer
) -> None:
    """Also when it was the only one of its annotator; workbooks of others stay."""
    push(curate, demo, "classify")
    server.annotate(1, "age-001", 1, ST)
    pull(curate, demo, "classify")
    path = demo / "annotations" / "classify.csv"
    path.write_text(path.read_text() + "age-001,Park,TM,,,,,raw/park.xlsx,,\n")
    server.tasks[1][2]["annotations"].clear()
    pull(curate, demo, "classify")
    assert [row["annotator"] for row in rows(demo, "classify")] == ["Park"]


def test_names_are_corrected_in_people_csv(curate: Curate, demo: Path, server: FakeServer) -> None:
    """The next pull uses them; a user without a name is left out."""
    push(curate, demo, "classify")
    for user in (1, 2, 3):
        server.annotate(1, "age-001", user, ST)
    pull(curate, demo, "classify")
    people = demo / "annotations" / "people.csv"
    people.write_text("user,email,annotator\n1,kim@example.org,Kim\n2,lee@x.org,\n3,p@x.org,박\n")
    pulled = pull(curate, demo, "classify")
    assert pulled["annotators"] == {"Kim": 1, "박": 1}
    assert "user 2 has no name in people.csv" in pulled["findings"][0]["message"]
    assert [row["annotator"] for row in rows(demo, "classify")] == ["Kim", "박"]


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


def test_a_label_that_shows_another_text_is_said_at_pull(
    curate: Curate, demo: Path, server: FakeServer
) -> None:
    """What is stored did not change, but whoever chose it read something else."""
    push(curate, demo, "classify")
    setup = server.found[1]["setup"]
    shown = re.search(r'value="([^"]*)" alias="SR"', setup.config)
    assert shown is not None
    config = setup.config.replace(shown[0], 'value="ST stays" alias="SR"')
    server.found[1]["setup"] = replace(setup, config=config)
    [said] = pull_findings(curate, demo)
    ours = html.unescape(shown[1])
    assert (
        f"'decision' shows 'ST stays' where the toolkit's page shows '{ours}', and stores 'SR'"
        in (said["message"])
    )
    push(curate, demo, "classify", "--update")
    assert pull_findings(curate, demo) == []


def test_two_accounts_in_the_project_of_one_are_asked_for_their_names(
    curate: Curate, demo: Path, server: FakeServer
) -> None:
    """Until somebody says who they are: else they count as two, and the owner has done nothing."""
    push(curate, demo, "classify", "--annotator", "Kim")
    server.annotate(1, "age-001", 1, ST)
    server.annotate(1, "age-002", 2, ST)
    for _ in range(2):
        [said] = pull(curate, demo, "classify")["findings"]
        assert said["rule"] == "labelstudio-no-name"
        assert "project 1 of Kim: 2 accounts" in said["message"]
        assert "annotator-1, annotator-2" in said["message"]
    people = demo / "annotations" / "people.csv"
    people.write_text("user,email,annotator,same_as\n1,,Kim,\n2,,,1\n", encoding="utf-8")
    pulled = pull(curate, demo, "classify")
    assert (pulled["findings"], pulled["annotators"]) == ([], {"Kim": 2})


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


def test_a_mix_of_one_project_and_several_is_refused(
    curate: Curate, demo: Path, server: FakeServer
) -> None:
    """Tasks would be annotated twice."""
    push(curate, demo, "classify")
    ran = curate("push", "classify", "-w", demo, "--annotator", "Kim")
    assert (ran.code, len(server.found)) == (1, 1)
    assert "one project of all annotators" in ran.err


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


def test_a_changed_template_is_said_and_its_labels_do_not_count(
    curate: Curate, demo: Path, server: FakeServer
) -> None:
    """Push lists it, pull says it, and classification leaves the old labels out."""
    push(curate, demo, "classify")
    server.annotate(1, "age-001", 1, ST)
    server.annotate(1, "age-002", 1, ST)
    edit_bank(demo, "honey rice cakes", "sesame cakes")
    pushed = push(curate, demo, "classify")["projects"][0]
    assert (pushed["annotated"], pushed["changed"]) == (["age-001"], [])
    ran = curate("pull", "classify", "-w", demo)
    assert ran.code == 0
    assert "1 annotated tasks changed after they were annotated: age-001" in ran.out
    standing = curate("classify", "collect", "-w", demo, "--json").json
    assert standing["annotators"][0]["changed"] == ["age-001"]


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


def test_with_an_overlap_everyone_answers_for_what_he_was_given(
    curate: Curate, demo: Path, server: FakeServer
) -> None:
    """Nothing goes to the meeting for it, status names who owes what, and all is settled."""
    names = ("Kim", "Lee", "Park")
    options = [option for name in names for option in ("--annotator", name)]
    made = push(curate, demo, "classify", *options, "--overlap", "8")["projects"]
    assert [item["tasks"] for item in made] == [15, 15, 15]
    for user, item in enumerate(made, start=1):
        number = item["project"]
        for task in list(server.tasks[number].values())[: None if user < 3 else -1]:
            server.annotate(number, task["data"]["uid"], user, ST)
    [last] = [t["data"]["uid"] for t in server.tasks[number].values() if not t["annotations"]]
    pull(curate, demo, "classify")
    found = curate("classify", "collect", "-w", demo, "--json").json
    assert [item["missing"] for item in found["annotators"]] == [[], [], [last]]
    assert (found["disagreements"], found["incomplete"]) == ([], [last])
    owed = curate("status", "-w", demo, "--json").json["owed"]
    assert [(o["who"], o["items"]) for o in owed if o["what"] == "label"] == [("Park", [last])]
    server.annotate(number, last, 3, ST)
    pull(curate, demo, "classify")
    found = curate("classify", "collect", "-w", demo).out
    assert "incomplete Park" not in found
    assert "0 templates with disagreement and 0 incomplete (of 29)" in found
    said = [o["do"] for o in curate("status", "-w", demo, "--json").json["owed"]]
    assert "curate classify resolve --unanimous --at-least 1 --by NAME" in said
    for more in ((), ("--at-least", "1")):
        ran = curate("classify", "resolve", "--unanimous", "--by", "Mina", "-w", demo, *more)
        assert ran.code == 0
        assert f"{29 if more else 8} templates decided" in ran.out


def test_what_was_skipped_or_begun_is_named_by_person_and_task(
    curate: Curate, demo: Path, server: FakeServer
) -> None:
    """In the findings, in a table, and by status; what was answered after all is none."""
    [item] = push(curate, demo, "classify", "--annotator", "Kim")["projects"]
    number = item["project"]
    for uid in ("age-001", "age-002"):
        server.annotate(number, uid, 1, [], was_cancelled=True)
    server.annotate(number, "age-002", 1, ST)
    begun = [t for t in server.tasks[number].values() if t["data"]["uid"] == "age-003"]
    begun[0]["drafts"] = [{"user": "KIM@example.org", "result": ST}, {"user": "gone@x.org"}]
    pulled = pull(curate, demo, "classify")
    assert {f["rule"]: f["message"] for f in pulled["findings"]} == {
        "labelstudio-draft": "Kim began and did not submit 1 task: age-003",
        "labelstudio-skipped": "Kim skipped 1 task: age-001",
    }
    numbers = {t["data"]["uid"]: at for at, t in server.tasks[number].items()}
    links = [
        f"http://fake/projects/{number}/data?task={numbers[uid]}" for uid in ("age-003", "age-001")
    ]
    hints = {f["rule"]: f["hint"] for f in pulled["findings"]}
    assert hints["labelstudio-draft"].endswith(f": {links[0]}")
    assert hints["labelstudio-skipped"].endswith(f": {links[1]}")
    assert [(r["annotator"], r["task"], r["state"]) for r in rows(demo, "unfinished")] == [
        *(("Kim", "age-001", "skipped"), ("Kim", "age-003", "draft")),
    ]
    owed = curate("status", "-w", demo, "--json").json["owed"]
    [text] = [item["text"] for item in owed if item["what"] == "label"]
    assert text == ("28 templates to label (skipped: age-001; begun but not submitted: age-003)")
    for uid in ("age-001", "age-003"):
        server.annotate(number, uid, 1, ST)
    assert pull(curate, demo, "classify")["unfinished"] == []
    assert rows(demo, "unfinished") == []


def test_who_is_not_sure_gives_a_remark_and_no_label(
    curate: Curate, demo: Path, server: FakeServer
) -> None:
    """Both boxes are read, each text once."""
    push(curate, demo, "classify")
    unsure = choices("decision", "unsure")
    server.annotate(1, "age-001", 1, [unsure, text("unsure_reason", "odd"), text("remark", "so")])
    server.annotate(1, "age-002", 1, [unsure, text("unsure_reason", "odd"), text("remark", "odd")])
    server.annotate(1, "age-003", 1, [*ST, text("unsure_reason", "no"), text("remark", "yes")])
    server.annotate(1, "age-004", 1, [text("remark", "as pages of before let one")])
    pull(curate, demo, "classify")
    assert [(row["label"], row["remark"]) for row in rows(demo, "classify")] == [
        *(("", "odd\nso"), ("", "odd"), ("ST", "yes"), ("", "as pages of before let one")),
    ]
    server.annotate(1, "age-006", 1, [unsure])
    ran = curate("pull", "classify", "-w", demo)
    assert (ran.code, "it has neither label nor remark" in ran.out) == (1, True)


def test_a_text_that_was_left_as_the_machine_wrote_it_says_so(
    curate: Curate, demo: Path, server: FakeServer
) -> None:
    """By what stood on the page; a file that was pulled before that was known is read."""
    push(curate, demo, "translate", "--unlabelled")
    first, second = [task["data"] for task in server.tasks[1].values()][:2]
    kept = {data["uid"]: data["texts"][0]["target"] for data in (first, second)}
    server.annotate(1, first["uid"], 1, [text("target_0", kept[first["uid"]])])
    server.annotate(1, second["uid"], 1, [text("target_0", "사람")])
    pull(curate, demo, "translate")
    found = rows(demo, "translate")
    assert {row["template_id"]: row["unchanged"] for row in found} == {
        first["uid"]: "true",
        second["uid"]: "false",
    }
    path = demo / "annotations" / "translate.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        names = list(found[0])[: list(found[0]).index("unchanged")]
        writer = csv.DictWriter(stream, names, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(found)
    assert curate("translate", "collect", "-w", demo, "--labelstudio").code in (0, 1)
    assert curate("status", "-w", demo).code == 0


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


def test_answers_about_a_text_that_changed_are_left_out(
    curate: Curate, demo: Path, server: FakeServer
) -> None:
    """A context that was corrected is asked about anew."""
    push(curate, demo, "comprehension")
    server.annotate(1, "age-001", 1, [choices("answer", "2")])
    server.annotate(1, "age-002", 1, [choices("answer", "2")])
    server.annotate(1, "age-003", 1, [choices("answer", "4")])
    edit_bank(demo, "짭짤한 과자", "매운 과자")
    ran = curate("pull", "comprehension", "-w", demo)
    assert ran.code == 1
    assert "'4' is not a choice of 'answer'" in ran.out
    assert "1 answers are about texts that changed; they are not counted" in ran.out
    assert [row["template_id"] for row in rows(demo, "comprehension")] == ["age-002"]


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


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (("sort",), "'sort' is not one of"),
        (("classify", "--overlap", "3"), "two --annotator or more"),
        (("classify", "--annotator", "Kim", "--annotator", " kim "), "'Kim' occurs twice"),
        (("classify", "--annotator", " "), "a name is empty"),
        (("classify", "--annotator", "Kim", "--annotations", "2"), "one project for all"),
        (("classify", "--missing"), "belongs to translate"),
        (("classify", "--annotations", "0"), "0 is not in the range"),
    ],
)
def test_wrong_usage(
    curate: Curate, demo: Path, server: FakeServer, options: tuple[str, ...], what: str
) -> None:
    """The status is 2, and the server is not asked."""
    ran = curate("push", *options, "-w", demo)
    assert ran.code == 2
    assert what in " ".join(ran.err.split())
    assert server.calls == []


def test_nothing_to_pull_or_push_is_said(curate: Curate, demo: Path, tmp_path: Path) -> None:
    """With what to do first."""
    ran = curate("pull", "classify", "-w", demo)
    assert (ran.code, "push first" in ran.err) == (1, True)
    curate("init", tmp_path / "new")
    ran = curate("push", "classify", "-w", tmp_path / "new")
    assert (ran.code, "curate import" in ran.err) == (1, True)


def test_a_push_that_breaks_off_goes_on(curate: Curate, demo: Path, server: FakeServer) -> None:
    """One line what, one where, one what to do; then the rest is sent."""
    server.failures["send"] = [fault(401)]
    ran = curate("push", "classify", "-w", demo)
    assert ran.code == 1
    assert [line.split()[0] for line in ran.err.splitlines()] == ["Error:", "where:", "do:"]
    assert push(curate, demo, "classify")["projects"][0]["sent"] == 29
    assert len(server.found) == 1


def test_an_attempt_that_came_to_nothing_binds_nobody(
    curate: Curate, demo: Path, server: FakeServer
) -> None:
    """A mistaken name is gone with it."""
    server.failures["projects"] = [fault()]
    assert curate("push", "classify", "-w", demo, "--annotator", "Kin").code == 1
    pushed = push(curate, demo, "classify", "--annotator", "Kim")["projects"]
    assert [item["annotator"] for item in pushed] == ["Kim"]


def test_a_deleted_project_is_made_again_when_asked(
    curate: Curate, demo: Path, server: FakeServer
) -> None:
    """And only then; one that is still there is found again."""
    push(curate, demo, "classify")
    assert push(curate, demo, "classify", "--anew")["projects"][0]["created"] is False
    server.found.clear()
    for kind in ("push", "pull"):
        ran = curate(kind, "classify", "-w", demo)
        assert (ran.code, "--anew" in ran.err) == (1, True)
    again = push(curate, demo, "classify", "--anew")["projects"][0]
    assert (again["created"], again["sent"]) == (True, 29)


def test_a_page_that_was_edited_is_a_finding(
    curate: Curate, demo: Path, server: FakeServer
) -> None:
    """The status is 1 until it is put back."""
    push(curate, demo, "classify")
    server.found[1]["setup"] = replace(server.found[1]["setup"], config="<View/>")
    ran = curate("push", "classify", "-w", demo)
    assert (ran.code, "the labelling page on the server is not the current one" in ran.out) == (
        1,
        True,
    )
    assert curate("push", "classify", "-w", demo, "--update").code == 0


def test_a_pull_that_fails_leaves_what_was_pulled(
    curate: Curate, demo: Path, server: FakeServer
) -> None:
    """Nothing in normal form is touched."""
    push(curate, demo, "classify")
    server.annotate(1, "age-001", 1, ST)
    pull(curate, demo, "classify")
    before = (demo / "annotations" / "classify.csv").read_bytes()
    server.annotate(1, "age-002", 1, ST)
    for call in ("project", "users", "export"):
        server.failures[call] = [fault(500)]
        assert curate("pull", "classify", "-w", demo).code == 1
        assert (demo / "annotations" / "classify.csv").read_bytes() == before


@pytest.mark.parametrize(
    ("url", "key", "what"),
    [
        ("", "k", "the address of Label Studio is not set"),
        ("localhost:8080", "k", "is not a web address"),
        ("ftp://x", "k", "is not a web address"),
        ("http://", "k", "is not a web address"),
        ("http://x:port", "k", "cannot be read"),
        ("http://me:secret@x", "k", "holds a name, a password"),
        ("http://x", "", "there is no access token"),
        ("http://x", "  ", "there is no access token"),
        ("http://x", "a b", "holds characters that a token cannot have"),
        ("http://x", "키", "holds characters that a token cannot have"),
    ],
)
def test_the_environment_names_server_and_token(
    curate: Curate,
    demo: Path,
    monkeypatch: pytest.MonkeyPatch,
    url: str,
    key: str,
    what: str,
) -> None:
    """What is wrong with them is said without showing them."""
    monkeypatch.undo()
    monkeypatch.setenv(URL_VARIABLE, url)
    monkeypatch.setenv(KEY_VARIABLE, key)
    ran = curate("push", "classify", "-w", demo)
    assert (ran.code, ran.out) == (1, "")
    assert what in ran.err
    assert "secret" not in ran.err


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


def test_who_has_begun_without_a_suggestion_goes_on_without(
    curate: Curate, demo: Path, server: FakeServer
) -> None:
    """Tasks that nobody has looked at get theirs with --update; another one takes its place."""
    project = push(curate, demo, "classify", "--annotator", "Kim")["projects"][0]["project"]
    server.annotate(project, "age-001", 1, TM)
    assert curate("classify", "suggest", "-w", demo).code == 0
    view = ("--annotator", "Kim", "--suggestions", "--blind", "none")
    (left,) = push_refused(curate, demo, *view)["projects"]
    assert (left["suggested"], len(left["changed"]), left["annotated"]) == ([], 28, [])
    assert [row["shown"] for row in rows(demo, "suggestions_shown")] == ["false"]
    (done,) = push(curate, demo, "classify", *view, "--update")["projects"]
    assert len(done["suggested"]) == 24
    assert "age-001" not in done["suggested"]
    assert shown_in(server, project)["age-002"] == ["ST"]
    file = demo / "annotations" / "suggestions.csv"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("age-002,ST", "age-002,SR"), encoding="utf-8")
    (done,) = push(curate, demo, "classify", "--annotator", "Kim", "--update")["projects"]
    assert done["updated"] == ["age-002"]
    assert shown_in(server, project)["age-002"] == ["SR"]
    (done,) = push(curate, demo, "classify", "--annotator", "Kim")["projects"]
    assert (len(done["suggested"]), done["updated"], done["changed"]) == (24, [], [])
    pull(curate, demo, "classify")
    found = curate("classify", "collect", "-w", demo, "--json").json["suggestions"]
    assert [(item["view"], item["labels"]) for item in found] == [
        *(("shown", 0), ("blind", 1), ("blind", 1))
    ]


def push_refused(curate: Curate, folder: Path, *options: object) -> Any:
    """Push to a project whose page is not the one of now."""
    ran = curate("push", "classify", "-w", folder, "--json", *options)
    assert ran.code == 1
    return ran.json


def test_suggestions_can_be_taken_away(curate: Curate, demo: Path, server: FakeServer) -> None:
    """From the tasks that nobody has begun; that they were shown is kept."""
    assert curate("classify", "suggest", "-w", demo).code == 0
    kim = ("--annotator", "Kim", "--suggestions")
    push(curate, demo, "classify", *kim, "--blind", "none")
    push(curate, demo, "classify", *kim, "--blind", "all", "--update")
    assert set(map(len, shown_in(server, 1).values())) == {0}
    assert {row["shown"] for row in rows(demo, "suggestions_shown")} == {"true"}


def test_one_project_for_all_shows_them_to_all_or_to_nobody(
    curate: Curate, demo: Path, server: FakeServer
) -> None:
    """Half of its people cannot be told apart; other kinds have none."""
    assert curate("classify", "suggest", "-w", demo).code == 0
    ran = curate("push", "classify", "-w", demo, "--suggestions")
    assert ran.code == 1
    assert "one project for all shows suggestions to everybody or to nobody" in ran.err
    assert server.tasks == {}
    push(curate, demo, "classify", "--suggestions", "--blind", "none")
    assert sum(map(len, shown_in(server, 1).values())) == 25
    server.annotate(1, "age-001", 2, ST)
    pull(curate, demo, "classify")
    found = curate("classify", "collect", "-w", demo, "--json").json["suggestions"]
    assert [(item["view"], item["labels"]) for item in found] == [
        *(("shown", 1), ("shown", 1), ("blind", 0))
    ]
    ran = curate("push", "translate", "-w", demo, "--suggestions")
    assert (ran.code, "--suggestions belongs to classify" in ran.err) == (2, True)
