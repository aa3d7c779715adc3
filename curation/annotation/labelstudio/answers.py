"""The answers of a project, read from its export, and their normal forms.

The server stores whatever it is sent: anyone may annotate in another's name, answer one task twice,
or store choices that the page has not. Every annotation is read whole or refused.

`translate.csv` and `comprehension.csv` are tables of records that the kinds of tasks define; the
functions here read and write them.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError, field_validator

from curation.annotation.labelstudio.client import Project, User
from curation.annotation.labelstudio.store import DRAFT, FROM_SERVER, SKIPPED
from curation.annotation.labelstudio.tasks import Task, is_untouched
from curation.files.annotations import AnnotationsFolder
from curation.files.codec import Codec
from curation.files.workspace import Workspace
from curation.records.annotation import person_key
from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity
from curation.records.wording import shortened

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Values = Mapping[str, tuple[str, ...]]
"""What was answered, by name of the question."""


@dataclass(frozen=True, slots=True)
class Field:
    """One question of a page.

    Attributes:
        kind: `choices`, `textarea` or `rating`.
        allowed: The choices, or the ratings as text; None where they are the task's own options.
        several: Whether more than one may be chosen.
        each: The list in a task's data that it is asked about; the question's name is followed by
            the place in it, from 0. Empty for a question that is asked once.
    """

    kind: str
    allowed: frozenset[str] | None = frozenset()
    several: bool = False
    each: str = ""

    def read(self, name: str, value: Mapping[str, Any], data: Mapping[str, Any]) -> tuple[str, ...]:
        """Read an answer.

        Raises:
            ValueError: If it is none that the page can give.
        """
        if self.kind == "rating":
            rating = value.get("rating")
            if isinstance(rating, bool) or str(rating) not in (self.allowed or ()):
                raise ValueError(f"'{rating}' is not a rating")
            return (str(rating),)
        given = value.get("choices" if self.kind == "choices" else "text")
        if self.kind == "textarea" and isinstance(given, str):
            given = [given]
        if not isinstance(given, list) or not all(isinstance(item, str) for item in given):
            raise ValueError(f"the answer to '{name}' is not a list of texts")
        if self.kind == "textarea":
            return tuple(text for text in given if text.strip())
        allowed = self.allowed
        if allowed is None:
            options = data.get("options")
            options = options if isinstance(options, list) else []
            allowed = frozenset(str(one.get("alias") or one.get("value")) for one in options)
        for choice in given:
            if choice not in allowed:
                raise ValueError(f"'{choice}' is not a choice of '{name}'")
        if len(given) != 1 and not self.several:
            raise ValueError(f"'{name}' has {len(given)} choices where one is asked for")
        return tuple(given)


Spec = Mapping[str, Field]
"""The questions of a page by name."""


class _Region(BaseModel):
    """One part of an annotation, as the server stores it."""

    from_name: str
    type: str
    value: dict[str, Any]


class _Annotation(BaseModel):
    """An annotation as the server stores it."""

    id: int
    completed_by: int | None
    result: list[_Region]
    was_cancelled: bool = False
    updated_at: str
    lead_time: float | None = None

    @field_validator("completed_by", mode="before")
    @classmethod
    def _number(cls, value: object) -> object:
        return value.get("id") if isinstance(value, dict) else value


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
        link: Where its task is to be seen.
    """

    uid: str
    data: Mapping[str, object]
    user: int
    values: Values
    at: str
    seconds: float | None
    id: int
    link: str = ""

    @property
    def key(self) -> str:
        """What tells it from the other answers of a project."""
        return f"{self.uid} {self.user}"


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
        open: By uid and user, whether a task that they did not answer is `skipped` or a `draft`.
        drafts: By uid and user, what stands in a draft, in a line.
        numbers: By uid, the number of the task as it is now.
        gone: Answers that an earlier pull took and that are not on the server any more, by the
            export that holds them.
    """

    project: Project
    raw: Path
    answers: tuple[Answer, ...]
    users: tuple[User, ...]
    findings: tuple[Finding, ...]
    counts: Mapping[str, int]
    open: Mapping[tuple[str, int], str] = field(default_factory=dict)
    drafts: Mapping[tuple[str, int], str] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)
    gone: Mapping[str, Sequence[Answer]] = field(default_factory=dict)


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
        project: int,
        spec: Spec,
        current: Mapping[str, str],
        users: Sequence[User],
        url: str,
        *,
        decides: bool = False,
    ) -> None:
        self._spec = spec
        self._place = f"{url}/projects/{project}/data"
        self._decides = decides
        self._current = current
        self._users = {user.id for user in users}
        self._by_email = {user.email.casefold(): user.id for user in users if user.email}
        self._open: dict[tuple[str, int], str] = {}
        self.drafts: dict[tuple[str, int], str] = {}
        self.numbers: dict[str, int] = {}
        self._file = f"project {project}"
        self.findings: list[Finding] = []
        self.counts = dict.fromkeys(
            ("tasks", "annotations", "taken", "refused", "skipped", "older"), 0
        )

    def read(self, tasks: Sequence[Mapping[str, Any]]) -> list[Answer]:
        """Read all tasks: the newest annotation of each person, the others counted."""
        newest: dict[str, Answer] = {}
        older: Counter[str] = Counter()
        for task in tasks:
            self.counts["tasks"] += 1
            for answer in self._of_task(task):
                known = newest.get(answer.key)
                if known is None or self._rank(known) < self._rank(answer):
                    newest[answer.key] = answer
                if known is not None and known.data.get("hash") == answer.data.get("hash"):
                    older[answer.key] += 1
        self.counts["older"] = older.total()
        self.counts["taken"] = len(newest)
        for key, count in older.items():
            answer = newest[key]
            self._warn(
                "labelstudio-older",
                f"{answer.uid}: user {answer.user} annotated it {count + 1} times; the newest "
                f"counts: {answer.link}",
                "if the newest one is intended, nothing is to be done",
            )
        if not self._decides:
            self._say_changed(newest.values(), tasks)
        return list(newest.values())

    def _rank(self, answer: Answer) -> tuple[bool, str, int]:
        """Of one person's answers to a task the one that counts has the highest."""
        return self._is_of_now(answer.uid, answer.data), answer.at, answer.id

    def _is_of_now(self, uid: str, data: Mapping[str, object]) -> bool:
        return data.get("uid") == uid and data.get("hash") == self._current.get(uid)

    def _of_task(self, task: Mapping[str, Any]) -> Iterator[Answer]:
        found = task.get("annotations") or []
        self.counts["annotations"] += len(found)
        number, data = task.get("id"), task.get("data")
        link = f"{self._place}?task={number}"
        if not isinstance(data, dict) or not data.get("uid") or not is_untouched(data):
            uid = data.get("uid") if isinstance(data, dict) else None
            why = f"its text ({uid}) was changed on the server" if uid else "no push made it"
            self.counts["refused"] += len(found)
            self._warn(
                "labelstudio-task",
                f"task {number}: {why}"
                + (f"; its {len(found)} annotations are refused" if found else "")
                + f": {link}",
                "all tasks come from 'curate push': find out who added or changed this one",
                Severity.ERROR if found else Severity.WARNING,
            )
            return
        uid = str(data["uid"])
        if isinstance(number, int) and (uid not in self.numbers or self._is_of_now(uid, data)):
            self.numbers[uid] = number
        for item in found:
            answer = self._answer(uid, data, item, link)
            if answer is not None:
                yield answer
        for item in task.get("drafts") or []:
            user = self._by_email.get(str(item.get("user", "")).casefold())
            self._leave_open(uid, data, user, DRAFT)
            if user is not None:
                self.drafts[uid, user] = _begun(item.get("result"))

    def _leave_open(
        self, uid: str, data: Mapping[str, object], user: int | None, state: str
    ) -> None:
        """Take note of a task, as it is now, that somebody has not answered."""
        if user in self._users and user is not None and self._is_of_now(uid, data):
            self._open[uid, user] = state

    def open(self, answers: Iterable[Answer]) -> dict[tuple[str, int], str]:
        """What was looked at and not answered; a draft of what was skipped counts as begun."""
        done = {(a.uid, a.user) for a in answers if self._is_of_now(a.uid, a.data)}
        return {key: state for key, state in sorted(self._open.items()) if key not in done}

    def _answer(self, uid: str, data: Mapping[str, Any], found: object, link: str) -> Answer | None:
        number = found.get("id") if isinstance(found, dict) else "?"
        try:
            item = _Annotation.model_validate(found)
            if item.was_cancelled:
                self.counts["skipped"] += 1
                self._leave_open(uid, data, item.completed_by, SKIPPED)
                return None
            if item.completed_by is None:
                raise ValueError("its user was deleted")
            if item.completed_by not in self._users:
                raise ValueError(f"user {item.completed_by} is not one of the server's users")
            values = self._values(item.result, data)
        except ValidationError as error:
            where = ".".join(map(str, error.errors()[0]["loc"])) or "annotation"
            why = f"its {where} is not as the page stores it"
        except ValueError as error:
            why = str(error)
        else:
            user, at = item.completed_by, item.updated_at
            return Answer(uid, data, user, values, at, item.lead_time, item.id, link)
        self.counts["refused"] += 1
        self._warn(
            "labelstudio-refused",
            f"{uid}: annotation {number} is refused: {why}: {link}",
            "ask the annotator to answer again on the page, or delete it on the server",
            Severity.ERROR,
        )
        return None

    def _field(self, name: str, data: Mapping[str, Any]) -> Field | None:
        """The question of a name; of one that is asked about each item of a list, for an item."""
        stem, _, at = name.rpartition("_")
        found = self._spec.get(f"{stem}_")
        if found is None or not (at.isascii() and at.isdigit()):
            return self._spec.get(name)
        items = data.get(found.each)
        return found if isinstance(items, list) and int(at) < len(items) else None

    def _values(self, result: Sequence[_Region], data: Mapping[str, Any]) -> Values:
        if not result:
            raise ValueError("it is empty")
        values: dict[str, tuple[str, ...]] = {}
        for region in result:
            name = region.from_name
            asked = self._field(name, data)
            if asked is None:
                raise ValueError(f"there is no question '{name}'")
            if name in values:
                raise ValueError(f"'{name}' is answered twice")
            if region.type != asked.kind:
                raise ValueError(f"the answer to '{name}' is of another kind")
            values[name] = asked.read(name, region.value, data)
        return values

    def _say_changed(self, answers: Iterable[Answer], tasks: Sequence[Mapping[str, Any]]) -> None:
        """Say which answers are about what was otherwise then."""
        stale = sorted({a.uid for a in answers if not self._is_of_now(a.uid, a.data)})
        data = [task["data"] for task in tasks if isinstance(task.get("data"), dict)]
        now = {str(item.get("uid")) for item in data if self._is_of_now(item.get("uid"), item)}
        gone = [uid for uid in stale if uid not in self._current]
        again = "ask about them again: push with --again ID, for each of them"
        for uids, what, hint in (
            (
                [uid for uid in stale if uid not in {*gone, *now}],
                "changed after they were annotated",
                again,
            ),
            (
                [uid for uid in stale if uid in now],
                "were asked about again and not answered by all",
                "let them annotate",
            ),
            (
                gone,
                "are not to be annotated any more",
                "if this is intended, nothing is to be done",
            ),
        ):
            if uids:
                message = f"{len(uids)} annotated tasks {what}: {shortened(uids)}"
                self._warn("labelstudio-stale", message, hint)

    def _warn(
        self, rule: str, message: str, hint: str, severity: Severity = Severity.WARNING
    ) -> None:
        self.findings.append(Finding(rule, severity, self._file, None, "", message, hint))


