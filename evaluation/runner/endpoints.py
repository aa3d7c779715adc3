"""Several servers of one model: the least busy one is asked, one that is down is set aside."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

C = TypeVar("C")

FIRST_REST_S = 1.0
"""Seconds that a server is set aside when it fails for the first time; then twice as long."""
LONGEST_REST_S = 60.0
"""The most that it is set aside."""
FAULTS = 5
"""Failures in a row after which a server that can be reached is set aside, if others are not."""


@dataclass(slots=True)
class Endpoint(Generic[C]):
    """One server.

    Attributes:
        url: Its address.
        client: What asks it.
        busy: Requests that it has now.
        rests_until: When it may be asked again, on the clock of `time.monotonic`.
        failures: How often it was set aside since its last reply.
        faults: Its failures in a row.
        probed: Whether one request looks whether it is back.
    """

    url: str
    client: C
    busy: int = 0
    rests_until: float = 0.0
    failures: int = 0
    faults: int = 0
    probed: bool = False


@dataclass(slots=True)
class Endpoints(Generic[C]):
    """The servers of one run.

    Attributes:
        servers: All of them.
        clock: Gives seconds.
        answered: When a server last gave a sign of life; None before the first.
        began: When the run began.
    """

    servers: Sequence[Endpoint[C]]
    clock: Callable[[], float] = time.monotonic
    answered: float | None = None
    began: float = field(default=0.0)
    _turn: int = 0

    def __post_init__(self) -> None:
        self.began = self.clock()

    def pick(self) -> Endpoint[C] | None:
        """Take the least busy server that may be asked, in turn among equals; None if all rest."""
        now = self.clock()
        count = len(self.servers)
        best: Endpoint[C] | None = None
        for step in range(count):
            server = self.servers[(self._turn + step) % count]
            if not self._open(server, now) or (best is not None and server.busy >= best.busy):
                continue
            best = server
        if best is None:
            return None
        self._turn = (self.servers.index(best) + 1) % count
        best.busy += 1
        best.probed = best.failures > 0
        return best

    def succeeded(self, server: Endpoint[C]) -> None:
        """Note that a server has given a sign of life, and let it go."""
        self._release(server)
        self.answered = self.clock()
        server.failures = server.faults = 0

    def down(self, server: Endpoint[C]) -> None:
        """Set a server aside that cannot be reached, and let it go."""
        self._release(server)
        now = self.clock()
        if server.rests_until > now:
            return  # others that were under way have said so already
        server.failures += 1
        rest = min(LONGEST_REST_S, FIRST_REST_S * 2.0 ** (server.failures - 1))
        server.rests_until = now + rest

    def failed(self, server: Endpoint[C]) -> None:
        """Note a failure of a server that can be reached, and let it go.

        A server that keeps failing is set aside where there is another one to ask.
        """
        server.faults += 1
        now = self.clock()
        others = [item for item in self.servers if item is not server and self._open(item, now)]
        if others and server.faults >= FAULTS:
            self.down(server)
        else:
            self._release(server)
            self.answered = now

    def rest(self, server: Endpoint[C], seconds: float) -> None:
        """Leave a server alone for as long as it asks for, and let it go."""
        self._release(server)
        self.answered = now = self.clock()
        server.failures = 0
        server.rests_until = max(server.rests_until, now + seconds)

    def wait(self) -> float:
        """Give the seconds until a server may be asked; 0 when one may be now."""
        now = self.clock()
        if any(self._open(server, now) for server in self.servers):
            return 0.0
        # Whether a server is back that is being looked at is known before long.
        waits = [
            FIRST_REST_S if server.probed else server.rests_until - now for server in self.servers
        ]
        return min(waits)

    def silent_s(self) -> float:
        """Give the seconds since a server last gave a sign of life, or since the run began."""
        return self.clock() - (self.began if self.answered is None else self.answered)

    def _open(self, server: Endpoint[C], now: float) -> bool:
        return server.rests_until <= now and not server.probed

    def _release(self, server: Endpoint[C]) -> None:
        server.busy -= 1
        server.probed = False
