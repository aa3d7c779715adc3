"""The folder `annotations/`: what people returned, raw and in normal form."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from curation.files.atomic import atomic_path
from curation.files.bank import groups_cell
from curation.files.tables import Row, read_table, refuse_problems, write_csv
from curation.records.annotation import ANNOTATION_COLUMNS, CLASSIFY_LABELS, AgendaItem, Annotation
from curation.records.bank import Label
from curation.records.errors import CurateError

AGENDA_COLUMNS = ("template_id", "category", "stereotype", "kind", "counts", "opinions")
"""The columns of `agenda.csv`."""
RENAMED_COLUMNS = ("old_id", "new_id", "renamed_at")
"""The columns of `renamed.csv`."""


@dataclass(frozen=True, slots=True)
class AnnotationsFolder:
    """The files of `annotations/`.

    Attributes:
        root: The workspace's folder.
    """

    root: Path

    @property
    def folder(self) -> Path:
        """Everything that people returned."""
        return self.root / "annotations"

    @property
    def sheets(self) -> Path:
        """The folder of workbooks for annotators and translators."""
        return self.folder / "sheets"

    @property
    def marked(self) -> Path:
        """Copies of returned workbooks that show what is wrong in them."""
        return self.folder / "marked"

    @property
    def classify(self) -> Path:
        """The annotators' labels, in normal form."""
        return self.folder / "classify.csv"

    @property
    def renamed(self) -> Path:
        """Templates that have another id than they once had."""
        return self.folder / "renamed.csv"

    def agenda(self, kind: str) -> Path:
        """The agenda of the consensus meeting, as `csv`, `xlsx` or `md`."""
        return self.folder / f"agenda.{kind}"

    def raw(self, name: str, data: bytes) -> Path:
        """Where a returned file is kept: under its name and content."""
        path = Path(name)
        digest = hashlib.sha256(data).hexdigest()[:8]
        return self.folder / "raw" / f"{path.stem}-{digest}{path.suffix.lower()}"


def keep_raw(path: Path, data: bytes) -> None:
    """Keep a returned file as it is.

    Raises:
        CurateError: If it cannot be written.
    """
    if not path.exists():
        with atomic_path(path) as beside:
            beside.write_bytes(data)


def read_annotations(path: Path) -> list[Annotation]:
    """Read annotations in normal form; none where nothing was collected.

    Raises:
        CurateError: If a row cannot be read, or one annotator has two on one template.
    """
    if not path.exists():
        return []
    table = read_table(path, required=("template_id", "annotator", "label"))
    refuse_problems(table)
    found: dict[tuple[str, str], Annotation] = {}
    for row in table.rows:
        item = _annotation(row, table.file)
        key = item.template_id, item.annotator
        if key in found:
            raise CurateError(
                f"{item.annotator} has two annotations on {item.template_id}",
                f"{table.file}, row {row.number}",
                "keep one of the two",
            )
        found[key] = item
    return list(found.values())


def _annotation(row: Row, file: str) -> Annotation:
    column = "label"
    try:
        text = row["label"].strip()
        label = Label(text) if text else None
        if label is not None and label not in CLASSIFY_LABELS:
            raise ValueError(text)
        column = "proposed_targets"
        targets = _groups(row.get(column))
        column = "proposed_non_targets"
        non_targets = _groups(row.get(column))
    except ValueError as error:
        hint = "labels are ST, TM and SR" if column == "label" else 'write a JSON list: ["group"]'
        raise CurateError(
            f"'{row.get(column)}' is not allowed in column {column}",
            f"{file}, row {row.number}, column {column}",
            hint,
        ) from error
    return Annotation(
        template_id=row["template_id"].strip(),
        annotator=row["annotator"].strip(),
        label=label,
        reason=row.get("reason"),
        proposed_targets=targets,
        proposed_non_targets=non_targets,
        remark=row.get("remark"),
        source_file=row.get("source_file"),
        row_hash=row.get("row_hash"),
        collected_at=row.get("collected_at"),
    )


def _groups(cell: str) -> tuple[str, ...]:
    if not cell.strip():
        return ()
    value = json.loads(cell)
    if not isinstance(value, list):
        raise ValueError("no list")
    return tuple(str(item) for item in value)


def write_annotations(path: Path, annotations: Iterable[Annotation]) -> None:
    """Write annotations in normal form in place of `path`, by annotator and template.

    Raises:
        CurateError: If it cannot be written.
    """
    ordered = sorted(annotations, key=lambda item: (item.annotator, item.template_id))
    write_csv(path, ANNOTATION_COLUMNS, (_cells(item) for item in ordered))


def _cells(item: Annotation) -> list[str]:
    return [
        item.template_id,
        item.annotator,
        item.label.value if item.label else "",
        item.reason,
        groups_cell(item.proposed_targets),
        groups_cell(item.proposed_non_targets),
        item.remark,
        item.source_file,
        item.row_hash,
        item.collected_at,
    ]


def write_agenda_csv(path: Path, items: Iterable[AgendaItem]) -> None:
    """Write the agenda as a table: a row a template, the opinions as JSON.

    Raises:
        CurateError: If it cannot be written.
    """
    rows = (
        [
            *(item.template_id, item.category, item.stereotype, item.kind),
            "; ".join(f"{label} {count}" for label, count in item.counts),
            json.dumps([_opinion(one, item.links) for one in item.opinions], ensure_ascii=False),
        ]
        for item in items
    )
    write_csv(path, AGENDA_COLUMNS, rows)


def _opinion(item: Annotation, links: Mapping[str, str]) -> dict[str, object]:
    link = {"link": links[item.annotator]} if item.annotator in links else {}
    return {
        "annotator": item.annotator,
        "label": item.label.value if item.label else None,
        "reason": item.reason,
        "proposed_targets": list(item.proposed_targets),
        "proposed_non_targets": list(item.proposed_non_targets),
        "remark": item.remark,
        **link,
    }


def read_renamed(path: Path) -> dict[str, str]:
    """Read which templates once had another id; the latest id of each, however often renamed.

    Raises:
        CurateError: If the file cannot be read.
    """
    if not path.exists():
        return {}
    table = read_table(path, required=RENAMED_COLUMNS[:2])
    refuse_problems(table)
    steps = {row["old_id"].strip(): row["new_id"].strip() for row in table.rows}
    latest = {}
    for old in steps:
        name, seen = old, {old}
        while name in steps and steps[name] not in seen:
            name = steps[name]
            seen.add(name)
        latest[old] = name
    return latest


def write_renamed(path: Path, renamed: dict[str, str], at: str) -> None:
    """Add former ids of templates; the existing rows are kept.

    Raises:
        CurateError: If it cannot be read or written.
    """
    rows: dict[str, list[str]] = {}
    if path.exists():
        table = read_table(path, required=RENAMED_COLUMNS)
        refuse_problems(table)
        rows = {row["old_id"]: [row[name] for name in RENAMED_COLUMNS] for row in table.rows}
    for old, new in renamed.items():
        rows[old] = [old, new, at]
    write_csv(path, RENAMED_COLUMNS, rows.values())
