"""Slots in translations: protected from an engine, restored, verified, and agreement proposed.

Each occurrence of a slot becomes one empty tag `<x id="n"/>`, whatever stands in its brackets.
Listed forms and agreement belong to the source language and stay there; that a named form is asked
for (`[N1.def]`) holds in any language, and comes back. What comes back is read as XML, and is put
back into slots only when every tag has come back once and empty. Everything else stays as it came,
so that a person sees it. Agreement that a translation seems to ask for is proposed to people.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from operator import itemgetter
from xml.etree import ElementTree as ET  # entities cannot be declared in a fragment

from curation.languages import AgreementTexts, Language, LanguageOrCode, load
from curation.languages.language import has_spaces, has_suffixes
from curation.records.letters import in_word
from curation.slots.grammar import ALONE, Slot, SlotText

_LONGEST_ARTICLE = 3
_ENTITY = re.compile(r"&(?:[A-Za-z]+|#[0-9]+|#x[0-9A-Fa-f]+);")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_OPENING = frozenset("\"'([{“‘„‚«‹「『《〈¿¡-–—/")


class Flag(StrEnum):
    """What a person has to look at in a translation.

    `unreadable`: its brackets are no slots. `empty`. `markup`: tags or entities are left in it.
    `slots`: not the source's slots. `spacing`: a space next to a slot was lost or added.
    `moved`: a slot was moved to the front. `order`: slots of one kind stand in another order, as
    they do where an engine exchanged two people. `same`: it equals the source.
    """

    UNREADABLE = "unreadable"
    EMPTY = "empty"
    MARKUP = "markup"
    SLOTS = "slots"
    SPACING = "spacing"
    MOVED = "moved"
    ORDER = "order"
    SAME = "same"


BROKEN = frozenset({Flag.UNREADABLE, Flag.EMPTY, Flag.MARKUP, Flag.SLOTS})
"""Flags of a text that cannot be used as it is."""


def flagged(flag: Flag, language: LanguageOrCode = "en") -> str:
    """What a flag says to a person, in a language that has a text for it, else in English."""
    texts = (load(one).annotation for one in (language, "en"))
    known = (one.workbooks.flags for one in texts if one is not None)
    return next(one[flag] for one in known if flag in one)


@dataclass(frozen=True, slots=True)
class Protected:
    """A text as it is sent.

    Attributes:
        wire: XML in which slot n is the tag `x` with that id, from 1.
        slots: The slots, in order.
        inside: What stands in each tag; empty texts unless fillers were asked for.
        characters: Code points outside tags, the fillers in them included.
    """

    wire: str
    slots: tuple[Slot, ...]
    inside: tuple[str, ...]
    characters: int


def escape(text: str) -> str:
    """Escape the three characters that XML takes for its own, and no other."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def protect(text: SlotText, fillers: Mapping[str, str] | None = None) -> Protected:
    """Put tags in the place of slots.

    Args:
        text: The text.
        fillers: A filler by what a slot asks for (`N1`, `N1.def`), to stand in its tag; by
            default tags are empty.
    """
    wire: list[str] = []
    slots: list[Slot] = []
    inside: list[str] = []
    characters = 0
    for part in text.parts:
        if isinstance(part, str):
            wire.append(escape(part))
            characters += len(part)
            continue
        slots.append(part)
        filler = (fillers or {}).get(part.key, "")
        inside.append(filler)
        characters += len(filler)
        number = len(slots)
        wire.append(f'<x id="{number}">{escape(filler)}</x>' if filler else f'<x id="{number}"/>')
    return Protected("".join(wire), tuple(slots), tuple(inside), characters)


