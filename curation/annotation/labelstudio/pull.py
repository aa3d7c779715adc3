"""Fetch annotations: each project for itself, and nothing that was fetched once is lost.

An export is kept before anything is read from it. What an earlier pull took of a project and is not
on the server any more is read from the last export that holds it, named, and kept until somebody
says that it is to go.
"""

import glob
import hashlib
import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curation.annotation.labelstudio.answers import (
    PEOPLE,
    PEOPLE_TABLE,
    Answer,
    Fetched,
    Person,
    Reader,
    answers_of,
    numbered_name,
    read_people,
)
from curation.annotation.labelstudio.client import (
    Project,
    Server,
    User,
    connect,
)
from curation.annotation.labelstudio.configs import lacking
from curation.annotation.labelstudio.kinds import TaskKind, Wanted, kind_of
from curation.annotation.labelstudio.push import ProjectGoneError, describe, recorded
from curation.annotation.labelstudio.store import (
    DRAFT,
    SKIPPED,
    Seen,
    Sent,
    Unfinished,
    load_state,
    read_pulls,
    save_pulls,
    state_file,
)
from curation.files.annotations import AnnotationsFolder
from curation.files.atomic import atomic_path
from curation.files.ledger import now
from curation.files.lock import writing
from curation.files.workspace import Workspace
from curation.records.annotation import person_key
from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity
from curation.records.wording import plural, shortened

if TYPE_CHECKING:
    import pandas as pd

_LINKS = 3
_HINTS = {
    SKIPPED: (
        "skipped",
        "ask why; a task that was skipped can be opened and answered all the same",
    ),
    DRAFT: ("began and did not submit", "have it opened and submitted"),
}


@dataclass(frozen=True, slots=True)
class Kept:
    """An export as received.

    Attributes:
        path: Where it is kept.
        data: The export.
        users: The server's users at that time.
    """

    path: Path
    data: bytes
    users: tuple[User, ...]


def fetch(server: Server, project: Project, folder: Path, stem: str, at: str) -> Kept:
    """Fetch a project's export and keep it, with the users, before anything is read from it.

    An export that was received before is not kept a second time.

    Args:
        server: The server.
        project: The project.
        folder: Where received files are kept.
        stem: How their names begin.
        at: The time, for their names.

    Raises:
        CurateError: If the server fails, or a file cannot be written.
    """
    users = tuple(server.users())
    data = server.export(project.id)
    content = hashlib.sha256(data).hexdigest()[:8]
    rows = [{"id": user.id, "email": user.email, "name": user.name} for user in users]
    lines = json.dumps(rows, ensure_ascii=False, indent=1).encode() + b"\n"
    known = sorted(folder.glob(f"{glob.escape(stem)}-*-{content}.json"))
    path = known[0] if known else folder / f"{stem}-{re.sub('[-:]', '', at)}-{content}.json"
    beside = path.with_name(f"{path.stem}-users.json")
    if not beside.exists() or beside.read_bytes() != lines:
        _keep(beside, lines)
    if not known:
        _keep(path, data)
    return Kept(path, data, users)


def _keep(path: Path, data: bytes) -> None:
    with atomic_path(path) as target:
        target.write_bytes(data)


def read_export(
    data: bytes, project: Project, server: Server, *, again: bool = True
) -> list[dict[str, Any]]:
    """Read an export, all of it.

    Raises:
        CurateError: If it is no export, or holds fewer tasks than the project.
    """
    where = f"project {project.id} ('{project.title}')"
    try:
        tasks = json.loads(data)
        if not isinstance(tasks, list) or not all(isinstance(task, dict) for task in tasks):
            raise ValueError
    except (ValueError, RecursionError):
        raise CurateError(
            "the export is not a list of tasks", where, "pull again; the export may be incomplete"
        ) from None
    if len(tasks) == project.tasks:
        return tasks
    if again:  # somebody may have added or taken out tasks between the two questions
        return read_export(data, server.project(project.id), server, again=False)
    raise CurateError(
        f"the export holds {len(tasks):,} tasks but the project has {project.tasks:,}; nothing "
        "was pulled",
        where,
        "pull again while nobody changes or deletes the project",
    )


