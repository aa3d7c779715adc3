"""The index of the page, and chunks of templates: texts, slots, labels and decisions."""

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from itertools import islice
from operator import attrgetter
from typing import Any

from curation import __version__
from curation.bank.generate import is_waiting, prepare
from curation.bank.planning import TemplatePlan
from curation.files.outcomes import TemplateOutcome, describe
from curation.languages import LanguageOrCode, is_rtl, load
from curation.records.annotation import Annotation
from curation.records.bank import (
    FILLED_FIELDS,
    GROUP_FIELDS,
    SLOT_TEXT_FIELDS,
    Label,
    SampleId,
    Texts,
    Variant,
)
from curation.records.messages import CurateError, watched
from curation.records.survey import NOT_USED, Decision, Rule, Status
from curation.slots.grammar import SlotError, cut_text, parse_lists, print_fillers
from exports.browse.chunks import ChunkWriter, Shown, fingerprint, in_page, table

AT_A_TIME = 25
"""So many templates are in a chunk."""
_FORMAT = 1
"""The version of what the chunks hold."""
_ROW: dict[str, Any] = {
    **dict.fromkeys(("id", "category", "label", "status", "reason"), ""),
    "near": False,
    "stereotype": "",
    "source": "",
    "groups": [],
    "source_groups": [],
    "samples": 0,
    "questions": [],
    "variants": [],
    "chunk": None,
    **dict.fromkeys(("sample_chunks", "replies"), 0),
    **dict.fromkeys(("disagree", "evidence")),
    "differs": "",
    "bias": None,
    "targets": [],
    "decisive": None,
}
"""What the index knows of each template, and what it says where nothing is known."""
COLUMNS = tuple(_ROW)
"""The columns of the index."""
_SAME_GROUPS = (Label.SIMPLY_TRANSFERRED, Label.NEWLY_CREATED)
"""Labels of templates whose groups are those of their source text."""
_SAMPLES_AT_A_TIME = 500
"""So many samples of a template at most are in a chunk."""
_SAMPLE = (
    *("sample_id", "variant", "context", "question", "context_type", "question_type", "choices"),
    *("n1_group", "n2_group"),
)
"""What the page shows of a sample beside its answers, as places among its choices, and the filler
of each slot. The rest is the same in all samples of its template."""
_COLUMNS = (*_SAMPLE, "answer", "biased_answer", "filling")
_of_sample = attrgetter(*_SAMPLE)
Ranges = list[tuple[str, str, int]]
"""Of each chunk of a template the first and the last sample, and how many there are."""
OPEN = "open"
"""The status of a template that is kept, and waits for its groups or its translation."""


def start_index(shown: Shown) -> dict[str, Any]:
    """The index of the page, before samples, questions and replies are counted in it.

    Raises:
        CurateError: If bank, groups or language cannot be read.
    """
    workspace, culture = shown.workspace, shown.workspace.culture
    rows = [_row(shown, at, item) for at, item in enumerate(shown.outcomes)]
    statuses = [row["status"] for row in rows]
    given = {item.template.label for item in shown.outcomes}
    return {
        "fingerprint": fingerprint(workspace),
        "ledger": len(workspace.decisions),
        "title": culture.release.title or culture.culture,
        "culture": culture.culture,
        "version": culture.version,
        **in_language(workspace.language),
        **in_language(workspace.source_language, "source_"),
        "counts": {
            "templates": len(rows),
            "variants": sum(len(item.template.variants) for item in shown.outcomes),
            **{name: statuses.count(name) for name in ("kept", "excluded", "undecided", OPEN)},
            "near": sum(row["near"] for row in rows),
            "samples": 0,
            "replies": 0,
        },
        **indexed(
            rows,
            [label.value for label in Label if label in given],
            {item.id: item.name for item in culture.categories},
        ),
        "glosses": _glosses(shown),
    }


