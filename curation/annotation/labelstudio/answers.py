"""The answers of a project, read from its export, and their normal forms.

The server stores whatever it is sent: anyone may annotate in another's name, answer one task twice,
or store choices that the page has not. Every annotation is read whole or refused.

`translate.csv` and `comprehension.csv` are tables of records that the kinds of tasks define; the
functions here read and write them.
"""

import importlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from pydantic import BaseModel, ValidationError, field_validator

from curation.annotation.labelstudio.client import Person, Project
from curation.annotation.labelstudio.store import DRAFT, FROM_SERVER, SKIPPED
from curation.annotation.labelstudio.tasks import Task, is_untouched, page_of
from curation.annotation.sheets import Given, join
from curation.files.codec import Codec
from curation.files.workspace import Workspace, refuse_errors
from curation.records.annotation import person_key
from curation.records.messages import Finding, Severity, finding, refusal, refuse_unknown, shortened

if TYPE_CHECKING:
    from curation.annotation.suggestions import Suggestion

    Found = Mapping[str, Suggestion]


@dataclass(frozen=True, slots=True)
class Field:
    """One question of a page.

    Attributes:
        kind: `choices` or `textarea`.
        allowed: The choices; None where they are the task's own options.
        each: The list in a task's data that it is asked about; the question's name is followed by
            the place in it, from 0. Empty for a question that is asked once.
    """

    kind: str
    allowed: frozenset[str] | None = frozenset()
    each: str = ""

    def read(self, name: str, value: "_Value", data: Mapping[str, Any]) -> str:
        """Read an answer; several pieces of a text are lines.

        Raises:
            ValueError: If it is none that the page can give.
        """
        if self.kind == "textarea":
            if value.text is None:
                raise ValueError(f"the answer to '{name}' is no text")
            texts = [value.text] if isinstance(value.text, str) else value.text
            return "\n".join(text for text in texts if text.strip())
        allowed = self.allowed
        if allowed is None:
            allowed = frozenset(str(one["alias"]) for one in data["options"])
        if len(value.choices) != 1:
            raise ValueError(f"'{name}' has {len(value.choices)} choices where one is asked for")
        if value.choices[0] not in allowed:
            raise ValueError(f"'{value.choices[0]}' is not a choice of '{name}'")
        return value.choices[0]


Spec = Mapping[str, Field]
"""The questions of a page by name."""
_INDEX = "{{idx}}"
"""What stands in a page for the place in a list that its questions are asked about."""


def questions_of(page: str) -> Spec:
    """The questions of a page, and which answers each of them allows, as the page itself has them.

    Args:
        page: The page, as XML.
    """
    root = ElementTree.fromstring(page)  # noqa: S314  # it is ours
    lists = {
        node: repeater.get("on", "").removeprefix("$")
        for repeater in root.iter("Repeater")
        for node in repeater.iter()
    }
    found: dict[str, Field] = {}
    for node in root.iter():
        allowed: frozenset[str] | None = frozenset()
        if node.tag == "Choices":
            own = (one.get("alias", one.get("value", "")) for one in node.iter("Choice"))
            allowed = None if node.get("value") else frozenset(own)
        elif node.tag != "TextArea":
            continue
        name = node.get("name", "").removesuffix(_INDEX)
        found[name] = Field(node.tag.lower(), allowed, lists.get(node, ""))
    return found


class _Value(BaseModel):
    """What was chosen or written, as the server stores it."""

    choices: list[str] = []
    text: str | list[str] | None = None


class _Region(BaseModel):
    """One part of an annotation, as the server stores it."""

    from_name: str
    type: str
    value: _Value


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadAnswer(Given):
    """One annotation that can be read; who made it, and when, is known once all projects are.

    Attributes:
        data: The task's data.
        user: Who annotated.
        changed_at: When it was changed last, as the server writes it.
        seconds: How long it took; None where that is not known.
        id: Its number on the server.
        link: Where its task is to be seen.
    """

    data: Mapping[str, object]
    user: int
    changed_at: str
    seconds: float | None
    id: int
    link: str

    def field(self, name: str) -> str:
        """A field of the task."""
        return str(self.data.get(name, ""))


COUNTS = ("tasks", "annotations", "taken", "refused", "skipped", "older")