def _begun(result: object) -> str:
    """What stands in a draft, in a line: whatever a page has stored of it."""
    listed = result if isinstance(result, list) else []
    parts = [one.get("value") for one in listed if isinstance(one, dict)]
    texts = (text for one in parts if isinstance(one, dict) for text in one.values())
    lists = (text if isinstance(text, list) else [text] for text in texts)
    return "; ".join(" ".join(str(text).split()) for every in lists for text in every)


@dataclass(frozen=True, slots=True)
class Person:
    """A user and their name as an annotator; a user without a name is ignored.

    Attributes:
        user: Their number on the server.
        email: Their address.
        annotator: The name.
        same_as: The user whose second account it is, and who has the name; empty for a person.
    """

    user: int
    email: str
    annotator: str
    same_as: str = ""


PEOPLE = "people.csv"
"""Who is who, in `annotations/`."""
PEOPLE_TABLE = Codec(Person, "undo the edit: users have numbers, each one row", key=("user",))
"""The columns of `people.csv`."""


def read_people(path: Path) -> dict[int, Person]:
    """Read who is who, second accounts under the name of the first; nobody without a file.

    Raises:
        CurateError: If a row cannot be read, two users have one name, or a first account is none.
    """
    every = {
        item.user: replace(item, annotator=" ".join(item.annotator.split()))
        for item in PEOPLE_TABLE.read(path)
    }
    names: dict[str, int] = {}
    for person in every.values():
        where = f"{path}, user {person.user}"
        first = every.get(int(person.same_as)) if person.same_as.isdigit() else None
        if person.same_as and (first is None or first.same_as):
            raise CurateError(
                f"user {person.user} is to be the same as '{person.same_as}', which is not a "
                "user's first account",
                f"{where}, column same_as",
                "write the number of the user whose name counts, or leave it empty",
            )
        if person.same_as or not person.annotator:
            continue
        other = names.setdefault(person_key(person.annotator), person.user)
        if other != person.user:
            raise CurateError(
                f"users {other} and {person.user} are both called '{person.annotator}'",
                where,
                f"if they are one person, write {other} in column same_as of user {person.user}; "
                "else give each a name of their own, or empty the name of one that does not count",
            )
    return {
        user: replace(item, annotator=every[int(item.same_as)].annotator) if item.same_as else item
        for user, item in every.items()
    }


