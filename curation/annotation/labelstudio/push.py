"""Send tasks so that each is there once, whatever breaks on the way.

Tasks that the server has are listed first; what is missing goes in chunks, and the state is written
after each. A request that failed may have been done all the same, so that the server is looked at
again before anything is sent a second time. At the end the server is listed again: what is missing
is an error, and what arrived twice is taken out.

A template that changed after it was annotated may be asked about again: a new task lies beside the
old one then, under the same uid and of another version.
"""

import re
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from curation.annotation import suggestions
from curation.annotation.labelstudio.answers import TaskKind, Wanted, kind_of, tasks_of
from curation.annotation.labelstudio.client import (
    Known,
    Project,
    Server,
    ServerFault,
    Setup,
    connect,
)
from curation.annotation.labelstudio.store import (
    FROM_SERVER,
    KindState,
    PulledProject,
    PushState,
    Sent,
    load_state,
    read_pulls,
    state_file,
)
from curation.annotation.labelstudio.tasks import Task, allot, boxes_of, instructions, move
from curation.annotation.sheets import distinct_names, pages
from curation.files.lock import writing
from curation.files.workspace import Workspace
from curation.records.annotation import person_key
from curation.records.messages import CurateError, Results, refusal, shortened

CHUNK = 500
"""Tasks of one request."""
_ATTEMPTS = 4
_TITLE = 50
_SEED = 42
"""Of the draw of who gets which task."""


@dataclass(frozen=True, slots=True)
class ProjectPlan:
    """One project to be filled.

    Attributes:
        kind: Kind of task.
        annotator: Whose project it is; empty for one of all.
        title: Of a new project.
        setup: How it presents its tasks.
        tasks: What it is to hold.
        keeps: Whether a project that is there keeps the number of annotations that it wants.
        suggests: Whether it may show suggestions, or may have shown some.
        done: By uid, the hash of what was answered in a project whose place a new one takes.
    """

    kind: str
    annotator: str
    title: str
    setup: Setup
    tasks: tuple[Task, ...]
    keeps: bool = True
    suggests: bool = False
    done: Mapping[str, str] = field(default_factory=dict)


Progress = Callable[[int, int], None]
"""Told how many tasks of how many are there."""


