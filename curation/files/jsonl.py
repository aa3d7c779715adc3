"""JSON lines: one object a line, appended as it comes, so that the last one may be cut off."""

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curation.files.atomic import atomic_text, write_file
from curation.files.tables import read_text, refuse_absent, refuse_binary, separator, table_rows
from curation.records.letters import column_letters
from curation.records.messages import (
    CurateError,
    Finding,
    Severity,
    composed,
    printable,
    refusal,
    warning,
)

# Line ends to some readers, and to others not: safe only when they are escaped.
_LINE_SEPARATORS = tuple(
    (character, f"\\u{ord(character):04x}") for character in ("\x85", "\u2028", "\u2029")
)


@dataclass(frozen=True, slots=True)
class Line:
    """One object, with its line in the file."""

    number: int
    value: Mapping[str, Any]

    def text(self, key: str) -> str:
        """A text of the object.

        Raises:
            ValueError: If it is not there, empty, or cannot be written as UTF-8.
        """
        value = self.value.get(key)
        if not isinstance(value, str) or not value.strip():
            raise ValueError(f"it has no text '{key}'")
        if value.isascii():
            return value
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise ValueError(f"'{key}' holds half of a surrogate pair") from error
        return value


def parse_line(file: str, number: int, data: bytes, *, last: bool) -> Line | Finding:
    """Read one line, or say what is wrong with it.

    Args:
        file: Path as shown to the user.
        number: Of the line, from 1.
        data: The line.
        last: Whether the file ends with it and without a line end: it may then be cut off.
    """
    try:
        value = json.loads(str(data, "utf-8"))
    except (ValueError, RecursionError):
        if not last:
            return line_problem(file, number, "the line is not JSON in UTF-8")
        what = "the last line is incomplete and is left out"
        hint = (
            "the program that wrote the file was stopped: let it finish, or ask for this line again"
        )
        return warning("jsonl-torn-line", file, what, hint, row=number)
    if isinstance(value, dict):
        return Line(number, value)
    return line_problem(file, number, "the line is not a JSON object")


def line_problem(file: str, number: int, message: str) -> Finding:
    """Report a line that does not hold what it should."""
    hint = "correct the line or take it out"
    return Finding("jsonl-line", Severity.ERROR, file, number, "", message, hint)


def write_objects(path: Path, objects: Iterable[Mapping[str, object]]) -> int:
    """Write one JSON object a line in place of `path`; returns how many.

    Raises:
        CurateError: If the file cannot be written.
    """
    encode = json.JSONEncoder(ensure_ascii=False).encode  # json.dumps would make one each time
    count = 0
    with atomic_text(path) as stream:
        for value in objects:
            stream.write(f"{one_line(encode(value))}\n")
            count += 1
    return count


def one_line(text: str) -> str:
    """JSON whose texts hold no character that some readers take for the end of a line."""
    if text.isascii():
        return text
    for character, escaped in _LINE_SEPARATORS:
        text = text.replace(character, escaped)
    return text


def text_list(value: object, what: str = "it") -> Sequence[str]:
    """Read a list of texts.

    Args:
        value: The value.
        what: What it is called.

    Raises:
        ValueError: If it is none.
    """
    if isinstance(value, list):
        for item in value:
            if not isinstance(item, str):
                break
        else:
            return value
    raise ValueError(f"{what} is not a list of texts")


def read_json(path: Path, hint: str = "", *, whole: bool = False) -> Any:
    """What a JSON file holds.

    Args:
        path: The file.
        hint: What to do about one that cannot be read; by default what its fault asks for.
        whole: Whether the letters of its objects are put together, as tables are read.

    Raises:
        CurateError: If it is no JSON, or an object in it has a key twice.
    """
    try:
        return json.loads(read_text(path), object_pairs_hook=_whole if whole else _unique_keys)
    except json.JSONDecodeError as error:
        where = f"{path}, line {error.lineno}, column {error.colno}"
        what = f"{path.name} is not JSON: {error.msg}"
        raise CurateError(what, where, hint or "check that the file is complete") from error
    except _DoubledKeyError as error:
        raise CurateError(str(error), str(path), hint or "keep one of them") from error
    except (ValueError, RecursionError) as error:  # numbers of thousands of digits, deep nests
        raise CurateError(f"{path.name} cannot be read: {error}", str(path), hint) from error


def read_entries(path: Path) -> list[Any]:
    """The entries of a file of counts, as JSON holds them, in letters of one character each.

    Raises:
        CurateError: If the file is no JSON list, or an entry has a key twice.
    """
    data = read_json(path, whole=True)
    if not isinstance(data, list):
        raise refusal("curation", "counts-no-list", path)
    return data


