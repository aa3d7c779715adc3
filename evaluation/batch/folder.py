"""A folder of batches: what was written in each round, and which results were read.

Each round of writing has a folder of its own, `001`, `002` and so on, that is never changed:
the batch files, `batch.json` that says which model they ask for what, and `index.csv` that says
which request is behind each custom id. `read.json` beside them is what reading has left there.
"""

import csv
import io
import json
import os
from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from curation.files.atomic import atomic_text, refused, scratch_folder
from curation.files.tables import read_bytes
from curation.files.workspace import Workspace
from curation.records.errors import CurateError
from evaluation.batch.formats import BatchFile, Format, Order
from evaluation.requests import ASKED

STATE = "batch.json"
INDEX = "index.csv"
READ = "read.json"
_VERSION = 1
_COLUMNS = ("custom_id", "request_id", "key", "size", "file", ASKED)
_BEFORE = _COLUMNS[:-1]  # of a round that was written before hashes of messages were kept
_HINT = (
    "write the batches again into another folder: curate evaluate batch write --model NAME "
    "--batches DIR"
)


@dataclass(frozen=True, slots=True)
class Row:
    """A request of a round.

    Attributes:
        custom_id: What its batch file calls it. Requests that say the same share one.
        request_id: The request.
        key: Of its reply.
        size: About how many tokens its messages are.
        file: The number of its batch file, from 1.
        asked: The hash of its messages; None in a round that does not say it.
    """

    custom_id: str
    request_id: str
    key: bytes
    size: int
    file: int
    asked: int | None = None


