"""The placeholder of a person in a story, in the form that its place needs.

In some languages a particle follows the placeholder. A name may also describe a noun, as
"22-year-old" does in "the 22-year-old clerk"; what stands for it then goes with the noun. Whether a
name does so shows in the template's answers, in which the noun stands after it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from curation.languages import LanguageOrCode, load
from curation.languages.stories import Case
from curation.records.published import PLACEHOLDER_COLUMNS
from curation.slots import Filler, FillError, Slot, SlotList, SlotText, form_of, parse_text
from curation.slots.agreement import agreement_for
from curation.slots.grammar import ALONE
from curation.slots.proposals import propose
from evaluation.stories.languages import StoryLanguage

PEOPLE = ("N1", "N2")
"""The slots that people's names fill."""
_BOUND = {"N1": "X1", "N2": "X2"}


def placeholder_form(
    slot: Slot,
    fillers: Sequence[Filler],
    placeholder: str,
    code: LanguageOrCode,
    language: StoryLanguage,
    *,
    article: str = "",
) -> str | None:
    """A placeholder in the form of a slot.

    What stands before the name in a form goes with it, and so does an article; a possessive
    ending stays, and a particle is chosen by the placeholder's last sound.

    Args:
        slot: The slot that a person's name would fill.
        fillers: The names that its forms belong to.
        placeholder: What stands in their place.
        code: The language, or its ISO 639-1 code.
        language: What the language needs.
        article: The article that stands before the slot in the text.

    Returns:
        The form; None where the forms of the slot follow no rule that could be applied to it.
    """
    texts = load(code).agreement
    if slot.named is not None:
        try:
            forms = tuple(form_of(slot, filler, at, code) for at, filler in enumerate(fillers))
        except FillError:
            return None
        slot = Slot(slot.name, forms=forms)
    if texts is None or not (texts.after or texts.harmony):  # an article goes with the name
        if language.prefixes and slot.forms is not None:
            return _prefixed(slot.forms, fillers, placeholder, language)
        leads = _leads(slot, fillers, article, code)
        declined = _declined(placeholder, leads, language)
        if declined is None:
            return None
        return _preposition(leads, language) + declined + _possessive(slot, fillers, language)
    if slot.forms is None:
        return _form(slot, placeholder, code, language)
    agreement = agreement_for(code)
    read = _named_tails(slot, fillers)
    if agreement is None or not read:
        return None
    distinct = sorted({tail for _, tail in read})
    if any(tail in language.impersonal for tail in distinct):
        return None
    if len(distinct) == 1 and distinct[0] in language.honorifics:
        plain = language.honorifics[distinct[0]]
        return (
            _form(Slot(slot.name, agreement=plain), placeholder, code, language)
            or placeholder + plain
        )
    pairs = [*agreement.common, *("/".join(pair) for pair in texts.pairs if all(pair))]
    for candidate in _candidates(slot.name, distinct, pairs):
        if _gives(candidate, read, code):
            return _form(candidate, placeholder, code, language)
    if texts.harmony and distinct != [""]:
        return None  # the suffix of one name is not that of another
    return placeholder + distinct[0] if len(distinct) == 1 else None


_Lead = tuple[str, Mapping[str, str]]
"""What stands before a name, and the features of the name."""


def _leads(
    slot: Slot, fillers: Sequence[Filler], article: str, code: LanguageOrCode
) -> list[_Lead]:
    """What stands before each name, in the slot or before it, with the features of the name."""
    texts = load(code).agreement
    defaults = texts.defaults if texts is not None else {}
    if slot.agreement is not None:
        words = [word.strip() for word in slot.agreement.split("/")]
        rows = texts.features.get(len(words), ()) if texts is not None else ()
        return [(word, {**defaults, **row}) for word, row in zip(words, rows, strict=False)]
    features: list[Mapping[str, str]] = [
        {**defaults, **dict(filler.features)} for filler in fillers
    ]
    if slot.forms is None:
        return [(article, row) for row in features]
    found: list[_Lead] = []
    for form, filler, row in zip(slot.forms, fillers, features, strict=False):
        at = form.rfind(filler.text)
        if at >= 0:
            found.append((form[:at].strip() or article, row))
    return found


def _prefixed(
    forms: Sequence[str], fillers: Sequence[Filler], placeholder: str, language: StoryLanguage
) -> str | None:
    """The placeholder with what is written to all names; None where that is no known prefix."""
    found = {
        form[: form.rfind(filler.text)]
        for form, filler in zip(forms, fillers, strict=False)
        if filler.text in form
    }
    prefix = found.pop() if len(found) == 1 else None
    if prefix is None:
        return None
    before, form = language.joined(prefix, placeholder)
    return None if before.strip() else form


