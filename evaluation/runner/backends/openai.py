"""Models behind servers that speak OpenAI's chat completions.

Of several servers of one model the least busy one is asked, and one that is down is set aside.
"""

import json
import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar
from urllib.parse import urlsplit

from curation.records.errors import CurateError
from evaluation.requests import Request, drawn_parameters
from evaluation.runner.backend import (
    BackendSettings,
    Failure,
    FailureKind,
    Outcome,
    refuse_no_variable,
)
from evaluation.runner.backends.completions import Scrubber, read_completion, refusal
from evaluation.runner.backends.transport import (
    Answer,
    Cut,
    Late,
    NeverSent,
    NoHttp,
    Transport,
)

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
        client: What asks it; here the address that requests go to.
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
        """The seconds until a server may be asked; 0 when one may be now."""
        now = self.clock()
        if any(self._open(server, now) for server in self.servers):
            return 0.0
        # Whether a server is back that is being looked at is known before long.
        waits = [
            FIRST_REST_S if server.probed else server.rests_until - now for server in self.servers
        ]
        return min(waits)

    def silent_s(self) -> float:
        """The seconds since a server last gave a sign of life, or since the run began."""
        return self.clock() - (self.began if self.answered is None else self.answered)

    def _open(self, server: Endpoint[C], now: float) -> bool:
        return server.rests_until <= now and not server.probed

    def _release(self, server: Endpoint[C]) -> None:
        server.busy -= 1
        server.probed = False


DRAWS = True
"""A server that is told no temperature takes one above 0."""
LONGEST_WAIT_S = 600.0
"""The longest that a run waits because a server asks for it; then it stops."""
PATIENCE_S = 60.0
"""Seconds without a sign of life of any server after which a run stops."""
FIRST_PATIENCE_S = 10.0
"""The same while no server has ever answered."""
OWN_URL = "https://api.openai.com/v1"
"""OpenAI's own address."""
_PATH = "/chat/completions"
_DATED = re.compile(r"api-version=[\w.-]{1,40}")
_NO_KEY = "no-key"  # sent all the same: some gateways want a key, whatever it is
_NAMED = {"OPENAI_ORG_ID": "OpenAI-Organization", "OPENAI_PROJECT_ID": "OpenAI-Project"}
_FAULTS = {Late: FailureKind.TIMEOUT, Cut: FailureKind.CUT, NoHttp: FailureKind.MALFORMED}
# Made once: json.dumps would make one for each request.
_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


class OpenaiBackend:
    """Servers of one model.

    Args:
        settings: Model, parameters, addresses, concurrency, time to wait.

    Raises:
        CurateError: If there is no key, or an address is none.
    """

    def __init__(self, settings: BackendSettings) -> None:
        self._settings = settings
        own = os.environ.get("OPENAI_BASE_URL", "").strip()
        urls = [checked_address(url) for url in settings.base_urls or ([own] if own else [])]
        key = _NO_KEY if settings.dry else _key(settings)
        self._scrubber = Scrubber("" if key == _NO_KEY else key)
        addresses = [] if settings.dry else [url.rstrip("/") for url in urls or [OWN_URL]]
        servers = [Endpoint(url, _completions(url)) for url in addresses]
        dated = any(urlsplit(url).query for url in addresses)
        self._endpoints = Endpoints(servers)
        self._transport = Transport(
            [server.client for server in servers], _headers(key, dated=dated), settings.timeout_s
        )

    @property
    def model(self) -> str:
        """What replies call the model."""
        return self._settings.called

    @property
    def parameters(self) -> Mapping[str, object]:
        """The parameters that are sent."""
        return self._settings.parameters

    async def ask(self, request: Request) -> Outcome:
        """Ask the least busy server, once."""
        server = self._endpoints.pick()
        if server is None:
            return Outcome(None, error=self._all_rest())
        body = {
            "model": self._settings.model,
            "messages": [dict(message) for message in request.messages],
            **drawn_parameters(self.parameters, request),
        }
        start = time.perf_counter()
        outcome = await self._send(server, body)
        seconds = time.perf_counter() - start
        self._judge(server, outcome)
        return replace(outcome, latency_s=seconds, error=self._placed(server, outcome))

    async def close(self) -> None:
        """Close the connections."""
        await self._transport.close()

    async def _send(self, server: Endpoint[str], body: Mapping[str, object]) -> Outcome:
        try:
            answer = await self._transport.post(server.client, _ENCODE(body).encode())
        except NeverSent as error:
            message = f"{server.url} cannot be reached ({error})"
            failure = Failure(FailureKind.CONNECTION, message, again=True, sent=False)
            return Outcome(None, error=failure)
        except (Late, Cut, NoHttp) as error:
            return Outcome(None, error=Failure(_FAULTS[type(error)], str(error), again=True))
        except BaseException:
            self._endpoints.failed(server)
            raise
        if 200 <= answer.status < 300:
            return read_completion(answer.body, self._scrubber)
        return self._refused(answer)

    def _refused(self, answer: Answer) -> Outcome:
        text = answer.body.decode("utf-8", "replace").strip()
        try:
            body = json.loads(text)
        except (ValueError, RecursionError):
            body = text
        found = refusal(answer.status, body, answer.headers, self._scrubber)
        if found.kind is FailureKind.CONTENT_FILTER:
            return Outcome("", finish_reason="content_filter", error=found)
        return Outcome(None, error=found)

    def _judge(self, server: Endpoint[str], outcome: Outcome) -> None:
        """Note what an outcome says of the server."""
        error = outcome.error
        if error is None or not error.again:
            self._endpoints.succeeded(server)
        elif not error.sent:
            self._endpoints.down(server)
        elif error.wait_s is not None:
            self._endpoints.rest(server, error.wait_s)
        else:
            self._endpoints.failed(server)

    def _placed(self, server: Endpoint[str], outcome: Outcome) -> Failure | None:
        """Leave the wait to the servers where they know better: another one, or the same later."""
        error = outcome.error
        if error is None or not error.again or server.rests_until <= self._endpoints.clock():
            return error
        return replace(error, wait_s=0.0)

    def _all_rest(self) -> Failure:
        """Say how long to wait while no server may be asked, or that it would be too long."""
        wait = self._endpoints.wait()
        silent = self._endpoints.silent_s()
        names = ", ".join(server.url for server in self._endpoints.servers)
        down = all(server.failures for server in self._endpoints.servers)
        patience = FIRST_PATIENCE_S if self._endpoints.answered is None else PATIENCE_S
        if down and silent > patience:
            message = f"no server can be reached for {silent:.0f} s: {names}"
            hint = "start the server or check --base-url, then run the same command again"
            return Failure(FailureKind.CONNECTION, message, sent=False, stops=True, hint=hint)
        if wait > LONGEST_WAIT_S:
            message = f"the server asks to wait for {wait:,.0f} s: {names}"
            hint = "run the same command again then: only what has no reply is asked"
            return Failure(FailureKind.RATE_LIMIT, message, sent=False, stops=True, hint=hint)
        kind = FailureKind.CONNECTION if down else FailureKind.RATE_LIMIT
        return Failure(kind, "every server asks to wait", again=True, wait_s=wait, sent=False)