def restore(sent: Protected, reply: str) -> SlotText:
    """Put slots in the place of tags, without listed forms and agreement.

    Args:
        sent: What was sent.
        reply: What came back.

    Returns:
        The text with a slot for each tag; the reply as it came, tags and all, unless
        exactly the tags that were sent are in it, with nothing inside but what was sent there.
    """
    as_it_came = SlotText(_joined([reply.strip()]))
    try:
        root = ET.fromstring(f"<r>{reply.strip()}</r>")  # noqa: S314  # see the import
    except ET.ParseError:
        return as_it_came
    numbers = [_number(tag, sent) for tag in root]
    if sorted(numbers) != [*range(1, len(sent.slots) + 1)]:
        return as_it_came
    parts: list[str | Slot] = [root.text or ""]
    for number, tag in zip(numbers, root, strict=True):
        parts += [_carried(sent.slots[number - 1]), tag.tail or ""]
    return SlotText(_joined(parts))


def _number(tag: ET.Element, sent: Protected) -> int:
    """The number of a tag that is as it was sent; 0 for any other."""
    text = tag.get("id", "")
    known = tag.tag == "x" and set(tag.attrib) == {"id"} and len(tag) == 0
    if not known or not text.isdecimal() or not 1 <= int(text) <= len(sent.slots):
        return 0
    content = (tag.text or "").strip()
    return int(text) if content in ("", sent.inside[int(text) - 1].strip()) else 0


def _joined(parts: Iterable[str | Slot]) -> tuple[str | Slot, ...]:
    return tuple(part for part in parts if part != "")


def bare(text: SlotText) -> SlotText:
    """A text with its slots as a translation has them, without listed forms and agreement."""
    return SlotText(tuple(p if isinstance(p, str) else _carried(p) for p in text.parts))


def _carried(slot: Slot) -> Slot:
    return Slot(slot.name, named=slot.named)


def literal(text: SlotText) -> str:
    """The text outside slots."""
    return "".join(part for part in text.parts if isinstance(part, str))


def has_words(text: SlotText) -> bool:
    """Whether a text has a letter outside slots, so that it must be translated."""
    return any(character.isalpha() for character in literal(text))


def inspect(source: SlotText, target: SlotText, language: LanguageOrCode) -> tuple[Flag, ...]:
    """Say what a person has to look at in a translation; nothing where all is well.

    Args:
        source: The source text.
        target: Its translation.
        language: That of the translation, or its ISO 639-1 code; decides where spaces belong.
    """
    flags = [Flag.EMPTY] if _says_nothing(source, target) else []
    if _markup(literal(target)) - _markup(literal(source)):
        flags.append(Flag.MARKUP)
    if any(slot_difference(source, target)):
        return (*flags, Flag.SLOTS)
    known = load(language)
    if _spacing_changed(source, target, known):
        flags.append(Flag.SPACING)
    if _moved_to_front(source, target, known):
        flags.append(Flag.MOVED)
    if reordered(source, target):
        flags.append(Flag.ORDER)
    if has_words(source) and bare(source) == bare(target):
        flags.append(Flag.SAME)
    return tuple(flags)


def slot_difference(source: SlotText, target: SlotText) -> tuple[Counter[str], Counter[str]]:
    """Count the slots that a translation lacks, and those that it has too often.

    Where a language makes more words agree than the source has slots, they come besides: a word
    alone (`[N1|=cansado/cansada]`), listed forms or a named form. A word alone names nobody, so
    that it is none of those that the source asks for.
    """
    wanted = Counter(slot.name for slot in source.slots if not slot.is_word)
    found = [slot for slot in target.slots if not slot.is_word]
    names = (slot.name for slot in found if slot.forms is None and slot.named is None)
    return wanted - Counter(slot.name for slot in found), Counter(names) - wanted


def reordered(source: SlotText, target: SlotText) -> bool:
    """Say whether slots of one kind (N, W, X) stand in another order in a translation.

    Only those of one kind can be exchanged unseen: 'N2 was up, while N1 slept'. Where a language
    makes more words agree than the source has slots, the order of first use is compared.
    """
    names = [[slot.name for slot in text.slots if not slot.is_word] for text in (source, target)]
    if Counter(names[0]) != Counter(names[1]):
        names = [list(dict.fromkeys(each)) for each in names]
    kinds = {name[0] for name in names[0]}
    own = ([name for name in each if name[0] in kinds] for each in names)
    one, other = (sorted(each, key=itemgetter(0)) for each in own)  # each kind as it stands
    return one != other


