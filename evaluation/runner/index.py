"""An index of `requests.jsonl`: what a run knows of every request, at some 60 bytes each.

The texts stay in the file and are read again when they are sent, so that a run over more than a
million requests needs no more memory than one over a thousand, except for the index.
"""

import hashlib
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from curation.files.handles import Closing
from curation.files.tables import refuse_absent
from curation.records.errors import CurateError
from evaluation.requests import Request, Shard, checked_request, in_shard, parse_line
from evaluation.runner.store import reply_key

ASCII_PER_TOKEN = 4.0
"""ASCII characters of a token, by rule of thumb, where no server has counted yet."""
OTHER_PER_TOKEN = 1.5
"""Characters of other scripts of a token, likewise."""
_KEY = 32  # bytes


class RequestIndex(Closing):
    """The requests of a file, by their place among those that are asked, from 0.

    Args:
        path: The file.
        stream: The file, opened.
        model: The model that is asked.
        parameters: Whatever else its replies depend on.
        draws: Whether replies are drawn, so that no two requests share one: of requests with the
            same messages the first one of each epoch has the key of its content, and each other
            one a key of its own.

    Attributes:
        path: The file.
        epochs: In how many epochs they are asked.
    """

    def __init__(
        self,
        path: Path,
        stream: IO[bytes],
        model: str,
        parameters: Mapping[str, object],
        *,
        draws: bool = False,
    ) -> None:
        self.path, self.epochs = path, 1
        self._stream = stream
        self._model, self._parameters, self._draws = model, parameters, draws
        self._twins: frozenset[int] = frozenset()
        self._heads = array("Q")  # of the keys of all lines, also those of other parts
        self._own = array("L")  # for each place which of them is its line's
        self._offsets = array("Q")
        self._lines = array("L")
        self._sizes = array("L")
        self._keys = bytearray()
        self._hashes = array("Q")
        self._sorted: Any = None
        self._order: Any = None

    def __len__(self) -> int:
        return len(self._offsets)

    def close(self) -> None:
        """Let the file go."""
        self._stream.close()

    def lines(self) -> Iterator[tuple[int, int, bytes]]:
        """Yield the lines of the file that are not blank, with their offsets and numbers."""
        offset = 0
        for number, data in enumerate(self._stream, start=1):
            if data.strip():
                yield offset, number, data
            offset += len(data)

    def key(self, at: int) -> bytes:
        """The key of a request's reply."""
        return bytes(self._keys[at * _KEY : (at + 1) * _KEY])

    def size(self, at: int) -> int:
        """About how many tokens a request's messages are, by their length."""
        return self._sizes[at]

    def request(self, at: int) -> Request:
        """Read a request again.

        Raises:
            CurateError: If the file has changed.
        """
        self._stream.seek(self._offsets[at])
        line = parse_line(self.path, self._lines[at], self._stream.readline())
        found = checked_request(self.path, line)
        return replace(found, twin=True) if at in self._twins else found

    def shared(self, at: int, key: bytes) -> bool | None:
        """Say what a reply under another key than a request's own is.

        Returns:
            True where it was kept under the content alone, which another request has too; False
            where it is the request's own, from a file in which it had a twin; None where it
            answers something else.
        """
        if not self._draws:
            return None
        request = self.request(at)
        if key == self._key_of(request, ""):
            return True
        return False if key == self._key_of(request, request.request_id) else None

    def _key_of(self, request: Request, twin: str) -> bytes:
        return reply_key(self._model, self._parameters, request.messages, request.epoch, twin)

    def find(self, request_ids: Sequence[str]) -> list[int | None]:
        """The places of requests by their ids; None for an id that is not here."""
        import numpy as np

        if not len(self):
            return [None] * len(request_ids)
        wanted = np.array([_hashed(name) for name in request_ids], dtype=np.uint64)
        at = np.minimum(np.searchsorted(self._sorted, wanted), len(self) - 1)
        hits = (self._sorted[at] == wanted).tolist()
        places = self._order[at].tolist()
        return [place if hit else None for place, hit in zip(places, hits, strict=True)]

    def repeats(self) -> bytes:
        """Say of each place, 1 or 0, whether an earlier one has the same key."""
        import numpy as np

        found = np.ones(len(self), np.uint8)
        if len(self):
            # A part of a key stands for it: who is taken for a repeat is only asked later.
            keys = np.frombuffer(self._keys, dtype=np.uint64)[:: _KEY // 8]
            found[np.unique(keys, return_index=True)[1]] = 0
        return found.tobytes()

    def add(self, offset: int, line: int, request: Request, *, asked: bool = True) -> None:
        """Take a request up.

        Args:
            offset: Of its line.
            line: The line's number.
            request: The request.
            asked: Whether it is asked, and not of another part.

        Raises:
            CurateError: If it cannot be sent.
        """
        if not asked and not self._draws:
            return
        try:
            key = self._key_of(request, "")
        except ValueError as error:
            raise CurateError(
                f"the request '{request.request_id}' cannot be sent: {error}",
                f"{self.path}, line {line}",
                "write the requests again from texts that are whole",
            ) from error
        if self._draws:
            self._heads.append(int.from_bytes(key[:8], "big"))
        if not asked:
            return
        if self._draws:
            self._own.append(len(self._heads) - 1)
        self._offsets.append(offset)
        self._lines.append(line)
        self._sizes.append(token_estimate(request))
        self._keys += key
        self._hashes.append(_hashed(request.request_id))

    def finish(self) -> None:
        """Sort the ids, and give a key of its own to what is drawn apart.

        Raises:
            CurateError: If an id occurs twice.
        """
        import numpy as np

        hashes = np.frombuffer(self._hashes, dtype=np.uint64)
        self._order = np.argsort(hashes, kind="stable").astype(np.uint32)
        self._sorted = hashes[self._order]
        for place in np.flatnonzero(self._sorted[1:] == self._sorted[:-1]).tolist():
            first, second = (int(self._order[at]) for at in (place, place + 1))
            name = self.request(first).request_id
            if name == self.request(second).request_id:
                raise CurateError(
                    f"the request '{name}' occurs twice",
                    f"{self.path}, lines {self._lines[first]} and {self._lines[second]}",
                    "write the requests again, each with an id of its own",
                )
        self._part_twins()

    def _part_twins(self) -> None:
        """Give each request whose content an earlier one has a key of its own."""
        import numpy as np

        if not self._draws or not len(self._heads):
            return
        heads = np.frombuffer(self._heads, np.uint64)
        later = np.ones(len(heads), np.bool_)
        # A part of a key stands for it: who is taken for a twin has a key of its own, no more.
        later[np.unique(heads, return_index=True)[1]] = False
        places = np.flatnonzero(later[np.array(self._own, np.int64)]).tolist()
        del heads
        self._heads, self._own = array("Q"), array("L")
        for at in places:
            request = self.request(at)
            self._keys[at * _KEY : (at + 1) * _KEY] = self._key_of(request, request.request_id)
        self._twins = frozenset(places)


def index_requests(
    path: Path,
    model: str,
    parameters: Mapping[str, object],
    shard: Shard | None = None,
    *,
    draws: bool = False,
) -> RequestIndex:
    """Read a file of requests once, every line of it, before anything is asked.

    Args:
        path: The file.
        model: The model that is asked.
        parameters: Whatever else its replies depend on.
        shard: Only this part of the requests.
        draws: Whether replies are drawn, so that no two requests share one.

    Raises:
        CurateError: If there is no such file, a line is no request, or an id occurs twice.
    """
    refuse_absent(path, "make it with 'curate evaluate prepare', or name a file with --requests")
    index = RequestIndex(path, path.open("rb"), model, parameters, draws=draws)
    try:
        _fill(index, shard)
        index.finish()
    except BaseException:
        index.close()
        raise
    return index


def _fill(index: RequestIndex, shard: Shard | None) -> None:
    for offset, number, data in index.lines():
        request = checked_request(index.path, parse_line(index.path, number, data))
        index.epochs = max(index.epochs, request.epoch)
        asked = shard is None or in_shard(request.request_id, shard)
        index.add(offset, number, request, asked=asked)


def token_estimate(request: Request) -> int:
    """Guess the tokens of a request's messages from their length, rounded up."""
    tokens = 0.0
    for message in request.messages:
        text = message["content"]
        ascii_signs = len(text) if text.isascii() else len(text.encode("ascii", "ignore"))
        tokens += ascii_signs / ASCII_PER_TOKEN + (len(text) - ascii_signs) / OTHER_PER_TOKEN
    return int(tokens) + 1


def _hashed(request_id: str) -> int:
    return int.from_bytes(hashlib.blake2b(request_id.encode(), digest_size=8).digest(), "big")
