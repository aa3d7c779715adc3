"""Items written to batch files, a new one wherever a limit would be passed."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO

from curation.model.errors import CurateError
from evaluation.batch.formats import Format, Limits

# Line ends to some readers, and to others not: safe only when they are escaped.
_SEPARATORS = {ord(sign): f"\\u{ord(sign):04x}" for sign in ("\x85", "\u2028", "\u2029")}


@dataclass(frozen=True, slots=True)
class BatchFile:
    """A batch file.

    Attributes:
        name: Its name.
        requests: How many it holds.
        size: Bytes.
        sha256: Of its content.
    """

    name: str
    requests: int
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class _Frame:
    """What stands before, between and after the items of a file."""

    head: bytes
    joint: bytes
    tail: bytes


_FRAMES = {
    Format.OPENAI: _Frame(b"", b"\n", b"\n"),
    Format.ANTHROPIC: _Frame(b'{"requests":[\n', b",\n", b"\n]}\n"),
}


class Parts:
    """Writes items into files of a folder.

    Args:
        folder: Where the files go.
        format_: Their kind.
        limits: The most that one may hold.

    Attributes:
        files: Those that are complete; all of them once the block has ended.
    """

    def __init__(self, folder: Path, format_: Format, limits: Limits) -> None:
        self._folder = folder
        self._format = format_
        self._frame = _FRAMES[format_]
        self._limits = limits
        self._stream: IO[bytes] | None = None
        self._count = self._size = 0
        self._hash = hashlib.sha256()
        self.files: list[BatchFile] = []

    def __enter__(self) -> "Parts":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            self._end()
        elif self._stream is not None:
            self._stream.close()

    def add(self, item: Mapping[str, object]) -> int:
        """Write an item; gives the number of its file, from 1.

        Raises:
            CurateError: If it is larger than a file may be.
        """
        text = json.dumps(item, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        data = text.translate(_SEPARATORS).encode()
        frame = self._frame
        if len(frame.head) + len(data) + len(frame.tail) > self._limits.size:
            raise CurateError(
                f"the request '{item['custom_id']}' alone is larger than a batch file may be "
                f"({len(data):,} bytes)",
                hint="allow larger files with --max-mb",
            )
        grown = self._size + len(frame.joint) + len(data) + len(frame.tail)
        if self._count == self._limits.requests or grown > self._limits.size:
            self._end()
        if self._stream is None:
            self._stream = (self._folder / self._name()).open("wb")
            self._write(frame.head)
        else:
            self._write(frame.joint)
        self._write(data)
        self._count += 1
        return len(self.files) + 1

    def _name(self) -> str:
        return f"{self._format.value}-{len(self.files) + 1:03d}.{self._format.ending}"

    def _write(self, data: bytes) -> None:
        assert self._stream is not None  # noqa: S101  # a fault of ours
        self._stream.write(data)
        self._hash.update(data)
        self._size += len(data)

    def _end(self) -> None:
        """Complete the file that is being written, if there is one."""
        if self._stream is None:
            return
        self._write(self._frame.tail)
        self._stream.close()
        digest = self._hash.hexdigest()
        self.files.append(BatchFile(self._name(), self._count, self._size, digest))
        self._stream = None
        self._count = self._size = 0
        self._hash = hashlib.sha256()