@dataclass(slots=True)
class Fetched:
    """What one project holds; `read` reads it from an export.

    Attributes:
        project: The project.
        raw: The export as received, where it is kept.
        users: The server's users by number.
        spec: The questions of its page.
        current: By uid, the version of the content now.
        url: The server's address.
        decides: Whether answers are decisions, of which their taking says what became.
        answers: The newest annotation of each task and person.
        findings: What was refused, and what is to be known.
        counts: Of `tasks`, `annotations`, `taken`, `refused`, `skipped`, `older`.
        open: By uid and user, whether a task that they did not answer is `skipped` or a `draft`,
            and what they wrote and did not submit, in a line.
        numbers: By uid, the number of the task as it is now.
    """

    project: Project
    raw: Path
    users: Mapping[int, Person]
    spec: Spec
    current: Mapping[str, str]
    url: str
    decides: bool = False
    answers: list[ReadAnswer] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTS, 0))
    open: dict[tuple[str, int], tuple[str, str]] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)

    @property
    def place(self) -> str:
        """Where its tasks are to be seen."""
        return f"{self.url}/projects/{self.project.id}/data"

    def say(self, key: str, **words: Any) -> None:
        """Take note of what is to be known."""
        where = f"project {self.project.id}"
        self.findings.append(finding(__package__, key, where, **words))

    def read(self, tasks: Sequence[Mapping[str, Any]]) -> None:
        """Read all tasks: the newest annotation of each person, the others counted."""
        newest: dict[tuple[str, int], ReadAnswer] = {}
        older: Counter[tuple[str, int]] = Counter()
        for answer in chain.from_iterable(map(self._of_task, tasks)):
            key = answer.uid, answer.user
            known = newest.get(key)
            if known is None or self._rank(known) < self._rank(answer):
                newest[key] = answer
            if known is not None and known.hash == answer.hash:
                older[key] += 1
        self.counts |= {"tasks": len(tasks), "taken": len(newest), "older": older.total()}
        for key, count in older.items():
            one = newest[key]
            words = {"uid": one.uid, "user": str(one.user), "count": count + 1, "link": one.link}
            self.say("labelstudio-older", way="twice", **words)
        self.answers = list(newest.values())
        done = {(a.uid, a.user) for a in self.answers if self._is_of_now(a.data)}
        self.open = {key: state for key, state in sorted(self.open.items()) if key not in done}
        if not self.decides:
            self._say_changed(tasks)

    def _rank(self, answer: ReadAnswer) -> tuple[bool, str, int]:
        """Of one person's answers to a task the one that counts has the highest."""
        return self._is_of_now(answer.data), answer.changed_at, answer.id

    def _is_of_now(self, data: Mapping[str, object]) -> bool:
        return bool(data.get("uid")) and data.get("hash") == self.current.get(str(data["uid"]))

    def _of_task(self, task: Mapping[str, Any]) -> Iterator[ReadAnswer]:
        found = task.get("annotations") or []
        self.counts["annotations"] += len(found)
        number, data = task.get("id"), task.get("data")
        link = f"{self.place}?task={number}"
        if not isinstance(data, dict) or not is_untouched(data):
            uid = data.get("uid") if isinstance(data, dict) else None
            why = f"its text ({uid}) was changed on the server" if uid else "no push made it"
            self.counts["refused"] += len(found)
            self.say(
                "labelstudio-task",
                way="annotated" if found else "empty",
                severity=Severity.ERROR if found else Severity.WARNING,
                number=str(number),
                why=why,
                count=len(found),
                link=link,
            )
            return
        uid, is_now = str(data["uid"]), self._is_of_now(data)
        if isinstance(number, int) and (uid not in self.numbers or is_now):
            self.numbers[uid] = number
        for item in found:
            try:
                read = _read(item)
                if read.was_cancelled:
                    self.counts["skipped"] += 1
                    if read.completed_by in self.users and is_now:
                        begun = SKIPPED, _begun(item.get("result"))
                        self.open[uid, read.completed_by or 0] = begun
                    continue
                yield self._answer(read, data, link)
            except ValueError as error:
                self.counts["refused"] += 1
                id_ = str(item.get("id")) if isinstance(item, dict) else "?"
                words = {"uid": uid, "number": id_, "whose": "", "why": str(error), "link": link}
                self.say("labelstudio-refused", **words)
        for item in task.get("drafts") or []:
            mail = str(item.get("user", "")).casefold()
            same = (one.user for one in self.users.values() if one.email.casefold() == mail)
            if is_now and mail and (user := next(same, None)) is not None:
                self.open[uid, user] = DRAFT, _begun(item.get("result"))

    def _answer(self, found: _Annotation, data: Mapping[str, Any], link: str) -> ReadAnswer:
        """An annotation with what was answered.

        Raises:
            ValueError: If it cannot be.
        """
        user = found.completed_by
        if user is None:
            raise ValueError("its user was deleted")
        if user not in self.users:
            raise ValueError(f"user {user} is not one of the server's users")
        if not found.result:
            raise ValueError("it is empty")
        said: dict[str, str] = {}
        for region in found.result:
            name = region.from_name
            asked = self._field(name, data)
            if asked is None:
                raise ValueError(f"there is no question '{name}'")
            if name in said:
                raise ValueError(f"'{name}' is answered twice")
            if region.type != asked.kind:
                raise ValueError(f"the answer to '{name}' is of another kind")
            said[name] = asked.read(name, region.value, data)
        return ReadAnswer(
            uid=str(data["uid"]),
            person="",
            said=said,
            source=f"{FROM_SERVER}{self.project.id}",
            at="",
            hash=str(data.get("hash", "")),
            data=data,
            user=user,
            changed_at=found.updated_at,
            seconds=found.lead_time,
            id=found.id,
            link=link,
        )

    def _field(self, name: str, data: Mapping[str, Any]) -> Field | None:
        """The question of a name; of one that is asked about each item of a list, for an item."""
        stem, _, at = name.rpartition("_")
        found = self.spec.get(f"{stem}_")
        if found is None or not (at.isascii() and at.isdigit()):
            return self.spec.get(name)
        return found if int(at) < len(data[found.each]) else None

    def _say_changed(self, tasks: Sequence[Mapping[str, Any]]) -> None:
        """Say which answers are about what was otherwise then."""
        stale = sorted({a.uid for a in self.answers if not self._is_of_now(a.data)})
        data = [task["data"] for task in tasks if isinstance(task.get("data"), dict)]
        now = {str(item.get("uid")) for item in data if self._is_of_now(item)}
        by_way: dict[str, list[str]] = {way: [] for way in ("changed", "again", "gone")}
        for uid in stale:
            is_asked = uid in self.current
            by_way["again" if uid in now else "changed" if is_asked else "gone"].append(uid)
        for way, uids in by_way.items():
            if uids:
                self.say(f"labelstudio-stale-{way}", count=len(uids), uids=shortened(uids))