class Index:
    """Which request is behind each custom id of a round.

    The file is gone through once for all files of results: where each line begins is kept, and a
    hash of its custom id, 16 bytes a request.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._hashes: npt.NDArray[np.int64] | None = None
        self._starts = np.empty(0, dtype=np.int64)
        self._quotes = False  # whether a cell may hold a comma or the end of a line

    def rows(self, wanted: Collection[str] | None = None) -> Iterator[Row]:
        """Yield the requests, in their order.

        Args:
            wanted: Only those with these custom ids; None for all.

        Raises:
            CurateError: If the file is damaged.
        """
        for name, request_id, key, size, file, *asked in self._cells(wanted):
            try:
                number = int(asked[0], 16) if asked else None
                row = Row(name, request_id, bytes.fromhex(key), int(size), int(file), number)
            except ValueError as error:
                raise self._damaged(error) from error
            yield row

    def replies(self) -> Iterator[tuple[str, bytes, int]]:
        """Yield of every request its id, the key of its reply, and the number of its file.

        Raises:
            CurateError: If the file is damaged.
        """
        for _, request_id, key, _, file, *_ in self._cells(None):
            try:
                found = request_id, bytes.fromhex(key), int(file)
            except ValueError as error:
                raise self._damaged(error) from error
            yield found

    def _cells(self, wanted: Collection[str] | None) -> Iterator[list[str]]:
        try:
            with self._path.open(encoding="utf-8", newline="") as stream:
                if tuple(next(csv.reader(stream, strict=True), ())) not in (_COLUMNS, _BEFORE):
                    raise ValueError("its header has other columns")
                lines = stream if wanted is None else self._lines(wanted) or stream
                for cells in csv.reader(lines, strict=True):
                    if len(cells) not in (len(_COLUMNS), len(_BEFORE)):
                        raise ValueError(f"it has a line of {len(cells)} cells")
                    if wanted is None or cells[0] in wanted:
                        yield cells
        except (OSError, ValueError, csv.Error) as error:
            raise self._damaged(error) from error

    def _lines(self, wanted: Collection[str]) -> Iterator[str] | None:
        """The lines that are wanted, and few others; None where lines are no rows."""
        if self._hashes is None:
            self._hashes, self._starts, self._quotes = self._looked_through()
        if self._quotes:
            return None
        sought = np.fromiter((hash(name.encode()) for name in wanted), np.int64, len(wanted))
        return self._at(np.flatnonzero(np.isin(self._hashes, sought)))

    def _at(self, places: npt.NDArray[np.intp]) -> Iterator[str]:
        with self._path.open("rb") as stream:
            for run in np.split(places, np.flatnonzero(np.diff(places) > 1) + 1):
                if len(run):
                    start, end = int(self._starts[run[0]]), int(self._starts[run[-1] + 1])
                    stream.seek(start)
                    yield from io.StringIO(stream.read(end - start).decode(), newline="")

    def _looked_through(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], bool]:
        hashes, starts, quotes = array("q"), array("q"), False
        with self._path.open("rb") as stream:
            at = len(stream.readline())
            starts.append(at)
            for line in stream:
                hashes.append(hash(line[: line.find(b",")]))
                at += len(line)
                starts.append(at)
                quotes = quotes or b'"' in line
        return np.array(hashes, dtype=np.int64), np.array(starts, dtype=np.int64), quotes

    def _damaged(self, error: Exception) -> CurateError:
        return CurateError(f"{INDEX} cannot be read: {error}", str(self._path), _HINT)


@dataclass(frozen=True, slots=True)
class Reading:
    """What of a round's results was read.

    Attributes:
        files: Names of the batch files that results have come of.
        sources: Hashes of the results' files, by which they are known again.
    """

    files: frozenset[str] = frozenset()
    sources: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Round:
    """What was written at one time.

    Attributes:
        folder: Its folder.
        order: Which model is asked, and how.
        files: The batch files.
        requests_file: The requests.
        index: Its requests.
        reading: What of its results was read.
    """

    folder: Path
    order: Order
    files: tuple[BatchFile, ...]
    requests_file: Path
    index: Index = field(compare=False, repr=False)
    reading: Reading = field(default_factory=Reading)

    @property
    def unread(self) -> frozenset[int]:
        """The numbers of the batch files of which no results were read."""
        names = enumerate(self.files, start=1)
        return frozenset(at for at, file in names if file.name not in self.reading.files)

    def rows(self, wanted: Collection[str] | None = None) -> Iterator[Row]:
        """Yield its requests, in their order; only those with these custom ids, or all.

        Raises:
            CurateError: If the index is damaged.
        """
        return self.index.rows(wanted)

    def with_reading(self, reading: Reading) -> "Round":
        """Note what was read.

        Raises:
            CurateError: If that cannot be written.
        """
        with atomic_text(self.folder / READ) as stream:
            found = {"files": sorted(reading.files), "sources": sorted(reading.sources)}
            stream.write(f"{json.dumps(found, indent=2)}\n")
        return replace(self, reading=reading)


def read_rounds(folder: Path) -> list[Round]:
    """Read the rounds of a folder, the first one first; none where there is no folder.

    Raises:
        CurateError: If one is damaged, or they do not ask the same of the same model.
    """
    if not folder.is_dir():
        return []
    paths = sorted(path for path in folder.iterdir() if path.name.isdigit())
    found = [_read_round(path) for path in paths]
    for item in found[1:]:
        if item.order != found[0].order:
            what = "the rounds of this folder ask different things"
            raise CurateError(what, str(item.folder), "move this one into a folder of its own")
    return found


def _read_round(folder: Path) -> Round:
    path = folder / STATE
    value = _object(path)
    try:
        if value["version"] != _VERSION:
            raise ValueError(f"it is of version {value['version']}")
        order = Order(Format(value["format"]), value["model"], value["parameters"])
        files = tuple(BatchFile(**item) for item in value["files"])
        requests = Path(os.path.normpath(folder / value["requests_file"]))
        noted = _object(folder / READ) if (folder / READ).exists() else {"files": [], "sources": []}
        reading = Reading(frozenset(noted["files"]), frozenset(noted["sources"]))
    except (KeyError, TypeError, ValueError) as error:
        raise CurateError(f"{STATE} is damaged: {error}", str(path), _HINT) from error
    return Round(folder, order, files, requests, Index(folder / INDEX), reading)


def _object(path: Path) -> Mapping[str, Any]:
    try:
        value = json.loads(read_bytes(path))
    except ValueError as error:
        raise CurateError(f"{path.name} is not JSON", str(path), _HINT) from error
    if not isinstance(value, dict):
        raise CurateError(f"{path.name} is not a JSON object", str(path), _HINT)
    return value


class Draft:
    """A round that is being written, in a folder of its own until it is complete.

    Args:
        folder: Where it is written.
        place: Where it will lie.
    """

    def __init__(self, folder: Path, place: Path) -> None:
        self.folder = folder
        self._place = place
        self._stream = (folder / INDEX).open("w", encoding="utf-8", newline="")
        self._cells = csv.writer(self._stream, lineterminator="\n")
        self._cells.writerow(_COLUMNS)

    def add(self, row: Row) -> None:
        """Take a request into the index."""
        asked = "" if row.asked is None else f"{row.asked:016x}"
        cells = (row.custom_id, row.request_id, row.key.hex(), row.size, row.file, asked)
        self._cells.writerow(cells)

    def finish(self, order: Order, files: Sequence[BatchFile], requests: Path) -> None:
        """Write which model the files ask, and how."""
        self._stream.close()
        value = {
            "version": _VERSION,
            "format": order.format.value,
            "model": order.model,
            "parameters": dict(order.parameters),
            "requests_file": _relative(requests, self._place),
            "files": [asdict(item) for item in files],
        }
        text = f"{json.dumps(value, ensure_ascii=False, indent=2)}\n"
        (self.folder / STATE).write_text(text, encoding="utf-8")

    def close(self) -> None:
        """Let go of the files."""
        self._stream.close()


def _relative(path: Path, folder: Path) -> str:
    """A path from a folder, so that both may be moved together."""
    try:
        return Path(os.path.relpath(path.resolve(), folder.resolve())).as_posix()
    except ValueError:  # Windows: on another drive
        return str(path.resolve())


@contextmanager
def new_round(folder: Path, number: int) -> Iterator[Draft]:
    """A draft that becomes round `number` of a folder when the block succeeds with a state.

    Raises:
        CurateError: If it cannot be written, or there is such a round already.
    """
    target = folder / f"{number:03d}"
    with scratch_folder(target) as stage:
        try:
            draft = Draft(stage, target)
            try:
                yield draft
            finally:
                draft.close()
            if (stage / STATE).exists():
                _sync(stage)
                stage.chmod(0o755)
                stage.rename(target)
        except OSError as error:
            raise refused(target, error) from error


def _sync(folder: Path) -> None:
    """Wait until the disk has every file of a folder."""
    for path in folder.iterdir():
        with path.open("rb") as stream:
            os.fsync(stream.fileno())


FOLDER = "batches"
"""The folder of batches below that of evaluation."""


def default_folder(workspace: Workspace) -> Path:
    """The folder that holds a folder of batches for each model."""
    return workspace.exports_folder / "evaluation" / FOLDER


def model_folder(workspace: Workspace, model: str) -> Path:
    """A model's folder of batches, named so that any file system takes it."""
    name = "".join(
        character if character.isalnum() or character in "._-" else "_" for character in model
    )
    return default_folder(workspace) / (name.lstrip(".") or "model")


def only_folder(workspace: Workspace) -> Path:
    """Find the folder of batches where there is one alone.

    Raises:
        CurateError: If there is none, or there are several.
    """
    parent = default_folder(workspace)
    found = sorted(path for path in parent.glob("*") if path.is_dir()) if parent.is_dir() else []
    if len(found) == 1:
        return found[0]
    if not found:
        hint = "write them with 'curate evaluate batch write', or name their folder with --batches"
        raise CurateError("there are no batches whose results could be read", str(parent), hint)
    names = ", ".join(path.name for path in found)
    hint = "say which batch these results belong to: --model NAME or --batches DIR"
    raise CurateError(f"there are batches of several models: {names}", str(parent), hint)