def open_backend(settings: BackendSettings) -> OpenaiBackend:
    """Open the servers.

    Raises:
        CurateError: If there is no key, or an address is none.
    """
    if settings.options:
        name = next(iter(settings.options))
        raise CurateError(f"servers have no option '{name}'", "--option", "leave it out")
    return OpenaiBackend(settings)


def _key(settings: BackendSettings) -> str:
    """Read the key; servers of one's own may want none."""
    variable = settings.key_variable
    if not os.environ.get(variable, "").strip() and not settings.lacks_key:
        return _NO_KEY
    return key_from(
        variable, "set it to your key, or name a server that needs none with --base-url"
    )


def key_from(variable: str, hint: str) -> str:
    """Read a key from an environment variable.

    Args:
        variable: Its name.
        hint: What to do where it is not set.

    Raises:
        CurateError: If there is none, or it cannot be a key; it is never shown.
    """
    refuse_no_variable(variable)
    value = os.environ.get(variable, "").strip()
    if not value:
        raise CurateError(f"{variable} is not set", "environment", hint)
    if not value.isascii() or not value.isprintable() or " " in value:
        hint = "copy the key again, without line breaks"
        raise CurateError(f"{variable} holds no key", "environment", hint)
    return value


def _completions(url: str) -> str:
    """Where an address takes chat completions; Azure's dated one has its version behind it."""
    base, mark, query = url.partition("?")
    return f"{base.rstrip('/')}{_PATH}{mark}{query}"


def _headers(key: str, *, dated: bool = False) -> dict[str, str]:
    """What is sent with every request; Azure's dated API takes the key by a name of its own."""
    named = {"api-key": key} if dated else {"Authorization": f"Bearer {key}"}
    headers = {**named, "Content-Type": "application/json"}
    for variable, name in _NAMED.items():
        if value := os.environ.get(variable, "").strip():
            headers[name] = value
    return {**headers, "Accept": "application/json", "User-Agent": "curate"}


def checked_address(url: str, *, may_be_dated: bool = True, where: str = "--base-url") -> str:
    """Refuse what is no address, or holds a secret: it would be shown.

    Args:
        url: The address.
        may_be_dated: Whether a version of the protocol may stand behind it, as Azure's do.
        where: What gave it.

    Raises:
        CurateError: If it is so.
    """
    try:
        parts = urlsplit(url)
        bad = parts.scheme not in ("http", "https") or not parts.hostname
        dated = may_be_dated and bool(_DATED.fullmatch(parts.query))
        secret = bool(parts.username or parts.password or (parts.query and not dated))
    except ValueError:
        bad, secret = True, False
    if bad:
        hint = "give one such as http://localhost:8000/v1"
        raise CurateError("that is not an address of a server", where, hint)
    if secret:
        hint = "the key comes from the environment: see --api-key-env"
        raise CurateError("an address must hold no name, password or query", where, hint)
    return url
