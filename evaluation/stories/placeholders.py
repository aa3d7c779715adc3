"""The placeholder of a person in a story, in the form that its place needs.

What a language needs for that is data. In some languages a particle follows the placeholder. A name
may also describe a noun, as "22-year-old" does in "the 22-year-old clerk"; what stands for it then
goes with the noun. Whether a name does so shows in the template's answers, in which the noun stands
after it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from pydantic import ConfigDict

from curation.languages import LanguageOrCode, load, missing
from curation.languages.prompts import Case, StoryTexts
from curation.records.bank import PLACEHOLDER_COLUMNS
from curation.records.culture import StorySettings
from curation.records.letters import IN_WORDS
from curation.records.messages import refusal
from curation.slots.agreement import agreement_for
from curation.slots.fill import FillError, form_of
from curation.slots.grammar import ALONE, Filler, Slot, SlotList, SlotText, parse_text
from curation.slots.protection import propose

_OPENING = "\"'“‘([\u00bf\u00a1\u00ab\u201e"
_SENTENCE_START = re.compile(rf"(?:\A|[.!?…。][\"'”’)\]]*\s+)[{re.escape(_OPENING)}]*\Z")
_LAST_WORD = re.compile(r"(\S+)\.\s+\S*\Z")


class StoryLanguage(StoryTexts):
    """How one language leaves open who is who, with placeholders for the two."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    code: LanguageOrCode
    placeholders: tuple[str, str]
    contractions: tuple[tuple[str, str, str], ...] = ()

    def starts_sentence(self, before: str) -> bool:
        """Say whether a sentence begins after some text."""
        if not _SENTENCE_START.search(before):
            return False
        last = _LAST_WORD.search(before)
        known = {item.casefold() for item in self.abbreviations}
        return last is None or last[1].lstrip(_OPENING).casefold() not in known

    def split_article(self, text: str) -> tuple[str, str]:
        """Take off the article that a text ends with; a preposition written as one with it stays.

        Returns:
            The text without it, and the article, which is empty where there is none.
        """
        found = self._article.search(text)
        if found:
            return text[: found.start()], found[0].strip().casefold()
        found = self._contracted.search(text)
        if not found:
            return text, ""
        word, (preposition, article) = found[1], self._parts[found[1].casefold()]
        kept = preposition.capitalize() if word[:1].isupper() else preposition
        return f"{text[: found.start()]}{kept} ", article

    def joined(self, before: str, placeholder: str) -> tuple[str, str]:
        """Take what is written to a name off a text, and give what then stands for the person.

        Returns:
            The text without it, and the placeholder, with a preposition that is written to it.
        """
        found = self._prefix.search(before) if placeholder in self.placeholders else None
        if found is None:
            return before, placeholder
        forms = self.prefixes[found[0]]
        return before[: found.start()], forms[self.placeholders.index(placeholder)]

    @cached_property
    def _prefix(self) -> re.Pattern[str]:
        return re.compile(rf"(?<![{IN_WORDS}])(?:{_any_of(self.prefixes)})\Z")

    @cached_property
    def _article(self) -> re.Pattern[str]:
        if not self.whole_words:
            return re.compile(rf"(?:{_any_of(self.articles)})\s*\Z")
        elided = [word for word in self.articles if not word[-1].isalpha()]
        return re.compile(
            rf"(?<!\w)(?:(?:{_any_of(self.articles)})\s+|(?:{_any_of(elided)}))\Z", re.IGNORECASE
        )

    @cached_property
    def _parts(self) -> dict[str, tuple[str, str]]:
        return {
            joined: (preposition, article)
            for preposition, article, joined in self.contractions
            if article in self.articles
        }

    @cached_property
    def _contracted(self) -> re.Pattern[str]:
        return re.compile(rf"(?<!\w)({_any_of(self._parts)})\s+\Z", re.IGNORECASE)

    def whole(self, text: str, words: Sequence[str]) -> list[str]:
        """Those of some words that a text has as words of their own, with endings."""
        return [word for word in words if self._as_word(word).search(text)]

    def placeholder_counts(self, text: str) -> list[int]:
        """Count how often each placeholder occurs in a text; one may be a part of the other."""
        words = dict.fromkeys(self.placeholders, 0)
        owner = {**dict(zip(words, words, strict=True)), **self._declined}
        for word in sorted(owner, key=len, reverse=True):
            text, count = self._as_word(word).subn(" ", text)
            words[owner[word]] += count
        return list(words.values())

    @property
    def _declined(self) -> dict[str, str]:
        """The placeholders of other cases, with the usual ones."""
        forms = (*(case.placeholders or () for case in self.cases), *self.prefixes.values())
        return dict(pair for form in forms for pair in zip(form, self.placeholders, strict=False))

    @property
    def written(self) -> tuple[str, ...]:
        """All placeholders of a person."""
        return (*self.placeholders, *(self.adjectives or ()), *self._declined)

    def gendered(self, text: str) -> tuple[list[str], list[str]]:
        """The feminine and the masculine words of a text, in their order there, each once.

        A longer word is found before one that is a part of it.
        """
        found = [match[1].casefold() for match in self._gendered.finditer(text)]
        feminine, masculine = (
            [word for word in dict.fromkeys(found) if word in {item.casefold() for item in words}]
            for words in (self.feminine, self.masculine)
        )
        return feminine, masculine

    @cached_property
    def _gendered(self) -> re.Pattern[str]:
        return self._as_word(*self.feminine, *self.masculine, *self.neutral)

    def inside(self, text: str, word: str) -> list[str]:
        """The words of a text that a word is a part of, except for its own endings."""
        if not self.whole_words:
            return []
        own = self._as_word(word)
        found = [item for item in _around(word).findall(text) if not own.fullmatch(item)]
        return list(dict.fromkeys(found))

    def _as_word(self, *words: str) -> re.Pattern[str]:
        """A pattern of some words as words of their own, or, without spaces, of words anywhere."""
        if not self.whole_words:
            return re.compile(f"({_any_of(words)})")
        return _whole_word(words, self.beginnings, self.endings)