Copies = Mapping[str, Sequence[Known]]
"""By uid the tasks that are on the server, the one that counts first."""


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
        state: PushState,
        progress: Progress = lambda _done, _all: None,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self._server = server
        self._state = state
        self._progress = progress
        self._wait = wait

    def push(
        self, plan: ProjectPlan, *, update: bool = False, again: Collection[str] = frozenset()
    ) -> dict[str, Any]:
        """Bring a project to hold the tasks of a plan.

        Args:
            plan: What it is to hold.
            update: Whether tasks that changed are replaced where nobody annotated them.
            again: Tasks that are asked about again where they changed after being annotated.

        Returns:
            annotator: Whose project it is.
            project: Its number.
            title: Its title.
            created: Whether it was made.
            tasks: How many of the tasks it holds now.
            sent: How many were sent now.
            updated: Tasks that changed and were replaced.
            changed: Tasks that changed and were left.
            annotated: Tasks that changed after somebody annotated them: they are always left.
            again: Those of them of which there is a new task beside the old one now.
            strange: Tasks on the server that are none of ours now.
            removed: How many doubled tasks were taken out.
            page_changed: Whether the server's page is not ours.
            suggested: Tasks beside which a suggestion stands.

        Raises:
            CurateError: If the server fails, or does not hold the tasks at the end.
        """
        kind = self._state.kind(plan.kind)
        project, created = self._project(plan, kind)
        sent = kind.projects[plan.annotator]
        tasks = {t.uid: t for t in plan.tasks if sent.done.get(t.uid) != t.hash}
        known = self._listed(project, tasks)
        sent.tasks = {uid: known[uid][0].hash for uid in tasks if uid in known}
        changed = {uid for uid in sent.tasks if sent.tasks[uid] != tasks[uid].hash}
        asked = [uid for uid in tasks if uid in changed & {*again} and known[uid][0].touched]
        missing = [task for uid, task in tasks.items() if uid not in known or uid in asked]
        self._send_all(project.id, sent, missing, plan)
        left = {uid: task for uid, task in tasks.items() if uid not in asked}
        outcome = self._renew(left, known, sent, plan, update)
        page_changed = self._present(project, plan, update=update)
        sent.annotations = (project.setup if plan.keeps else plan.setup).annotations
        self._state.save()
        if missing:
            known = self._listed(self._server.project(project.id), tasks)
        removed = self._compare(project.id, tasks, known)
        updated = outcome["updated"]
        return {
            "annotator": plan.annotator,
            "project": project.id,
            "title": project.title,
            "created": created,
            "tasks": len(tasks),
            "sent": len(missing),
            **outcome,
            "again": asked,
            "strange": [uid or "(no uid)" for uid in known if uid not in tasks],
            "removed": removed,
            "page_changed": page_changed,
            "suggested": [
                uid
                for uid, task in tasks.items()
                if plan.suggests and task.suggested
                if uid in updated or known[uid][0].check == task.data["check"]
            ],
        }

    def _project(self, plan: ProjectPlan, kind: KindState) -> tuple[Project, bool]:
        """The project of a plan: the one that is known, the one found, or a new one."""
        if plan.annotator in kind.projects:
            there = recorded(self._server, self._state, plan.kind, plan.annotator)
            self._state.url = self._server.url  # an address that failed is not recorded
            return there, False
        description = describe(self._state, plan.kind, plan.annotator)
        found = self._marked(plan.title, description)
        project = found
        if project is None:
            try:
                project = self._server.create(plan.title, description, plan.setup)
            except ServerFault as fault:
                self._wait(1)
                project = self._marked(plan.title, description) if fault.uncertain else None
                if project is None:
                    raise
        self._state.url = self._server.url
        done = {} if found else dict(plan.done)
        kind.projects[plan.annotator] = Sent(project.id, project.title, done=done)
        self._state.save()
        return project, found is None

    def refuse_foreign(self, plans: Sequence[ProjectPlan], culture: str) -> None:
        """Refuse to make a project beside one of its title from another workspace or clone.

        Where nothing was pushed from here, any of that culture and kind is in the way: it is more
        likely that the record was lost than that somebody begins beside others.

        Raises:
            CurateError: If there is one; nothing was made yet.
        """
        new = {p.annotator for p in plans if p.annotator not in self._state.kind(p.kind).projects}
        for project, whose, kind, name in of_culture(self._server, culture) if new else ():
            is_in_the_way = name in new or not self._state.kind(kind).projects
            if whose != self._state.workspace and kind in {p.kind for p in plans} and is_in_the_way:
                words = {"id": project.id, "title": project.title, "kind": kind}
                raise refusal(__package__, "push-foreign", self._server.url, **words)

    def _marked(self, title: str, description: str) -> Project | None:
        found = [p for p in self._server.projects(title) if description in p.description]
        return min(found, key=lambda project: project.id) if found else None

    def _listed(self, project: Project, tasks: Mapping[str, Task]) -> Copies:
        """List what a project holds, by uid.

        Of several under one uid the version of now comes first, then what somebody annotated, then
        what came first.

        Raises:
            CurateError: If the server lists fewer tasks than it says that there are.
        """
        items = self._server.listing(project.id) if project.tasks else []
        if len(items) < project.tasks:  # a listing may end early without saying so
            words = {"id": project.id, "tasks": project.tasks, "found": len(items)}
            raise refusal(__package__, "push-part", self._server.url, **words)
        found: dict[str, list[Known]] = {}
        for item in items:
            found.setdefault(item.uid, []).append(item)
        for uid, copies in found.items():
            now = tasks[uid].hash if uid in tasks else None
            copies.sort(key=lambda item: (item.hash != now, not item.touched, item.id))
        return found

    def _send_all(
        self, project: int, sent: Sent, missing: Sequence[Task], plan: ProjectPlan
    ) -> None:
        """Send chunks; after a failure only what has not arrived is sent again."""
        total = len({*sent.tasks, *(task.uid for task in missing)})
        boxes = boxes_of(plan.setup.config)
        for at in range(0, len(missing), CHUNK):
            part = left = [*missing[at : at + CHUNK]]
            for attempt in range(1, _ATTEMPTS + 1):
                try:
                    shown = [(*task.suggested, *boxes) for task in left]
                    self._server.send(project, [task.data for task in left], shown)
                    break
                except ServerFault as fault:
                    if not (fault.uncertain or fault.busy) or attempt == _ATTEMPTS:
                        raise
                    self._wait(2.0**attempt)
                    there = {(item.uid, item.hash) for item in self._server.listing(project)}
                    left = [task for task in left if (task.uid, task.hash) not in there]
                    if not left:
                        break
            sent.tasks |= {task.uid: task.hash for task in part}
            self._state.save()
            self._progress(len(sent.tasks), total)

    def _renew(
        self, tasks: Mapping[str, Task], known: Copies, sent: Sent, plan: ProjectPlan, update: bool
    ) -> dict[str, list[str]]:
        """Replace tasks that changed, where that is wanted and nobody annotated them.

        One that asks about the same and shows it in another way is replaced even then; but who has
        begun without a suggestion goes on without one.
        """
        outcome: dict[str, list[str]] = {"updated": [], "changed": [], "annotated": []}
        for uid, task in tasks.items():
            if uid not in known:
                continue
            item = known[uid][0]
            same = item.hash == task.hash
            shown_so = task.suggested or task.stays
            if same and (item.check == task.data["check"] or (item.touched and shown_so)):
                continue
            if item.touched and not same:
                outcome["annotated"].append(uid)
            elif update:
                # Suggestions go first: what is replaced is not looked at again.
                if plan.suggests or task.suggested:
                    shown = (*task.suggested, *boxes_of(plan.setup.config))
                    self._server.suggest(item.id, shown)
                self._server.replace(item.id, task.data)
                sent.tasks[uid] = task.hash
                outcome["updated"].append(uid)
            else:
                outcome["changed"].append(uid)
        return outcome

    def _present(self, project: Project, plan: ProjectPlan, *, update: bool) -> bool:
        """Change how the tasks are presented, where that is wanted; says whether it is not ours."""
        now, wanted = project.setup, plan.setup
        if plan.keeps:
            wanted = replace(wanted, annotations=now.annotations)
        is_ours = project.accepts_unchanged and _plain(now) == _plain(wanted)
        if not is_ours and not update:
            wanted = replace(now, annotations=wanted.annotations)
        if now.annotations != wanted.annotations or (update and not is_ours):
            self._server.set_up(project.id, wanted)
        return not is_ours and not update

    def _compare(self, project: int, tasks: Mapping[str, Task], known: Copies) -> int:
        """Take out duplicates that nobody annotated; gives how many.

        Raises:
            CurateError: If tasks are missing.
        """
        if missing := [uid for uid in tasks if uid not in known]:
            words = {"missing": len(missing), "tasks": len(tasks), "id": project}
            uids = shortened(missing)
            raise refusal(__package__, "push-lost", self._server.url, **words, uids=uids)
        doubled = [item for uid in tasks for item in known[uid][1:] if not item.touched]
        for item in doubled:
            self._server.delete(item.id)
        return len(doubled)


