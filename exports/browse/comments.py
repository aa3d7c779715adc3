"""Comments that people wrote in the page: the file that they save, and their normal form."""

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from curation.files.counts import DoubledKeyError, unique_keys
from curation.files.tables import (
    Row,
    composed,
    read_table,
    read_text,
    refuse_problems,
    write_csv,
)
from curation.records.annotation import person_key
from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity

FORMAT = 1
"""The version of the layout of a file of comments."""
LONGEST = 20_000
"""Characters of one comment."""
RULE = "comments-file"
UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Control characters, ends of lines, and marks that turn the direction of what follows."""


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


_STATUSES = ("", "kept", "excluded", "undecided", "open")


@dataclass(frozen=True, slots=True)
class Comment:
    """What one person wrote on one subject; fields are the columns of `comments.csv`.

    Attributes:
        by: Who wrote it.
        id: Identifies it among the comments of this person; the page makes it.
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

    by: str
    id: str
    kind: SubjectKind
    subject: str
    field: str
    text: str
    proposal: Proposal
    seen_status: str
    seen_stereotype: str
    seen_ledger: int
    at: str
    source_file: str = ""
    collected_at: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What names it among all comments."""
        return person_key(self.by), self.id


COMMENT_COLUMNS = tuple(item.name for item in fields(Comment))
"""The columns of `comments.csv`."""


@dataclass(frozen=True, slots=True)
class CommentsFile:
    """A file that somebody saved in the page.

    Attributes:
        by: Who wrote it.
        fingerprint: Of the workspace that the page was made from.
        comments: Its comments.
        deleted: Ids of comments that its writer has deleted.
        saved: When it was saved, by the clock of the browser; None where it does not say so.
    """

    by: str
    fingerprint: str
    comments: tuple[Comment, ...]
    deleted: tuple[str, ...]
    saved: datetime | None = None


_Word = TypeVar("_Word", bound=StrEnum)


class _Wrong(ValueError):
    """What is wrong in a file, where in it, and what to do."""

    def __init__(self, what: str, place: str, hint: str) -> None:
        super().__init__(what)
        self.what, self.place, self.hint = what, place, hint


_HINT = "save the comments again in the page, or correct the place"


def read_comments_file(path: Path) -> CommentsFile | list[Finding]:
    """Read a file of comments, all of it, or say everything that is wrong in it.

    Raises:
        CurateError: If it cannot be read as JSON at all.
    """
    data = _json(path)
    if not isinstance(data, dict) or "comments" not in data or "format" not in data:
        raise CurateError(
            f"{path.name} holds no comments of the page",
            str(path),
            "name the file that 'Save as a file' in the page of 'curate browse' gave",
        )
    if data["format"] != FORMAT or isinstance(data["format"], bool):
        tool = data.get("tool")
        whose = _shown(tool) if isinstance(tool, str) else "another version"
        raise CurateError(
            f"{path.name} has format {_shown(data['format'])}, and this version reads {FORMAT}",
            str(path),
            f"it was saved by a page of {whose}: "
            "collect it with that version, or write the comments in a page of this one",
        )
    findings: list[Finding] = []

    def note(wrong: _Wrong) -> None:
        where = f"{path}, {wrong.place}" if wrong.place else str(path)
        findings.append(Finding(RULE, Severity.ERROR, where, None, "", wrong.what, wrong.hint))

    head = dict.fromkeys(("by", "fingerprint"), "")
    try:
        _only(data, {"format", "fingerprint", "tool", "by", "saved", "comments", "deleted"}, "")
    except _Wrong as wrong:
        note(wrong)
    for name in head:
        try:
            head[name] = " ".join(_name(data, name, "", needed=True).split())
        except _Wrong as wrong:
            note(wrong)
    comments: list[Comment] = []
    ids: set[str] = set()
    listed = data["comments"]
    if not isinstance(listed, list):
        note(_Wrong("comments is not a list", "", _HINT))
        listed = []
    for at, entry in enumerate(listed, start=1):
        try:
            comment = _comment(entry, head["by"], f"comment {at}")
            if comment.id in ids:
                raise _Wrong(f"id {_shown(comment.id)} occurs twice", f"comment {at}", _HINT)
        except _Wrong as wrong:
            note(wrong)
        else:
            ids.add(comment.id)
            comments.append(comment)
    deleted = data.get("deleted", [])
    if not isinstance(deleted, list) or not all(isinstance(item, str) for item in deleted):
        note(_Wrong("deleted is not a list of ids", "", _HINT))
        deleted = []
    saved = None
    if "saved" in data:
        try:
            saved = datetime.fromisoformat(_time(data, "saved", ""))
        except _Wrong as wrong:
            note(wrong)
    if any(UNSEEN.search(item) or not _has_utf8(item) for item in deleted):
        note(_Wrong("deleted has an entry that is not an id", "", _HINT))
    if findings:
        return findings
    return CommentsFile(head["by"], head["fingerprint"], tuple(comments), tuple(deleted), saved)


def _json(path: Path) -> Any:
    try:
        return json.loads(read_text(path), object_pairs_hook=unique_keys)
    except json.JSONDecodeError as error:
        raise CurateError(
            f"{path.name} is not JSON: {error.msg}",
            f"{path}, line {error.lineno}, column {error.colno}",
            _HINT,
        ) from error
    except DoubledKeyError as error:
        what = f"{_shown(str(error))} occurs twice in one entry"
        raise CurateError(what, str(path), _HINT) from error
    except (ValueError, RecursionError) as error:  # numbers of thousands of digits, deep nests
        raise CurateError(f"{path.name} cannot be read: {error}", str(path), _HINT) from error


def _comment(entry: object, by: str, place: str) -> Comment:
    if not isinstance(entry, dict):
        raise _Wrong("it is not a comment", place, _HINT)
    _only(entry, {"id", "subject", "kind", "field", "text", "proposal", "at", "seen"}, place)
    seen = entry.get("seen")
    if not isinstance(seen, dict):
        raise _Wrong("it does not say what its writer saw ('seen')", place, _HINT)
    _only(seen, {"status", "stereotype", "ledger"}, f"{place}, seen")
    ledger = seen.get("ledger")
    if not isinstance(ledger, int) or isinstance(ledger, bool) or ledger < 0:
        raise _Wrong(f"ledger is {_shown(ledger)}, which is not a count", f"{place}, seen", _HINT)
    status = _text(seen, "status", f"{place}, seen")
    if status not in _STATUSES:
        known = ", ".join(item for item in _STATUSES if item)
        what = f"there is no status {_shown(status)}; there are {known}"
        raise _Wrong(what, f"{place}, seen", _HINT)
    at = _time(entry, "at", place)
    text = _text(entry, "text", place).strip()
    if len(text) > LONGEST:
        what = f"its text has {len(text):,} characters, and {LONGEST:,} are taken"
        raise _Wrong(what, place, "shorten it in the page")
    proposal = _one_of(Proposal, _text(entry, "proposal", place), f"{place}, proposal")
    if not text and proposal is Proposal.NONE:
        raise _Wrong("it has neither a text nor a proposal", place, "write one, or delete it")
    return Comment(
        by=by,
        id=_name(entry, "id", place, needed=True),
        kind=_one_of(SubjectKind, _text(entry, "kind", place, needed=True), f"{place}, kind"),
        subject=_name(entry, "subject", place, needed=True),
        field=_name(entry, "field", place),
        text=text,
        proposal=proposal,
        seen_status=status,
        seen_stereotype=_text(seen, "stereotype", f"{place}, seen"),
        seen_ledger=ledger,
        at=at,
    )


def _time(entry: Mapping[str, Any], name: str, place: str) -> str:
    text = _text(entry, name, place, needed=True)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        what = f"{_shown(text)} is not a time such as 2026-01-31T12:00:00Z"
        raise _Wrong(what, f"{place}, {name}" if place else name, _HINT)
    return text


def _one_of(kind: type[_Word], text: str, place: str) -> _Word:
    try:
        return kind(text)
    except ValueError:
        known = ", ".join(item for item in kind if item)
        raise _Wrong(f"{_shown(text)} is not one of {known}", place, _HINT) from None


def _text(entry: Mapping[str, Any], name: str, place: str, *, needed: bool = False) -> str:
    value = entry.get(name, "")
    if not isinstance(value, str) or (needed and not value.strip()):
        missing = f"{name} is missing" if name not in entry or value == "" else ""
        raise _Wrong(missing or f"{name} is {_shown(value)}, which is not text", place, _HINT)
    if not _has_utf8(value):
        raise _Wrong(f"{name} holds half of a surrogate pair", place, _HINT)
    if "\x00" in value:
        raise _Wrong(f"{name} holds a NUL character", place, _HINT)
    return composed(value.replace("\r\n", "\n").replace("\r", "\n"))  # as tables are read


def _name(entry: Mapping[str, Any], name: str, place: str, *, needed: bool = False) -> str:
    """A text that names something: it stands in one line, in the order in which it is written."""
    text = _text(entry, name, place, needed=needed).strip()
    if UNSEEN.search(text):
        raise _Wrong(f"{name} is {_shown(text)}, which is not a name", place, _HINT)
    return text


def _only(entry: Mapping[str, Any], known: Collection[str], place: str) -> None:
    strange = [name for name in entry if name not in known]
    if strange:
        raise _Wrong(f"there is no key {_shown(strange[0])}", place, _HINT)


def _shown(value: object) -> str:
    """A value as JSON writes it; what cannot be seen or printed is written out."""
    text = json.dumps(value, ensure_ascii=False)
    if not _has_utf8(text) or UNSEEN.search(text):
        text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:40]}..."


def _has_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def read_comments(path: Path) -> list[Comment]:
    """Read comments in normal form; none where nothing was collected.

    Raises:
        CurateError: If a row cannot be read.
    """
    if not path.exists():
        return []
    table = read_table(path, required=COMMENT_COLUMNS, escaped=True)
    refuse_problems(table)
    return [_of_row(row, table.file) for row in table.rows]


_MADE = {"kind": SubjectKind, "proposal": Proposal, "seen_ledger": int}


def _of_row(row: Row, file: str) -> Comment:
    texts: dict[str, Any] = {name: row[name] for name in COMMENT_COLUMNS}
    column = ""
    try:
        for column, make in _MADE.items():
            texts[column] = make(row[column])
        column = "at"
        if datetime.fromisoformat(row[column]).tzinfo is None:
            raise ValueError(row[column])
    except ValueError as error:
        raise CurateError(
            f"'{row[column]}' is not allowed in column {column}",
            f"{file}, row {row.number}, column {column}",
            "the file is made by 'curate browse collect': undo the edit",
        ) from error
    return Comment(**texts)


def write_comments(path: Path, comments: Iterable[Comment]) -> None:
    """Write comments in normal form in place of `path`, by subject, writer and time.

    Raises:
        CurateError: If it cannot be written.
    """
    ordered = sorted(comments, key=lambda item: (item.subject, *item.key[:1], item.at, item.id))
    rows = ([getattr(item, name) for name in COMMENT_COLUMNS] for item in ordered)
    write_csv(path, COMMENT_COLUMNS, rows, escaped=True)


DELETED_COLUMNS = ("by", "id", "deleted_at")
"""The columns of `comments_deleted.csv`."""
Deleted = Mapping[tuple[str, str], tuple[str, datetime]]
"""By the key of a comment who deleted it, and when at the latest."""


def read_deleted(path: Path) -> Deleted:
    """Read which comments their writers have deleted; none where nothing was.

    Raises:
        CurateError: If a row cannot be read.
    """
    if not path.exists():
        return {}
    table = read_table(path, required=DELETED_COLUMNS, escaped=True)
    refuse_problems(table)
    found = {}
    for row in table.rows:
        try:
            at = datetime.fromisoformat(row["deleted_at"])
            if at.tzinfo is None:
                raise ValueError(row["deleted_at"])
        except ValueError as error:
            raise CurateError(
                f"'{row['deleted_at']}' is not a time",
                f"{table.file}, row {row.number}, column deleted_at",
                "the file is made by 'curate browse collect': undo the edit",
            ) from error
        found[person_key(row["by"]), row["id"]] = row["by"], at
    return found


def write_deleted(path: Path, deleted: Deleted) -> None:
    """Write which comments were deleted in place of `path`, by writer and id.

    Raises:
        CurateError: If it cannot be written.
    """
    rows = ([by, key[1], at.isoformat()] for key, (by, at) in sorted(deleted.items()))
    write_csv(path, DELETED_COLUMNS, rows, escaped=True)


@dataclass(frozen=True, slots=True)
class MergedComments:
    """All comments after some files were collected.

    Attributes:
        comments: All of them.
        added: How many were not known.
        replaced: How many are others than they were.
        deleted: How many their writers have deleted.
        older: How many of the files' are older than what is known, and therefore not taken.
        gone: Which comments were deleted, so that no older file brings them back.
    """

    comments: tuple[Comment, ...]
    added: int
    replaced: int
    deleted: int
    older: int
    gone: Deleted


def merge_comments(
    known: Iterable[Comment], returned: Iterable[CommentsFile], gone: Deleted
) -> MergedComments:
    """Put the comments of files beside those that are known; of one comment the latest holds.

    A comment that was deleted comes back only where its writer took that back later.

    Args:
        known: What was collected before.
        returned: What was collected now, its comments with their file and time.
        gone: Which comments were deleted before.
    """
    merged = {item.key: item for item in known}
    deleted_at = dict(gone)
    names: dict[str, str] = {}
    for item in merged.values():
        names.setdefault(person_key(item.by), item.by)
    added = replaced = deleted = older = 0
    for file in returned:
        name = names.setdefault(person_key(file.by), file.by)
        for item in file.comments:
            before = merged.get(item.key)
            if item.key in deleted_at and _moment(item) <= deleted_at[item.key][1]:
                older += 1
            elif before is None:
                added += 1
                merged[item.key] = replace(item, by=name)
                deleted_at.pop(item.key, None)
            elif _moment(item) < _moment(before):
                older += 1
            elif _content(before) != _content(replace(item, by=name)):
                replaced += 1
                merged[item.key] = replace(item, by=name, collected_at=before.collected_at)
        for one in file.deleted:
            key = person_key(file.by), one
            before = merged.get(key)
            written = None if before is None else _moment(before)
            at = file.saved or written
            if at is None or (written is not None and written > at):
                continue  # it was written again since, or nothing is known of it
            if before is not None:
                del merged[key]
                deleted += 1
            if key not in deleted_at or deleted_at[key][1] < at:
                deleted_at[key] = name, at
    return MergedComments(tuple(merged.values()), added, replaced, deleted, older, deleted_at)


def _moment(item: Comment) -> datetime:
    return datetime.fromisoformat(item.at)


def _content(item: Comment) -> Comment:
    return replace(item, source_file="", collected_at="")
