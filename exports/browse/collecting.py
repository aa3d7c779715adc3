"""Comments that people wrote in the page: their files, an agenda, and decisions in the ledger."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from curation.files.atomic import write_file
from curation.files.codec import now
from curation.files.jsonl import read_json
from curation.files.lock import writing
from curation.files.outcomes import TemplateOutcome
from curation.files.tables import read_bytes, read_table, refuse_problems, write_csv
from curation.files.workspace import Workspace
from curation.records.annotation import person_key
from curation.records.bank import SampleId
from curation.records.messages import (
    UNSEEN,
    CurateError,
    Finding,
    Refusal,
    Results,
    Severity,
    composed,
    decider,
    finding,
    given_name,
    has_errors,
    printable,
    refusal,
)
from curation.records.settings import in_words
from curation.records.survey import BY_PEOPLE, Status, set_aside
from curation.report.texts import filled, plain
from exports.browse.chunks import fingerprint, in_page
from survey.bank import final_bank
from survey.explaining import Overriding, override_each

FORMAT = 1
"""The version of the layout of a file of comments."""
LONGEST = 20_000
"""Characters of one comment."""
RULE = "comments-file"
_NO_TEXT = re.compile("[\x00\ud800-\udfff]")
_HINT = "save the comments again in the page, or correct the place"
_EDITED = "the file is made by 'curate collect': undo the edit"


class Proposal(StrEnum):
    """What a comment proposes to do with its subject; nothing, where it only remarks."""

    NONE = ""
    KEEP = "keep"
    EXCLUDE = "exclude"
    MODIFY = "modify"


class SubjectKind(StrEnum):
    """What a comment is about."""

    TEMPLATE = "template"
    SAMPLE = "sample"
    QUESTION = "question"


def _text(text: str) -> str:
    """A text as tables are read."""
    if _NO_TEXT.search(text):
        raise ValueError("it holds a NUL character or half of a surrogate pair")
    return composed(text.replace("\r\n", "\n").replace("\r", "\n")).strip()


def _name(text: str) -> str:
    """A text that names something: it stands in one line, in the order in which it is written."""
    try:
        return _text(given_name(text))
    except CurateError as error:
        raise ValueError(error.what) from error


def _time(text: str) -> str:
    text = _text(text)
    with suppress(ValueError):
        if datetime.fromisoformat(text).tzinfo is not None:
            return text
    raise ValueError(f"'{text}' is not a time such as 2026-01-31T12:00:00Z")


_Text = Annotated[str, AfterValidator(_text)]
_Name = Annotated[str, AfterValidator(_name)]
_Named = Annotated[_Name, Field(min_length=1, pattern=r"\S")]
_Time = Annotated[str, AfterValidator(_time)]


_WRITTEN = ("id", "subject", "kind", "field", "text", "proposal", "at")
"""The keys of a comment in a file, beside `seen`."""


class _Kept(BaseModel):
    """What is kept of a comment: fields are the columns of a table.

    Attributes:
        by: Who wrote it.
        id: Identifies it among the comments of this person; the page makes it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    by: str
    id: _Named

    @property
    def key(self) -> tuple[str, str]:
        """What names it among all comments."""
        return person_key(self.by), self.id

    @property
    def order(self) -> tuple[str, ...]:
        """By what the table is sorted."""
        return self.key


