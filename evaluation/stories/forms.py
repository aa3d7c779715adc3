"""The form that a placeholder takes where a person's name stood: with particle, or as it is."""

from collections.abc import Iterator, Sequence

from curation.slots import Filler, FillError, Slot, form_of
from curation.slots.agreement import Agreement, agreement_for
from evaluation.stories.languages import StoryLanguage

# A language whose agreement puts something after the name; the article of English goes with it.
_AFTER = "ko"


def placeholder_form(
    slot: Slot, fillers: Sequence[Filler], placeholder: str, code: str, language: StoryLanguage
) -> str | None:
    """Give a placeholder as it stands in a slot.

    What stands before the name in a form goes with it, and so does an article; a possessive
    ending stays, and a particle is chosen by the placeholder's last sound.

    Args:
        slot: The slot that a person's name would fill.
        fillers: The names that its forms belong to.
        placeholder: What stands in their place.
        code: ISO 639-1 code of the language.
        language: What the language needs.

    Returns:
        The form; None where the forms of the slot follow no rule that could be applied to it.
    """
    if code.split("-")[0].lower() != _AFTER:
        return placeholder + _possessive(slot, fillers, language)
    if slot.forms is None:
        return _form(slot, placeholder, code)
    agreement = agreement_for(code)
    if agreement is None or len(slot.forms) != len(fillers):
        return None
    tails = [_tail(form, filler.text) for form, filler in zip(slot.forms, fillers, strict=True)]
    if any(tail is None for tail in tails):
        return None
    named = [Filler(f.text, f.reading) for f in fillers]
    distinct = sorted({tail for tail in tails if tail is not None})
    for candidate in _candidates(slot.name, distinct, agreement):
        if _gives(candidate, named, tails, code):
            return _form(candidate, placeholder, code)
    return placeholder + distinct[0] if len(distinct) == 1 else None


def _form(slot: Slot, placeholder: str, code: str) -> str | None:
    try:
        return form_of(slot, Filler(placeholder), 0, code)
    except FillError:
        return None


def _possessive(slot: Slot, fillers: Sequence[Filler], language: StoryLanguage) -> str:
    """Give the possessive ending that all forms of a slot have and no filler."""
    if not slot.forms:
        return ""
    for ending in language.possessives:
        if all(form.endswith(ending) for form in slot.forms) and not any(
            filler.text.endswith(ending) for filler in fillers
        ):
            return ending
    return ""


def _tail(form: str, filler: str) -> str | None:
    """Give what follows a filler in a form; None where the form does not hold it.

    A form may name somebody more shortly, by the last words of the filler.
    """
    words = filler.split(" ")
    for first in range(len(words)):
        part = " ".join(words[first:])
        at = form.rfind(part)
        if part and at >= 0:
            return form[at + len(part) :]
    return None


def _candidates(name: str, tails: Sequence[str], agreement: Agreement) -> Iterator[Slot]:
    """Yield the agreements that may give some tails: none, two of them, or a common one.

    A common one may be followed by more particles, which are the same on both sides.
    """
    if tails == [""]:
        yield Slot(name)
    if len(tails) == 2:
        yield Slot(name, agreement="/".join(tails))
    for pair in agreement.common:
        sides = pair.split("/")
        for rest in dict.fromkeys(
            tail[len(side) :] for tail in tails for side in sides if side and tail.startswith(side)
        ):
            yield Slot(name, agreement="/".join(side + rest for side in sides))


def _gives(slot: Slot, fillers: Sequence[Filler], tails: Sequence[str | None], code: str) -> bool:
    """Say whether a slot gives each filler its tail."""
    try:
        return all(
            form_of(slot, filler, 0, code) == filler.text + (tail or "")
            for filler, tail in zip(fillers, tails, strict=True)
        )
    except FillError:
        return False
