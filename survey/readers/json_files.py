"""JSON files of answers as columns of texts: a list of objects, or an object a line."""

import json
from pathlib import Path
from typing import Any

from curation.files.tables import read_text
from curation.records.errors import CurateError
from survey.readers.frames import Source, refusal

ENDINGS = (".json", ".jsonl", ".ndjson")
_COUNTS = frozenset({"survey_stats", "stereotype"})
"""Keys of a file of counts."""


def holds_answers(path: Path) -> bool:
    """Whether a JSON file holds objects that are not those of counts; a broken one does not."""
    if path.suffix.lower() not in ENDINGS:
        return False
    try:
        rows = _objects(path, str(path))
    except CurateError:
        return False
    return not any(_COUNTS & row.keys() for row in rows)


def read_json(path: Path, file: str) -> tuple[Source, list[list[str]]]:
    """Read the objects of a file, an object a row; the names of their values are row 1.

    Raises:
        CurateError: If it is no JSON, or not one of objects.
    """
    rows = [_flat(row) for row in _objects(path, file)]
    names = list(dict.fromkeys(name for row in rows for name in row))
    source = Source(kind="json", encoding="utf-8", encoding_reason="JSON is UTF-8")
    return source, [[name, *(row.get(name, "") for row in rows)] for name in names]


def _objects(path: Path, file: str) -> list[dict[str, Any]]:
    text = read_text(path)
    lines = path.suffix.lower() != ".json"
    try:
        data = [json.loads(line) for line in text.splitlines() if line.strip()] if lines else None
        data = json.loads(text) if data is None else data
    except (ValueError, RecursionError) as error:
        where = f", line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise refusal("json-broken", f"{file}{where}", name=path.name) from error
    if isinstance(data, dict):
        lists = [value for value in data.values() if isinstance(value, list)]
        data = lists[0] if len(lists) == 1 else [data]
    rows = [one for row in data for one in (row if isinstance(row, list) else [row])]
    if not rows or not all(isinstance(row, dict) for row in rows):
        raise refusal("json-other", file, name=path.name)
    return rows


def _flat(row: dict[str, Any], before: str = "", *, deep: bool = True) -> dict[str, str]:
    """The values as texts; those of an object within have names with a dot, lists stay JSON."""
    found: dict[str, str] = {}
    for key, value in row.items():
        name = f"{before}{key}"
        if isinstance(value, str):
            found[name] = value
        elif value is None:
            found[name] = ""
        elif isinstance(value, dict) and deep and "trial_type" not in row:
            found |= _flat(value, f"{name}.", deep=False)
        else:
            found[name] = json.dumps(value, ensure_ascii=False)
    return found