class Comment(_Kept):
    """What one person wrote on one subject, as `comments.csv` has it.

    Attributes:
        by: Who wrote it.
        id: Identifies it among the comments of this person.
        kind: What it is about: a template, a sample or a question of the survey.
        subject: Its id, as it was when the page was made.
        field: The text of it that the comment is about; empty for all of it.
        text: The comment.
        proposal: `keep`, `exclude`, `modify`, or nothing.
        seen_status: Status of the subject in the page.
        seen_stereotype: Stereotype of the subject in the page.
        seen_ledger: Number of decisions in the ledger when the page was made.
        at: When it was written or last edited, UTC, ISO 8601, by the clock of the browser.
        source_file: The file, in `annotations/raw`.
        collected_at: When it was first collected, UTC, ISO 8601.
    """

    kind: SubjectKind
    subject: _Named
    field: _Name = ""
    text: Annotated[_Text, Field(max_length=LONGEST)] = ""
    proposal: Proposal = Proposal.NONE
    seen_status: Literal["", "kept", "excluded", "undecided", "open"] = ""
    seen_stereotype: _Text = ""
    seen_ledger: Annotated[int, Field(strict=True, ge=0)]
    at: _Time
    source_file: str = ""
    collected_at: str = ""

    @model_validator(mode="after")
    def _says_something(self) -> "Comment":
        if not self.text and self.proposal is Proposal.NONE:
            raise ValueError("it has neither a text nor a proposal: write one, or delete it")
        return self

    @property
    def order(self) -> tuple[str, ...]:
        """Subject, writer and time."""
        return self.subject, person_key(self.by), self.at, self.id

    @property
    def moment(self) -> datetime:
        """When it was written or last edited."""
        return datetime.fromisoformat(self.at)


class Deletion(_Kept):
    """A comment that its writer has deleted, as `comments_deleted.csv` has it.

    Attributes:
        by: Who wrote it.
        id: Identifies it among the comments of this person.
        deleted_at: When it was deleted at the latest.
    """

    deleted_at: _Time

    @property
    def moment(self) -> datetime:
        """When it was deleted at the latest."""
        return datetime.fromisoformat(self.deleted_at)


COMMENT_COLUMNS = tuple(Comment.model_fields)
"""The columns of `comments.csv`."""
DELETED_COLUMNS = tuple(Deletion.model_fields)
"""The columns of `comments_deleted.csv`."""


_Record = TypeVar("_Record", Comment, Deletion)


