"""Suggested labels as they are kept, who is shown them, and how often annotators agree with them.

By default half of the annotators see them, so that one can compare.
"""

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curation.annotation.labels import LabelState, classifiable, classify_hashes
from curation.annotation.labelstudio.store import FROM_SERVER
from curation.annotation.sheets import FALLBACK
from curation.files.codec import Codec, now
from curation.files.workspace import Workspace
from curation.languages import LanguageOrCode, load
from curation.languages.prompts import SuggestTexts
from curation.records.annotation import CLASSIFY_LABELS, Annotation, person_key
from curation.records.bank import Label
from curation.records.messages import refusal

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
    return workspace.annotations.folder / "suggestions.csv"


def shown_file(workspace: Workspace) -> Path:
    """Where it is kept who was shown suggestions."""
    return workspace.annotations.folder / "suggestions_shown.csv"


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
        key = item.template_id, item.annotator, item.place, item.row_hash
        known = rows.get(key)
        same = known is not None and known.shown == item.shown and known.label is item.label
        if not same and (known is None or item.shown or not known.shown):
            rows[key] = item
    if list(rows.values()) != before:
        ALLOTTED.write(shown_file(workspace), rows.values())


def usable_suggestions(workspace: Workspace) -> tuple[dict[str, Suggestion], tuple[str, ...]]:
    """The suggestions of templates as they are now, and which templates changed since theirs.

    Raises:
        CurateError: If a file cannot be read.
    """
    found = read_suggestions(workspace)
    hashes = classify_hashes(classifiable(workspace.bank.templates()))
    fresh = {name: item for name, item in found.items() if item.row_hash == hashes.get(name)}
    return fresh, tuple(name for name in found if name in hashes and name not in fresh)


def suggest_texts(language: LanguageOrCode) -> SuggestTexts:
    """The texts of the language of the culture, or English ones."""
    found = (load(code).suggest for code in (language, FALLBACK))
    return next(item for item in found if item is not None)


def said_of(suggestion: Suggestion, texts: SuggestTexts) -> str:
    """What an annotator reads of a suggestion."""
    parts = (f"{suggestion.label.value} ({suggestion.engine})", suggestion.reason)
    return f"{': '.join(filter(None, parts))}\n{texts.judge}"


HALF, ALL, NONE = "half", "all", "none"
"""Who sees no suggestions, where no names are given."""


_SEED = 42
"""Of the draw of a half."""


def who_sees(workspace: Workspace, names: Sequence[str], hidden: Sequence[str]) -> dict[str, bool]:
    """Say which annotators are shown suggestions; of a half who was drawn before stays.

    Args:
        workspace: The workspace.
        names: The annotators; one empty name for a project of all.
        hidden: Who does not see them: `half`, `all` or `none` of the annotators, or names.

    Raises:
        CurateError: If a name is none of theirs, or the people of one project would be told apart.
    """
    blind = {person_key(name): name for name in hidden}
    if not names:
        return {}
    if {*blind} in ({ALL}, {NONE}):
        return dict.fromkeys(names, NONE in blind)
    if names == [""]:
        raise refusal(__package__, "suggestions-shared", "--blind")
    if {*blind} == {HALF}:
        return _half(workspace, names)
    known = {person_key(name) for name in names}
    if strange := [name for key, name in blind.items() if key not in known]:
        words = {"name": " ".join(strange[0].split()), "names": names}
        raise refusal(__package__, "suggestions-whose", "--blind", **words)
    return {name: person_key(name) not in blind for name in names}


