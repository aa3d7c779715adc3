"""Annotators who come late or leave, a second round, and a record that is lost or not shared."""

import shutil
from pathlib import Path

import pytest

from curation.annotation.classify import collect_labels, current_labels
from curation.annotation.labelstudio.pull import pull_answers
from curation.annotation.labelstudio.push import adopt_projects, push_tasks
from curation.annotation.labelstudio.store import load_state, state_file, work_of
from curation.annotation.suggestions import suggest_labels
from curation.bank.merge import move_templates
from curation.files.annotations import CLASSIFY_TABLE
from curation.files.workspace import Workspace
from curation.records.annotation import Annotation
from curation.records.bank import Label
from curation.records.messages import CurateError
from tests.annotation.labelstudio.fake import FakeServer, choices, text

DEMO = Path(__file__).parents[3] / "templates_src" / "demo"
KIM, LEE = 1, 2
"""Numbers of users."""


@pytest.fixture
def workspace(tmp_path):
    shutil.copytree(DEMO, tmp_path / "demo")
    return Workspace(tmp_path / "demo")


@pytest.fixture
def server():
    """A server with a project each of Kim and Lee; they have a part in common."""
    return FakeServer()


def given(workspace):
    found = load_state(state_file(workspace)).kind("classify").allotted
    return {name: set(uids) for name, uids in found.items()}


def held(server, project):
    return {task["data"]["uid"] for task in server.tasks[project].values()}


def number(server, name):
    return next(at for at, found in server.found.items() if found["title"].endswith(name))


def push(workspace, server, *names, **how):
    """Push labels to be given; says what was moved."""
    found = push_tasks(workspace, "classify", annotators=names, server=server, **how)
    return found["moved"]


@pytest.mark.parametrize("overlap", [None, 3])
def test_open_tasks_go_to_another_annotator(workspace, server, overlap):
    """What was begun stays where it is; who has given them away gets no more unless named."""
    push(workspace, server, "Kim", "Lee", overlap=overlap)
    before, kim = given(workspace), number(server, "Kim")
    begun = sorted(before["Kim"])[0]
    server.annotate(kim, begun, KIM, [choices("decision", "ST")])
    found = push_tasks(workspace, "classify", server=server, reassign=("Kim", "Ann"))
    moved, strange = found["moved"], [uid for one in found["projects"] for uid in one["strange"]]
    assert set(moved) == before["Kim"] - {begun}
    assert held(server, kim) == {begun} == given(workspace)["Kim"]
    assert strange == []
    assert held(server, number(server, "Ann")) == set(moved)
    assert push(workspace, server) == ()
    assert given(workspace)["Kim"] == {begun} and given(workspace)["Lee"] >= before["Lee"]
    push(workspace, server, "Kim")
    assert given(workspace)["Kim"] > {begun}
    with pytest.raises(CurateError, match="divide the tasks in different ways"):
        push(workspace, server, reassign=("Kim", "Ann"), overlap=20)
    with pytest.raises(CurateError, match="cannot be given"):
        push(workspace, server, reassign=("Nobody", "Ann"))


def test_a_second_round_is_about_categories_of_low_agreement(workspace, server):
    """Their templates go to a new annotator, and no others do, then or later.

    Nor does one that they have labelled in a workbook; who has labelled all gets no project.
    """
    push(workspace, server, "Kim", "Lee")
    for uid in sorted(given(workspace)["Kim"]):
        kim, lee = ("ST", "TM") if uid.startswith("age") else ("ST", "ST")
        last = "TM" if uid == "hobby-001" else ""
        server.annotate(number(server, "Kim"), uid, KIM, [choices("decision", last or kim)])
        server.annotate(number(server, "Lee"), uid, LEE, [choices("decision", last or lee)])
    pull_answers(workspace, "classify", server=server)
    low = sorted(uid for uid in given(workspace)["Kim"] if uid.startswith("age"))
    by_book = [("ann", low[0]), *(("Bo", uid) for uid in low)]
    table = workspace.annotations.classify
    book = [Annotation(uid, name, Label("ST"), source_file="a.xlsx") for name, uid in by_book]
    CLASSIFY_TABLE.append(table, book)
    push(workspace, server, "Ann", "Bo", below=0.6)
    found = given(workspace)["Ann"]
    assert found == {*low[1:]} and "Bo" not in given(workspace)
    push(workspace, server)
    assert given(workspace)["Ann"] == found
    with pytest.raises(CurateError, match="in no category"):
        push(workspace, server, below=-1.0)


def test_who_labelled_a_template_that_moves_is_not_asked_again(workspace, server):
    """Their labels count under its new id, and others are asked under the former one."""
    suggest_labels(workspace, templates=["Age"])
    push(workspace, server, "Kim", "Lee", hidden=["none"])
    for name, user in (("Kim", KIM), ("Lee", LEE)):
        server.annotate(number(server, name), "age-001", user, [choices("decision", "ST")])
    before = held(server, number(server, "Kim"))
    move_templates(workspace, {"age-001": "Youth", "age-002": "Youth"})
    later = Workspace(workspace.root)
    push(later, server, "Kim", "Lee", "Ann")
    assert [held(server, number(server, name)) for name in ("Kim", "Ann")] == [before, before]
    pull_answers(later, "classify", server=server)
    labels = current_labels(later)
    assert labels.ratings["youth-001"] == {"Kim": "ST", "Lee": "ST"}
    assert labels.asked["youth-001"] == {"Kim", "Lee", "Ann"}
    assert "youth-002" in labels.missing["Kim"] and "youth-001" not in labels.missing["Kim"]
    shown = collect_labels(later)["suggestions"][0]
    assert (shown["view"], shown["labels"]) == ("shown", 2)


