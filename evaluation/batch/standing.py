"""Which requests of batches have a reply in the file of replies, in few bytes each."""

import hashlib
import json
from pathlib import Path

from curation.io.jsonl import Line, parse_line
from curation.model.errors import CurateError
from evaluation.batch.folder import Row

_HINT = "mend the line or take it out, or name another file with --out"


class Standing:
    """What a file of replies says of requests: which have a reply, which a failure.

    Args:
        path: The file, whose last line is whole; where there is none nothing has a reply. Its
            lines are told apart by their keys, which hold the model, too.

    Raises:
        CurateError: If a line is no reply.
    """

    def __init__(self, path: Path) -> None:
        self._replied: set[bytes] = set()
        self._failed: set[bytes] = set()
        if not path.exists():
            return
        with path.open("rb") as stream:
            for number, data in enumerate(stream, start=1):
                if data.strip():
                    self._take(path, number, data)

    def replied(self, row: Row) -> bool:
        """Say whether a request has a reply."""
        return _digest(row.request_id, row.key.hex()) in self._replied

    def failed_so(self, row: Row, error: object) -> bool:
        """Say whether the file holds this failure of a request."""
        return _digest(row.request_id, row.key.hex(), _text(error)) in self._failed

    def add_reply(self, row: Row) -> None:
        """Note that a request has a reply now."""
        self._replied.add(_digest(row.request_id, row.key.hex()))

    def add_failure(self, row: Row, error: object) -> None:
        """Note a failure."""
        self._failed.add(_digest(row.request_id, row.key.hex(), _text(error)))

    def _take(self, path: Path, number: int, data: bytes) -> None:
        line = parse_line(str(path), number, data, last=False)
        if not isinstance(line, Line):
            raise CurateError(line.message, f"{path}, line {number}", _HINT)
        try:
            request_id, _ = line.text("request_id"), line.text("model")
        except ValueError as error:
            what = f"the line is no reply: {error}"
            raise CurateError(what, f"{path}, line {number}", _HINT) from error
        key = str(line.value.get("key"))
        if line.value.get("reply") is None:
            self._failed.add(_digest(request_id, key, _text(line.value.get("error"))))
        else:
            self._replied.add(_digest(request_id, key))


def _text(error: object) -> str:
    return json.dumps(error, sort_keys=True)


def _digest(*texts: str) -> bytes:
    return hashlib.blake2b("\0".join(texts).encode(), digest_size=16).digest()
