"""The normal forms of translations and of answers to comprehension questions."""

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path
from typing import TypeVar

from curation.io.tables import read_table, refuse_problems, write_csv

FROM_SERVER = "labelstudio:"
"""How `source_file` begins of what comes from a project; its number follows."""


@dataclass(frozen=True, slots=True)
class Translation:
    """One translator's text; fields are the columns of `translate.csv`.

    Attributes:
        unit_id: The text: template, kind, and a hash of the source text.
        template_id: The template.
        kind: `text`, `plain` or `filler`.
        annotator: Who translated.
        source: The source text.
        target: The translation.
        rating: Of the machine's, 1 to 5; empty where none was given.
        entities_adapted: Whether that was ticked, `true` or `false`.
        slots_kept: The same.
        remark: Anything else.
        source_file: The project.
        row_hash: Of what the translator saw.
        collected_at: When it was read first, UTC, ISO 8601.
    """

    unit_id: str
    template_id: str
    kind: str
    annotator: str
    source: str
    target: str
    rating: str
    entities_adapted: str
    slots_kept: str
    remark: str
    source_file: str
    row_hash: str
    collected_at: str


@dataclass(frozen=True, slots=True)
class Comprehension:
    """One answer; fields are the columns of `comprehension.csv`.

    The first seven are those of `responses.csv`, so that `curate filter --comprehension` reads
    the file as it is.
    """

    respondent_id: str
    question_id: str
    kind: str
    option: str
    state: str
    position: str
    duration_s: str
    template_id: str
    sample_id: str
    remark: str
    source_file: str
    row_hash: str
    collected_at: str


R = TypeVar("R", Translation, Comprehension)


def read_results(path: Path, record: type[R]) -> list[R]:
    """Read what was pulled earlier; nothing where there is no file.

    Raises:
        CurateError: If it cannot be read.
    """
    if not path.exists():
        return []
    columns = [item.name for item in fields(record)]
    table = read_table(path, required=columns)
    refuse_problems(table)
    return [record(**{name: row[name] for name in columns}) for row in table.rows]


def keep_times(new: Iterable[R], known: Sequence[R]) -> list[R]:
    """Give what did not change the time at which it was read first."""
    before = {replace(item, collected_at=""): item.collected_at for item in known}
    return [
        replace(item, collected_at=before.get(replace(item, collected_at=""), item.collected_at))
        for item in new
    ]


def write_results(path: Path, record: type[R], rows: Iterable[R]) -> None:
    """Write results in place of `path`, in order.

    Raises:
        CurateError: If it cannot be written.
    """
    columns = [item.name for item in fields(record)]
    write_csv(path, columns, sorted(astuple(item) for item in rows))
