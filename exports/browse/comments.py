"""Comments that people wrote in the page: the file that they save, and their normal form."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from curation.files.jsonl import read_json
from curation.files.tables import Row, composed, read_table, refuse_problems, write_csv
from curation.records.annotation import person_key
from curation.records.messages import CurateError, Finding, Severity, given_name, printable, refusal
from curation.records.settings import in_words

FORMAT = 1
"""The version of the layout of a file of comments."""
MOST = 10_000
"""Comments of one file."""
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
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise ValueError(f"'{text}' is not a time such as 2026-01-31T12:00:00Z")
    return text


_Text = Annotated[str, AfterValidator(_text)]
_Name = Annotated[str, AfterValidator(_name)]
_Named = Annotated[_Name, Field(min_length=1, pattern=r"\S")]
_Time = Annotated[str, AfterValidator(_time)]


_WRITTEN = ("id", "subject", "kind", "field", "text", "proposal", "at")
"""The keys of a comment in a file, beside `seen`."""


class Comment(BaseModel):
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

    model_config = ConfigDict(extra="forbid", frozen=True)

    by: str
    id: _Named
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
    def key(self) -> tuple[str, str]:
        """What names it among all comments."""
        return person_key(self.by), self.id

    @property
    def moment(self) -> datetime:
        """When it was written or last edited."""
        return datetime.fromisoformat(self.at)


COMMENT_COLUMNS = tuple(Comment.model_fields)
"""The columns of `comments.csv`."""


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
    deleted: tuple[_Name, ...] = ()
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
        if len(comments) > MOST:
            raise refusal("exports", "comments-many", path, count=len(comments), most=MOST)
        comments = [_flat(entry, by) for entry in comments]
    try:
        found = CommentsFile.model_validate({**data, "by": by, "comments": comments})
    except ValidationError as error:
        return [_finding(path, item) for item in error.errors() if item["loc"][-1:] != ("by",)] or [
            _finding(path, error.errors()[0])
        ]
    ids = Counter(item.id for item in found.comments)
    twice = sorted(one for one, count in ids.items() if count > 1)
    if twice:
        what = f"id '{twice[0]}' occurs twice"
        return [Finding(RULE, Severity.ERROR, str(path), None, "", what, _HINT)]
    return found


def _flat(entry: object, by: object) -> object:
    """A comment of a file as the columns of `comments.csv` have it.

    Who wrote it, when it was collected and from where is not for a comment to say: such a key is
    kept under a name that no column has, and refused.
    """
    if not isinstance(entry, dict):
        return entry
    seen = entry.get("seen")
    told = {f"seen_{key}": value for key, value in seen.items()} if isinstance(seen, dict) else {}
    own = {
        key if key in _WRITTEN else f"comment.{key}": entry[key] for key in entry if key != "seen"
    }
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


def read_comments(path: Path) -> list[Comment]:
    """Read comments in normal form; none where nothing was collected.

    Raises:
        CurateError: If a row cannot be read.
    """
    return [_comment(row, path) for row in _rows(path, COMMENT_COLUMNS)]


def _rows(path: Path, columns: tuple[str, ...]) -> list[Row]:
    if not path.exists():
        return []
    table = read_table(path, required=columns, escaped=True)
    refuse_problems(table)
    return list(table.rows)


def _comment(row: Row, path: Path) -> Comment:
    try:
        return Comment.model_validate_strings({name: row[name] for name in COMMENT_COLUMNS})
    except ValidationError as error:
        first = error.errors()[0]
        what, column = in_words(first)[0], "".join(map(str, first["loc"]))
        where = f"{path}, row {row.number}, column {column}"
        raise CurateError(printable(what), where, _EDITED) from error


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
    found = {}
    for row in _rows(path, DELETED_COLUMNS):
        try:
            at = datetime.fromisoformat(_time(row["deleted_at"]))
        except ValueError as error:
            where = f"{path}, row {row.number}, column deleted_at"
            raise CurateError(f"'{row['deleted_at']}' is not a time", where, _EDITED) from error
        found[person_key(row["by"]), row["id"]] = row["by"], at
    return found


def write_deleted(path: Path, deleted: Deleted) -> None:
    """Write which comments were deleted in place of `path`, by writer and id.

    Raises:
        CurateError: If it cannot be written.
    """
    rows = ([by, key[1], at.isoformat()] for key, (by, at) in sorted(deleted.items()))
    write_csv(path, DELETED_COLUMNS, rows, escaped=True)


def merge_comments(
    known: Iterable[Comment], returned: Iterable[CommentsFile], gone: Deleted
) -> tuple[list[Comment], dict[str, int], Deleted]:
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
    merged = {item.key: item for item in known}
    deleted_at = dict(gone)
    names: dict[str, str] = {}
    for item in merged.values():
        names.setdefault(person_key(item.by), item.by)
    counts = dict.fromkeys(("added", "replaced", "deleted", "older"), 0)
    for file in returned:
        name = names.setdefault(person_key(file.by), file.by)
        for written in file.comments:
            item = written.model_copy(update={"by": name})
            before = merged.get(item.key)
            if item.key in deleted_at and item.moment <= deleted_at[item.key][1]:
                counts["older"] += 1
            elif before is None:
                counts["added"] += 1
                merged[item.key] = item
                deleted_at.pop(item.key, None)
            elif item.moment < before.moment:
                counts["older"] += 1
            else:
                known_at = {name: getattr(before, name) for name in ("collected_at", "source_file")}
                if item.model_copy(update=known_at) != before:
                    counts["replaced"] += 1
                    merged[item.key] = item.model_copy(update={"collected_at": before.collected_at})
        for one in file.deleted:
            key = person_key(file.by), one
            before = merged.get(key)
            last = before.moment if before is not None else None
            at = datetime.fromisoformat(file.saved) if file.saved else last
            if at is None or (last is not None and last > at):
                continue  # it was written again since, or nothing is known of it
            if before is not None:
                del merged[key]
                counts["deleted"] += 1
            if key not in deleted_at or deleted_at[key][1] < at:
                deleted_at[key] = name, at
    return list(merged.values()), counts, deleted_at
