"""Variants: their ids, their stereotype, their people and their target."""

from collections.abc import Iterator

from curation.checks.subject import ParsedVariant, Remark, Subject, letters, rule
from curation.records import bank
from curation.records.survey import join_groups
from curation.report.texts import same_start
from curation.slots.grammar import Condition, exchange_lists, exchanged_slots

_COMPARED = tuple(name for name in bank.SLOT_TEXT_FIELDS if name not in bank.ANSWER_FIELDS)
_EXCHANGED = ("N1", "N2", "X1", "X2")
_AROUND = 12


@rule
def pair_incomplete(subject: Subject) -> Iterator[Remark]:
    """Scores compare the two variants of a pair."""
    for template in subject.templates:
        there = {variant.id for variant in template.variants}
        for variant in template.variants:
            twin = variant.id.twin
            if twin not in there:
                told = {"template": template.id, "one": variant.id.short, "two": twin.short}
                yield subject.in_bank(variant, "variant", **told)


@rule
def pair_size(subject: Subject) -> Iterator[Remark]:
    """The test set draws one filling for both variants of a pair."""
    for one, other in subject.pairs:
        sizes = one.fillings, other.fillings
        if None not in sizes and sizes[0] != sizes[1]:
            message = f"{other.variant.id} has {sizes[1]} fillings, {one.variant.id} has {sizes[0]}"
            yield subject.in_wording(other, "names", message)


@rule
def pair_lists(subject: Subject) -> Iterator[Remark]:
    """The test set draws one number for both variants; it should be the same two people."""
    for one, other in subject.pairs:
        comparable = one.fillings is not None and one.fillings == other.fillings
        if comparable and _numbered_people(one) != _numbered_people(other):
            yield subject.in_wording(other, "names", one=one.variant.id)


@rule
def pair_conditions(subject: Subject) -> Iterator[Remark]:
    """The same number of a filling is the same two people only where the same rows are filled."""
    for one, other in subject.pairs:
        if one.lists is None or other.lists is None:
            continue
        names = exchanged_slots(other.lists)
        first = {_said(condition.renamed(names)): condition for condition in one.conditions}
        second = {_said(condition): (name, condition) for name, condition in other.conditioned}
        for said, condition in first.items():
            if said not in second:
                message = f"there is no '{condition.renamed(names)}', as in {one.variant.id}"
                yield subject.in_wording(other, "names", message)
        for said, (name, condition) in second.items():
            if said not in first:
                message = f"{one.variant.id} has no '{condition.renamed(names)}'"
                yield subject.in_wording(other, name, message)


def _said(condition: Condition) -> frozenset[object]:
    """What a condition says, whichever side and alternative comes first."""
    return frozenset(
        (frozenset((one.left, one.right)), one.operator, one.feature)
        for one in condition.alternatives
    )


def _numbered_people(item: ParsedVariant) -> list[tuple[int, list[tuple[str | None, ...]]]]:
    """The names of the people in the order that fillings are numbered in.

    With each list comes how many rows of the product one of its names stays for until the next
    one; with each name the features that conditions compare.
    """
    compared = {one.feature for each in item.conditions for one in each.alternatives}
    features = sorted(filter(None, compared))
    lists = item.lists or {}
    names = tuple(lists)
    order = exchange_lists(names, lists) if item.variant.letter.is_biased else names
    found = []
    step = 1
    for name in reversed(order):
        fillers = [(filler.text, *map(filler.feature, features)) for filler in lists[name].fillers]
        if name in ("N1", "N2"):
            found.append((step, fillers))
        step *= len(fillers)
    return found


@rule
def pair_groups(subject: Subject) -> Iterator[Remark]:
    """The survey asks one question about both variants of a pair.

    Groups that are not written do not differ, and their order is free.
    """
    for first, second in subject.pairs:
        for what, names in (("target", ("target_groups",)), ("people", ("n1_groups", "n2_groups"))):
            one, other = ([getattr(item.texts, name) for name in names] for item in (first, second))
            if all((*one, *other)) and {*map(frozenset, one)} != {*map(frozenset, other)}:
                message = f"{what} {_shown(other)}, in {first.variant.id} {_shown(one)}"
                yield subject.in_wording(second, names[0], message)


def _shown(groups: list[tuple[str, ...]]) -> str:
    return " and ".join(f"'{join_groups(item)}'" for item in groups)


@rule
def pair_wording(subject: Subject) -> Iterator[Remark]:
    """Bias is measured by exchanging the people and nothing else.

    Nothing is said of templates that are untied: the language asks for other words in them.
    """
    apart = subject.bank.untied(subject.culture.translation.untie)
    for first, second in subject.pairs:
        if str(first.variant.template_id) in apart:
            continue
        exchanged = exchanged_slots((*_EXCHANGED, *first.used))
        for name in _COMPARED:
            one, other = first.skeleton(name), second.skeleton(name)
            if one is None or other is None:
                continue
            if other not in (one, first.skeleton(name, exchanged)):
                told = {"first": first.variant.id, "difference": _first_difference(one, other)}
                yield subject.in_wording(second, name, **told)


