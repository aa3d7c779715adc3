"""Pushing: every task once, whatever breaks on the way."""

import json

import pytest

from curation.annotation.labelstudio.client import ServerFault, Setup
from curation.annotation.labelstudio.push import CHUNK, ProjectPlan, Pusher
from curation.annotation.labelstudio.store import load_state
from curation.annotation.labelstudio.tasks import Task, page_of
from curation.records.messages import CurateError
from tests.annotation.labelstudio.fake import FakeServer, choices, fault

PAGE = page_of("classify", "en", "en")
SETUP = Setup(PAGE, "<p>Rules</p>", 3)


@pytest.fixture
def server():
    return FakeServer()


def tasks(count, text="text"):
    return tuple(
        Task(f"age-{at:05d}", {"ambiguous_context": f"{text} {at}"}) for at in range(count)
    )


def push(server, path, wanted, *, update=False, again=(), setup=SETUP, keeps=True):
    plan = ProjectPlan("classify", "", "Demo classify", setup, wanted, keeps)
    pusher = Pusher(server, load_state(path), wait=lambda _seconds: None)
    return pusher.push(plan, update=update, again=again)


def uids(server, project=1):
    return sorted(task["data"]["uid"] for task in server.tasks[project].values())


@pytest.fixture
def path(tmp_path):
    return tmp_path / "labelstudio.json"


def test_tasks_go_in_chunks(server, path):
    """No request holds more than it can."""
    push(server, path, tasks(1200))
    push(server, path, tasks(1201))
    assert [size for name, size in server.calls if name == "send"] == [500, 500, 200, 1]


def test_a_listing_that_ends_early_sends_nothing(server, path):
    """Else what is there would be sent again."""
    push(server, path, tasks(3))
    listing = server.listing
    server.listing = lambda project: listing(project)[:-1]
    server.calls.clear()
    with pytest.raises(CurateError, match="says that it holds 3 tasks and lists 2"):
        push(server, path, tasks(3))
    assert {name for name, _ in server.calls} == {"project", "listing"}


@pytest.mark.parametrize("status", [None, 500, 502, 408])
def test_a_chunk_that_arrived_in_spite_of_a_failure_is_not_sent_again(server, path, status):
    """A timeout is no failure of the work."""
    server.failures["send"] = [None, (fault(status, uncertain=True), True)]
    push(server, path, tasks(1200))
    assert uids(server) == [task.uid for task in tasks(1200)]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, None])
def test_a_refusal_ends_the_push_at_once(server, path, status):
    """As does a server that is gone; what was sent is written down, and the next push goes on."""
    server.failures["send"] = [None, fault(status)]
    with pytest.raises(ServerFault):
        push(server, path, tasks(1200))
    assert [name for name, _ in server.calls].count("send") == 2
    state = load_state(path)
    assert len(state.kind("classify").projects[""].tasks) == CHUNK
    assert push(server, path, tasks(1200))["sent"] == 700
    assert uids(server) == [task.uid for task in tasks(1200)]


def test_a_project_that_was_made_without_an_answer_is_found(server, path):
    """No second one is made; the same after a push that died before it wrote the number down."""
    server.failures["create"] = [(fault(uncertain=True), True)]
    assert push(server, path, tasks(3))["created"] is True
    assert push(server, path, tasks(3))["created"] is False
    assert list(server.found) == [1]
    state = json.loads(path.read_text())
    state["kinds"]["classify"]["projects"] = {}
    path.write_text(json.dumps(state))
    assert push(server, path, tasks(3))["created"] is False
    assert list(server.found) == [1]


def test_tasks_that_stand_twice_are_taken_out(server, path):
    """The one that somebody annotated is kept, whichever came first."""
    push(server, path, tasks(3))
    server.send(1, [task.data for task in tasks(3)])
    later = [n for n, task in server.tasks[1].items() if task["data"]["uid"] == "age-00001"][1]
    server.tasks[1][later]["annotations"].append({"id": 9})
    again = push(server, path, tasks(3))
    assert (again["removed"], again["strange"]) == (3, [])
    assert later in server.tasks[1]
    assert uids(server) == [task.uid for task in tasks(3)]


def test_tasks_that_the_server_lost_are_an_error(server, path):
    """Counts are compared at the end."""
    push(server, path, tasks(2))
    server.failures["send"] = [None]
    send = server.send
    server.send = lambda project, data, _: send(project, data[:-1])
    with pytest.raises(CurateError, match="1 of 4 tasks are not in project 1: age-00003"):
        push(server, path, tasks(4))


def test_what_is_shown_in_another_way_is_replaced_even_where_it_was_annotated(server, path):
    """With update; it asks about the same."""
    push(server, path, tuple(Task(t.uid, t.shown, "v1") for t in tasks(2)))
    server.annotate(1, "age-00001", 1, [choices("decision", "ST")])
    more = tuple(Task(t.uid, {**t.shown, "example": "new"}, "v1") for t in tasks(2))
    assert push(server, path, more)["changed"] == ["age-00000", "age-00001"]
    done = push(server, path, more, update=True)
    assert (done["updated"], done["annotated"]) == (["age-00000", "age-00001"], [])
    assert [len(task["annotations"]) for task in server.tasks[1].values()] == [0, 1]


def test_a_project_takes_another_number_of_annotations(server, path):
    """Where one is asked for; without, it keeps the one that it has."""
    push(server, path, tasks(1))
    other = Setup(PAGE, SETUP.instructions, 5)
    assert push(server, path, tasks(1), setup=other)["page_changed"] is False
    assert server.found[1]["setup"].annotations == 3
    assert push(server, path, tasks(1), setup=other, keeps=False)["page_changed"] is False
    assert server.found[1]["setup"] == other


def test_another_project_under_the_number_is_refused(server, path):
    """As when the address names another server."""
    push(server, path, tasks(1))
    server.found[1]["description"] = "Cats and dogs"
    with pytest.raises(CurateError, match="does not have the description"):
        push(server, path, tasks(2))
    assert len(server.tasks[1]) == 1


@pytest.mark.parametrize("content", ["", "{", "[]", '{"version": 2}', '{"version": 1}', "null"])
def test_a_damaged_record_is_refused(server, path, content):
    """Nothing is sent on the strength of half a record."""
    path.write_text(content)
    with pytest.raises(CurateError):
        push(server, path, tasks(1))
    assert server.calls == []