class CommentsFile(BaseModel):
    """A file that somebody saved in the page.

    Attributes:
        format: The version of its layout.
        tool: What made the page.
        by: Who wrote it.
        fingerprint: Of the workspace that the page was made from.
        comments: Its comments.
        deleted: Ids of comments that its writer has deleted.
        saved: When it was saved, by the clock of the browser; None where it does not say so.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: int
    tool: str = ""
    by: _Named
    fingerprint: _Named
    comments: tuple[Comment, ...]
    deleted: tuple[_Named, ...] = ()
    saved: _Time | None = None


def read_comments_file(path: Path) -> CommentsFile | list[Finding]:
    """Read a file of comments, all of it, or say everything that is wrong in it.

    Raises:
        CurateError: If it cannot be read as JSON at all.
    """
    data = read_json(path, _HINT)
    if not isinstance(data, dict) or not {"format", "comments"} <= data.keys():
        raise refusal("exports", "comments-strange", path)
    if data["format"] != FORMAT or isinstance(data["format"], bool):
        raise CurateError(
            printable(f"{path.name} has format {data['format']}, and this version reads {FORMAT}"),
            str(path),
            printable(f"it was saved by a page of {data.get('tool', 'another version')}: ")
            + "collect it with that version, or write the comments in a page of this one",
        )
    by, comments = data.get("by"), data["comments"]
    if isinstance(comments, list):
        comments = [_flat(entry, by) for entry in comments]
    try:
        found = CommentsFile.model_validate({**data, "by": by, "comments": comments})
    except ValidationError as error:
        return [_finding(path, item) for item in error.errors() if item["loc"][-1:] != ("by",)] or [
            _finding(path, error.errors()[0])
        ]
    ids = Counter(item.id for item in found.comments)
    for twice in sorted(one for one, count in ids.items() if count > 1):
        what = f"id '{twice}' occurs twice"
        return [Finding(RULE, Severity.ERROR, str(path), None, "", what, _HINT)]
    return found


def _flat(entry: object, by: object) -> object:
    """A comment of a file as the columns of `comments.csv` have it.

    Who wrote it, when it was collected and from where is not for a comment to say: such a key is
    kept under a name that no column has, and refused.
    """
    if not isinstance(entry, dict):
        return entry
    own = {key if key in _WRITTEN else f"comment.{key}": it for key, it in entry.items()}
    seen = own.pop("comment.seen", None)
    told = {f"seen_{key}": value for key, value in seen.items()} if isinstance(seen, dict) else {}
    return {**own, **told, "by": by}


def _finding(path: Path, error: Mapping[str, Any]) -> Finding:
    """Say what is wrong, with its place in the file."""
    place = list(error["loc"])
    if place[:1] == ["comments"] and len(place) > 1:
        place[:2] = [f"comment {place[1] + 1}"]
    what, hint = in_words(error)
    if error["type"] == "extra_forbidden":
        what = f"there is no key '{str(place.pop()).removeprefix('comment.')}'"
    where = ", ".join(map(str, (path, *place)))
    return Finding(RULE, Severity.ERROR, printable(where), None, "", printable(what), hint or _HINT)


def read_kept(path: Path, model: type[_Record]) -> list[_Record]:
    """Read comments in normal form, or which were deleted; none where nothing was collected.

    Raises:
        CurateError: If a row cannot be read.
    """
    if not path.exists():
        return []
    table = read_table(path, required=tuple(model.model_fields), escaped=True)
    refuse_problems(table)
    found = []
    for row in table.rows:
        try:
            cells = {name: row[name] for name in model.model_fields}
            found.append(model.model_validate_strings(cells))
        except ValidationError as error:
            first = error.errors()[0]
            column = "".join(map(str, first["loc"]))
            raise table.fault(row, column, printable(in_words(first)[0]), _EDITED) from error
    return found


def write_kept(path: Path, model: type[_Record], records: Iterable[_Record]) -> None:
    """Write what `read_kept` reads in place of `path`, in its order.

    Raises:
        CurateError: If it cannot be written.
    """
    ordered = sorted(records, key=lambda item: item.order)
    rows = ([getattr(item, name) for name in model.model_fields] for item in ordered)
    write_csv(path, tuple(model.model_fields), rows, escaped=True)


def merge_comments(
    known: Iterable[Comment], returned: Iterable[CommentsFile], gone: Iterable[Deletion]
) -> tuple[list[Comment], dict[str, int], list[Deletion]]:
    """Put the comments of files beside those that are known; of one comment the latest holds.

    A comment that was deleted comes back only where its writer took that back later.

    Args:
        known: What was collected before.
        returned: What was collected now, its comments with their file and time.
        gone: Which comments were deleted before.

    Returns:
        All comments; how many were not known (`added`), are others than they were (`replaced`), are
        `deleted` by their writers, and of the files' are `older` than what is known, and therefore
        not taken; and which are deleted, so that no older file brings them back.
    """
    before_now: tuple[Comment | Deletion, ...] = (*known, *gone)
    merged = {item.key: item for item in before_now}
    names = {person_key(item.by): item.by for item in reversed(merged.values())}
    counts = dict.fromkeys(("added", "replaced", "deleted", "older"), 0)
    for file in returned:
        name = names.setdefault(person_key(file.by), file.by)
        for written in file.comments:
            item = written.model_copy(update={"by": name})
            before = merged.get(item.key)
            is_gone = isinstance(before, Deletion)
            if before and (item.moment, False) < (before.moment, is_gone):
                counts["older"] += 1
            elif not isinstance(before, Comment):
                counts["added"] += 1
                merged[item.key] = item
            else:
                known_at = {name: getattr(before, name) for name in ("collected_at", "source_file")}
                if item.model_copy(update=known_at) != before:
                    counts["replaced"] += 1
                    merged[item.key] = item.model_copy(update={"collected_at": before.collected_at})
        for one in file.deleted:
            before = merged.get((person_key(file.by), one))
            last = before.moment if before else None
            at = datetime.fromisoformat(file.saved) if file.saved else last
            if at is None or (last is not None and last > at):
                continue  # it was written again since, or nothing is known of it
            counts["deleted"] += isinstance(before, Comment)
            merged[person_key(file.by), one] = Deletion(by=name, id=one, deleted_at=at.isoformat())
    comments = [item for item in merged.values() if isinstance(item, Comment)]
    return comments, counts, [item for item in merged.values() if isinstance(item, Deletion)]


class Uptake(StrEnum):
    """The outcome of a proposal or a remark, in the order in which a meeting looks at them.

    Attributes:
        CONTRADICTED: Another proposal for the same template says something else.
        OPEN: It can be put into the ledger.
        CHANGED: The template, or what was decided on it, is another than its writer saw.
        MEETING: A person has to act: a change to a template, a proposal for one sample.
        REMARK: A comment without a proposal.
        CLOSED: The template was removed by its label or set aside; no override takes that back.
        GONE: The bank or the survey no longer has the subject.
        APPLIED: It was put into the ledger now.
        STANDS: The template already has the proposed status.
    """

    CONTRADICTED = "contradicted"
    OPEN = "open"
    CHANGED = "changed"
    MEETING = "meeting"
    REMARK = "remark"
    CLOSED = "closed"
    GONE = "gone"
    APPLIED = "applied"
    STANDS = "stands"


ON_AGENDA: tuple[Uptake, ...] = tuple(
    it for it in Uptake if it not in (Uptake.APPLIED, Uptake.STANDS)
)
"""What a meeting has to look at; the rest is done."""


@dataclass(frozen=True, slots=True)
class CommentItem:
    """What was said in one comment of one template, sample or question, and where it stands.

    A proposal on a question is one on each template that is linked to it.

    Attributes:
        subject: Template, sample or question, by its present id.
        kind: `template`, `sample` or `question`.
        about: The question, where the comment was written on the question of the template.
        category: Its category; empty where it is gone.
        stereotype: Its stereotype; empty where it is gone.
        status: Status of the template: `kept`, `excluded`, `undecided`; empty where it is gone.
        by: Who wrote it.
        proposal: What is proposed.
        text: The comment.
        standing: What became of the comment.
        why: The same in words.
    """

    subject: str
    kind: SubjectKind
    about: str
    category: str
    stereotype: str
    status: str
    by: str
    proposal: Proposal
    text: str
    standing: Uptake
    why: str


STANDS = "the template already has the proposed status"


class Look:
    """Comments, looked at beside the workspace as it is now.

    Args:
        workspace: The workspace.
        comments: All comments.
        accept_changed: Whether proposals count on what has changed since.
        applied: Templates on which proposals were put into the ledger just now.
    """

    def __init__(
        self,
        workspace: Workspace,
        comments: Sequence[Comment],
        accept_changed: bool,
        applied: Iterable[str] = (),
    ) -> None:
        self.workspace = workspace
        final = final_bank(workspace)
        self.accept_changed = accept_changed
        self.applied = frozenset(applied)
        self.templates = {str(item.template.id): item for item in final.outcomes}
        self.questions = {tally.question.id: tally.question for tally in final.tallies}
        self.aside = set_aside(workspace.renamed_decisions)
        ledger = [*enumerate(workspace.renamed_decisions)]
        self.decided_at = {item.subject: at for at, item in ledger}
        self.by_people = {item.subject: at for at, item in ledger if item.rule in BY_PEOPLE}
        self._open: dict[str, list[Comment]] = {}
        self.items: list[CommentItem] = []
        self._go_through(sorted(comments, key=lambda item: (item.subject, *item.key)))

    def decided(self, keys: Iterable[tuple[str, str]]) -> list[Overriding]:
        """What the open proposals of some comments decide, a template each."""
        wanted = set(keys)
        found = []
        for name, of in self._open.items():
            if any(item.key in wanted for item in of):
                # Who proposed it is not named: the ledger is published, and numbers those who
                # decide. Who proposed what stands in `comments.csv`, which is not.
                said = dict.fromkeys(" ".join(item.text.split()) for item in of if item.text)
                reason = "; ".join(said) or "proposed in a comment"
                found.append((name, of[0].proposal is Proposal.KEEP, reason))
        return found

    def _go_through(self, comments: Sequence[Comment]) -> None:
        """Say of every comment where it stands, by subject."""
        proposals: dict[str, list[tuple[Comment, str]]] = {}
        for comment in comments:
            subject = self._now(comment)
            if comment.proposal is Proposal.NONE or comment.kind is SubjectKind.SAMPLE:
                self._add(comment, subject, "", *self._remark(comment, subject))
            elif comment.kind is SubjectKind.TEMPLATE:
                proposals.setdefault(subject, []).append((comment, ""))
            else:
                linked = self._linked(subject)
                for name in linked:
                    proposals.setdefault(name, []).append((comment, subject))
                if not linked:
                    standing = (Uptake.MEETING, "no template is linked to this question")
                    if subject not in self.questions:
                        standing = (Uptake.GONE, "the survey no longer has this question")
                    self._add(comment, subject, "", *standing)
        for subject, of in proposals.items():
            live = {  # the proposals on one template are compared with each other
                comment.proposal
                for comment, _ in of
                if self.accept_changed or self.by_people.get(subject, -1) < comment.seen_ledger
            }
            for comment, about in of:
                stands, why = self._standing(comment, subject, about, len(live) > 1)
                if stands is Uptake.OPEN:
                    self._open.setdefault(subject, []).append(comment)
                self._add(comment, subject, about, stands, why)

    def _standing(
        self, comment: Comment, subject: str, about: str, contradicted: bool
    ) -> tuple[Uptake, str]:
        outcome = self.templates.get(subject)
        if outcome is None:
            return Uptake.GONE, "the bank no longer has this template"
        if outcome.status is Status.REMOVED:
            return Uptake.CLOSED, "it is labelled SR, which no override can change"
        if subject in self.aside:
            return Uptake.CLOSED, "it is set aside, which no override can change"
        wanted = Status.DROPPED if comment.proposal is Proposal.EXCLUDE else Status.KEPT
        stands = outcome.status is wanted and comment.proposal is not Proposal.MODIFY
        answered = self.by_people.get(subject, -1) >= comment.seen_ledger
        if stands and (answered or not contradicted):
            if subject in self.applied:
                return Uptake.APPLIED, "put into the ledger"
            return Uptake.STANDS, STANDS
        if answered and not self.accept_changed:
            last = self.workspace.renamed_decisions[self.by_people[subject]]
            return Uptake.CHANGED, f"{last.by} decided on it after that ({last.reason})"
        if contradicted:
            return Uptake.CONTRADICTED, "proposals for this template differ"
        if comment.proposal is Proposal.MODIFY:
            return Uptake.MEETING, "a change of the template is made by hand"
        why = "" if self.accept_changed else self._changed(comment, outcome, about)
        return (Uptake.CHANGED, why) if why else (Uptake.OPEN, "can be put into the ledger")

    def _changed(self, comment: Comment, outcome: TemplateOutcome, about: str) -> str:
        """What is another than the comment's writer saw; empty where nothing is."""
        seen, now_ = comment.seen_stereotype, outcome.template.stereotype
        if not about:
            if seen and " ".join(seen.split()) != " ".join(now_.split()):
                return "the template's stereotype is not the one that the writer saw"
            was, is_now = comment.seen_status, in_page(outcome.status)
            # One that is open waits for its groups.
            same = is_now in ("kept", "undecided") if was == "open" else is_now == was
            if was and not same:
                return f"it was {was} when the comment was written, and it is {is_now} now"
        subjects = str(outcome.template.id), outcome.question.id if outcome.question else ""
        if any(self.decided_at.get(item, -1) >= comment.seen_ledger for item in subjects):
            return "the survey was decided again after the comment was written"
        return ""

    def _remark(self, comment: Comment, subject: str) -> tuple[Uptake, str]:
        is_question = comment.kind is SubjectKind.QUESTION
        if _template_of(subject) not in (self.questions if is_question else self.templates):
            there = "survey" if is_question else "bank"
            return Uptake.GONE, f"the {there} no longer has this {comment.kind.value}"
        if comment.proposal is not Proposal.NONE:
            return Uptake.MEETING, "only whole templates are decided on"
        return Uptake.REMARK, "no proposal"

    def _linked(self, question: str) -> list[str]:
        """The templates that a question decides."""
        asked = self.questions.get(question)
        if asked is not None and asked.template_id:
            return [asked.template_id]
        questions = ((name, item.question) for name, item in self.templates.items())
        return [name for name, of in questions if of is not None and of.id == question]

    def _now(self, comment: Comment) -> str:
        """The id that a subject has now."""
        if comment.kind is SubjectKind.QUESTION:
            return comment.subject
        before = _template_of(comment.subject)
        return self.workspace.renamed.get(before, before) + comment.subject.removeprefix(before)

    def _add(self, comment: Comment, subject: str, about: str, standing: Uptake, why: str) -> None:
        outcome = self.templates.get(_template_of(subject))
        of = outcome.template if outcome else self.questions.get(subject)
        self.items.append(
            CommentItem(
                subject=subject,
                kind=SubjectKind.TEMPLATE if about else comment.kind,
                about=about,
                category=of.category if of else "",
                stereotype=of.stereotype if of else "",
                status=in_page(outcome.status) if outcome else "",
                by=comment.by,
                proposal=comment.proposal,
                text=comment.text,
                standing=standing,
                why=why,
            )
        )


