"""Fetch annotations, and take nothing on trust: the server stores whatever it is sent.

Anyone may annotate in another's name, answer one task twice, or store choices that the page has
not; an export may end early without saying so. Every annotation is read whole or refused.
"""

import glob
import hashlib
import json
import re
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curation.annotation.labelstudio.answers import (
    Answer,
    Fetched,
    Open,
    Person,
    Values,
    answers_of,
)
from curation.annotation.labelstudio.client import (
    Project,
    Server,
    ServerFault,
    Setup,
    User,
    connect,
)
from curation.annotation.labelstudio.configs import lacking
from curation.annotation.labelstudio.kinds import Field, Spec, Wanted, kind_of
from curation.annotation.labelstudio.push import describe, is_former, recorded
from curation.annotation.labelstudio.seen import Links, save_pulls, seen_of
from curation.annotation.labelstudio.state import load_state, state_file
from curation.annotation.labelstudio.tasks import is_untouched
from curation.annotation.labelstudio.unfinished import (
    DRAFT,
    SKIPPED,
    UNFINISHED,
    Unfinished,
    said,
    save_unfinished,
    unfinished_of,
)
from curation.files.annotations import AnnotationsFolder
from curation.files.atomic import atomic_path
from curation.files.ledger import now
from curation.files.lock import writing
from curation.files.tables import read_table, refuse_problems, write_csv
from curation.files.workspace import Workspace
from curation.records.annotation import person_key
from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity
from curation.records.wording import plural, shortened

if TYPE_CHECKING:
    import pandas as pd


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
        try:
            project = server.project(project.id)
        except ServerFault as fault:
            if fault.status != 404:
                raise
            project = Project(project.id, project.title, "", Setup(""), -1)
        return read_export(data, project, server, again=False)
    said = f"{project.tasks:,}" if project.tasks >= 0 else "no"
    raise CurateError(
        f"the export holds {len(tasks):,} tasks but the project has {said}; nothing was pulled",
        where,
        "pull again while nobody changes or deletes the project",
    )


