"""`curate push` and `curate pull`, against a server in memory."""

import shutil
from dataclasses import replace

import pytest
from csv_rows import read_rows

from tests.annotation.labelstudio.fake import choices, fault

pytestmark = pytest.mark.usefixtures("server")
ST, TM = [choices("decision", "ST")], [choices("decision", "TM")]


def push(curate, folder, kind, *options):
    """Push and give what was printed; it must succeed."""
    ran = curate("push", kind, "-w", folder, "--json", *options)
    assert (ran.code, ran.err) == (0, "")
    return ran.json


def pull(curate, folder, kind, *options):
    """Pull and give what was printed; it must succeed."""
    ran = curate("pull", kind, "-w", folder, "--json", *options)
    assert (ran.code, ran.err) == (0, "")
    return ran.json


def rows(folder, kind):
    return read_rows(folder / "annotations" / f"{kind}.csv")


def test_a_second_account_of_a_person_is_told_in_people(curate, demo, server):
    """By the number of the first in column same_as; both are one then, whose last word counts."""
    push(curate, demo, "classify")
    server.annotate(1, "age-001", 1, ST)
    for uid, user, label in (("age-002", 2, TM), ("age-003", 2, TM), ("age-003", 1, ST)):
        server.annotate(1, uid, user, label)
    people = demo / "annotations" / "people.csv"
    assert pull(curate, demo, "classify")["annotators"] == {"annotator-1": 2, "annotator-2": 2}
    head = "user,email,annotator,same_as\n1,,Kim,\n"
    people.write_text(f"{head}2,,,1\n", encoding="utf-8")
    assert pull(curate, demo, "classify")["annotators"] == {"Kim": 3}
    assert [row["label"] for row in rows(demo, "classify")] == ["ST", "TM", "ST"]
    for row, said in (
        ("2,,Kim,", "write 1 in column same_as of user 2"),
        ("2,,,9", "column same_as"),
        ("2,,,2", "column same_as"),
        ("1,,Lee,", "row 2 is of user '1' too"),
        ("x,,Lee,", "column user: it holds a whole number"),
    ):
        people.write_text(f"{head}{row}\n", encoding="utf-8")
        ran = curate("pull", "classify", "-w", demo)
        assert (ran.code, said in ran.err) == (1, True)


def test_a_page_that_asks_otherwise_is_said_at_pull(curate, demo, server):
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
        "its page was edited on the server, or is of an earlier version; answers that the "
        "toolkit's page does not have are refused: http://fake/projects/1/settings/labeling"
    )
    number = next(n for n, t in server.tasks[1].items() if t["data"]["uid"] == "age-001")
    assert found["labelstudio-refused"].endswith(
        f"'gone' is not a choice of 'decision': http://fake/projects/1/data?task={number}"
    )
    push(curate, demo, "classify", "--update")
    assert all(f["rule"] != "labelstudio-page" for f in pull_findings(curate, demo))


def pull_findings(curate, demo):
    return curate("pull", "classify", "-w", demo, "--json").json["findings"]


def test_comprehension_there_and_back(curate, demo, server):
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
    next(iter(server.tasks[1].values()))["annotations"].clear()
    gone = pull(curate, demo, "comprehension")
    assert ([one["rule"] for one in gone["findings"]], gone["rows"]) == (
        ["labelstudio-gone"] * 2,
        72,
    )
    culture = demo / "culture.yaml"
    culture.write_text(
        culture.read_text("utf-8").replace("\nunknown: ", "\nunknown: Now "), "utf-8"
    )
    assert pull(curate, demo, "comprehension")["rows"] == 0  # another question than was answered


