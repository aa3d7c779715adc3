"""The step of each template, from its import to the benchmark."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from curation.records.bank import SLOT_TEXT_FIELDS, Label, Template, Texts, Variant
from curation.records.messages import CurateError, plural
from curation.records.survey import Status
from curation.slots.grammar import parse_lists, parse_text

_LISTS = ("names", "words")


Verdict = tuple[Status, str, bool]
"""What the decisions make of a template, one of `OUTCOMES`; why; and whether it gives samples."""


@dataclass(frozen=True, slots=True)
class TemplateStep:
    """The step of one template.

    Attributes:
        template_id: The template.
        category: Its category.
        label: Its label; None while nobody has classified it.
        step: How far it has come.
        reason: Why it is no farther, or what became of it.
    """

    template_id: str
    category: str
    label: Label | None
    step: Status
    reason: str


def where_it_stands(
    template: Template, verdict: Verdict | None, unconfirmed: int = 0
) -> TemplateStep:
    """Find the step of a template.

    Imported, it waits for a label; classified, for a translation; translated, for a person who
    looks at the machine's text; reviewed, for the survey. The survey keeps it (`surveyed` while
    it gives no samples yet), drops it, or does not decide it.

    Args:
        template: The template.
        verdict: What the decisions make of it; None where there are none.
        unconfirmed: How many of its texts are as the machine wrote them, without anybody who has
            confirmed that.
    """
    waits_at, why = step, reason = _waiting(template, unconfirmed)
    if verdict is not None:
        step, reason, is_fillable = verdict
        if step is Status.KEPT and waits_at is not Status.REVIEWED:
            step, reason = Status.SURVEYED, f"kept, but {why}"
        elif step is Status.KEPT and not is_fillable:
            step, reason = Status.SURVEYED, "kept, but it waits for its groups"
    return TemplateStep(str(template.id), template.category, template.label, step, reason)


def _waiting(template: Template, unconfirmed: int) -> tuple[Status, str]:
    """Tell what a template waits for before the survey."""
    if template.label is None:
        return Status.IMPORTED, "nobody has classified it"
    lacking = [_lacking(variant, variant.texts) for variant in template.variants]
    if not any(lacking) and unconfirmed:
        texts = f"{unconfirmed} {plural('text', unconfirmed)}"
        return Status.TRANSLATED, f"{texts} of the machine that nobody has confirmed"
    if not any(lacking):
        return Status.REVIEWED, "no survey has decided on it"
    machine = [
        field
        for variant, fields in zip(template.variants, lacking, strict=True)
        for field in fields
        if not getattr(variant.machine_texts, field)
    ]
    if machine:
        return Status.CLASSIFIED, f"not written: {', '.join(dict.fromkeys(machine))}"
    fields = dict.fromkeys(field for fields in lacking for field in fields)
    return Status.TRANSLATED, f"only by machine: {', '.join(fields)}"


def without_source(template: Template) -> tuple[str, ...]:
    """Name the fields that a template waits for though its source has nothing to translate there.

    Nothing where it waits for a translation too.
    """
    found: dict[str, None] = {}
    for variant in template.variants:
        for field in _lacking(variant, variant.texts):
            if getattr(variant.machine_texts, field):
                continue
            if getattr(variant.source_texts, field):
                return ()
            found[field] = None
    return tuple(found)


def _lacking(variant: Variant, texts: Texts) -> list[str]:
    """Name the fields that nobody has written in the culture's language."""
    lacking = [field for field in ("stereotype", *SLOT_TEXT_FIELDS) if not getattr(texts, field)]
    return [*lacking, *(field for field in _LISTS if _lacks_list(variant, field))]


def _lacks_list(variant: Variant, field: str) -> bool:
    """Whether a list of the source is not there, though the texts ask for it."""
    source = getattr(variant.source_texts, field)
    if not source or getattr(variant.texts, field):
        return False
    if not variant.texts.has_body:
        return True
    try:
        used = {
            name
            for text in SLOT_TEXT_FIELDS
            for name in parse_text(getattr(variant.texts, text)).names
        }
        return not used.isdisjoint(parse_lists(source))
    except CurateError:
        return True


def count_steps(rows: Iterable[TemplateStep]) -> list[dict[str, Any]]:
    """Count by category in the order of the bank, with the total as last row.

    Returns:
        Of each `category`, how many `templates` it has, and how many of them are at each step.
    """
    by_category: dict[str, list[Status]] = {}
    for row in rows:
        by_category.setdefault(row.category, []).append(row.step)
    every = [step for steps in by_category.values() for step in steps]
    return [
        {"category": name, "templates": len(steps), **{it.value: steps.count(it) for it in Status}}
        for name, steps in [*by_category.items(), ("Total", every)]
    ]