class Reader:
    """Reads the annotations of one project.

    Args:
        project: The project.
        spec: The questions of its page.
        current: By uid, the version of the content now.
        users: The server's users.
        url: The server's address.
        decides: Whether answers are decisions, of which their taking says what became.
    """

    def __init__(
        self,
        project: Project,
        spec: Spec,
        current: Mapping[str, str],
        users: Sequence[User],
        url: str,
        *,
        decides: bool = False,
    ) -> None:
        self._spec = spec
        self._place = f"{url}/projects/{project.id}/data"
        self._decides = decides
        self._current = current
        self._users = {user.id for user in users}
        self._by_email = {user.email.casefold(): user.id for user in users if user.email}
        self._open: set[Open] = set()
        self.numbers: dict[str, int] = {}
        self._file = f"project {project.id}"
        self.findings: list[Finding] = []
        self.counts = dict.fromkeys(
            ("tasks", "annotations", "taken", "refused", "skipped", "older"), 0
        )

    def read(self, tasks: Sequence[Mapping[str, Any]]) -> list[Answer]:
        """Read all tasks: the newest annotation of each person, the others counted."""
        newest: dict[tuple[str, int], Answer] = {}
        older: dict[tuple[str, int], int] = {}
        history: dict[str, None] = {}
        for task in tasks:
            self.counts["tasks"] += 1
            for answer in self._of_task(task):
                key = answer.uid, answer.user
                known = newest.get(key)
                if known is None or self._rank(known) < self._rank(answer):
                    newest[key] = answer
                if known is None:
                    continue
                if known.data.get("hash") == answer.data.get("hash"):
                    older[key] = older.get(key, 0) + 1
                else:
                    history[answer.uid] = None
        self.counts["older"] = sum(older.values())
        self.counts["taken"] = len(newest)
        for (uid, user), count in older.items():
            self._say(
                "labelstudio-older",
                Severity.WARNING,
                f"{uid}: user {user} annotated it {count + 1} times; the newest counts: "
                f"{newest[uid, user].link}",
                "if the newest one is intended, nothing is to be done",
            )
        if history:
            self._say(
                "labelstudio-history",
                Severity.INFO,
                f"{len(history)} tasks were asked again and answered; their earlier answers no "
                f"longer count: {shortened(list(history))}",
                "the earlier answers stay on the server and in annotations/raw",
            )
        if not self._decides:
            self._changed(newest.values(), tasks)
        return list(newest.values())

    def _rank(self, answer: Answer) -> tuple[bool, str, int]:
        """Of one person's answers to a task the one that counts has the highest."""
        return answer.data.get("hash") == self._current.get(answer.uid), answer.at, answer.id

    def _of_task(self, task: Mapping[str, Any]) -> list[Answer]:
        annotations = task.get("annotations")
        found = annotations if isinstance(annotations, list) else []
        self.counts["annotations"] += len(found)
        data = task.get("data")
        uid = str(data.get("uid", "")) if isinstance(data, dict) else ""
        problem = _problem(data, uid)
        if problem:
            self.counts["refused"] += len(found)
            severity = Severity.ERROR if found else Severity.WARNING
            message = f"task {task.get('id')}: {problem}"
            if found:
                message += f"; its {len(found)} annotations are refused"
            message += f": {self._link(task.get('id'))}"
            hint = "all tasks come from 'curate push': find out who added or changed this one"
            self._say("labelstudio-task", severity, message, hint)
            return []
        assert isinstance(data, dict)  # noqa: S101  # else there was a problem
        number = task.get("id")
        if isinstance(number, int) and (uid not in self.numbers or self._is_of_now(uid, data)):
            self.numbers[uid] = number
        drafts = task.get("drafts")
        for item in drafts if isinstance(drafts, list) else []:
            if isinstance(item, dict):
                user = self._by_email.get(str(item.get("user", "")).casefold())
                self._leave_open(uid, data, user, DRAFT)
        link = self._link(task.get("id"))
        answers = [self._answer(uid, data, item, link) for item in found]
        return [answer for answer in answers if answer is not None]

    def _link(self, task: object) -> str:
        """Where a task is to be seen."""
        return task_link(self._place, task)

    def _leave_open(self, uid: str, data: Mapping[str, object], user: object, state: str) -> None:
        """Take note of a task, as it is now, that somebody has not answered."""
        if isinstance(user, int) and user in self._users and self._is_of_now(uid, data):
            self._open.add(Open(uid, user, state))

    def open(self, answers: Iterable[Answer]) -> tuple[Open, ...]:
        """What was looked at and not answered; a draft of what was skipped counts as begun."""
        done = {(a.uid, a.user) for a in answers if self._is_of_now(a.uid, a.data)}
        drafts = {(item.uid, item.user) for item in self._open if item.state == DRAFT}
        found = [
            item
            for item in self._open
            if item.state == DRAFT or (item.uid, item.user) not in drafts
            if (item.uid, item.user) not in done
        ]
        return tuple(sorted(found, key=astuple))

    def _answer(
        self, uid: str, data: Mapping[str, object], item: object, link: str
    ) -> Answer | None:
        try:
            if not isinstance(item, dict):
                raise ValueError("it is not an annotation")
            if item.get("was_cancelled"):
                self.counts["skipped"] += 1
                self._leave_open(uid, data, _user_of(item), SKIPPED)
                return None
            user = _user_of(item)
            if user is None:
                raise ValueError("its user was deleted")
            if user not in self._users:
                raise ValueError(f"user {user} is not one of the server's users")
            at = item.get("updated_at") or item.get("created_at")
            seconds, number = item.get("lead_time"), item.get("id")
            if not isinstance(at, str) or not isinstance(number, int):
                raise ValueError("it has no time or no number")
            values = self._values(item.get("result"), data)
        except ValueError as error:
            self.counts["refused"] += 1
            number = item.get("id") if isinstance(item, dict) else "?"
            self.refuse(uid, number, str(error), link)
            return None
        known = seconds if isinstance(seconds, int | float) else None
        return Answer(uid, data, int(user), values, at, known, number, link)

    def refuse(self, uid: str, number: object, why: str, link: str) -> None:
        """Say that an annotation is refused."""
        self._say(
            "labelstudio-refused",
            Severity.ERROR,
            f"{uid}: annotation {number} is refused: {why}: {link}",
            "ask the annotator to answer again on the page, or delete it on the server",
        )

    def _field(self, name: str, data: Mapping[str, object]) -> Field | None:
        """The question of a name; of one that is asked about each item of a list, for an item."""
        stem, _, at = name.rpartition("_")
        field = self._spec.get(f"{stem}_")
        if field is None or not (at.isascii() and at.isdigit()):
            return self._spec.get(name)
        items = data.get(field.each)
        return field if isinstance(items, list) and int(at) < len(items) else None

    def _values(self, result: object, data: Mapping[str, object]) -> Values:
        if not isinstance(result, list) or not result:
            raise ValueError("it is empty")
        values: dict[str, tuple[str, ...]] = {}
        for region in result:
            name = region.get("from_name") if isinstance(region, dict) else None
            field = self._field(name, data) if isinstance(name, str) else None
            if field is None or not isinstance(name, str):
                raise ValueError(f"there is no question '{name}'")
            if name in values:
                raise ValueError(f"'{name}' is answered twice")
            if region.get("type") != field.kind or not isinstance(region.get("value"), dict):
                raise ValueError(f"the answer to '{name}' is of another kind")
            values[name] = _read(name, field, region["value"], data)
        return values

    def _changed(self, answers: Iterable[Answer], tasks: Sequence[Mapping[str, Any]]) -> None:
        """Say which answers are about what was otherwise then."""
        stale = sorted({a.uid for a in answers if a.data.get("hash") != self._current.get(a.uid)})
        data = [task["data"] for task in tasks if isinstance(task.get("data"), dict)]
        asked = {uid for uid in stale for item in data if self._is_of_now(uid, item)}
        gone = [uid for uid in stale if uid not in self._current]
        changed = [uid for uid in stale if uid in self._current and uid not in asked]
        again = "ask about them again: push with --again ID, for each of them"
        for uids, what, hint in (
            (changed, "changed after they were annotated", again),
            (sorted(asked), "were asked about again and not answered by all", "let them annotate"),
            (
                gone,
                "are not to be annotated any more",
                "if this is intended, nothing is to be done",
            ),
        ):
            if uids:
                message = f"{len(uids)} annotated tasks {what}: {shortened(uids)}"
                self._say("labelstudio-stale", Severity.WARNING, message, hint)

    def _is_of_now(self, uid: str, data: Mapping[str, object]) -> bool:
        return data.get("uid") == uid and data.get("hash") == self._current.get(uid)

    def miss(self, tasks: Sequence[Mapping[str, Any]], sent: Collection[str]) -> None:
        """Say which tasks were pushed and are not there any more."""
        data = [task.get("data") for task in tasks]
        there = {str(item.get("uid")) for item in data if isinstance(item, dict)}
        missing = [uid for uid in sent if uid not in there]
        if missing:
            self._say(
                "labelstudio-missing",
                Severity.WARNING,
                f"{len(missing)} tasks that were pushed are not there: {shortened(missing)}",
                "somebody deleted them; push again to restore them",
            )

    def _say(self, rule: str, severity: Severity, message: str, hint: str) -> None:
        self.findings.append(Finding(rule, severity, self._file, None, "", message, hint))


