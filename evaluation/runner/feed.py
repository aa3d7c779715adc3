"""Hands out the requests that are to be asked, and writes the replies that are known already."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

from evaluation.requests import Request, messages_hash
from evaluation.runner.index import RequestIndex
from evaluation.runner.recorder import Recorder, Save
from evaluation.runner.reply_file import outcome_of, reply_line
from evaluation.runner.tally import Tally

POLL_S = 0.25
"""Seconds between two looks at what another run is asking."""
_SAID_AFTER = 20
"""Looks after which the user is told."""


@dataclass(frozen=True, slots=True)
class Item:
    """A request to ask, claimed."""

    at: int
    request: Request
    key: bytes
    size: int


class Feed:
    """The requests without a reply, in their order, claimed some at a time.

    What another run is asking comes last: its reply is taken from the store when it is there,
    and the request is asked here if the other run ends without one. So does what says the same as
    an earlier request, once all others are written, so that the file does not depend on the timing.

    Args:
        index: The requests.
        done: By place, whether a request has a reply in the file.
        recorder: Claims and writes.
        tally: Counts the replies that the store has.
        chunk: Requests that are claimed at a time.
        limit: The most that are handed out; None for all.
        say: Tells the user a line.
        model: What replies call the model; None for the name that a reply was kept under.
    """

    def __init__(
        self,
        index: RequestIndex,
        done: bytearray,
        recorder: Recorder,
        tally: Tally,
        chunk: int,
        limit: int | None = None,
        say: Callable[[str], None] = lambda _line: None,
        model: str | None = None,
    ) -> None:
        self._index = index
        later = index.repeats() if recorder.shares else bytes(len(index))
        self._places = (at for at in range(len(index)) if not done[at] and not later[at])
        self._recorder = recorder
        self._tally = tally
        self._chunk = chunk
        self._left = limit
        self._say = say
        self._model = model
        self._waits = 0
        self._exhausted = False
        self._busy = deque(at for at in range(len(index)) if not done[at] and later[at])
        self._ready: deque[Item] = deque()
        self._lock = asyncio.Lock()
        self._fetching: asyncio.Task[None] | None = None
        self._ended = asyncio.Event()
        self._open = 0
        self._settled = asyncio.Event()

    @property
    def limited(self) -> bool:
        """Whether the limit of requests was reached."""
        return self._left == 0

    def end(self) -> None:
        """Hand out nothing more."""
        self._ended.set()
        self._settled.set()

    def settle(self) -> None:
        """Note that what came of a request is written."""
        self._open -= 1
        if not self._open:
            self._settled.set()

    async def next(self) -> Item | None:
        """A request; None when there is none left, or no more are to be asked.

        Raises:
            CurateError: If the store or the files cannot be used.
        """
        async with self._lock:
            while not self._ready:
                if self._ended.is_set() or self.limited or not self._begin():
                    return None
                assert self._fetching is not None  # noqa: S101  # just begun
                await self._fetching
            if self._ended.is_set() or self.limited:
                return None
            item = self._ready.popleft()
            if self._left is not None:
                self._left -= 1
            if len(self._ready) < self._chunk // 2 and not self._exhausted:
                self._begin()
        return item

    async def close(self) -> None:
        """Wait for what is under way."""
        self.end()
        if self._fetching is not None:
            await asyncio.gather(self._fetching, return_exceptions=True)

    def _begin(self) -> bool:
        """See to it that more is fetched; says whether there is any more."""
        if self._fetching is not None:
            if not self._fetching.done():
                return True
            self._fetching.result()  # raises what went wrong
            self._fetching = None
        if self._exhausted and not self._busy:
            return False
        self._fetching = asyncio.create_task(self._fetch())
        return True

    async def _fetch(self) -> None:
        """Claim some; once there are no others, those that another run had claimed."""
        part = list(islice(self._places, self._chunk))
        if part:
            await self._claim(part)
            return
        self._exhausted = True
        if self._open:
            await self._settled.wait()
        part = [self._busy.popleft() for _ in range(min(self._chunk, len(self._busy)))]
        if part and not await self._claim(part):
            self._waits += 1
            if self._waits == _SAID_AFTER:
                count = len(self._busy)
                self._say(f"waiting for another run, which is asking {count:,} of the same")
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ended.wait(), POLL_S)

    async def _claim(self, places: Sequence[int]) -> bool:
        """Claim places and write those that are known; says whether any of them is settled."""
        keys = [self._index.key(at) for at in places]
        claims = await self._recorder.claim(keys)
        taken: set[bytes] = set()
        lines: list[bytes] = []
        settled = 0
        for at, key in zip(places, keys, strict=True):
            kept = claims.known.get(key)
            free = key in claims.mine and (key not in taken or not self._recorder.shares)
            if kept is None and not free:
                self._busy.append(at)
                continue
            settled += 1
            request = self._index.request(at)
            if kept is None:
                taken.add(key)
                self._ready.append(Item(at, request, key, self._index.size(at)))
                self._open += 1
                self._settled.clear()
            else:
                asked = messages_hash(request.messages)
                outcome = outcome_of(kept)
                model = self._model or kept.model
                lines.append(reply_line(request.request_id, model, key, outcome, asked))
        if lines:
            await self._recorder.save(Save(lines))
            self._tally.from_store += len(lines)
        return settled > 0