def _read(found: object) -> _Annotation:
    """An annotation as the server stores it.

    Raises:
        ValueError: If it is stored in another way.
    """
    try:
        return _Annotation.model_validate(found)
    except ValidationError as error:
        where = ".".join(map(str, error.errors()[0]["loc"])) or "annotation"
        raise ValueError(f"its {where} is not as the page stores it") from None


def _begun(result: object) -> str:
    """What stands in a draft, in a line: whatever a page has stored of it."""
    listed = result if isinstance(result, list) else []
    parts = [one.get("value") for one in listed if isinstance(one, dict)]
    texts = (text for one in parts if isinstance(one, dict) for text in one.values())
    lists = (text if isinstance(text, list) else [text] for text in texts)
    return "; ".join(" ".join(str(text).split()) for every in lists for text in every if text)


PEOPLE = "people.csv"
"""Who is who, in `annotations/`."""
PEOPLE_TABLE = Codec(Person, "undo the edit: users have numbers, each one row", key=("user",))
"""The columns of `people.csv`."""


def read_people(workspace: Workspace) -> dict[int, Person]:
    """Read who is who, second accounts under the name of the first; nobody without a file.

    Raises:
        CurateError: If a row cannot be read, two users have one name, or a first account is none.
    """
    path = workspace.annotations.folder / PEOPLE
    every = {
        item.user: replace(item, annotator=" ".join(item.annotator.split()))
        for item in PEOPLE_TABLE.read(path)
    }
    names: dict[str, int] = {}
    found: dict[int, Person] = {}
    for user, person in every.items():
        where = f"{path}, user {user}"
        if person.same_as:
            first = every.get(int(person.same_as)) if person.same_as.isdigit() else None
            if first is None or first.same_as:
                words = {"user": str(user), "same_as": person.same_as}
                raise refusal(__package__, "people-second", f"{where}, column same_as", **words)
            found[user] = replace(person, annotator=first.annotator)
            continue
        found[user] = person
        other = names.setdefault(person_key(person.annotator), user) if person.annotator else user
        if other != user:
            raise refusal(
                "curation", "users-alike", where, other=other, user=user, annotator=person.annotator
            )
    return found


