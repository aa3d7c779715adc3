"""Stories: texts in which the two people of a template are 'one' and 'the other' (BBG, section 3).

The two versions that a template gives, and their rows in `stories.csv`.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from curation.bank.generate import placed
from curation.languages import LanguageOrCode, between_sentences
from curation.records.bank import Template, Variant, VariantVersion
from curation.records.messages import Finding
from curation.records.sample import Sample
from curation.slots.agreement import joining_of
from curation.slots.fill import compile_text, form_of
from curation.slots.grammar import Slot, SlotList, SlotText, declared_lists, parse_text, print_text
from curation.slots.protection import propose
from evaluation.stories.placeholders import (
    PEOPLE,
    Placeholders,
    StatedPlaceholder,
    StoryLanguage,
    is_alone,
    stated_placeholders,
)

ROLES = ("one", "other")
"""The keys of `obf2dis`: the person who is mentioned first, and the other one."""

_PUBLISHED_ARTICLE = re.compile(r"(?<!\w)the \Z", re.IGNORECASE)
_LATER_SENTENCE = re.compile(r"([.!?][\"')]?\s+)([A-Z])")
_HIDDEN = "\x00"  # stands for a slot of words where only the text around it counts


class Mention(NamedTuple):
    """One place at which a person is named in the disambiguating part.

    Attributes:
        role: One of `ROLES`.
        placeholder: What stands there now, in small letters.
        slot: The slot that stood there.
    """

    role: str
    placeholder: str
    slot: Slot


@dataclass(frozen=True, slots=True)
class Neutral:
    """The disambiguating part of one variant, without its people.

    Attributes:
        code: The language, or its ISO 639-1 code.
        text: The text; slots of words are left in it.
        mentions: The places where people were, in order.
        unformed: Slots whose forms follow no rule that holds for a placeholder too, so that the
            bare placeholder stands in their place.
        published: Whether it is as BBG's files have it.
    """

    code: LanguageOrCode
    text: SlotText
    mentions: tuple[Mention, ...]
    unformed: tuple[str, ...] = ()
    published: bool = False

    @property
    def printed(self) -> str:
        """The text as people read and edit it."""
        return print_text(self.text)

    def edited(self, text: str) -> "Neutral":
        """The same with another text.

        Raises:
            CurateError: If the text cannot be read.
        """
        return replace(self, text=parse_text(text), unformed=())

    def render(self, lists: Mapping[str, SlotList], order: Sequence[str], at: Sequence[int]) -> str:
        """Fill the slots of words.

        Args:
            lists: The lists by slot.
            order: The slots in the order of `at`.
            at: For each slot the position of its filler.
        """
        text = compile_text(self.text, lists, order, self.code).render(at)
        text = text[:1].upper() + text[1:]
        if self.published:
            text = _LATER_SENTENCE.sub(lambda found: found[1] + found[2].lower(), text)
        return text

    def phrases(
        self, lists: Mapping[str, SlotList], order: Sequence[str], at: Sequence[int]
    ) -> dict[str, dict[str, str | list[str]]]:
        """`obf2dis`: by role and placeholder what stood there in one filling.

        A person who is named several times in other words has a list of them, in order.
        """
        found: dict[str, dict[str, list[str]]] = {}
        for mention in self.mentions:
            name = mention.slot.name
            position = at[order.index(name)]
            form = form_of(mention.slot, lists[name].fillers[position], position, self.code)
            by_placeholder = found.setdefault(mention.role, {})
            by_placeholder.setdefault(mention.placeholder, []).append(form)
        return {
            role: {placeholder: _joined(forms) for placeholder, forms in by_placeholder.items()}
            for role, by_placeholder in found.items()
        }


def _joined(forms: Sequence[str]) -> str | list[str]:
    same = len({form.casefold() for form in forms}) == 1
    return forms[-1] if same else list(forms)


def neutralise(
    text: str,
    lists: Mapping[str, SlotList],
    language: StoryLanguage,
    *,
    published: bool = False,
    stated: Mapping[str, StatedPlaceholder] | None = None,
    answers: Sequence[str] = (),
) -> Neutral:
    """Put placeholders in the place of the two people, by order of first mention.

    An article before a person goes, and a placeholder that begins a sentence is capitalised.

    Args:
        text: The disambiguating part, with slots.
        lists: The lists by slot.
        language: What the language needs.
        published: Make it as BBG's own files have it, to compare with them: the word 'the' is
            taken away before slots of words too, and later sentences begin with small letters.
        stated: What the template says of the placeholders, by slot; they follow it where it does.
        answers: The template's two answers, which show whose name stands before a noun.

    Raises:
        CurateError: If the text cannot be read.
    """
    maker = _Maker(language, Placeholders(language, lists, answers, stated), published)
    parts = list(parse_text(text).parts)
    while parts:
        part = parts.pop(0)
        if isinstance(part, str):
            maker.add_literal(part)
        elif part.name not in PEOPLE:
            maker.add_words(part)
        else:
            if not stated and parts and isinstance(parts[0], str):
                # A particle that is written after the name is one of it.
                found, _ = propose(SlotText((part, parts[0])), language.code)
                first, parts = found.parts[0], [*found.parts[1:], *parts[1:]]
                part = first if isinstance(first, Slot) else part
            parts = maker.add_person(part, parts)
    unformed = tuple(dict.fromkeys(maker.unformed))
    mentions = tuple(maker.mentions)
    return Neutral(language.code, SlotText(maker.closed()), mentions, unformed, published)


class _Maker:
    """Collects the parts of a neutral text."""

    def __init__(
        self, language: StoryLanguage, placeholders: Placeholders, published: bool
    ) -> None:
        self._language, self._placeholders, self._published = language, placeholders, published
        self._after_particle = False
        self._parts: list[str | Slot] = []
        self._literal = ""
        self._roles: dict[str, int] = {}
        self.mentions: list[Mention] = []
        self.unformed: list[str] = []

    def add_literal(self, text: str) -> None:
        if self._after_particle and text[:1].isalpha():
            text = f" {text}"  # nothing is joined to such a particle: a space was forgotten
        self._after_particle = False
        self._literal += text

    def add_words(self, slot: Slot) -> None:
        if self._published:
            self._literal = _PUBLISHED_ARTICLE.sub("", self._literal)
        self._parts += [*filter(None, [self._literal]), slot]
        self._literal = ""

    def add_person(self, slot: Slot, following: list[str | Slot]) -> list[str | Slot]:
        """Add the placeholder of a person, or a word that agrees with one; gives what follows."""
        described = self._placeholders.described(slot, following)
        if is_alone(slot) and described is None:
            word = self._placeholders.alone(slot)
            if word is None:
                self.unformed.append(slot.name)
            self._literal += word or ""
            return following
        number = self._roles.setdefault(slot.name, len(self._roles))
        if described is not None:
            particles, following = described
            self._add(slot, number, self._placeholders.adjective(number, particles))
            return following
        _, article = self._language.split_article(self._literal)
        form = self._placeholders.form(slot, number, article)
        if form is None:
            self.unformed.append(slot.name)
            form = self._language.placeholders[number]
        self._add(slot, number, form)
        self._after_particle = bool(slot.forms) and form.endswith(self._language.closing)
        return following

    def _add(self, slot: Slot, number: int, form: str) -> None:
        self.mentions.append(Mention(ROLES[number], form, slot))
        if self._published:
            self._literal = _PUBLISHED_ARTICLE.sub("", self._literal)
        else:
            self._literal, _ = self._language.split_article(self._literal)
            self._literal, form = self._language.joined(self._literal, form)
        before = [part if isinstance(part, str) else _HIDDEN for part in self._parts]
        if self._language.starts_sentence("".join((*before, self._literal))):
            form = form[:1].upper() + form[1:]
        self._literal, (form,) = joining_of(self._language.code).join(self._literal, (form,))
        self._literal += form

    def closed(self) -> tuple[str | Slot, ...]:
        """The parts, the last one too."""
        return (*self._parts, *filter(None, [self._literal]))


@dataclass(frozen=True, slots=True)
class Version:
    """One variant of a template as a story.

    Attributes:
        variant: The variant.
        lists: Its lists by slot.
        made: Its disambiguating part without its people, as the toolkit makes it.
        neutral: The same as it is used: edited, if somebody edited it.
    """

    variant: Variant
    lists: Mapping[str, SlotList]
    made: Neutral
    neutral: Neutral

    @property
    def edited(self) -> bool:
        """Whether an editor changed the text."""
        return self.neutral is not self.made

    def fillers(self, names: Sequence[str]) -> list[str]:
        """The fillers of some slots, each once."""
        found = [f.text for name in names if name in self.lists for f in self.lists[name].fillers]
        return list(dict.fromkeys(item for item in found if item))


@dataclass(frozen=True, slots=True)
class StoryPair:
    """A story in its two versions.

    Attributes:
        template: The template.
        pair: `ab` or `cd`, the variants that the versions are. Of several wordings of these each
            is a story of its own.
        versions: The versions in order; one is missing where the template lacks the variant.
    """

    template: Template
    pair: str
    versions: tuple[Version, ...]

    @property
    def name(self) -> str:
        """How messages call it."""
        wording = self.versions[0].variant.id.version
        return f"{self.template.id}{'/'.join(self.pair)}{f'.{wording}' if wording else ''}"

    @property
    def subjects(self) -> tuple[str, ...]:
        """The subjects of remarks on it: itself and its versions."""
        return (self.name, *(str(version.variant.id) for version in self.versions))


def story_pairs(
    templates: Sequence[Template],
    language: StoryLanguage,
    texts: Mapping[str, str],
    *,
    published: bool = False,
) -> list[StoryPair]:
    """Make the stories of templates.

    Args:
        templates: The templates.
        language: What the language needs.
        texts: By variant the text that editors gave its disambiguating part.
        published: Make it as BBG's own files have it.

    Raises:
        CurateError: If a text or list of a variant cannot be read.
    """
    pairs = []
    for template in templates:
        of_pair: dict[tuple[str, VariantVersion], list[Version]] = {}
        for variant in template.variants:
            version = _version(variant, language, texts, published)
            of_pair.setdefault((variant.letter.pair, variant.id.version), []).append(version)
        for (letters, _), found in sorted(of_pair.items()):
            pairs.append(StoryPair(template, letters, tuple(found)))
    return pairs


def _version(
    variant: Variant,
    language: StoryLanguage,
    texts: Mapping[str, str],
    published: bool,
) -> Version:
    own = variant.texts
    with placed(variant):
        lists = declared_lists(own)
        made = neutralise(
            own.disambiguating_context,
            lists,
            language,
            published=published,
            stated=stated_placeholders(variant.extra) if language.adjectives else {},
            answers=(own.biased_answer, own.counter_biased_answer),
        )
        edited = texts.get(str(variant.id))
        neutral = made if edited is None else made.edited(edited)
    return Version(variant, lists, made, neutral)


Remark = tuple[str, Finding]
"""What is to be said of a story: the subject, a variant or both of a pair as `StoryPair.name` has
it; and the finding, whose message begins with the subject."""
STORIES = "stories.csv"
"""The stories' usual name."""