def _says_nothing(source: SlotText, target: SlotText) -> bool:
    """Whether the words of a text are gone; an article may go."""
    if has_words(target) or not has_words(source):
        return False
    letters = sum(character.isalpha() for character in literal(source))
    return not target.slots or letters > _LONGEST_ARTICLE


def _markup(text: str) -> set[str]:
    characters = {character for character in "<>&" if character in text}
    return characters | set(_ENTITY.findall(text)) | set(_TAG.findall(text))


def _spacing_changed(source: SlotText, target: SlotText, language: Language) -> bool:
    if not has_spaces(language):
        return False
    is_attached = has_suffixes(language)
    spaces: dict[str, list[tuple[bool, bool]]] = {}
    for slot, before, after in _sides(source):
        both = before[-1:].isspace(), after[:1].isspace()
        spaces.setdefault(slot.name, []).append(both)
    for slot, before, after in _sides(target):
        if slot.is_word or not spaces.get(slot.name):
            continue  # the source has no word here to compare with
        left, right = spaces[slot.name].pop(0)
        if left and before and not before[-1].isspace() and before[-1] not in _OPENING:
            return True
        lost = right and in_word(after) and not is_attached
        if lost or (after[:1].isspace() and after.lstrip()[:1] in tuple(".,")):
            return True
        if _detached(language).match(after):
            return True
    return False


@lru_cache(maxsize=64)
def _detached(language: Language) -> re.Pattern[str]:
    """A pattern of words that are written with the name before them, after a space."""
    texts = language.agreement
    words = "|".join(map(re.escape, texts.attached)) if texts else ""
    return re.compile(rf"\s+(?:{words})(?=[\s.,?!]|$)" if words else "(?!)")


def _sides(text: SlotText) -> list[tuple[Slot, str, str]]:
    """Each slot with what stands before and after it; a slot there counts as a letter."""
    around = ("", *(part if isinstance(part, str) else "x" for part in text.parts), "")
    return [
        (part, around[at], around[at + 2])
        for at, part in enumerate(text.parts)
        if isinstance(part, Slot)
    ]


def _moved_to_front(source: SlotText, target: SlotText, language: Language) -> bool:
    """Whether a slot stands first that stood deep in the source, as a lost tag does.

    In a language of suffixes a slot with one is a word in its place.
    """
    if not target.parts or not isinstance(target.parts[0], Slot):
        return False
    first = source.parts[0] if source.parts else ""
    if isinstance(first, Slot) or len(first.split()) <= 1:
        return False
    after = target.parts[1] if len(target.parts) > 1 else ""
    attached = isinstance(after, str) and in_word(after)
    return not (attached and has_suffixes(language))


Article = dict[str, str]
"""An article at the end of a text, before a name: the `word` as it is written, of a contracted one
without the word before; `written`, the same with that word, as it stands in the text; the text
`before` it; the `alternatives` that agreement writes for it: `un/una`; and those `proposed`, none
where most names change after it."""


def propose(text: SlotText, language: LanguageOrCode) -> tuple[SlotText, int]:
    """Read a particle that follows a bare slot, or an article before one, as agreement.

    Where agreement follows the name, that is a particle right after it, alone or in the notation
    of both with brackets, and no further letter. Where it follows features of the name, it is one
    of the articles among the language's common alternatives.

    Args:
        text: A translation.
        language: The language, or its ISO 639-1 code.

    Returns:
        The text with the proposed slots, and how many they are.
    """
    parts = list(text.parts)
    found = 0
    for at, part in enumerate(text.parts):
        if not isinstance(part, Slot) or not part.is_bare:
            continue
        proposed = (_with_particle if _following(language) else _with_article)(parts, at, language)
        if proposed is not None:
            parts[at] = Slot(part.name, agreement=proposed)
            found += 1
    return SlotText(_joined(parts)), found


