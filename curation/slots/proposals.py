"""Agreement that a translation seems to ask for: proposed, for a person to confirm."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from curation.languages import AgreementTexts, LanguageOrCode, load
from curation.slots.grammar import ALONE, Slot, SlotText


@dataclass(frozen=True, slots=True)
class Proposal:
    """One place where agreement is proposed.

    Attributes:
        found: The slot and what follows it, or the article before it, as translated.
        proposed: The slot that is proposed for both.
    """

    found: str
    proposed: str


@dataclass(frozen=True, slots=True)
class Article:
    """An article at the end of a text, before a name.

    Attributes:
        word: As it is written; what it is contracted of without the word before.
        written: The same with that word, as it stands in the text.
        before: The text without it.
        alternatives: What agreement writes for it: `un/una`.
        is_proposed: Whether that is enough: it is not where most names change after it.
    """

    word: str
    written: str
    before: str
    alternatives: str
    is_proposed: bool


def propose(text: SlotText, language: LanguageOrCode) -> tuple[SlotText, tuple[Proposal, ...]]:
    """Read a particle that follows a bare slot, or an article before one, as agreement.

    Where agreement follows the name, that is a particle right after it, alone or in the notation
    of both with brackets, and no further letter. Where it follows features of the name, it is one
    of the articles among the language's common alternatives.

    Args:
        text: A translation.
        language: The language, or its ISO 639-1 code.

    Returns:
        The text with the proposed slots, and each proposal.
    """
    if _following(language) is None:
        return _with_articles(text, language)
    pairs, pattern = _known(language)
    parts = list(text.parts)
    found: list[Proposal] = []
    for at, part in enumerate(parts[:-1]):
        after = parts[at + 1]
        if not isinstance(part, Slot) or not isinstance(after, str):
            continue
        if not part.is_bare:
            continue
        match = pattern.match(after)
        if match is None:
            continue
        pair = pairs[match[0]]
        parts[at] = Slot(part.name, agreement=pair)
        parts[at + 1] = after[match.end() :]
        found.append(Proposal(f"[{part.name}]{match[0]}", f"[{part.name}|{pair}]"))
    return SlotText(tuple(part for part in parts if part != "")), tuple(found)


def _with_articles(
    text: SlotText, language: LanguageOrCode
) -> tuple[SlotText, tuple[Proposal, ...]]:
    parts = list(text.parts)
    found: list[Proposal] = []
    for at, part in enumerate(parts):
        before = parts[at - 1] if at else ""
        if not isinstance(part, Slot) or not part.is_bare or not isinstance(before, str):
            continue
        article = article_before(before, language)
        if article is not None and article.is_proposed:
            parts[at - 1] = article.before
            parts[at] = Slot(part.name, agreement=article.alternatives)
            kept = f"{article.before.split()[-1]} " if article.written != article.word else ""
            found.append(
                Proposal(
                    f"{article.written} [{part.name}]",
                    f"{kept}[{part.name}|{article.alternatives}]",
                )
            )
    return SlotText(tuple(part for part in parts if part != "")), tuple(found)


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
    proposed = alternatives not in texts.never_proposed
    return Article(word, written, before, alternatives, proposed)


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
