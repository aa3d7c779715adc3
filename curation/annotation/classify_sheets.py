"""The workbooks of classification: one for each annotator, one for the meeting."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TypeAlias

from curation.annotation.sheets import columns
from curation.bank.generate import prepare
from curation.files.workbooks import Book, Sheet, SheetRow, row_hash
from curation.files.workspace import Workspace
from curation.records.annotation import AgendaItem, Annotation
from curation.records.bank import Template, Texts, Variant
from curation.records.messages import CurateError
from curation.records.survey import join_groups
from curation.report.texts import environment
from curation.slots import (
    MOST_NAMED,
    Filler,
    SlotError,
    SlotList,
    few_names,
    parse_lists,
    print_fillers,
    print_lists,
)

CLASSIFY = "classify"
"""The kind of an annotator's workbook."""
AGENDA = "agenda"
"""The kind of the meeting's workbook."""
NAMES = "names"
"""The sheet of lists that are too long to be shown beside their template."""
Filled: TypeAlias = Callable[[Variant], str]
"""Gives the texts of a variant with the first names and words in their places."""
_LETTERS, _SIDES = ("a", "b"), ("biased", "counter_biased")
_SHOWN_AT_ONCE = 2400
"""Characters of a row that a spreadsheet can still show whole."""


def first_filled(variant: Variant, workspace: Workspace) -> tuple[str, str]:
    """A variant with the first names and words, in the source's language where it has texts of it.

    Returns:
        Both contexts; and each question with its answer, a line each. Both are empty where the
        texts lack any name or word.
    """
    language = workspace.source_language if variant.source_texts.has_body else workspace.language
    try:
        filling = prepare(variant, language, _side(variant))
    except CurateError:  # what is wrong with it is found by 'curate check'
        return "", ""
    first = filling.indices(1)
    said = {field: text.render(first) for field, text in filling.texts.items()}
    contexts = (said["ambiguous_context"], said["disambiguating_context"])
    asked = ((said[f"{side}_question"], said[f"{side}_answer"]) for side in _SIDES)
    questions = "\n".join(" \u2013 ".join(filter(None, pair)) for pair in asked)
    return filling.between.join(filter(None, contexts)), questions


def filled_in(workspace: Workspace) -> Filled:
    """How examples are filled in: the contexts, then each question with its answer."""
    return lambda variant: "\n".join(first_filled(variant, workspace)).strip()


def classify_sheet(templates: Iterable[Template], filled: Filled | None = None) -> Sheet:
    """The sheet of templates that an annotator fills in."""
    known, (label, reason, *more) = columns("template"), columns("labelled")
    asked = (*known[:4], label, reason, *known[4:6], *more, *known[6:])
    rows = tuple(
        SheetRow(str(item.id), {**shown(item), **_examples(item, filled)}) for item in templates
    )
    return Sheet("templates", asked, rows, key="template_id", frozen="label")


def classify_book(
    templates: Iterable[Template],
    annotator: str,
    suggestions: Mapping[str, str] = MappingProxyType({}),
    title: str = "",
    filled: Filled | None = None,
) -> Book:
    """The workbook of one annotator.

    Args:
        templates: The templates.
        annotator: Who labels them.
        suggestions: By template what they are shown of a suggested label; nobody's label.
        title: What the column of suggestions is.
        filled: Gives a variant's texts filled in; no examples are shown without it.
    """
    every = list(templates)
    sheet = classify_sheet(every, filled)
    if suggestions:
        beside = tuple(
            replace(column, note=title, heading=title) for column in columns("suggested")
        )
        rows = tuple(
            replace(row, cells={**row.cells, "suggestion": suggestions.get(row.key, "")})
            for row in sheet.rows
        )
        at = next(number for number, item in enumerate(sheet.columns) if item.aside)
        asked = (*sheet.columns[:at], *beside, *sheet.columns[at:])
        sheet = replace(sheet, columns=asked, rows=rows)
    return Book(CLASSIFY, _with_names(sheet, every), about={"annotator": annotator})


