"""Translations from a file: made elsewhere, verified here like any other."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from curation.annotation.engines.engine import EngineFault, FaultKind, FreeService, Limits, Reply
from curation.files.tables import read_bytes, read_table, refuse_problems
from curation.files.workbooks.opening import cells_of
from curation.files.workbooks.spec import META
from curation.records.errors import CurateError
from curation.slots import Slot, SlotError, parse_text
from curation.slots.protection import escape, protect

_COLUMNS = ("source", "translation")
_LIMITS = Limits(texts=1, bytes=1 << 24)


@dataclass(frozen=True)
class FileService(FreeService):
    """The translations of a file, by the text that would be sent.

    Attributes:
        texts: What comes back for each text.
        digest: A hash of the file.
    """

    texts: Mapping[str, str]
    digest: str
    name: str = "file"
    limits: Limits = _LIMITS

    def signature(self, text: str) -> str:
        """The file's content."""
        del text
        return json.dumps({"engine": self.name, "file": self.digest})

    def translate(self, texts: Sequence[str], context: str) -> list[Reply]:
        """Look texts up.

        Raises:
            EngineFault: If the file does not hold one.
        """
        del context
        try:
            return [Reply(self.texts[text], 0) for text in texts]
        except KeyError:
            raise EngineFault(FaultKind.TOO_LARGE, "the file does not hold a text") from None


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
            raise CurateError(
                "a text has two translations", f"{path}, row {number}", "keep one of the two"
            )
    if not found:
        raise CurateError(
            f"{path.name} holds no translation", str(path), "fill the column 'translation'"
        )
    return FileService(found, sha256(read_bytes(path)).hexdigest())


def _rows(path: Path) -> list[tuple[int, str, str]]:
    if path.suffix.lower() not in (".xlsx", ".ods"):
        table = read_table(path, required=_COLUMNS)
        refuse_problems(table)
        return [(row.number, row["source"], row["translation"]) for row in table.rows]
    sheets = cells_of(path)
    if META in sheets:
        raise CurateError(
            f"{path.name} is a workbook for people, of which each text has to be found by its key",
            str(path),
            "read it with 'curate collect'",
        )
    for sheet in sheets.values():
        for at, cells in enumerate(sheet):
            header = [cell.strip() for cell in cells]
            if {*_COLUMNS} <= {*header}:
                source, target = (header.index(name) for name in _COLUMNS)
                below = enumerate(sheet[at + 1 :], start=at + 2)
                return [(number, row[source], row[target]) for number, row in below]
    raise CurateError(
        f"{path.name} has no sheet with columns source and translation", str(path), "add them"
    )


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