def numbered_name(user: int) -> str:
    """What somebody is called who has no known name."""
    return f"annotator-{user}"


@dataclass(frozen=True, slots=True)
class Answers:
    """What was answered to the tasks of a kind: the newest of each annotator and task.

    Attributes:
        workspace: The workspace.
        given: The answers.
        sources: How projects are named in `source_file` that were looked at, or are to go.
        tasks: By uid, the tasks as they would be sent now.
        there: The answers that can be read on the server: project, task, and who gave it.
        names: The names of the people who are known; None where what is gone is to go.
        findings: What was refused or left out; more may be added.
    """

    workspace: Workspace
    given: Sequence[ReadAnswer]
    sources: frozenset[str]
    tasks: Mapping[str, Task]
    there: Collection[tuple[str, str, str]] = ()
    names: Collection[str] | None = None
    findings: list[Finding] = field(default_factory=list)

    def replaces(self, row: object) -> bool:
        """Whether a row is from one of the projects."""
        return getattr(row, "source_file", "") in self.sources

    def is_gone(self, row: Any, person: str, uid: str) -> bool:
        """Whether nobody has the answer of a row any more, by the name that they have now."""
        if person in (self.names or ()):
            return (row.source_file, uid, person) not in self.there
        return all((source, task) != (row.source_file, uid) for source, task, _ in self.there)

    def chosen(self, question: str) -> list[ReadAnswer]:
        """The answers to tasks as they would be sent now in which a choice is made.

        The others are refused.
        """
        hashes = {uid: task.hash for uid, task in self.tasks.items()}
        found = [item for item in self.given if item.hash == hashes.get(item.uid)]
        self.leave_out(len(self.given) - len(found))
        for item in found:
            if not item.text(question):
                item.refuse(question, "no answer is chosen")
        return [item for item in found if item.text(question)]

    def say(self, key: str, **words: Any) -> None:
        """Take note of what is to be known of an answer."""
        self.findings.append(finding(__package__, key, "annotations", **words))

    def leave_out(self, count: int) -> None:
        """Say how many answers are about texts that are not there any more."""
        if count:
            self.say("labelstudio-left-out", count=count)

    def refuse(self, item: ReadAnswer, _question: str, why: str) -> None:
        """Say that an answer is refused."""
        whose = f" of {item.person}"
        words = {"uid": item.uid, "number": str(item.id), "link": item.link}
        self.say("labelstudio-refused", whose=whose, why=why, **words)


