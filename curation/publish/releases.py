"""`releases.csv`: every release that was made of a workspace, appended, never changed."""

from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path

from curation.io.atomic import atomic_text
from curation.io.tables import Row, read_bytes, read_table, refuse_problems, write_rows
from curation.model.errors import CurateError
from curation.model.released import RELEASE_COLUMNS, Release

RELEASES = "releases.csv"
"""The list's name, in the workspace."""
KEPT = "releases"
"""The folder of the workspace that keeps what each version was made from."""
_NUMBERS = ("samples", "test_samples", "data_format", "seed")


def read_releases(path: Path) -> tuple[Release, ...]:
    """Read the releases, the latest last; none where there is no file.

    Raises:
        CurateError: If it was damaged.
    """
    if not path.exists():
        return ()
    table = read_table(path, required=RELEASE_COLUMNS)
    refuse_problems(table)
    return tuple(_release(row, table.file) for row in table.rows)


def _release(row: Row, file: str) -> Release:
    try:
        numbers = {name: int(row[name]) for name in _NUMBERS}
    except ValueError as error:
        raise CurateError(
            f"a number is wrong: {error}", f"{file}, row {row.number}", "take back the edit"
        ) from error
    texts = {name: row[name] for name in RELEASE_COLUMNS if name not in _NUMBERS}
    return Release(**numbers, **texts)  # type: ignore[arg-type]  # the columns are the fields


def add_release(path: Path, release: Release) -> bool:
    """Append a release, unless the same one stands there.

    Returns:
        Whether it was added.

    Raises:
        CurateError: If the list was damaged or cannot be written.
    """
    if release in read_releases(path):
        return False
    text = read_bytes(path).decode("utf-8-sig") if path.exists() else ""
    with atomic_text(path) as stream:
        stream.write(text if not text or text.endswith("\n") else f"{text}\n")
        write_rows(stream, () if text else RELEASE_COLUMNS, [astuple(release)])
    return True


def before(releases: Sequence[Release], version: str) -> Release | None:
    """Give the release that a version follows: the last one before it was first recorded."""
    found = None
    for release in releases:
        if release.version == version:
            return found
        found = release
    return found
