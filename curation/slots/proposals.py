"""Agreement that a translation seems to ask for: proposed, for a person to confirm."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from curation.languages import AgreementTexts, LanguageOrCode, load
from curation.slots.grammar import Slot, SlotText


@dataclass(frozen=True, slots=True)
class Proposal:
    """One place where agreement is proposed.

    Attributes:
        found: The slot and what follows it, as translated.
        proposed: The slot that is proposed for both.
    """

    found: str
    proposed: str


def propose(text: SlotText, language: LanguageOrCode) -> tuple[SlotText, tuple[Proposal, ...]]:
    """Read a particle that follows a bare slot as agreement.

    Known are languages whose agreement follows the name: a bare slot with a particle right after
    it, alone or in the notation of both with brackets, and no further letter.

    Args:
        text: A translation.
        language: The language, or its ISO 639-1 code.

    Returns:
        The text with the proposed slots, and each proposal.
    """
    if _following(language) is None:
        return text, ()
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
