"""The article before a slot: `a {{NAME1}}` that becomes `an` before some fillers.

BBQ's texts say `a`, and its samples `an` before a vowel letter; at the beginning of a
sentence, where `A` is written, only before a capital one. A text is read so that its fillings
are the published ones, also where English would have it otherwise; that is noted.

In the twin of a variant the two people have usually changed places. So the fillers of both
decide how the article is written, and the two variants are worded alike.
"""

import re
from collections.abc import Sequence

from curation.slots import Filler, FillError, Slot, form_of, generalise

_BEFORE_SLOT = re.compile(r"(?<![\w'’-])(?P<article>[Aa]) +$")
_TWINS = {"N1": "N2", "N2": "N1", "X1": "X2", "X2": "X1"}
_VOWELS = {"a": "aeiouAEIOU", "A": "AEIOU"}


def with_articles(
    parts: Sequence[str | Slot], fillers: dict[str, tuple[str, ...]]
) -> tuple[list[str | Slot], list[str]]:
    """Have the articles of a text agree with the fillers that follow them.

    Args:
        parts: The text.
        fillers: The fillers by slot.

    Returns:
        The text, in which an article stands in the slot where it differs between fillers, and
        the phrases whose article is not the one that English asks for.
    """
    out: list[str | Slot] = []
    wrong: list[str] = []
    for part in parts:
        found = _BEFORE_SLOT.search(out[-1]) if out and isinstance(out[-1], str) else None
        if isinstance(part, str) or found is None:
            out.append(part)
            continue
        article, names = found["article"], fillers[part.name]
        forms = [_published(article, name) for name in names]
        wrong += [form for form in forms if _is_wrong(form, part.name)]
        literal = str(out.pop())[: found.start()]
        twin = fillers.get(_TWINS.get(part.name, ""), ())
        placed = (
            _placed(literal, article, part.name, (*names, *twin))
            or _placed(literal, article, part.name, names)
            or (literal, Slot(part.name, forms=tuple(forms)))
        )
        out += [item for item in placed if item]
    return out, list(dict.fromkeys(wrong))


def _published(article: str, filler: str) -> str:
    return f"{article}{'n' if filler[0] in _VOWELS[article] else ''} {filler}"


def _placed(
    literal: str, article: str, slot: str, names: Sequence[str]
) -> tuple[str | Slot, ...] | None:
    """Write the article before the slot if it is always the same, or ask for agreement."""
    forms = tuple(_published(article, name) for name in names)
    for same in (article, f"{article}n"):
        if all(form == f"{same} {name}" for form, name in zip(forms, names, strict=True)):
            return (f"{literal}{same} ", Slot(slot))
    rule = generalise(Slot(slot, forms=forms), [Filler(name) for name in names], "en")
    return (literal, rule) if rule is not None else None


def _is_wrong(form: str, slot: str) -> bool:
    article, filler = form.split(" ", 1)
    pair = "a/an" if article[0] == "a" else "A/An"
    try:
        return form_of(Slot(slot, agreement=pair), Filler(filler), 0, "en") != form
    except FillError:
        return False