def earlier_answers(
    folder: Path, kind: TaskKind, current: Mapping[str, str], project: int, seen: Seen, url: str
) -> dict[str, tuple[str, Answer]]:
    """What earlier pulls took of a project: by key the answer, and the export that holds it.

    An export that somebody has deleted holds nothing.

    Args:
        folder: Where received files are kept.
        kind: The kind of task.
        current: By uid, the version of the content now.
        project: The project's number.
        seen: What the last pull saw.
        url: The server's address.
    """
    found: dict[str, tuple[str, Answer]] = {}
    for name in dict.fromkeys((*seen.gone.values(), seen.raw)):
        path = folder / name
        if not name or not path.exists():
            continue
        reader = Reader(project, kind.spec, current, _users_beside(path), url)
        for answer in reader.read(json.loads(path.read_bytes())):
            if name == seen.raw or seen.gone.get(answer.key) == name:
                found[answer.key] = name, answer
    return found


def _users_beside(path: Path) -> list[User]:
    """The server's users when an export was received."""
    beside = path.with_name(f"{path.stem}-users.json")
    listed = json.loads(beside.read_bytes()) if beside.exists() else []
    return [User(item["id"], item["email"], item["name"]) for item in listed]


@dataclass(frozen=True, slots=True)
class _Pull:
    """One pull of a kind: what is fetched, and what became of projects that cannot be.

    Attributes:
        workspace: The workspace.
        kind: The kind of task.
        server: The server.
        current: By uid, the version of the content now.
        pulls: What the last pull saw, by number of the project.
        drop_gone: Whether what is not on the server any more goes.
        at: The time of this pull.
    """

    workspace: Workspace
    kind: TaskKind
    server: Server
    current: Mapping[str, str]
    pulls: Mapping[str, Seen]
    drop_gone: bool
    at: str

    @property
    def raw(self) -> Path:
        """Where received files are kept."""
        return AnnotationsFolder(self.workspace.root).folder / "raw"

    def project(self, sent: Sent, description: str) -> Fetched:
        """Fetch a project, with what was taken of it earlier and is gone.

        Raises:
            CurateError: If the server fails, or the project or a part of it is not there.
        """
        project = recorded(self.server, sent, description)
        page = self.kind.page(self.workspace)
        edited = _page_findings(page, project, self.kind.name, self.server.url)
        stem = f"labelstudio-{self.kind.name}-{project.id}"
        kept = fetch(self.server, project, self.raw, stem, self.at)
        found = pull_project(self.server, project, self.kind, self.current, sent.tasks, kept)
        there = {answer.key for answer in found.answers}
        gone = self._gone(project.id, there)
        edited += self._without_export(project.id)
        before = [user for name in gone for user in _users_beside(self.raw / name)]
        users = {user.id: user for user in (*before, *found.users)}
        findings = (*edited, *found.findings)
        return replace(found, users=tuple(users.values()), findings=findings, gone=gone)

    def _gone(self, project: int, there: Collection[str]) -> dict[str, list[Answer]]:
        seen = self.pulls.get(str(project))
        if seen is None or self.drop_gone:
            return {}
        url = self.server.url
        earlier = earlier_answers(self.raw, self.kind, self.current, project, seen, url)
        gone: dict[str, list[Answer]] = {}
        for key, (name, answer) in earlier.items():
            if key not in there:
                gone.setdefault(name, []).append(answer)
        return gone

    def _without_export(self, project: int) -> list[Finding]:
        """Say that an export is not here by which it would be known what is gone."""
        seen = self.pulls.get(str(project), Seen(""))
        names = dict.fromkeys(filter(None, (*seen.gone.values(), seen.raw)))
        absent = [name for name in names if not (self.raw / name).exists()]
        if not absent:
            return []
        message = (
            f"{shortened(absent)} of earlier pulls {'is' if len(absent) == 1 else 'are'} not in "
            "annotations/raw, so it is not known what is gone from the server since"
        )
        hint = "keep the exports: copy them from where it was pulled before"
        where = f"project {project}"
        return [Finding("labelstudio-export", Severity.WARNING, where, None, "", message, hint)]


