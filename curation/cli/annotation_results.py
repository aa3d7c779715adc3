"""Answers from a server into the normal forms of `annotations/`."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from curation.io.annotations import AnnotationsFolder, read_annotations, write_annotations
from curation.io.labelstudio.people import Person
from curation.io.labelstudio.pull import Answer, Fetched
from curation.io.labelstudio.results import (
    FROM_SERVER,
    Comprehension,
    R,
    Translation,
    keep_times,
    read_results,
    write_results,
)
from curation.io.labelstudio.tasks import Task
from curation.model.annotation import Annotation
from curation.model.bank import Label
from curation.model.findings import Finding, Severity
from curation.model.reply import choice_letters
from curation.model.survey import split_groups
from curation.stages.classify import merge_annotations
from evaluation.stories.passages import (
    READ_BY_PEOPLE,
    PersonReading,
    read_people,
    write_people,
)


@dataclass(frozen=True, slots=True)
class Saved:
    """What was written.

    Attributes:
        file: Where.
        rows: Rows that are from the server.
        by_annotator: How many of each annotator.
        findings: Answers that were refused or left out.
    """

    file: Path
    rows: int
    by_annotator: Mapping[str, int]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class _Given:
    """One answer with what is written beside it."""

    answer: Answer
    annotator: str
    source: str
    at: str

    def text(self, name: str) -> str:
        """Give what was written for a question, several pieces as lines."""
        return "\n".join(self.answer.values.get(name, ())).strip()

    def field(self, name: str) -> str:
        """Give a field of the task."""
        return str(self.answer.data.get(name, ""))


def source_of(project: int) -> str:
    """Give how a project is named in the column `source_file`."""
    return f"{FROM_SERVER}{project}"


def save_answers(
    kind: str,
    folder: AnnotationsFolder,
    fetched: Mapping[str, Fetched],
    people: Mapping[int, Person],
    tasks: Mapping[str, Task],
    at: str,
) -> Saved:
    """Write the answers of all projects of a kind in normal form.

    Args:
        kind: Kind of task.
        folder: The folder of annotations.
        fetched: What the projects hold.
        people: Who is who.
        tasks: By uid, the tasks as they would be sent now.
        at: The time of this pull.

    Raises:
        CurateError: If the normal form cannot be read or written.
    """
    findings: list[Finding] = []
    given = _one_each(_named(fetched, people, at, findings), findings)
    sources = {source_of(item.project.id) for item in fetched.values()}
    if kind == "classify":
        return _save_classify(folder, given, sources, findings)
    if kind == "translate":
        usable = _usable(given, lambda item: item.answer.uid in tasks, findings)
        return _save(folder, "translate", Translation, _translation, usable, findings)
    usable = _usable(given, lambda item: _is_of_now(item, tasks), findings)
    if kind == "passages":
        return _save_passages(folder, usable, sources, tasks, findings)
    return _save(folder, "comprehension", Comprehension, _comprehension, usable, findings)


def _named(
    fetched: Mapping[str, Fetched],
    people: Mapping[int, Person],
    at: str,
    findings: list[Finding],
) -> Iterator[_Given]:
    for item in fetched.values():
        left: Counter[int] = Counter()
        for answer in item.answers:
            person = people[answer.user]
            if person.annotator:
                yield _Given(answer, person.annotator, source_of(item.project.id), at)
            else:
                left[answer.user] += 1
        findings += [
            _finding(
                "labelstudio-unnamed",
                Severity.INFO,
                f"user {user} has no name in people.csv: {count} annotations are left out",
                "write one there to have them",
            )
            for user, count in sorted(left.items())
        ]


def _one_each(given: Iterable[_Given], findings: list[Finding]) -> list[_Given]:
    """Take the newest where one annotator answered one task in two projects."""
    newest: dict[tuple[str, str], _Given] = {}
    for item in given:
        key = item.answer.uid, item.annotator
        known = newest.get(key)
        if known is not None:
            message = f"{item.answer.uid}: {item.annotator} annotated it in two projects"
            hint = "nothing to do, if the newest is meant"
            findings.append(_finding("labelstudio-older", Severity.WARNING, message, hint))
        if known is None or known.answer.at < item.answer.at:
            newest[key] = item
    return list(newest.values())


def _usable(
    given: Iterable[_Given], holds: Callable[[_Given], bool], findings: list[Finding]
) -> list[_Given]:
    items = list(given)
    usable = [item for item in items if holds(item)]
    if len(usable) < len(items):
        findings.append(
            _finding(
                "labelstudio-left-out",
                Severity.WARNING,
                f"{len(items) - len(usable)} answers are about texts that changed; left out",
                "push the texts anew to have them answered",
            )
        )
    return usable


def _is_of_now(item: _Given, tasks: Mapping[str, Task]) -> bool:
    task = tasks.get(item.answer.uid)
    return task is not None and item.field("hash") == task.hash


def _save_passages(
    folder: AnnotationsFolder,
    given: Sequence[_Given],
    sources: set[str],
    tasks: Mapping[str, Task],
    findings: list[Finding],
) -> Saved:
    """Write the readings of stories beside those of the workbooks."""
    path = folder.folder / READ_BY_PEOPLE
    new = [item for item in (_reading(one, tasks, findings) for one in given) if item is not None]
    known = [item for item in read_people(path) if item.source_file not in sources]
    write_people(path, known, sorted(new, key=lambda item: (item.reader, item.request_id)))
    return Saved(path, len(new), Counter(item.reader for item in new), tuple(findings))


def _reading(
    item: _Given, tasks: Mapping[str, Task], findings: list[Finding]
) -> PersonReading | None:
    answer = item.answer.values.get("answer")
    if not answer:
        findings.append(_refused(item, "no answer is chosen"))
        return None
    request, *roles = tasks[item.answer.uid].kept
    reading = roles[choice_letters(len(roles)).index(answer[0])]
    return PersonReading(
        request, item.annotator, reading, item.text("remark"), item.source, item.at
    )


def _save_classify(
    folder: AnnotationsFolder,
    given: Sequence[_Given],
    sources: set[str],
    findings: list[Finding],
) -> Saved:
    new = [item for item in (_annotation(one, findings) for one in given) if item is not None]
    again = {item.annotator for item in new}
    known = [
        item
        for item in read_annotations(folder.classify)
        if item.source_file not in sources or item.annotator in again
    ]
    merged = merge_annotations(known, new)
    write_annotations(folder.classify, merged.rows)
    counts = Counter(item.annotator for item in new)
    return Saved(folder.classify, len(new), counts, tuple(findings))


def _annotation(item: _Given, findings: list[Finding]) -> Annotation | None:
    decision = item.answer.values.get("decision", ())
    label = Label(decision[0]) if decision else None
    removed = label is Label.SAMPLE_REMOVED
    reason = item.text("removal_reason") if removed else item.text("reason")
    targets = _groups(item.text("proposed_targets"))
    non_targets = _groups(item.text("proposed_non_targets"))
    problem = ""
    if label is None and not item.text("remark"):
        problem = "it has neither label nor remark"
    if removed and not reason:
        problem = "a template is removed without a reason"
    if targets is None or non_targets is None:
        problem = "the proposed groups are no list: separate them by commas"
    if problem:
        findings.append(_refused(item, problem))
        return None
    modified = label is Label.TARGET_MODIFIED
    return Annotation(
        template_id=item.answer.uid,
        annotator=item.annotator,
        label=label,
        reason=reason,
        proposed_targets=(targets or ()) if modified else (),
        proposed_non_targets=(non_targets or ()) if modified else (),
        remark=item.text("remark"),
        source_file=item.source,
        row_hash=item.field("hash"),
        collected_at=item.at,
    )


def _groups(text: str) -> tuple[str, ...] | None:
    try:
        return split_groups(" ".join(text.split())) if text else ()
    except ValueError:
        return None


def _translation(item: _Given, findings: list[Finding]) -> Translation | None:
    target = item.text("target")
    if not target:
        findings.append(_refused(item, "it has no translation"))
        return None
    checks = item.answer.values.get("checks", ())
    return Translation(
        unit_id=item.answer.uid,
        template_id=item.field("template_id"),
        kind=item.field("kind"),
        annotator=item.annotator,
        source=item.field("source_text"),
        target=target,
        rating="".join(item.answer.values.get("rating", ())),
        entities_adapted="true" if "entities_adapted" in checks else "false",
        slots_kept="true" if "slots_kept" in checks else "false",
        remark=item.text("remark"),
        source_file=item.source,
        row_hash=item.field("hash"),
        collected_at=item.at,
    )


def _comprehension(item: _Given, findings: list[Finding]) -> Comprehension | None:
    answer = item.answer.values.get("answer")
    if not answer:
        findings.append(_refused(item, "no answer is chosen"))
        return None
    seconds = item.answer.seconds
    return Comprehension(
        respondent_id=item.annotator,
        question_id=f"c-{item.answer.uid}",
        kind="comprehension",
        option=answer[0],
        state="selected",
        position=_position(item, answer[0]),
        duration_s="" if seconds is None else f"{seconds:.1f}",
        template_id=item.field("template_id"),
        sample_id=item.field("sample_id"),
        remark=item.text("remark"),
        source_file=item.source,
        row_hash=item.field("hash"),
        collected_at=item.at,
    )


def _position(item: _Given, code: str) -> str:
    options = item.answer.data.get("options")
    codes = [option.get("alias") for option in options] if isinstance(options, list) else []
    return str(codes.index(code) + 1)


def _save(
    folder: AnnotationsFolder,
    name: str,
    record: type[R],
    read: Callable[[_Given, list[Finding]], R | None],
    given: Sequence[_Given],
    findings: list[Finding],
) -> Saved:
    path = folder.folder / f"{name}.csv"
    found = [item for item in (read(one, findings) for one in given) if item is not None]
    rows = keep_times(found, read_results(path, record))
    write_results(path, record, rows)
    counts = Counter(
        item.annotator if isinstance(item, Translation) else item.respondent_id for item in rows
    )
    return Saved(path, len(rows), counts, tuple(findings))


def _refused(item: _Given, why: str) -> Finding:
    return _finding(
        "labelstudio-refused",
        Severity.ERROR,
        f"{item.answer.uid}: annotation {item.answer.id} of {item.annotator} is refused: {why}",
        "ask the annotator to answer again on the page, or delete it on the server",
    )


def _finding(rule: str, severity: Severity, message: str, hint: str) -> Finding:
    return Finding(rule, severity, "annotations", None, "", message, hint)
