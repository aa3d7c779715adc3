"""The translation engines by name, and those that send nothing: the pseudo engine, and a file."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import ClassVar

from curation.annotation.engines import engine
from curation.annotation.engines.deepl_engine import DeeplService
from curation.annotation.engines.libre_engine import LibreService
from curation.annotation.engines.openai_engine import OpenaiService
from curation.files.tables import read_bytes, read_table, refuse_problems
from curation.files.workbooks.opening import cells_of
from curation.files.workbooks.spec import META
from curation.files.workspace import Workspace
from curation.records.bank import PSEUDO_MARKS
from curation.records.messages import refusal, refuse_unknown
from curation.slots.grammar import Slot, SlotError, parse_text
from curation.slots.protection import escape, protect

_PLAIN = "aceginosuyzACEGINOSUYZ"
_ACCENTED = str.maketrans(
    _PLAIN,
    "\u00e1\u00e7\u00e9\u011f\u00ed\u00f1\u00f3\u0161\u00fa\u00fd\u017e"
    "\u00c1\u00c7\u00c9\u011e\u00cd\u00d1\u00d3\u0160\u00da\u00dd\u017d",
)
_KEPT = re.compile(r"(<x [^>]*/>|<x [^>]*>[^<]*</x>|&\w+;)")
"""Slots, with what is in them, and escapes."""


@dataclass(frozen=True)
class PseudoService(engine.Service):
    """The pseudo translation into any language; slots keep their places.

    Attributes:
        target: ISO 639-1 code of the culture's language.
    """

    target: str
    name: ClassVar[str] = "pseudo"

    def signature(self, text: str) -> str:
        """The language."""
        return json.dumps({"engine": self.name, "target": self.target, "version": 1})

    def translate(self, texts: Sequence[str], context: str) -> list[engine.Reply]:
        """Accent and bracket texts; nothing is billed."""
        return [engine.Reply(_pseudo(text), 0) for text in texts]


def _pseudo(text: str) -> str:
    parts = _KEPT.split(text)
    made = (part if at % 2 else part.translate(_ACCENTED) for at, part in enumerate(parts))
    return f"{PSEUDO_MARKS[0]}{''.join(made)}{PSEUDO_MARKS[1]}"


_COLUMNS = ("source", "translation")


@dataclass(frozen=True)
class FileService(engine.Service):
    """The translations of a file, by the text that would be sent.

    Attributes:
        texts: What comes back for each text.
        digest: A hash of the file.
    """

    texts: Mapping[str, str]
    digest: str
    name: ClassVar[str] = "file"
    most_texts: ClassVar[int] = 1

    def signature(self, text: str) -> str:
        """The file's content."""
        return json.dumps({"engine": self.name, "file": self.digest})

    def translate(self, texts: Sequence[str], context: str) -> list[engine.Reply]:
        """Look texts up.

        Raises:
            EngineFault: If the file does not hold one.
        """
        try:
            return [engine.Reply(self.texts[text], 0) for text in texts]
        except KeyError:
            raise engine.EngineFault(
                engine.FaultKind.TOO_LARGE, "the file does not hold a text"
            ) from None


def read_translations(path: Path) -> FileService:
    """Read a CSV file or a workbook with columns `source` and `translation`, slots in brackets.

    Rows without a translation are passed over.

    Raises:
        CurateError: If it cannot be read, or a text has two translations.
    """
    found: dict[str, str] = {}
    for number, source, target in _rows(path):
        if not source.strip() or not target.strip():
            continue
        wire, reply = _as_sent(source.strip(), target.strip())
        if found.setdefault(wire, reply) != reply:
            raise refusal("curation", "translation-twice", f"{path}, row {number}")
    if not found:
        raise refusal("curation", "translation-none", path)
    return FileService(found, sha256(read_bytes(path)).hexdigest())


def _rows(path: Path) -> list[tuple[int, str, str]]:
    if path.suffix.lower() not in (".xlsx", ".ods"):
        table = read_table(path, required=_COLUMNS)
        refuse_problems(table)
        return [(row.number, row["source"], row["translation"]) for row in table.rows]
    sheets = cells_of(path)
    if META in sheets:
        raise refusal("curation", "translation-of-workbook", path)
    for sheet in sheets.values():
        for at, cells in enumerate(sheet):
            header = [cell.strip() for cell in cells]
            if {*_COLUMNS} <= {*header}:
                source, target = (header.index(name) for name in _COLUMNS)
                below = enumerate(sheet[at + 1 :], start=at + 2)
                return [(number, row[source], row[target]) for number, row in below]
    raise refusal("curation", "translation-no-sheet", path)


def _as_sent(source: str, target: str) -> tuple[str, str]:
    """Write both as an engine would have it: slots as tags, numbered by the source's.

    A target whose slots are not the source's goes as it is, and is found out on verification.
    """
    try:
        asked = protect(parse_text(source))
    except SlotError:
        return escape(source), escape(target)
    try:
        parsed = parse_text(target)
    except SlotError:
        return asked.wire, escape(target)
    left = dict(enumerate(asked.slots))
    parts = []
    for part in parsed.parts:
        if isinstance(part, Slot):
            same = [at for at, slot in left.items() if slot.name == part.name]
            if not same:
                return asked.wire, escape(target)
            exact = [at for at in same if left[at].named == part.named]
            at = (exact or same)[0]
            del left[at]
            parts.append(f'<x id="{at + 1}"/>')
        else:
            parts.append(escape(part))
    return asked.wire, "".join(parts)


GROUPS = "groups"
"""What `translation.glossary` says in place of a file: the names of `groups.csv`."""
ENGINES = ("deepl", "openai", "libretranslate", "pseudo")
"""The engines by name; another one is a class like these, and a line in `service_for`."""


def service_for(name: str, workspace: Workspace) -> engine.Service:
    """An engine with a workspace's settings; no key is needed yet.

    Args:
        name: Of the engine, or of a file of translations (CSV or a workbook).
        workspace: The workspace.

    Raises:
        CurateError: If there is no such engine, a setting does not fit it, or a file cannot be
            read.
    """
    if name not in ENGINES and Path(name).suffix:
        return read_translations(Path(name))
    refuse_unknown("translation engine", name, (*ENGINES, "FILE.csv", "FILE.xlsx"))
    if name == "pseudo":
        return PseudoService(workspace.culture.language)
    settings, target = workspace.culture.translation, workspace.language
    path = settings.glossary
    if path == GROUPS:
        glossary = engine.glossary_of_groups(workspace.groups)
    else:
        glossary = engine.read_glossary(workspace.root / path) if path else ()
    source = workspace.culture.source_language
    if name == "deepl":
        return DeeplService(settings, source, target, glossary)
    if name == "libretranslate":
        return LibreService(settings, source, workspace.culture.language, glossary)
    return OpenaiService(settings, workspace.source_language, target, glossary)