def test_a_lost_record_is_made_again_of_what_the_server_holds(workspace, server):
    """Without it a push is refused before it makes a second project for anybody."""
    push(workspace, server, "Kim", "Lee", overlap=3)
    server.annotate(number(server, "Kim"), sorted(given(workspace)["Kim"])[0], KIM, [])
    path = state_file(workspace)
    before = load_state(path)
    path.unlink()
    for name in ("Kim", "Ann"):  # there is none of Ann's, but the record is lost all the same
        with pytest.raises(CurateError, match="another workspace"):
            push(workspace, server, name)
    assert len(server.found) == 2
    path.unlink(missing_ok=True)
    assert len(adopt_projects(workspace, server)) == 2
    after = load_state(path)
    assert after.workspace == before.workspace and after.kinds == before.kinds
    with pytest.raises(CurateError, match="has projects of its own"):
        adopt_projects(workspace, server)
    path.unlink()
    lee = server.found[number(server, "Lee")]
    server.create("Other", "no mark", lee["setup"])
    lee["description"] = lee["description"].replace(before.workspace, "x")
    with pytest.raises(CurateError, match="projects of 2 workspaces"):
        adopt_projects(workspace, server)


def test_a_task_of_all_is_complete_when_as_many_as_are_asked_have_answered(workspace, server):
    """Two are to label each: one task has both, the other one of them."""
    push(workspace, server, annotations=2)
    for user, uid in ((KIM, "age-001"), (KIM, "age-002"), (LEE, "age-001")):
        server.annotate(1, uid, user, [choices("decision", "ST")])
    pull_answers(workspace, "classify", server=server)
    assert [work["done"] for work in work_of(workspace)] == [1, 2, 1]


def test_what_stands_in_a_draft_is_told(workspace, server):
    """Whose it is, and what they have written so far; also before they skipped a task."""
    push(workspace, server, "Kim")
    uid = sorted(given(workspace)["Kim"])[0]
    for task in server.tasks[number(server, "Kim")].values():
        if task["data"]["uid"] == uid:
            said = [choices("decision", "SR"), text("removal_reason", "nobody  says so")]
            task["drafts"] = [{"user": "kim@example.org", "result": said}]
    found = pull_answers(workspace, "classify", server=server)["findings"]
    (draft,) = [one for one in found if one.rule == "labelstudio-draft"]
    assert draft.message.startswith("Kim began")
    assert f"{uid}: SR; nobody says so" in draft.message
    other = sorted(given(workspace)["Kim"])[1]
    said = [text("remark", "ask  Lee")]
    server.annotate(number(server, "Kim"), other, KIM, said, was_cancelled=True)
    found = pull_answers(workspace, "classify", server=server)["findings"]
    (skipped,) = [one for one in found if one.rule == "labelstudio-skipped"]
    assert skipped.message == f"Kim skipped 1 task: {other}; in it stands: {other}: ask Lee"
    for task in server.tasks[number(server, "Kim")].values():
        task.pop("drafts", None)  # what an earlier export held is no draft any more
        task["annotations"] = []
    assert pull_answers(workspace, "classify", server=server)["unfinished"] == ()


def test_a_project_of_another_server_is_looked_for_there(workspace, server):
    """As where one was pushed to and another is started on this machine."""
    push(workspace, server, "Kim")
    other = FakeServer()
    before, other.url = server.url, "http://127.0.0.1:9"
    with pytest.raises(CurateError) as gone:
        push(workspace, other)
    assert gone.value.hint.startswith(f"it was pushed to {before}: go on there")


def test_a_project_that_is_gone_keeps_nobody_else_waiting(workspace, server):
    """Each is named at the end; who comes now has theirs, and that is said."""
    push(workspace, server, "Kim", "Lee", "Jo")
    for name in ("Kim", "Lee"):
        del server.found[number(server, name)]
    said = r"Kim'\) is not .*; project .*Lee'\) is not .*; all others have their tasks"
    with pytest.raises(CurateError, match=said):
        push(workspace, server, "Ann")
    assert held(server, number(server, "Ann")) == given(workspace)["Ann"] != set()


def test_a_project_that_another_copy_made_is_told(workspace, server):
    """What is annotated there does not count here; that of another workspace is no matter."""
    push(workspace, server, "Kim", "Lee")
    state = load_state(state_file(workspace))
    for known in (state.kind("classify").projects, state.kind("classify").allotted):
        del known["Lee"]
    state.save()
    found = pull_answers(workspace, "classify", server=server)["findings"]
    assert [(one.rule, "'Marevia classify Lee'" in one.message) for one in found] == [
        ("labelstudio-other", True)
    ]
    lee = server.found[number(server, "Lee")]
    lee["description"] = lee["description"].replace(state.workspace, "x")
    assert pull_answers(workspace, "classify", server=server)["findings"] == ()


def test_a_page_with_suggestions_is_no_edited_one(workspace, server):
    """Of who sees them another page was pushed than of who does not."""
    suggest_labels(workspace)
    push(workspace, server, "Kim", "Lee", hidden=["Lee"])
    configs = {one["setup"].config for one in server.found.values()}
    assert len(configs) == 2
    assert pull_answers(workspace, "classify", server=server)["findings"] == ()
