"""The folder `annotations/`: what people returned, raw and in normal form."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curation.files.atomic import write_file
from curation.files.codec import Codec
from curation.files.tables import write_csv
from curation.records.annotation import CLASSIFY_LABELS, AgendaItem, Annotation

AGENDA_COLUMNS = ("template_id", "category", "stereotype", "kind", "counts", "opinions")
"""The columns of `agenda.csv`."""
CLASSIFY_TABLE = Codec(
    Annotation,
    "labels are ST, TM and SR, groups are a JSON list, one annotator labels a template once",
    key=("template_id", "annotator"),
    order=("annotator", "template_id"),
    words={"label": CLASSIFY_LABELS},
)
"""The table `classify.csv`."""


@dataclass(frozen=True, slots=True)
class Renamed:
    """A template that has another id now; fields are the columns of `renamed.csv`.

    Attributes:
        old_id: The id that it had.
        new_id: The id that it got.
        renamed_at: When, UTC, ISO 8601.
    """

    old_id: str
    new_id: str
    renamed_at: str = ""


RENAMED = Codec(Renamed, "only the toolkit writes it: undo the edit")
"""The table `renamed.csv`."""


class At:
    """A path below the folder of what has it, its `root`."""

    def __init__(self, *parts: str) -> None:
        self.parts = parts

    def __get__(self, instance: Any, _owner: type) -> Path:
        found: Path = instance.root.joinpath(*self.parts)
        return found


@dataclass(frozen=True)
class AnnotationsFolder:
    """The files of `annotations/`.

    Attributes:
        root: The workspace's folder.
    """

    root: Path

    folder = At("annotations")
    """Everything that people returned."""
    sheets = At("annotations", "sheets")
    """The folder of workbooks for annotators and translators."""
    marked = At("annotations", "marked")
    """Copies of returned workbooks that show what is wrong in them."""
    classify = At("annotations", "classify.csv")
    """The annotators' labels, in normal form."""
    drafts = At("annotations", "drafts.csv")
    """New templates that people judge, and who or what wrote each."""
    judgements = At("annotations", "judgements.csv")
    """What annotators say of these templates."""
    renamed = At("annotations", "renamed.csv")
    """Templates that have another id than they once had."""

    def agenda(self, kind: str) -> Path:
        """The agenda of the consensus meeting, as `csv`, `xlsx` or `md`."""
        return self.folder / f"agenda.{kind}"

    def raw(self, name: str, data: bytes) -> Path:
        """Where a returned file is kept: under its name and content."""
        path = Path(name)
        digest = hashlib.sha256(data).hexdigest()[:8]
        return self.folder / "raw" / f"{path.stem}-{digest}{path.suffix.lower()}"

    def keep(self, name: str, data: bytes) -> None:
        """Keep a returned file as it is.

        Raises:
            CurateError: If it cannot be written.
        """
        path = self.raw(name, data)
        if not path.exists():
            write_file(path, data)


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
    steps = {item.old_id.strip(): item.new_id.strip() for item in RENAMED.read(path)}
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
    rows = {item.old_id: item for item in RENAMED.read(path)}
    rows.update({old: Renamed(old, new, at) for old, new in renamed.items()})
    RENAMED.write(path, rows.values())