class _DoubledKeyError(ValueError):
    """A key that occurs twice."""


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of JSON; for `object_pairs_hook`.

    Raises:
        _DoubledKeyError: If a key occurs twice, of which `json` would take the last.
    """
    entry: dict[str, Any] = {}
    for key, value in pairs:
        if key in entry:
            raise _DoubledKeyError(printable(f"'{key}' occurs twice in one entry"))
        entry[key] = value
    return entry


def _whole(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    def put(value: Any) -> Any:
        if isinstance(value, list):
            return [*map(put, value)]
        return composed(value) if isinstance(value, str) else value

    return _unique_keys([(composed(key), put(value)) for key, value in pairs])


def write_entries(path: Path, entries: Sequence[Mapping[str, object]]) -> None:
    """Write a file of counts.

    Raises:
        CurateError: If it cannot be written.
    """
    write_file(path, f"{json.dumps(entries, ensure_ascii=False, indent=1)}\n")


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


Record = Mapping[str, Any]
ENDINGS = (".csv", ".tsv", ".xlsx", ".json", ".jsonl", ".parquet")
"""How names of files of records end."""
_LISTS = ("samples", "request_states", "rows")
"""Keys of records in logs of Inspect and of HELM, and in what the viewer of Hugging Face gives."""


@dataclass(frozen=True, slots=True)
class Records:
    """The records of a file.

    Attributes:
        kind: What its places are called: `row`, `line` or `record`.
        names: The columns, or the keys of the first record.
        delimited: Whether it is a table, whose cells are texts.
        rows: Each place, counted as a spreadsheet or an editor does, with its record.
    """

    kind: str
    names: tuple[str, ...]
    delimited: bool
    rows: Iterator[tuple[int, Record]]


def stream(path: Path, hint: str, *, empty: bool = False) -> Records:
    """Open a file of records, by its ending: a table, JSON or Parquet.

    JSON is lines, an array, what pandas writes, or an object with one list of records, as logs of
    Inspect (`samples`) and of HELM (`request_states`) are; of a workbook the first sheet with
    columns is read. Its rows are read as they are asked for, and raise `CurateError` where one
    cannot be read, or there is none.

    Args:
        path: The file.
        hint: What to do about a file that cannot be read.
        empty: Whether a table may have a header alone.

    Raises:
        CurateError: If there is no such file, it is of another kind, its start cannot be read, or
            it is empty.
    """
    refuse_absent(path)
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise refusal("curation", "samples-ending", path, ending=ending or path.name)
    if ending in (".csv", ".tsv"):
        with path.open("rb") as stream:
            head = stream.read(65536)
        refuse_binary(head, path)
        mark = "\t" if ending == ".tsv" else separator(head.decode("utf-8-sig", "replace"))
        return _table(path, table_cells(path, mark), hint, empty)
    if ending == ".xlsx":
        return _table(path, _sheet(path), hint, empty)
    lines = ending == ".jsonl" or (ending == ".json" and not _is_array(path))
    rows = _lines(path, hint) if lines else (_array if ending == ".json" else _parquet)(path, hint)
    first = next(rows, None)
    if first is None:
        raise _no_sample(path, "the file is empty" if lines else "it has no records")
    whole = itertools.chain([first], rows)
    return Records("line" if lines else "record", tuple(first[1]), delimited=False, rows=whole)


def _is_array(path: Path) -> bool:
    """Whether a file is one JSON value, and not lines of them: its first line is none alone."""
    with path.open("rb") as stream:
        lines = (line.removeprefix(b"\xef\xbb\xbf").strip() for line in stream)
        first = next(filter(None, lines), b"[]")
        try:
            return not isinstance(json.loads(first), dict) or not any(lines)
        except ValueError:
            return True


def _no_sample(path: Path, why: str) -> CurateError:
    what = f"{path.name} holds no sample: {why}"
    return CurateError(what, str(path), "check that the download or export finished")


def _table(path: Path, rows: Iterator[tuple[int, list[str]]], hint: str, empty: bool) -> Records:
    """The records of rows of cells; the first row with two cells has the names, after a title."""
    named = ([cell.strip() for cell in cells] for _, cells in rows if sum(map(bool, cells)) > 1)
    names = tuple(next(named, ()))
    if not names:
        raise _no_sample(path, "the file is empty, or has one column")
    names = names[: max(at for at, name in enumerate(names, start=1) if name)]
    for at, name in enumerate(names):
        if names.count(name) > 1 or (at and not name):
            what = f"column '{name}' occurs twice in the header" if name else "a column has no name"
            hint = "write the name of each column in one row"
            raise CurateError(what, f"{path}, column {column_letters(at)}", hint)
    return Records("row", names, delimited=True, rows=_mapped(path, names, rows, hint, empty))


def _sheet(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The rows of the first sheet of a workbook that has more than one column."""
    from curation.files.workbooks.opening import cells_of  # few files are workbooks

    sheets = cells_of(path).values()
    tables = (rows for rows in sheets if any(sum(map(bool, row)) > 1 for row in rows))
    return enumerate(next(tables, []), start=1)


