"""A glossary: how certain words are always to be translated."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from curation.io.tables import read_table, refuse_problems
from curation.model.errors import CurateError


@dataclass(frozen=True, slots=True)
class Glossary:
    """Words and their translations, in order.

    Attributes:
        entries: Source and target.
    """

    entries: tuple[tuple[str, str], ...]

    @property
    def digest(self) -> str:
        """A hash of the content, whatever the order."""
        data = json.dumps(sorted(self.entries), ensure_ascii=False)
        return hashlib.sha256(data.encode()).hexdigest()


def read_glossary(path: Path) -> Glossary | None:
    """Read a glossary; None where it holds no entry.

    Raises:
        CurateError: If it cannot be read, a cell is empty, or a word stands twice.
    """
    table = read_table(path, required=("source", "target"))
    refuse_problems(table)
    entries: dict[str, str] = {}
    for row in table.rows:
        source, target = row["source"].strip(), row["target"].strip()
        where = f"{path}, row {row.number}"
        if not source or not target:
            raise CurateError("an entry of the glossary is empty", where, "fill both columns")
        if any(ord(sign) < 32 for sign in source + target):
            raise CurateError("an entry of the glossary holds a line break or tab", where)
        if entries.setdefault(source, target) != target:
            raise CurateError(f"'{source}' has two translations", where, "keep one")
    return Glossary(tuple(entries.items())) if entries else None
