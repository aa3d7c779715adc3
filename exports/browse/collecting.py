"""From comments that people wrote in the page to an agenda, or to decisions in the ledger."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from curation.files.annotations import AnnotationsFolder, keep_raw
from curation.files.atomic import atomic_text
from curation.files.codec import now
from curation.files.lock import writing
from curation.files.tables import read_bytes, write_csv
from curation.files.workspace import Workspace
from curation.records.annotation import person_key
from curation.records.messages import (
    UNSEEN,
    CurateError,
    Finding,
    Refusal,
    Severity,
    frame,
    given_name,
    has_errors,
    plural,
    warning,
)
from curation.records.survey import Additions
from curation.report.texts import plain
from exports.browse.comments import (
    RULE,
    Comment,
    CommentsFile,
    MergedComments,
    SubjectKind,
    merge_comments,
    read_comments,
    read_comments_file,
    read_deleted,
    write_comments,
    write_deleted,
)
from exports.browse.shown import fingerprint
from exports.browse.standing import ON_AGENDA, STANDS, CommentItem, Look, Standing, ordered
from survey.explaining import override_each

if TYPE_CHECKING:
    import pandas as pd


AGENDA_COLUMNS = tuple(field.name for field in fields(CommentItem))
"""The columns of `comments_agenda.csv`."""


class CommentFiles:
    """The files of `annotations/` that hold comments.

    Args:
        workspace: The workspace.
    """

    def __init__(self, workspace: Workspace) -> None:
        folder = AnnotationsFolder(workspace.root).folder
        self.comments = folder / "comments.csv"
        self.deleted = folder / "comments_deleted.csv"
        self.agenda = folder / "comments_agenda.csv"
        self.agenda_text = folder / "comments_agenda.md"


def write_agenda(where: CommentFiles, items: Sequence[CommentItem]) -> None:
    """Write the agenda as a table and as a text.

    Raises:
        CurateError: If a file cannot be written.
    """
    # What was put into the ledger just now stands as proposed: so the same files again, which put
    # nothing there, give the same agenda.
    items = [
        replace(item, standing=Standing.STANDS, why=STANDS)
        if item.standing is Standing.APPLIED
        else item
        for item in items
    ]
    rows = ([getattr(item, name) for name in AGENDA_COLUMNS] for item in ordered(items))
    write_csv(where.agenda, AGENDA_COLUMNS, rows, escaped=True)
    with atomic_text(where.agenda_text) as stream:
        stream.write(agenda_markdown(items))


def agenda_markdown(items: Sequence[CommentItem]) -> str:
    """Write the agenda to be read out: a section a subject, with the commands that settle it."""
    by_subject: dict[str, list[CommentItem]] = {}
    for item in ordered(items):
        by_subject.setdefault(item.subject, []).append(item)
    listed = {
        subject: found
        for subject, found in by_subject.items()
        if any(item.standing in ON_AGENDA for item in found)
    }
    done = len(by_subject) - len(listed)
    count = len(listed)
    lines = [f"# Agenda: {count} {plural('subject', count)} with comments"]
    if done:
        lines += ["", f"{done} {plural('subject', done)} with nothing to settle: see the CSV file."]
    for subject, found in listed.items():
        lines += ["", *_section(subject, found)]
    return "\n".join(lines) + "\n"


def _section(subject: str, found: Sequence[CommentItem]) -> list[str]:
    first = found[0]
    stereotype = " ".join(first.stereotype.split())
    lines = [f"## {_plain(f'{subject}: {stereotype}' if stereotype else subject)}", ""]
    facts = [first.kind.value, first.category, first.status]
    lines += [_plain(", ".join(item for item in facts if item)), ""]
    for item in found:
        said = f" {_plain(' '.join(item.text.split()))}" if item.text else ""
        about = f" on question {_plain(item.about)}" if item.about else ""
        what = f" proposes to {item.proposal.value}" if item.proposal else ""
        why = f"[{item.standing.value}: {_plain(item.why)}]"
        lines.append(f"- {_plain(item.by)}{about}{what}:{said} {why}")
    disputed = {Standing.OPEN, Standing.CONTRADICTED, Standing.CHANGED}
    if first.kind is SubjectKind.TEMPLATE and any(item.standing in disputed for item in found):
        lines += ["", "To settle it:", ""]
        lines += [
            f"    curate override {subject} --{word} --by NAME --reason TEXT"
            for word in ("keep", "drop")
        ]
    return lines


def _plain(text: str) -> str:
    """A text in which Markdown sees no marks, and a terminal no commands."""
    return plain(UNSEEN.sub(" ", text))


@dataclass(frozen=True, slots=True)
class CollectedComments:
    """All comments after some files were collected.

    Attributes:
        merged: The comments, and what the files changed in them.
        items: What was said of each template, sample and question, and where it stands.
        added: What the ledger gains; None where nobody answers for it.
        agenda: Where the agenda is.
        findings: What was passed over, and why.
    """

    merged: MergedComments
    items: tuple[CommentItem, ...]
    added: Additions | None
    agenda: Path
    findings: tuple[Finding, ...]

    @property
    def people(self) -> tuple[str, ...]:
        """Who wrote comments, each once."""
        names: dict[str, str] = {}
        for item in self.merged.comments:
            names.setdefault(person_key(item.by), item.by)
        return tuple(sorted(names.values()))

    def to_frame(self) -> "pd.DataFrame":
        """The items: a column a field of `CommentItem`, all of dtype `object`."""
        return frame(self.items, CommentItem)


def collect_comments(
    workspace: Workspace,
    files: Sequence[Path | str] = (),
    *,
    by: str | None = None,
    accept_changed: bool = False,
    dry_run: bool = False,
) -> CollectedComments:
    """Collect comments from saved files, write the agenda, and decide uncontradicted proposals.

    Without a file what was collected before is looked at again. The same files again change
    nothing.

    Args:
        workspace: The workspace.
        files: Files that people saved in the page.
        by: Who answers for the proposals of the files, or of all that was collected where none is
            named: those to keep or to exclude become overrides. None decides nothing.
        accept_changed: Whether proposals count on templates that changed since they were seen, and
            files of a page that does not know this workspace by its canary and name.
        dry_run: Whether nothing is written.

    Raises:
        Refusal: If a file has an error: nothing is written.
        CurateError: If a file cannot be read or written, a name is empty, or nothing was collected
            yet.
    """
    by = None if by is None else given_name(by, "--by")
    if by == "":
        raise CurateError("the name of the person who decides is empty")
    with writing(workspace, "curate collect", dry_run=dry_run):
        where = CommentFiles(workspace)
        returned, findings = _read(workspace, [Path(path) for path in files], accept_changed)
        known, gone = read_comments(where.comments), read_deleted(where.deleted)
        merged = merge_comments(known, [item.file for item in returned], gone)
        if not merged.comments and not returned:
            raise CurateError(
                "nothing was collected yet",
                workspace.shown(where.comments),
                "name the files that people saved in the page: curate collect FILE...",
            )
        given = {item.key for file in returned for item in file.file.comments}
        look = Look(workspace, merged.comments, accept_changed)
        added = None
        if by is not None:
            decided = look.decided(given if files else {item.key for item in merged.comments})
            # Once without writing: what is wrong is said before the first file is touched.
            added = override_each(workspace, decided, by=by, dry_run=True).added
        if not dry_run:
            for file in returned:
                keep_raw(file.raw, file.data)
            if returned:
                write_comments(where.comments, merged.comments)
                if merged.gone or gone:
                    write_deleted(where.deleted, merged.gone)
            if by is not None and decided:
                added = override_each(workspace, decided, by=by).added
                workspace.refresh()
                applied = {item.template for item in decided}
                look = Look(workspace, merged.comments, accept_changed, applied)
            write_agenda(where, look.items)
    return CollectedComments(
        merged, tuple(look.items), added, where.agenda_text, (*findings, *look.findings)
    )


@dataclass(frozen=True, slots=True)
class _Returned:
    """A file of comments, and where it is kept as it came."""

    file: CommentsFile
    raw: Path
    data: bytes


def _read(
    workspace: Workspace, files: Sequence[Path], accept_changed: bool
) -> tuple[list[_Returned], list[Finding]]:
    """Read the files, each once.

    Raises:
        Refusal: If anything in any of them is wrong.
    """
    folder, own, at = AnnotationsFolder(workspace.root), fingerprint(workspace), now()
    known = len(workspace.decisions)
    returned: list[_Returned] = []
    findings: list[Finding] = []
    digests: dict[str, Path] = {}
    for path in files:
        found = read_comments_file(path)
        data = read_bytes(path)
        digest = sha256(data).hexdigest()
        if digest in digests:
            what = f"the same file as {digests[digest].name}; it is read once"
            findings.append(warning(RULE, str(path), what, ""))
            continue
        digests[digest] = path
        if isinstance(found, list):
            findings += found
            continue
        other = found.fingerprint != own
        if other:
            findings.append(_other(path, accept_changed))
        elif late := next((i for i in found.comments if i.seen_ledger > known), None):
            findings.append(_newer(path, late, known))
        raw = folder.raw(path.name, data)
        stamp = {"source_file": workspace.shown(raw), "collected_at": at}
        comments = tuple(
            # How many decisions another workspace had says nothing of this one's.
            item.model_copy(update=stamp | ({"seen_ledger": 0} if other else {}))
            for item in found.comments
        )
        returned.append(_Returned(found.model_copy(update={"comments": comments}), raw, data))
    if has_errors(findings):
        raise Refusal(findings)
    return returned, findings


def _other(path: Path, accepted: bool) -> Finding:
    what = "its page was not made from this workspace"
    hint = (
        "collect it there; if it is this one, whose canary or name has changed since: curate "
        "collect --accept-changed"
    )
    severity = Severity.WARNING if accepted else Severity.ERROR
    return Finding(RULE, severity, str(path), None, "", what, "" if accepted else hint)


def _newer(path: Path, item: Comment, known: int) -> Finding:
    what = (
        f"its page was made when the ledger held {item.seen_ledger:,} decisions, and this one "
        f"holds {known:,}"
    )
    hint = "bring this workspace up to date first: the page was made from a later state of it"
    return Finding(RULE, Severity.ERROR, str(path), None, "", what, hint)
