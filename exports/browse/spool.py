"""Long texts that wait on disk until their chunk is written."""

import json
import tempfile
from types import TracebackType
from typing import IO


class Spool:
    """A temporary file of texts, deleted at the end of its block; a text is found by its place."""

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None
        self._end = 0

    def __enter__(self) -> "Spool":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
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