def _any_of(words: Iterable[str]) -> str:
    """The alternatives of a pattern, the longest first; without words it finds nothing."""
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True))) or "(?!)"


@lru_cache(maxsize=8192)
def _whole_word(
    words: tuple[str, ...], beginnings: tuple[str, ...], endings: tuple[str, ...]
) -> re.Pattern[str]:
    head, tail = f"(?:{_any_of(beginnings)})?", f"(?:{_any_of(endings)})?"
    return re.compile(
        rf"(?<![{IN_WORDS}]){head}({_any_of(words)}){tail}(?![{IN_WORDS}])", re.IGNORECASE
    )


@lru_cache(maxsize=8192)
def _around(word: str) -> re.Pattern[str]:
    return re.compile(rf"[{IN_WORDS}]*{re.escape(word)}[{IN_WORDS}]*", re.IGNORECASE)


def story_language(language: LanguageOrCode, settings: StorySettings) -> StoryLanguage:
    """What stories in a language need.

    Args:
        language: The language, or its ISO 639-1 code.
        settings: The culture's own placeholders, if it has any.

    Raises:
        CurateError: If neither the toolkit nor the culture has placeholders in the language.
    """
    texts = load(language).stories or StoryTexts()
    placeholders = settings.placeholders or texts.placeholders
    if placeholders is None:
        told = refusal(__package__, "placeholders-none", "culture.yaml, stories", language=language)
        raise missing("stories", language, told)
    general = load(language).general
    own: dict[str, object] = {
        "code": language,
        "placeholders": placeholders,
        "contractions": general.contractions if general is not None else (),
    }
    if placeholders != texts.placeholders:  # these go with the language's own placeholders
        own |= {"adjectives": None, "features": {}, "cases": (), "prefixes": {}}
    return StoryLanguage(**{**texts.model_dump(), **own})


