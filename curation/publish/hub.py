"""A folder that can be put on the Hugging Face hub as it is: Parquet, card and metadata."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from curation.io.atomic import atomic_text
from curation.io.tables import sha256
from curation.io.writers import Cell
from curation.io.writers.parquet import write_parquet
from curation.model.errors import CurateError
from curation.publish.card import card
from curation.publish.citation import CITATION, citation
from curation.publish.croissant import CROISSANT, croissant
from curation.publish.facts import Configuration, Facts, FileFact
from curation.publish.front import SPLIT

CARD = "README.md"
"""The dataset card's name, as the hub wants it."""
CHECKSUMS = "checksums.txt"
"""Hashes of all other files, as `sha256sum -c` reads them."""


@dataclass(frozen=True, slots=True)
class Rows:
    """A configuration with its rows, which are taken once.

    Attributes:
        of: The configuration.
        rows: Its rows, as many as it says.
    """

    of: Configuration
    rows: Iterable[Sequence[Cell]]


def data_path(name: str) -> str:
    """Give the path of a configuration's one file below the folder."""
    return f"{name}/{SPLIT}-00000-of-00001.parquet"


def write_folder(folder: Path, facts: Facts, data: Sequence[Rows]) -> dict[str, int]:
    """Write everything into a folder that is new or empty.

    Args:
        folder: The folder.
        facts: What is known of the benchmark, with the configurations of `data`.
        data: The tables.

    Returns:
        How many rows each configuration has, by what they are called.

    Raises:
        CurateError: If a cell holds no text, or something cannot be written.
    """
    for item in data:
        _write(folder, item)
    files = {item.path: file_fact(folder / item.path) for item in facts.configurations}
    texts = {
        CARD: card(facts),
        CROISSANT: croissant(facts, files),
        CITATION: citation(facts),
    }
    for name, text in texts.items():
        with atomic_text(folder / name) as stream:
            stream.write(text)
    hashes = {name: file_fact(folder / name).sha256 for name in texts}
    hashes |= {name: content.sha256 for name, content in files.items()}
    with atomic_text(folder / CHECKSUMS) as stream:
        stream.write(checksums(hashes))
    return {item.counted: item.rows for item in facts.configurations}


def _write(folder: Path, item: Rows) -> None:
    path = folder / item.of.path
    names = [column.name for column in item.of.columns]
    kinds = [column.kind for column in item.of.columns]
    try:
        written = write_parquet(path, names, item.rows, kinds)
    except UnicodeEncodeError as error:
        raise CurateError(
            f"{item.of.name}: a cell holds half of a surrogate pair, which is no text",
            item.of.path,
            f"look for it beside '{error.object[max(0, error.start - 20) : error.start]}'",
        ) from error
    if written != item.of.rows:
        raise ValueError(f"{item.of.name} has {written} rows, not {item.of.rows}")


def file_fact(path: Path) -> FileFact:
    """Give what identifies the content of a file."""
    return FileFact(sha256(path), path.stat().st_size)


def checksums(hashes: Mapping[str, str]) -> str:
    """Write hashes by path as `sha256sum -c` reads them."""
    return "".join(f"{hashes[name]}  {name}\n" for name in sorted(hashes))