def _glosses(shown: Shown) -> dict[str, dict[str, str]]:
    """By category and group what the source calls it.

    It is what stands at the same place in the source of templates that have kept its groups. A
    group that is called in two ways there has no such name.
    """
    found: dict[str, dict[str, set[str]]] = {}
    for item in shown.outcomes:
        if item.template.label not in _SAME_GROUPS:
            continue
        known = found.setdefault(item.template.category, {})
        for variant in item.template.variants:
            for name in GROUP_FIELDS:
                own, source = getattr(variant.texts, name), getattr(variant.source_texts, name)
                if len(own) == len(source):
                    for group, called in zip(own, source, strict=True):
                        known.setdefault(group, set()).add(called)
    return {
        category: {group: min(names) for group, names in known.items() if len(names - {group}) == 1}
        for category, known in found.items()
    }


def indexed(
    rows: Sequence[dict[str, Any]], labels: Sequence[str], names: Mapping[str, str]
) -> dict[str, object]:
    """What an index has of its templates.

    Args:
        rows: What is known of each template, by column.
        labels: The labels, in their order.
        names: The categories as they are shown; those without a name by their id.
    """
    counts = Counter(row["category"] for row in rows).items()
    return {
        "format": _FORMAT,
        "tool": f"curate {__version__}",
        "categories": [
            {"id": name, "name": names.get(name) or name, "templates": count}
            for name, count in counts
        ],
        "labels": list(labels),
        "groups": list(dict.fromkeys(name for row in rows for name in row.get("groups", ()))),
        "templates": table(COLUMNS, ([*(_ROW | row).values()] for row in rows)),
        "models": [],
        "rules": [],
    }


def add_templates(writer: ChunkWriter, shown: Shown, ranges: Mapping[str, Ranges]) -> None:
    """Write the chunks of all templates, and that of the texts which are searched.

    Args:
        writer: Writes chunks.
        shown: What is shown.
        ranges: By template what its chunks of samples hold.
    """
    former: dict[str, list[str]] = {}
    for old, new in shown.workspace.renamed.items():
        former.setdefault(new, []).append(old)
    texts: list[str] = []
    found: dict[str, dict[str, object]] = {}
    for at, item in enumerate(watched(shown.outcomes, "Texts of templates", shown.progress)):
        name = str(item.template.id)
        found[name] = {
            **_template(shown, item),
            "former": former.get(name, []),
            "sample_chunks": ranges.get(name, []),
        }
        texts.append(_searched(item))
        if len(found) == AT_A_TIME or at + 1 == len(shown.outcomes):
            writer.add(f"template-{at // AT_A_TIME}", {"templates": found})
            found = {}
    writer.add("search", {"texts": texts})


def in_language(language: LanguageOrCode, which: str = "") -> dict[str, str]:
    """What an index says of the language of its texts, or of their source."""
    general = load(language).general
    return {
        f"{which}language": str(language),
        f"{which}language_name": general.name if general is not None else str(language),
        f"{which}direction": "rtl" if is_rtl(language) else "ltr",
    }


def standing(shown: Shown, item: TemplateOutcome) -> str:
    """The status of a template in the page: kept, excluded, undecided or open."""
    if item.status is Status.KEPT and is_waiting(shown.now(item)):
        return OPEN
    return in_page(item.status)


def _row(shown: Shown, at: int, item: TemplateOutcome) -> dict[str, Any]:
    template, first = item.template, shown.now(item).first
    is_modified = template.label is Label.TARGET_MODIFIED
    own = [item.question.id] if item.question is not None else []
    return {
        "id": str(template.id),
        "category": template.category,
        "label": template.label.value if template.label else "",
        "status": standing(shown, item),
        "reason": _reason(item),
        "near": any(decision.borderline for decision in item.decisions),
        "stereotype": template.stereotype,
        "source": first.source_texts.stereotype,
        "groups": _groups(_wording(first)),
        "source_groups": _groups(first.source_texts) if is_modified else [],
        "questions": [*own, *shown.understood.get(str(template.id), ())],
        "variants": [variant.id.short for variant in template.variants],
        "chunk": at // AT_A_TIME,
        "targets": list(_wording(first).target_groups),
        "decisive": _decisive(item),
    }


