"""Tasks that people skipped, or began and did not submit, by person: `annotations/unfinished.csv`.

An export alone knows of them; `curate status` names them without asking the server.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from curation.annotation.labelstudio.answers import Fetched, Person
from curation.files.tables import read_table, refuse_problems, write_csv
from curation.records.findings import Finding, Severity
from curation.records.wording import plural, shortened

UNFINISHED = "unfinished.csv"
"""The table, in `annotations/`."""
SKIPPED, DRAFT = "skipped", "draft"
_LINKS = 3
_SAID = {SKIPPED: "skipped", DRAFT: "began and did not submit"}
_HINTS = {
    SKIPPED: "ask why; a task that was skipped can be opened and answered all the same",
    DRAFT: "have it opened and submitted",
}


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A task that somebody skipped, or began and did not submit; fields are the columns.

    Attributes:
        kind: Kind of task.
        annotator: Name of the annotator.
        task: The task's uid.
        state: `skipped` or `draft`.
        project: The project's number on the server.
    """

    kind: str
    annotator: str
    task: str
    state: str
    project: str


UNFINISHED_COLUMNS = tuple(item.name for item in fields(Unfinished))
"""The columns of `unfinished.csv`."""


def read_unfinished(path: Path) -> list[Unfinished]:
    """What was unfinished at the last pulls; nothing without a file.

    Raises:
        CurateError: If it cannot be read.
    """
    if not path.exists():
        return []
    table = read_table(path, required=UNFINISHED_COLUMNS)
    refuse_problems(table)
    return [Unfinished(*(row[name] for name in UNFINISHED_COLUMNS)) for row in table.rows]


def unfinished_of(
    kind: str,
    fetched: Iterable[Fetched],
    people: Mapping[int, Person],
    current: Mapping[str, str],
) -> list[Unfinished]:
    """What is unfinished of a kind, of people who have a name.

    Args:
        kind: The kind of task.
        fetched: What its projects hold.
        people: Who is who; what somebody answered under another account is finished.
        current: By uid, the version of the content now.
    """
    every = list(fetched)
    done = {
        (answer.uid, people[answer.user].annotator)
        for item in every
        for answer in item.answers
        if answer.data.get("hash") == current.get(answer.uid)
    }
    found = {
        Unfinished(kind, people[one.user].annotator, one.uid, one.state, str(item.project.id))
        for item in every
        for one in item.open
        if one.user in people and people[one.user].annotator
        if (one.uid, people[one.user].annotator) not in done
    }
    return sorted(found, key=astuple)


def save_unfinished(path: Path, kind: str, found: Iterable[Unfinished]) -> None:
    """Write what is unfinished of a kind in the place of what was; other kinds stay.

    Raises:
        CurateError: If it cannot be read or written.
    """
    before = read_unfinished(path)
    rows = sorted({*(item for item in before if item.kind != kind), *found}, key=astuple)
    if rows != before:
        write_csv(path, UNFINISHED_COLUMNS, map(astuple, rows))


def said(found: Iterable[Unfinished], place: Callable[[Unfinished], str]) -> list[Finding]:
    """Name what is unfinished, by person, with the place of the first tasks on the server."""
    grouped: dict[tuple[str, str, str], list[Unfinished]] = {}
    for item in found:
        grouped.setdefault((item.annotator, item.project, item.state), []).append(item)
    findings = []
    for (who, project, state), items in grouped.items():
        tasks = [item.task for item in items]
        links = dict.fromkeys(place(item) for item in items[:_LINKS])
        findings.append(
            Finding(
                *(f"labelstudio-{state}", Severity.INFO, f"project {project}", None, ""),
                f"{who} {_SAID[state]} {len(tasks)} {plural('task', len(tasks))}: "
                f"{shortened(tasks)}",
                f"{_HINTS[state]}: {' '.join(links)}",
            )
        )
    return findings


def words(found: Iterable[Unfinished], who: str, items: Iterable[str]) -> str:
    """What somebody skipped or began of their tasks, to stand behind their number."""
    wanted = set(items)
    mine = [item for item in found if item.annotator == who and item.task in wanted]
    parts = []
    for state, text in ((SKIPPED, "skipped"), (DRAFT, "begun but not submitted")):
        tasks = sorted({item.task for item in mine if item.state == state})
        if tasks:
            parts.append(f"{text}: {shortened(tasks)}")
    return f" ({'; '.join(parts)})" if parts else ""
