"""What is asked of an engine for each unit, and which of its replies holds."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from curation.slots import SlotText
from curation.slots.protection import (
    BROKEN,
    Flag,
    Protected,
    bare,
    has_words,
    inspect,
    protect,
    restore,
)
from curation.stages.translate.units import Unit

_ASKED_AGAIN = BROKEN | {Flag.SPACING, Flag.MOVED}


@dataclass(frozen=True, slots=True)
class Wanted:
    """One distinct text of the bank, to be translated once.

    Attributes:
        source: The text.
        plain: As it is sent.
        filled: As it is sent again when a slot has suffered; None without slots or fillers.
        contexts: Contexts of the templates that it stands in, in the bank's order.
    """

    source: SlotText
    plain: Protected
    filled: Protected | None
    contexts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A text to send: with a context, for so many characters."""

    wire: str
    context: str
    characters: int


@dataclass(frozen=True, slots=True)
class Settled:
    """What has become of a text: its translation with what is to be looked at.

    `again` says that it was asked for a second time.
    """

    text: SlotText
    flags: tuple[Flag, ...]
    again: bool = False


Lookup = Callable[[str, str], str | None]
"""Gives the reply to a text in a context, where it is known."""


def wanted_texts(units: Iterable[Unit]) -> dict[SlotText, Wanted]:
    """Give the distinct texts of units, slots bare, in order.

    Texts that differ in their slots' names alone are sent as the same text, so they share
    their contexts.
    """
    contexts: dict[str, dict[str, None]] = {}
    first: dict[SlotText, tuple[Unit, Protected]] = {}
    for unit in units:
        plain = protect(unit.parsed)
        contexts.setdefault(plain.wire, {}).setdefault(unit.context)
        first.setdefault(bare(unit.parsed), (unit, plain))
    return {
        text: Wanted(unit.parsed, plain, _with_fillers(unit), tuple(contexts[plain.wire]))
        for text, (unit, plain) in first.items()
    }


def _with_fillers(unit: Unit) -> Protected | None:
    fillers = {name: filler for name, filler in unit.fillers if filler}
    return protect(unit.parsed, fillers) if fillers else None


def settle(
    wanted: Wanted, known: Lookup, language: str, *, again: bool = True
) -> Settled | Question:
    """Say what a text has become, or what is to be sent for it.

    A text without a letter outside slots is its own translation. A reply whose slots have
    suffered is asked for once more, with a filler in each tag; the better one of the two holds.

    Args:
        wanted: The text.
        known: The replies so far.
        language: ISO 639-1 code of the translation.
        again: Whether asking once more is of use.
    """
    if not has_words(wanted.source):
        return Settled(bare(wanted.source), ())
    context, reply = _first_known(wanted, known)
    if reply is None:
        return Question(wanted.plain.wire, context, wanted.plain.characters)
    first = _judged(wanted, wanted.plain, reply, language)
    if not again or wanted.filled is None or not _ASKED_AGAIN & {*first.flags}:
        return first
    second_reply = known(wanted.filled.wire, context)
    if second_reply is None:
        return Question(wanted.filled.wire, context, wanted.filled.characters)
    second = _judged(wanted, wanted.filled, second_reply, language)
    best = min((first, second), key=_weight)
    return Settled(best.text, best.flags, again=True)


def _first_known(wanted: Wanted, known: Lookup) -> tuple[str, str | None]:
    for context in wanted.contexts:
        reply = known(wanted.plain.wire, context)
        if reply is not None:
            return context, reply
    return wanted.contexts[0], None


def _judged(wanted: Wanted, sent: Protected, reply: str, language: str) -> Settled:
    text = restore(sent, reply)
    return Settled(text, inspect(wanted.source, text, language))


def _weight(settled: Settled) -> tuple[int, int]:
    return len(BROKEN & {*settled.flags}), len(settled.flags)


def settle_all(
    wanted: Mapping[SlotText, Wanted], known: Lookup, language: str, *, again: bool = True
) -> tuple[dict[SlotText, Settled], list[Question]]:
    """Settle texts.

    Returns:
        What is settled, by text with bare slots, and what is to be sent, each once.
    """
    settled: dict[SlotText, Settled] = {}
    questions: dict[tuple[str, str], Question] = {}
    for text, item in wanted.items():
        outcome = settle(item, known, language, again=again)
        if isinstance(outcome, Question):
            questions[outcome.wire, outcome.context] = outcome
        else:
            settled[text] = outcome
    return settled, list(questions.values())


def keys_of(wanted: Iterable[Wanted]) -> list[tuple[str, str]]:
    """Give every text and context whose reply may be known."""
    return [
        (sent.wire, context)
        for item in wanted
        for context in item.contexts
        for sent in (item.plain, item.filled)
        if sent is not None
    ]