def _with_particle(parts: list[str | Slot], at: int, language: LanguageOrCode) -> str | None:
    """The agreement of the particle after a slot, which is taken out of the text."""
    pairs, pattern = _known(language)
    after = parts[at + 1] if at + 1 < len(parts) else None
    match = pattern.match(after) if isinstance(after, str) else None
    if match is None:
        return None
    parts[at + 1] = match.string[match.end() :]
    return pairs[match[0]]


def _with_article(parts: list[str | Slot], at: int, language: LanguageOrCode) -> str | None:
    """The agreement of the article before a slot, which is taken out of the text."""
    before = parts[at - 1] if at else None
    article = article_before(before, language) if isinstance(before, str) else None
    if article is None or not article["proposed"]:
        return None
    parts[at - 1] = article["before"]
    return article["proposed"]


def article_before(text: str, language: LanguageOrCode) -> Article | None:
    """The article that a text ends in; None where there is none, or it may be one of several.

    A contracted one is taken apart: `del` is `de` and `el`.
    """
    known, contracted = _articles(language)
    word = written = text.split()[-1] if text[-1:] == " " and text.strip() else ""
    before = text.rstrip().removesuffix(written)
    if written.lower() in contracted:
        kept, word = contracted[written.lower()]
        before += f"{kept.capitalize() if written[0].isupper() else kept} "
    alternatives = known.get(word.lower())
    texts = load(language).agreement
    if alternatives is None or texts is None:
        return None
    proposed = "" if alternatives in texts.never_proposed else alternatives
    found = {"word": word, "written": written, "before": before}
    return {**found, "alternatives": alternatives, "proposed": proposed}


@lru_cache(maxsize=64)
def _articles(language: LanguageOrCode) -> tuple[dict[str, str], dict[str, tuple[str, str]]]:
    """The alternatives of each article that tells them, and what contracted words are made of."""
    found = load(language)
    texts = found.agreement
    if texts is None or texts.algorithm != "features":
        return {}, {}
    sets: dict[str, list[list[str]]] = {}
    for written in (*texts.common, *texts.never_proposed):
        words = written.lower().split("/")
        for word in words if not written.startswith(ALONE) else ():
            sets.setdefault(word, []).append(words)
    known = {}
    for word, rows in sets.items():
        shortest = min(rows, key=len)
        if all(row[: len(shortest)] == shortest for row in rows):
            known[word] = "/".join(shortest)
    parts = found.general.contractions if found.general else ()
    return known, {whole: (first, second) for first, second, whole in parts}


def _following(language: LanguageOrCode) -> AgreementTexts | None:
    """The agreement of a language in which it follows the name, and is written with it."""
    texts = load(language).agreement
    return texts if texts is not None and texts.after else None


@lru_cache(maxsize=64)
def _known(language: LanguageOrCode) -> tuple[dict[str, str], re.Pattern[str]]:
    """Each way of writing one particle of a pair, with the pair; and a pattern of all ways."""
    texts = _following(language)
    if texts is None:
        return {}, re.compile("(?!)")
    pairs: dict[str, str] = {}
    for pair in (*texts.common, *texts.compounds):
        if pair not in texts.never_proposed:
            pairs.update(dict.fromkeys(_ways(pair), pair))
    longest = sorted(pairs, key=len, reverse=True)
    return pairs, re.compile(f"(?:{'|'.join(map(re.escape, longest))})(?![{texts.letters}])")


def _ways(pair: str) -> Iterator[str]:
    consonant, vowel = pair.split("/")
    yield from (consonant, vowel, f"{consonant}({vowel})", f"{vowel}({consonant})", pair)
    if consonant.endswith(vowel):
        yield f"({consonant.removesuffix(vowel)}){vowel}"
