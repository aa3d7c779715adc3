"""Fetch annotations, and take nothing on trust: the server stores whatever it is sent.

Anyone may annotate in another's name, answer one task twice, or store choices that the page has
not; an export may end early without saying so. Every annotation is read whole or refused.
"""

import glob
import hashlib
import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curation.io.atomic import atomic_path
from curation.io.labelstudio.client import Project, Server, ServerFault, User
from curation.io.labelstudio.push import shortened
from curation.io.labelstudio.tasks import is_untouched
from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity


@dataclass(frozen=True, slots=True)
class Field:
    """One question of a page.

    Attributes:
        kind: `choices`, `textarea` or `rating`.
        allowed: The choices, or the ratings as text; None where they are the task's own options.
        several: Whether more than one may be chosen.
    """

    kind: str
    allowed: frozenset[str] | None = frozenset()
    several: bool = False


Spec = Mapping[str, Field]
"""The questions of a page by name."""
Values = Mapping[str, tuple[str, ...]]
"""What was answered, by name of the question."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One annotation that can be read.

    Attributes:
        uid: The task.
        data: The task's data.
        user: Who annotated.
        values: What was answered.
        at: When it was changed last, as the server writes it.
        seconds: How long it took; None where that is not known.
        id: Its number on the server.
    """

    uid: str
    data: Mapping[str, object]
    user: int
    values: Values
    at: str
    seconds: float | None
    id: int


@dataclass(frozen=True, slots=True)
class Fetched:
    """What one project holds.

    Attributes:
        project: The project.
        raw: The export as received, where it is kept.
        answers: The newest annotation of each task and person.
        users: The server's users.
        findings: What was refused, and what is to be known.
        counts: Of `tasks`, `annotations`, `taken`, `refused`, `skipped`, `older`.
    """

    project: Project
    raw: Path
    answers: tuple[Answer, ...]
    users: tuple[User, ...]
    findings: tuple[Finding, ...]
    counts: Mapping[str, int]


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
            "the export is no list of tasks", where, "pull again; the export may have been cut off"
        ) from None
    if len(tasks) == project.tasks:
        return tasks
    if again:  # somebody may have added or taken out tasks between the two questions
        try:
            project = server.project(project.id)
        except ServerFault as fault:
            if fault.status != 404:
                raise
            project = Project(project.id, project.title, "", "", -1)
        return read_export(data, project, server, again=False)
    said = f"{project.tasks:,}" if project.tasks >= 0 else "no"
    raise CurateError(
        f"the export holds {len(tasks):,} tasks where the project has {said}; nothing was taken",
        where,
        "pull again when nobody changes or deletes the project",
    )