PEOPLE = ("N1", "N2")
"""The slots that people's names fill."""
_BOUND = {"N1": "X1", "N2": "X2"}

_Parts = Sequence[str | Slot]
_Lead = tuple[str, Mapping[str, str]]
"""What stands before a name, and the features of the name."""


class StatedPlaceholder(NamedTuple):
    """What a template itself says of the placeholder of one person.

    Attributes:
        adjective: Whether it stands before a noun.
        particles: What follows it, one for each mention; the first where there are more mentions.
    """

    adjective: bool = False
    particles: tuple[str, ...] = ()


def stated_placeholders(extra: Iterable[tuple[str, str]]) -> dict[str, StatedPlaceholder]:
    """Read BBG's columns of placeholders, by slot; nothing where a template has none of them.

    Args:
        extra: The columns of a variant that are not the toolkit's.
    """
    cells = dict(extra)
    if not {*PLACEHOLDER_COLUMNS} <= {*cells}:
        return {}
    found = {}
    for slot in PEOPLE:
        adjective = cells[f"{slot}_obfdis_adj"].strip().casefold() in ("true", "1")
        particles = (part.strip() for part in cells[f"{slot}_obfdis_post"].split(","))
        found[slot] = StatedPlaceholder(adjective, tuple(part for part in particles if part))
    return found