def _template_of(subject: str) -> str:
    """The template of a sample (`age-001` of `age-001a-002-amb-bsd`); another subject as it is."""
    with suppress(CurateError):
        return str(SampleId.parse(subject).variant.template)
    return subject


def ordered(items: Sequence[CommentItem]) -> list[CommentItem]:
    """Items in the order of the agenda: what has to be settled first, the rest by subject."""
    rank = [*Uptake].index
    first: dict[str, int] = {}
    for item in items:
        mine = min(rank(item.standing), len(ON_AGENDA))
        first[item.subject] = min(first.get(item.subject, mine), mine)
    return sorted(items, key=lambda item: (first[item.subject], item.subject, person_key(item.by)))


AGENDA_COLUMNS = tuple(field.name for field in fields(CommentItem))
"""The columns of `comments_agenda.csv`."""
AGENDA = "comments_agenda.md"
"""The agenda as a text."""


def write_agenda(folder: Path, items: Sequence[CommentItem]) -> None:
    """Write the agenda as a table and as a text to be read out.

    In the text a subject is a section, with the commands that settle it.

    Args:
        folder: Where to: `annotations` of the workspace.
        items: What was said, and where it stands.

    Raises:
        CurateError: If a file cannot be written.
    """
    # What was put into the ledger just now stands as proposed: so the same files again, which put
    # nothing there, give the same agenda.
    stands: dict[str, Any] = {"standing": Uptake.STANDS, "why": STANDS}
    items = ordered(
        [replace(it, **stands) if it.standing is Uptake.APPLIED else it for it in items]
    )
    rows = ([getattr(item, name) for name in AGENDA_COLUMNS] for item in items)
    write_csv(folder / "comments_agenda.csv", AGENDA_COLUMNS, rows, escaped=True)
    by_subject: dict[str, list[CommentItem]] = {}
    for item in items:
        by_subject.setdefault(item.subject, []).append(item)
    left = {item.subject for item in items if item.standing in ON_AGENDA}
    listed = {subject: found for subject, found in by_subject.items() if subject in left}
    text = filled(
        __package__,
        "agenda.md.j2",
        listed=listed,
        done=len(by_subject) - len(listed),
        disputed=(Uptake.OPEN, Uptake.CONTRADICTED, Uptake.CHANGED),
        line=lambda text: " ".join(text.split()),
        # Markdown sees no marks in it, and a terminal no commands.
        plain=lambda text: plain(UNSEEN.sub(" ", text)),
    )
    write_file(folder / AGENDA, text)


