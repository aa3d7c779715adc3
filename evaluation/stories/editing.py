"""Stories that people correct: the workbooks of editors, handed out and collected."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curation.annotation.sheets import (
    Given,
    hand_out_each,
    join,
    keep_returned,
    people_in,
    taken_back,
)
from curation.files.lock import writing
from curation.files.workbooks import Book, Column, Sheet, SheetRow
from curation.files.workspace import Workspace
from curation.records.findings import Finding
from curation.slots import SlotError, parse_text
from evaluation.stories.building import OVERRIDE_TABLE, Override, make_stories, overrides_file
from evaluation.stories.placeholders import PEOPLE
from evaluation.stories.records import Remark, StoryPair, Version

EDIT = "stories-edit"
"""The kind of an editor's workbook."""

_COLUMNS = (
    Column("variant", 18),
    Column("category", 16),
    Column("ambiguous_context", 46),
    Column("disambiguating_context", 46),
    Column("story", 46),
    Column("findings", 40),
    Column("text", 46, editable=True),
    Column("remark", 30, editable=True),
)


def edit_sheet(pairs: Sequence[StoryPair], remarks: Sequence[Remark]) -> Sheet:
    """The sheet of an editor.

    Args:
        pairs: The stories as the toolkit makes them.
        remarks: On the same.
    """
    rows = tuple(_row(pair, version, remarks) for pair in pairs for version in pair.versions)
    return Sheet("stories", _COLUMNS, rows, key="variant")


def _row(pair: StoryPair, version: Version, remarks: Sequence[Remark]) -> SheetRow:
    name, texts = str(version.variant.id), version.variant.texts
    said = [item.text for item in remarks if item.subject in (name, pair.name)]
    return SheetRow(
        name,
        {
            "variant": name,
            "category": version.variant.category,
            "ambiguous_context": texts.ambiguous_context,
            "disambiguating_context": texts.disambiguating_context,
            "story": version.made.printed,
            "findings": "\n".join(said),
        },
    )


def problem_of(text: str, version: Version) -> str:
    """Say why a text cannot stand in the place of a story's; nothing where it can."""
    try:
        names = parse_text(text).names
    except SlotError as error:
        return error.what
    people = [name for name in names if name in PEOPLE]
    if people:
        return f"the text names a person, [{people[0]}]"
    strange = [name for name in names if name not in version.lists]
    return f"there is no slot {strange[0]}" if strange else ""


def sheet(workspace: Workspace, editors: Sequence[str], out: Path | None = None) -> dict[str, Any]:
    """Make a workbook for each editor: a row a version of each story.

    A workbook that may have been filled in is never written over.

    Args:
        workspace: The workspace.
        editors: Who edits.
        out: The folder; by default `annotations/sheets`.

    Raises:
        CurateError: If names cannot be told apart, there are no stories, or a workbook is in the
            way.
    """

    def make() -> tuple[int, Sheet]:
        made = make_stories(workspace, edited=False)
        return len(made.pairs), edit_sheet(made.pairs, made.remarks)

    def book(made: Sheet, name: str) -> Book:
        return Book(EDIT, (made,), about={"editor": name})

    command = "curate evaluate stories sheet"
    return hand_out_each(workspace, editors, "stories", make, book, out, command)


@dataclass(frozen=True, slots=True)
class CollectedEdits:
    """What editors returned, and the stories as they are with it.

    Attributes:
        file: Where it is kept.
        changes: How many texts they changed.
        remarks: How many remarks they made.
        edited: How many texts of the stories are an editor's now.
        findings: What is to be said of the workbooks and of the stories.
    """

    file: Path
    changes: int
    remarks: int
    edited: int
    findings: tuple[Finding, ...]


def collect(workspace: Workspace, files: Sequence[Path]) -> CollectedEdits:
    """Collect the workbooks that editors returned, in the place of their earlier ones.

    Args:
        workspace: The workspace.
        files: The workbooks, one for each editor.

    Raises:
        Refusal: If a workbook has an error; nothing is collected then, and marked copies are
            written.
        CurateError: If a file cannot be read or written.
    """
    with writing(workspace, "curate collect"):
        plain = make_stories(workspace, edited=False)
        wanted = edit_sheet(plain.pairs, plain.remarks)
        versions = {str(v.variant.id): v for pair in plain.pairs for v in pair.versions}

        def override(given: Given) -> Override:
            text, made = (" ".join(given.said[name].split()) for name in ("text", "story"))
            problem = problem_of(text, versions[given.uid]) if text else ""
            if problem:
                given.refuse("text", problem)
            remark = given.text("remark")
            return Override(given.uid, given.person, made, text, remark, given.source, given.at)

        path = overrides_file(workspace)
        new, findings, _ = taken_back(workspace, files, EDIT, "editor", lambda _: wanted, override)
        of_them = people_in(new, "editor")
        rows, _ = join(OVERRIDE_TABLE.read(path), new, ("editor", "variant"), of_them)
        keep_returned(workspace, files)
        OVERRIDE_TABLE.write(path, rows)
        made = make_stories(workspace)
    return CollectedEdits(
        file=path,
        changes=sum(bool(item.text) for item in new),
        remarks=sum(bool(item.remark) for item in new),
        edited=sum(version.edited for pair in made.pairs for version in pair.versions),
        findings=(*findings, *made.findings),
    )
