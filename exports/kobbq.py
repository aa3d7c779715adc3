"""KoBBQ's published tables: the bank as template rows, samples as sample rows.

Scripts that were written for the published files know neither agreement nor escaped characters
nor readings: every slot of the culture's own language is written with its forms, and what
the published format cannot hold is refused.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from curation.languages import LanguageOrCode, load
from curation.records.bank import (
    GROUP_FIELDS,
    NO_SOURCE,
    PARTICLE_COLUMNS,
    SLOT_TEXT_FIELDS,
    TEMPLATE_COLUMNS,
    TEXT_COLUMNS,
    Bank,
    SampleId,
    Texts,
    Variant,
    VariantVersion,
)
from curation.records.messages import CurateError
from curation.records.sample import Sample
from curation.records.survey import join_groups
from curation.slots import (
    Filler,
    Slot,
    SlotError,
    declared_lists,
    generalise,
    is_open,
    list_forms,
    parse_conditions,
    parse_lists,
    parse_text,
)
from curation.slots.agreement import agreement_for

_LIST_FIELDS = ("names", "words")
_PLACES = {
    "amb": ("ambiguous_context",),
    "dis": ("disambiguating_context",),
    "ans": ("biased_answer", "counter_biased_answer"),
}
"""The texts that the particle columns speak of."""


def published_template_rows(
    bank: Bank,
    language: LanguageOrCode,
    source_language: LanguageOrCode,
    counts: Mapping[str, Mapping[str, int]] | None = None,
) -> Iterator[tuple[str, ...]]:
    """Yield the variants with the columns of the published templates, in bank order.

    Source texts that cannot be read are written as they stand: nothing fills them.

    Args:
        bank: The bank.
        language: Language of the texts, for agreement and particles.
        source_language: Language of the source texts, for agreement.
        counts: Survey counts by template id, votes by option.

    Raises:
        CurateError: If a text cannot be read, a slot has no forms, or the published format
            cannot hold a text: a comma, a bracket or, in a list, a semicolon within a name; or a
            variant has a version.
    """
    for variant in bank.variants:
        _refuse_version(str(variant.id), variant.id.version)
        votes = (counts or {}).get(str(variant.template_id))
        cells = {
            "Category": variant.category,
            "ID": str(variant.template_id.number),
            "version": variant.letter.value,
            "Label_annotation": variant.label.value if variant.label else "",
            "Reference": variant.reference,
            "BBQ_id": variant.source_id or NO_SOURCE,
            "BBQ_category": variant.source_category or NO_SOURCE,
            "Survey_stats": repr(dict(votes)) if votes else "",
        }
        for field, column in TEXT_COLUMNS.items():
            with _named(variant, field):
                cells[column] = _cell(field, variant.texts, language, own=True)
            with _named(variant, f"{field}_source"):
                cells[f"{column}_translated"] = _source_cell(field, variant, source_language)
        with _named(variant, "names"):
            cells.update(_particles(variant, language))
        yield tuple(cells[column] for column in TEMPLATE_COLUMNS)


def published_sample_rows(samples: Iterable[Sample]) -> Iterator[tuple[str, ...]]:
    """Yield samples with the columns of the published samples; the prediction is empty.

    As published, choices are a Python-style list and a numeric source id is a float, `1.0`.

    Raises:
        CurateError: If a sample is of a version of its variant.
    """
    for sample in samples:
        if "." in sample.sample_id:
            _refuse_version(sample.sample_id, SampleId.parse(sample.sample_id).variant.version)
        yield (
            sample.sample_id,
            sample.label,
            sample.context,
            sample.question,
            repr(list(sample.choices)),
            sample.biased_answer,
            sample.answer,
            _float(sample.source_id),
            sample.source_category,
            "",
        )


def _refuse_version(name: str, version: VariantVersion) -> None:
    if version:
        raise CurateError(
            f"{name} is of version '{version}', for which the published format has no place",
            name,
            "export another format: only csv, tsv, jsonl, xlsx and parquet hold versions",
        )


@contextmanager
def _named(variant: Variant, column: str) -> Iterator[None]:
    """Name the variant and its column in errors."""
    try:
        yield
    except CurateError as error:
        row = f"bank, row {variant.row}, " if variant.row else ""
        where = f"{row}{variant.id}, column {column}"
        raise CurateError(error.what, where, error.hint or "see 'curate check'") from error


def _float(source_id: str) -> str:
    return f"{int(source_id)}.0" if source_id.isascii() and source_id.isdecimal() else source_id


def _source_cell(field: str, variant: Variant, language: LanguageOrCode) -> str:
    """Write a source text; as it stands where it cannot be read or its lists are open."""
    texts = variant.source_texts
    try:
        if field not in GROUP_FIELDS and is_open(texts.names, texts.words):
            return str(getattr(texts, field))
        return _cell(field, variant.source_texts, language, own=False)
    except SlotError:
        return str(getattr(variant.source_texts, field))


def _cell(field: str, texts: Texts, language: LanguageOrCode, *, own: bool) -> str:
    """Write one field of the texts; `own` when they are in the culture's language."""
    if field in GROUP_FIELDS:
        return join_groups(_held(group, ",") for group in getattr(texts, field))
    cell: str = getattr(texts, field)
    if field in SLOT_TEXT_FIELDS:
        return _slot_text(cell, texts, language, inline=own)
    return _lists(cell, own=own) if field in _LIST_FIELDS else cell


