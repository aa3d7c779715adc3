"""What was pushed to a Label Studio server, and what the last pulls saw there.

`annotations/labelstudio.json` holds what pushes sent, `annotations/pulled.json` what pulls saw.
Each is written by one of the two alone, so that they may run side by side. They hold no texts and
nothing secret. `curate status` reads them and asks no server.
"""

import json
import uuid
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter

from curation.files.atomic import write_file
from curation.files.tables import read_text
from curation.files.workspace import Workspace
from curation.records.annotation import person_key
from curation.records.messages import refusal

FROM_SERVER = "labelstudio:"
"""How `source_file` begins of what comes from a project; its number follows."""
SKIPPED, DRAFT = "skipped", "draft"
OPEN_WORDS = {SKIPPED: "skipped", DRAFT: "begun but not submitted"}
"""How a task is called that somebody has looked at and not answered, by its state."""
_VERSION = 1


@dataclass(slots=True)
class Sent:
    """One project of ours.

    Attributes:
        id: Its number on the server.
        title: Its title.
        tasks: By uid, the hash of what was sent.
        annotations: How many annotations of each task it wants; 0 where that is not known.
        done: By uid, the hash of what was answered in a project whose place it takes, or in itself
            where it is gone and nothing was left to do in it.
    """

    id: int
    title: str
    tasks: dict[str, str] = field(default_factory=dict)
    annotations: int = 0
    done: dict[str, str] = field(default_factory=dict)

    @property
    def is_over(self) -> bool:
        """Whether it is gone or empty, and all that was to be done in it was done before."""
        return bool(self.done) and self.tasks.items() <= self.done.items()


@dataclass(slots=True)
class KindState:
    """What was pushed of one kind of task.

    Attributes:
        overlap: How many tasks all annotators get in common; None for all.
        allotted: By annotator, the uids that they get; one entry with an empty name for all.
        projects: By annotator, the project.
        suggestions: By annotator, whether they are shown suggestions; who is not named is
            shown none.
        asked: By key of what is asked once for all, the task that asks it.
        closed: Annotators who get no more tasks unless they are named.
    """

    overlap: int | None = None
    allotted: dict[str, list[str]] = field(default_factory=dict)
    projects: dict[str, Sent] = field(default_factory=dict)
    suggestions: dict[str, bool] = field(default_factory=dict)
    asked: dict[str, str] = field(default_factory=dict)
    closed: list[str] = field(default_factory=list)

    def now(self, renamed: Mapping[str, str]) -> "KindState":
        """The same, with who gets what by the ids that templates have now."""
        mine = self.allotted.items()
        allotted = {name: [renamed.get(uid, uid) for uid in uids] for name, uids in mine}
        return replace(self, allotted=allotted)


@dataclass(slots=True)
class PushState:
    """All that was pushed from one workspace.

    Attributes:
        path: The file.
        workspace: A name drawn once, by which projects are found again on the server.
        url: The server.
        kinds: By kind of task.
    """

    path: Path
    workspace: str
    url: str = ""
    kinds: dict[str, KindState] = field(default_factory=dict)

    def kind(self, name: str) -> KindState:
        """What was pushed of a kind."""
        return self.kinds.setdefault(name, KindState())

    def save(self) -> None:
        """Write the file in place of the earlier one.

        Raises:
            CurateError: If it cannot be written.
        """
        for kind in self.kinds.values():
            for sent in kind.projects.values():
                sent.tasks = dict(sorted(sent.tasks.items()))
        kinds = {name: asdict(kind) for name, kind in sorted(self.kinds.items())}
        _write(self.path, {"workspace": self.workspace, "url": self.url, "kinds": kinds})


def _write(path: Path, value: Mapping[str, object]) -> None:
    write_file(path, f"{json.dumps({'version': _VERSION, **value}, ensure_ascii=False)}\n")


T = TypeVar("T")