def collect_comments(
    workspace: Workspace,
    files: Sequence[Path | str] = (),
    *,
    by: str | None = None,
    accept_changed: bool = False,
    dry_run: bool = False,
) -> Results:
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

    Returns:
        - `comments`, how many there are now, and how many of the files' were `added`, `replaced`
          others, are `deleted` by their writers, or `older` than what is known and not taken;
        - `people`: who wrote comments, each once;
        - `rows`: what was said of each template, sample and question, and where it stands;
        - `ledger`: what that gains; None where nobody answers for it;
        - `agenda`: where the agenda is;
        - `findings`: what was passed over, and why.

    Raises:
        Refusal: If a file has an error: nothing is written.
        CurateError: If a file cannot be read or written, a name is empty, or nothing was collected
            yet.
    """
    by = None if by is None else decider(by)
    with writing(workspace, "curate collect", dry_run=dry_run):
        folder = workspace.annotations.folder
        kept, kept_deleted = folder / "comments.csv", folder / "comments_deleted.csv"
        returned, findings = _read(workspace, [Path(path) for path in files], accept_changed)
        known, gone = read_kept(kept, Comment), read_kept(kept_deleted, Deletion)
        comments, counts, gone_now = merge_comments(known, [file for file, _, _ in returned], gone)
        if not comments and not returned:
            raise refusal("exports", "comments-none", workspace.shown(kept))
        given = {item.key for file, _, _ in returned for item in file.comments}
        look = Look(workspace, comments, accept_changed)
        added = None
        if by is not None:
            decided = look.decided(given if files else {item.key for item in comments})
            # Once without writing: what is wrong is said before the first file is touched.
            added = override_each(workspace, decided, by=by, dry_run=True).added
        if not dry_run:
            for _, name, data in returned:
                workspace.annotations.keep(name, data)
            if returned:
                write_kept(kept, Comment, comments)
                if gone_now or gone:
                    write_kept(kept_deleted, Deletion, gone_now)
            if by is not None and decided:
                added = override_each(workspace, decided, by=by).added
                workspace.refresh()
                applied = {name for name, _, _ in decided}
                look = Look(workspace, comments, accept_changed, applied)
            write_agenda(folder, look.items)
    names = {person_key(item.by): item.by for item in reversed(comments)}
    values = {
        "comments": len(comments),
        **counts,
        "people": sorted(names.values()),
        "rows": ordered(look.items),
        "ledger": added,
        "agenda": folder / AGENDA,
        "findings": tuple(findings),
    }
    return Results(values, {"rows": AGENDA_COLUMNS})


def _read(
    workspace: Workspace, files: Sequence[Path], accept_changed: bool
) -> tuple[list[tuple[CommentsFile, str, bytes]], list[Finding]]:
    """Read the files: of each its comments, where it is kept as it came, and its bytes.

    Raises:
        Refusal: If anything in any of them is wrong.
    """
    folder, own, at = workspace.annotations, fingerprint(workspace), now()
    known = len(workspace.decisions)
    returned: list[tuple[CommentsFile, str, bytes]] = []
    findings: list[Finding] = []
    for path in files:
        found, data = read_comments_file(path), read_bytes(path)
        if isinstance(found, list):
            findings += found
            continue
        other = found.fingerprint != own
        if other:
            key = "comments-accepted" if accept_changed else "comments-other"
            findings.append(finding("exports", key, str(path)))
        elif late := next((i.seen_ledger for i in found.comments if i.seen_ledger > known), None):
            said = finding("exports", "comments-late", str(path), late=late, known=known)
            findings.append(said)
        raw = workspace.shown(folder.raw(path.name, data))
        stamp = {"source_file": raw, "collected_at": at}
        comments = tuple(
            # How many decisions another workspace had says nothing of this one's.
            item.model_copy(update=stamp | ({"seen_ledger": 0} if other else {}))
            for item in found.comments
        )
        returned.append((found.model_copy(update={"comments": comments}), path.name, data))
    if has_errors(findings):
        raise Refusal(findings)
    return returned, findings
