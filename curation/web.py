"""The one client of HTTP: of models, of translation engines and of Label Studio.

Connections are kept open and used again. Each call is one attempt: who asks again is the caller,
which counts. No redirect is followed, for a benchmark and a key are for the server that was named
alone; and no reply is read beyond a bound. What a failure means to each kind of server is said in
one table, `faults.yaml`.
"""

import asyncio
import os
import re
import ssl
import threading
from collections.abc import Coroutine, Mapping
from concurrent.futures import Future
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from curation.records.messages import CurateError, own_yaml, refusal

if TYPE_CHECKING:
    import aiohttp

T = TypeVar("T")

CONNECT_S = 10.0
"""Seconds to wait for a connection."""
MOST_BYTES = 64 << 20
"""The most bytes of a reply, unpacked: far more than a model writes."""
_IDLE_S = 4.0  # that an unused connection is kept: less than servers do, many of them 5 s
_THREAD = "curate-web"
NO_KEY = "no-key"
"""What is sent where there is no key: some gateways want one, whatever it is."""
_LONGEST = 300  # characters of a message
_SHORTEST = 4  # characters of a secret: what is shorter hides nothing, and occurs in many words
_TOKENS = re.compile(r"(?i)\b(bearer\s+|sk-|key-|api[-_]?key[\"']?\s*[:=]\s*[\"']?)[\w.\-*]{4,}")
_WORDS = re.compile(r"[A-Za-z_-]*|.{1,7}")  # such as 'EMPTY', for servers that want no key
_DATED = re.compile(r"api-version=[\w.-]{1,40}")
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def service_key(variable: str, hint: str, *, needed: bool = True) -> str:
    """Read the key of a service from an environment variable; servers of one's own may want none.

    Args:
        variable: Its name.
        hint: What to do where it is not set.
        needed: Whether there must be one.

    Returns:
        The key; empty where there is none.

    Raises:
        CurateError: If there is none, or it cannot be a key; it is never shown.
    """
    value = os.environ.get(variable, "").strip()
    if not value and needed:
        raise CurateError(f"{variable} is not set", "environment", hint)
    if not value.isascii() or not (value.isprintable() and " " not in value):
        raise refusal("curation", "key-none", "environment", variable=variable)
    return value


def service_address(url: str, where: str, such: str = "http://localhost:8000/v1") -> str:
    """Refuse what is no address of a server, or holds a secret: it would be shown.

    Args:
        url: The address.
        where: What gave it.
        such: One as it may be.

    Returns:
        The address without slashes at its end.

    Raises:
        CurateError: If it is so.
    """
    try:
        parts = urlsplit(url)
        bad = parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0
        dated = bool(_DATED.fullmatch(parts.query))  # the version of the protocol, as Azure has it
        secret = bool(parts.username or parts.password or (parts.query and not dated))
    except ValueError:
        bad, secret = True, False
    if bad:
        raise refusal("curation", "address-none" if url else "address-unset", where, such=such)
    if secret:
        raise refusal("curation", "address-secret", where)
    return url.rstrip("/")


class Scrubber:
    """Takes secrets out of messages.

    Args:
        secrets: The secrets that are known; whatever else looks like one goes too.
    """

    def __init__(self, *secrets: str) -> None:
        self._secrets = [secret for secret in secrets if len(secret) >= _SHORTEST]

    def clean(self, text: str) -> str:
        """A text on one line, not too long, without secrets."""
        for secret in self._secrets:
            text = text.replace(secret, "(key)")
        text = " ".join(_TOKENS.sub(r"\1(hidden)", text).split())
        return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."

    def hide(self, value: Any) -> Any:
        """Whatever JSON holds, without the secrets in it that cannot be words of a reply."""
        if isinstance(value, list):
            return [self.hide(item) for item in value]
        if isinstance(value, dict):
            return {self.hide(name): self.hide(item) for name, item in value.items()}
        for secret in self._secrets if isinstance(value, str) else ():
            value = value if _WORDS.fullmatch(secret) else value.replace(secret, "(key)")
        return value


