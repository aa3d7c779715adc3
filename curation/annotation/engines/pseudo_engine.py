"""A translation that is none: letters with accents, in brackets, for demonstrations and tests."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET  # it reads what we have written

from curation.annotation.engines.engine import EngineFault, FaultKind, FreeService, Limits, Reply
from curation.records.bank import PSEUDO_MARKS
from curation.slots.protection import escape

_PLAIN = "aceginosuyzACEGINOSUYZ"
_ACCENTED = str.maketrans(
    _PLAIN,
    "\u00e1\u00e7\u00e9\u011f\u00ed\u00f1\u00f3\u0161\u00fa\u00fd\u017e"
    "\u00c1\u00c7\u00c9\u011e\u00cd\u00d1\u00d3\u0160\u00da\u00dd\u017d",
)
_LIMITS = Limits(texts=500, bytes=1 << 24)


@dataclass(frozen=True)
class PseudoService(FreeService):
    """The pseudo translation into any language; slots keep their places.

    Attributes:
        target: ISO 639-1 code of the culture's language.
    """

    target: str
    name: str = "pseudo"
    limits: Limits = _LIMITS

    def signature(self, text: str) -> str:
        """The language."""
        del text
        return json.dumps({"engine": self.name, "target": self.target, "version": 1})

    def translate(self, texts: Sequence[str], context: str) -> list[Reply]:
        """Accent and bracket texts; nothing is billed.

        Raises:
            EngineFault: If a text cannot be read as XML, as one with control characters.
        """
        del context
        return [Reply(_pseudo(text), 0) for text in texts]


def _pseudo(text: str) -> str:
    try:
        root = ET.fromstring(f"<r>{text}</r>")  # noqa: S314  # our own text
    except ET.ParseError as error:
        raise EngineFault(
            FaultKind.TOO_LARGE, "a text holds a character that XML does not allow"
        ) from error
    parts = [_accented(root.text)]
    for tag in root:
        number = tag.get("id", "")
        inside = escape(tag.text or "")
        parts.append(f'<x id="{number}">{inside}</x>' if inside else f'<x id="{number}"/>')
        parts.append(_accented(tag.tail))
    return f"{PSEUDO_MARKS[0]}{''.join(parts)}{PSEUDO_MARKS[1]}"


def _accented(text: str | None) -> str:
    return escape((text or "").translate(_ACCENTED))
