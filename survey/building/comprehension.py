"""The questions whether templates are understood, from one filling of each."""

import random
import unicodedata
from collections.abc import Sequence

from curation.bank.generate import draw_index, expand, is_open, prepare
from curation.bank.retarget import retarget
from curation.languages import LanguageOrCode
from curation.records.bank import Group, Template, Variant
from curation.records.culture import Culture
from curation.records.errors import CurateError
from curation.records.ids import ContextType, QuestionType
from curation.slots import parse_fillers
from survey.building.questions import Remarks, Understanding


def understandings(
    templates: Sequence[Template],
    culture: Culture,
    groups: Sequence[Group],
    seed: int,
    remarks: Remarks,
    language: LanguageOrCode,
) -> dict[str, Understanding]:
    """Fill one counter-biased context of each template, with its counter-biased question.

    Args:
        templates: The templates.
        culture: For the unknown expression.
        groups: For templates that leave their groups open: any two of the category stand in.
        seed: The seed of the filling; it depends on the template's id beside, and on nothing else.
        remarks: Takes what keeps a template from being filled.
        language: The culture's.

    Returns:
        The question of each template by its id.
    """
    found = {}
    for template in templates:
        if template.first.texts.is_empty:
            continue  # not translated: that is said where its stereotype is missing
        try:
            found[str(template.id)] = _understanding(template, culture, groups, seed, language)
        except CurateError as error:
            place = f" ({error.where})" if error.where else ""
            what = f"no context can be filled to ask about: {error.what}{place}"
            remarks.say(template, "comprehension", what)
    return found


def _understanding(
    template: Template,
    culture: Culture,
    groups: Sequence[Group],
    seed: int,
    language: LanguageOrCode,
) -> Understanding:
    variant = _counter_biased(template)
    if is_open(variant.texts):
        sides = _stand_ins(variant, groups, seed)
        variant = retarget(variant, sides[:1], sides[1:], groups, language)
    filling = prepare(variant, language)
    index = draw_index(str(template.id), variant.letter.pair, seed, filling.count)
    sample = next(
        sample
        for sample in expand(filling, culture.unknown, {}, [index])
        if sample.context_type == ContextType.DISAMBIGUATED
        and sample.question_type == QuestionType.COUNTER_BIASED
    )
    return Understanding(
        template_id=str(template.id),
        sample_id=sample.sample_id,
        context=_readable(sample.context),
        question=_readable(sample.question),
        correct=_readable(sample.choices[1]),
        wrong=_readable(sample.choices[0]),
        unknown=_readable(sample.choices[2]),
    )


def _readable(text: str) -> str:
    """Take out control characters: nobody sees them, and workbooks cannot hold them."""
    return "".join(
        character
        for character in text
        if character in "\n\t" or unicodedata.category(character) != "Cc"
    )


def _counter_biased(template: Template) -> Variant:
    """The first variant whose context contradicts the stereotype.

    Raises:
        CurateError: If there is none, or it is not written.
    """
    variant = next((item for item in template.variants if not item.letter.is_biased), None)
    if variant is None:
        raise CurateError("it has no variant a, whose context contradicts the stereotype")
    texts = variant.texts
    for name in ("disambiguating_context", "counter_biased_question", "counter_biased_answer"):
        if not getattr(texts, name).strip():
            raise CurateError(f"its {name} is not written", f"row {variant.row}, column {name}")
    return variant


def _stand_ins(variant: Variant, groups: Sequence[Group], seed: int) -> list[str]:
    """Draw two groups of a category that have fillers, neither a part of another group.

    Raises:
        CurateError: If the category has fewer.
    """
    able = [
        group.group
        for group in groups
        if group.category == variant.category and not group.parent and parse_fillers(group.fillers)
    ]
    if len(able) < 2:
        raise CurateError(
            f"its groups are left to the survey: two groups of {variant.category} with fillers "
            f"are needed in their place, and there {'is' if len(able) == 1 else 'are'} {len(able)}",
            "groups.csv, column fillers",
        )
    rng = random.Random(f"{seed}:{variant.template_id}:groups")  # noqa: S311  # a seeded draw
    return rng.sample(able, 2)
