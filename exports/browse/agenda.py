"""The agenda of comments: a table for a spreadsheet, and a text for a meeting."""

from collections.abc import Sequence
from dataclasses import fields, replace

from curation.files.annotations import AnnotationsFolder
from curation.files.atomic import atomic_text
from curation.files.tables import write_csv
from curation.files.workspace import Workspace
from curation.records.wording import plural
from curation.report.texts import plain
from exports.browse.comments import UNSEEN, SubjectKind
from exports.browse.standing import ON_AGENDA, STANDS, CommentItem, Standing, ordered

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
