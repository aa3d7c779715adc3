"""Send tasks so that each is there once, whatever breaks on the way.

Tasks that the server has are looked up first; what is missing goes in chunks, and the state is
written after each. A request that failed may have been done all the same, so that the server is
looked at again before anything is sent a second time. At the end the counts are compared.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from curation.annotation.labelstudio.client import (
    LOOKUP,
    Known,
    Project,
    Server,
    ServerFault,
    connect,
)
from curation.annotation.labelstudio.configs import fields_of
from curation.annotation.labelstudio.kinds import TaskKind, Wanted, kind_of, tasks_of
from curation.annotation.labelstudio.state import KindState, Sent, State, load_state, state_file
from curation.annotation.labelstudio.tasks import Task, allot
from curation.annotation.sheets import distinct_names
from curation.files.lock import writing
from curation.files.workspace import Workspace
from curation.records.errors import CurateError
from curation.records.wording import shortened

if TYPE_CHECKING:
    import pandas as pd

CHUNK = 500
"""Tasks of one request at least; a long push takes larger ones, for each request costs."""
_REQUESTS = 8
_BYTES = 20_000_000
_ATTEMPTS = 4
_TITLE = 50


@dataclass(frozen=True, slots=True)
class Plan:
    """One project to be filled.

    Attributes:
        kind: Kind of task.
        annotator: Whose project it is; empty for one of all.
        title: Of a new project.
        page: The labelling page.
        annotations: How many of each task are wanted.
        tasks: What it is to hold.
    """

    kind: str
    annotator: str
    title: str
    page: str
    annotations: int
    tasks: tuple[Task, ...]


@dataclass(frozen=True, slots=True)
class Pushed:
    """What a push has done to one project.

    Attributes:
        annotator: Whose project it is.
        project: Its number.
        title: Its title.
        created: Whether it was made.
        tasks: How many of the tasks it holds now.
        sent: How many were sent now.
        updated: Tasks that changed and were replaced.
        changed: Tasks that changed and were left.
        annotated: Tasks that changed after somebody annotated them: they are always left.
        strange: Tasks on the server that are none of ours now.
        removed: How many doubled tasks were taken out.
        page_changed: Whether the server's page is not ours.
    """

    annotator: str
    project: int
    title: str
    created: bool
    tasks: int
    sent: int
    updated: tuple[str, ...]
    changed: tuple[str, ...]
    annotated: tuple[str, ...]
    strange: tuple[str, ...]
    removed: int
    page_changed: bool


Progress = Callable[[int, int], None]
"""Told how many tasks of how many are there."""


class Pusher:
    """Fills projects.

    Args:
        server: The server.
        state: What is known of earlier pushes; written as the work goes on.
        progress: Told after each chunk.
        wait: Sleeps for so many seconds.
    """

    def __init__(
        self,
        server: Server,
        state: State,
        progress: Progress = lambda _done, _all: None,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self._server = server
        self._state = state
        self._progress = progress
        self._wait = wait

    def push(self, plan: Plan, *, update: bool = False) -> Pushed:
        """Bring a project to hold the tasks of a plan.

        Args:
            plan: What it is to hold.
            update: Whether tasks that changed are replaced where nobody annotated them.

        Raises:
            CurateError: If the server fails, or does not hold the tasks at the end.
        """
        kind = self._state.kind(plan.kind)
        project, created = self._project(plan, kind)
        sent = kind.projects[plan.annotator]
        page_changed = project.config.split() != plan.page.split()
        if page_changed and update:
            self._server.set_config(project.id, plan.page)
            page_changed = False
        if sent.sending:
            project = self._settled(project)
        known = self._look(project.id, [task.uid for task in plan.tasks]) if project.tasks else {}
        missing = [task for task in plan.tasks if task.uid not in known]
        sent.tasks = {uid: copies[0].hash for uid, copies in known.items()}
        self._send_all(project.id, sent, missing, len(plan.tasks))
        outcome = self._renew(plan, known, sent, update=update)
        strange, removed = self._compare(project.id, plan)
        return Pushed(
            annotator=plan.annotator,
            project=project.id,
            title=project.title,
            created=created,
            tasks=len(plan.tasks),
            sent=len(missing),
            updated=tuple(outcome["updated"]),
            changed=tuple(outcome["changed"]),
            annotated=tuple(outcome["annotated"]),
            strange=tuple(strange),
            removed=removed,
            page_changed=page_changed,
        )

    def _project(self, plan: Plan, kind: KindState) -> tuple[Project, bool]:
        """The project of a plan: the one that is known, the one found, or a new one."""
        sent = kind.projects.get(plan.annotator)
        description = describe(self._state, plan.kind, plan.annotator)
        if sent is not None:
            return recorded(self._server, sent, description), False
        found = self._marked(plan.title, description)
        project = found
        if project is None:
            try:
                project = self._server.create(plan.title, description, plan.page, plan.annotations)
            except ServerFault as fault:
                if not fault.uncertain:
                    raise
                self._wait(1)
                project = self._marked(plan.title, description)
                if project is None:
                    raise
        kind.projects[plan.annotator] = Sent(project.id, project.title)
        self._state.save()
        return project, found is None

    def _marked(self, title: str, description: str) -> Project | None:
        found = [p for p in self._server.projects(title) if description in p.description]
        return min(found, key=lambda project: project.id) if found else None

    def _settled(self, project: Project) -> Project:
        """Wait until tasks that were under way when a push was killed have arrived."""
        for _ in range(30):
            self._wait(0.5)
            again = self._server.project(project.id)
            if again.tasks == project.tasks:
                break
            project = again
        return self._server.project(project.id)

    def _look(self, project: int, uids: Sequence[str]) -> dict[str, list[Known]]:
        """Find tasks on the server; several where one occurs twice, the touched one first."""
        found: dict[str, list[Known]] = {}
        for part in chunks(uids, LOOKUP):
            for item in self._server.find(project, part):
                found.setdefault(item.uid, []).append(item)
        return {uid: _first_kept(copies) for uid, copies in found.items()}

    def _send_all(self, project: int, sent: Sent, missing: Sequence[Task], total: int) -> None:
        parts = list(_parts(missing))
        if not parts:
            sent.sending = False
            self._state.save()
            return
        sent.sending = True
        self._state.save()
        for at, part in enumerate(parts, start=1):
            self._send(project, part)
            sent.tasks |= {task.uid: task.hash for task in part}
            sent.sending = at < len(parts)
            self._state.save()
            self._progress(len(sent.tasks), total)

    def _send(self, project: int, part: Sequence[Task]) -> None:
        """Send a chunk; after a failure only what has not arrived is sent again."""
        left = list(part)
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                self._server.send(project, [task.data for task in left])
            except ServerFault as fault:
                if not (fault.uncertain or fault.busy) or attempt == _ATTEMPTS:
                    raise
                self._wait(2.0**attempt)
                there = self._look(project, [task.uid for task in left])
                left = [task for task in left if task.uid not in there]
                if not left:
                    return
            else:
                return

    def _renew(
        self, plan: Plan, known: dict[str, list[Known]], sent: Sent, *, update: bool
    ) -> dict[str, list[str]]:
        """Replace tasks that changed, where that is wanted and nobody annotated them."""
        outcome: dict[str, list[str]] = {"updated": [], "changed": [], "annotated": []}
        for task in plan.tasks:
            there = known.get(task.uid)
            if there is None or there[0].hash == task.hash:
                continue
            if there[0].touched:
                outcome["annotated"].append(task.uid)
            elif update:
                self._server.replace(there[0].id, task.data)
                sent.tasks[task.uid] = task.hash
                outcome["updated"].append(task.uid)
            else:
                outcome["changed"].append(task.uid)
        if outcome["updated"]:
            self._state.save()
        return outcome

    def _compare(self, project: int, plan: Plan) -> tuple[list[str], int]:
        """Compare what is there with what should be; take out duplicates.

        Raises:
            CurateError: If tasks are missing.
        """
        if self._server.project(project).tasks == len(plan.tasks):
            return [], 0
        copies: dict[str, list[Known]] = {}
        for item in self._server.listing(project):
            copies.setdefault(item.uid, []).append(item)
        missing = [task.uid for task in plan.tasks if task.uid not in copies]
        if missing:
            raise CurateError(
                f"{len(missing)} of {len(plan.tasks)} tasks are not in project {project}: "
                f"{shortened(missing)}",
                self._server.url,
                "somebody takes tasks out, or the server lost them: run the command again",
            )
        ours = {task.uid for task in plan.tasks}
        removed = 0
        for uid in ours:
            for item in _first_kept(copies[uid])[1:]:
                if not item.touched:
                    self._server.delete(item.id)
                    removed += 1
        return [uid or "(no uid)" for uid in copies if uid not in ours], removed


def describe(state: State, kind: str, annotator: str) -> str:
    """The description by which a project is known to be ours."""
    mark = f"{state.workspace} {kind} {annotator}".strip()
    return f"Made by curate; do not change this line. [{mark}]"


def recorded(server: Server, sent: Sent, description: str) -> Project:
    """Look at a project that was made earlier.

    Raises:
        CurateError: If it is gone, or another one stands under its number.
    """
    try:
        project = server.project(sent.id)
    except ServerFault as fault:
        if fault.status != 404:
            raise
        raise CurateError(
            f"project {sent.id} ('{sent.title}') is not on the server any more",
            server.url,
            "check the address; if it was deleted, push with --anew to make another",
        ) from None
    if description not in project.description:
        raise CurateError(
            f"project {sent.id} ('{project.title}') is not the one that was made from here",
            server.url,
            f"check the address; or write this into the project's description: {description}",
        )
    return project


def _first_kept(copies: Sequence[Known]) -> list[Known]:
    """Order duplicates: what somebody annotated first, then what came first."""
    return sorted(copies, key=lambda item: (not item.touched, item.id))


def chunks(items: Sequence[str], size: int) -> Iterator[list[str]]:
    """Cut a list into parts."""
    for start in range(0, len(items), size):
        yield list(islice(items, start, start + size))


def _parts(tasks: Sequence[Task]) -> Iterator[list[Task]]:
    """Cut tasks into chunks of a size that one request can hold."""
    most = max(CHUNK, -(-len(tasks) // _REQUESTS))
    part: list[Task] = []
    size = 0
    for task in tasks:
        length = sum(len(str(value)) for value in task.shown.values()) * 4
        if part and (len(part) == most or size + length > _BYTES):
            yield part
            part, size = [], 0
        part.append(task)
        size += length
    if part:
        yield part


@dataclass(frozen=True, slots=True)
class PushedKind:
    """What a push has done.

    Attributes:
        kind: Kind of task.
        url: The server.
        projects: What was done to each.
    """

    kind: str
    url: str
    projects: tuple[Pushed, ...]

    def to_frame(self) -> "pd.DataFrame":
        """A row a project: `annotator` and `title` (str), the number and counts (int64)."""
        import pandas as pd

        names = ("annotator", "project", "title", "tasks", "sent", "removed")
        rows = [[getattr(item, name) for name in names] for item in self.projects]
        return pd.DataFrame(rows, columns=names)


def push_tasks(
    workspace: Workspace,
    kind: str,
    *,
    annotators: Sequence[str] = (),
    overlap: int | None = None,
    annotations: int | None = None,
    seed: int = 42,
    update: bool = False,
    anew: bool = False,
    wanted: Wanted | None = None,
    server: Server | None = None,
    progress: Callable[[str, int, int], None] = lambda _who, _done, _all: None,
) -> PushedKind:
    """Send the tasks of a kind to the server; what is there already is not sent again.

    Args:
        workspace: The workspace.
        kind: The kind of task.
        annotators: Who annotates, each in a project of their own; one project for all by default.
        overlap: How many tasks all annotators get in common; all, or as before, by default.
        annotations: In one project for all, how many annotations of each task are wanted.
        seed: Of who gets which task.
        update: Whether tasks that changed are replaced where nobody annotated them.
        anew: Whether a project is made again that was deleted on the server.
        wanted: Which texts.
        server: The server; the one that the environment names by default.
        progress: Told of whose project how many tasks of how many are there.

    Raises:
        CurateError: If the bank cannot be read, or the server fails; what was sent is recorded.
    """
    # It may take long, and writes nothing that others write; but none may send the same twice.
    with writing(workspace, f"curate push {kind}", lock="push"):
        known = kind_of(kind)
        tasks = tasks_of(known, workspace, wanted or Wanted())
        state = load_state(state_file(workspace))
        names = distinct_names(annotators)
        _allot(state.kind(kind), tasks, names, overlap, seed)
        plans = _plans(workspace, known, tasks, state.kind(kind), annotations)
        if anew:  # projects that are still there are found again by their description
            state.kind(kind).projects.clear()
        server = server or connect()
        state.url = server.url
        state.save()
        done = []
        for plan in plans:
            pusher = Pusher(server, state, partial(progress, plan.annotator or kind))
            done.append(pusher.push(plan, update=update))
    return PushedKind(kind, server.url, tuple(done))


def _allot(
    kind: KindState, tasks: Sequence[Task], names: Sequence[str], overlap: int | None, seed: int
) -> None:
    """Say who gets what, before anything is sent."""
    if not kind.projects:
        kind.allotted, kind.overlap = {}, None  # what came to nothing binds nobody
    if overlap is not None:
        kind.overlap = overlap
    annotators = names or tuple(name for name in kind.allotted if name)
    uids = [task.uid for task in tasks]
    kind.allotted = allot(uids, annotators, kind.overlap, seed, kind.allotted)


def _plans(
    workspace: Workspace,
    kind: TaskKind,
    tasks: Sequence[Task],
    state: KindState,
    annotations: int | None,
) -> list[Plan]:
    page = kind.page(workspace)
    _check_fields(page, tasks)
    by_uid = {task.uid: task for task in tasks}
    return [
        Plan(
            kind=kind.name,
            annotator=name,
            title=_title(workspace.culture.culture, kind.name, name),
            page=page,
            annotations=1 if name else annotations or kind.annotations,
            tasks=tuple(by_uid[uid] for uid in mine if uid in by_uid),
        )
        for name, mine in state.allotted.items()
    ]


def _check_fields(page: str, tasks: Sequence[Task]) -> None:
    for task in tasks:
        lacking = sorted(fields_of(page) - set(task.shown))
        if lacking:
            raise CurateError(f"the page shows {lacking[0]}, which the task lacks", task.uid)


def _title(culture: str, kind: str, annotator: str) -> str:
    """The title of a project; the server wants 3 to 50 characters."""
    tail = f" {kind} {annotator}".rstrip()
    return f"{' '.join(culture.split())[: max(1, _TITLE - len(tail))]}{tail}"[:_TITLE]