def numbered_name(user: int) -> str:
    """What somebody is called who has no known name."""
    return f"annotator-{user}"


@dataclass(frozen=True, slots=True)
class Given:
    """One answer with what is written beside it."""

    answer: Answer
    annotator: str
    source: str
    at: str

    def text(self, name: str) -> str:
        """What was written for a question, several pieces as lines."""
        return "\n".join(self.answer.values.get(name, ())).strip()

    def field(self, name: str) -> str:
        """A field of the task."""
        return str(self.answer.data.get(name, ""))


@dataclass(frozen=True, slots=True)
class Answers:
    """What was answered to the tasks of a kind: the newest of each annotator and task.

    Attributes:
        workspace: The workspace.
        given: The answers.
        sources: How projects are named in `source_file` of which no other answers than these are
            kept.
        tasks: By uid, the tasks as they would be sent now.
        findings: What was refused or left out; more may be added.
    """

    workspace: Workspace
    given: Sequence[Given]
    sources: frozenset[str]
    tasks: Mapping[str, Task]
    findings: list[Finding] = field(default_factory=list)

    @property
    def folder(self) -> AnnotationsFolder:
        """The folder of annotations."""
        return AnnotationsFolder(self.workspace.root)

    def of_now(self) -> list[Given]:
        """The answers to tasks as they would be sent now."""

        def holds(item: Given) -> bool:
            task = self.tasks.get(item.answer.uid)
            return task is not None and item.field("hash") == task.hash

        usable = [item for item in self.given if holds(item)]
        self.leave_out(len(self.given) - len(usable))
        return usable

    def leave_out(self, count: int) -> None:
        """Say how many answers are about texts that are not there any more."""
        if count:
            self.warn(
                "labelstudio-left-out",
                f"{count} answers are about texts that changed; they are not counted",
                "push the texts again so that they are answered",
            )

    def warn(
        self, rule: str, message: str, hint: str, severity: Severity = Severity.WARNING
    ) -> None:
        """Say what is to be known of an answer."""
        self.findings.append(Finding(rule, severity, "annotations", None, "", message, hint))

    def refuse(self, item: Given, why: str) -> None:
        """Say that an answer is refused."""
        self.warn(
            "labelstudio-refused",
            f"{item.answer.uid}: annotation {item.answer.id} of {item.annotator} is refused: "
            f"{why}: {item.answer.link}",
            "ask the annotator to answer again on the page, or delete it on the server",
            Severity.ERROR,
        )