class Cause(StrEnum):
    """Why there is no reply.

    Of the first three nothing was sent: the server cannot be reached, its certificate is not
    trusted, the request cannot be made. Then: no reply in time; the connection ended before the
    reply did; the reply is no HTTP; the server sends requests on to another address; the reply is
    longer than any reply is.
    """

    UNREACHED = "not reached"
    UNTRUSTED = "not trusted"
    UNMADE = "not made"
    LATE = "late"
    LOST = "lost"
    NO_HTTP = "no http"
    MOVED = "moved"
    LONG = "too long"

    @property
    def sent(self) -> bool:
        """Whether the server may have got the request."""
        return self not in (Cause.UNREACHED, Cause.UNTRUSTED, Cause.UNMADE)


class Response(NamedTuple):
    """A whole reply.

    Attributes:
        status: The HTTP status.
        headers: Its headers, which are found by names in any case.
        body: Its body, unpacked.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes


class NoReply(NamedTuple):
    """Why there is none.

    Attributes:
        cause: The cause.
        said: It in words, in one line.
        status: The HTTP status, where there was one.
    """

    cause: Cause
    said: str
    status: int | None = None


class Client:
    """Connections to a server, opened when they are used.

    It is used in one event loop, in which it is also closed. Proxies are those that the
    environment names (`HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY`); they have no part in
    what stays on this machine. Certificates are those of the system and of certifi, or those that
    `SSL_CERT_FILE` or `SSL_CERT_DIR` names.

    Args:
        url: The address of the server.
        headers: Sent with every request.
        timeout_s: Seconds from the beginning of a request to the last byte of its reply: one
            that comes a byte at a time ends then, too.
        most_bytes: The most bytes of a reply.

    Raises:
        CurateError: If the environment names a proxy of a kind that is not known.
    """

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str],
        timeout_s: float,
        most_bytes: int | None = None,
    ) -> None:
        self._proxy = proxy_of(url)
        self._trusted = _trusted() if urlsplit(url).scheme == "https" else True
        self._headers = dict(headers)
        self._timeout_s = timeout_s
        self._most_bytes = most_bytes or MOST_BYTES
        self._session: aiohttp.ClientSession | None = None

    async def send(
        self,
        method: str,
        url: str,
        data: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        timeout_s: float | None = None,
    ) -> Response | NoReply:
        """Send a request, once.

        Args:
            method: Such as `GET`.
            url: The address.
            data: The body.
            headers: Sent with this one.
            timeout_s: Seconds, where it is to have others.

        Returns:
            The whole reply, or why there is none.
        """
        import aiohttp

        if self._session is None:
            self._session = aiohttp.ClientSession(
                # How many are under way at once is for the caller to say.
                connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=_IDLE_S),
                headers=self._headers,
                cookie_jar=aiohttp.DummyCookieJar(),
            )
        limit = timeout_s or self._timeout_s
        # A connection that takes all the time that a reply may take was none: nothing was sent.
        times = aiohttp.ClientTimeout(total=limit, sock_connect=min(CONNECT_S, 0.9 * limit))
        try:
            async with self._session.request(
                method,
                url,
                data=data,
                headers=headers,
                proxy=self._proxy,
                ssl=self._trusted,
                timeout=times,
                allow_redirects=False,
            ) as reply:
                return await self._answer(reply)
        except aiohttp.ClientConnectorCertificateError:
            return NoReply(Cause.UNTRUSTED, "the server's certificate is not trusted")
        except (aiohttp.ClientConnectorError, aiohttp.ClientHttpProxyError) as error:
            return _unreached(url, _reason(error))
        except aiohttp.ConnectionTimeoutError:
            return _unreached(url, "no connection in time")
        except TimeoutError:
            return NoReply(Cause.LATE, f"no reply came in {limit:g} s")
        except (aiohttp.InvalidURL, aiohttp.NonHttpUrlClientError, ValueError):
            return NoReply(Cause.UNMADE, "that is not an address of a server")
        except aiohttp.ClientResponseError:
            return NoReply(Cause.NO_HTTP, "the reply is not HTTP")
        except (aiohttp.ClientError, OSError):
            return NoReply(Cause.LOST, "the connection ended before the reply did")

    async def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def _answer(self, reply: "aiohttp.ClientResponse") -> Response | NoReply:
        """Read a reply to its end, unless it leads elsewhere or is longer than any reply."""
        if 300 <= reply.status < 400:
            place = urlsplit(reply.headers.get("Location", ""))
            host = place.netloc.rpartition("@")[2]
            where = f"{place.scheme}://{host}" if host else "another address"
            said = (
                f"the server sends requests on to {where} ({reply.status}), where nothing is sent"
            )
            return NoReply(Cause.MOVED, said, reply.status)
        parts: list[bytes] = []
        size = 0
        async for part in reply.content.iter_any():
            parts.append(part)
            size += len(part)
            if size > self._most_bytes:
                reply.close()
                said = f"the reply is longer than {self._most_bytes >> 20} MB"
                return NoReply(Cause.LONG, said)
        return Response(reply.status, reply.headers, b"".join(parts))


class Caller:
    """A client for who waits for each reply, in whatever thread."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def send(
        self,
        method: str,
        url: str,
        data: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        timeout_s: float | None = None,
    ) -> Response | NoReply:
        """Send a request, once; see `Client.send`."""
        return beside(self._client.send(method, url, data, headers, timeout_s)).result()

    def close(self) -> None:
        """Close the connections."""
        closing = beside(self._client.close())
        if threading.current_thread().name != _THREAD:  # which may be the one that lets go of it
            closing.result()


