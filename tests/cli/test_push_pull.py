"""`curate push` and `curate pull`, against a server in memory."""

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.annotation.labelstudio.fake import FakeServer, choices, text

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


def test_a_second_account_of_a_person_is_told_in_people(
    curate: Curate, demo: Path, server: FakeServer
) -> None:
    """By the number of the first in column same_as; both are one annotator then."""
    push(curate, demo, "classify")
    server.annotate(1, "age-001", 1, ST)
    server.annotate(1, "age-002", 2, TM)
    people = demo / "annotations" / "people.csv"
    assert pull(curate, demo, "classify")["annotators"] == {"annotator-1": 1, "annotator-2": 1}
    head = "user,email,annotator,same_as\n1,,Kim,\n"
    people.write_text(f"{head}2,,,1\n", encoding="utf-8")
    assert pull(curate, demo, "classify")["annotators"] == {"Kim": 2}
    for row, said in (
        ("2,,Kim,", "write 1 in column same_as of user 2"),
        ("2,,,9", "column same_as"),
        ("2,,,2", "column same_as"),
        ("1,,Lee,", "user 1 occurs twice"),
        ("x,,Lee,", "'x' is not the number of a user"),
    ):
        people.write_text(f"{head}{row}\n", encoding="utf-8")
        ran = curate("pull", "classify", "-w", demo)
        assert (ran.code, said in ran.err) == (1, True)


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
