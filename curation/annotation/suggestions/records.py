"""The files of suggested labels: `suggestions.csv`, and who was shown which of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from curation.files.annotations import AnnotationsFolder
from curation.files.codec import Codec
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


_AGAIN = "labels are ST, TM and SR; make them again: curate classify suggest"
_LABELS = {"label": CLASSIFY_LABELS}
SUGGESTIONS = Codec(Suggestion, _AGAIN, key=("template_id",), order=("template_id",), words=_LABELS)
"""The table `suggestions.csv`."""
ALLOTTED = Codec(
    Allotted,
    "restore the file from version control",
    order=("template_id", "annotator", "place", "shown", "row_hash", "allotted_at"),
    words=_LABELS,
)
"""The table `suggestions_shown.csv`."""
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
    return {item.template_id: item for item in SUGGESTIONS.read(suggestions_file(workspace))}


def record_allotted(workspace: Workspace, new: Iterable[Allotted]) -> None:
    """Add who was shown what. What was once shown stays so, and the same keeps its time.

    Raises:
        CurateError: If the file cannot be read or written.
    """
    rows: dict[tuple[str, str, str, str], Allotted] = {}
    before = ALLOTTED.read(shown_file(workspace))
    for item in (*before, *new):
        key = *item.key, item.row_hash
        known = rows.get(key)
        same = known is not None and known.shown == item.shown and known.label is item.label
        if not same and (known is None or item.shown or not known.shown):
            rows[key] = item
    if list(rows.values()) != before:
        ALLOTTED.write(shown_file(workspace), rows.values())


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