def table_cells(path: Path, delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each row of a table, with its number.

    Raises:
        CurateError: If a row cannot be read, or the file is not UTF-8.
    """
    with path.open(encoding="utf-8-sig", newline="") as stream:
        try:
            yield from enumerate(table_rows(stream, delimiter, str(path)), start=1)
        except UnicodeDecodeError:
            read_text(path)  # says where
            raise


def _mapped(
    path: Path,
    names: tuple[str, ...],
    rows: Iterator[tuple[int, list[str]]],
    hint: str,
    empty: bool,
) -> Iterator[tuple[int, Record]]:
    found = empty
    for number, cells in rows:
        if not any(cells[len(names) :]):
            del cells[len(names) :]  # as blank as the header is there
        if len(cells) == len(names):
            if any(cells):
                found = True
                yield number, dict(zip(names, cells, strict=True))
        elif any(cells):
            what = f"the row has {len(cells)} cells where the header has {len(names)}"
            raise CurateError(what, f"{path}, row {number}", hint)
    if not found:
        raise _no_sample(path, "it has a header and no rows")


def _array(path: Path, hint: str) -> Iterator[tuple[int, Record]]:
    """The objects of a JSON array, which is held in memory as a whole."""
    found = read_json(path, hint)
    if isinstance(found, dict):
        found = _within(found, path)
    if not isinstance(found, list):
        raise CurateError("the file is not a JSON array of objects", str(path), hint)
    for number, value in enumerate(found, start=1):
        if not isinstance(value, dict):
            raise CurateError("the item is not a JSON object", f"{path}, record {number}", hint)
        yield number, value


def _within(found: dict[str, Any], path: Path) -> list[Any]:
    """The records in an object.

    Raises:
        CurateError: If it is not plain which list has them.
    """
    parts = [*found.values()]
    if all(isinstance(part, dict) and part.keys() == parts[0].keys() for part in parts):
        if all(map(str.isdecimal, found)):  # rows, or columns, as pandas writes them
            return parts
        if all(map(str.isdecimal, parts[0])):
            return [{name: found[name][key] for name in found} for key in parts[0]]
    lists = [name for name, value in found.items() if isinstance(value, list)]
    lists = [name for name in _LISTS if name in lists] or lists
    lists = [name for name in lists if any(isinstance(item, dict) for item in found[name])]
    if len(lists) != 1:
        many = f"several lists of objects: {', '.join(lists)}" if lists else "no list of objects"
        what = f"the file is a JSON object with {many}"
        raise CurateError(what, str(path), "write the records alone to a file, as a JSON array")
    records: list[Any] = found[lists[0]]
    inner = [isinstance(item, dict) and item.get("row") for item in records]
    return inner if all(isinstance(row, dict) for row in inner) else records


def _lines(path: Path, hint: str) -> Iterator[tuple[int, Record]]:
    with path.open("rb") as stream:
        for number, data in enumerate(stream, start=1):
            if number == 1:
                data = data.removeprefix(b"\xef\xbb\xbf")  # a mark, no data
            if not data.strip():
                continue
            try:
                value = json.loads(data, object_pairs_hook=_unique_keys)
            except UnicodeDecodeError:
                read_text(path)  # says where
                raise
            except (ValueError, RecursionError) as error:
                doubled = isinstance(error, _DoubledKeyError)
                what = str(error) if doubled else "the line is not JSON in UTF-8"
                raise CurateError(what, f"{path}, line {number}", hint) from error
            if not isinstance(value, dict):
                raise CurateError("the line is not a JSON object", f"{path}, line {number}", hint)
            yield number, value


def _parquet(path: Path, hint: str) -> Iterator[tuple[int, Record]]:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        batches = parquet.ParquetFile(path).iter_batches(batch_size=4096)
        rows = itertools.chain.from_iterable(batch.to_pylist() for batch in batches)
        yield from enumerate(rows, start=1)
    except (pa.ArrowException, OSError) as error:
        said = " ".join(str(error).split())
        raise CurateError(f"{path.name} cannot be read: {said}", str(path), hint) from error
