"""Agreement that a translation seems to ask for: proposed, for a person to confirm."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from curation.slots.agreement import agreement_for
from curation.slots.grammar import Slot, SlotText

_COMPOUNDS = (
    *("과의/와의", "과는/와는", "과도/와도", "으로는/로는", "으로도/로도", "으로서/로서"),
    *("으로써/로써", "으로부터/로부터", "이라도/라도", "이라면/라면"),
)
_NEVER = frozenset({"아/야"})
_END = r"(?![가-힣])"


@dataclass(frozen=True, slots=True)
class Proposal:
    """One place where agreement is proposed.

    Attributes:
        found: The slot and what follows it, as translated.
        proposed: The slot that is proposed for both.
    """

    found: str
    proposed: str


def propose(text: SlotText, language: str) -> tuple[SlotText, tuple[Proposal, ...]]:
    """Read a particle that follows a bare slot as agreement.

    Only Korean is known: a bare slot with a particle right after it, alone (`은`) or in the
    notation of both (`은(는)`), and no further syllable.

    Args:
        text: A translation.
        language: ISO 639-1 code.

    Returns:
        The text with the proposed slots, and each proposal.
    """
    if language.split("-")[0].lower() != "ko":
        return text, ()
    parts = list(text.parts)
    found: list[Proposal] = []
    for at, part in enumerate(parts[:-1]):
        after = parts[at + 1]
        if not isinstance(part, Slot) or not isinstance(after, str):
            continue
        if part.forms is not None or part.agreement is not None:
            continue
        match = _patterns().match(after)
        if match is None:
            continue
        pair = _pairs()[match[0]]
        parts[at] = Slot(part.name, agreement=pair)
        parts[at + 1] = after[match.end() :]
        found.append(Proposal(f"[{part.name}]{match[0]}", f"[{part.name}|{pair}]"))
    return SlotText(tuple(part for part in parts if part != "")), tuple(found)


@cache
def _pairs() -> dict[str, str]:
    """Give each way of writing one particle of a pair, with the pair."""
    agreement = agreement_for("ko")
    common = agreement.common if agreement else ()
    pairs = {}
    for pair in (*common, *_COMPOUNDS):
        if pair not in _NEVER:
            pairs.update(dict.fromkeys(_ways(pair), pair))
    return pairs


def _ways(pair: str) -> Iterator[str]:
    consonant, vowel = pair.split("/")
    yield from (consonant, vowel, f"{consonant}({vowel})", f"{vowel}({consonant})", pair)
    if consonant.endswith(vowel):
        yield f"({consonant.removesuffix(vowel)}){vowel}"


@cache
def _patterns() -> re.Pattern[str]:
    longest = sorted(_pairs(), key=len, reverse=True)
    return re.compile(f"(?:{'|'.join(map(re.escape, longest))}){_END}")
