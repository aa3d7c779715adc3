"""Names in source texts that may mean nothing in the culture: shops, places, people."""

import re

from curation.slots import SlotText
from curation.stages.translate.units import Kind, Unit

_NAME = re.compile(r"[A-ZÀ-Þ][\w’'&-]*(?:\s+(?:&\s+)?[A-ZÀ-Þ][\w’'&-]*)*")
_NO_NAMES = frozenset({"I", "I'm", "I'd", "I've", "I'll", "I’m", "I’d", "I’ve", "I’ll"})
_SENTENCE_END = re.compile(r"[.!?:…]['\"”’)]*\s*$|^\s*['\"“‘(]*$")


def entities(unit: Unit) -> tuple[str, ...]:
    """Give the capitalised names of a text, each once, in order.

    A capitalised word at the start of a sentence is taken for a name only in a filler.
    """
    found: dict[str, None] = {}
    text = _shown(unit.parsed)
    for match in _NAME.finditer(text):
        name = match[0]
        if unit.kind is not Kind.FILLER and _SENTENCE_END.search(text[: match.start()]):
            _, _, name = name.partition(" ")
        name = name.strip()
        if name and name[0].isupper() and name not in _NO_NAMES:
            found.setdefault(name.removesuffix("'s").removesuffix("’s"))
    return tuple(found)


def _shown(text: SlotText) -> str:
    return "".join(part if isinstance(part, str) else "_" for part in text.parts)