def test_what_is_gone_from_the_server_is_named_and_kept(curate, demo, server):
    """An annotation, a task, a project: until somebody says that it is to go."""
    names = ("--annotator", "Kim", "--annotator", "Lee")
    kim, lee = (item["project"] for item in push(curate, demo, "classify", *names)["projects"])
    for uid in ("age-001", "age-002"):
        server.annotate(kim, uid, 1, ST)
        server.annotate(lee, uid, 2, TM)
    pull(curate, demo, "classify")
    first, second = [t for t in server.tasks[kim].values() if t["annotations"]]
    first["annotations"].clear()
    server.tasks[lee] = {n: t for n, t in server.tasks[lee].items() if not t["annotations"]}
    for _ in range(2):
        ran = curate("pull", "classify", "-w", demo, "--json")
        gone = [f["message"] for f in ran.json["findings"] if f["rule"] == "labelstudio-gone"]
        assert [message.partition(";")[0] for message in gone] == [
            "1 annotation of Kim, pulled earlier, not on the server any more: age-001",
            "2 annotations of Lee, pulled earlier, not on the server any more: age-001, age-002",
        ]
        assert (ran.code, labels(demo)) == (0, ["Kim ST", "Kim ST", "Lee TM", "Lee TM"])
        counts = [(one["tasks"], one["annotations"], one["taken"]) for one in ran.json["projects"]]
        assert counts == [(29, 1, 1), (27, 0, 0)]
    server.annotate(kim, "age-003", 1, ST)
    del server.found[lee]
    ran = curate("pull", "classify", "-w", demo, "--json")
    lost = [f["message"] for f in ran.json["findings"] if f["rule"] == "labelstudio-lost"]
    assert (ran.code, len(lost), f"project {lee} (" in lost[0]) == (1, 1, True)
    assert labels(demo) == ["Kim ST", "Kim ST", "Kim ST", "Lee TM", "Lee TM"]
    shown = curate("pull", "classify", "-w", demo).out
    assert "Wrote 5 rows to annotations/classify.csv, 2 of them not of these projects." in shown
    second["annotations"].clear()
    server.failures["export"] = [fault()]
    assert curate("pull", "classify", "-w", demo, "--drop-gone").code == 1
    assert len(labels(demo)) == 5
    assert curate("pull", "classify", "-w", demo, "--drop-gone").code == 1  # Lee's is not there
    assert labels(demo) == ["Kim ST"]


@pytest.mark.parametrize("is_listed", [True, False])
def test_what_a_deleted_account_gave_is_named_and_kept(curate, demo, server, is_listed):
    """Whether or not the server still says whose its annotations are; by person and template."""
    options = ("classify", "--annotator", "Kim", "--annotator", "Lee")
    number = push(curate, demo, *options)["projects"][1]["project"]
    server.annotate(number, "age-001", 2, TM)
    pull(curate, demo, "classify")
    server.people = [one for one in server.people if one.user != 2]
    if not is_listed:
        for task in server.tasks[number].values():
            for item in task["annotations"]:
                item["completed_by"] = None
    for _ in range(2):
        found = curate("pull", "classify", "-w", demo, "--json").json["findings"]
        refused, gone = (one["message"] for one in found)
        assert refused.startswith("age-001: annotation ")
        assert gone.startswith("1 annotation of Lee, pulled earlier")
        assert ": age-001; kept" in gone and labels(demo) == ["Lee TM"]


def labels(demo):
    return sorted(f"{row['annotator']} {row['label']}" for row in rows(demo, "classify"))


def test_a_project_made_anew_gets_what_has_no_label(curate, demo, server):
    """The labels of the one that was deleted still count, and its tasks are not sent again."""
    one = push(curate, demo, "classify", "--annotator", "Kim")["projects"][0]["project"]
    for uid in ("age-001", "age-002"):
        server.annotate(one, uid, 1, ST)
    pull(curate, demo, "classify")
    del server.found[one]
    assert curate("push", "classify", "-w", demo).code == 1
    [anew] = push(curate, demo, "classify", "--anew")["projects"]
    assert (anew["created"], anew["sent"]) == (True, 27)
    assert push(curate, demo, "classify")["projects"][0]["sent"] == 0
    server.annotate(anew["project"], "age-003", 1, TM)
    pull(curate, demo, "classify")
    assert labels(demo) == ["Kim ST", "Kim ST", "Kim TM"]
    moved = push(curate, demo, "classify", "--reassign", "Kim", "Ann")["moved"]
    assert len(moved) == 26 and {"age-001", "age-002", "age-003"}.isdisjoint(moved)
    pull(curate, demo, "classify")
    del server.found[anew["project"]]  # of who left, and has answered all that was hers
    assert curate("push", "classify", "-w", demo).code == 1
    for more in (("--anew",), ()):
        projects = push(curate, demo, "classify", *more)["projects"]
        assert [one["annotator"] for one in projects] == ["Ann"]
        assert push(curate, demo, "classify", "--reassign", "Kim", "Ann")["moved"] == []
    assert pull(curate, demo, "classify")["findings"] == []
    assert labels(demo) == ["Kim ST", "Kim ST", "Kim TM"]
    del server.found[projects[0]["project"]]
    ran = curate("push", "classify", "-w", demo, "--reassign", "Ann", "Lee")
    assert (ran.code, "push with --anew" in ran.err) == (1, True)


