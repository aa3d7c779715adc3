"""How forms agree with a filler, and how they join the text before them.

An algorithm of agreement is a class with the members of `Agreement`, and a line in `_ALGORITHMS`; a
language names it in its `agreement.yaml`. A feature of the filler that its spelling does not show
is computed from the filler's reading (final sound, vowel harmony) or stated by its attributes
(gender); where it cannot be known, the answer is None and never a guess.

What a language contracts is data, in its `language.yaml`. Known are the last word of a text and
the first of a form, as they are written: `de` and `el nieto` give `del nieto`, but `de` and
`El Salvador` stay as they are, for names keep their capital.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from curation.languages import AgreementTexts, LanguageOrCode, load
from curation.languages.general import Elision, General
from curation.records.letters import LETTER
from curation.slots.grammar import ALONE, Filler, print_fillers

_OPENING = "\"'([{\u201c\u2018\u201e\u201a\u00ab\u2039\u300c\u300e\u300a\u3008\u00bf\u00a1"
_CLOSING = "\"')]}\u201d\u2019\u00bb\u203a\u300d\u300f\u300b\u3009"
_FINAL = tuple(".!?\u2026\u0589\u037e\u3002\uff01\uff1f")
_APOSTROPHES = "'\u2019"


class Joining:
    """How words of one language join.

    Args:
        general: The language.
    """

    def __init__(self, general: General) -> None:
        self._general = general
        self._contractions: dict[str, dict[str, str]] = {}
        for word, start, result in general.contractions:
            self._contractions.setdefault(word, {})[start] = result
        self._elisions = {word: rule for rule in general.elisions for word in rule.words}
        words = sorted({*self._contractions, *self._elisions}, key=len, reverse=True)
        either = "|".join(map(re.escape, words))
        pattern = rf"(?<!{LETTER})(?P<word>{either})(?P<space>\s+)\Z" if words else r"(?!)"
        self._last_word = re.compile(pattern, re.IGNORECASE)

    def join(self, before: str, forms: Sequence[str]) -> tuple[str, tuple[str, ...]]:
        """Join forms to the text before them.

        Args:
            before: The text.
            forms: The forms, any of which may follow it.

        Returns:
            The text without its last word where one of the forms contracts with that, else as
            it is; and the forms, which then begin with the word or what became of it.
        """
        match = self._last_word.search(before)
        word, space = (match["word"], match["space"]) if match else ("", "")
        joined = [self._contracted(word.lower(), form) for form in forms]
        if match is None or not any(joined):
            return before, tuple(forms)
        is_capital = word[:1].isupper()
        return before[: match.start()], tuple(
            (self.capital(new) if is_capital else new) if new else f"{word}{space}{form}"
            for new, form in zip(joined, forms, strict=True)
        )

    def _contracted(self, word: str, form: str) -> str | None:
        """A word and a form as they are written together; None where they stay apart."""
        for start, result in self._contractions.get(word, {}).items():
            if start[-1] in _APOSTROPHES:
                if form.startswith(tuple(start[:-1] + mark for mark in _APOSTROPHES)):
                    return result[:-1] + form[len(start) - 1 :]
            elif form == start or form.startswith(f"{start} "):
                return result + form[len(start) :]
        rule = self._elisions.get(word)
        if rule is not None and _elides(rule, form):
            return rule.words[word] + form
        return None

    def capital(self, form: str) -> str:
        """A form with a capital; one that begins with a digit stays as it is."""
        kinds = enumerate(map(unicodedata.category, form))  # Lm: an apostrophe of Hausa, a letter
        at = next((at for at, it in kinds if it[0] in "LN" and it != "Lm"), len(form))
        head, rest = form[:at], form[at:]
        for start, capital in self._general.capitals.items():
            if rest.startswith(start):
                rest = rest[len(start) :]
                # Small letters made by a program keep the dot of a Turkish capital as a sign.
                dot = unicodedata.normalize("NFD", capital)[-1]
                twice = unicodedata.combining(dot) and rest.startswith(dot)
                return head + capital + (rest[1:] if twice else rest)
        return head + rest[:1].title() + rest[1:]

    def opens_sentence(self, before: str, *, first: bool) -> bool:
        """Whether what follows a text begins a sentence.

        Args:
            before: The text between it and the slot before it.
            first: Whether there is no slot before it.
        """
        text = before.rstrip().rstrip(_OPENING).rstrip()
        if not text:
            return first
        said = text.rstrip(_CLOSING).rstrip()  # French has a space before what closes
        if text == before or not said.endswith(_FINAL):
            return False
        return said.split()[-1].strip(_OPENING).lower() not in self._general.abbreviations


def _elides(rule: Elision, form: str) -> bool:
    start = form.lstrip(_OPENING)
    lower = start.lower()
    word = re.split(r"[^\w]", lower, maxsplit=1)[0]
    if not word or start != form:
        return False
    return word in rule.also or (word[0] in rule.letters and not lower.startswith(rule.never))


@lru_cache(maxsize=64)
def joining_of(language: LanguageOrCode) -> Joining:
    """How words of a language join; nothing does where nobody has written how.

    Args:
        language: The language, or its ISO 639-1 code.
    """
    return Joining(load(language).general or General(name=str(language)))


class Agreement:
    """How one language makes a form agree with a filler.

    Attributes:
        common: The usual alternatives, which listed forms are tried against.
        is_capitalised: Whether a form that begins a sentence gets a capital, or the slot names the
            case.
        optional: Attributes that agreement looks at, and that a filler may well lack.
        values: Features that lists state for agreement, with their values; none where spelling
            tells.
        alone: What agrees without the name, as an example; empty where nothing does.
    """

    is_capitalised = False
    optional: frozenset[str] = frozenset()
    values: Mapping[str, tuple[str, ...]] = {}
    alone = ""

    def __init__(self, texts: AgreementTexts, joining: Joining) -> None:
        self._texts, self._joining, self.common = texts, joining, texts.common

    def form(self, filler: Filler, alternatives: str) -> str | None:
        """The filler with what agrees with it.

        Args:
            filler: The filler, with its reading in the language's own script where it is not
                read as it is written, and with what its list says of it (`gender: f`).
            alternatives: What stands after the bar in the slot, for example `a/an`.

        Returns:
            The form, or None when the filler's feature cannot be known.

        Raises:
            ValueError: If the language knows no such alternatives.
        """
        raise NotImplementedError

    def hint(self, filler: Filler) -> str:
        """What to write into the list, so that the form of a filler can be known."""
        return f"give its reading in the list of fillers: {filler.text}|reading"

    def pair(self, alternatives: str) -> tuple[str, str]:
        """Read two alternatives, the one of consonants first.

        Raises:
            ValueError: If the language knows no such alternatives.
        """
        raise NotImplementedError


class FeatureAgreement(Agreement):
    """Chooses among alternatives by the features of a filler, such as gender and number."""

    is_capitalised = True

    def __init__(self, texts: AgreementTexts, joining: Joining) -> None:
        super().__init__(texts, joining)
        self.optional = frozenset(texts.defaults)  # there is a value that names usually have
        usual = (words for words in self.common if words.startswith(ALONE))
        self.alone = texts.alone or next(usual, "")
        self.inflects = bool(texts.changing)
        """Whether names change with their place in the sentence."""
        found: dict[str, dict[str, None]] = {}
        for row in (row for rows in texts.features.values() for row in rows):
            for name, value in row.items():
                found.setdefault(name, {})[value] = None
        self.values = {name: tuple(values) for name, values in found.items()}

    def form(self, filler: Filler, alternatives: str) -> str | None:
        """The alternative with the filler after it; None where a feature is not stated.

        An article that loses its end before the name is written with it (`l'home`).

        Raises:
            ValueError: If the language has no rule for so many alternatives.
        """
        words = self._words(alternatives)
        rows = self._texts.features[len(words)]
        fitting = (
            word for word, row in zip(words, rows, strict=True) if self._has(filler, row, rows)
        )
        word = next(fitting, None)
        if word is None or alternatives.startswith(ALONE):
            return word
        first = filler.text.split()[:1]
        if first and first[0].lower() in self._texts.swapped_before:
            word = self._texts.swapped.get(word, word)
        kept, (form,) = self._joining.join(f"{word} ", (filler.text,))
        return kept + form

    def pair(self, alternatives: str) -> tuple[str, str]:
        """The first two alternatives.

        Raises:
            ValueError: If the language has no rule for so many alternatives.
        """
        first, second, *_ = self._words(alternatives)
        return first, second

    def changed(self, filler: Filler, word: str) -> str | None:
        """The named form to write in place of a word and a filler that changes after it.

        Args:
            filler: The filler.
            word: The word, an article say.

        Returns:
            What the form is called; None where the filler stays as it is, as far as is known.
        """
        for item in self._texts.changing:
            if (
                word.lower() in item.after
                and not (item.unless and filler.text.endswith(item.unless))
                and any(all(self._of(filler, k) == v for k, v in row.items()) for row in item.of)
            ):
                return item.form
        return None

    def hint(self, filler: Filler) -> str:
        """What to write into the list, so that the form of a filler can be known."""
        for name, values in self.values.items():
            if self._of(filler, name) not in values:
                said = filler.feature(name)
                told = f"its {name} is '{said}'" if said else f"its {name} is not given"
                ways = " or ".join(_written(filler, name, value) for value in values)
                return f"{told}: write in the list of fillers {ways}"
        return "write alternatives for its gender and number too, or list the forms"

    def _words(self, alternatives: str) -> list[str]:
        words = [word.strip() for word in alternatives.removeprefix(ALONE).split("/")]
        other_way = "/".join(reversed(words))
        if other_way in self._texts.common and "/".join(words) not in self._texts.common:
            raise ValueError(f"'{alternatives}' has the wrong order: write {other_way}")
        if len(words) not in self._texts.features or not all(words):
            counts = " or ".join(map(str, sorted(self._texts.features)))
            such = f"there must be {counts}, such as {self._texts.common[0]}"
            raise ValueError(f"'{alternatives}' has {len(words)} alternatives; {such}")
        return words

    def _of(self, filler: Filler, name: str) -> str | None:
        """A feature of a filler; published lists of names write it in capitals."""
        return (filler.feature(name) or self._texts.defaults.get(name, "")).lower() or None

    def _has(
        self, filler: Filler, wanted: Mapping[str, str], rows: Sequence[Mapping[str, str]]
    ) -> bool:
        """Whether a filler is of a row; of what no row tells it must be as names usually are."""
        told = {name for row in rows for name in row}
        usual = {name: value for name, value in self._texts.defaults.items() if name not in told}
        every = {**usual, **wanted}.items()
        return all(self._of(filler, name) == value for name, value in every)


def _written(filler: Filler, name: str, value: str) -> str:
    """A filler as a list holds it, with another value of a feature."""
    pairs = dict(filler.features) | {name: value}
    return print_fillers([replace(filler, features=tuple(pairs.items()))])[1:-1]


_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
# A vowel letter that begins with a consonant sound, and the reverse.
_CONSONANT_SOUND = re.compile(
    r"uni|unani|ubi|ugand|ukr|ukul|ura|uro|urug|use|usu|uta(?:h|$)|ute|uti|uto|uvu|eu|ewe"
    r"|one(?!r|id)|once|oui"
)
_NEGATED = re.compile(r"uni[mnd]")  # un-important, un-interesting, un-identified
_VOWEL_SOUND = re.compile(r"(?:hour|honest|honou?r|heir)")


class EnglishAgreement(Agreement):
    """Puts `a` or `an` before a name: it follows the first sound of the name."""

    def form(self, filler: Filler, alternatives: str) -> str | None:
        """The filler with its article; None when its first sound cannot be read.

        Raises:
            ValueError: If the alternatives are not `a/an` or `A/An`.
        """
        before_consonant, before_vowel = self.pair(alternatives)
        vowel = starts_with_vowel_sound(filler.reading or filler.text)
        if vowel is None:
            return None
        return f"{before_vowel if vowel else before_consonant} {filler.text}"

    def pair(self, alternatives: str) -> tuple[str, str]:
        """Read two articles as (before a consonant, before a vowel).

        Raises:
            ValueError: If the alternatives are not `a/an` or `A/An`.
        """
        article = alternatives.replace(" ", "")
        if article not in self.common:
            raise ValueError(f"'{alternatives}' is not {' or '.join(self.common)}")
        before_consonant, _, before_vowel = article.partition("/")
        return before_consonant, before_vowel


def starts_with_vowel_sound(name: str) -> bool | None:
    """Tell whether a name begins with a vowel sound; None for digits, acronyms and other scripts.

    Words in capitals are spelled out or read as words (an FBI agent, a NASA engineer), and
    a `y` before a consonant may be either: they need a reading.
    """
    match = _WORD.match(name.strip().lstrip("'\"‘“("))
    if match is None or not match[0].isascii():
        return None
    word = match[0]
    if len(word) > 1 and word.isupper():
        return None
    lower = word.lower()
    if len(lower) == 1 and lower not in "aio":
        return None
    if lower[0] == "y" and lower[1:2] not in "aeiou":
        return None
    if lower[0] in "aeiou":
        return _NEGATED.match(lower) is not None or _CONSONANT_SOUND.match(lower) is None
    return _VOWEL_SOUND.match(lower) is not None


_FIRST, _LAST = 0xAC00, 0xD7A3  # the syllables of Hangul, by initial, vowel and final
_FINALS = 28
_RIEUL = 8
_CLOSING_MARKS = "'\"’”」』》〉"


class KoreanAgreement(Agreement):
    """Chooses between two particles by the final sound of a name in Hangul."""

    def form(self, filler: Filler, alternatives: str) -> str | None:
        """The filler with its particle; None when its final sound cannot be read.

        Digits and Latin letters are read in more than one way, so they need a reading.

        Raises:
            ValueError: If the alternatives are no pair of particles.
        """
        after_consonant, after_vowel = self.pair(alternatives)
        final = final_sound(filler.reading or filler.text)
        if final is None:
            return None
        vowel_like = self._texts.rieul_as_vowel
        rieul_as_vowel = bool(vowel_like) and after_consonant.startswith(str(vowel_like))
        takes_vowel = final == 0 or (rieul_as_vowel and final == _RIEUL)
        return filler.text + (after_vowel if takes_vowel else after_consonant)

    def pair(self, alternatives: str) -> tuple[str, str]:
        """Read two particles, in either order, as (after a consonant, after a vowel).

        Raises:
            ValueError: If the two are no pair of particles.
        """
        sides = [side.strip() for side in alternatives.split("/")]
        for one, other in (sides, sides[::-1]) if len(sides) == 2 else ():
            if any(_is_pair(one, other, pair) for pair in self._texts.pairs):
                return one, other
        such = " or ".join(self.common[:3:2])
        raise ValueError(f"'{alternatives}' is not a pair of Korean particles such as {such}")


def _is_pair(consonant: str, vowel: str, pair: tuple[str, str]) -> bool:
    head, other = pair
    tail = consonant.removeprefix(head)
    are_of = (consonant, vowel) == (head + tail, other + tail)
    return are_of and bool(other or tail)


def final_sound(name: str) -> int | None:
    """The final consonant's index (0 none, 8 rieul) of a name that ends in Hangul, else None."""
    last = name.strip().rstrip(_CLOSING_MARKS)[-1:]
    if last and _FIRST <= ord(last) <= _LAST:
        return (ord(last) - _FIRST) % _FINALS
    return None


