"""Lives: what functions of the library give one after the other, and what they write.

What came out is kept in a file beside the test, and compared to the byte. To write it anew, run the
test with `LIVES=write` in the environment, and look at the difference.
"""

import csv
import difflib
import hashlib
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from openpyxl import load_workbook

from curation.files.workspace import Workspace
from curation.records.messages import CurateError, Finding

_FEW = 4
_SHOWN = 2
_WIDTH = 110


class Life:
    """One workspace, and what happens to it.

    Args:
        root: The workspace, by a path from the current folder: it stands in what is written down.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._told: list[str] = []
        self._before = self._files()

    @property
    def workspace(self) -> Workspace:
        """The workspace, read anew."""
        return Workspace(self.root)

    def do(self, what: str, call: Callable[[Workspace], Any]) -> Any:
        """Call a function; writes down what it gives or refuses, and which files changed."""
        self._told.append(f"# {what}")
        result = None
        try:
            result = call(self.workspace)
        except CurateError as error:
            self._told += [f"refused: {error.what}", f"    {error.where} -> {error.hint}"]
            self._told += [
                f"    {item.rule} {item.where}" for item in getattr(error, "findings", ())
            ]
        else:
            self._told += _item(result, "")
        after = self._files()
        for name in sorted({*self._before, *after}):
            if self._before.get(name) != after.get(name):
                self._told += _changes(name, self._before.get(name, []), after.get(name))
        self._before = after
        self._told.append("")
        return result

    def compare(self, expected: Path) -> None:
        """Compare all that was written down with what came out before."""
        text = "\n".join(self._told)
        text = re.sub(r"(?m)[ \t]+$", "", text).strip() + "\n"
        if os.environ.get("LIVES") == "write":
            expected.parent.mkdir(exist_ok=True)
            expected.write_text(text, encoding="utf-8")
        wanted = expected.read_text(encoding="utf-8")
        difference = difflib.unified_diff(wanted.splitlines(), text.splitlines(), lineterm="", n=1)
        assert text == wanted, "\n".join(difference)

    def _files(self) -> dict[str, list[str]]:
        return {
            path.relative_to(self.root).as_posix(): [*map(_timeless, _content(path))]
            for path in sorted(self.root.rglob("*"))
            if path.is_file() and ".curate" not in path.parts
        }


def _content(path: Path) -> list[str]:
    if path.suffix == ".xlsx":
        book = load_workbook(path)
        return [
            f"{sheet.title}: "
            + " | ".join(str(cell.value) for cell in row if cell.value is not None)
            for sheet in book.worksheets
            for row in sheet.iter_rows()
        ]
    return path.read_text(encoding="utf-8", errors="replace").splitlines()


def _digest(lines: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def _changes(name: str, before: Sequence[str], after: Sequence[str] | None) -> list[str]:
    """What is new or gone in a file: of tables by cell; of much the first, and a hash of all."""
    if after is None:
        return [f"{name} is gone"]
    if name.endswith((".xlsx", ".json")):
        return [f"{name}: {len(after)} lines, {_digest(after)}"]
    if name.endswith(".csv") and before:
        found = list(_cells(_table(before), _table(after)))
    else:
        found = [
            line
            for line in difflib.unified_diff(before, after, lineterm="", n=0)
            if not line.startswith(("---", "+++", "@@"))
        ]
    shown = [f"    {line[:_WIDTH]}" for line in found[:_SHOWN]]
    more = [f"    {len(found)} changes, {_digest(found)}"] if len(found) > _SHOWN else []
    return [f"{name}:", *shown, *more]


Table = dict[str, dict[str, str]]


def _table(lines: Sequence[str]) -> Table:
    """The rows of a table by their first two cells, and how often they were there before."""
    found: Table = {}
    for row in csv.DictReader(lines):
        cells = {key: str(value) for key, value in row.items()}
        key = " ".join(list(cells.values())[:2])
        while key in found:
            key += "+"
        found[key] = cells
    return found


def _cells(before: Table, after: Table) -> Iterator[str]:
    """Rows that are gone or new, and cells that are others, with what is in them now."""
    for key in [*before, *(key for key in after if key not in before)]:
        if key not in after:
            yield f"- {key}"
        elif key not in before:
            yield f"+ {' | '.join(cell for cell in after[key].values() if cell)}"
        else:
            for column in [*before[key], *(name for name in after[key] if name not in before[key])]:
                old, new = before[key].get(column, ""), after[key].get(column, "")
                if old != new:
                    yield f"  {key} {column}: {new}"


def _timeless(text: str) -> str:
    """A text without the name that is drawn for each workspace."""
    return re.sub(r'"workspace": "\w+"', "", text)


def _lines(value: Any, indent: str = "") -> list[str]:
    """A result as text: fields that say something, of long lists the first."""
    if is_dataclass(value) and not isinstance(value, type):
        return _record({item.name: getattr(value, item.name) for item in fields(value)}, indent)
    if isinstance(value, Mapping):
        return [line for name, part in value.items() for line in _named(str(name), part, indent)]
    return [f"{indent}{_word(value)}"]


def _record(value: Mapping[str, Any], indent: str) -> list[str]:
    """A record, or one of several dicts: what is plain in a line, and the rest below."""
    said = {name: _listed(part) for name, part in value.items()}
    if all(map(_is_plain, said.values())):
        return [f"{indent}{_inline(said)}"]
    plain = _inline({name: part for name, part in said.items() if _is_plain(part)})
    others = [(name, part) for name, part in said.items() if not _is_plain(part)]
    more = [line for name, part in others for line in _named(name, part, indent)]
    return [f"{indent}{plain}", *more] if plain else more


def _item(value: Any, indent: str) -> list[str]:
    return _record(value, indent) if isinstance(value, Mapping) else _lines(value, indent)


def _named(name: str, value: Any, indent: str) -> list[str]:
    if name == "workspace" or value in (None, "", (), [], {}, frozenset()) or callable(value):
        return []
    if isinstance(value, Set):
        value = sorted(value)
    if isinstance(value, Sequence) and value and isinstance(value[0], Finding):
        said = [f"{item.rule} {item.where}: {item.message} -> {item.hint}" for item in value]
        names = [f"{indent}    {item.rule} {item.where}"[:_WIDTH] for item in value[:_FEW]]
        return [f"{indent}{name}: {len(said)}, {_digest(said)}", *names]
    if isinstance(value, Sequence) and not isinstance(value, str):
        if all(not (is_dataclass(item) or isinstance(item, Mapping)) for item in value):
            words = [_word(item) for item in value]
            shown = ", ".join(words[:_FEW])
            more = f" and {len(words) - _FEW} more, {_digest(words)}" if len(words) > _FEW else ""
            return [f"{indent}{name}: {shown}{more}"[: _WIDTH * 2]]
        every = [line for item in value for line in _item(item, f"{indent}    ")]
        many = len(value) > _FEW
        shown_lines = [line for item in value[:2] for line in _item(item, f"{indent}    ")]
        rest = [f"{indent}    all {len(value)}: {_digest(every)}"] if many else []
        return [f"{indent}{name}: {len(value)}", *(shown_lines if many else every), *rest]
    if isinstance(value, Mapping) and all(map(_is_plain, value.values())):
        return [f"{indent}{name}: {_inline(value)}"]
    if is_dataclass(value) or isinstance(value, Mapping):
        found = _lines(value, f"{indent}    ")
        return (
            [f"{indent}{name}: {found[0].strip()}"]
            if len(found) == 1
            else [f"{indent}{name}:", *found]
        )
    return [f"{indent}{name}: {_word(value)}"]


def _listed(value: Any) -> Any:
    """A few words as one, so that a record of plain values is one line."""
    if isinstance(value, Set):
        value = sorted(value)
    is_list = isinstance(value, Sequence) and not isinstance(value, str)
    if is_list and len(value) <= _FEW and all(map(_is_plain, value)):
        return "; ".join(map(_word, value))
    return value


def _is_plain(value: Any) -> bool:
    """Whether a value is a word, a number or nothing."""
    return value is None or isinstance(value, str | int | float)


def _inline(values: Mapping[str, Any]) -> str:
    """Plain values in one line; those that say nothing are left out."""
    return ", ".join(
        f"{name} {_word(value)}"
        for name, value in values.items()
        if name != "workspace" and (value or value == 0.0)
    )


def _word(value: Any) -> str:
    text = str(value.value if isinstance(value, Enum) else value)
    return " ".join(text.split())[:_WIDTH]