def pull_project(
    server: Server,
    project: Project,
    kind: TaskKind,
    current: Mapping[str, str],
    sent: Collection[str],
    kept: Kept,
) -> Fetched:
    """Read the export of a project.

    Args:
        server: The server.
        project: The project.
        kind: The kind of task.
        current: By uid, the version of the content now.
        sent: The uids of what was pushed.
        kept: The export.

    Raises:
        CurateError: If the export cannot be read, or is not whole.
    """
    spec, decides = kind.spec, kind.decides
    reader = Reader(project.id, spec, current, kept.users, server.url, decides=decides)
    tasks = read_export(kept.data, project, server)
    answers = reader.read(tasks)
    data = [task.get("data") for task in tasks]
    there = {str(item.get("uid")) for item in data if isinstance(item, dict)}
    missing = [uid for uid in sent if uid not in there]
    if missing:
        message = f"{len(missing)} tasks that were pushed are not there: {shortened(missing)}"
        hint = "somebody deleted them; push again to restore them"
        where = f"project {project.id}"
        said = Finding("labelstudio-missing", Severity.WARNING, where, None, "", message, hint)
        reader.findings.append(said)
    return Fetched(
        project=project,
        raw=kept.path,
        answers=tuple(answers),
        users=kept.users,
        findings=tuple(reader.findings),
        counts=reader.counts,
        open=reader.open(answers),
        drafts=reader.drafts,
        numbers=reader.numbers,
    )


def without_names(
    fetched: Sequence[tuple[str, Fetched]], people: Mapping[int, Person]
) -> list[Finding]:
    """Say which accounts answered in somebody's project and have a number for a name.

    Each counts as an annotator of its own, and whose project it is seems to have done nothing.
    """
    found = []
    for name, item in fetched:
        users = sorted({answer.user for answer in item.answers})
        numbered = [user for user in users if people[user].annotator == numbered_name(user)]
        if name and numbered:
            names = ", ".join(map(numbered_name, numbered))
            count = len(numbered)
            found.append(
                Finding(
                    rule="labelstudio-no-name",
                    severity=Severity.WARNING,
                    file=PEOPLE,
                    row=None,
                    column="annotator",
                    message=(
                        f"project {item.project.id} of {name}: {count} {plural('account', count)} "
                        f"answered there, and it is not known who they belong to: {names}; each "
                        "counts as an annotator of its own"
                    ),
                    hint=(
                        f"write in annotations/people.csv who they are; where {name} has two "
                        "accounts, the name for one, and for the other the number of the first in "
                        "the column same_as; pull again"
                    ),
                )
            )
    return found


@dataclass(frozen=True, slots=True)
class Pulled:
    """What a pull has taken and written; addresses of people stay out.

    Attributes:
        kind: Kind of task.
        file: The normal form.
        rows: Rows there that are from these projects.
        annotators: How many answers of each annotator were taken.
        projects: Of each `annotator`, whose project it is or empty for all, its number `project`,
            `title`, its export `raw`, how many `tasks` and `annotations` it has, and how many of
            these were `taken`, `refused`, `skipped`, or `older` than the one that counts.
        findings: What was refused, and what is to be known.
        unfinished: What people skipped, or began and did not submit.
    """

    kind: str
    file: str
    rows: int
    annotators: dict[str, int]
    projects: tuple[Mapping[str, Any], ...]
    findings: tuple[Finding, ...]
    unfinished: tuple[Unfinished, ...]

    def to_frame(self) -> "pd.DataFrame":
        """A row a project: `annotator`, `title`, `raw` (str), the number and counts (int64)."""
        import pandas as pd

        return pd.DataFrame(self.projects)


def pull_answers(
    workspace: Workspace,
    kind: str,
    requests: Path | None = None,
    server: Server | None = None,
    *,
    drop_gone: bool = False,
) -> Pulled:
    """Fetch the answers of all projects of a kind, and write them in normal form.

    Exports are kept unchanged in `annotations/raw`. Every annotation is read completely or refused.

    Args:
        workspace: The workspace.
        kind: The kind of task.
        requests: What the evaluator of stories is asked; the usual file by default.
        server: The server; the one that the environment names by default.
        drop_gone: Whether annotations that were pulled earlier and are not on the server any more
            are taken out; else they are kept and named.

    Raises:
        CurateError: If nothing was pushed, no project can be pulled, or a file cannot be read or
            written. A project that cannot be pulled beside others is a finding.
    """
    # Of two at once the one that fetched first would write last: one waits for the other.
    with writing(workspace, f"curate pull {kind}", lock="pull"):
        return _pulled(workspace, kind, requests, server, drop_gone)


