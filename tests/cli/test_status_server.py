"""How far people are in Label Studio, by project and person; against a server in memory."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.annotation.labelstudio.fake import FakeServer, choices

from .conftest import Curate
from .test_push_pull import ST, TM, pull, push

pytestmark = pytest.mark.usefixtures("server")
AT = "2026-01-01T00:00:00Z"


def status(curate: Curate, folder: Path) -> Any:
    """What status prints as JSON."""
    ran = curate("status", "-w", folder, "--json")
    assert (ran.code, ran.err) == (0, "")
    return ran.json


def counts(found: Any) -> list[tuple[Any, ...]]:
    """Kind, project, person and the four counts, with the time of the pull."""
    keys = ("kind", "project", "annotator", "done", "skipped", "drafts", "left", "pulled_at")
    return [tuple(item[key] for key in keys) for item in found["labelstudio"]]


def begin(server: FakeServer, project: int, uid: str, email: str) -> int:
    """Leave a draft; gives the task's number."""
    tasks = server.tasks[project].items()
    [(number, task)] = [(n, t) for n, t in tasks if t["data"]["uid"] == uid]
    task["drafts"] = [{"user": email, "result": ST}]
    return number


def number_of(server: FakeServer, project: int, uid: str) -> int:
    """The number of the newest task of a uid."""
    return [n for n, t in server.tasks[project].items() if t["data"]["uid"] == uid][-1]


def test_each_person_is_counted_in_his_project(
    curate: Curate, demo: Path, server: FakeServer
) -> None:
    """Done, skipped, drafts and left add up to his tasks; status asks no server for it."""
    people = demo / "annotations" / "people.csv"
    people.parent.mkdir(exist_ok=True)
    people.write_text("user,email,annotator\n1,,Kim\n2,,Lee\n", encoding="utf-8")
    made = push(curate, demo, "classify", "--annotator", "Kim", "--annotator", "Lee")["projects"]
    kim, lee = (item["project"] for item in made)
    assert counts(status(curate, demo)) == [
        ("classify", kim, "Kim", None, 0, 0, 29, ""),
        ("classify", lee, "Lee", None, 0, 0, 29, ""),
    ]
    for uid in ("age-001", "age-002", "age-003"):
        server.annotate(kim, uid, 1, ST)
    server.annotate(kim, "age-004", 1, [], was_cancelled=True)
    begun = begin(server, kim, "age-006", "kim@example.org")
    server.annotate(lee, "age-001", 2, TM)
    server.annotate(lee, "age-002", 1, TM)  # Kim, in another's project
    pull(curate, demo, "classify")
    asked = list(server.calls)
    found = status(curate, demo)
    assert server.calls == asked
    assert counts(found) == [
        ("classify", kim, "Kim", 3, 1, 1, 24, AT),
        ("classify", lee, "Lee", 1, 0, 0, 28, AT),
        ("classify", lee, "Kim", 1, 0, 0, None, AT),
    ]
    place = f"http://fake/projects/{kim}/data"
    first = found["labelstudio"][0]
    assert (first["link"], first["tasks"]) == (place, 29)
    skipped = number_of(server, kim, "age-004")
    assert [tuple(one.values()) for one in first["open"]] == [
        ("age-004", "skipped", f"{place}?task={skipped}"),
        ("age-006", "draft", f"{place}?task={begun}"),
    ]
    owed = {o["who"]: o["link"] for o in found["owed"] if o["what"] == "label"}
    assert owed == {"Kim": place, "Lee": f"http://fake/projects/{lee}/data"}
    said = curate("status", "-w", demo).out
    assert "Label Studio, as of the last pull" in said
    assert f"Kim, skipped: age-004: {place}?task={skipped}" in said
    assert f"    -> curate pull classify && curate classify collect\n       {place}\n" in said


def test_a_project_of_all_is_counted_as_a_whole(
    curate: Curate, demo: Path, server: FakeServer
) -> None:
    """Its tasks are left until they have as many answers as are wanted; of nobody in particular."""
    push(curate, demo, "classify", "--annotations", "2")
    for uid, users in {"age-001": (1, 2), "age-002": (2,), "age-003": (2, 3)}.items():
        for user in users:
            server.annotate(1, uid, user, ST)
    pull(curate, demo, "classify")
    assert counts(status(curate, demo)) == [
        ("classify", 1, "", 2, 0, 0, 27, AT),
        ("classify", 1, "annotator-1", 1, 0, 0, None, AT),
        ("classify", 1, "annotator-2", 3, 0, 0, None, AT),
        ("classify", 1, "annotator-3", 1, 0, 0, None, AT),
    ]


