"""Pulling: every annotation is read whole or refused, and exports are kept first."""

import json
from dataclasses import replace

import pytest

from curation.annotation.labelstudio.answers import Answers, kind_of
from curation.annotation.labelstudio.client import Setup
from curation.annotation.labelstudio.pull import pull_project, read_export
from curation.annotation.labelstudio.tasks import Task, page_of
from curation.files.workspace import Workspace
from curation.records.messages import CurateError, Severity
from tests.annotation.labelstudio.fake import FakeServer, choices, text

AT = "2026-01-01T00:00:00Z"
TASKS = [Task(f"age-{at:03d}", {"ambiguous_context": f"text {at}"}) for at in range(3)]
GOOD = [choices("decision", "ST")]


@pytest.fixture
def server():
    server = FakeServer()
    server.create("Demo", "", Setup("<View/>", "", 3))
    server.send(1, [task.data for task in TASKS])
    return server


def pull(server, folder, kind="classify"):
    project = server.project(1)
    current = {task.uid: task.hash for task in TASKS}
    return pull_project(
        server, project, kind_of(kind), page(kind), current, list(current), folder, AT
    )


def page(kind="classify"):
    return page_of(kind, "en", "en")


def messages(fetched):
    return [finding.message for finding in fetched.findings]


def said_in(name, kind, **value):
    return [{"from_name": name, "type": kind, **value}]


@pytest.mark.parametrize(
    ("result", "user", "why"),
    [
        ([], 1, "it is empty"),
        (None, 1, "its result is not as the page stores it"),
        ([{"foo": 1}], 1, "its result.0.from_name is not as the page stores it"),
        (["x"], 1, "its result.0 is not as the page stores it"),
        ([choices("sentiment", "ST")], 1, "there is no question 'sentiment'"),
        ([choices("decision", "NC")], 1, "'NC' is not a choice of 'decision'"),
        ([choices("decision", "Sample-Removed")], 1, "'Sample-Removed' is not a choice of"),
        ([choices("decision", "ST", "TM")], 1, "has 2 choices where one is asked for"),
        ([choices("decision")], 1, "has 0 choices where one is asked for"),
        ([*GOOD, *GOOD], 1, "'decision' is answered twice"),
        ([text("decision", "ST")], 1, "answer to 'decision' is of another kind"),
        (said_in("decision", "choices"), 1, "its result.0.value is not"),
        (said_in("decision", "choices", value={"choices": "ST"}), 1, "value.choices is not"),
        (said_in("remark", "textarea", value={"text": [1]}), 1, "is not as the page stores it"),
        (said_in("remark", "textarea", value={"x": "a"}), 1, "answer to 'remark' is no text"),
        (GOOD, None, "its user was deleted"),
        (GOOD, 99, "user 99 is not one of the server's users"),
    ],
)
def test_what_cannot_be_is_refused(server, tmp_path, result, user, why):
    """It is counted and said; the good one beside it is taken."""
    server.annotate(1, "age-001", user, result)
    server.annotate(1, "age-001", 2, GOOD)
    found = pull(server, tmp_path)
    assert [a.user for a in found.answers] == [2]
    assert (found.counts["refused"], found.counts["taken"]) == (1, 1)
    assert len(found.findings) == 1
    assert found.findings[0].severity is Severity.ERROR
    assert why in found.findings[0].message


def test_answers_about_texts_that_changed_are_left_out_and_counted(server, tmp_path):
    """Of three one is about a text that stands."""
    for task in TASKS:
        server.annotate(1, task.uid, 1, GOOD)
    changed = [replace(task, version="x") for task in TASKS[1:]]
    tasks = {task.uid: task for task in (TASKS[0], *changed)}
    given = pull(server, tmp_path).answers
    answers = Answers(Workspace(tmp_path), given, frozenset(), tasks)
    assert [item.uid for item in answers.chosen("decision")] == ["age-000"]
    assert [item.message.partition(" answers ")[0] for item in answers.findings] == ["2"]


def test_the_newest_of_one_person_counts(server, tmp_path):
    """By the time of the last change, not of the making; the others are said."""
    for label, at in (("ST", "05"), ("TM", "09"), ("SR", "01")):
        server.annotate(
            1, "age-000", 1, [choices("decision", label)], updated_at=f"2026-01-{at}T00:00:00Z"
        )
    found = pull(server, tmp_path)
    assert [dict(a.said) for a in found.answers] == [{"decision": "TM"}]
    assert found.counts["older"] == 2
    assert messages(found) == [
        "age-000: user 1 annotated it 3 times; the newest counts: http://fake/projects/1/data?task=2"
    ]


def test_a_task_that_was_edited_on_the_server_is_refused(server, tmp_path):
    """With all its annotations: nobody knows what was looked at."""
    server.annotate(1, "age-000", 1, GOOD)
    server.tasks[1][2]["data"]["ambiguous_context"] = "corrected"
    found = pull(server, tmp_path)
    assert found.answers == []
    assert found.counts["refused"] == 1
    assert "its text (age-000) was changed on the server" in messages(found)[0]


def test_a_foreign_task_is_said(server, tmp_path):
    """It is an error only if somebody annotated it."""
    server.send(1, [{"text": "mine"}])
    found = pull(server, tmp_path)
    assert [finding.severity for finding in found.findings] == [Severity.WARNING]
    assert "no push made it" in messages(found)[0]


def test_a_template_that_changed_since_is_said(server, tmp_path):
    """The answer is given with the version that was looked at."""
    project = server.project(1)
    server.annotate(1, "age-000", 1, GOOD)
    server.annotate(1, "age-001", 1, GOOD)
    current = {"age-000": "new", "age-002": "x"}
    found = pull_project(server, project, kind_of("classify"), page(), current, [], tmp_path, AT)
    assert messages(found) == [
        "1 annotated task changed after being annotated: age-000",
        "1 annotated task not to be annotated any more: age-001",
    ]
    assert [a.data["hash"] for a in found.answers] == [TASKS[0].hash, TASKS[1].hash]


def test_a_short_export_is_refused(server, tmp_path):
    """It is kept, and nothing is taken from it."""
    project = server.project(1)
    data = json.dumps(json.loads(server.export(1))[:2]).encode()
    server.export = lambda _project: data
    with pytest.raises(CurateError, match="holds 2 tasks but the project has 3"):
        pull_project(server, project, kind_of("classify"), page(), {}, [], tmp_path, AT)
    (kept,) = tmp_path.glob("labelstudio-classify-1-*[0-9a-f].json")
    assert kept.read_bytes() == data


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b"<html>", b"[", b"\xff"])
def test_what_is_no_export_is_refused(server, data):
    """Such as a page of a proxy."""
    with pytest.raises(CurateError, match="not a list of tasks"):
        read_export(data, server.project(1))
