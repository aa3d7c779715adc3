"""From templates to samples: every filling, or the seeded test set, one at a time."""

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from operator import itemgetter

from curation.languages import LanguageOrCode, between_sentences
from curation.records.bank import (
    SLOT_TEXT_FIELDS,
    ContextType,
    Group,
    QuestionType,
    Template,
    Texts,
    Variant,
)
from curation.records.messages import CurateError
from curation.records.sample import Sample
from curation.records.survey import join_groups
from curation.slots import grammar
from curation.slots.fill import CompiledText, Fillings, compile_text, never_met, number_fillings

GroupOfFiller = Mapping[tuple[str, str], Sequence[str]]
"""The groups that have a filler, by category and filler."""

Teller = Callable[[Sequence[int]], str]
"""Tells a text, such as a person's group, by the positions in the lists."""


@dataclass(frozen=True, slots=True)
class Filling:
    """How one variant is filled.

    Attributes:
        variant: The variant.
        texts_of: The wording that is filled.
        lists: Its lists by slot.
        order: The slots in the order of the product.
        texts: Its compiled texts by field.
        numbered: The fillings that meet its conditions, and their numbers.
        between: What stands between the two parts of the disambiguated context.
    """

    variant: Variant
    texts_of: Texts
    lists: Mapping[str, grammar.SlotList]
    order: tuple[str, ...]
    texts: Mapping[str, CompiledText]
    numbered: Fillings
    between: str = " "

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of fillers of each slot, in order."""
        return self.numbered.sizes

    @property
    def count(self) -> int:
        """The number of fillings; each gives four samples."""
        return self.numbered.count

    def indices(self, index: int) -> tuple[int, ...]:
        """The positions in the lists of filling `index`, counted from 1 as ids do."""
        return self.numbered.at(index)

    def chosen(self, indices: Sequence[int] | None = None) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Some fillings with their numbers, from 1, and positions; all by default."""
        if indices is None:
            return enumerate(self.numbered, start=1)
        return ((index, self.indices(index)) for index in indices)

    def filler(self, name: str, indices: Sequence[int]) -> grammar.Filler:
        """The filler of a slot in one filling."""
        return self.lists[name].fillers[indices[self.order.index(name)]]


def is_waiting(template: Template) -> bool:
    """Whether a template cannot be filled yet: open lists, or nothing translated.

    One whose lists cannot be read does not wait, it has to be corrected (see `unread_lists`).
    """
    try:
        return any(
            not item.texts.has_body or grammar.is_open(item.texts) for item in template.variants
        )
    except CurateError:
        return False


def unread_lists(template: Template) -> CurateError | None:
    """Why the lists of a template cannot be read; None where they can."""
    for variant in template.variants:
        try:
            with placed(variant):
                grammar.declared_lists(variant.texts)
        except CurateError as error:
            return error
    return None


def filler_groups(groups: Sequence[Group]) -> GroupOfFiller:
    """The groups that have each filler, by category and filler, in the order of the file.

    Raises:
        CurateError: If the fillers of a group cannot be read.
    """
    found: dict[tuple[str, str], list[str]] = {}
    for group in groups:
        try:
            fillers = grammar.parse_fillers(group.fillers)
        except CurateError as error:
            raise CurateError(
                f"{group.category}, {group.group}: {error.what}",
                f"groups.csv, row {group.row}, column fillers",
                error.hint or "see 'curate check'",
            ) from error
        for filler in fillers:
            found.setdefault((group.category, filler.text), []).append(group.group)
    return found


@contextmanager
def placed(variant: Variant, column: str = "") -> Iterator[None]:
    """Name the variant, with its row in the bank and the column, in errors."""
    try:
        yield
    except CurateError as error:
        row = f"bank, row {variant.row}, " if variant.row else ""
        where = f"{row}{variant.id}{column and f', column {column}'}"
        raise CurateError(error.what, where, error.hint or "see 'curate check'") from error