def _pulled(
    workspace: Workspace, kind: str, requests: Path | None, server: Server | None, drop_gone: bool
) -> Pulled:
    known, folder = kind_of(kind), AnnotationsFolder(workspace.root)
    state = load_state(state_file(workspace))
    mine = state.kind(kind)
    if not mine.projects:
        raise CurateError(
            f"nothing was pushed to {kind} from this workspace",
            str(state.path),
            f"push first: curate push {kind}",
        )
    server, at = server or connect(), now()
    found, _ = known.tasks(workspace, Wanted(every=True, asked=mine.asked, requests=requests))
    tasks = {task.uid: task for task in found}
    current = {uid: task.hash for uid, task in tasks.items()}
    pulls = read_pulls(workspace).get(kind, {})
    pull = _Pull(workspace, known, server, current, pulls, drop_gone, at)
    fetched: dict[str, Fetched] = {}
    faults: list[CurateError] = []
    for name, sent in mine.projects.items():
        try:
            fetched[name] = pull.project(sent, describe(state, kind, name))
        except CurateError as fault:
            if drop_gone and not isinstance(fault, ProjectGoneError):
                raise  # nothing is taken out because a server is away
            faults.append(fault)
    if not fetched:
        raise faults[0]
    every = [*fetched.values()]
    # Unless it is to go, what was pulled of projects that are not there stays as it is.
    ours = {*pulls, *(str(sent.id) for sent in mine.projects.values())}
    dropped = ours - {str(item.project.id) for item in every} if drop_gone else set()
    with writing(workspace, f"curate pull {kind}"):  # the server may have taken its time
        path = folder.folder / PEOPLE
        people = _people(path, fetched, decides=known.decides)
        answers = answers_of(workspace, every, people, tasks, at, dropped)
        saved = known.save(answers)
        seen = {
            str(item.project.id): _seen(item, name, mine.projects[name], people, known, current, at)
            for name, item in fetched.items()
        }
        kept = {number: one for number, one in pulls.items() if number not in dropped}
        save_pulls(workspace, kind, {**kept, **seen})
    begun = {
        (str(item.project.id), people[user].annotator, uid): said
        for item in every
        for (uid, user), said in item.drafts.items()
        if user in people
    }
    return Pulled(
        kind=kind,
        file=workspace.shown(saved.file),
        rows=saved.rows,
        annotators=dict(sorted(saved.by_annotator.items())),
        projects=tuple(
            {
                "annotator": name,
                "project": item.project.id,
                "title": item.project.title,
                "raw": workspace.shown(item.raw),
                **item.counts,
            }
            for name, item in fetched.items()
        ),
        findings=(
            *(_fault_finding(fault) for fault in faults),
            *without_names([*fetched.items()], people),
            *(finding for item in every for finding in item.findings),
            *_gone_findings(fetched.values(), people, kind),
            *answers.findings,
            *_unfinished_findings(seen, server.url, begun),
        ),
        unfinished=tuple(item for one in seen.values() for item in one.open),
    )


def _fault_finding(fault: CurateError) -> Finding:
    """Say why one of several projects was not pulled."""
    what = f"{fault.what}; its annotations that were pulled earlier are kept"
    return Finding("labelstudio-lost", Severity.ERROR, fault.where, None, "", what, fault.hint)


def _gone_findings(
    fetched: Iterable[Fetched], people: Mapping[int, Person], kind: str
) -> Iterator[Finding]:
    """Name what is not on the server any more, by project and person."""
    for item in fetched:
        for raw, answers in item.gone.items():
            for user in sorted({answer.user for answer in answers}):
                uids = sorted(answer.uid for answer in answers if answer.user == user)
                one = len(uids) == 1
                yield Finding(
                    "labelstudio-gone",
                    Severity.WARNING,
                    f"project {item.project.id}",
                    None,
                    "",
                    f"{len(uids)} {plural('annotation', len(uids))} of {people[user].annotator} "
                    f"that {'was' if one else 'were'} pulled earlier {'is' if one else 'are'} not "
                    f"on the server any more: {shortened(uids)}; {'it is' if one else 'they are'} "
                    f"kept, from annotations/raw/{raw}",
                    f"have {'it' if one else 'them'} annotated again; to take "
                    f"{'it' if one else 'them'} out: curate pull {kind} --drop-gone",
                )


