"""How often annotators agree with suggestions: those who saw them, and those who did not."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from curation.annotation.labels import Standing
from curation.annotation.labelstudio.store import FROM_SERVER
from curation.annotation.suggestions.records import Allotted, Suggestion
from curation.records.annotation import CLASSIFY_LABELS, Annotation, person_key
from curation.records.bank import Label

SHOWN, BLIND = "shown", "blind"
"""Whether the annotator saw the suggestion."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Labels of annotators beside suggestions for the same templates as they are now.

    Attributes:
        view: `shown` where the annotator saw the suggestion, `blind` where they did not.
        annotator: Whose labels; empty for all of them together.
        labels: How many labels there are beside a suggestion.
        agree: How many of them are the suggested one.
        share: `agree` of `labels`; None where there are none.
        confusion: By suggested label how often each label was given.
    """

    view: str
    annotator: str
    labels: int
    agree: int
    share: float | None
    confusion: Mapping[str, Mapping[str, int]]


def compare(
    standing: Standing, suggestions: Mapping[str, Suggestion], allotted: Sequence[Allotted]
) -> tuple[Compared, ...]:
    """Compare labels with suggestions; nothing if no label has a suggestion.

    A label counts as given in sight of a suggestion where that was recorded when the template was
    handed out, and the label came after it.

    Args:
        standing: What the annotators say.
        suggestions: The suggestions of templates as they are now.
        allotted: Who was shown which suggestion.
    """
    by_template: dict[str, list[Allotted]] = {}
    for item in allotted:
        by_template.setdefault(item.template_id, []).append(item)
    given: dict[tuple[str, str], Counter[tuple[Label, Label]]] = {}
    for name, opinions in standing.opinions.items():
        for opinion in opinions:
            if opinion.label is None:
                continue
            view, suggested = _seen(opinion, by_template.get(name, ()), suggestions.get(name))
            if suggested is not None:
                pair = suggested, opinion.label
                given.setdefault((view, opinion.annotator), Counter())[pair] += 1
    found = []
    for view in (SHOWN, BLIND):
        people = [who for seen, who in given if seen == view]
        total = sum((given[view, who] for who in people), Counter[tuple[Label, Label]]())
        if given:
            found.append(_compared(view, "", total))
        found += [_compared(view, who, given[view, who]) for who in sorted(people)]
    return tuple(found)


def _seen(
    opinion: Annotation, rows: Iterable[Allotted], suggestion: Suggestion | None
) -> tuple[str, Label | None]:
    """What was suggested beside a label, and whether it was seen."""
    mine = [row for row in rows if _is_of(row, opinion)]
    for row in mine:
        if row.shown and not (opinion.collected_at and opinion.collected_at < row.allotted_at):
            return SHOWN, row.label
    for row in mine:
        if not row.shown:
            return BLIND, row.label
    return BLIND, suggestion.label if suggestion is not None else None


def _is_of(row: Allotted, opinion: Annotation) -> bool:
    """Whether a template was handed out as a label says that it was answered."""
    if opinion.row_hash and opinion.row_hash != row.row_hash:
        return False
    if row.place.startswith(FROM_SERVER) or opinion.source_file.startswith(FROM_SERVER):
        return row.place == opinion.source_file
    return person_key(row.annotator) == person_key(opinion.annotator)


def _compared(view: str, annotator: str, pairs: Counter[tuple[Label, Label]]) -> Compared:
    count = pairs.total()
    agree = sum(times for (one, other), times in pairs.items() if one is other)
    return Compared(
        view=view,
        annotator=annotator,
        labels=count,
        agree=agree,
        share=agree / count if count else None,
        confusion={
            one.value: {other.value: pairs[one, other] for other in CLASSIFY_LABELS}
            for one in CLASSIFY_LABELS
        },
    )