def _examples(template: Template, filled: Filled | None) -> dict[str, str]:
    """Variants a and b as respondents would read them, each of its first wording."""
    if filled is None:
        return {}
    firsts: dict[str, Variant] = {}
    for variant in template.variants:
        firsts.setdefault(variant.letter.value, variant)
    wanted = {f"example_{letter}": firsts.get(letter) for letter in _LETTERS}
    return {name: filled(variant) for name, variant in wanted.items() if variant is not None}


def _with_names(sheet: Sheet, templates: Iterable[Template]) -> tuple[Sheet, ...]:
    names = names_sheet(templates)
    return (sheet, names) if names.rows else (sheet,)


def names_sheet(templates: Iterable[Template]) -> Sheet:
    """The sheet of lists that are too long to be shown whole beside their template, to be read.

    A list takes as many rows as it needs for each of them to be seen whole.
    """
    rows = (row for item in templates for row in _whole_lists(item))
    return Sheet(NAMES, columns("names"), tuple(rows))


def _whole_lists(template: Template) -> Iterator[SheetRow]:
    slots: dict[tuple[Filler, ...], list[str]] = {}
    for variant in template.variants:
        texts = _side(variant)
        for cell in (texts.names, texts.words):
            for declared in _lists(cell):
                if len(declared.fillers) > MOST_NAMED:
                    slot = f"{declared.name} ({variant.id.short})"
                    slots.setdefault(declared.fillers, []).append(slot)
    for at, (fillers, where) in enumerate(slots.items(), start=1):
        parts = list(_parts(fillers))
        for number, part in enumerate(parts, start=1):
            cells = {
                "template_id": str(template.id),
                "slot": ", ".join(where),
                "count": str(len(fillers)),
                "part": f"{number} / {len(parts)}",
                "names": print_fillers(part)[1:-1],
            }
            yield SheetRow(f"{template.id}/{at}/{number}", cells)


def _lists(cell: str) -> Collection[SlotList]:
    """The lists of a cell; none where it cannot be parsed, for it is shown as it is then."""
    try:
        return parse_lists(cell).values()
    except SlotError:
        return ()


def _parts(fillers: Sequence[Filler]) -> Iterator[list[Filler]]:
    """The fillers in their order, as many together as a row shows."""
    part: list[Filler] = []
    room = _SHOWN_AT_ONCE
    for filler in fillers:
        size = len(print_fillers([filler]))
        if part and size > room:
            yield part
            part, room = [], _SHOWN_AT_ONCE
        part.append(filler)
        room -= size
    yield part


def classify_hashes(templates: Iterable[Template]) -> dict[str, str]:
    """The hash of what annotators are shown of each template."""
    sheet = classify_sheet(templates)
    return {row.key: row_hash(sheet, row.cells) for row in sheet.rows}


def agenda_sheet(
    templates: Iterable[Template], items: Sequence[AgendaItem], filled: Filled | None = None
) -> Sheet:
    """The sheet that a meeting fills in."""
    by_id = {str(item.id): item for item in templates}
    known = columns("template")
    rows = tuple(
        SheetRow(
            item.template_id,
            {
                **shown(by_id[item.template_id]),
                **_examples(by_id[item.template_id], filled),
                "kind": item.kind,
                "counts": counts_text(item),
                "opinions": "\n".join(opinion_text(opinion) for opinion in item.opinions),
                "links": "\n".join(f"{who}: {link}" for who, link in item.links.items()),
            },
        )
        for item in items
    )
    asked = (*known[:4], *columns("settled"), *columns("disputed"), *known[4:])
    return Sheet("agenda", asked, rows, key="template_id", frozen="label")


def agenda_book(
    templates: Iterable[Template], items: Sequence[AgendaItem], filled: Filled | None = None
) -> Book:
    """The workbook of the meeting."""
    every = list(templates)
    named = {item.template_id for item in items}
    long = (item for item in every if str(item.id) in named)
    return Book(AGENDA, _with_names(agenda_sheet(every, items, filled), long))


