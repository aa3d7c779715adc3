"""Files of translators' own programs: XLIFF 1.2 and 2.0 read and 1.2 written, PO read.

In XLIFF a slot is an inline tag (`<x id="1" equiv-text="[N1]"/>`, `<ph/>` in 2.0), so that it can
be moved and not broken; in PO it stands in its brackets. What is collected is the workbook that
would hold the same texts: it is read, checked and sent back marked as every other.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree as ET  # a declaration of entities is refused
from xml.sax.saxutils import quoteattr

from curation.files.tables import read_text
from curation.languages import LanguageOrCode, load
from curation.records.messages import CurateError
from curation.report.texts import filled
from curation.slots.grammar import SlotError, SlotText, parse_text, print_text
from curation.slots.protection import escape

SUFFIXES = (".xlf", ".xliff", ".po")
"""How the files end."""
_AS_IS = frozenset({"final", "signed-off", "reviewed"})
"""States in which a person has confirmed a text."""
_ENTRY = re.compile(r'^(msgctxt|msgid|msgstr|)\s*("(?:[^"\\]|\\["\\nrt])*")\s*$')


@dataclass(frozen=True, slots=True)
class Segment:
    """One text with its translation, slots in brackets.

    Attributes:
        key: What it is called in the file.
        source: The source text.
        target: The translation; empty where there is none.
        place: Where it stands.
        confirmed: Whether the program says that a person has confirmed it.
        notes: By who is named in a note what it says.
    """

    key: str
    source: str
    target: str
    place: str
    confirmed: bool = False
    notes: Mapping[str, str] = field(default_factory=dict)


def xliff_text(
    segments: Iterable[Segment], about: Mapping[str, str], languages: Sequence[LanguageOrCode]
) -> str:
    """Write XLIFF 1.2.

    Args:
        segments: The texts; a note is named after the column of the workbook that it stands for.
        about: What has to come back; it travels as a note of the file.
        languages: Of the sources and of the translations.
    """
    source, target = (load(language).code for language in languages)
    words = {"segments": segments, "about": json.dumps(about), "source": source, "target": target}
    written = {"tagged": _tagged, "quoted": quoteattr, "escaped": escape}
    return filled(__package__, "xliff.xml.j2", **words, **written)


def _tagged(text: str, source: str) -> str:
    """A text as XML, each slot as the tag of a slot of that name in the source, in their order.

    One that the source does not have is numbered 0.
    """
    try:
        parts, left = parse_text(text).parts, [*parse_text(source).slots]
    except SlotError:
        return escape(text)
    numbered = [(slot.name, number) for number, slot in enumerate(left, start=1)]
    made = []
    for part in parts:
        if isinstance(part, str):
            made.append(escape(print_text(SlotText((part,)))))
            continue
        at = next((one for one in numbered if one[0] == part.name), (part.name, 0))
        numbered = [one for one in numbered if one != at]
        shown = quoteattr(print_text(SlotText((part,))))
        made.append(f'<x id="{at[1]}" equiv-text={shown}/>')
    return "".join(made)


def read_bilingual(path: Path) -> tuple[dict[str, str], list[Segment]]:
    """Read a file: what it says of itself where we wrote it, and its texts.

    Raises:
        CurateError: If it is none of the kinds that are read, or is damaged.
    """
    text = read_text(path)
    about: dict[str, str] = {}
    if path.suffix.lower() == ".po":
        segments = [*_po(text, path)]
    else:
        try:
            if "<!ENTITY" in text:
                raise ValueError("it declares entities")
            root = ET.fromstring(text.encode())  # noqa: S314  # see the import
            notes = (note for note in root.iter() if _local(note) == "note")
            ours = [note.text or "" for note in notes if note.get("from") == "curate"]
            about = json.loads(ours[0]) if ours else {}
        except (ET.ParseError, ValueError) as error:
            what = f"{path.name} is no XLIFF: {error}"
            raise CurateError(what, str(path), "export it again") from None
        segments = [*_xliff(root)]
    if not segments:
        raise CurateError(f"{path.name} holds no text", str(path), "export it with its texts")
    return about, segments


def _local(node: ET.Element) -> str:
    return node.tag.rpartition("}")[2]


def _xliff(root: ET.Element) -> Iterator[Segment]:
    """The texts of XLIFF 1.2 (`trans-unit`) and 2.0 (`unit` with `segment`s)."""
    for unit in (node for node in root.iter() if _local(node) in ("trans-unit", "unit")):
        parts: dict[str, list[ET.Element]] = {}
        for node in _within(unit):
            parts.setdefault(_local(node), []).append(node)
        tags = {node.get("id", ""): node.text or "" for node in parts.get("data", ())}
        source, target, is_open = "", "", False
        # What is between segments is no text to be translated; one of them may be open.
        segments = [node for node in _within(unit) if _local(node) in ("segment", "ignorable")]
        for segment in segments or [unit]:
            own, made = (
                "".join(_plain(node, tags) for node in segment if _local(node) == name)
                for name in ("source", "target")
            )
            is_asked = _local(segment) != "ignorable" and bool(own.strip())
            is_open = is_open or (is_asked and not made.strip())
            source, target = source + own, target + (made or own)
        told = parts.get("segment", parts.get("target", ()))
        states = {node.get("state", "") for node in told} or {""}
        yield Segment(
            key=unit.get("id", ""),
            source=source.strip(),
            target="" if is_open else target.strip(),
            place=f"unit {unit.get('id', '')}",
            confirmed=unit.get("approved") == "yes" or states <= _AS_IS,
            notes={node.get("from", ""): node.text or "" for node in parts.get("note", ())},
        )


def _within(node: ET.Element) -> Iterator[ET.Element]:
    """What an element holds, without the similar texts that a program put beside it."""
    for part in node:
        if _local(part) not in ("alt-trans", "matches"):
            yield part
            yield from _within(part)


def _plain(node: ET.Element, tags: dict[str, str]) -> str:
    """A text of XML with its tags as the slots that they stand for; `tags` learns them by number.

    A program may keep the number alone of a tag. One that no slot is known for stays as `[number]`,
    which is then refused.
    """
    parts = [node.text or ""]
    for tag in node:
        if _local(tag) in ("mrk", "g", "pc"):  # what is in it is text
            parts.append(_plain(tag, tags))
        else:
            number = tag.get("id", "")
            said = next(filter(None, map(tag.get, ("equiv-text", "disp", "equiv"))), "")
            tags.setdefault(number, said or tags.get(tag.get("dataRef", ""), f"[{number}]"))
            parts.append(said or tags[number])
        parts.append(tag.tail or "")
    return "".join(parts)


def _po(text: str, path: Path) -> Iterator[Segment]:
    """The texts of a PO file; one that is marked as fuzzy is not translated yet."""
    entry: dict[str, str] = {}
    part, fuzzy, start = "", False, 0
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        found = _ENTRY.match(line.strip())
        follows = "msgstr" in entry and (found is None or found[1] in ("msgctxt", "msgid"))
        if follows or not line.strip():
            if entry.get("msgid"):
                target = "" if fuzzy else entry.get("msgstr", "")
                yield Segment(entry.get("msgctxt", ""), entry["msgid"], target, f"line {start}")
            entry, fuzzy = {}, False
        if line.startswith("#"):
            fuzzy = fuzzy or (line.startswith("#,") and "fuzzy" in line)
        elif found is not None:
            part = found[1] or part
            start = start if entry else number
            entry[part] = entry.get(part, "") + json.loads(found[2], strict=False)
        elif line.strip():
            raise CurateError(f"line {number} is none of a PO file", str(path), "export it again")