_starting = threading.RLock()  # within a call the collector may let go of a client, which closes it


def beside(work: Coroutine[Any, Any, T]) -> Future[T]:
    """Start a coroutine in a loop in a thread of its own: that of who calls may have one."""
    with _starting:  # of two threads that come first, one starts it
        return asyncio.run_coroutine_threadsafe(work, _loop(os.getpid()))


@cache
def _loop(_process: int) -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name=_THREAD, daemon=True).start()
    return loop


def _unreached(url: str, why: str) -> NoReply:
    parts = urlsplit(url)
    said = f"{parts.scheme}://{parts.netloc} cannot be reached ({why})"
    return NoReply(Cause.UNREACHED, said)


def _trusted() -> ssl.SSLContext:
    import certifi

    context = ssl.create_default_context()
    if not (os.environ.get("SSL_CERT_FILE") or os.environ.get("SSL_CERT_DIR")):
        # Not every system has certificates where Python looks for them.
        context.load_verify_locations(certifi.where())
    return context


def proxy_of(url: str) -> str | None:
    """The proxy that the environment names for an address; None for a direct connection.

    Raises:
        CurateError: If it is of a kind that is not known.
    """
    parts = urlsplit(url)
    found = getproxies()
    named = found.get(parts.scheme) or found.get("all")
    if not named or parts.hostname in _LOOPBACK or proxy_bypass(parts.netloc):
        return None
    proxy = named if "://" in named else f"http://{named}"
    kind = proxy.partition("://")[0].lower()
    if kind not in ("http", "https"):
        raise refusal("curation", "proxy-kind", f"environment, for {parts.netloc}", kind=kind)
    return proxy


def _reason(error: "aiohttp.ClientConnectorError | aiohttp.ClientHttpProxyError") -> str:
    """Say in a few words why there is no connection."""
    cause = getattr(error, "os_error", error)
    said = getattr(cause, "strerror", None) or getattr(cause, "message", "")
    number = getattr(cause, "errno", None) or 0
    if number > 0 and not isinstance(cause, ssl.SSLError):
        said = os.strerror(number)  # asyncio puts the address in its place
    return " ".join(str(said).split())[:200] or type(error).__name__


def meaning(server: str, what: int | str | None, **words: object) -> dict[str, Any]:
    """What a failure means, as `faults.yaml` lists it.

    Args:
        server: The kind of server.
        what: The HTTP status, or what happened where there is none.
        words: What its texts name in braces.

    Returns:
        What is said (`what`), what to do (`hint`), and the `kind`, `again` and `billed` that
        the table gives it.
    """
    listed = _faults()["every"] | _faults()[server]
    broken = listed.get("5xx") if isinstance(what, int) and what >= 500 else None
    found = {"hint": "", "billed": False, "again": False}
    found |= listed.get(what) or broken or listed["other"]
    words = {"status": what, "message": "", **words}
    return found | {name: str(found[name]).format(**words) for name in ("what", "hint")}


@cache
def _faults() -> dict[str, dict[int | str | None, dict[str, Any]]]:
    table = Path(__file__).with_name("faults.yaml").read_text(encoding="utf-8")
    return own_yaml(table)  # type: ignore[no-any-return]