def _plain(setup: Setup) -> tuple[list[str], list[str]]:
    """What tells one page from another, whatever the server made of its spaces and tags."""
    return setup.config.split(), re.sub(r"<[^>]*>", " ", setup.instructions).split()


_MARK = re.compile(r"\[(\S+) (\S+?)(?: (.+))?\]")
"""What a description ends in: the workspace, the kind and the annotator."""


def describe(state: PushState, kind: str, annotator: str) -> str:
    """The description by which a project is known to be ours."""
    mark = f"{state.workspace} {kind} {annotator}".strip()
    return f"Made by curate; do not change this line. [{mark}]"


class ProjectGoneError(CurateError):
    """A project that is not on the server any more."""


def recorded(server: Server, state: PushState, kind: str, annotator: str) -> Project:
    """Look at a project that was made earlier.

    Raises:
        CurateError: If it is gone, or another one stands under its number.
    """
    sent = state.kind(kind).projects[annotator]
    try:
        project = server.project(sent.id)
    except ServerFault as fault:
        if fault.status != 404:
            raise
        away = f"it was pushed to {state.url}: go on there"
        where = away if state.url not in ("", server.url) else "check the address"
        words = {"id": sent.id, "title": sent.title, "place": where}
        gone = refusal(__package__, "push-gone", server.url, **words)
        raise ProjectGoneError(gone.what, gone.where, gone.hint) from None
    if (line := describe(state, kind, annotator)) not in project.description:
        words = {"id": sent.id, "title": project.title, "line": line}
        raise refusal(__package__, "push-other", server.url, **words)
    return project