class Story(NamedTuple):
    """A story with one question; fields are the columns of `stories.csv`.

    Attributes:
        story_id: `{template_id}{version}-{filling:03d}`.
        seed: The seed of the evaluation set that the story is in; 0 where every filling is in it.
        category: Category as the bank writes it.
        template_id: The template.
        version: The variant: `a` and `b`, or `c` and `d`, are the two versions of a story; where
            variants have several wordings `a.f` and `b.f` are.
        filling: Which filling of the template, from 1; the same in both versions.
        context: What models continue: `amb_context` and `obfdis_context`.
        amb_context: The ambiguous part, which introduces the two people.
        dis_context: The disambiguating part, in which they are named.
        obfdis_context: The disambiguating part without their names.
        obf2dis: The words that each placeholder replaces, by role; JSON.
        question_type: `bsd` or `cnt`.
        question: One of the template's two questions.
        choices: Answer of the biased question, of the counter-biased one, and unknown.
        answer: The correct answer by `dis_context`.
        biased_answer: The answer that the stereotype suggests.
        stereotype: The stereotype.
        n1_group: Group of the person who is introduced first.
        n2_group: Group of the other person.
        edited: Whether an editor changed `obfdis_context`.
    """

    story_id: str
    seed: int
    category: str
    template_id: str
    version: str
    filling: int
    context: str
    amb_context: str
    dis_context: str
    obfdis_context: str
    obf2dis: str
    question_type: str
    question: str
    choices: tuple[str, str, str]
    answer: str
    biased_answer: str
    stereotype: str
    n1_group: str
    n2_group: str
    edited: bool