@dataclass(frozen=True, slots=True)
class Saved:
    """What was written.

    Attributes:
        file: Where.
        rows: Rows that are from the server.
        by_annotator: How many of each annotator.
    """

    file: Path
    rows: int
    by_annotator: Mapping[str, int]


def answers_of(
    workspace: Workspace,
    fetched: Sequence[Fetched],
    people: Mapping[int, Person],
    tasks: Mapping[str, Task],
    at: str,
    dropped: Collection[str] = (),
) -> Answers:
    """The answers of all projects of a kind, by those who have a name.

    Args:
        workspace: The workspace.
        fetched: What the projects hold.
        people: Who is who.
        tasks: By uid, the tasks as they would be sent now.
        at: The time of this pull.
        dropped: Numbers of projects whose earlier answers are taken out.
    """
    numbers = (*dropped, *(item.project.id for item in fetched))
    sources = frozenset(f"{FROM_SERVER}{number}" for number in numbers)
    found = Answers(workspace, [], sources, tasks)
    newest: dict[tuple[str, str], Given] = {}
    for item in fetched:
        unnamed: Counter[int] = Counter()
        kept = (answer for answers in item.gone.values() for answer in answers)
        for answer in (*item.answers, *kept):
            name = people[answer.user].annotator
            if not name:
                unnamed[answer.user] += 1
                continue
            given = Given(answer, name, f"{FROM_SERVER}{item.project.id}", at)
            known = newest.get((answer.uid, name))
            if known is not None:
                found.warn(
                    "labelstudio-older",
                    f"{answer.uid}: {name} annotated it in two projects, or under two accounts: "
                    f"{answer.link}",
                    "if the newest one is intended, nothing is to be done",
                )
            if known is None or known.answer.at < answer.at:
                newest[answer.uid, name] = given
        for user, count in sorted(unnamed.items()):
            found.warn(
                "labelstudio-unnamed",
                f"user {user} has no name in people.csv: {count} annotations are not counted",
                "write a name there, and pull again",
                Severity.INFO,
            )
    return replace(found, given=list(newest.values()))