def task_link(place: str, task: object) -> str:
    """Where a task is to be seen; its project where its number is not known.

    Args:
        place: Where the tasks of its project are.
        task: Its number.
    """
    return f"{place}?task={task}" if isinstance(task, int) else place


def _user_of(annotation: Mapping[str, Any]) -> object:
    user = annotation.get("completed_by")
    return user.get("id") if isinstance(user, dict) else user


def _problem(data: object, uid: str) -> str:
    if not isinstance(data, dict) or not uid:
        return "it was not made by a push"
    return "" if is_untouched(data) else f"its text ({uid}) was changed on the server"


def _read(
    name: str, field: Field, value: Mapping[str, object], data: Mapping[str, object]
) -> tuple[str, ...]:
    """Read one answer.

    Raises:
        ValueError: If it is none that the page can give.
    """
    if field.kind == "rating":
        rating = value.get("rating")
        if isinstance(rating, bool) or str(rating) not in (field.allowed or ()):
            raise ValueError(f"'{rating}' is not a rating")
        return (str(rating),)
    given = value.get("choices" if field.kind == "choices" else "text")
    if field.kind == "textarea" and isinstance(given, str):
        given = [given]
    if not isinstance(given, list) or not all(isinstance(item, str) for item in given):
        raise ValueError(f"the answer to '{name}' is not a list of texts")
    if field.kind == "textarea":
        return tuple(text for text in given if text.strip())
    allowed = field.allowed if field.allowed is not None else options_of(data)
    for choice in given:
        if choice not in allowed:
            raise ValueError(f"'{choice}' is not a choice of '{name}'")
    if len(given) != 1 and not field.several:
        raise ValueError(f"'{name}' has {len(given)} choices where one is asked for")
    return tuple(given)


