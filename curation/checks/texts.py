"""Contexts, questions and answers."""

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product

from curation.checks.rules import rule
from curation.checks.subject import Remark, Subject, Wording
from curation.records.bank import ANSWER_FIELDS, SLOT_TEXT_FIELDS
from curation.records.ids import TemplateId
from curation.slots import CompiledText, Fillings

_COMPARED = ("ambiguous_context", "disambiguating_context", "biased_question")
_MOST_FILLINGS = 20_000
_SPACES = re.compile(r"\s+")
_ODD_SPACE = re.compile(r"[^\S ]")


@rule
def text_missing(subject: Subject) -> Iterator[Remark]:
    """A variant without any text waits for its translation; half of one makes empty samples."""
    for item in subject.wordings:
        for name in SLOT_TEXT_FIELDS:
            if not getattr(item.texts, name).strip():
                message = "the cell is empty, others of the variant are not"
                yield subject.in_wording(item, name, message)


@rule
def text_duplicate(subject: Subject) -> Iterator[Remark]:
    """Compared without fillers: the same scene with other groups counts as the same text."""
    first: dict[tuple[str, ...], TemplateId] = {}
    said: set[TemplateId] = set()
    for item in subject.texts:
        key = tuple((item.skeleton(name) or "").casefold() for name in _COMPARED)
        if not all(key):
            continue
        template = item.variant.template_id
        known = first.setdefault(key, template)
        if known != template and template not in said:
            said.add(template)
            message = f"{template} has the contexts and question of {known}"
            yield subject.in_wording(item, "ambiguous_context", message)


@rule
def answers_equal(subject: Subject) -> Iterator[Remark]:
    """Compared as filled, so that two slots with the same name are found too."""
    for item in subject.wordings:
        answers = [text for _, text in _compiled_answers(item)]
        if len(answers) < 2 or not _may_agree(*map(_heads, answers)):
            continue
        shared = tuple(sorted(_sizes(answers[0]).keys() & _sizes(answers[1]).keys()))
        made = [_texts(text) for text in answers]
        both = {*made[0]} & {*made[1]}
        biased, counter = (
            _filled(text, texts, both, shared) for text, texts in zip(answers, made, strict=True)
        )
        equal = sorted(
            {
                text
                for key in biased
                for text in biased[key].keys() & counter.get(key, {}).keys()
                if any(
                    _occurs(item, {**one, **other})
                    for one, other in product(biased[key][text], counter[key][text])
                )
            }
        )
        if equal:
            more = f", and {len(equal) - 1} more" if len(equal) > 1 else ""
            message = f"both answers are '{equal[0]}'{more}"
            yield subject.in_wording(item, "counter_biased_answer", message)


@rule
def answer_unknown(subject: Subject) -> Iterator[Remark]:
    """Two of the three choices would be the same."""
    unknown = _folded(subject.culture.unknown)
    for item in subject.texts:
        for name, text in _compiled_answers(item):
            if not _may_agree(_heads(text), {f"{unknown} "}):
                continue
            found = _filled(text, _texts(text), {unknown}).get((), {}).get(unknown, ())
            if any(_occurs(item, at) for at in found):
                message = f"the answer is the unknown expression '{subject.culture.unknown}'"
                yield subject.in_wording(item, name, message)


def _compiled_answers(item: Wording) -> Iterator[tuple[str, CompiledText]]:
    """Yield field and text of each answer that is written and can be filled.

    An answer names one or two slots; one with very many fillings is left out, not filled.
    """
    for name in ANSWER_FIELDS:
        text = item.compiled(name) if getattr(item.texts, name) else None
        if text is not None and math.prod(_sizes(text).values()) <= _MOST_FILLINGS:
            yield name, text


def _sizes(text: CompiledText) -> dict[int, int]:
    """The number of forms of each slot of a text, by its position among the declared ones."""
    return {part[0]: len(part[1]) for part in text.parts if not isinstance(part, str)}


_Positions = Mapping[int, int]
"""The positions of fillers in their lists, by the position of the list among the declared ones."""


def _heads(text: CompiledText) -> set[str]:
    """How the texts that a slot text becomes begin, up to its second slot, folded.

    Most answers name people of two lists, and are told apart by that alone.
    """
    heads, slots = [""], 0
    for part in text.parts:
        if isinstance(part, str):
            heads = [head + part for head in heads]
            continue
        slots += 1
        if slots > 1:
            break
        heads = [head + form for head in heads for form in part[1]]
    end = " " if slots < 2 else ""
    return {_SPACES.sub(" ", head.casefold() + end).lstrip() for head in heads}


def _may_agree(ones: Collection[str], others: Collection[str]) -> bool:
    """Whether any two beginnings may go on to the same text."""
    for known, asked in ((ones, others), (others, ones)):
        lengths = {len(head) for head in known}
        if any(head[:length] in known for head in asked for length in lengths):
            return True
    return False


def _texts(text: CompiledText) -> list[str]:
    """Every text that a slot text becomes, folded, in the order of the product of its slots."""
    sizes = _sizes(text)
    if sum(not isinstance(part, str) for part in text.parts) == len(sizes):
        forms = [
            [form.casefold() for form in ((part,) if isinstance(part, str) else part[1])]
            for part in text.parts
        ]
        joined = map("".join, product(*forms))
        if any(_ODD_SPACE.search(form) for part in forms for form in part):
            return [" ".join(made.split()) for made in joined]
        return [made.strip(" ") if "  " not in made else " ".join(made.split()) for made in joined]
    at = [0] * (max(sizes, default=-1) + 1)
    found = []
    for indices in product(*map(range, sizes.values())):  # a slot that is there twice
        for axis, index in zip(sizes, indices, strict=True):
            at[axis] = index
        found.append(_folded(text.render(at)))
    return found


def _filled(
    text: CompiledText, texts: Sequence[str], wanted: Collection[str], shared: Sequence[int] = ()
) -> Mapping[tuple[int, ...], Mapping[str, list[_Positions]]]:
    """Which fillers give some of the texts that a slot text becomes.

    Args:
        text: The slot text.
        texts: What it becomes, as `_texts` gives it.
        wanted: The texts.
        shared: Slots.

    Returns:
        By the positions of the fillers of the slots, by text, the fillers.
    """
    sizes = _sizes(text)
    found: dict[tuple[int, ...], dict[str, list[_Positions]]] = {}
    for indices, made in zip(product(*map(range, sizes.values())), texts, strict=True):
        if made in wanted:
            at = dict(zip(sizes, indices, strict=True))
            of_shared = found.setdefault(tuple(at[axis] for axis in shared), {})
            of_shared.setdefault(made, []).append(at)
    return found


def _occurs(item: Wording, at: _Positions) -> bool:
    """Whether a filling has these fillers; so it is taken where conditions cannot be judged."""
    numbered = item.numbered
    if not item.conditions or not isinstance(numbered, Fillings):
        return True
    return numbered.first([_only(at.get(axis)) for axis in range(len(numbered.sizes))]) is not None


def _only(position: int | None) -> tuple[int, ...] | None:
    return None if position is None else (position,)


def _folded(text: str) -> str:
    """A text as replies are compared with it: without case, with single spaces."""
    return " ".join(text.split()).casefold()