def test_an_overlap_grows(curate, demo, server):
    """More tasks are common then, also where nobody is named; a smaller number is refused."""
    names = ("--annotator", "Kim", "--annotator", "Lee", "--overlap")
    first = push(curate, demo, "classify", *names, 4)["projects"]
    assert sum(item["sent"] for item in first) == 29 + 4
    second = push(curate, demo, "classify", "--overlap", 10)["projects"]
    assert sum(item["sent"] for item in second) == 6
    ran = curate("push", "classify", "-w", demo, *names, 5)
    assert (ran.code, "10 tasks are common to all already" in ran.err) == (1, True)
    ran = curate("push", "classify", "-w", demo, "--annotations", 2)
    assert (ran.code, "a project of their own" in ran.err) == (1, True)
    ran = curate("push", "translate", "-w", demo, "--annotator", "Kim", "--overlap", 2)
    assert (ran.code, "no tasks in common" in ran.err) == (1, True)


def test_labels_of_a_workbook_stay_beside_those_of_a_page(curate, demo, server):
    """Of one template the later label counts, whichever way it came."""
    push(curate, demo, "classify", "--annotator", "Kim")
    table = demo / "annotations" / "classify.csv"
    head = "template_id,annotator,label,source_file,collected_at\n"
    table.write_text(
        f"{head}age-001,Kim,SR,annotations/raw/x.xlsx,2025-01-01T00:00:00Z\n"
        "age-002,Kim,SR,annotations/raw/x.xlsx,2027-01-01T00:00:00Z\n"
        "age-003,Kim,SR,annotations/raw/x.xlsx,2025-01-01T00:00:00Z\n",
        encoding="utf-8",
    )
    for uid in ("age-001", "age-002"):
        server.annotate(1, uid, 1, ST)
    for _ in range(2):
        assert pull(curate, demo, "classify")["findings"] == []
        assert [row["label"] for row in rows(demo, "classify")] == ["ST", "SR", "SR"]


def test_another_copy_without_the_exports_keeps_what_was_collected(curate, demo, server):
    """Also in later pulls, and if people are called otherwise there, or have no name."""
    push(curate, demo, "classify", "--annotator", "Kim")
    for uid in ("age-001", "age-002"):
        server.annotate(1, uid, 1, ST)
    pull(curate, demo, "classify")
    people = demo / "annotations" / "people.csv"
    people.write_text(people.read_text("utf-8").replace(",Kim,", ",Kimberly,"), "utf-8")
    pull(curate, demo, "classify")
    assert labels(demo) == ["Kimberly ST", "Kimberly ST"]
    shutil.rmtree(demo / "annotations" / "raw")
    people.unlink()
    next(t for t in server.tasks[1].values() if t["annotations"])["annotations"].clear()
    for _ in range(2):
        [gone] = pull(curate, demo, "classify")["findings"]
        assert (gone["rule"], labels(demo)) == ("labelstudio-gone", ["Kim ST", "Kimberly ST"])
    people.write_text(people.read_text("utf-8").replace(",Kim,", ",,"), "utf-8")
    pull(curate, demo, "classify")
    assert labels(demo) == ["Kimberly ST"]
    pull(curate, demo, "classify", "--drop-gone")
    assert labels(demo) == []