def _preposition(leads: Sequence[_Lead], language: StoryLanguage) -> str:
    """The preposition that all forms of a slot begin with, such as 'a' of 'al' and 'a la'."""
    words = {language.split_article(f"{lead} ")[0].strip().casefold() for lead, _ in leads}
    word = words.pop() if len(words) == 1 else ""
    return f"{word} " if language.is_preposition(word) else ""


def _declined(placeholder: str, leads: Sequence[_Lead], language: StoryLanguage) -> str | None:
    """The placeholder in the case of the articles; None where they are of several."""
    number = language.placeholders.index(placeholder)
    possible = {case.placeholders or language.placeholders for case in language.cases}
    articles = [(language.split_article(f"{lead} ")[1], row) for lead, row in leads]
    articles = [(article, row) for article, row in articles if article]
    if not possible or not articles:
        return placeholder
    for article, row in articles:
        possible &= {
            case.placeholders or language.placeholders
            for case in language.cases
            if article in _articles_of(case, row)
        }
    return possible.pop()[number] if len(possible) == 1 else None


def _articles_of(case: Case, features: Mapping[str, str]) -> set[str]:
    """The articles of a case before a name; those of every gender where it is not stated."""
    gender = "p" if features.get("number") == "p" else features.get("gender", "")
    rows = (case.articles[gender],) if gender in case.articles else case.articles.values()
    return {word for row in rows for word in row}


def alone_form(slot: Slot, code: LanguageOrCode, language: StoryLanguage) -> str | None:
    """A word without the name that agrees with a person, `[N1|=a/b]`, as it is of a placeholder.

    Returns:
        The word; None where the slot is no such word, or the placeholders' features are not known.
    """
    if not is_alone(slot):
        return None
    return _form(slot, language.placeholders[0], code, language)


def is_alone(slot: Slot) -> bool:
    """Say whether a slot writes a word that agrees with a name, without the name."""
    return slot.agreement is not None and slot.agreement.startswith(ALONE)


def _form(
    slot: Slot, text: str, code: LanguageOrCode, language: StoryLanguage | None = None
) -> str | None:
    """A slot filled with a text, which has the placeholders' features where a language is given."""
    features = tuple(language.features.items()) if language is not None else ()
    try:
        return form_of(slot, Filler(text, features=features), 0, code)
    except FillError:
        return None


def _possessive(slot: Slot, fillers: Sequence[Filler], language: StoryLanguage) -> str:
    """The possessive ending that all forms of a slot have and no filler."""
    if not slot.forms:
        return ""
    for ending in language.possessives:
        if all(form.endswith(ending) for form in slot.forms) and not any(
            filler.text.endswith(ending) for filler in fillers
        ):
            return ending
    return ""


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


def _named_tails(slot: Slot, fillers: Sequence[Filler]) -> list[tuple[Filler, str]]:
    """Each name in the forms of a slot, with what follows it; nothing where one cannot be told.

    A form that words a name otherwise ends as another form does. Forms without a name, and names
    without a form, say nothing.
    """
    found = [
        (filler, form, _tail(form, filler.text))
        for form, filler in zip(slot.forms or (), fillers, strict=False)
    ]
    known = sorted({tail for _, _, tail in found if tail}, key=len, reverse=True)
    read: list[tuple[Filler, str]] = []
    for filler, form, tail in found:
        if tail is not None:
            read.append((filler, tail))
            continue
        end = next((item for item in known if form.endswith(item)), None)
        if end is None:
            return []
        read.append((Filler(form[: -len(end)]), end))
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
        if len(sides) == 1:
            yield Slot(name, agreement=pair)
            continue
        for rest in dict.fromkeys(
            tail[len(side) :] for tail in tails for side in sides if side and tail.startswith(side)
        ):
            yield Slot(name, agreement="/".join(side + rest for side in sides))


def _gives(slot: Slot, read: Sequence[tuple[Filler, str]], code: LanguageOrCode) -> bool:
    """Say whether a slot gives each filler its tail."""
    try:
        return all(form_of(slot, filler, 0, code) == filler.text + tail for filler, tail in read)
    except (FillError, ValueError):
        return False