class Reader:
    """Reads the annotations of one project.

    Args:
        project: The project.
        spec: The questions of its page.
        current: By uid, the version of the content now.
        users: The server's users.
    """

    def __init__(
        self, project: Project, spec: Spec, current: Mapping[str, str], users: Sequence[User]
    ) -> None:
        self._spec = spec
        self._current = current
        self._users = {user.id for user in users}
        self._file = f"project {project.id}"
        self.findings: list[Finding] = []
        self.counts = dict.fromkeys(
            ("tasks", "annotations", "taken", "refused", "skipped", "older"), 0
        )

    def read(self, tasks: Sequence[Mapping[str, Any]]) -> list[Answer]:
        """Read all tasks: the newest annotation of each person, the others counted."""
        newest: dict[tuple[str, int], Answer] = {}
        older: dict[tuple[str, int], int] = {}
        for task in tasks:
            self.counts["tasks"] += 1
            for answer in self._of_task(task):
                key = answer.uid, answer.user
                known = newest.get(key)
                if known is not None:
                    older[key] = older.get(key, 0) + 1
                if known is None or (known.at, known.id) < (answer.at, answer.id):
                    newest[key] = answer
        self.counts["older"] = sum(older.values())
        self.counts["taken"] = len(newest)
        for (uid, user), count in older.items():
            self._say(
                "labelstudio-older",
                Severity.WARNING,
                f"{uid}: user {user} annotated it {count + 1} times; the newest counts",
                "nothing to do, if the newest is meant",
            )
        self._changed(newest.values())
        return list(newest.values())

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
            hint = "push made all tasks: look who added or changed this one"
            self._say("labelstudio-task", severity, message, hint)
            return []
        assert isinstance(data, dict)  # noqa: S101  # else there was a problem
        answers = [self._answer(uid, data, item) for item in found]
        return [answer for answer in answers if answer is not None]

    def _answer(self, uid: str, data: Mapping[str, object], item: object) -> Answer | None:
        try:
            if not isinstance(item, dict):
                raise ValueError("it is no annotation")
            if item.get("was_cancelled"):
                self.counts["skipped"] += 1
                return None
            user = item.get("completed_by")
            if isinstance(user, dict):
                user = user.get("id")
            if user is None:
                raise ValueError("nobody made it: its user was deleted")
            if user not in self._users:
                raise ValueError(f"user {user} is none of the server's users")
            at = item.get("updated_at") or item.get("created_at")
            seconds, number = item.get("lead_time"), item.get("id")
            if not isinstance(at, str) or not isinstance(number, int):
                raise ValueError("it has no time or no number")
            values = self._values(item.get("result"), data)
        except ValueError as error:
            self.counts["refused"] += 1
            number = item.get("id") if isinstance(item, dict) else "?"
            self.refuse(uid, number, str(error))
            return None
        known = seconds if isinstance(seconds, int | float) else None
        return Answer(uid, data, int(user), values, at, known, number)

    def refuse(self, uid: str, number: object, why: str) -> None:
        """Say that an annotation is refused."""
        self._say(
            "labelstudio-refused",
            Severity.ERROR,
            f"{uid}: annotation {number} is refused: {why}",
            "ask the annotator to answer again on the page, or delete it on the server",
        )

    def _values(self, result: object, data: Mapping[str, object]) -> Values:
        if not isinstance(result, list) or not result:
            raise ValueError("it is empty")
        values: dict[str, tuple[str, ...]] = {}
        for region in result:
            name = region.get("from_name") if isinstance(region, dict) else None
            field = self._spec.get(name) if isinstance(name, str) else None
            if field is None or not isinstance(name, str):
                raise ValueError(f"there is no question '{name}'")
            if name in values:
                raise ValueError(f"'{name}' is answered twice")
            if region.get("type") != field.kind or not isinstance(region.get("value"), dict):
                raise ValueError(f"the answer to '{name}' is of another kind")
            values[name] = _read(name, field, region["value"], data)
        return values

    def _changed(self, answers: Iterable[Answer]) -> None:
        stale = sorted({a.uid for a in answers if a.data.get("hash") != self._current.get(a.uid)})
        gone = [uid for uid in stale if uid not in self._current]
        changed = [uid for uid in stale if uid in self._current]
        for uids, what, hint in (
            (changed, "changed after they were pushed", "push them anew to have them annotated"),
            (gone, "are not to be annotated any more", "nothing to do, if that is meant"),
        ):
            if uids:
                message = f"{len(uids)} annotated tasks {what}: {shortened(uids)}"
                self._say("labelstudio-stale", Severity.WARNING, message, hint)

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
                "somebody deleted them; push again to have them back",
            )

    def _say(self, rule: str, severity: Severity, message: str, hint: str) -> None:
        self.findings.append(Finding(rule, severity, self._file, None, "", message, hint))


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
            raise ValueError(f"'{rating}' is no rating")
        return (str(rating),)
    given = value.get("choices" if field.kind == "choices" else "text")
    if field.kind == "textarea" and isinstance(given, str):
        given = [given]
    if not isinstance(given, list) or not all(isinstance(item, str) for item in given):
        raise ValueError(f"the answer to '{name}' is no list of texts")
    if field.kind == "textarea":
        return tuple(text for text in given if text.strip())
    allowed = field.allowed if field.allowed is not None else options_of(data)
    for choice in given:
        if choice not in allowed:
            raise ValueError(f"'{choice}' is no choice of '{name}'")
    if len(given) != 1 and not field.several:
        raise ValueError(f"'{name}' has {len(given)} choices where one is asked for")
    return tuple(given)


def options_of(data: Mapping[str, object]) -> frozenset[str]:
    """Give the options that a task brings along, as the page stores them."""
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
) -> Fetched:
    """Read the export of a project.

    Args:
        server: The server.
        project: The project.
        spec: The questions of its page.
        current: By uid, the version of the content now.
        sent: The uids of what was pushed.
        kept: The export.

    Raises:
        CurateError: If the export cannot be read, or is not whole.
    """
    reader = Reader(project, spec, current, kept.users)
    tasks = read_export(kept.data, project, server)
    answers = reader.read(tasks)
    reader.miss(tasks, sent)
    findings, counts = tuple(reader.findings), reader.counts
    return Fetched(project, kept.path, tuple(answers), kept.users, findings, counts)