def options_of(data: Mapping[str, object]) -> frozenset[str]:
    """The options that a task brings along, as the page stores them."""
    options = data.get("options")
    found = options if isinstance(options, list) else []
    return frozenset(str(o.get("alias") or o.get("value")) for o in found if isinstance(o, dict))


def pull_project(
    server: Server,
    project: Project,
    spec: Spec,
    current: Mapping[str, str],
    sent: Collection[str],
    kept: Kept,
    *,
    decides: bool = False,
) -> Fetched:
    """Read the export of a project.

    Args:
        server: The server.
        project: The project.
        spec: The questions of its page.
        current: By uid, the version of the content now.
        sent: The uids of what was pushed.
        kept: The export.
        decides: Whether answers are decisions.

    Raises:
        CurateError: If the export cannot be read, or is not whole.
    """
    reader = Reader(project, spec, current, kept.users, server.url, decides=decides)
    tasks = read_export(kept.data, project, server)
    answers = reader.read(tasks)
    reader.miss(tasks, sent)
    findings, counts = tuple(reader.findings), reader.counts
    left = reader.open(answers)
    return Fetched(
        *(project, kept.path, tuple(answers), kept.users, findings, counts, left),
        numbers=reader.numbers,
    )


PEOPLE = "people.csv"
"""Who is who, in `annotations/`."""
PEOPLE_COLUMNS = ("user", "email", "annotator", "same_as")
"""The columns of `people.csv`."""


def read_people(path: Path) -> dict[int, Person]:
    """Read who is who; nobody where there is no file.

    Raises:
        CurateError: If a row cannot be read, or two users have one name.
    """
    if not path.exists():
        return {}
    table = read_table(path, required=PEOPLE_COLUMNS[:3])
    refuse_problems(table)
    found: dict[int, Person] = {}
    names: dict[str, int] = {}
    for row in table.rows:
        where = f"{table.file}, row {row.number}"
        text = row["user"].strip()
        if not text.isascii() or not text.isdigit():
            raise CurateError(f"'{text}' is not the number of a user", where, "undo the edit")
        name = " ".join(row["annotator"].split())
        same = row.get("same_as").strip()
        person = Person(int(text), row["email"].strip(), name, same)
        if person.user in found:
            raise CurateError(f"user {person.user} occurs twice", where, "keep one row")
        if same:  # the name is that of the other account
            found[person.user] = person
            continue
        first = names.setdefault(person_key(name), person.user) if name else person.user
        if first != person.user:
            raise CurateError(
                f"users {first} and {person.user} are both called '{name}'",
                where,
                f"if they are one person, write {first} in column same_as of user {person.user}; "
                "else give each a name of their own, or empty the name of one that does not count",
            )
        found[person.user] = person
    return {user: _as_person(person, found, table.file) for user, person in found.items()}


def _as_person(person: Person, people: Mapping[int, Person], file: str) -> Person:
    """A second account under the name of the first.

    Raises:
        CurateError: If the first is none, or is a second account itself.
    """
    if not person.same_as:
        return person
    known = {str(user): item for user, item in people.items()}
    first = known.get(person.same_as)
    if first is None or first.same_as:
        raise CurateError(
            f"user {person.user} is to be the same as '{person.same_as}', which is not a user's "
            "first account",
            f"{file}, column same_as",
            "write the number of the user whose name counts, or leave it empty",
        )
    return replace(person, annotator=first.annotator)


def add_people(
    known: Mapping[int, Person], users: Sequence[User], suggested: Mapping[int, str]
) -> dict[int, Person]:
    """Add users who are not known yet: by the suggested name, else by their number.

    Args:
        known: Who is known.
        users: Those who annotated.
        suggested: Names by user.
    """
    found = dict(known)
    names = {person_key(person.annotator) for person in found.values()}
    for user in sorted(users, key=lambda item: item.id):
        if user.id in found:
            continue
        name = suggested.get(user.id, "")
        if not name or person_key(name) in names:
            name = numbered_name(user.id)
        names.add(person_key(name))
        found[user.id] = Person(user.id, user.email, name)
    return found


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
                    *("labelstudio-no-name", Severity.WARNING, PEOPLE, None, "annotator"),
                    f"project {item.project.id} of {name}: {count} {plural('account', count)} "
                    f"answered there, and it is not known who they belong to: {names}; each "
                    "counts as an "
                    "annotator of its own",
                    f"write in annotations/people.csv who they are; where {name} has two accounts, "
                    f"the name for one, and for the other the number of the first in the column "
                    "same_as; pull again",
                )
            )
    return found