def _replaced(
    workspace: Workspace, server: Server, state: PushState, kind: str, plans: Sequence[ProjectPlan]
) -> list[ProjectPlan]:
    """Forget projects that are gone, and leave out what was answered there as it is now."""
    mine, pulls = state.kind(kind), read_pulls(workspace).get(kind, {})
    made = []
    for plan in plans:
        sent = mine.projects.get(plan.annotator)
        try:
            if sent is not None:
                recorded(server, state, kind, plan.annotator)
        except ProjectGoneError:
            sent = mine.projects[plan.annotator]
            seen = pulls.get(str(sent.id), PulledProject(""))
            counts = Counter(uid for uids in seen.done.values() for uid in uids)
            wanted = 1 if plan.annotator else plan.setup.annotations
            done = {uid for uid, count in counts.items() if count >= wanted}
            answered = {uid: hash_ for uid, hash_ in sent.tasks.items() if uid in done}
            sent.tasks, sent.done = answered, {**sent.done, **answered}
            if _is_left(plan, sent):
                del mine.projects[plan.annotator]
                plan = replace(plan, done=sent.done)
        made.append(plan)
    return made


def _is_left(plan: ProjectPlan, sent: Sent | None) -> bool:
    """Whether a project is needed: not where all that it is to hold was answered in one before."""
    if sent is None or not sent.is_over:
        return True
    return any(sent.done.get(task.uid) != task.hash for task in plan.tasks)


def push_tasks(
    workspace: Workspace,
    kind: str,
    *,
    annotators: Sequence[str] = (),
    overlap: int | None = None,
    annotations: int | None = None,
    update: bool = False,
    again: Collection[str] = frozenset(),
    anew: bool = False,
    reassign: tuple[str, str] | None = None,
    below: float | None = None,
    wanted: Wanted | None = None,
    hidden: Sequence[str] | None = None,
    server: Server | None = None,
    progress: Callable[[str, int, int], None] = lambda _who, _done, _all: None,
) -> Results:
    """Send the tasks of a kind to the server; tasks that are there already are not sent again.

    Args:
        workspace: The workspace.
        kind: The kind of task.
        annotators: Who annotates, each in a project of their own; one project for all by default.
        overlap: How many tasks all annotators get in common; all, or as before, by default.
        annotations: In one project for all, how many annotations of each task are wanted.
        update: Whether tasks that changed are replaced where nobody annotated them.
        again: Tasks that changed after they were annotated and are asked about again: each gets a
            new task beside the old one, which stays with its answers.
        anew: Whether a project is made again that was deleted on the server; it gets what has no
            answer yet.
        reassign: Two annotators: the second gets the tasks that the first has not begun, and the
            first gets no more.
        below: That the annotators named, or all, get all tasks of the categories whose
            Krippendorff's alpha is below it, and who is new gets no others.
        wanted: Which texts.
        hidden: That suggested labels are shown, and who does not see them, as `who_sees` takes
            it; as before by default: at first nobody sees any.
        server: The server; the one that the environment names by default.
        progress: Told of whose project how many tasks of how many are there.

    Returns:
        The `kind`, the server (`url`), and what was done to each of the `projects`, as
        `Pusher.push` says; which tasks changed since a label was suggested for them, which is not
        shown (`unsuggested`); and which were taken from one annotator and given to another
        (`moved`).

    Raises:
        CurateError: If the bank cannot be read, or the server fails; what was sent is recorded. A
            project that is gone from the server keeps nobody else waiting.
    """
    # It may take long, and writes nothing that others write; but none may send the same twice.
    with writing(workspace, f"curate push {kind}", lock="push"):
        known = kind_of(kind)
        if known.decides and (annotators or annotations not in (None, 1)):
            where = "--annotator" if annotators else "--annotations"
            raise refusal(__package__, "push-decided", where, kind=kind)
        state = load_state(state_file(workspace))
        mine = state.kind(kind)
        tasks = tasks_of(known, workspace, replace(wanted or Wanted(), asked=mine.asked))
        mine.asked |= {key: task.uid for task in tasks for key in task.asks}
        names = distinct_names(annotators)
        server = server or connect()
        if len([one for one in (overlap, reassign, below) if one is not None]) > 1:
            raise refusal(__package__, "push-divided")
        if reassign is None and below is None:
            _allot(mine, tasks, names, overlap, annotations)
        moved = _moved(state, kind, reassign, server) if reassign else []
        if below is not None:
            _dispute(workspace, known, mine, names, below)
        if hidden is not None:
            if known.suggested is None:
                raise CurateError(f"there are no suggestions for {kind}", "--suggestions")
            suggestions.to_show(workspace)  # refuses where there are none
            mine.suggestions = suggestions.who_sees(workspace, [*mine.allotted], hidden)
        sees = dict(mine.suggestions) if known.suggested is not None else {}
        found, stale = suggestions.usable_suggestions(workspace) if sees else ({}, ())
        plans = _plans(workspace, known, tasks, mine, annotations, sees, found)
        if unknown := sorted({*again} - {task.uid for task in tasks}):
            raise refusal(__package__, "push-unasked", "--update", uids=shortened(unknown))
        if anew:
            plans = _replaced(workspace, server, state, kind, plans)
        plans = [plan for plan in plans if _is_left(plan, mine.projects.get(plan.annotator))]
        Pusher(server, state).refuse_foreign(plans, workspace.culture.culture)
        # The workspace's name is kept before there is a project that bears it.
        state.save()
        if reassign and not mine.projects[reassign[0]].is_over:
            for item in server.listing(mine.projects[reassign[0]].id):
                if not item.touched and item.uid not in mine.allotted[reassign[0]]:
                    server.delete(item.id)
        done: list[dict[str, Any]] = []
        gone = []
        for plan in plans:
            pusher = Pusher(server, state, partial(progress, plan.annotator or kind))
            try:
                done.append(pusher.push(plan, update=update, again=again))
            except ProjectGoneError as error:
                if state.url != server.url:  # the others are there, too
                    raise
                gone.append(error)
                continue
            if plan.annotator in sees:
                now = done[-1]
                left = {*now["changed"], *now["annotated"]} if sees[plan.annotator] else set()
                given = (found[t.uid] for t in plan.tasks if t.uid in found and t.uid not in left)
                place = f"{FROM_SERVER}{now['project']}"
                suggestions.record_shown(workspace, plan.annotator, place, given, now["suggested"])
        if gone:
            what = "; ".join(error.what for error in gone)
            served = "; all others have their tasks" if done else ""
            raise CurateError(f"{what}{served}", gone[0].where, gone[0].hint)
    told = {"unsuggested": stale, "moved": tuple(moved)}
    values = {"kind": kind, "url": server.url, "projects": tuple(done), **told}
    columns = ("annotator", "project", "title", "tasks", "sent", "removed")
    return Results(values, {"projects": columns})