def _seen(
    item: Fetched,
    name: str,
    sent: Sent,
    people: Mapping[int, Person],
    kind: TaskKind,
    current: Mapping[str, str],
    at: str,
) -> Seen:
    """What a pull saw of a project, of people who have a name."""
    answered = {
        (people[answer.user].annotator, answer.uid)
        for answer in item.answers
        if answer.data.get("hash") == sent.tasks.get(answer.uid)
        if people[answer.user].annotator
    }
    done: dict[str, list[str]] = {}
    for person, uid in sorted(answered):
        done.setdefault(person, []).append(uid)
    each = Counter(uid for _, uid in answered)
    wanted = 1 if name else min(sent.annotations or kind.annotations, len(done))
    now_done = {
        (people[answer.user].annotator, answer.uid)
        for answer in item.answers
        if answer.data.get("hash") == current.get(answer.uid)
    }
    found = {
        Unfinished(people[user].annotator, uid, state)
        for (uid, user), state in item.open.items()
        if people[user].annotator and (people[user].annotator, uid) not in now_done
    }
    return Seen(
        at=at,
        done=done,
        complete=sum(count >= wanted for count in each.values()),
        numbers=dict(sorted(item.numbers.items())),
        open=sorted(found, key=astuple),
        raw=item.raw.name,
        gone={answer.key: raw for raw, answers in item.gone.items() for answer in answers},
    )


def _unfinished_findings(
    found: Mapping[str, Seen], url: str, begun: Mapping[tuple[str, str, str], str]
) -> Iterator[Finding]:
    """Name what people skipped or began, with what they wrote, and where the first tasks are."""
    for project, seen in found.items():
        grouped: dict[tuple[str, str], list[str]] = {}
        for item in seen.open:
            grouped.setdefault((item.annotator, item.state), []).append(item.task)
        for (who, state), tasks in grouped.items():
            what, hint = _HINTS[state]
            place = f"{url}/projects/{project}/data"
            links = (f"{place}?task={seen.numbers.get(uid)}" for uid in tasks[:_LINKS])
            drafts = {uid: begun.get((project, who, uid), "") for uid in tasks}
            written = [f"{uid}: {said}" for uid, said in drafts.items() if said and state == DRAFT]
            yield Finding(
                f"labelstudio-{state}",
                Severity.INFO,
                f"project {project}",
                None,
                "",
                f"{who} {what} {len(tasks)} {plural('task', len(tasks))}: {shortened(tasks)}"
                + (f"; in it stands: {shortened(written)}" if written else ""),
                f"{hint}: {' '.join(dict.fromkeys(links))}",
            )


def _page_findings(page: str, project: Project, kind: str, url: str) -> list[Finding]:
    """Say what a project's page asks otherwise than ours, if it does."""
    otherwise = lacking(page, project.setup.config)
    if not otherwise:
        return []
    message = (
        f"its page was edited on the server, or is of an earlier version: {'; '.join(otherwise)}; "
        "answers that the toolkit's page does not have are refused: "
        f"{url}/projects/{project.id}/settings/labeling"
    )
    hint = f"curate push {kind} --update puts the toolkit's page there; former answers are kept"
    where = f"project {project.id}"
    return [Finding("labelstudio-page", Severity.WARNING, where, None, "", message, hint)]


def _people(path: Path, fetched: Mapping[str, Fetched], *, decides: bool) -> dict[int, Person]:
    """Bring `people.csv` up to date: each user has a name of their own, else a number.

    Who alone annotated a person's project is that person. Who decides is called as the server knows
    them, for decisions bear the name of a person.
    """
    known = read_people(path)
    users = {user.id: user for item in fetched.values() for user in item.users}
    # Who only looked at a task of another's is not to take the name from the one who annotates.
    answered = {name: {one.user for one in item.answers} for name, item in fetched.items()}
    looked = {name: {user for _, user in item.open} for name, item in fetched.items()}
    active = {name: ids or looked[name] for name, ids in answered.items()}
    often = Counter(user for ids in active.values() for user in ids)
    suggested = {
        user: name
        for name, ids in active.items()
        for user in ids
        if name and len(ids) == 1 and often[user] == 1
    }
    seen = {user for ids in (*answered.values(), *looked.values()) for user in ids}
    gone = (answers for item in fetched.values() for answers in item.gone.values())
    seen |= {answer.user for answers in gone for answer in answers}
    if decides:
        suggested |= {user: " ".join(users[user].name.split()) for user in seen}
    names = {person_key(person.annotator) for person in known.values()}
    people = dict(known)
    for user in sorted(seen - {*known}):
        name = suggested.get(user, "")
        if not name or person_key(name) in names:
            name = numbered_name(user)
        names.add(person_key(name))
        people[user] = Person(user, users[user].email, name)
    if people != known:
        PEOPLE_TABLE.write(path, (people[user] for user in sorted(people)))
    return people
