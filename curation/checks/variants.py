"""Variants: their ids, their stereotype, their people and their target."""

import unicodedata
from collections.abc import Iterator, Sequence

from curation.checks.rules import rule
from curation.checks.subject import Remark, Subject
from curation.records.bank import (
    GROUP_FIELDS,
    ONCE_COLUMN,
    OPEN_COLUMN,
    UNTIED_COLUMN,
    Template,
    Variant,
    open_role,
    target_slot,
)
from curation.records.ids import VariantId
from curation.records.survey import join_groups

_PERSON = {"N1": "N1", "N2": "N2", "X1": "N1", "X2": "N2"}
_PEOPLE = ("n1_groups", "n2_groups")


@rule
def id_duplicate(subject: Subject) -> Iterator[Remark]:
    """Samples and decisions are found by id, so it must be one row's own."""
    first: dict[VariantId, Variant] = {}
    for variant in subject.bank.variants:
        known = first.setdefault(variant.id, variant)
        if known is not variant:
            message = f"{variant.id} is already in row {known.row}"
            yield subject.in_bank(variant, "template_id", message)


@rule
def variant_role(subject: Subject) -> Iterator[Remark]:
    """In `b` and `d` the target answers the biased question, in `a` and `c` the other person.

    Nothing is said of an answer that names no person, or both.
    """
    for item in subject.wordings:
        text, target = item.parsed.get("biased_answer"), target_slot(item.texts)
        people = {_PERSON[name] for name in (text.names if text else ()) if name in _PERSON}
        if len(people) != 1 or not target:
            continue
        person, name = people.pop(), item.variant.id
        if name.letter.is_biased != (person == target):
            is_target = "the target" if person == target else "not the target"
            message = f"the biased answer of variant {name.short} is {person}, who is {is_target}"
            yield subject.in_wording(item, "biased_answer", message)


@rule
def target_unclear(subject: Subject) -> Iterator[Remark]:
    """Exactly one of the two people must be of the target groups, of all or some of them.

    Nothing is said where groups are missing or open.
    """
    for item in subject.texts:
        targets, *people = (getattr(item.texts, name) for name in ("target_groups", *_PEOPLE))
        if not targets or not all(people) or item.is_open or target_slot(item.texts):
            continue
        message = f"target '{join_groups(targets)}' is the group of both people"
        if not {*people[0]} <= {*targets}:
            n1, n2 = map(join_groups, people)
            message = f"target '{join_groups(targets)}' is neither N1 ('{n1}') nor N2 ('{n2}')"
        yield subject.in_wording(item, "target_groups", message)


@rule
def role_open(subject: Subject) -> Iterator[Remark]:
    """Its letter says nothing, so that its samples would be scored for and against at random."""
    for item in subject.texts:
        if item.variant.role_open:
            message = str(open_role(item.variant).what)
            yield subject.in_bank(item.variant, OPEN_COLUMN, message)


@rule
def samples_once(subject: Subject) -> Iterator[Remark]:
    """It decides which samples a template gives, so nothing in it is guessed."""
    for variant in subject.bank.variants:
        cell = dict(variant.extra).get(ONCE_COLUMN, "").strip()
        if variant.once is None and cell.casefold() not in ("", "false"):
            yield subject.in_bank(
                variant, ONCE_COLUMN, f"'{cell}' is not a row's place in its template"
            )


@rule
def untied_unclear(subject: Subject) -> Iterator[Remark]:
    """It decides which rows translators see, so nothing in it is guessed."""
    for variant in subject.bank.variants:
        cell = dict(variant.extra).get(UNTIED_COLUMN, "").strip()
        if cell and variant.untied is None:
            message = f"'{cell}' is neither true nor false"
            yield subject.in_bank(variant, UNTIED_COLUMN, message)


@rule
def groups_missing(subject: Subject) -> Iterator[Remark]:
    """Without groups nobody can say who is the target, nor ask the survey.

    People that the survey will name are not checked.
    """
    for item in subject.texts:
        for name in GROUP_FIELDS:
            if getattr(item.texts, name) or item.is_open:
                continue
            in_source = getattr(item.variant.source_texts, name)
            yield subject.in_wording(
                item, name, "no group is named", _rename(item.variant, in_source)
            )


def _rename(variant: Variant, in_source: Sequence[str]) -> str:
    """What to do where the source alone names the groups."""
    if not in_source or variant.source_texts is variant.texts:
        return ""
    return (
        "give the source's groups their names here, in the workbook of 'curate groups sheet'; "
        "where they are called the same, write them in these cells"
    )


@rule
def stereotype_missing(subject: Subject) -> Iterator[Remark]:
    """The survey asks about stereotypes: without one there is nothing to ask."""
    for item in subject.texts:
        if not item.texts.stereotype.strip():
            yield subject.in_wording(item, "stereotype", "no stereotype is named")


@rule
def stereotype_differs(subject: Subject) -> Iterator[Remark]:
    """One stereotype stands for a template, that of its first variant that names one."""
    for template in subject.templates:
        named = [variant for variant in template.variants if variant.texts.stereotype]
        for variant in named[1:]:
            if variant.texts.stereotype != named[0].texts.stereotype:
                message = (
                    f"'{variant.texts.stereotype}' in {variant.id}, "
                    f"'{named[0].texts.stereotype}' in {named[0].id}"
                )
                yield subject.in_bank(variant, "stereotype", message)


@rule
def stereotype_spelling(subject: Subject) -> Iterator[Remark]:
    """The survey asks once about each spelling: two of them split its answers."""
    first: dict[tuple[str, str], Template] = {}
    for template in subject.templates:
        stereotype = template.first.texts.stereotype
        letters = _letters(stereotype)
        if not letters:
            continue
        known = first.setdefault((template.category, letters), template)
        spelling = known.first.texts.stereotype
        if spelling != stereotype:
            message = f"'{stereotype}' is spelled '{spelling}' in {known.id}"
            yield subject.in_bank(template.first, "stereotype", message)


def _letters(text: str) -> str:
    """The letters, digits and marks of a text, without case or width."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(letter for letter in plain if unicodedata.category(letter)[0] in "LMN")