PULL_AGAIN = "pull again"
"""What to do about a table of answers that cannot be read."""
KINDS: Mapping[str, str] = {
    "classify": "curation.annotation.classify:CLASSIFY_TASKS",
    "consensus": "curation.annotation.classify:CONSENSUS_TASKS",
    "translate": "curation.annotation.translation.handed:PAGES",
    "comprehension": "survey.comprehension_tasks:KIND",
    "passages": "evaluation.stories.readers:KIND",
}
"""By name of a kind where it is; its module is imported when it is used."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which texts are to be translated, or read.

    Attributes:
        every: All that may have been sent, whatever else is wanted.
        missing: Only those of templates of which a text is still missing.
        named: Only these templates or categories; all by default.
        asked: By what is asked once for all, the task that asked it first.
    """

    every: bool = False
    missing: bool = False
    named: Collection[str] = ()
    asked: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TaskKind:
    """One kind of task.

    Attributes:
        name: As it is called everywhere.
        annotations: How many people annotate each task unless somebody says otherwise.
        tasks: Its tasks, with what is found in the bank.
        file: The table of the answers in normal form, in `annotations/`.
        codec: Its rows, with `source_file` and `collected_at` among the fields; its key is what was
            asked, and who answered.
        rows: Makes the rows of answers; says of those that it cannot use why.
        empty: What to do where there are no tasks.
        then: What comes after a pull; `{file}` stands for the normal form.
        told: What people are told before their first task, where the texts of pages do not say it.
        apart: Fields in which a row may differ and still be the same.
        counts: Whether a row is what somebody was to give.
        decides: Whether an answer is a decision: there is one project for all then, one answer to
            a task, and its taking says what became of it.
        suggested: Its page and tasks as those see them who are shown suggestions; None for a kind
            that has none.
        sheets: Writes a workbook for each of some people in which the same is asked; gives the
            files. None for a kind that has none.
        task_of: Tells the task of a row.
        is_of_now: Whether answers about what has changed since are left out.
        is_of_source: Whether its page shows texts of the source, and not the culture's own.
        disputed: The tasks of categories in which annotators agree less than a number says, with
            the keys of those who have answered each; None for a kind of which agreement is not
            measured.
    """

    name: str
    annotations: int
    tasks: Callable[[Workspace, Wanted], tuple[list[Task], list[Finding]]]
    file: str
    codec: Codec[Any]
    rows: Callable[[Answers], list[Any]]
    empty: str
    then: str
    told: Callable[[Workspace], tuple[str, ...]] = lambda _workspace: ()
    apart: tuple[str, ...] = ("collected_at",)
    counts: Callable[[Any], bool] = lambda _row: True
    decides: bool = False
    suggested: "Callable[[Workspace, Sequence[Task], Found], tuple[str, list[Task]]] | None" = None
    sheets: Callable[[Workspace, Sequence[str]], list[Path]] | None = None
    disputed: Callable[[Workspace, float], Mapping[str, Collection[str]]] | None = None
    task_of: Callable[[Answers], Callable[[Any], str]] = lambda _answers: attrgetter("template_id")
    is_of_now: bool = False
    is_of_source: bool = True

    def page(self, workspace: Workspace, suggestion: str = "") -> str:
        """Its page, in the language of a workspace; it says which answers there may be.

        Args:
            workspace: The workspace.
            suggestion: As `page_of` takes it.
        """
        shown = workspace.source_language if self.is_of_source else workspace.language
        return page_of(self.name, shown, workspace.language, suggestion)

    def path(self, workspace: Workspace) -> Path:
        """Where the table is."""
        return workspace.annotations.folder / self.file

    def read(self, workspace: Workspace) -> list[Any]:
        """The rows that are there; none where nothing was pulled.

        Raises:
            CurateError: If the table cannot be read.
        """
        return self.codec.read(self.path(workspace))

    def save(self, answers: Answers) -> tuple[int, int, Mapping[str, int]]:
        """Write answers in the place of those of the same projects, and of the same question.

        What did not change keeps the time of its first collection. What is gone from the server is
        named, and stays until it is to go.

        Returns:
            How many rows are from the server, how many are there besides, and how many are from it
            of each annotator.

        Raises:
            CurateError: If the table cannot be read or written.
        """
        found, task_of, role = self.rows(answers), self.task_of(answers), self.codec.key[-1]
        gone: dict[tuple[str, str], dict[str, None]] = {}

        def drops(row: Any) -> bool:
            """Whether a row goes: its answer is on the server, or what is gone is to go."""
            person, uid = getattr(row, role), task_of(row)
            if not answers.replaces(row):
                return False
            now = answers.tasks.get(uid)
            is_old = now is None or getattr(row, "row_hash", now.hash) != now.hash
            stays = answers.names is not None and not (self.is_of_now and is_old)
            if stays and answers.is_gone(row, person, uid):
                gone.setdefault((row.source_file, person), {})[uid] = None
                return False
            return True

        before = self.read(answers.workspace)
        rows, _ = join(self.codec, before, found, drops, apart=self.apart)
        for (_, person), uids in sorted(gone.items()):
            words = {"person": person, "uids": shortened(sorted(uids)), "kind": self.name}
            answers.say("labelstudio-gone", count=len(uids), **words)
        self.codec.write(self.path(answers.workspace), sorted(rows, key=self.codec.cells))
        ours = [row for row in rows if answers.replaces(row)]
        count = Counter(getattr(row, role) for row in ours if self.counts(row))
        return len(ours), len(rows) - len(ours), count


def kind_of(name: str) -> TaskKind:
    """The kind of a name.

    Raises:
        CurateError: If there is none.
    """
    refuse_unknown("kind of task", name, KINDS)
    module, _, constant = KINDS[name].partition(":")
    kind: TaskKind = getattr(importlib.import_module(module), constant)
    return kind


def tasks_of(kind: TaskKind, workspace: Workspace, wanted: Wanted) -> list[Task]:
    """The tasks of a kind by the bank as it is now.

    Raises:
        CurateError: If there are none, or one of them cannot be made.
    """
    tasks, findings = kind.tasks(workspace, wanted)
    if wanted.named:  # each is called by its template
        only = workspace.chosen(wanted.named)
        tasks = [task for task in tasks if workspace.renamed.get(task.uid, task.uid) in only]
    refuse_errors(findings)
    if not tasks:
        words = {"kind": kind.name, "todo": kind.empty}
        raise refusal(__package__, "push-nothing", workspace.shown(workspace.bank_file), **words)
    return tasks
