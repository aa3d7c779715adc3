"""Labels, and what a label asks for: a source, a reference, no text."""

from collections.abc import Iterator

from curation.checks.rules import rule
from curation.checks.subject import Remark, Subject
from curation.records.bank import Label

_TRANSFERRED = (Label.SIMPLY_TRANSFERRED, Label.TARGET_MODIFIED)


@rule
def label_differs(subject: Subject) -> Iterator[Remark]:
    """A label is for a whole template."""
    for template in subject.templates:
        first = template.first
        for variant in template.variants[1:]:
            if variant.label is not first.label:
                message = (
                    f"{variant.id} is {variant.label or 'not classified'}, "
                    f"{first.id} is {first.label or 'not classified'}"
                )
                yield subject.in_bank(variant, "label", message)


@rule
def label_missing(subject: Subject) -> Iterator[Remark]:
    """Said once for the whole bank: most of a new bank is not classified."""
    count = sum(template.label is None for template in subject.templates)
    if count:
        message = f"{count} of {len(subject.templates)} templates are not yet classified"
        yield Remark(subject.bank_file, None, "label", message)


@rule
def reference_missing(subject: Subject) -> Iterator[Remark]:
    """A new stereotype needs a source that documents it."""
    for template in subject.templates:
        if template.label is Label.NEWLY_CREATED and not template.has_reference:
            message = f"{template.id} is newly created and has no reference"
            yield subject.in_bank(template.first, "reference", message)


@rule
def source_missing(subject: Subject) -> Iterator[Remark]:
    """Its licence asks to say where a text comes from; the first variant that does not is named."""
    for template in subject.templates:
        without = [item for item in template.variants if not item.source_id.strip()]
        if template.label in _TRANSFERRED and without:
            message = f"{without[0].id} is labelled {template.label} and names no source"
            yield subject.in_bank(without[0], "source_id", message)


@rule
def removed_text(subject: Subject) -> Iterator[Remark]:
    """One of the two is wrong, the label or the text."""
    for item in subject.texts:
        if item.variant.label is Label.SAMPLE_REMOVED:
            message = f"{item.variant.id} is labelled SR but has texts"
            yield subject.in_wording(item, "label", message)
