"""Texts in which the two people of a template are 'one' and 'the other' (BBG, section 3)."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from curation.languages import LanguageOrCode
from curation.slots import Slot, SlotList, SlotText, compile_text, form_of, parse_text, print_text
from curation.slots.joining import joining_of
from curation.slots.proposals import propose
from evaluation.stories.languages import StoryLanguage
from evaluation.stories.placeholders import (
    PEOPLE,
    Describer,
    Stated,
    alone_form,
    is_alone,
    placeholder_form,
)

ROLES = ("one", "other")
"""The keys of `obf2dis`: the person who is mentioned first, and the other one."""

_PUBLISHED_ARTICLE = re.compile(r"(?<!\w)the \Z", re.IGNORECASE)
_LATER_SENTENCE = re.compile(r"([.!?][\"')]?\s+)([A-Z])")
_HIDDEN = "\x00"  # stands for a slot of words where only the text around it counts


@dataclass(frozen=True, slots=True)
class Mention:
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
        text: The text; slots of words are left in it.
        mentions: The places where people were, in order.
        unformed: Slots whose forms follow no rule that holds for a placeholder too, so that the
            bare placeholder stands in their place.
        published: Whether it is as BBG's files have it.
    """

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
        return Neutral(parse_text(text), self.mentions, (), self.published)

    def render(
        self,
        lists: Mapping[str, SlotList],
        order: Sequence[str],
        at: Sequence[int],
        code: LanguageOrCode,
    ) -> str:
        """Fill the slots of words.

        Args:
            lists: The lists by slot.
            order: The slots in the order of `at`.
            at: For each slot the position of its filler.
            code: The language, or its ISO 639-1 code, for agreement.
        """
        text = compile_text(self.text, lists, order, code).render(at)
        text = text[:1].upper() + text[1:]
        if self.published:
            text = _LATER_SENTENCE.sub(lambda found: found[1] + found[2].lower(), text)
        return text

    def phrases(
        self,
        lists: Mapping[str, SlotList],
        order: Sequence[str],
        at: Sequence[int],
        code: LanguageOrCode,
    ) -> dict[str, dict[str, str | list[str]]]:
        """`obf2dis`: by role and placeholder what stood there in one filling.

        A person who is named several times in other words has a list of them, in order.
        """
        found: dict[str, dict[str, list[str]]] = {}
        for mention in self.mentions:
            name = mention.slot.name
            position = at[order.index(name)]
            form = form_of(mention.slot, lists[name].fillers[position], position, code)
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
    code: LanguageOrCode,
    language: StoryLanguage,
    *,
    published: bool = False,
    stated: Mapping[str, Stated] | None = None,
    answers: Sequence[str] = (),
) -> Neutral:
    """Put placeholders in the place of the two people, by order of first mention.

    An article before a person goes, and a placeholder that begins a sentence is capitalised.

    Args:
        text: The disambiguating part, with slots.
        lists: The lists by slot.
        code: The language, or its ISO 639-1 code.
        language: What the language needs.
        published: Make it as BBG's own files have it, to compare with them: the word 'the' is
            taken away before slots of words too, and later sentences begin with small letters.
        stated: What the template says of the placeholders, by slot; they follow it where it does.
        answers: The template's two answers, which show whose name stands before a noun.

    Raises:
        CurateError: If the text cannot be read.
    """
    maker = _Maker(lists, code, language, published, stated or {})
    describer = Describer(answers, code, language, lists)
    parts = list(parse_text(text).parts)
    while parts:
        part = parts.pop(0)
        if isinstance(part, Slot) and part.name in PEOPLE and not stated:
            if parts and isinstance(parts[0], str):  # a particle that is written after the name
                found, _ = propose(SlotText((part, parts[0])), code)
                part, parts = found.parts[0], [*found.parts[1:], *parts[1:]]
                assert isinstance(part, Slot)  # noqa: S101  # it stays the first
            described = describer.described(part, parts)
            if described is not None:
                is_noun, parts = described
                maker.add_described(part, is_noun)
                continue
        if isinstance(part, str):
            maker.add_literal(part)
        elif part.name in PEOPLE and is_alone(part):
            maker.add_alone(part)
        elif part.name in PEOPLE:
            maker.add_person(part)
        else:
            maker.add_words(part)
    unformed = tuple(dict.fromkeys(maker.unformed))
    return Neutral(SlotText(maker.closed()), tuple(maker.mentions), unformed, published)


class _Maker:
    """Collects the parts of a neutral text."""

    def __init__(
        self,
        lists: Mapping[str, SlotList],
        code: LanguageOrCode,
        language: StoryLanguage,
        published: bool,
        stated: Mapping[str, Stated],
    ) -> None:
        self._lists, self._code, self._language = lists, code, language
        self._published, self._stated = published, stated
        self._mentioned: Counter[str] = Counter()
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
        self._close()
        self._parts.append(slot)

    def add_person(self, slot: Slot) -> None:
        """Add the placeholder of a person."""
        number = self._roles.setdefault(slot.name, len(self._roles))
        placeholder = self._language.placeholders[number]
        form = self._form(slot, number, placeholder)
        if form is None:
            self.unformed.append(slot.name)
            form = placeholder
        self._add(slot, number, form)
        self._after_particle = bool(slot.forms) and form.endswith(self._language.closing)

    def add_alone(self, slot: Slot) -> None:
        """Add a word that agrees with a person who is named elsewhere."""
        word = alone_form(slot, self._code, self._language)
        if word is None:
            self.unformed.append(slot.name)
        self._literal += word or ""

    def add_described(self, slot: Slot, particles: Slot | None) -> None:
        """Add the placeholder of a person whose name describes a noun.

        Args:
            slot: The person.
            particles: What the placeholder agrees with where it takes the noun's place too.
        """
        number = self._roles.setdefault(slot.name, len(self._roles))
        adjective = (self._language.adjectives or self._language.placeholders)[number]
        if particles is not None:
            placeholder = self._language.placeholders[number]
            adjective = (
                placeholder_form(particles, (), placeholder, self._code, self._language)
                or placeholder
            )
        self._add(slot, number, adjective)

    def _add(self, slot: Slot, number: int, form: str) -> None:
        self.mentions.append(Mention(ROLES[number], form, slot))
        if self._published:
            self._literal = _PUBLISHED_ARTICLE.sub("", self._literal)
        else:
            self._literal, _ = self._language.split_article(self._literal)
            self._literal, form = self._language.joined(self._literal, form)
        if self._language.starts_sentence(self._before()):
            form = form[:1].upper() + form[1:]
        self._literal, (form,) = joining_of(self._code).join(self._literal, (form,))
        self._literal += form

    def _form(self, slot: Slot, number: int, placeholder: str) -> str | None:
        adjective = (self._language.adjectives or self._language.placeholders)[number]
        if slot.name in self._stated:
            mention = self._mentioned[slot.name]
            self._mentioned[slot.name] += 1
            return self._stated[slot.name].form(mention, placeholder, adjective)
        fillers = self._lists[slot.name].fillers if slot.name in self._lists else ()
        _, article = self._language.split_article(self._literal)
        return placeholder_form(
            slot, fillers, placeholder, self._code, self._language, article=article
        )

    def _before(self) -> str:
        shown = (part if isinstance(part, str) else _HIDDEN for part in self._parts)
        return "".join((*shown, self._literal))

    def _close(self) -> None:
        if self._literal:
            self._parts.append(self._literal)
        self._literal = ""

    def closed(self) -> tuple[str | Slot, ...]:
        """The parts, the last one too."""
        self._close()
        return tuple(self._parts)