def _reason(item: TemplateOutcome) -> str:
    """The rule that excluded a template; nothing for one that is in."""
    if item.status is Status.REMOVED:
        return "label"
    if item.status in NOT_USED and item.decisive is not None:
        return item.decisive.rule.value
    return ""


def _decisive(item: TemplateOutcome) -> dict[str, object] | None:
    """The numbers of the decision that excluded a template, or by which a person kept it."""
    found = item.decisive
    if found is None:
        return None
    numbers = {name: getattr(found, name) for name in ("k", "n", "value", "threshold")}
    return {"rule": found.rule.value, "reason": found.reason, **numbers}


def _groups(texts: Texts) -> list[str]:
    """The groups of a wording, its target groups first."""
    return list(dict.fromkeys((*texts.target_groups, *texts.n1_groups, *texts.n2_groups)))


def _wording(variant: Variant) -> Texts:
    """What a variant says: in the culture's language, else in the source's."""
    return variant.source_texts if variant.texts.is_empty else variant.texts


def _template(shown: Shown, item: TemplateOutcome) -> dict[str, object]:
    """All that the page shows of a template, except for its samples and replies."""
    now = shown.now(item)
    first = now.first
    name = str(now.id)
    consensus = next((one for one in item.decisions if one.rule is Rule.CONSENSUS), None)
    return {
        "status": item.status.value,
        "why": item.reason,
        "waits": is_waiting(now),
        "fault": shown.faults.get(name, ""),
        "modified": name in shown.final.modified,
        "source": first.source,
        "source_id": first.source_id,
        "source_category": first.source_category,
        "reference": first.reference,
        "note": first.note,
        "variants": [_variant(variant) for variant in now.variants],
        "example": {
            "target": _example(first, shown.workspace.language, first.texts),
            "source": _example(first, shown.workspace.source_language, first.source_texts),
        },
        "annotations": [_annotation(one) for one in shown.annotated.get(name, ())],
        "consensus": consensus
        and {
            "label": first.label,
            **{name: getattr(consensus, name) for name in ("reason", "by", "at")},
        },
        "decisions": [told(one) for one in item.decisions],
    }


def _variant(variant: Variant) -> dict[str, object]:
    return {
        "variant": variant.letter.value,
        "version": variant.id.version,
        **{name: list(getattr(variant.texts, name)) for name in GROUP_FIELDS},
        "texts": {
            name: {
                "target": _pieces(name, variant.texts),
                "source": _pieces(name, variant.source_texts),
                "machine": _pieces(name, variant.machine_texts),
            }
            for name in FILLED_FIELDS
        },
        "slots": _slots(variant),
    }


def _pieces(name: str, texts: Texts) -> list[tuple[str, str]]:
    """A text in pieces, each with the slot that it is; in one piece where it cannot be read."""
    text: str = getattr(texts, name)
    if not text:
        return []
    if name in SLOT_TEXT_FIELDS:
        try:
            return list(cut_text(text))
        except SlotError:
            pass  # it is shown as it is written; 'curate check' says what is wrong
    return [(text, "")]


def _slots(variant: Variant) -> list[dict[str, object]]:
    """The slots of a variant with their fillings, in both languages."""
    own, source = _fillings(variant.texts), _fillings(variant.source_texts)
    return [
        {"name": name, "fillings": own.get(name, []), "source": source.get(name, [])}
        for name in dict.fromkeys((*own, *source))
    ]


def _fillings(texts: Texts) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for cell in (texts.names, texts.words):
        try:
            lists = parse_lists(cell)
        except CurateError:
            continue  # the cell is shown as it is written
        for name, item in lists.items():
            told = (print_fillers([it])[1:-1] if it.features else it.text for it in item.fillers)
            found[name] = ["*"] if item.open else [*told]
    return found


