"""Answers that were fetched, one of each annotator and task, and their normal forms.

`translate.csv` and `comprehension.csv` are tables of records that the kinds of tasks define; the
functions here read and write them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, astuple, dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from curation.annotation.labelstudio.client import Project, User
from curation.annotation.labelstudio.tasks import Task
from curation.files.annotations import AnnotationsFolder
from curation.files.tables import read_table, refuse_problems, write_csv
from curation.files.workspace import Workspace
from curation.records.findings import Finding, Severity

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

FROM_SERVER = "labelstudio:"
"""How `source_file` begins of what comes from a project; its number follows."""

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


@dataclass(frozen=True, slots=True)
class Open:
    """A task that somebody has looked at and not answered.

    Attributes:
        uid: The task.
        user: Who.
        state: `skipped`, or `draft` where an answer was begun and not submitted.
    """

    uid: str
    user: int
    state: str


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
        open: What people skipped, or began and did not submit.
        numbers: By uid, the number of the task as it is now.
    """

    project: Project
    raw: Path
    answers: tuple[Answer, ...]
    users: tuple[User, ...]
    findings: tuple[Finding, ...]
    counts: Mapping[str, int]
    open: tuple[Open, ...] = ()
    numbers: Mapping[str, int] = field(default_factory=dict)


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
        sources: How the projects that they come from are named in `source_file`.
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

    def known(self) -> list[Given]:
        """The answers to tasks that would be sent now, in whatever version."""
        return self._usable(lambda item: item.answer.uid in self.tasks)

    def of_now(self) -> list[Given]:
        """The answers to tasks as they would be sent now."""
        return self._usable(self._is_of_now)

    def _is_of_now(self, item: Given) -> bool:
        task = self.tasks.get(item.answer.uid)
        return task is not None and item.field("hash") == task.hash

    def _usable(self, holds: Callable[[Given], bool]) -> list[Given]:
        usable = [item for item in self.given if holds(item)]
        self.leave_out(len(self.given) - len(usable))
        return usable

    def leave_out(self, count: int) -> None:
        """Say how many answers are about texts that are not there any more."""
        if count:
            self.findings.append(
                _finding(
                    "labelstudio-left-out",
                    Severity.WARNING,
                    f"{count} answers are about texts that changed; they are not counted",
                    "push the texts again so that they are answered",
                )
            )

    def warn(self, rule: str, message: str, hint: str) -> None:
        """Say what is to be known of an answer that is taken."""
        self.findings.append(_finding(rule, Severity.WARNING, message, hint))

    def refuse(self, item: Given, why: str) -> None:
        """Say that an answer is refused."""
        self.findings.append(
            _finding(
                "labelstudio-refused",
                Severity.ERROR,
                f"{item.answer.uid}: annotation {item.answer.id} of {item.annotator} is refused: "
                f"{why}: {item.answer.link}",
                "ask the annotator to answer again on the page, or delete it on the server",
            )
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
) -> Answers:
    """The answers of all projects of a kind, by those who have a name.

    Args:
        workspace: The workspace.
        fetched: What the projects hold.
        people: Who is who.
        tasks: By uid, the tasks as they would be sent now.
        at: The time of this pull.
    """
    findings: list[Finding] = []
    given = _one_each(_named(fetched, people, at, findings), findings)
    sources = frozenset(_source_of(item.project) for item in fetched)
    return Answers(workspace, given, sources, tasks, findings)


def _source_of(project: Project) -> str:
    return f"{FROM_SERVER}{project.id}"


def _named(
    fetched: Sequence[Fetched],
    people: Mapping[int, Person],
    at: str,
    findings: list[Finding],
) -> Iterator[Given]:
    for item in fetched:
        left: Counter[int] = Counter()
        for answer in item.answers:
            person = people[answer.user]
            if person.annotator:
                yield Given(answer, person.annotator, _source_of(item.project), at)
            else:
                left[answer.user] += 1
        findings += [
            _finding(
                "labelstudio-unnamed",
                Severity.INFO,
                f"user {user} has no name in people.csv: {count} annotations are not counted",
                "write a name there, and pull again",
            )
            for user, count in sorted(left.items())
        ]


def _one_each(given: Iterable[Given], findings: list[Finding]) -> list[Given]:
    """Take the newest where one annotator answered one task in two projects."""
    newest: dict[tuple[str, str], Given] = {}
    for item in given:
        key = item.answer.uid, item.annotator
        known = newest.get(key)
        if known is not None:
            message = (
                f"{item.answer.uid}: {item.annotator} annotated it in two projects, or under two "
                f"accounts: {item.answer.link}"
            )
            hint = "if the newest one is intended, nothing is to be done"
            findings.append(_finding("labelstudio-older", Severity.WARNING, message, hint))
        if known is None or known.answer.at < item.answer.at:
            newest[key] = item
    return list(newest.values())


def _finding(rule: str, severity: Severity, message: str, hint: str) -> Finding:
    return Finding(rule, severity, "annotations", None, "", message, hint)


R = TypeVar("R", bound="DataclassInstance")


def read_results(path: Path, record: type[R]) -> list[R]:
    """What was pulled earlier, by a record whose fields are the columns; nothing without a file.

    A column whose field has a default may be missing: a file of before has it not.

    Raises:
        CurateError: If it cannot be read.
    """
    if not path.exists():
        return []
    columns = [item.name for item in fields(record)]
    needed = [item.name for item in fields(record) if item.default is MISSING]
    table = read_table(path, required=needed)
    refuse_problems(table)
    there = [name for name in columns if name in table.columns]
    return [record(**{name: row[name] for name in there}) for row in table.rows]


def save_results(path: Path, record: type[R], found: Iterable[R], who: str) -> Saved:
    """Write results in place of `path`, in order; what did not change keeps its time.

    Args:
        path: The table.
        record: Its rows, with `collected_at` among the fields.
        found: The rows.
        who: The field that names the annotator.

    Raises:
        CurateError: If it cannot be read or written.
    """
    before = {_timeless(item): item for item in read_results(path, record)}
    rows = [before.get(_timeless(item), item) for item in found]
    write_csv(path, [item.name for item in fields(record)], sorted(map(astuple, rows)))
    return Saved(path, len(rows), Counter(getattr(item, who) for item in rows))


def _timeless(item: R) -> R:
    """A result without the time at which it was read first."""
    return replace(item, collected_at="")