def _first_difference(one: str, other: str) -> str:
    """Where two texts begin to differ."""
    at = same_start(one, other)
    return f"'{_excerpt(other, at)}' against '{_excerpt(one, at)}'"


def _excerpt(text: str, at: int) -> str:
    start, end = max(0, at - _AROUND), at + _AROUND
    return f"{'...' if start else ''}{text[start:end]}{'...' if end < len(text) else ''}"


_PERSON = {"N1": "N1", "N2": "N2", "X1": "N1", "X2": "N2"}
_PEOPLE = ("n1_groups", "n2_groups")


@rule
def id_duplicate(subject: Subject) -> Iterator[Remark]:
    """Samples and decisions are found by id, so it must be one row's own."""
    first: dict[bank.VariantId, bank.Variant] = {}
    for variant in subject.bank.variants:
        known = first.setdefault(variant.id, variant)
        if known is not variant:
            yield subject.in_bank(variant, "template_id", id=variant.id, first=known.row)


@rule
def variant_role(subject: Subject) -> Iterator[Remark]:
    """In `b` and `d` the target answers the biased question, in `a` and `c` the other person.

    Nothing is said of an answer that names no person, or both.
    """
    for item in subject.wordings:
        text, target = item.parsed.get("biased_answer"), bank.target_slot(item.texts)
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
        targets, one, other = (getattr(item.texts, name) for name in ("target_groups", *_PEOPLE))
        if not all((targets, one, other)) or item.is_open or bank.target_slot(item.texts):
            continue
        message = f"target '{join_groups(targets)}' is the group of both people"
        if not {*one} <= {*targets}:
            n1, n2 = map(join_groups, (one, other))
            message = f"target '{join_groups(targets)}' is neither N1 ('{n1}') nor N2 ('{n2}')"
        yield subject.in_wording(item, "target_groups", message)


@rule
def role_open(subject: Subject) -> Iterator[Remark]:
    """Its letter says nothing, so that its samples would be scored for and against at random."""
    for item in subject.texts:
        if item.variant.role_open:
            message = str(bank.open_role(item.variant).what)
            yield subject.in_bank(item.variant, bank.OPEN_COLUMN, message)


@rule
def samples_once(subject: Subject) -> Iterator[Remark]:
    """It decides which samples a template gives, so nothing in it is guessed."""
    for variant in subject.bank.variants:
        cell = dict(variant.extra).get(bank.ONCE_COLUMN, "").strip()
        if variant.once is None and cell.casefold() not in ("", "false"):
            yield subject.in_bank(variant, bank.ONCE_COLUMN, cell=cell)


@rule
def untied_unclear(subject: Subject) -> Iterator[Remark]:
    """It decides which rows translators see, so nothing in it is guessed."""
    for variant in subject.bank.variants:
        cell = dict(variant.extra).get(bank.UNTIED_COLUMN, "").strip()
        if cell and variant.untied is None:
            yield subject.in_bank(variant, bank.UNTIED_COLUMN, cell=cell)


@rule
def groups_missing(subject: Subject) -> Iterator[Remark]:
    """Without groups nobody can say who is the target, nor ask the survey.

    People that the survey will name are not checked.
    """
    for item in subject.texts:
        for name in bank.GROUP_FIELDS:
            if getattr(item.texts, name) or item.is_open:
                continue
            source = item.variant.source_texts
            in_source = getattr(source, name) and source is not item.variant.texts
            yield subject.in_wording(item, name, "no group is named", _RENAME if in_source else "")


_RENAME = (
    "give the source's groups their names here, in the workbook of 'curate groups sheet'; "
    "where they are called the same, write them in these cells"
)
"""What to do where the source alone names the groups."""


@rule
def stereotype_missing(subject: Subject) -> Iterator[Remark]:
    """The survey asks about stereotypes: without one there is nothing to ask."""
    for item in subject.texts:
        if not item.texts.stereotype.strip():
            yield subject.in_wording(item, "stereotype")


@rule
def stereotype_differs(subject: Subject) -> Iterator[Remark]:
    """One stereotype stands for a template, that of its first variant that names one."""
    for template in subject.templates:
        named = [variant for variant in template.variants if variant.texts.stereotype]
        for variant in named[1:]:
            own, first = (f"'{one.texts.stereotype}' in {one.id}" for one in (variant, named[0]))
            if variant.texts.stereotype != named[0].texts.stereotype:
                yield subject.in_bank(variant, "stereotype", f"{own}, {first}")


@rule
def stereotype_spelling(subject: Subject) -> Iterator[Remark]:
    """The survey asks once about each spelling: two of them split its answers."""
    first: dict[tuple[str, str], bank.Template] = {}
    for template in subject.templates:
        stereotype = template.first.texts.stereotype
        same = letters(stereotype)
        known = first.setdefault((template.category, same), template)
        spelling = known.first.texts.stereotype
        if same and spelling != stereotype:
            told = {"own": stereotype, "other": spelling, "template": known.id}
            yield subject.in_bank(template.first, "stereotype", **told)