def _example(variant: Variant, language: LanguageOrCode, texts: Texts) -> dict[str, str] | None:
    """The texts of a variant with its first filling; None where it cannot be filled."""
    if not texts.has_body:
        return None
    try:
        filling = prepare(variant, language, texts)
    except CurateError:
        return None  # the page shows the texts with their slots, and what is wrong
    at = filling.indices(1)
    return {name: filling.texts[name].render(at) for name in SLOT_TEXT_FIELDS}


def _annotation(item: Annotation) -> dict[str, object]:
    return {
        "by": item.annotator,
        "label": item.label.value if item.label else "",
        "reason": item.reason,
        "remark": item.remark,
        "targets": list(item.proposed_targets),
        "non_targets": list(item.proposed_non_targets),
    }


def told(decision: Decision) -> dict[str, object]:
    """A decision with its sentence, as 'curate explain' says it, and its numbers.

    `near` is true of borderline decisions only: of target selection it says nothing.
    """
    numbers = {item.name: getattr(decision, item.name) for item in fields(decision)}
    near = None if decision.near is None else decision.borderline
    return {"sentence": describe(decision), **numbers, "near": near}


def _searched(item: TemplateOutcome) -> str:
    """The text by which a template is searched: its ids and wordings, each once."""
    template = item.template
    parts: dict[str, None] = {str(template.id): None}
    for one in template.variants:
        parts |= dict.fromkeys((one.category, one.source_id, one.reference, one.note))
        for texts in (one.texts, one.source_texts):
            parts[texts.stereotype] = None
            parts |= dict.fromkeys(getattr(texts, name) for name in FILLED_FIELDS)
            parts |= dict.fromkeys(_groups(texts))
    return searched(filter(None, parts))


def searched(parts: Iterable[str]) -> str:
    """Texts as they are searched together."""
    return unicodedata.normalize("NFC", "\n".join(parts)).lower()


def add_samples(writer: ChunkWriter, index: dict[str, Any], shown: Shown) -> dict[str, Ranges]:
    """Write the samples of all templates, and count them in the index.

    They are made and written one chunk after another, so that a million takes no more memory
    than one chunk.

    Returns:
        By template what its chunks hold; templates without samples are not among them.
    """
    found: dict[str, Ranges] = {}
    rows = index["templates"]["rows"]
    samples, chunks = COLUMNS.index("samples"), COLUMNS.index("sample_chunks")
    for row, item in enumerate(watched(shown.outcomes, "Samples of templates", shown.progress)):
        plan = shown.plans.get(str(item.template.id))
        if plan is None:
            continue
        filled, ranges = _filled(plan), found.setdefault(str(item.template.id), [])
        made = shown.edition.plan().samples_of(plan)
        while some := list(islice(made, _SAMPLES_AT_A_TIME)):
            # Four samples in a row are of one filling.
            cells = (
                (
                    *_of_sample(it),
                    *(it.choices.index(answer) for answer in (it.answer, it.biased_answer)),
                    filled(it.sample_id.rsplit("-", 2)[0]),
                )
                for it in some
            )
            # Columns of texts that resemble each other take less room than rows.
            columns = zip(_COLUMNS, zip(*cells, strict=True), strict=True)
            writer.add(f"samples-{row}-{len(ranges)}", dict(columns))
            ranges.append((some[0].sample_id, some[-1].sample_id, len(some)))
        rows[row][samples] = sum(count for _, _, count in ranges)
        rows[row][chunks] = len(ranges)
    index["counts"]["samples"] = sum(row[samples] for row in rows)
    return found


def _filled(plan: TemplatePlan) -> Callable[[str], list[tuple[str, str]]]:
    """What gives the filler of each slot, in the order of the lists, by the id of a filling."""
    fillings = {str(part.filling.variant.id): part.filling for part in plan.parts}

    @lru_cache(maxsize=1)
    def of(name: str) -> list[tuple[str, str]]:
        found = SampleId.parse(f"{name}-amb-bsd")
        filling = fillings[str(found.variant)]
        at = filling.indices(found.index)
        return [(slot, filling.filler(slot, at).text) for slot in filling.lists]

    return of