@dataclass(frozen=True, slots=True)
class Stated:
    """What a template itself says of the placeholder of one person.

    Attributes:
        adjective: Whether it stands before a noun.
        particles: What follows it, one for each mention; the first where there are more mentions.
    """

    adjective: bool = False
    particles: tuple[str, ...] = ()

    def form(self, mention: int, placeholder: str, adjective: str) -> str:
        """The placeholder at a mention, counted from 0."""
        if not self.particles:
            return adjective if self.adjective else placeholder
        at = mention if mention < len(self.particles) else 0
        return (adjective if self.adjective else placeholder) + self.particles[at]


def stated_placeholders(extra: Iterable[tuple[str, str]]) -> dict[str, Stated]:
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
        found[slot] = Stated(adjective, tuple(part for part in particles if part))
    return found


class Describer:
    """Tells where a name describes a noun, in a language whose particles follow the name.

    Args:
        answers: The answers of the template, with slots.
        code: The language, or its ISO 639-1 code.
        language: What the language needs.
        lists: The lists by slot.
    """

    def __init__(
        self,
        answers: Sequence[str],
        code: LanguageOrCode,
        language: StoryLanguage,
        lists: Mapping[str, SlotList],
    ) -> None:
        texts = load(code).agreement
        self._is_asked = bool(texts and texts.after and language.adjectives)
        self._code, self._language, self._lists = code, language, lists
        self._nouns = _nouns(answers) if self._is_asked else {}

    def described(
        self, slot: Slot, following: Sequence[str | Slot]
    ) -> tuple[Slot | None, list[str | Slot]] | None:
        """Take what describes a noun out of a text.

        Args:
            slot: The slot of a person.
            following: The text after it.

        Returns:
            None where the name stands for the person alone. Otherwise the text after the
            placeholder, and, where the noun goes as well, the slot whose particle it gets.
        """
        if not self._is_asked:
            return None
        fillers = self._lists[slot.name].fillers if slot.name in self._lists else ()
        try:
            forms = slot.forms or [
                form_of(slot, filler, at, self._code) for at, filler in enumerate(fillers)
            ]
        except FillError:
            return None
        tails = {_tail(form, name.text) for form, name in zip(forms, fillers, strict=False)}
        text = following[0] if following and isinstance(following[0], str) else ""
        rests = {self._rest(slot.name, tail, text) for tail in tails}
        if len(rests) != 1 or None in rests:
            return None
        rest = rests.pop() or ""
        after = list(following[1:] if text else following)
        noun = after[0] if after and not rest.strip() else None
        if isinstance(noun, Slot) and noun.name == _BOUND[slot.name]:
            return self._without_noun(slot, noun, after[1:])
        return None, [item for item in (f" {rest.lstrip()}", *after) if item]

    def _rest(self, name: str, tail: str | None, text: str) -> str | None:
        """What follows the description; None where the name describes nothing."""
        language = self._language
        noun = self._nouns.get(name, "")
        for words in sorted(language.descriptive, key=len, reverse=True):
            if f"{tail or ''}{text}".startswith(f"{words} "):
                return self._one(f"{tail or ''}{text}".removeprefix(words))
        if not noun:
            return None
        is_plain = not tail or tail in language.attributive or " " in tail
        rest = text.lstrip()
        words = next(
            (
                item
                for item in sorted(language.describing, key=len, reverse=True)
                if rest.startswith(f"{item} ")
            ),
            "",
        )
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
        after = SlotText((Slot("N1"), rest.removeprefix(single + plural)))
        slot, *others = propose(after, self._code)[0].parts
        form = _form(slot, single, self._code) if isinstance(slot, Slot) else None
        return (form or single) + "".join(item for item in others if isinstance(item, str))

    def _without_noun(
        self, slot: Slot, noun: Slot, following: Sequence[str | Slot]
    ) -> tuple[Slot, list[str | Slot]]:
        """Take away a noun that goes with the name, and give its particle to the placeholder."""
        text = SlotText((Slot(slot.name), *following))
        if noun.forms is None:
            found, _ = propose(text, self._code)
            first, *rest = found.parts
            return (first if isinstance(first, Slot) else Slot(slot.name)), rest
        read = _named_tails(
            noun, self._lists[noun.name].fillers if noun.name in self._lists else ()
        )
        tails = sorted({tail for _, tail in read})
        first = propose(SlotText((Slot(slot.name), *tails[:1])), self._code)[0].parts[0]
        return (first if isinstance(first, Slot) else Slot(slot.name)), list(following)


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
