"""Which samples are written: planned and counted before any of them is made.

A plan knows of every template whether it can be filled, how many samples all its fillings give, and
which of them are taken: all, those of the test set, or a subset that was drawn.

As lines of a table they are written without making records first. The four samples of a filling
differ in few cells, and most texts depend on few slots: each cell is written once for the fillers
that it depends on, and lines are joined of cells.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from curation.bank.generate import (
    Filling,
    GroupOfFiller,
    draw_index,
    expand,
    people_of,
    prepare,
    rendered,
)
from curation.bank.subset import drawn, drawn_names, shares
from curation.files.writers import Cell
from curation.languages import LanguageOrCode
from curation.records.bank import Template, Variant, VariantLetter, VariantVersion
from curation.records.culture import SampleSettings
from curation.records.messages import (
    CurateError,
    Finding,
    Progress,
    Severity,
    refusal,
    refuse_findings,
    silent,
    watched,
)
from curation.records.sample import Sample
from curation.slots.agreement import agreement_for

BANK = "bank"
"""What findings on templates call the bank."""
_PLACE = re.compile(r"bank, row (?P<row>\d+)(, (?P<name>[^ ,]+))?(, column (?P<column>\w+))?")
UNFILLABLE = "template-unfillable"
"""The rule of findings on templates that cannot be filled."""
_PER_FILLING = 4
_LARGEST = 5
_COMPARED = 1_000_000
_TRUE = ("true", "yes", "1")
_PROPER_NAMES = "bbq_proper_nouns_only"


@dataclass(frozen=True, slots=True)
class VariantPart:
    """What is taken of one variant.

    Attributes:
        filling: The variant, prepared.
        chosen: The fillings that are taken, ascending from 1; None for all of them.
        repeated: How many of all fillings have the fillers of an earlier one, which is written in
            their place; of a test set or a variant too large to go through, of those drawn.
    """

    filling: Filling
    chosen: Sequence[int] | None = None
    repeated: int = 0

    @property
    def count(self) -> int:
        """How many fillings are taken."""
        return self.filling.count if self.chosen is None else len(self.chosen)


@dataclass(frozen=True, slots=True)
class TemplatePlan:
    """What is taken of one template.

    Attributes:
        template: The template.
        parts: Its variants.
        once: Whether it asks each question about each of its contexts once.
    """

    template: Template
    parts: tuple[VariantPart, ...]
    once: bool

    @property
    def fillings(self) -> int:
        """How many fillings its variants have, in all."""
        return sum(part.filling.count for part in self.parts)

    @property
    def possible(self) -> int:
        """How many samples all its fillings give."""
        return _PER_FILLING * self.fillings

    @property
    def taken(self) -> int:
        """How many samples are taken, at most: what asks again is left out when it is made."""
        return _PER_FILLING * sum(part.count for part in self.parts)

    @property
    def repeated(self) -> int:
        """How many samples fillings give that have the fillers of an earlier one."""
        return _PER_FILLING * sum(part.repeated for part in self.parts)

    @property
    def is_drawn(self) -> bool:
        """Whether it has fillings that are not taken, though they repeat no other."""
        return any(part.count + part.repeated < part.filling.count for part in self.parts)

    @property
    def is_conditioned(self) -> bool:
        """Whether conditions say which fillers go together."""
        return any(any(part.filling.numbered.steps) for part in self.parts)


_Taken = list[tuple[Filling, Sequence[int] | None]]
"""Variants of a template, each with the fillings that are gone through; None for all."""
_Question = tuple[str, str]
"""A context with a question."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Which samples of which templates are taken.

    Attributes:
        unknown: The third choice.
        groups: The groups that have each filler.
        settings: How samples are drawn, and which duplicates are left out.
        templates: The templates that can be filled.
        faults: Those that cannot, each with what is wrong.
        progress: Called with how many templates are written, and the total.
    """

    unknown: str
    groups: GroupOfFiller
    settings: SampleSettings
    templates: tuple[TemplatePlan, ...]
    faults: tuple[Finding, ...]
    progress: Progress = field(default=silent, repr=False, compare=False)
    _asked_once: dict[str, tuple[int, int]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def taken(self) -> int:
        """How many samples are taken, at most: what asks again is left out when it is made."""
        return sum(item.taken for item in self.templates)

    @property
    def possible(self) -> int:
        """How many samples all fillings give."""
        return sum(item.possible for item in self.templates)

    @property
    def duplicates(self) -> int:
        """How many samples of all fillings repeat others of their template."""
        return sum(map(self.duplicates_of, self.templates))

    @property
    def not_drawn(self) -> int:
        """How many samples that repeat no others are not taken."""
        return sum(item.possible - sum(self._counted(item)) for item in self.templates)

    def samples(self) -> Iterator[Sample]:
        """The samples, in the order of the templates."""
        for item in self.each():
            yield from self.samples_of(item)

    def each(self) -> Iterator[TemplatePlan]:
        """The templates, one after another as they are written, which is told."""
        return watched(self.templates, "Templates written", self.progress)

    def samples_of(self, item: TemplatePlan) -> Iterator[Sample]:
        """The samples of one template, without those that ask again what it asks once.

        The first in the order of the rows' numbers, variants and fillings stays. A drawn sample
        that asks the same stands for it, so that what is drawn is a part of the whole.
        """
        if not item.once:
            for part in item.parts:
                yield from self._expand(part.filling, part.chosen)
            return
        taken, kept, asked = self._asked(item)
        for filling, chosen in taken:
            for sample in self._expand(filling, chosen):
                key = (sample.context, sample.question)
                if kept[key] == sample.sample_id and key in asked:
                    yield sample

    def _expand(self, filling: Filling, chosen: Sequence[int] | None) -> Iterator[Sample]:
        return expand(filling, self.unknown, self.groups, chosen)

    def _asked(
        self, item: TemplatePlan
    ) -> tuple[_Taken, Mapping[_Question, str], Collection[_Question]]:
        """What is gone through, the sample that stands for each question of it, what is asked."""
        whole = _is_whole(item)
        taken = [(part.filling, None if whole else part.chosen) for part in item.parts]
        kept: dict[_Question, str] = {}
        for filling, chosen in sorted(taken, key=lambda one: one[0].variant.once or 0):
            for sample in self._expand(filling, chosen):
                kept.setdefault((sample.context, sample.question), sample.sample_id)
        if not item.is_drawn or not whole:
            return taken, kept, kept.keys()
        taken_of = (self._expand(part.filling, part.chosen) for part in item.parts)
        return taken, kept, {(one.context, one.question) for samples in taken_of for one in samples}

    def written(self, item: TemplatePlan) -> int:
        """How many samples one template gives; of one too large to go through, at most."""
        return self._counted(item)[0]

    def duplicates_of(self, item: TemplatePlan) -> int:
        """How many samples of one template repeat others of it, whatever is drawn.

        Of a template too large to go through only those that were drawn are known.
        """
        return self._counted(item)[1]

    def _counted(self, item: TemplatePlan) -> tuple[int, int]:
        """How many samples of one template are written, and how many repeat others."""
        if not item.once or item.taken > _COMPARED:
            return item.taken, item.repeated
        name = str(item.template.id)
        if name not in self._asked_once:
            _, kept, asked = self._asked(item)
            written = len(asked)
            met = item.taken + item.repeated - written
            repeating = item.possible - len(kept) if _is_whole(item) else met
            self._asked_once[name] = written, repeating
        return self._asked_once[name]

    def count(self) -> Counter[str]:
        """How many samples each category has."""
        counts: Counter[str] = Counter()
        for item in self.templates:
            counts[item.template.category] += self.written(item)
        return counts

    def refuse_large(self) -> None:
        """Refuse to write more samples than the settings allow.

        Raises:
            CurateError: With the number, the largest templates and what to do.
        """
        limit = self.settings.limit
        if self.taken <= limit or (taken := self.count().total()) <= limit:
            return
        counts = [(self.written(item), item.template.id) for item in self.templates]
        first = sorted(counts, key=itemgetter(0), reverse=True)[:_LARGEST]
        largest = [f"{name} ({count:,})" for count, name in first]
        told = {"taken": taken, "limit": limit, "largest": largest}
        raise refusal("curation", "samples-too-many", "culture.yaml, samples.limit", **told)


def plan(
    templates: Iterable[Template],
    language: LanguageOrCode,
    unknown: str,
    groups: GroupOfFiller,
    settings: SampleSettings | None = None,
    *,
    test_set: bool = False,
    progress: Progress = silent,
) -> Plan:
    """Plan which samples of templates are taken.

    Args:
        templates: The templates, in order.
        language: Language of the texts.
        unknown: The third choice.
        groups: The groups that have each filler.
        settings: How samples are drawn; all fillings by default.
        test_set: Take one filling of each pair of variants instead of all or a subset.
        progress: Called with how many templates are written, and the total.

    Returns:
        The plan. A template that cannot be filled is among its faults.

    Raises:
        CurateError: If the language's file is wrong.
    """
    settings = settings or SampleSettings()
    draw = _Draw(settings, groups, test_set)
    agreement_for(language)  # an error in the language's file is none of a template
    found: list[TemplatePlan] = []
    faults: list[Finding] = []
    for template in templates:
        try:
            fillings = [prepare(variant, language) for variant in template.variants]
            once = settings.once or template.samples_once
            found.append(TemplatePlan(template, draw.parts(fillings, once=once), once))
        except CurateError as error:
            faults.append(fault(template, error))
    return Plan(unknown, groups, settings, tuple(found), tuple(faults), progress)


def _is_whole(item: TemplatePlan) -> bool:
    """Whether all fillings are gone through, not the drawn ones alone."""
    # What is drawn of a template too large to go through is compared with itself alone.
    return not item.is_drawn or item.possible <= _COMPARED


def refuse_faults(faults: Sequence[Finding]) -> None:
    """Refuse templates that cannot be filled.

    Raises:
        CurateError: Naming all of them.
    """
    more = "'curate stats --json' has them all"
    refuse_findings(faults, "templates cannot be filled", more, "; or take the templates out")


def fault(template: Template, error: CurateError, rule: str = UNFILLABLE) -> Finding:
    """The finding that a template cannot be filled.

    Args:
        template: The template.
        error: Why.
        rule: The finding's rule.
    """
    place = _PLACE.fullmatch(error.where)
    message, row = error.what, int(place["row"]) if place else template.first.row
    name = place["name"] if place and place["name"] else str(template.id)
    if name not in message:
        message = f"{name}: {message}"
    column = (place["column"] or "") if place else ""
    return Finding(rule, Severity.ERROR, BANK, row or None, column, message, error.hint)


_Key = tuple[str, str, int]
"""What tells apart the variants that get other fillings: pair, version, how many there are."""


class _Draw(NamedTuple):
    """What is taken of templates.

    Attributes:
        settings: How samples are drawn.
        groups: The groups that have each filler.
        test_set: Whether one filling of each pair of variants is taken.
    """

    settings: SampleSettings
    groups: GroupOfFiller
    test_set: bool

    def parts(self, fillings: Sequence[Filling], *, once: bool) -> tuple[VariantPart, ...]:
        """What is taken of each variant of a template.

        Where the template asks nothing twice (`once`), all its pairs have the same fillings.

        Raises:
            CurateError: If a number is drawn, and the variants of a pair differ in how many they
                have.
        """
        if not self.test_set and not self.settings.bounds:
            return tuple(self._part(filling, None) for filling in fillings)
        pairs: dict[tuple[str, str], Filling] = {}
        firsts: dict[_Key, Filling] = {}
        keys: list[_Key] = []
        for filling in fillings:
            name = filling.variant.id
            first = pairs.setdefault((name.letter.pair, name.version), filling)
            if first.count != filling.count:
                told = {"one": first.variant.id.short, "two": name.short}
                counts = {"k": str(first.count), "n": str(filling.count)}
                where = str(name.template)
                raise refusal("curation", "fillings-uneven", where, id=where, **told, **counts)
            pair = (VariantLetter.A if once else name.letter).pair
            keys.append((pair, name.version, filling.count))
            firsts.setdefault(keys[-1], filling)
        every = self._drawn(firsts, max(Counter(keys).values(), default=1))
        chosen = dict(zip(firsts, every, strict=True))
        return tuple(self._part(one, chosen[key]) for one, key in zip(fillings, keys, strict=True))

    def _first(self, filling: Filling, key: _Key) -> int:
        """The filling of the test set."""
        name, seed = str(filling.variant.template_id), self.settings.seed
        return draw_index(name, key[0], seed, filling.count)

    def _rng(self, filling: Filling, key: _Key) -> random.Random:
        """What draws a subset of a pair; other templates do not change it."""
        text = f"{self.settings.seed}:{filling.variant.template_id}:{key[0]}:subset"
        return random.Random(text)  # noqa: S311  # a seeded draw

    def _drawn(self, firsts: Mapping[_Key, Filling], variants: int) -> list[Sequence[int] | None]:
        """The fillings that are drawn of each pair; None for all.

        Args:
            firsts: The first variant of each pair and version of a template.
            variants: How many variants have the same fillings.
        """
        if self.test_set:  # versions of one length get the same filling, and can be compared
            return [[self._first(filling, key)] for key, filling in firsts.items()]
        found = [self._names(filling, key) for key, filling in firsts.items()]
        bound = self.settings.per_template
        if bound is None:
            return found
        room = [
            filling.count if names is None else len(names)
            for filling, names in zip(firsts.values(), found, strict=True)
        ]
        quotas = shares(bound // (_PER_FILLING * variants), room)
        each = zip(firsts.items(), room, quotas, strict=True)
        for at, ((key, filling), most, quota) in enumerate(each):
            wanted = max(quota, 1)
            if wanted == most:
                continue
            first, rng, names = self._first(filling, key), self._rng(filling, key), found[at]
            if names is None:
                people = people_of(filling, self.groups)
                found[at] = drawn(filling.numbered, people, wanted, rng, first)
            else:
                rest = [number for number in names if number != first]
                found[at] = sorted((first, *rng.sample(rest, wanted - 1)))
        return found

    def _names(self, filling: Filling, key: _Key) -> Sequence[int] | None:
        """The fillings with the names that are drawn, where the people have proper names."""
        names = self.settings.proper_names
        if names is None or not has_proper_names(filling.variant):
            return None
        people, first = people_of(filling, self.groups), self._first(filling, key)
        return drawn_names(filling.numbered, people, names, self._rng(filling, key), first)

    def _part(self, filling: Filling, chosen: Sequence[int] | None) -> VariantPart:
        """What is taken of a variant: in place of a filling that repeats another, that one."""
        firsts = _first_positions(filling)
        numbers = range(1, filling.count + 1) if chosen is None else chosen
        if firsts is None or len(numbers) > _COMPARED:
            return VariantPart(filling, chosen)
        left = sorted({_first_alike(filling, number, firsts) for number in numbers})
        if chosen is None or self.test_set or filling.count > _COMPARED:
            return VariantPart(filling, left, len(numbers) - len(left))
        every = range(1, filling.count + 1)
        repeated = sum(_first_alike(filling, number, firsts) != number for number in every)
        return VariantPart(filling, left, repeated)


def has_proper_names(variant: Variant) -> bool:
    """Whether the people of a variant have proper names, as its version or its source says."""
    if variant.id.version.startswith(VariantVersion.PROPER_NAMES):
        return True
    return dict(variant.extra).get(_PROPER_NAMES, "").strip().casefold() in _TRUE


def _first_positions(filling: Filling) -> list[list[int]] | None:
    """For each filler of each slot the first that looks the same everywhere; None if none does."""
    lists = [item.fillers for item in filling.lists.values()]
    if all(len(set(fillers)) == len(fillers) for fillers in lists):
        return None
    forms: dict[int, list[tuple[str, ...]]] = {axis: [] for axis in range(len(filling.order))}
    for text in filling.texts.values():
        for part in text.parts:
            if not isinstance(part, str):
                forms[part[0]].append(part[1])
    found = []
    for axis, name in enumerate(filling.order):
        first: dict[tuple[object, ...], int] = {}
        found.append(
            [
                first.setdefault((filler, *(each[at] for each in forms[axis])), at)
                for at, filler in enumerate(filling.lists[name].fillers)
            ]
        )
    return found


def _first_alike(filling: Filling, number: int, firsts: Sequence[Sequence[int]]) -> int:
    """The number of the first filling with the fillers of one."""
    at = filling.indices(number)
    first = tuple(own[position] for own, position in zip(firsts, at, strict=True))
    return filling.numbered.index_of(first) or number


WriteCell = Callable[[Cell], str]
"""Writes what stands in a cell."""
_REMEMBERED = 4096


def sample_lines(plan: Plan, write: WriteCell, delimiter: str) -> Iterator[str]:
    """Yield the samples of a plan as lines of a table, those of one filling together.

    The lines are those that a record's cells would give, each ended by a line feed.

    Args:
        plan: Which samples.
        write: Writes a cell.
        delimiter: What stands between cells.
    """
    for item in plan.each():
        if item.once:
            for sample in plan.samples_of(item):
                yield f"{delimiter.join([write(cell) for cell in sample])}\n"
            continue
        for part in item.parts:
            yield from _lines(part, plan.unknown, plan.groups, write, delimiter)


def _lines(
    part: VariantPart, unknown: str, groups: GroupOfFiller, write: WriteCell, delimiter: str
) -> Iterator[str]:
    variant = part.filling.variant
    cells = (
        str(variant.template_id),
        variant.letter.value,
        variant.category,
        variant.label.value if variant.label else "",
        part.filling.texts_of.stereotype,
    )
    prefix = str(variant.id)
    start = delimiter.join(("", *map(write, cells), ""))
    end = f"{delimiter}{write(variant.source_id)}{delimiter}{write(variant.source_category)}\n"
    amb_bsd, amb_cnt, dis_bsd, dis_cnt = (
        f"{delimiter}{context}{delimiter}{question}{delimiter}"
        for context in ("amb", "dis")
        for question in ("bsd", "cnt")
    )
    of_answers = _answers(unknown, write, delimiter, biased=variant.letter.is_biased)
    once = lru_cache(_REMEMBERED)(write)
    texts = rendered(part.filling, groups, part.chosen)
    for index, ambiguous, whole, bsd, cnt, answer, counter, n1_group, n2_group in texts:
        amb = f"{start}{write(ambiguous)}{delimiter}"
        dis = f"{start}{write(whole)}{delimiter}"
        first, second = once(bsd), once(cnt)
        one, other, three, four = of_answers(answer, counter)
        last = f"{delimiter}{once(n1_group)}{delimiter}{once(n2_group)}{end}"
        name = f"{prefix}-{index:03d}-"
        yield (
            f"{name}amb-bsd{amb}{first}{amb_bsd}{one}{last}"
            f"{name}amb-cnt{amb}{second}{amb_cnt}{other}{last}"
            f"{name}dis-bsd{dis}{first}{dis_bsd}{three}{last}"
            f"{name}dis-cnt{dis}{second}{dis_cnt}{four}{last}"
        )


def _answers(
    unknown: str, write: WriteCell, delimiter: str, *, biased: bool
) -> Callable[[str, str], tuple[str, str, str, str]]:
    """What gives the cells of choices, biased answer and answer, for each of the four samples."""
    not_known = write(unknown)

    @lru_cache(_REMEMBERED)
    def of(answer: str, counter: str) -> tuple[str, str, str, str]:
        choices = write((answer, counter, unknown))
        own = write(answer), write(counter)
        of_question = own if biased else own[::-1]
        one, two = (f"{choices}{delimiter}{cell}{delimiter}" for cell in of_question)
        return f"{one}{not_known}", f"{two}{not_known}", f"{one}{own[0]}", f"{two}{own[1]}"

    return of