def _held(text: str, characters: str) -> str:
    """A text, if the published format can hold it.

    Raises:
        CurateError: If one of the characters, which the format gives a meaning, is in it.
    """
    for character in characters:
        if character in text:
            raise CurateError(
                f"'{text}' holds '{character}', which the published format cannot escape",
                hint="write it without, or export another format",
            )
    return text


def _lists(cell: str, *, own: bool) -> str:
    """Write slot lists without readings, attributes and escapes; as they stand without these."""
    conditions = parse_conditions(cell)
    if conditions and own:
        raise CurateError(
            f"the published format has no place for the condition '{conditions[0]}'",
            hint="export another format: only csv, tsv, jsonl, xlsx and parquet hold conditions",
        )
    written = []
    for item in parse_lists(cell).values():
        if item.open:
            raise CurateError(f"the list of slot {item.name} is still to be filled by the survey")
        # Scripts cut the lists of the culture's own language at semicolons.
        fillers = (_held(filler.text, "[],;" if own else "[],") for filler in item.fillers)
        written.append(f"{item.name}: [{', '.join(fillers)}]")
    written += map(str, conditions)
    return "; ".join(written) if any(sign in cell for sign in "\\|{") else cell


def _slot_text(cell: str, texts: Texts, language: LanguageOrCode, *, inline: bool) -> str:
    """Write a text without agreement, named forms and escapes; as it stands where it has none."""
    text = parse_text(cell)
    unlisted = any(_needs_forms(slot, inline) for slot in text.slots)
    if not unlisted and "\\" not in cell:
        return cell
    if unlisted:
        lists = declared_lists(texts.names, texts.words)
        text = list_forms(text, lists, language, lambda slot: _needs_forms(slot, inline))
    return "".join(
        _held(part, "[]") if isinstance(part, str) else _slot(part) for part in text.parts
    )


def _needs_forms(slot: Slot, inline: bool) -> bool:
    return slot.forms is None and (inline or not slot.is_bare)


def _slot(slot: Slot) -> str:
    if slot.forms is None:
        return f"[{slot.name}]"
    return f"[{slot.name}: {', '.join(_held(form, '[],') for form in slot.forms)}]"


def _particles(variant: Variant, language: LanguageOrCode) -> dict[str, str]:
    """The particle columns: those that were published, else what the forms show."""
    published = dict(variant.extra)
    derived: dict[str, str] = {}
    if not published.keys() >= set(PARTICLE_COLUMNS) and _is_korean(language):
        lists = declared_lists(variant.texts.names, variant.texts.words)
        for place, fields in _PLACES.items():
            slots = [
                slot for field in fields for slot in parse_text(getattr(variant.texts, field)).slots
            ]
            for name in ("N1", "N2"):
                fillers = lists[name].fillers if name in lists else ()
                found = (_particle(slot, fillers, language) for slot in slots if slot.name == name)
                derived[f"{name}_{place}_post"] = ", ".join(dict.fromkeys(filter(None, found)))
    return {column: published.get(column, derived.get(column, "")) for column in PARTICLE_COLUMNS}


def _is_korean(language: LanguageOrCode) -> bool:
    return load(language).code.split("-")[0].lower() == "ko"


def _particle(slot: Slot, fillers: Sequence[Filler], language: LanguageOrCode) -> str:
    """Tell what the forms of a slot add to the names, as it is after a consonant."""
    rule = generalise(slot, fillers, language)
    if rule is not None:
        agreement = agreement_for(language) if rule.agreement else None
        return agreement.pair(str(rule.agreement))[0] if agreement else ""
    if slot.forms is None or len(slot.forms) != len(fillers):
        return ""
    pairs = list(zip(slot.forms, fillers, strict=True))
    if not all(form.startswith(filler.text) for form, filler in pairs):
        return ""
    endings = {form[len(filler.text) :] for form, filler in pairs}
    ending = endings.pop() if len(endings) == 1 else ""
    return "" if ending[:1].isspace() else ending