STEM = "stem"
"""The feature of a name whose last consonant softens before a vowel: `kitap {stem: kitab}`."""
POSSESSIVE = "possessive"
"""The feature of a name of several words that says whether it ends in a possessive ending."""
_YES, _NO = "yes", "no"


class TurkishAgreement(Agreement):
    """Writes a suffix such as `-(y)i`, `-de` or `-(n)in` in the form that the name asks for.

    In a suffix `e` stands for a or e, and `i` for one of the four close vowels; a letter in
    brackets stands between two vowels; `d` and `c` harden after a hard consonant. Suffixes are
    those of the language's `common` alone.
    """

    optional = frozenset({STEM, POSSESSIVE})
    is_capitalised = True

    def __init__(self, texts: AgreementTexts, joining: Joining) -> None:
        super().__init__(texts, joining)
        self._front = {word: vowel for vowel, words in texts.front.items() for word in words}

    def form(self, filler: Filler, alternatives: str) -> str | None:
        """The filler with the suffix; None when what it depends on cannot be known.

        A proper name keeps its spelling and takes an apostrophe.

        Raises:
            ValueError: If what is asked for is no suffix of the language.
        """
        buffer, body = self.pair(alternatives)
        written = alternatives.strip()
        name, read = filler.text.strip(), self._lower((filler.reading or filler.text).strip())
        vowel, last = self._last_vowel(read), read[-1:]
        if vowel is None or not last.isalpha() or self._last_word(read) in self._texts.irregular:
            return None
        ends_in_vowel, begins_with_vowel = last in self._texts.harmony, body[0] in "ei"
        if ends_in_vowel and self._may_be_possessive(name, read):
            possessive = filler.feature(POSSESSIVE)
            if possessive not in (_YES, _NO):
                return None
            if possessive == _YES:
                if written in self._texts.joined:
                    return None
                buffer = "n" if written in self._texts.pronominal else buffer
        suffix = (buffer if ends_in_vowel else "") + self._harmonised(
            body, vowel, hard=last in self._texts.hard
        )
        if name[:1].isupper():
            mark = "" if written in self._texts.joined else self._texts.apostrophe
            return name + mark + suffix
        if begins_with_vowel and last in self._texts.softening:
            stem = filler.feature(STEM)
            return None if stem is None else stem + suffix
        return name + suffix

    def pair(self, alternatives: str) -> tuple[str, str]:
        """Read a suffix as the letter between vowels, which may be empty, and what follows it.

        Raises:
            ValueError: If what is asked for is no suffix of the language.
        """
        written = alternatives.strip()
        if written not in self.common:
            raise ValueError(
                f"'{alternatives}' is not one of the suffixes {', '.join(self.common)}"
            )
        buffer, _, body = written.removeprefix("-(").rpartition(")")
        return buffer, body.removeprefix("-")

    def hint(self, filler: Filler) -> str:
        """What to write into the list, so that the form of a filler can be known."""
        name = filler.text.strip()
        return (
            f"list the forms, or write in the list of fillers its reading, {name}|reading, its "
            f"stem before a vowel, {name} {{{STEM}: ...}}, or whether it ends in a possessive "
            f"ending, {name} {{{POSSESSIVE}: yes}} or {{{POSSESSIVE}: no}}"
        )

    def _last_vowel(self, read: str) -> str | None:
        word = self._last_word(read)
        if word in self._front:
            return self._front[word]
        return next((each for each in reversed(read) if each in self._texts.harmony), None)

    @staticmethod
    def _last_word(read: str) -> str:
        return read.split()[-1] if read.split() else ""

    def _may_be_possessive(self, name: str, read: str) -> bool:
        """Whether a name of several words ends as one whose last word is possessed."""
        close = {pair[1] for pair in self._texts.harmony.values()}
        if len(name.split()) < 2 or read[-1] not in close:
            return False
        return not name[:1].isupper() or read[-2:-1] == "s"

    def _lower(self, text: str) -> str:
        for capital, small in self._texts.small.items():
            text = text.replace(capital, small)
        return text.lower()

    def _harmonised(self, body: str, vowel: str, *, hard: bool) -> str:
        harmony, out = self._texts.harmony, ""
        for at, character in enumerate(body):
            changes = dict(zip("ei", harmony[vowel], strict=True))
            if at == 0 and hard:
                changes = {**self._texts.hardened, **changes}
            out += changes.get(character, character)
            vowel = out[-1] if out[-1] in harmony else vowel
        return out


_ALGORITHMS: Mapping[str, type[Agreement]] = {
    "english": EnglishAgreement,
    "features": FeatureAgreement,
    "korean": KoreanAgreement,
    "turkish": TurkishAgreement,
}


@lru_cache(maxsize=64)
def agreement_for(language: LanguageOrCode) -> Agreement | None:
    """Find the agreement of a language by its ISO 639-1 code; None where none is written."""
    texts = load(language).agreement
    return None if texts is None else _ALGORITHMS[texts.algorithm](texts, joining_of(language))