STORY_COLUMNS = Story._fields
"""The columns of `stories.csv`, in order."""


def story_rows(
    version: Version,
    samples: Sequence[Sample],
    order: Sequence[str],
    at: Sequence[int],
    seed: int,
) -> Iterator[Story]:
    """Make the two rows of one version of a story.

    Args:
        version: The version.
        samples: The four samples of the filling.
        order: The slots in the order of `at`.
        at: For each slot the position of its filler.
        seed: The seed of the evaluation set.
    """
    neutral = version.neutral.render(version.lists, order, at)
    phrases = version.neutral.phrases(version.lists, order, at)
    ambiguous = {item.question_type: item for item in samples if item.context_type == "amb"}
    texts = version.variant.texts
    unfilled = {"bsd": texts.biased_question, "cnt": texts.counter_biased_question}
    for sample in (item for item in samples if item.context_type == "dis"):
        open_context = ambiguous[sample.question_type].context
        index = int(sample.sample_id.rsplit("-", 3)[1])
        yield Story(
            story_id=sample.sample_id.rsplit("-", 2)[0],
            seed=seed,
            category=sample.category,
            template_id=sample.template_id,
            version=version.variant.id.short,
            filling=index,
            context=f"{open_context}{between_sentences(version.neutral.code)}{neutral}",
            amb_context=open_context,
            dis_context=sample.context[len(open_context) :].strip(),
            obfdis_context=neutral,
            obf2dis=json.dumps(phrases, ensure_ascii=False),
            question_type=sample.question_type,
            # BBG's own files hold questions as the templates do, words that change in brackets
            question=unfilled[sample.question_type].strip()
            if version.neutral.published
            else sample.question,
            choices=sample.choices,
            answer=sample.answer,
            biased_answer=sample.biased_answer,
            stereotype=sample.stereotype,
            n1_group=sample.n1_group,
            n2_group=sample.n2_group,
            edited=version.edited,
        )
