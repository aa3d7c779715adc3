"""How far everybody is, as the last pulls saw it."""

import pytest

from curation.annotation.labelstudio.store import (
    KindState,
    Links,
    PulledProject,
    Sent,
    load_state,
    save_pulls,
    state_file,
    work_of,
)
from curation.files.workspace import Workspace

AT = "2026-01-01T00:00:00Z"
TASKS = {f"a-{at}": f"hash {at}" for at in range(1, 6)}
ALL, OWN = 1, 2
"""The project of all annotators, and that of Kim."""


@pytest.fixture
def workspace(tmp_path):
    """A workspace from which five tasks of classification were pushed to two projects."""
    made = Workspace(tmp_path)
    state = load_state(state_file(made))
    state.url = "http://ls"
    sent = {"": Sent(ALL, "all", tasks=dict(TASKS)), "Kim": Sent(OWN, "Kim", tasks=dict(TASKS))}
    state.kinds["classify"] = KindState(projects=sent)
    state.save()
    return made


def seen(done, *left, **more):
    """What a pull saw: how many everybody did; name, task and state of what people left."""
    tasks = {name: [*TASKS][:count] for name, count in done.items()}
    found = {}
    for name, task, state in map(str.split, left):
        found.setdefault(name, {})[task] = state
    return PulledProject(AT, tasks, open=found, **more)


Row = tuple[str, int | None, int, int, int | None]


def rows(workspace, project):
    return [
        tuple(work[name] for name in ("annotator", "done", "skipped", "drafts", "left"))
        for work in work_of(workspace)
        if work["project"] == project
    ]


def test_a_project_of_one_is_its_owner_s(workspace):
    """The one of that name, or who alone works in it; others owe nothing there."""
    for done, left, wanted in [
        (None, [], [("Kim", None, 0, 0, 5)]),
        ({}, [], [("Kim", 0, 0, 0, 5)]),
        ({"MrKim": 2}, [], [("MrKim", 2, 0, 0, 3)]),
        ({"KIM": 2, "Lee": 1}, [], [("KIM", 2, 0, 0, 3), ("Lee", 1, 0, 0, None)]),
        ({"A": 2, "B": 1}, [], [("Kim", 0, 0, 0, 5), ("A", 2, 0, 0, None), ("B", 1, 0, 0, None)]),
        ({"Kim": 3}, ["Kim a-1 skipped", "Kim a-2 draft"], [("Kim", 3, 1, 1, 0)]),
        ({"Kim": 2}, ["Kim a-1 skipped", "Kim a-2 draft"], [("Kim", 2, 1, 1, 1)]),
        ({"Kim": 5}, ["Kim a-1 skipped"], [("Kim", 5, 1, 0, 0)]),
        ({}, ["Lee a-1 draft"], [("Lee", 0, 0, 1, 4)]),
    ]:
        if done is not None:
            save_pulls(workspace, "classify", {str(OWN): seen(done, *left)})
        assert rows(workspace, OWN) == wanted


def test_a_project_of_all_is_told_as_a_whole_and_by_person(workspace):
    """What is complete counts for all; nobody in particular owes the rest."""
    assert rows(workspace, ALL) == [("", None, 0, 0, 5)]
    found = seen({"Kim": 4, "Lee": 2}, "Lee a-5 draft", complete=2)
    save_pulls(workspace, "classify", {str(ALL): found})
    assert rows(workspace, ALL) == [
        ("", 2, 0, 0, 3),
        ("Kim", 4, 0, 0, None),
        ("Lee", 2, 0, 1, None),
    ]
    save_pulls(workspace, "classify", {str(ALL): seen({"Kim": 5}, complete=9)})
    assert rows(workspace, ALL)[0] == ("", 5, 0, 0, 0)


def test_links_lead_to_a_task_or_else_to_its_project(workspace):
    """By the number that the last pull saw; nowhere before a push."""
    found = seen({}, "Kim a-1 draft", "Kim a-2 skipped", numbers={"a-1": 71})
    save_pulls(workspace, "classify", {str(OWN): found})
    (work,) = [item for item in work_of(workspace) if item["project"] == OWN]
    place = "http://ls/projects/2/data"
    assert [(*item.values(),) for item in work["open"]] == [
        ("a-1", "draft", f"{place}?task=71"),
        ("a-2", "skipped", place),
    ]
    links = Links(workspace)
    assert links.of_source("classify", "labelstudio:2", "a-1") == f"{place}?task=71"
    assert links.of_source("classify", "annotations/raw/x.xlsx", "a-1") == ""
    none = Links(Workspace(workspace.root / "new"))
    assert (none.project(2), none.task("classify", 2, "a-1")) == ("", "")
