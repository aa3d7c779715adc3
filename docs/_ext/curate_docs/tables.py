"""The tables of a workspace: every column that the code names, with what it means."""

import pkgutil
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from curate_docs.text import attributes, escaped, one_line
from evaluation.measures import MEASURES
from evaluation.qa.effects import EFFECTS
from evaluation.qa.metrics import METRICS
from exports.card.citation import known

_INTRO = """\
# Columns of every table

Made of the code: the columns as they are written, in their order. What the files are for, and
how slots, groups and lists are written, is told in [Files of a workspace](../formats.md). All
tables are CSV, UTF-8, with a header row; a number that is not defined is an empty cell, never 0.
"""
_REGISTERED = {**METRICS, **EFFECTS, **MEASURES}
_LIST = Path(__file__).with_name("tables.yaml")

_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


@dataclass(frozen=True, slots=True)
class Table:
    """A table.

    Attributes:
        part: The heading that it stands under.
        file: Its file, or several.
        rows: What one row is.
        source: The constant that holds its columns.
        columns: The columns, in order.
        means: What each of them means.
        unused: Words in the list that no column needs.
    """

    part: str
    file: str
    rows: str
    source: str
    columns: tuple[str, ...]
    means: Mapping[str, str]
    unused: tuple[str, ...]


@cache
def listed() -> dict[str, Any]:
    """The list as it is written."""
    found = yaml.safe_load(_LIST.read_text(encoding="utf-8"))
    assert isinstance(found, dict)  # noqa: S101  # our own file
    return found


def tables() -> list[Table]:
    """Every table.

    Raises:
        KeyError: If nothing tells what a column means; the message names it.
    """
    return [_table(entry, listed()["words"]) for entry in listed()["tables"]]


def found_at(name: str) -> Any:
    """What stands in the code under a dotted name."""
    return pkgutil.resolve_name(name)


def _table(entry: Mapping[str, Any], shared: Mapping[str, str]) -> Table:
    if "given" in entry:  # columns that the code explains itself
        means = {item.name: item.meaning for item in found_at(entry["given"])(entry["of"])}
        source = entry["given"]
        return Table(entry["part"], entry["file"], entry["rows"], source, tuple(means), means, ())
    if "codec" in entry:  # the table of a record type
        codec = found_at(entry["codec"])
        source, columns, record = entry["codec"], codec.columns, codec.record
    else:
        source, columns = entry["columns"], tuple(found_at(entry["columns"]))
        record = found_at(entry["record"]) if "record" in entry else None
    own = entry.get("words", {})
    told = attributes(record.__doc__) if record else {}
    endings = entry.get("endings", {})
    means = {}
    for column in columns:
        ending = next((text for end, text in endings.items() if column.endswith(end)), "")
        stem = column.removesuffix("_source")
        twin = entry.get("twins", "").format(stem) if stem != column else ""
        text = own.get(column) or told.get(column) or ending or twin or shared.get(column)
        text = text or (_REGISTERED[column].says if column in _REGISTERED else "")
        if not text:
            raise KeyError(f"{source}: nothing tells what '{column}' means")
        listed = entry.get("names", {}).get(column)
        for name, it in found_at(listed).items() if listed else ():
            text += f" `{name}`: {it.says} Formula: {it.formula} ({it.source})."
        means[column] = text
    unused = tuple(name for name in own if name not in columns)
    return Table(entry["part"], entry["file"], entry["rows"], source, columns, means, unused)


def page() -> str:
    """The page: a section for each table."""
    lines, part = [_INTRO], ""
    for table in tables():
        if table.part != part:
            part = table.part
            lines.append(f"## {part}")
        rows = "\n".join(
            f"| `{column}` | {_shown(table.means[column])} |" for column in table.columns
        )
        lines.append(f"### {escaped(table.file)}")
        lines.append(f"One row: {table.rows}.")
        lines.append(f"| column | holds |\n|---|---|\n{rows}")
    # Links of the card lead to files of its release, which are not here.
    held = {name: _LINK.sub(r"\1", said["holds"]) for name, said in known()["files"].items()}
    files = "\n".join(f"| `{name}` | {text} |" for name, text in held.items())
    lines.append(f"## Files of a release\n\n| file | holds |\n|---|---|\n{files}")
    return "\n\n".join(lines) + "\n"


def _shown(text: str) -> str:
    """Words of the list, in which a link is meant, and of docstrings, in which none is."""
    return one_line(text).replace("|", "\\|") if "](" in text else escaped(one_line(text))
