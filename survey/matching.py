"""Which question a template hangs on.

A question is category, stereotype and set of options. A template hangs on the validation
question whose two options are its two groups, or on the question of target selection among
whose options its groups are. The stereotype's text alone decides nothing: the same one can
be asked about other groups.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from curation.model.bank import Template, Variant
from curation.model.ids import category_slug
from curation.model.survey import Question, QuestionKind, Role

OTHER_GROUPS = "its stereotype was asked about other groups"
"""Why a template hangs on no question, where a group may have been renamed since."""


@dataclass(frozen=True, slots=True)
class Match:
    """The question of a template, or why there is none.

    Attributes:
        question: The question; None when the template is undecided.
        problem: Why there is none, in words; empty otherwise.
    """

    question: Question | None
    problem: str = ""


class Questions:
    """The surveyed questions, found by category and stereotype.

    Args:
        questions: The questions; those of comprehension are left aside.
    """

    def __init__(self, questions: Iterable[Question]) -> None:
        self._by_stereotype: dict[tuple[str, str], list[Question]] = {}
        for question in questions:
            if question.kind is not QuestionKind.COMPREHENSION:
                key = _key(question.category, question.stereotype)
                self._by_stereotype.setdefault(key, []).append(question)

    def match(self, template: Template) -> Match:
        """Find the question that a template hangs on."""
        asked = self._by_stereotype.get(_key(template.category, template.stereotype), [])
        if not asked:
            return Match(None, "its stereotype was not asked about")
        fitting = [
            question
            for question in asked
            if all(_fits(variant, question) for variant in template.variants)
        ]
        if len(fitting) == 1:
            return Match(fitting[0])
        if fitting:
            ids = ", ".join(question.id for question in fitting)
            return Match(None, f"several questions fit it: {ids}")
        if any(_reversed(template.first, question) for question in asked):
            return Match(None, "its stereotype was asked with target and non-target exchanged")
        return Match(None, OTHER_GROUPS)


def _key(category: str, stereotype: str) -> tuple[str, str]:
    return category_slug(category), " ".join(stereotype.split())


def _sides(question: Question) -> tuple[frozenset[str], frozenset[str]]:
    """Give the target's groups and the non-target's of a validation question."""
    by_role = {option.role: frozenset(option.groups) for option in question.options}
    return by_role[Role.TARGET], by_role[Role.NON_TARGET]


def people_groups(variant: Variant) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Give the target groups of a variant and the groups of its two people."""
    texts = variant.texts if not variant.texts.is_empty else variant.source_texts
    return (
        frozenset(texts.target_groups),
        frozenset(texts.n1_groups),
        frozenset(texts.n2_groups),
    )


def _fits(variant: Variant, question: Question) -> bool:
    target, first, second = people_groups(variant)
    if question.kind is QuestionKind.SELECT_ALL:
        offered = frozenset(group for option in question.options for group in option.groups)
        return (first | second or target) <= offered
    return _asks(variant, *_sides(question))


def _reversed(variant: Variant, question: Question) -> bool:
    if question.kind is QuestionKind.SELECT_ALL:
        return False
    asked_target, asked_other = _sides(question)
    return _asks(variant, asked_other, asked_target)


def _asks(variant: Variant, asked_target: frozenset[str], asked_other: frozenset[str]) -> bool:
    """Say whether these are a variant's two people, the first of them its target.

    The target person may be of some of the target groups only, as in `target_slot`.
    """
    target, first, second = people_groups(variant)
    people = {first, second} == {asked_target, asked_other}
    return people and asked_target <= target and not asked_other <= target


def unasked_questions(
    questions: Sequence[Question], templates: Sequence[Template]
) -> list[Question]:
    """Give the questions whose stereotype no template of the bank has."""
    in_bank = {_key(template.category, template.stereotype) for template in templates}
    return [
        question
        for question in questions
        if question.kind is not QuestionKind.COMPREHENSION
        and _key(question.category, question.stereotype) not in in_bank
    ]
