"""`annotations/translated.csv`: the translators' texts that were put into the bank."""

import json
from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from curation.io.tables import Row, read_table, refuse_problems, write_csv
from curation.model.errors import CurateError


@dataclass(frozen=True, slots=True)
class Returned:
    """A translation that was put into the bank.

    Attributes:
        template_id: Template of the text.
        kind: `text`, `plain` or `filler`.
        source: The source text.
        translation: Its translation.
        remark: What the translator has to say.
        translator: Who it is by.
        source_file: The workbook as it was received, or a project.
        collected_at: When, in UTC.
        over: Texts of other translators over which a person chose it.
    """

    template_id: str
    kind: str
    source: str
    translation: str
    remark: str = ""
    translator: str = ""
    source_file: str = ""
    collected_at: str = ""
    over: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str, str]:
        """What it translates."""
        return self.template_id, self.kind, self.source


COLUMNS = tuple(item.name for item in fields(Returned))


def returned_file(root: Path) -> Path:
    """Give the path of the table in a workspace."""
    return root / "annotations" / "translated.csv"


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
        item = _returned(row, table.file)
        if item.key in found:
            raise CurateError(
                f"a text of {item.template_id} has two translations",
                f"{table.file}, row {row.number}",
                "keep one of the two",
            )
        found[item.key] = item
    return found


def _returned(row: Row, file: str) -> Returned:
    try:
        over = json.loads(row.get("over") or "[]")
        if not isinstance(over, list):
            raise ValueError(over)
    except ValueError as error:
        raise CurateError(
            f"'{row.get('over')}' is no list of texts",
            f"{file}, row {row.number}, column over",
            'write a JSON list, ["one", "other"], or nothing',
        ) from error
    return Returned(
        template_id=row.get("template_id"),
        kind=row.get("kind"),
        source=row.get("source"),
        translation=row.get("translation"),
        remark=row.get("remark"),
        translator=row.get("translator"),
        source_file=row.get("source_file"),
        collected_at=row.get("collected_at"),
        over=tuple(map(str, over)),
    )


def write_returned(path: Path, items: Iterable[Returned]) -> None:
    """Write the table in place of `path`.

    Raises:
        CurateError: If it cannot be written.
    """
    rows = (
        [*astuple(item)[:-1], json.dumps(item.over, ensure_ascii=False) if item.over else ""]
        for item in items
    )
    write_csv(path, COLUMNS, rows)
