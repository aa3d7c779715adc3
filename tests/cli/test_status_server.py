"""How far people are in Label Studio, by project and person; against a server in memory."""

from pathlib import Path
from typing import Any

import pytest

from tests.annotation.labelstudio.fake import FakeServer

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