class Placeholders:
    """What stands for the two people of one text.

    Args:
        language: What the language needs.
        lists: The names by slot.
        answers: The template's answers, with slots, which show whose name describes a noun.
        stated: What the template says of the placeholders, by slot; they follow it where it does.
    """

    def __init__(
        self,
        language: StoryLanguage,
        lists: Mapping[str, SlotList],
        answers: Sequence[str] = (),
        stated: Mapping[str, StatedPlaceholder] | None = None,
    ) -> None:
        self._language, self._code, self._stated = language, language.code, stated or {}
        self._names = {name: found.fillers for name, found in lists.items()}
        self._texts = load(self._code).agreement
        self._adjectives = language.adjectives or language.placeholders
        self._mentioned: Counter[str] = Counter()
        is_described = bool(self._texts and self._texts.after and language.adjectives)
        self._nouns = _nouns(answers) if is_described and not self._stated else None

    def form(self, slot: Slot, number: int, article: str = "") -> str | None:
        """The placeholder of a person in the form of a slot.

        What stands before the name in a form goes with it, and so does an article; a possessive
        ending stays, and a particle is chosen by the placeholder's last sound.

        Args:
            slot: The slot that the person's name would fill.
            number: Whether it is the person who is mentioned first, 0, or the other one, 1.
            article: The article that stands before the slot in the text.

        Returns:
            The form; None where the forms of the slot follow no rule that could be applied to it.
        """
        placeholder, fillers = self._language.placeholders[number], self._names.get(slot.name, ())
        if slot.name in self._stated:
            said, mention = self._stated[slot.name], self._mentioned[slot.name]
            self._mentioned[slot.name] += 1
            particles = said.particles or ("",)
            word = self._adjectives[number] if said.adjective else placeholder
            return word + particles[mention if mention < len(particles) else 0]
        for case in self._language.cases:
            if slot.named in case.named and case.placeholders is not None:
                return case.placeholders[number]
        if slot.named is not None:
            try:
                forms = tuple(form_of(slot, one, at, self._code) for at, one in enumerate(fillers))
            except FillError:
                return None
            slot = Slot(slot.name, forms=forms)
        if self._texts is None or not (self._texts.after or self._texts.harmony):
            return self._without_article(slot, fillers, placeholder, article)
        return self.with_particle(slot, number, fillers)

    def with_particle(self, slot: Slot, number: int, fillers: Sequence[Filler] = ()) -> str | None:
        """A placeholder with the particle that a slot writes after its names."""
        language, placeholder = self._language, self._language.placeholders[number]
        if slot.forms is None:
            return self._filled(slot, placeholder)
        agreement, read = agreement_for(self._code), _named_tails(slot.forms, fillers)
        if agreement is None or self._texts is None or not read:
            return None
        tails = sorted({tail for _, tail in read})
        if any(tail in language.impersonal for tail in tails):
            return None
        if len(tails) == 1 and tails[0] in language.honorifics:
            plain = language.honorifics[tails[0]]
            said = self._filled(Slot(slot.name, agreement=plain), placeholder)
            return said or placeholder + plain
        pairs = [*agreement.common, *("/".join(pair) for pair in self._texts.pairs if all(pair))]
        for candidate in _candidates(slot.name, tails, pairs):
            if self._gives(candidate, read):
                return self._filled(candidate, placeholder)
        if self._texts.harmony and tails != [""]:
            return None  # the suffix of one name is not that of another
        return placeholder + tails[0] if len(tails) == 1 else None

    def alone(self, slot: Slot) -> str | None:
        """A word without the name that agrees with a person, `[N1|=a/b]`, for a placeholder.

        Returns:
            The word; None where the placeholders' features are not known.
        """
        return self._filled(slot, self._language.placeholders[0])

    def adjective(self, number: int, particles: Slot | None) -> str:
        """What stands for a person whose name describes a noun.

        Args:
            number: Which person.
            particles: What the placeholder agrees with where it takes the noun's place too.
        """
        if particles is None:
            return self._adjectives[number]
        return self.with_particle(particles, number) or self._language.placeholders[number]

    def _filled(self, slot: Slot, text: str, *, plain: bool = False) -> str | None:
        """A slot filled with a text, which has the placeholders' features unless it is plain."""
        features = () if plain else tuple(self._language.features.items())
        try:
            return form_of(slot, Filler(text, features=features), 0, self._code)
        except FillError:
            return None

    def _gives(self, slot: Slot, read: Sequence[tuple[Filler, str]]) -> bool:
        """Say whether a slot gives each filler its tail."""
        try:
            return all(form_of(slot, one, 0, self._code) == one.text + tail for one, tail in read)
        except (FillError, ValueError):
            return False

    def _without_article(
        self, slot: Slot, fillers: Sequence[Filler], placeholder: str, article: str
    ) -> str | None:
        """The placeholder where articles go with the name, in the case that they show."""
        language, forms = self._language, slot.forms
        if language.prefixes and forms is not None:
            # What is written to all names; no rule where that is no known prefix.
            pairs = [(form, one.text) for form, one in zip(forms, fillers, strict=False)]
            found = {form[: form.rfind(name)] for form, name in pairs if name in form}
            before, form = language.joined("".join(found), placeholder)
            return form if len(found) == 1 and not before.strip() else None
        leads = self._leads(slot, fillers, article)
        declined = self._declined(placeholder, leads)
        if declined is None:
            return None
        # The preposition that all forms begin with, such as 'a' of 'al' and 'a la'.
        words = {language.split_article(f"{lead} ")[0].strip().casefold() for lead, _ in leads}
        first = "".join(words) if len(words) == 1 else ""
        ending = next(
            (
                item
                for item in language.possessives
                if forms
                and all(form.endswith(item) for form in forms)
                and not any(filler.text.endswith(item) for filler in fillers)
            ),
            "",
        )
        names = [filler.text.casefold() for filler in fillers]
        plain = all(map(str.endswith, map(str.casefold, forms or ()), names))
        if not (plain or ending) and any(case.named for case in language.cases):
            return None  # in a case that the list does not name
        is_preposition = first.casefold() in {word for word, _, _ in language.contractions}
        return f"{first} {declined}{ending}" if is_preposition else declined + ending

    def _leads(self, slot: Slot, fillers: Sequence[Filler], article: str) -> list[_Lead]:
        """What stands before each name, in the slot or before it, with the features of the name."""
        texts = self._texts
        defaults = texts.defaults if texts is not None else {}
        if slot.agreement is not None:
            words = [word.strip() for word in slot.agreement.split("/")]
            rows = texts.features.get(len(words), ()) if texts is not None else ()
            return [(word, {**defaults, **row}) for word, row in zip(words, rows, strict=False)]
        features = [{**defaults, **dict(filler.features)} for filler in fillers]
        if slot.forms is None:
            return [(article, row) for row in features]
        found: list[_Lead] = []
        for form, filler, row in zip(slot.forms, fillers, features, strict=False):
            at = form.rfind(filler.text)
            if at >= 0:
                found.append((form[:at].strip() or article, row))
        return found

    def _declined(self, placeholder: str, leads: Sequence[_Lead]) -> str | None:
        """The placeholder in the case of the articles; None where they are of several."""
        usual, cases = self._language.placeholders, self._language.cases
        possible = {case.placeholders or usual for case in cases if case.articles}
        split = [(self._language.split_article(f"{lead} ")[1], row) for lead, row in leads]
        articles = [(article, row) for article, row in split if article]
        if not possible or not articles:
            return placeholder
        for article, row in articles:
            fitting = [case for case in cases if article in _articles_of(case, row)]
            possible &= {case.placeholders or usual for case in fitting}
        return possible.pop()[usual.index(placeholder)] if len(possible) == 1 else None

    def described(
        self, slot: Slot, following: _Parts
    ) -> tuple[Slot | None, list[str | Slot]] | None:
        """Take what describes a noun out of a text.

        Args:
            slot: The slot of a person.
            following: The text after it.

        Returns:
            None where the name stands for the person alone. Otherwise the text after the
            placeholder, and, where the noun goes as well, the slot whose particle it gets.
        """
        if self._nouns is None:
            return None
        fillers = self._names.get(slot.name, ())
        try:
            forms = slot.forms or [
                form_of(slot, filler, at, self._code) for at, filler in enumerate(fillers)
            ]
        except FillError:
            return None
        tails = {_tail(form, name.text) for form, name in zip(forms, fillers, strict=False)}
        text = following[0] if following and isinstance(following[0], str) else ""
        noun = self._nouns.get(slot.name, "")
        rests = {self._rest(noun, tail, text) for tail in tails}
        rest = rests.pop() if len(rests) == 1 else None
        if rest is None:
            return None
        after = list(following[1:] if text else following)
        bound = after[0] if after and not rest.strip() else None
        if not isinstance(bound, Slot) or bound.name != _BOUND[slot.name]:
            return None, [item for item in (f" {rest.lstrip()}", *after) if item]
        # A noun that goes with the name: its particle is given to the placeholder.
        if bound.forms is None:
            return self._proposed(slot.name, after[1:])
        read = _named_tails(bound.forms, self._names.get(bound.name, ()))
        first, _ = self._proposed(slot.name, sorted({tail for _, tail in read})[:1])
        return first, after[1:]

    def _proposed(self, name: str, following: _Parts) -> tuple[Slot, list[str | Slot]]:
        """A slot with the particle that is written after it, and the text after that."""
        first, *rest = propose(SlotText((Slot(name), *following)), self._code)[0].parts
        return (first if isinstance(first, Slot) else Slot(name)), rest

    def _rest(self, noun: str, tail: str | None, text: str) -> str | None:
        """What follows the description; None where the name describes nothing."""
        language = self._language
        for words in sorted(language.descriptive, key=len, reverse=True):
            if f"{tail or ''}{text}".startswith(f"{words} "):
                return self._one(f"{tail or ''}{text}".removeprefix(words))
        if not noun:
            return None
        is_plain = not tail or tail in language.attributive or " " in tail
        rest = text.lstrip()
        describing = sorted(language.describing, key=len, reverse=True)
        words = next((item for item in describing if rest.startswith(f"{item} ")), "")
        if not is_plain and not words:
            return None
        if is_plain and text and not text[0].isspace() and not rest.startswith(noun):
            return None
        return self._one(rest.removeprefix(words) or " ", noun)

    def _one(self, rest: str, noun: str = "") -> str:
        """A text of one person: without the word for one, which would occur twice, and plural."""
        word = (self._language.adjectives or ("", ""))[0]
        rest = rest.lstrip().removeprefix(f"{word} ") or rest
        plural = self._language.plural
        single = noun.removesuffix(plural) if plural else noun
        if not plural or not single or not rest.startswith(single + plural):
            return rest
        slot, others = self._proposed("N1", [rest.removeprefix(single + plural)])
        form = self._filled(slot, single, plain=True)
        return (form or single) + "".join(item for item in others if isinstance(item, str))