def prepare(variant: Variant, language: LanguageOrCode, texts: Texts | None = None) -> Filling:
    """Read a variant's lists and texts and resolve every form.

    Args:
        variant: The variant.
        language: Language of the texts, for agreement.
        texts: The wording to fill; the variant's own by default.

    Raises:
        CurateError: If a list or text cannot be read, a slot is not declared, a list is
            empty, a filler has no form, or a condition cannot be judged or met.
    """
    wording = variant.texts if texts is None else texts
    with placed(variant):
        lists = grammar.declared_lists(wording)
        names = tuple(lists)
        order = grammar.exchange_lists(names, lists) if variant.letter.is_biased else names
        for item in lists.values():
            if not item.fillers:
                what = "is still to be filled by the survey" if item.open else "is empty"
                raise CurateError(f"the list of slot {item.name} {what}")
        compiled = {
            field: compile_text(grammar.parse_text(getattr(wording, field)), lists, order, language)
            for field in SLOT_TEXT_FIELDS
        }
        conditions = grammar.declared_conditions(wording)
        numbered = number_fillings(lists, order, conditions)
        if not numbered.count:
            raise never_met(conditions)
    return Filling(variant, wording, lists, order, compiled, numbered, between_sentences(language))


def expand(
    filling: Filling, unknown: str, groups: GroupOfFiller, indices: Sequence[int] | None = None
) -> Iterator[Sample]:
    """Yield the samples of a variant, four a filling, in order of their ids.

    Args:
        filling: The prepared variant.
        unknown: The third choice.
        groups: The groups that have each filler.
        indices: Fillings to take, from 1; all by default.
    """
    variant = filling.variant
    template_id, letter = str(variant.template_id), variant.letter.value
    prefix = str(variant.id)
    category, label = variant.category, variant.label.value if variant.label else ""
    stereotype = filling.texts_of.stereotype
    source_id, source_category = variant.source_id, variant.source_category
    biased = variant.letter.is_biased
    amb, dis = ContextType.AMBIGUOUS.value, ContextType.DISAMBIGUATED.value
    bsd, cnt = QuestionType.BIASED.value, QuestionType.COUNTER_BIASED.value
    texts = rendered(filling, groups, indices)
    for index, ambiguous, whole, one, two, answer, counter, n1_group, n2_group in texts:
        questions = (bsd, one, answer, counter), (cnt, two, counter, answer)
        choices = answer, counter, unknown
        for context_type, context in ((amb, ambiguous), (dis, whole)):
            for question_type, question, own, other in questions:
                yield Sample(  # by position, which is faster: in the order of the columns
                    f"{prefix}-{index:03d}-{context_type}-{question_type}",
                    template_id,
                    letter,
                    category,
                    label,
                    stereotype,
                    context,
                    question,
                    context_type,
                    question_type,
                    choices,
                    own if biased else other,
                    unknown if context_type is amb else own,
                    n1_group,
                    n2_group,
                    source_id,
                    source_category,
                )


def disambiguated(filling: Filling, unknown: str, index: int, asked: QuestionType) -> Sample:
    """The sample of a filling, by its number from 1, whose context tells who a question is about.

    Args:
        filling: The prepared variant.
        unknown: The third choice.
        index: The filling.
        asked: The question.
    """
    wanted = ContextType.DISAMBIGUATED, asked
    samples = expand(filling, unknown, {}, [index])
    return next(one for one in samples if (one.context_type, one.question_type) == wanted)


Rendered = tuple[int, str, str, str, str, str, str, str, str]
"""A filling: its number, both contexts, both questions, both answers, and both people's groups."""
_REMEMBERED = 4096


def rendered(
    filling: Filling, groups: GroupOfFiller, indices: Sequence[int] | None
) -> Iterator[Rendered]:
    """Yield the texts of fillings.

    Args:
        filling: The prepared variant.
        groups: The groups that have each filler.
        indices: Fillings to take, from 1; all by default.
    """
    between = filling.between
    ambiguous, disambiguating, bsd, cnt, answer, counter = (
        _remembering(filling.texts[field], filling.sizes) for field in SLOT_TEXT_FIELDS
    )
    one, two = tellers(filling, groups)
    for index, at in filling.chosen(indices):
        first = ambiguous(at)
        whole = f"{first}{between}{disambiguating(at)}"
        yield index, first, whole, bsd(at), cnt(at), answer(at), counter(at), one(at), two(at)


def _remembering(text: CompiledText, sizes: Sequence[int]) -> Teller:
    """What fills a text, once for the fillers that it depends on where these are few."""
    axes = sorted({part[0] for part in text.parts if not isinstance(part, str)})
    if not axes:
        made = text.render(())
        return lambda _at: made
    if len(axes) == len(sizes) or math.prod(sizes[axis] for axis in axes) > _REMEMBERED:
        return text.render
    known: dict[object, str] = {}
    depends_on = itemgetter(*axes)

    def remembered(at: Sequence[int]) -> str:
        key = depends_on(at)
        found = known.get(key)
        if found is None:
            found = known[key] = text.render(at)
        return found

    return remembered


