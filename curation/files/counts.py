"""Counts of a survey as a JSON list of questions, the shape of KoBBQ's published file."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from curation.files.atomic import atomic_text
from curation.files.tables import read_text
from curation.records.errors import CurateError


def read_entries(path: Path) -> list[Any]:
    """The entries of a file of counts, as JSON holds them.

    Raises:
        CurateError: If the file is no JSON list, or an entry has a key twice.
    """
    try:
        data = json.loads(read_text(path), object_pairs_hook=unique_keys)
    except json.JSONDecodeError as error:
        raise CurateError(
            f"{path.name} is not JSON: {error.msg}",
            f"{path}, line {error.lineno}, column {error.colno}",
            "check that the file is complete",
        ) from error
    except DoubledKeyError as error:
        raise CurateError(
            f"'{error}' occurs twice in one entry", str(path), "keep one of them"
        ) from error
    except (ValueError, RecursionError) as error:  # numbers of thousands of digits, deep nests
        raise CurateError(f"{path.name} cannot be read: {error}", str(path)) from error
    if not isinstance(data, list):
        raise CurateError(
            f"{path.name} is not a list of counts", str(path), "it must be a list of questions"
        )
    return data


class DoubledKeyError(ValueError):
    """A key that occurs twice."""


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of JSON; for `object_pairs_hook`.

    Raises:
        DoubledKeyError: If a key occurs twice, of which `json` would take the last.
    """
    entry: dict[str, Any] = {}
    for key, value in pairs:
        if key in entry:
            raise DoubledKeyError(key)
        entry[key] = value
    return entry


def write_entries(path: Path, entries: Sequence[Mapping[str, object]]) -> None:
    """Write a file of counts.

    Raises:
        CurateError: If it cannot be written.
    """
    with atomic_text(path) as stream:
        json.dump(entries, stream, ensure_ascii=False, indent=1)
        stream.write("\n")


def update_entries(path: Path, entries: Sequence[Mapping[str, object]]) -> None:
    """Put the counts that templates carry into a file, in place of their earlier ones.

    Args:
        path: The file; entries of other templates in it are kept.
        entries: The counts, each with its `template_id`.

    Raises:
        CurateError: If it cannot be read or written.
    """
    known = read_entries(path) if path.exists() else []
    new = {entry["template_id"]: entry for entry in entries}
    kept = []
    for entry in known:
        template = entry.get("template_id") if isinstance(entry, Mapping) else None
        kept.append(new.pop(template, entry))
    write_entries(path, [*kept, *new.values()])