def test_what_is_asked_about_again_is_left_again(
    curate: Curate, demo: Path, server: FakeServer
) -> None:
    """And the link leads to the new task."""
    [item] = push(curate, demo, "classify", "--annotator", "Kim")["projects"]
    number = item["project"]
    server.annotate(number, "age-001", 1, ST)
    with (demo / "templates_src" / "bank.csv").open(encoding="utf-8", newline="") as stream:
        table = list(csv.DictReader(stream))
    for row in table:
        if row["template_id"] == "age-001":
            row["stereotype_source"] += ", always"
    with (demo / "templates_src" / "bank.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(table[0]))
        writer.writeheader()
        writer.writerows(table)
    push(curate, demo, "classify", "--again", "age-001")
    new = number_of(server, number, "age-001")
    server.annotate(number, "age-001", 1, [], was_cancelled=True)
    pull(curate, demo, "classify")
    found = status(curate, demo)
    assert counts(found) == [("classify", number, "Kim", 0, 1, 0, 28, AT)]
    assert found["labelstudio"][0]["open"][0]["link"].endswith(f"?task={new}")


def test_the_agenda_leads_to_the_answers(curate: Curate, demo: Path, server: FakeServer) -> None:
    """In all three of its files; the meeting's workbook is taken back all the same."""
    push(curate, demo, "classify")
    server.annotate(1, "age-001", 1, ST)
    server.annotate(1, "age-001", 2, [choices("decision", "TM")])
    pull(curate, demo, "classify")
    assert curate("classify", "collect", "-w", demo).code == 0
    link = f"http://fake/projects/1/data?task={number_of(server, 1, 'age-001')}"
    folder = demo / "annotations"
    [line] = [
        line
        for line in (folder / "agenda.md").read_text().splitlines()
        if "annotator-1: ST" in line
    ]
    assert line == f"- annotator-1: ST <{link}>"
    with (folder / "agenda.csv").open(encoding="utf-8", newline="") as stream:
        opinions = [r["opinions"] for r in csv.DictReader(stream) if r["template_id"] == "age-001"]
    assert [one["link"] for one in json.loads(opinions[0])] == [link, link]
    (folder / "pulled.json").unlink()  # links are no reason to refuse what was filled in
    filled(folder / "agenda.xlsx", "age-001", link)
    ran = curate("classify", "resolve", folder / "agenda.xlsx", "--by", "Mina", "-w", demo)
    assert (ran.code, "1 template decided" in ran.out) == (0, True)


def filled(path: Path, template: str, link: str) -> None:
    """Fill in one row of the agenda, whose links are looked at first."""
    import openpyxl

    book = openpyxl.load_workbook(path)
    sheet = book["agenda"]
    columns = {cell.value: cell.column for cell in sheet[1]}
    for row in sheet.iter_rows(min_row=2):
        if row[columns["template_id"] - 1].value == template:
            assert row[columns["links"] - 1].value.splitlines()[0] == f"annotator-1: {link}"
            row[columns["label"] - 1].value = "ST"
            row[columns["why"] - 1].value = "agreed"
    book.save(path)


def test_a_damaged_record_of_pulls_has_a_way_out(
    curate: Curate, demo: Path, server: FakeServer
) -> None:
    """It is deleted, and the next pull writes it anew."""
    push(curate, demo, "classify")
    pull(curate, demo, "classify")
    path = demo / "annotations" / "pulled.json"
    whole = path.read_bytes()
    path.write_text("{", encoding="utf-8")
    ran = curate("status", "-w", demo)
    assert (ran.code, "annotations/pulled.json" in ran.err, "delete it" in ran.err) == (
        1,
        True,
        True,
    )
    path.unlink()
    assert counts(status(curate, demo)) == [("classify", 1, "", None, 0, 0, 29, "")]
    pull(curate, demo, "classify")
    assert path.read_bytes() == whole
