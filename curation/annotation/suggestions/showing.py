"""Who sees suggested labels: by default half of the annotators, so that one can compare."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from curation.annotation.suggestions.records import (
    ALLOTTED,
    Allotted,
    Suggestion,
    record_allotted,
    shown_file,
)
from curation.annotation.suggestions.run import usable_suggestions
from curation.files.ledger import now
from curation.files.workspace import Workspace
from curation.records.annotation import person_key
from curation.records.errors import CurateError

HALF, ALL, NONE = "half", "all", "none"
"""Who sees no suggestions, where no names are given."""


@dataclass(frozen=True, slots=True)
class Showing:
    """That suggestions are shown, and who does not see them.

    Attributes:
        blind: `half`, `all` or `none` of the annotators, or names: who sees no suggestions.
        seed: The seed of the draw of a half.
    """

    blind: tuple[str, ...] = (HALF,)
    seed: int = 42


def who_sees(workspace: Workspace, names: Sequence[str], showing: Showing) -> dict[str, bool]:
    """Say which annotators are shown suggestions; of a half who was drawn before stays.

    Args:
        workspace: The workspace.
        names: The annotators; one empty name for a project of all.
        showing: What is wanted.

    Raises:
        CurateError: If a name is none of theirs, or the people of one project would be told apart.
    """
    blind = dict.fromkeys(" ".join(name.split()) for name in showing.blind)
    if not names:
        return {}
    if len(blind) == 1 and next(iter(blind)) in (ALL, NONE):
        return dict.fromkeys(names, NONE in blind)
    if names == [""]:
        raise CurateError(
            "one project for all shows suggestions to everybody or to nobody",
            "--blind",
            "show them to all with --blind none, or make a project for each: --annotator NAME",
        )
    if list(blind) == [HALF]:
        return _half(names, _before(ALLOTTED.read(shown_file(workspace))), showing.seed)
    known = {person_key(name) for name in names}
    strange = [name for name in blind if person_key(name) not in known]
    if strange:
        raise CurateError(
            f"'{strange[0]}' is not one of the annotators: {', '.join(names)}",
            "--blind",
            f"give names of annotators, or one of {HALF}, {ALL} and {NONE}",
        )
    keys = {person_key(name) for name in blind}
    return {name: person_key(name) not in keys for name in names}


def _half(names: Sequence[str], before: Mapping[str, bool], seed: int) -> dict[str, bool]:
    """Draw who sees no suggestions: half of the annotators, of an odd number one more."""
    found = {name: before[person_key(name)] for name in names if person_key(name) in before}
    fresh = [name for name in names if name not in found]
    lacking = -(-len(names) // 2) - sum(not sees for sees in found.values())
    random.Random(seed).shuffle(fresh)  # noqa: S311  # a seeded draw
    found |= {name: at >= lacking for at, name in enumerate(fresh)}
    return {name: found[name] for name in names}


def _before(allotted: Iterable[Allotted]) -> dict[str, bool]:
    """By person whether they were ever shown a suggestion, where it was settled beforehand."""
    found: dict[str, bool] = {}
    for item in allotted:
        key = person_key(item.annotator)
        found[key] = found.get(key, False) or item.shown
    return found


def to_show(workspace: Workspace) -> tuple[dict[str, Suggestion], tuple[str, ...]]:
    """The suggestions that can be shown, and the templates that changed since theirs was made.

    Raises:
        CurateError: If there are none, or a file cannot be read.
    """
    found, stale = usable_suggestions(workspace)
    if not found:
        why = f"; those of {len(stale)} templates that changed are not shown" if stale else ""
        raise CurateError(
            f"there are no suggestions to show{why}",
            "annotations/suggestions.csv",
            "make them first: curate classify suggest",
        )
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