def numbered_name(user: int) -> str:
    """What somebody is called who has no known name."""
    return f"annotator-{user}"


def write_people(path: Path, people: Mapping[int, Person]) -> None:
    """Write who is who in place of `path`.

    Raises:
        CurateError: If it cannot be written.
    """
    # The last column is there where somebody has a second account.
    columns = (
        PEOPLE_COLUMNS if any(item.same_as for item in people.values()) else PEOPLE_COLUMNS[:3]
    )
    rows = (astuple(people[user])[: len(columns)] for user in sorted(people))
    write_csv(path, columns, rows)


@dataclass(frozen=True, slots=True)
class PulledProject:
    """What was taken from one project.

    Attributes:
        annotator: Whose project it is; empty for one of all.
        project: Its number.
        title: Its title.
        raw: The export as received.
        tasks: Tasks that it holds.
        annotations: Annotations of them.
        taken: Annotations that were taken.
        refused: Those that cannot be.
        skipped: Tasks that annotators skipped.
        older: Annotations in whose place there is a newer one.
    """

    annotator: str
    project: int
    title: str
    raw: str
    tasks: int
    annotations: int
    taken: int
    refused: int
    skipped: int
    older: int


@dataclass(frozen=True, slots=True)
class Pulled:
    """What a pull has taken and written; addresses of people stay out.

    Attributes:
        kind: Kind of task.
        file: The normal form.
        rows: Rows there that are from these projects.
        annotators: How many answers of each annotator were taken.
        projects: What was taken from each.
        findings: What was refused, and what is to be known.
        unfinished: What people skipped, or began and did not submit.
    """

    kind: str
    file: str
    rows: int
    annotators: dict[str, int]
    projects: tuple[PulledProject, ...]
    findings: tuple[Finding, ...]
    unfinished: tuple[Unfinished, ...]

    def to_frame(self) -> "pd.DataFrame":
        """A row a project: `annotator`, `title`, `raw` (str), the number and counts (int64)."""
        import pandas as pd

        return pd.DataFrame(map(asdict, self.projects))


def pull_answers(
    workspace: Workspace, kind: str, requests: Path | None = None, server: Server | None = None
) -> Pulled:
    """Fetch the answers of all projects of a kind, and write them in normal form.

    Exports are kept unchanged in `annotations/raw`. Every annotation is read completely or refused.

    Args:
        workspace: The workspace.
        kind: The kind of task.
        requests: What the evaluator of stories is asked; the usual file by default.
        server: The server; the one that the environment names by default.

    Raises:
        CurateError: If nothing was pushed, the server fails, an export is not whole, or a file
            cannot be read or written.
    """
    # Of two at once the one that fetched first would write last: one waits for the other.
    with writing(workspace, f"curate pull {kind}", lock="pull"):
        return _pulled(workspace, kind, requests, server)


