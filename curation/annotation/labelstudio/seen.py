"""What the last pulls saw: how far everybody is, and where each task is to be looked at.

It is kept in `annotations/pulled.json`, so that `curate status` asks no server. The file holds no
texts and nothing secret; the next pull writes it anew.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from pydantic import TypeAdapter

from curation.annotation.labelstudio.answers import FROM_SERVER, Fetched, Person
from curation.annotation.labelstudio.state import KindState, Sent, State, load_state, state_file
from curation.annotation.labelstudio.unfinished import (
    DRAFT,
    SKIPPED,
    UNFINISHED,
    Unfinished,
    read_unfinished,
)
from curation.files.annotations import AnnotationsFolder
from curation.files.atomic import atomic_text
from curation.files.tables import read_text
from curation.files.workspace import Workspace
from curation.records.annotation import person_key
from curation.records.errors import CurateError

_VERSION = 1


@dataclass(slots=True)
class Seen:
    """One project as the last pull saw it.

    Attributes:
        at: When it was pulled, UTC, ISO 8601.
        done: By annotator, how many of its tasks they have answered as they are there.
        complete: How many of its tasks have as many answers as are wanted.
        numbers: By uid, the task's number on the server.
    """

    at: str
    done: dict[str, int] = field(default_factory=dict)
    complete: int = 0
    numbers: dict[str, int] = field(default_factory=dict)


Pulls = dict[str, dict[str, Seen]]
"""By kind of task and by number of the project."""


def pulled_file(workspace: Workspace) -> Path:
    """Where it is kept what the last pulls saw."""
    return AnnotationsFolder(workspace.root).folder / "pulled.json"


def read_pulls(workspace: Workspace) -> Pulls:
    """What the last pulls saw; nothing without a file.

    Raises:
        CurateError: If the file cannot be read.
    """
    path = pulled_file(workspace)
    if not path.exists():
        return {}
    try:
        value = json.loads(read_text(path))
        if value["version"] != _VERSION:
            raise ValueError
        return TypeAdapter(Pulls).validate_python(value["kinds"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise CurateError(
            "the record of what was pulled was damaged or is of another version",
            workspace.shown(path),
            "delete it: the next 'curate pull' writes it again",
        ) from error


def save_pulls(workspace: Workspace, kind: str, found: Mapping[str, Seen]) -> None:
    """Write what was seen of a kind in the place of what was; other kinds stay.

    Raises:
        CurateError: If the file cannot be read or written.
    """
    every = {**read_pulls(workspace), kind: found}
    kinds = {
        name: {number: asdict(seen) for number, seen in sorted(projects.items())}
        for name, projects in sorted(every.items())
    }
    with atomic_text(pulled_file(workspace)) as stream:
        stream.write(f"{json.dumps({'version': _VERSION, 'kinds': kinds}, ensure_ascii=False)}\n")


def seen_of(
    fetched: Mapping[str, Fetched],
    sent: Mapping[str, Sent],
    people: Mapping[int, Person],
    usual: int,
    at: str,
) -> dict[str, Seen]:
    """What a pull saw of a kind, by number of the project.

    Args:
        fetched: By the name under which it was pushed, what a project holds.
        sent: What was pushed to each.
        people: Who is who.
        usual: How many annotations of a task are wanted where the record does not say.
        at: When.
    """
    found = {}
    for name, item in fetched.items():
        there = sent[name].tasks
        answered = {
            (answer.uid, people[answer.user].annotator)
            for answer in item.answers
            if answer.data.get("hash") == there.get(answer.uid)
            if people[answer.user].annotator
        }
        done = Counter(person for _, person in answered)
        each = Counter(uid for uid, _ in answered)
        wanted = 1 if name else min(sent[name].annotations or usual, len(done))
        complete = sum(count >= wanted for count in each.values())
        numbers = dict(sorted(item.numbers.items()))
        found[str(item.project.id)] = Seen(at, dict(sorted(done.items())), complete, numbers)
    return found


def project_link(url: str, project: object) -> str:
    """Where a project is to be looked at."""
    return f"{url}/projects/{project}/data"


class Links:
    """Where projects and tasks are to be looked at, without asking the server.

    Args:
        workspace: The workspace.

    Raises:
        CurateError: If a record of what was pushed or pulled cannot be read.
    """

    def __init__(self, workspace: Workspace) -> None:
        path = state_file(workspace)
        self._state = load_state(path) if path.exists() else State(path, "")
        self._pulls = read_pulls(workspace)

    @property
    def url(self) -> str:
        """The server; empty where nothing was pushed."""
        return self._state.url

    def project(self, project: object) -> str:
        """Where a project is to be looked at; empty where the server is not known."""
        return project_link(self.url, project) if self.url else ""

    def task(self, kind: str, project: object, uid: str) -> str:
        """Where a task is to be looked at; its project where its number is not known."""
        seen = self._pulls.get(kind, {}).get(str(project))
        number = seen.numbers.get(uid) if seen else None
        place = self.project(project)
        return f"{place}?task={number}" if place and number is not None else place

    def of_source(self, kind: str, source: str, uid: str) -> str:
        """Where a task is to be looked at, by the `source_file` of an answer; else nothing."""
        if not source.startswith(FROM_SERVER):
            return ""
        return self.task(kind, source.removeprefix(FROM_SERVER), uid)

    def kinds(self) -> Mapping[str, KindState]:
        """What was pushed, by kind of task."""
        return self._state.kinds

    def seen(self, kind: str, project: int) -> Seen | None:
        """What the last pull saw of a project; None before the first one."""
        return self._pulls.get(kind, {}).get(str(project))


@dataclass(frozen=True, slots=True)
class OpenTask:
    """A task that somebody skipped or began: its uid, `skipped` or `draft`, and where it is."""

    task: str
    state: str
    link: str


@dataclass(frozen=True, slots=True)
class Work:
    """How far one person is in one project, or a project as a whole.

    Attributes:
        kind: Kind of task.
        project: The project's number on the server.
        link: Where the project is to be looked at.
        annotator: Who; empty for all in a project of all.
        tasks: How many tasks there are.
        done: How many are answered, or have as many answers as are wanted; None before a pull.
        skipped: How many were skipped.
        drafts: How many were begun and not submitted.
        left: How many nobody has looked at who should; None where nobody in particular should.
        pulled_at: When that was seen, UTC, ISO 8601; empty before the first pull.
        open: What was skipped or begun.
    """

    kind: str
    project: int
    link: str
    annotator: str
    tasks: int
    done: int | None
    skipped: int
    drafts: int
    left: int | None
    pulled_at: str
    open: tuple[OpenTask, ...] = ()


def work_of(workspace: Workspace) -> list[Work]:
    """How far everybody is in each project, as the last pulls saw it; the server is not asked.

    Raises:
        CurateError: If a record of what was pushed or pulled cannot be read.
    """
    links = Links(workspace)
    unfinished = read_unfinished(AnnotationsFolder(workspace.root).folder / UNFINISHED)
    return [
        work
        for kind, state in links.kinds().items()
        for name, sent in state.projects.items()
        for work in _in_project(
            links,
            kind,
            name,
            sent,
            [i for i in unfinished if (i.kind, i.project) == (kind, str(sent.id))],
        )
    ]


def _in_project(
    links: Links, kind: str, name: str, sent: Sent, unfinished: list[Unfinished]
) -> Iterator[Work]:
    """How far people are in a project: its owner first, or all of them together."""
    seen, count = links.seen(kind, sent.id), len(sent.tasks)
    done = seen.done if seen else {}
    people = sorted({*done, *(item.annotator for item in unfinished)})
    owner = _owner(name, people)
    at, place = seen.at if seen else "", links.project(sent.id)
    if not name:
        complete = min(seen.complete, count) if seen else None
        left = count - (complete or 0)
        yield Work(kind, sent.id, place, "", count, complete, 0, 0, left, at)
    for person in dict.fromkeys((*((owner,) if name else ()), *people)):
        mine = [item for item in unfinished if item.annotator == person]
        skipped, drafts = _count(mine, SKIPPED), _count(mine, DRAFT)
        answered = done.get(person, 0) if seen else None
        left = max(0, count - (answered or 0) - skipped - drafts)
        tasks = (OpenTask(i.task, i.state, links.task(kind, sent.id, i.task)) for i in mine)
        yield Work(
            *(kind, sent.id, place, person, count, answered, skipped, drafts),
            *(left if name and person == owner else None, at, tuple(tasks)),
        )


def _owner(name: str, people: list[str]) -> str:
    """Under which name the one stands whose project it is."""
    same = [person for person in people if person_key(person) == person_key(name)]
    alone = people if len(people) == 1 else []
    return next(iter([*same, *alone, name]))


def _count(unfinished: Iterable[Unfinished], state: str) -> int:
    return sum(item.state == state for item in unfinished)