def _half(workspace: Workspace, names: Sequence[str]) -> dict[str, bool]:
    """Draw who sees no suggestions: half of the annotators, of an odd number one more.

    Who was ever shown one goes on so, and who was settled to be shown none.
    """
    before: dict[str, bool] = {}
    for item in ALLOTTED.read(shown_file(workspace)):
        key = person_key(item.annotator)
        before[key] = before.get(key, False) or item.shown
    found = {name: before[person_key(name)] for name in names if person_key(name) in before}
    fresh = [name for name in names if name not in found]
    lacking = -(-len(names) // 2) - sum(not sees for sees in found.values())
    random.Random(_SEED).shuffle(fresh)  # noqa: S311  # a seeded draw
    found |= {name: at >= lacking for at, name in enumerate(fresh)}
    return {name: found[name] for name in names}


def to_show(workspace: Workspace) -> tuple[dict[str, Suggestion], tuple[str, ...]]:
    """The suggestions that can be shown, and the templates that changed since theirs was made.

    Raises:
        CurateError: If there are none, or a file cannot be read.
    """
    found, stale = usable_suggestions(workspace)
    if not found:
        way, where = "stale" if stale else "none", "annotations/suggestions.csv"
        raise refusal(__package__, "suggestions-none", where, way=way, count=len(stale))
    return found, stale


def record_shown(
    workspace: Workspace,
    annotator: str,
    place: str,
    suggestions: Iterable[Suggestion],
    shown: Iterable[str],
) -> None:
    """Record which suggestions an annotator saw, and for which templates they were blind.

    Args:
        workspace: The workspace.
        annotator: Who was handed the templates; empty in a project of all.
        place: Where, as `Allotted` says.
        suggestions: Those for the templates that they were handed.
        shown: The templates beside which they stand.

    Raises:
        CurateError: If the file cannot be read or written.
    """
    seen, at = set(shown), now()
    rows = (
        Allotted(
            template_id=item.template_id,
            annotator=annotator,
            place=place,
            shown=item.template_id in seen,
            label=item.label,
            engine=item.engine,
            row_hash=item.row_hash,
            allotted_at=at,
        )
        for item in suggestions
    )
    record_allotted(workspace, rows)


SHOWN, BLIND = "shown", "blind"
"""Whether the annotator saw the suggestion."""


def compare(
    standing: LabelState, suggestions: Mapping[str, Suggestion], allotted: Sequence[Allotted]
) -> tuple[dict[str, Any], ...]:
    """Compare labels with suggestions; nothing if no label has a suggestion.

    A label counts as given in sight of a suggestion where that was recorded when the template was
    handed out, and the label came after it.

    Args:
        standing: What the annotators say.
        suggestions: The suggestions of templates as they are now.
        allotted: Who was shown which suggestion.

    Returns:
        By `view`, `shown` where the annotator saw the suggestion and `blind` where they did not,
        and by `annotator`, empty for all of them together: how many `labels` there are beside a
        suggestion; how many of them `agree`; their `share`, None where there are none; and the
        `confusion`: by suggested label how often each label was given.
    """
    by_template: dict[str, list[Allotted]] = {}
    for item in allotted:
        by_template.setdefault(item.template_id, []).append(item)
    given: list[tuple[str, str, Label, Label]] = []
    for name, opinions in standing.opinions.items():
        for opinion in opinions:
            view, suggested = _seen(opinion, by_template.get(name, ()), suggestions.get(name))
            if opinion.label is not None and suggested is not None:
                given.append((view, opinion.annotator, suggested, opinion.label))
    found = []
    for view in (SHOWN, BLIND):
        mine = [item for item in given if item[0] == view]
        for who in ("", *sorted({by for _, by, *_ in mine})) if given else ():
            pairs = Counter((one, other) for _, by, one, other in mine if who in ("", by))
            agree, count = sum(pairs[one, one] for one in CLASSIFY_LABELS), pairs.total()
            found.append(
                {
                    "view": view,
                    "annotator": who,
                    "labels": count,
                    "agree": agree,
                    "share": agree / count if count else None,
                    "confusion": {
                        one.value: {other.value: pairs[one, other] for other in CLASSIFY_LABELS}
                        for one in CLASSIFY_LABELS
                    },
                }
            )
    return tuple(found)


def _seen(
    opinion: Annotation, rows: Iterable[Allotted], suggestion: Suggestion | None
) -> tuple[str, Label | None]:
    """What was suggested beside a label, and whether it was seen."""
    mine = [row for row in rows if _is_of(row, opinion)]
    for row in mine:
        if row.shown and not (opinion.collected_at and opinion.collected_at < row.allotted_at):
            return SHOWN, row.label
    labels = (row.label for row in mine if not row.shown)
    return BLIND, next(labels, suggestion.label if suggestion is not None else None)


def _is_of(row: Allotted, opinion: Annotation) -> bool:
    """Whether a template was handed out as a label says that it was answered."""
    if opinion.row_hash and opinion.row_hash != row.row_hash:
        return False
    if row.place.startswith(FROM_SERVER) or opinion.source_file.startswith(FROM_SERVER):
        return row.place == opinion.source_file
    return person_key(row.annotator) == person_key(opinion.annotator)
