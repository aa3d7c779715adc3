"""Models behind servers that speak OpenAI's chat completions, asked through its own client."""

import asyncio
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from curation.model.errors import CurateError
from evaluation.requests import Request
from evaluation.runner.backend import BackendSettings, Failure, FailureKind, Outcome
from evaluation.runner.completions import Scrubber, read_completion, refusal
from evaluation.runner.endpoints import Endpoint, Endpoints

LONGEST_WAIT_S = 600.0
"""The longest that a run waits because a server asks for it; then it stops."""
PATIENCE_S = 60.0
"""Seconds without a sign of life of any server after which a run stops."""
FIRST_PATIENCE_S = 10.0
"""The same while no server has ever answered."""
_CONNECT_S = 10.0
_NO_KEY = "no-key"  # the client wants one; servers of one's own do not look at it
_NEVER_SENT = ("ConnectError", "ConnectTimeout", "UnsupportedProtocol", "PoolTimeout")


class OpenaiBackend:
    """Servers of one model.

    Args:
        settings: Model, parameters, addresses, concurrency, time to wait.

    Raises:
        CurateError: If there is no key, or an address is none.
    """

    def __init__(self, settings: BackendSettings) -> None:
        self._settings = settings
        self._timeout_s = settings.timeout_s
        own = os.environ.get("OPENAI_BASE_URL", "").strip()
        urls = [_checked(url) for url in settings.base_urls or ([own] if own else [])]
        key = _NO_KEY if settings.dry else _key(settings)
        self._scrubber = Scrubber("" if key == _NO_KEY else key)
        self._endpoints: Endpoints[Any] = Endpoints(() if settings.dry else self._open(urls, key))

    def _open(self, urls: Sequence[str], key: str) -> list[Endpoint[Any]]:
        import openai

        settings = self._settings
        addresses: Sequence[str | None] = urls or (None,)
        limits = type(openai.DEFAULT_CONNECTION_LIMITS)(
            max_connections=None, max_keepalive_connections=max(100, settings.concurrency)
        )
        # One client's connections for all servers: its pool is per address anyway.
        http = openai.DefaultAsyncHttpxClient(limits=limits)
        clients = [
            openai.AsyncOpenAI(
                api_key=key,
                base_url=url,
                max_retries=0,  # attempts are counted by the runner
                timeout=openai.Timeout(settings.timeout_s, connect=_CONNECT_S),
                http_client=http,
            )
            for url in addresses
        ]
        return [Endpoint(str(client.base_url), client) for client in clients]

    @property
    def model(self) -> str:
        """The model's name."""
        return self._settings.model

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
            "model": self.model,
            "messages": [dict(message) for message in request.messages],
            **self.parameters,
        }
        start = time.perf_counter()
        outcome = await self._send(server, body)
        seconds = time.perf_counter() - start
        self._judge(server, outcome)
        return replace(outcome, latency_s=seconds, error=self._placed(server, outcome))

    async def close(self) -> None:
        """Close the connections."""
        for server in self._endpoints.servers:
            await server.client.close()

    async def _send(self, server: Endpoint[Any], body: Mapping[str, object]) -> Outcome:
        import openai

        try:
            async with asyncio.timeout(self._timeout_s):
                # The body as it is, and the reply as it comes: the client's models of both would
                # let a damaged reply pass, and cost more than all the rest.
                data = await server.client.post("/chat/completions", body=body, cast_to=bytes)
        except (openai.APITimeoutError, TimeoutError) as error:
            if type(error.__cause__).__name__ in _NEVER_SENT:
                return Outcome(None, error=_unreachable(server, error))
            message = f"no reply came in {self._timeout_s:g} s"
            return Outcome(None, error=Failure(FailureKind.TIMEOUT, message, again=True))
        except openai.APIConnectionError as error:
            if type(error.__cause__).__name__ in _NEVER_SENT:
                return Outcome(None, error=_unreachable(server, error))
            message = "the connection ended before the reply did"
            return Outcome(None, error=Failure(FailureKind.CUT, message, again=True))
        except openai.APIStatusError as error:
            return self._refused(error)
        except BaseException:
            self._endpoints.failed(server)
            raise
        return read_completion(data, self._scrubber)

    def _refused(self, error: Any) -> Outcome:
        body = error.body
        if body is None:
            body = error.response.text
        found = refusal(error.status_code, body, error.response.headers, self._scrubber)
        if found.kind is FailureKind.CONTENT_FILTER:
            return Outcome("", finish_reason="content_filter", error=found)
        return Outcome(None, error=found)

    def _judge(self, server: Endpoint[Any], outcome: Outcome) -> None:
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

    def _placed(self, server: Endpoint[Any], outcome: Outcome) -> Failure | None:
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
            message = f"the server wants to be left alone for {wait:,.0f} s: {names}"
            hint = "run the same command again then: only what has no reply is asked"
            return Failure(FailureKind.RATE_LIMIT, message, sent=False, stops=True, hint=hint)
        kind = FailureKind.CONNECTION if down else FailureKind.RATE_LIMIT
        return Failure(kind, "every server rests", again=True, wait_s=wait, sent=False)


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
    value = os.environ.get(variable, "").strip()
    if not value:
        if settings.base_urls or os.environ.get("OPENAI_BASE_URL", "").strip():
            return _NO_KEY
        raise CurateError(
            f"{variable} is not set",
            "environment",
            "set it to your key, or name a server that needs none with --base-url",
        )
    if not value.isascii() or not value.isprintable() or " " in value:
        hint = "copy the key again, without line breaks"
        raise CurateError(f"{variable} holds no key", "environment", hint)
    return value


def _checked(url: str) -> str:
    """Refuse what is no address, or holds a secret: it would be shown.

    Raises:
        CurateError: If it is so.
    """
    try:
        parts = urlsplit(url)
        bad = parts.scheme not in ("http", "https") or not parts.hostname
        secret = bool(parts.username or parts.password or parts.query)
    except ValueError:
        bad, secret = True, False
    if bad:
        hint = "give one such as http://localhost:8000/v1"
        raise CurateError("that is no address of a server", "--base-url", hint)
    if secret:
        hint = "the key comes from the environment: see --api-key-env"
        raise CurateError("an address must hold no name, password or query", "--base-url", hint)
    return url


def _unreachable(server: Endpoint[Any], error: BaseException) -> Failure:
    cause = type(error.__cause__).__name__ if error.__cause__ else "connection"
    message = f"{server.url} cannot be reached ({cause})"
    return Failure(FailureKind.CONNECTION, message, again=True, sent=False)
