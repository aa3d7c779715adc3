"""Texts in which the two people of a template are 'one' and 'the other' (BBG, section 3)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from curation.languages import LanguageOrCode
from curation.slots import Slot, SlotList, SlotText, compile_text, form_of, parse_text, print_text
from curation.slots.joining import joining_of
from curation.slots.proposals import propose
from evaluation.stories.languages import StoryLanguage
from evaluation.stories.placeholders import PEOPLE, Placeholders, Stated, is_alone

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
    stated: Mapping[str, Stated] | None = None,
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