def _allot(
    kind: KindState,
    tasks: Sequence[Task],
    names: Sequence[str],
    overlap: int | None,
    annotations: int | None,
) -> None:
    """Say who gets what, before anything is sent."""
    if not kind.projects:
        # What came to nothing binds nobody.
        kind.allotted, kind.overlap, kind.suggestions = {}, None, {}
    if overlap is not None:
        if kind.overlap is not None and overlap < kind.overlap:
            raise refusal(__package__, "push-shrunk", "--overlap", count=kind.overlap)
        kind.overlap = overlap
    annotators = names or tuple(name for name in kind.allotted if name)
    if overlap is not None and len({*annotators, *kind.allotted}) < 2:
        raise refusal(__package__, "push-alone", "--overlap")
    if annotations is not None and annotators:
        raise refusal(__package__, "push-each", "--annotations")
    uids = [task.uid for task in tasks]
    kind.closed = [name for name in kind.closed if name not in names]
    kind.allotted = allot(uids, annotators, kind.overlap, _SEED, kind.allotted, kind.closed)


def _moved(state: PushState, name: str, reassign: tuple[str, str], server: Server) -> list[str]:
    """Give what one annotator has not begun to another, and the first no more."""
    giver, taker = reassign
    kind = state.kind(name)
    sent = kind.projects.get(giver)
    begun = {*sent.done} if sent else set()
    if sent and not sent.is_over:
        recorded(server, state, name, giver)
        begun |= {item.uid for item in server.listing(sent.id) if item.touched}
    moved = move(kind.allotted, giver, taker, begun)
    kind.closed = [*(one for one in kind.closed if one not in reassign), giver]
    return moved