def _pulled(
    workspace: Workspace, kind: str, requests: Path | None, server: Server | None
) -> Pulled:
    known, folder = kind_of(kind), AnnotationsFolder(workspace.root)
    state = load_state(state_file(workspace))
    mine = state.kind(kind)
    if not mine.projects and not mine.former:
        raise CurateError(
            f"nothing was pushed to {kind} from this workspace",
            str(state.path),
            f"push first: curate push {kind}",
        )
    server, at = server or connect(), now()
    found, _ = known.tasks(workspace, Wanted(every=True, asked=mine.asked, requests=requests))
    tasks = {task.uid: task for task in found}
    current = {uid: task.hash for uid, task in tasks.items()}
    page = known.page(workspace)
    edited: list[Finding] = []
    fetched: list[tuple[str, Fetched]] = []
    for name, sent in (*mine.former.items(), *mine.projects.items()):
        mark = kind if is_former(known, sent) else known.mark or kind
        project = recorded(server, sent, describe(state, mark, name))
        if not is_former(known, sent):  # whose page is another one
            edited += _page_findings(page, project, kind, server.url)
        kept = fetch(server, project, folder.folder / "raw", f"labelstudio-{kind}-{project.id}", at)
        one = pull_project(
            server, project, known.spec, current, sent.tasks, kept, decides=known.decides
        )
        fetched.append((name, one))
    every = [one for _, one in fetched]
    with writing(workspace, f"curate pull {kind}"):  # the server may have taken its time
        known_people = read_people(folder.folder / PEOPLE)
        people = _people(folder.folder / PEOPLE, known_people, fetched, decides=known.decides)
        answers = answers_of(workspace, every, people, tasks, at)
        saved = known.save(answers)
        unfinished = unfinished_of(kind, every, people, current)
        save_unfinished(folder.folder / UNFINISHED, kind, unfinished)
        sent_to = mine.projects
        there = {name: one for name, one in fetched if name in sent_to}
        save_pulls(workspace, kind, seen_of(there, sent_to, people, known.annotations, at))
    findings = [finding for item in every for finding in item.findings]
    links = Links(workspace)
    return Pulled(
        kind=kind,
        file=workspace.shown(saved.file),
        rows=saved.rows,
        annotators=dict(sorted(saved.by_annotator.items())),
        projects=tuple(
            PulledProject(
                name, item.project.id, item.project.title, workspace.shown(item.raw), **item.counts
            )
            for name, item in fetched
        ),
        findings=(
            *without_names(fetched, people),
            *edited,
            *findings,
            *answers.findings,
            *said(unfinished, lambda item: links.task(kind, item.project, item.task)),
        ),
        unfinished=tuple(unfinished),
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


def _people(
    path: Path,
    known: Mapping[int, Person],
    fetched: Sequence[tuple[str, Fetched]],
    *,
    decides: bool = False,
) -> dict[int, Person]:
    """Bring `people.csv` up to date; who alone annotated a person's project is that person.

    Who decides is called as the server knows them, for decisions bear the name of a person.
    """
    users = {user.id: user for _, item in fetched for user in item.users}
    # Who only looked at a task of another's is not to take the name from the one who annotates.
    answered: dict[str, set[int]] = {}
    looked: dict[str, set[int]] = {}
    for name, item in fetched:
        answered.setdefault(name, set()).update(one.user for one in item.answers)
        looked.setdefault(name, set()).update(one.user for one in item.open)
    active = {name: ids or looked[name] for name, ids in answered.items()}
    suggested: dict[int, str] = {}
    for name, ids in active.items():
        if name and len(ids) == 1:
            user = next(iter(ids))
            if sum(user in others for others in active.values()) == 1:
                suggested[user] = name
    seen = {user for ids in (*answered.values(), *looked.values()) for user in ids}
    if decides:
        suggested |= {user: " ".join(users[user].name.split()) for user in seen}
    people = add_people(known, [users[user] for user in sorted(seen)], suggested)
    if people != known:
        write_people(path, people)
    return people


@dataclass(frozen=True, slots=True)
class Round:
    """One of several pulls.

    Attributes:
        at: When it ended, UTC, ISO 8601.
        pulled: What was pulled; None where that failed.
        fault: Why it failed; None where it did not.
        more: How many more answers there are than in the last round that did not fail.
    """

    at: str
    pulled: Pulled | None
    fault: CurateError | None
    more: int


def watch_answers(
    workspace: Workspace,
    kind: str,
    seconds: float,
    *,
    requests: Path | None = None,
    server: Server | None = None,
    wait: Callable[[float], None] = time.sleep,
) -> Iterator[Round]:
    """Pull repeatedly until interrupted; nothing is locked between two pulls.

    A server that is away or busy fails a round, and the next one is tried. So does whatever else
    goes wrong once a round went well, for somebody may be at work on the files.

    Args:
        workspace: The workspace.
        kind: The kind of task.
        seconds: How long to wait between two rounds.
        requests: What the evaluator of stories is asked; the usual file by default.
        server: The server; the one that the environment names by default.
        wait: Sleeps for so many seconds.

    Yields:
        Each round when it is over.

    Raises:
        CurateError: If the server refuses, as where the token is wrong, or the first round fails
            by anything but a server that is away.
    """
    rows: int | None = None
    while True:
        try:
            pulled = pull_answers(workspace, kind, requests, server)
        except CurateError as fault:
            if not _may_pass(fault, worked=rows is not None):
                raise
            yield Round(now(), None, fault, 0)
        else:
            more = pulled.rows - (rows if rows is not None else pulled.rows)
            rows = pulled.rows
            yield Round(now(), pulled, None, more)
        wait(seconds)


def _may_pass(fault: CurateError, *, worked: bool) -> bool:
    """Say whether a fault may be gone in the next round."""
    if isinstance(fault, ServerFault):
        return fault.status is None or fault.status >= 500 or fault.status in (408, 429)
    return worked
