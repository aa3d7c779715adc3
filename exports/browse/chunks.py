"""The data of the page, in chunks that it loads when they are looked at.

A page that is opened from disk may not fetch files, but it may load scripts. Each chunk is a script
of one line that hands over its name and its content: JSON, compressed, written in base64. None of
it is code: the content is one text of letters and digits.
"""

import base64
import functools
import gzip
import json
import re
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from curation.files.handles import Closing

DATA = "data"
"""The folder of the chunks."""
_NAME = re.compile(r"[a-z][a-z0-9]*(-[0-9]+)*")
_LEVEL = 6


@dataclass(slots=True)
class ChunkWriter:
    """Writes chunks, each once, and counts them.

    The same content gives the same bytes: no time and no name of a file is in them.

    Attributes:
        folder: The folder of the page.
        sizes: By name, the bytes of each chunk that was written.
    """

    folder: Path
    sizes: dict[str, int] = field(default_factory=dict)

    def add(self, name: str, content: object) -> None:
        """Write a chunk.

        Args:
            name: Small letters, and numbers after hyphens: `index`, `samples-12-0`.
            content: What JSON can hold; texts are written as they are.

        Raises:
            ValueError: If the name is none, or was written before; if the content has a number
                that JSON does not have.
        """
        if not _NAME.fullmatch(name) or name in self.sizes:
            raise ValueError(f"{name} cannot name another chunk")
        script = (
            f'curateBrowse.receive("{name}","{base64.b64encode(_packed(content)).decode()}");\n'
        )
        path = self.folder / DATA / f"{name}.js"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(script, encoding="ascii", newline="")
        self.sizes[name] = len(script)

    @property
    def size(self) -> int:
        """The bytes of all chunks."""
        return sum(self.sizes.values())


def _packed(content: object) -> bytes:
    """Content as compressed JSON, the same bytes for the same content."""
    write = functools.partial(json.dumps, separators=(",", ":"), allow_nan=False)
    try:
        text = write(content, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # half a pair of UTF-16, as models write it, has no UTF-8
        text = write(content).encode()
    packed = gzip.compress(text, _LEVEL, mtime=0)
    # The tenth byte names the system, which versions of Python write differently: 255 names none.
    return packed[:9] + b"\xff" + packed[10:]


def read_chunk(path: Path) -> object:
    """Read a chunk back: what the page gets.

    Raises:
        ValueError: If the file is no chunk.
    """
    text = path.read_text("ascii")
    found = re.fullmatch(r'curateBrowse\.receive\("([a-z0-9-]+)","([A-Za-z0-9+/=]+)"\);\n', text)
    if found is None or found[1] != path.stem:
        raise ValueError(f"{path.name} is not a chunk")
    return json.loads(gzip.decompress(base64.b64decode(found[2])))


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> dict[str, object]:
    """A table as chunks hold it: the names of its columns once, then the rows."""
    return {"columns": list(columns), "rows": [list(row) for row in rows]}


class Spool(Closing):
    """A temporary file of texts, deleted at the end of its block; a text is found by its place."""

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None
        self._end = 0

    def close(self) -> None:
        """Delete it."""
        if self._file is not None:
            self._file.close()

    def put(self, value: object) -> int:
        """Keep what JSON can hold; returns its place."""
        if self._file is None:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115  # closed at the block's end
        data = json.dumps(value).encode("ascii") + b"\n"
        at = self._end
        self._file.seek(at)
        self._file.write(data)
        self._end += len(data)
        return at

    def get(self, at: int) -> object:
        """What was put at a place."""
        assert self._file is not None  # noqa: S101  # a fault of ours: nothing was put
        self._file.seek(at)
        return json.loads(self._file.readline())