def _dispute(
    workspace: Workspace, kind: TaskKind, state: KindState, names: Sequence[str], below: float
) -> None:
    """Give annotators what they have not answered of the categories in which they agree too little.

    An answer in a workbook is one, too.
    """
    if kind.disputed is None or "" in state.allotted or not state.allotted:
        raise refusal(__package__, "push-round", "--below-kappa")
    uids = kind.disputed(workspace, below)
    if not uids:
        raise refusal(__package__, "push-agreed", "--below-kappa", below=below)
    state.closed += [name for name in names if name not in state.allotted]
    for name in names or [name for name in state.allotted if name not in state.closed]:
        mine = state.allotted.get(name, [])
        key = person_key(name)
        new = [uid for uid, given in uids.items() if uid not in mine and key not in given]
        if mine or new:
            state.allotted[name] = [*mine, *new]


def _plans(
    workspace: Workspace,
    kind: TaskKind,
    tasks: Sequence[Task],
    state: KindState,
    annotations: int | None,
    sees: Mapping[str, bool],
    found: Mapping[str, suggestions.Suggestion],
) -> list[ProjectPlan]:
    plain = seen = kind.page(workspace), {task.uid: task for task in tasks}
    if sees and kind.suggested is not None:
        page, shown_so = kind.suggested(workspace, tasks, found)
        seen = page, {task.uid: task for task in shown_so}
    told = instructions(kind.name, pages(workspace.language), kind.told(workspace))
    shown = {name: seen if sees.get(name) else plain for name in state.allotted}
    return [
        ProjectPlan(
            kind=kind.name,
            annotator=name,
            title=_title(workspace.culture.culture, kind.name, name),
            setup=Setup(shown[name][0], told, 1 if name else annotations or kind.annotations),
            tasks=tuple(shown[name][1][uid] for uid in mine if uid in shown[name][1]),
            keeps=annotations is None,
            suggests=bool(sees),
        )
        for name, mine in state.allotted.items()
    ]


def _title(culture: str, kind: str, annotator: str) -> str:
    """The title of a project; the server wants 3 to 50 characters."""
    tail = f" {kind} {annotator}".rstrip()
    return f"{' '.join(culture.split())[: max(1, _TITLE - len(tail))]}{tail}"[:_TITLE]


def of_culture(server: Server, culture: str) -> Iterator[tuple[Project, str, str, str]]:
    """The projects of a culture on a server: each with its workspace, kind and annotator."""
    for project in server.projects(""):
        mark = _MARK.search(project.description)
        kind, name = (mark[2], mark[3] or "") if mark else ("", "")
        if mark and project.title == _title(culture, kind, name):
            yield project, mark[1], kind, name


def adopt_projects(workspace: Workspace, server: Server | None = None) -> list[str]:
    """Rebuild the record of what was pushed from what the server holds, where it was lost.

    Args:
        workspace: The workspace.
        server: The server; the one that the environment names by default.

    Returns:
        The titles of the projects.

    Raises:
        CurateError: If there is a record, or the server holds no projects of this culture, or those
            of several workspaces.
    """
    with writing(workspace, "curate pull --adopt", lock="push"):
        state = load_state(state_file(workspace))
        if any(kind.projects for kind in state.kinds.values()):
            raise refusal(__package__, "adopt-own", state.path)
        server = server or connect()
        found: dict[str, list[tuple[Project, str, str]]] = {}
        for project, whose, kind, name in of_culture(server, workspace.culture.culture):
            found.setdefault(whose, []).append((project, kind, name))
        if len(found) != 1:
            titles = [project.title for every in found.values() for project, *_ in every]
            words = {"titles": shortened(titles), "culture": workspace.culture.culture}
            words |= {"way": "several" if found else "none"}
            raise refusal(__package__, "adopt-which", server.url, count=len(found), **words)
        (state.workspace, projects), state.url = found.popitem(), server.url
        for project, kind, name in projects:
            tasks = {item.uid: item.hash for item in server.listing(project.id) if item.uid}
            mine = state.kind(kind)
            mine.projects[name] = Sent(project.id, project.title, tasks, project.setup.annotations)
            mine.allotted[name] = [*tasks]
            if 'name="suggestion"' in project.setup.config:
                mine.suggestions[name] = True
        for kind, mine in state.kinds.items():
            shared = set.intersection(*map(set, mine.allotted.values()))
            if any({*uids} != shared for uids in mine.allotted.values()):
                mine.overlap = len(shared)
            tasks_now, _ = kind_of(kind).tasks(workspace, Wanted(every=True))
            sent = {uid for uids in mine.allotted.values() for uid in uids}
            mine.asked = {key: t.uid for t in tasks_now if t.uid in sent for key in t.asks}
        state.save()
    return [project.title for project, *_ in projects]