_Side = tuple[int, list[str]]
"""Of a person the slot's axis, and the group of each of its fillers."""


def people_of(filling: Filling, groups: GroupOfFiller) -> list[_Side]:
    """For each person that has a slot, its axis, and the group of each of its fillers."""
    return [side for name in ("N1", "N2") if (side := _side(filling, name, groups)) is not None]


def _side(filling: Filling, name: str, groups: GroupOfFiller) -> _Side | None:
    if name not in filling.lists:
        return None
    field, category = f"{name.lower()}_groups", filling.variant.category
    declared, known_as = getattr(filling.texts_of, field), _known_as(filling, field)
    return filling.order.index(name), [
        _told_by_name(category, item.text, declared, groups)
        or _told_by_values(_values(item), known_as)
        for item in filling.lists[name].fillers
    ]


def tellers(filling: Filling, groups: GroupOfFiller) -> tuple[Teller, Teller]:
    """For each person what tells its group by the positions in the lists.

    A group is told by the name, by the list of the group, or by features: one by two of them is
    written `F-Black`. Where the name leaves several groups, the slot that goes with it (X1 with N1)
    may tell more; all that are left stand where it stays open.
    """
    return _teller(filling, "N1", "X1", groups), _teller(filling, "N2", "X2", groups)


def _teller(filling: Filling, name: str, bound: str, groups: GroupOfFiller) -> Teller:
    side = _side(filling, name, groups)
    if side is None:
        return lambda at: ""
    axis, of_filler = side
    field = f"{name.lower()}_groups"
    declared: Sequence[str] = getattr(filling.texts_of, field)
    if bound not in filling.lists or {*of_filler} <= {*declared}:
        return lambda at: of_filler[at[axis]]
    other, category = filling.order.index(bound), filling.variant.category
    names, others = (filling.lists[slot].fillers for slot in (name, bound))
    by_name = [_told_by_name(category, one.text, declared, groups) for one in names]
    known_as = _known_as(filling, field)
    ones, twos = ([_values(filler) for filler in fillers] for fillers in (names, others))

    @cache
    def told(one: int, two: int) -> str:
        return by_name[one] or _told_by_values(ones[one] | twos[two], known_as)

    return lambda at: told(at[axis], at[other])


_KnownAs = Mapping[str, Sequence[frozenset[str]]]
"""By group the sets of values of which each tells it: its name, or the parts that it is of."""


def _known_as(filling: Filling, field: str) -> _KnownAs:
    """What tells the groups of a person where names do not.

    Features stay as they were imported where a group was renamed: the name at its place in the
    source says what they call it.
    """
    own: Sequence[str] = getattr(filling.texts_of, field)
    source: Sequence[str] = getattr(filling.variant.source_texts, field)
    former = dict(zip(own, source, strict=True)) if len(own) == len(source) else {}
    found = {}
    for group in own:
        before = former.get(group, group)
        names = [group] if group in source or before in own else [group, before]
        found[group] = [
            values for name in names for values in (frozenset([name]), frozenset(name.split("-")))
        ]
    return found


def _told_by_name(
    category: str, name: str, declared: Sequence[str], groups: GroupOfFiller
) -> str | None:
    """The group that a name alone tells: of those that have it the first that is declared."""
    if len(declared) == 1 or name in declared:
        return name if name in declared else declared[0]
    known = groups.get((category, name), ())
    return next((group for group in known if group in declared), None)


def _values(filler: grammar.Filler) -> frozenset[str]:
    """What a filler says of a person: its text, and its features."""
    return frozenset((filler.text, *(value for _, value in filler.features)))


def _told_by_values(said: frozenset[str], known_as: _KnownAs) -> str:
    whole = [group for group, known in known_as.items() if any(one <= said for one in known)]
    partly = [group for group, known in known_as.items() if any(one & said for one in known)]
    return whole[0] if whole else join_groups(partly or [*known_as])


def draw_index(template_id: str, pair: str, seed: int, count: int) -> int:
    """Draw the filling of a pair of variants for the test set, from 1 to `count`.

    It depends on the template's id, the pair and the seed alone: other templates that come
    or go do not change it.
    """
    return random.Random(f"{seed}:{template_id}:{pair}").randrange(count) + 1  # noqa: S311  # a seeded draw