def _read(path: Path, kinds: type[T]) -> tuple[Mapping[str, Any], T]:
    """Read a file: the whole, and what it holds by kind of task."""
    try:
        value = json.loads(read_text(path))
        if value["version"] != _VERSION:
            raise ValueError
        return value, TypeAdapter(kinds).validate_python(value["kinds"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise refusal(__package__, f"{path.stem}-damaged", path) from error


def state_file(workspace: Workspace) -> Path:
    """Where it is kept what was pushed from a workspace."""
    return workspace.annotations.folder / "labelstudio.json"


def load_state(path: Path) -> PushState:
    """Read what was pushed; a new state where nothing was.

    Raises:
        CurateError: If the file cannot be read: without it tasks might be sent twice.
    """
    if not path.exists():
        return PushState(path, uuid.uuid4().hex[:12])
    value, kinds = _read(path, dict[str, KindState])
    return PushState(path, str(value.get("workspace", "")), str(value.get("url", "")), kinds)


def pushed(workspace: Workspace, kind: str) -> KindState:
    """What was pushed of a kind; nothing without a push.

    Raises:
        CurateError: If the record of what was pushed cannot be read.
    """
    return load_state(state_file(workspace)).kind(kind)


@dataclass(slots=True)
class PulledProject:
    """One project as the last pull saw it.

    Attributes:
        at: When it was pulled, UTC, ISO 8601.
        done: By annotator, which of its tasks they have answered as they are there.
        complete: How many of its tasks have as many answers as are wanted.
        numbers: By uid, the task's number on the server.
        open: By annotator, which of its tasks they skipped or began, each with its state.
    """

    at: str
    done: dict[str, list[str]] = field(default_factory=dict)
    complete: int = 0
    numbers: dict[str, int] = field(default_factory=dict)
    open: dict[str, dict[str, str]] = field(default_factory=dict)


Pulls = dict[str, dict[str, PulledProject]]
"""By kind of task and by number of the project."""


def pulled_file(workspace: Workspace) -> Path:
    """Where it is kept what the last pulls saw."""
    return workspace.annotations.folder / "pulled.json"


def read_pulls(workspace: Workspace) -> Pulls:
    """What the last pulls saw; nothing without a file.

    Raises:
        CurateError: If the file cannot be read.
    """
    path = pulled_file(workspace)
    if not path.exists():
        return {}
    return _read(path, Pulls)[1]


def save_pulls(workspace: Workspace, kind: str, found: Mapping[str, PulledProject]) -> None:
    """Write what was seen of a kind in the place of what was; other kinds stay.

    Raises:
        CurateError: If the file cannot be read or written.
    """
    every = {**read_pulls(workspace), kind: found}
    kinds = {
        name: {number: asdict(seen) for number, seen in sorted(projects.items())}
        for name, projects in sorted(every.items())
    }
    _write(pulled_file(workspace), {"kinds": kinds})


class Links:
    """Where projects and tasks are to be looked at, without asking the server.

    Args:
        workspace: The workspace.

    Attributes:
        kinds: What was pushed, by kind of task.

    Raises:
        CurateError: If a record of what was pushed or pulled cannot be read.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._state = load_state(state_file(workspace))
        self.kinds = self._state.kinds
        self._pulls = read_pulls(workspace)

    def project(self, project: object) -> str:
        """Where a project is to be looked at; empty where the server is not known."""
        return f"{self._state.url}/projects/{project}/data" if self._state.url else ""

    def task(self, kind: str, project: object, uid: str) -> str:
        """Where a task is to be looked at; its project where its number is not known."""
        seen = self.seen(kind, project)
        number = seen.numbers.get(uid) if seen else None
        place = self.project(project)
        return f"{place}?task={number}" if place and number is not None else place

    def of_source(self, kind: str, source: str, uid: str) -> str:
        """Where a task is to be looked at, by the `source_file` of an answer; else nothing."""
        if not source.startswith(FROM_SERVER):
            return ""
        return self.task(kind, source.removeprefix(FROM_SERVER), uid)

    def seen(self, kind: str, project: object) -> PulledProject | None:
        """What the last pull saw of a project; None before the first one."""
        return self._pulls.get(kind, {}).get(str(project))


def work_of(workspace: Workspace) -> list[dict[str, Any]]:
    """How far everybody is in each project, as the last pulls saw it; the server is not asked.

    Returns:
        A row for each person of a project, and for each project of all as a whole:

        - `kind`: Kind of task.
        - `project`: The project's number on the server.
        - `link`: Where the project is to be looked at.
        - `annotator`: Who; empty for all in a project of all.
        - `tasks`: How many tasks there are.
        - `done`: How many are answered, or have as many answers as are wanted; None before a pull.
        - `skipped`: How many were skipped.
        - `drafts`: How many were begun and not submitted.
        - `left`: How many nobody has looked at who should; None where nobody in particular should.
        - `pulled_at`: When that was seen, UTC, ISO 8601; empty before the first pull.
        - `open`: What was skipped or begun: of each `task` its `state` and a `link`.

    Raises:
        CurateError: If a record of what was pushed or pulled cannot be read.
    """
    links = Links(workspace)
    return [
        work
        for kind, state in links.kinds.items()
        for name, sent in state.projects.items()
        for work in _in_project(links, kind, name, sent)
    ]


def _in_project(links: Links, kind: str, name: str, sent: Sent) -> Iterator[dict[str, Any]]:
    """How far people are in a project: its owner first, or all of them together."""
    pulled, count = links.seen(kind, sent.id), len(sent.tasks)
    seen = pulled or PulledProject("")
    people = sorted({*seen.done, *seen.open})
    owner = owner_of(name, people) if name else ""
    for person in dict.fromkeys((owner, *people)):
        done = len(seen.done.get(person, ())) if person else min(seen.complete, count)
        mine = seen.open.get(person, {})
        skipped = [*mine.values()].count(SKIPPED)
        yield {
            "kind": kind,
            "project": sent.id,
            "link": links.project(sent.id),
            "annotator": person,
            "tasks": count,
            "done": done if pulled else None,
            "skipped": skipped,
            "drafts": len(mine) - skipped,
            "left": max(0, count - done - len(mine)) if person == owner else None,
            "pulled_at": seen.at,
            "open": [
                {"task": uid, "state": state, "link": links.task(kind, sent.id, uid)}
                for uid, state in mine.items()
            ],
        }


def owner_of(name: str, people: Collection[str]) -> str:
    """Under which name the one stands whose project it is, by those who have annotated in it."""
    same = [person for person in people if person_key(person) == person_key(name)]
    alone = people if len(people) == 1 else ()
    return [*same, *alone, name][0]
