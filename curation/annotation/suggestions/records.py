"""The files of suggested labels: `suggestions.csv`, and who was shown which of them."""

from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from curation.files.annotations import AnnotationsFolder
from curation.files.tables import Row, Table, read_table, refuse_problems, write_csv
from curation.files.workspace import Workspace
from curation.records.annotation import CLASSIFY_LABELS
from curation.records.bank import Label

RULES = "rules"
"""The engine that looks at groups alone."""
OPENAI = "openai"
"""The engine that asks a model; the name of the model follows in a suggestion."""
ENGINES = (RULES, OPENAI)
"""What can suggest labels."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A label that is suggested for a template; fields are the columns of `suggestions.csv`.

    Attributes:
        template_id: The template.
        label: ST, TM or SR.
        reason: Why, in the language of the annotators.
        engine: What suggested it: `rules`, or `openai:` and the model.
        row_hash: Hash of what annotators were shown of the template.
        suggested_at: When this label was first suggested, UTC, ISO 8601.
    """

    template_id: str
    label: Label
    reason: str
    engine: str
    row_hash: str
    suggested_at: str


@dataclass(frozen=True, slots=True)
class Allotted:
    """Whether a suggestion was shown; fields are the columns of `suggestions_shown.csv`.

    Attributes:
        template_id: The template.
        annotator: Who was handed the template; empty in a project of all.
        place: Where: `sheet`, or `labelstudio:` and the number of the project.
        shown: `true` if the annotator was shown the suggestion, else `false`.
        label: The suggested label.
        engine: What suggested it.
        row_hash: Hash of what annotators were shown of the template.
        allotted_at: When it was handed out, UTC, ISO 8601.
    """

    template_id: str
    annotator: str
    place: str
    shown: bool
    label: Label
    engine: str
    row_hash: str
    allotted_at: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What a later row of the same replaces: template, annotator and place."""
        return self.template_id, self.annotator, self.place


SUGGESTION_COLUMNS = tuple(item.name for item in fields(Suggestion))
"""The columns of `suggestions.csv`, in order."""
ALLOTTED_COLUMNS = tuple(item.name for item in fields(Allotted))
"""The columns of `suggestions_shown.csv`, in order."""
SHEET = "sheet"
"""The place of what is handed out in a workbook."""


def suggestions_file(workspace: Workspace) -> Path:
    """Where the suggestions are."""
    return AnnotationsFolder(workspace.root).folder / "suggestions.csv"


def shown_file(workspace: Workspace) -> Path:
    """Where it is kept who was shown suggestions."""
    return AnnotationsFolder(workspace.root).folder / "suggestions_shown.csv"


def read_suggestions(workspace: Workspace) -> dict[str, Suggestion]:
    """The suggestions by template; none where there is no file.

    Raises:
        CurateError: If a row cannot be read, or a template occurs twice.
    """
    found: dict[str, Suggestion] = {}
    for table, row in _rows(suggestions_file(workspace), SUGGESTION_COLUMNS):
        name = row["template_id"].strip()
        if name in found:
            raise table.fault(row, "template_id", f"{name} occurs twice", "keep one of the two")
        found[name] = Suggestion(
            template_id=name,
            label=_label(table, row),
            reason=row["reason"],
            engine=row["engine"].strip(),
            row_hash=row["row_hash"].strip(),
            suggested_at=row["suggested_at"].strip(),
        )
    return found


def write_suggestions(workspace: Workspace, suggestions: Iterable[Suggestion]) -> None:
    """Write the suggestions, by template.

    Raises:
        CurateError: If that cannot be done.
    """
    rows = sorted(map(astuple, suggestions))
    write_csv(suggestions_file(workspace), SUGGESTION_COLUMNS, rows)


def read_allotted(workspace: Workspace) -> list[Allotted]:
    """Who was shown which suggestion, and who was to see none; nobody without a file.

    Raises:
        CurateError: If a row cannot be read.
    """
    found: list[Allotted] = []
    for table, row in _rows(shown_file(workspace), ALLOTTED_COLUMNS):
        shown = row["shown"].strip()
        if shown not in ("true", "false"):
            what = f"'{shown}' is neither true nor false"
            raise table.fault(row, "shown", what, "restore the file from version control")
        found.append(
            Allotted(
                template_id=row["template_id"].strip(),
                annotator=row["annotator"].strip(),
                place=row["place"].strip(),
                shown=shown == "true",
                label=_label(table, row),
                engine=row["engine"].strip(),
                row_hash=row["row_hash"].strip(),
                allotted_at=row["allotted_at"].strip(),
            )
        )
    return found


def record_allotted(workspace: Workspace, new: Iterable[Allotted]) -> None:
    """Add who was shown what. What was once shown stays so, and the same keeps its time.

    Raises:
        CurateError: If the file cannot be read or written.
    """
    rows: dict[tuple[str, str, str, str], Allotted] = {}
    before = read_allotted(workspace)
    for item in (*before, *new):
        key = *item.key, item.row_hash
        known = rows.get(key)
        same = known is not None and known.shown == item.shown and known.label is item.label
        if not same and (known is None or item.shown or not known.shown):
            rows[key] = item
    if list(rows.values()) != before:
        cells = sorted(_cells(item) for item in rows.values())
        write_csv(shown_file(workspace), ALLOTTED_COLUMNS, cells)


def _cells(item: Allotted) -> tuple[str, ...]:
    return tuple(
        ("true" if value else "false") if isinstance(value, bool) else str(value)
        for value in astuple(item)
    )


def _rows(path: Path, columns: tuple[str, ...]) -> Iterable[tuple[Table, Row]]:
    if not path.exists():
        return []
    table = read_table(path, required=columns)
    refuse_problems(table)
    return [(table, row) for row in table.rows]


def _label(table: Table, row: Row) -> Label:
    text = row["label"].strip()
    if text not in CLASSIFY_LABELS:
        hint = "labels are ST, TM and SR; make them again: curate classify suggest"
        raise table.fault(row, "label", f"'{text}' is not a label that can be suggested", hint)
    return Label(text)


def fresh(
    suggestions: Mapping[str, Suggestion], hashes: Mapping[str, str]
) -> tuple[dict[str, Suggestion], tuple[str, ...]]:
    """The suggestions of templates as they are now, and which templates changed since.

    Args:
        suggestions: All suggestions.
        hashes: By template, the hash of what annotators are shown now.
    """
    now = {name: item for name, item in suggestions.items() if item.row_hash == hashes.get(name)}
    return now, tuple(name for name in suggestions if name in hashes and name not in now)