def is_alone(slot: Slot) -> bool:
    """Say whether a slot writes a word that agrees with a name, without the name."""
    return slot.agreement is not None and slot.agreement.startswith(ALONE)


def _articles_of(case: Case, features: Mapping[str, str]) -> set[str]:
    """The articles of a case before a name; those of every gender where it is not stated."""
    gender = "p" if features.get("number") == "p" else features.get("gender", "")
    rows = (case.articles[gender],) if gender in case.articles else case.articles.values()
    return {word for row in rows for word in row}


def _tail(form: str, filler: str) -> str | None:
    """What follows a filler in a form; None where the form does not hold it.

    A form may name somebody more shortly, by the last words of the filler.
    """
    words = filler.split(" ")
    for first in range(len(words)):
        part = " ".join(words[first:])
        at = form.rfind(part)
        if part and at >= 0:
            return form[at + len(part) :]
    return None


def _named_tails(forms: Sequence[str], fillers: Sequence[Filler]) -> list[tuple[Filler, str]]:
    """Each name in the forms of a slot, with what follows it; nothing where one cannot be told.

    A form that words a name otherwise ends as another form does. Forms without a name, and names
    without a form, say nothing.
    """
    pairs = zip(forms, fillers, strict=False)
    found = [(filler, form, _tail(form, filler.text)) for form, filler in pairs]
    known = sorted({tail for _, _, tail in found if tail}, key=len, reverse=True)
    read: list[tuple[Filler, str]] = []
    for filler, form, tail in found:
        end = tail if tail is not None else next((k for k in known if form.endswith(k)), None)
        if end is None:
            return []
        read.append((filler if tail is not None else Filler(form[: -len(end)]), end))
    return read


def _candidates(name: str, tails: Sequence[str], pairs: Sequence[str]) -> Iterator[Slot]:
    """Yield the agreements that may give some tails: none, two of them, or a common one.

    A common one may be followed by more particles, which are the same on both sides.
    """
    if tails == [""]:
        yield Slot(name)
    if len(tails) == 2:
        yield Slot(name, agreement="/".join(tails))
    for pair in pairs:
        sides = pair.split("/")
        starts = [(tail, side) for tail in tails for side in sides if side]
        rests = [tail[len(side) :] for tail, side in starts if tail.startswith(side)]
        for rest in dict.fromkeys(rests) if len(sides) > 1 else ("",):
            yield Slot(name, agreement="/".join(side + rest for side in sides))


def _nouns(answers: Sequence[str]) -> dict[str, str]:
    """By person the noun that follows the name in an answer, or the slot of one."""
    found: dict[str, str] = {}
    for answer in answers:
        parts = parse_text(answer).parts
        for at, part in enumerate(parts):
            if isinstance(part, Slot) and part.name in PEOPLE:
                rest = "".join(
                    item if isinstance(item, str) else f" {item.name}" for item in parts[at + 1 :]
                )
                found[part.name] = (rest.split() or [""])[-1]
    return found
