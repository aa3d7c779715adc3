"""`annotations/translate.csv`: what translators returned, in normal form."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from curation.io.tables import read_table, refuse_problems, write_csv
from curation.model.errors import CurateError


@dataclass(frozen=True, slots=True)
class Returned:
    """A translation that was collected.

    Attributes:
        template_id: Template of the text.
        kind: `text`, `plain` or `filler`.
        source: The source text.
        translation: Its translation.
        remark: What the translator has to say.
        translator: Who it is by.
        source_file: The workbook as it was received.
        collected_at: When, in UTC.
    """

    template_id: str
    kind: str
    source: str
    translation: str
    remark: str = ""
    translator: str = ""
    source_file: str = ""
    collected_at: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """What it translates."""
        return self.template_id, self.kind, self.source


COLUMNS = tuple(item.name for item in fields(Returned))


def returned_file(root: Path) -> Path:
    """Give the path of the table in a workspace."""
    return root / "annotations" / "translate.csv"


def read_returned(path: Path) -> dict[tuple[str, str, str], Returned]:
    """Read what was collected before, by what it translates; nothing where there is no file.

    Raises:
        CurateError: If it cannot be read, or a text has two translations.
    """
    if not path.exists():
        return {}
    table = read_table(path, required=COLUMNS[:4])
    refuse_problems(table)
    found: dict[tuple[str, str, str], Returned] = {}
    for row in table.rows:
        item = Returned(**{name: row.get(name) for name in COLUMNS})
        if item.key in found:
            raise CurateError(
                f"a text of {item.template_id} has two translations",
                f"{table.file}, row {row.number}",
                "keep one of the two",
            )
        found[item.key] = item
    return found


def write_returned(path: Path, items: Iterable[Returned]) -> None:
    """Write the table in place of `path`.

    Raises:
        CurateError: If it cannot be written.
    """
    write_csv(path, COLUMNS, (list(asdict(item).values()) for item in items))