def counts_text(item: AgendaItem) -> str:
    """Say how many gave each label."""
    return ", ".join(f"{label} {count}" for label, count in item.counts) or "no label"


def opinion_text(opinion: Annotation) -> str:
    """Say what an annotator said in one line."""
    parts = [opinion.label.value if opinion.label else "no label"]
    if opinion.reason.strip():
        parts.append(" ".join(opinion.reason.split()))
    if opinion.proposed_targets:
        parts.append(f"targets: {join_groups(opinion.proposed_targets)}")
    if opinion.proposed_non_targets:
        parts.append(f"non-targets: {join_groups(opinion.proposed_non_targets)}")
    if opinion.remark.strip():
        parts.append(f"remark: {' '.join(opinion.remark.split())}")
    return f"{opinion.annotator}: {'; '.join(parts)}"


def agenda_markdown(items: Sequence[AgendaItem]) -> str:
    """Write the agenda to be read out."""
    template = environment(__package__).overlay(autoescape=False).get_template("agenda.md.j2")
    return template.render(items=items, counts_text=counts_text, opinion_text=opinion_text)


def shown(template: Template) -> dict[str, str]:
    """What annotators are shown of a template: its source, or its text where it has none."""
    first = template.first
    return {
        "template_id": str(template.id),
        "category": template.category,
        "stereotype": _of(template, lambda texts: texts.stereotype),
        "target_groups": _of(template, lambda texts: join_groups(texts.target_groups)),
        "ambiguous_context": _of(template, lambda texts: texts.ambiguous_context),
        "disambiguating_context": _of(template, lambda texts: texts.disambiguating_context),
        "questions": _of(template, lambda texts: _both(texts, "question")),
        "answers": _of(template, lambda texts: _both(texts, "answer")),
        "fillers": _of(template, _fillers),
        "source": " ".join(
            part for part in (first.source, first.source_category, first.source_id) if part
        ),
        "reference": first.reference,
    }


def _fillers(texts: Texts) -> str:
    return "\n".join(_named(cell) for cell in (texts.names, texts.words) if cell)


def _named(cell: str) -> str:
    """A cell of lists as a person reads it: names alone, of long lists a few and how many."""
    try:
        lists = parse_lists(cell).values()
    except SlotError:
        return cell
    if all(
        len(one.fillers) <= MOST_NAMED and not any(f.features for f in one.fillers) for one in lists
    ):
        return cell
    return "; ".join(f"{print_lists([few])}{more}" for few, more in map(few_names, lists))


def _of(template: Template, part: Callable[[Texts], str]) -> str:
    """A part of every variant: once where all have the same, else by letters and versions.

    A version is named only where its text is another one. So versions that translators add to a
    template do not change what is shown of its source.
    """
    every = ((variant.id, part(_side(variant)).strip()) for variant in template.variants)
    texts = [(variant, text) for variant, text in every if text]
    distinct = Counter(letter for letter, _ in {(one.letter, text) for one, text in texts})
    by_text: dict[str, dict[str, None]] = {}
    for one, text in texts:
        name = one.short if distinct[one.letter] > 1 else one.letter.value
        by_text.setdefault(text, {})[name] = None
    if len(by_text) < 2:
        return next(iter(by_text), "")
    ordered = sorted((", ".join(names), text) for text, names in by_text.items())
    return "\n".join(f"{names}: {text}" for names, text in ordered)


def _side(variant: Variant) -> Texts:
    return variant.source_texts if variant.source_texts.has_body else variant.texts


def _both(texts: Texts, field: str) -> str:
    """A field of the biased side and that of the other one, each named."""
    sides = {"biased": f"biased_{field}", "counter-biased": f"counter_biased_{field}"}
    found = {side: getattr(texts, name) for side, name in sides.items()}
    return "\n".join(f"{side}: {text}" for side, text in found.items() if text)
