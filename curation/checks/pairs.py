"""The two variants of a pair, `a` and `b` or `c` and `d` of one version, beside each other."""

from collections.abc import Iterator

from curation.checks.rules import rule
from curation.checks.subject import Remark, Subject, Wording
from curation.records.survey import join_groups
from curation.slots import Condition, exchange_lists, exchanged_slots

_COMPARED = (
    "ambiguous_context",
    "disambiguating_context",
    "biased_question",
    "counter_biased_question",
)
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
                message = f"{template.id} has variant {variant.id.short} without {twin.short}"
                yield subject.in_bank(variant, "variant", message)


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
            message = f"N1 and N2 are not the people of {one.variant.id} in exchanged roles"
            yield subject.in_wording(other, "names", message)


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


def _numbered_people(item: Wording) -> list[tuple[int, list[tuple[str | None, ...]]]]:
    """The names of the people in the order that fillings are numbered in.

    With each list comes how many rows of the product one of its names stays for until the next
    one; with each name the features that conditions compare.
    """
    compared = {one.feature for each in item.conditions for one in each.alternatives}
    features = sorted(feature for feature in compared if feature)
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
                message = f"differs from {first.variant.id}: {_first_difference(one, other)}"
                yield subject.in_wording(second, name, message)


def _first_difference(one: str, other: str) -> str:
    """Where two texts begin to differ."""
    both = enumerate(zip(one, other, strict=False))
    at = next((at for at, (a, b) in both if a != b), min(len(one), len(other)))
    return f"'{_excerpt(other, at)}' against '{_excerpt(one, at)}'"


def _excerpt(text: str, at: int) -> str:
    start, end = max(0, at - _AROUND), at + _AROUND
    return f"{'...' if start else ''}{text[start:end]}{'...' if end < len(text) else ''}"