R = TypeVar("R", bound="DataclassInstance")
_SOURCE = "source_file"


def read_results(path: Path, record: type[R]) -> list[R]:
    """What was pulled earlier, by a record whose fields are the columns; nothing without a file.

    Raises:
        CurateError: If it cannot be read.
    """
    return Codec(record, "pull again").read(path)


def save_results(
    answers: Answers, name: str, record: type[R], found: Sequence[R], key: Sequence[str]
) -> Saved:
    """Write results in the place of those of the same projects; what did not change keeps its time.

    Args:
        answers: What they were made of.
        name: The table's name, in `annotations/`.
        record: Its rows, with `source_file` and `collected_at` among the fields.
        found: The rows.
        key: The fields that name the annotator, and what was asked: later rows of the same take
            the place of those of another project.

    Raises:
        CurateError: If it cannot be read or written.
    """

    def timeless(item: R) -> R:
        return replace(item, collected_at="")

    def key_of(item: R) -> tuple[object, ...]:
        return tuple(getattr(item, field) for field in key)

    path = answers.folder.folder / name
    before = read_results(path, record)
    known, new = {timeless(item): item for item in before}, {key_of(item) for item in found}
    others = (item for item in before if key_of(item) not in new)
    kept = [item for item in others if getattr(item, _SOURCE) not in answers.sources]
    rows = [known.get(timeless(item), item) for item in found]
    Codec(record, "pull again").write(path, sorted([*kept, *rows], key=astuple))
    return Saved(path, len(rows), Counter(getattr(item, key[0]) for item in rows))
