"""`translations.csv`: the one place of a machine's texts and of translators' texts."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from curation.annotation.translation.units import Unit, UnitKey
from curation.files.codec import Codec
from curation.files.workspace import Workspace
from curation.records.errors import CurateError


@dataclass(frozen=True, slots=True)
class Translated:
    """A text of a template with its translations; fields are the columns of `translations.csv`.

    Attributes:
        template_id: The template.
        unit: `text`, `plain` (a stereotype) or `filler` (a name or word of a list), with the
            version of its variants and, where the template is untied, the variant: `text.m.a`.
        source: The source text.
        source_hash: Hash of `source`, by which an edit of that cell is found.
        machine: What the machine wrote.
        engine: Which machine.
        text: The translation that was collected.
        by: Who wrote it, or left it as the machine wrote it.
        at: When it was collected, UTC, ISO 8601.
        confirmed: Who says that it holds; empty where nobody has looked at the machine's text.
        remark: The translator's remark.
        over: Texts of other translators that were not chosen.
    """

    template_id: str
    unit: str
    source: str
    source_hash: str = ""
    machine: str = ""
    engine: str = ""
    text: str = ""
    by: str = ""
    at: str = ""
    confirmed: str = ""
    remark: str = ""
    over: tuple[str, ...] = ()

    @property
    def key(self) -> UnitKey:
        """What it translates."""
        return self.template_id, self.unit, self.source


TRANSLATIONS = Codec(Translated, "undo the edit")
"""The columns of `translations.csv`, and how they are read."""
Translations = Mapping[UnitKey, Translated]
"""The rows of `translations.csv`, by what they translate."""


def translations_file(workspace: Workspace) -> Path:
    """The path of the table: it lies beside the bank."""
    return workspace.bank_file.with_name("translations.csv")


def row_of(table: Translations, unit: Unit) -> Translated:
    """The row of a text, a new one where there is none."""
    template, name, source = unit.key
    return table.get(unit.key) or Translated(template, name, source, _hash(source))


def _hash(source: str) -> str:
    return hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def read_translated(workspace: Workspace) -> dict[UnitKey, Translated]:
    """Read the table; nothing where there is no file.

    Raises:
        CurateError: If it cannot be read, a source text was edited in it, or a text occurs twice.
    """
    path = translations_file(workspace)
    found: dict[UnitKey, Translated] = {}
    for item in TRANSLATIONS.read(path):
        where = f"{workspace.shown(path)}, {item.template_id}, source '{item.source}'"
        if item.source_hash != _hash(item.source):
            what = "the source text is not the one that was translated: its hash is another"
            raise CurateError(what, where, "undo the edit; change source texts in bank.csv")
        if item.key in found:
            what = f"a text of {item.template_id} has two translations"
            raise CurateError(what, where, "keep one of the two rows")
        found[item.key] = item
    return found


def write_translated(workspace: Workspace, items: Iterable[Translated]) -> None:
    """Write the table in place of the earlier one.

    Raises:
        CurateError: If it cannot be written.
    """
    TRANSLATIONS.write(translations_file(workspace), items)
