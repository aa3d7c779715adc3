"""One HTTP request and its whole reply, with the least that this takes of a processor.

What a reply says is read in `completions`. Connections are kept open and used again. Each call is
one attempt: who asks again is the runner, which counts.
"""

import os
import ssl
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from curation.records.errors import CurateError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import aiohttp

CONNECT_S = 10.0
"""Seconds to wait for a connection."""
_IDLE_S = 4.0  # that an unused connection is kept: less than servers do, many of them 5 s


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole reply.

    Attributes:
        status: The HTTP status.
        headers: Its headers, which are found by names in any case.
        body: Its body, unpacked.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes


class TransportFault(Exception):
    """There is no whole reply; the message says why in a few words."""


class NeverSent(TransportFault):
    """There was no connection to send the request on."""


class Late(TransportFault):
    """The whole reply did not come in time."""


class Cut(TransportFault):
    """The connection ended before the reply did."""


class NoHttp(TransportFault):
    """What came is no reply of HTTP."""


@dataclass(frozen=True, slots=True)
class _Route:
    """How an address is reached: by which proxy, and whose certificates are trusted."""

    proxy: str | None
    trusted: ssl.SSLContext | bool


class Transport:
    """Connections to servers, opened when they are used.

    It is used in one event loop, in which it is also closed. Proxies are those that the
    environment names (`HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY`). Certificates are
    those of the system and of certifi, or those that `SSL_CERT_FILE` or `SSL_CERT_DIR` names.

    Args:
        urls: The addresses that requests are sent to.
        headers: Sent with every request.
        timeout_s: Seconds from the beginning of a request to the last byte of its reply: one
            that comes a byte at a time ends then, too.

    Raises:
        CurateError: If the environment names a proxy of a kind that is not known.
    """

    def __init__(self, urls: Iterable[str], headers: Mapping[str, str], timeout_s: float) -> None:
        self._routes = {url: _route(url) for url in urls}
        self._headers = dict(headers)
        self._timeout_s = timeout_s
        self._session: aiohttp.ClientSession | None = None

    async def post(self, url: str, data: bytes) -> Answer:
        """Send a request, once.

        Args:
            url: One of the addresses.
            data: The body.

        Raises:
            TransportFault: If there is no whole reply.
        """
        import aiohttp

        session = self._session = self._session or self._opened()
        route = self._routes[url]
        try:
            async with session.post(url, data=data, proxy=route.proxy, ssl=route.trusted) as reply:
                return Answer(reply.status, reply.headers, await reply.read())
        except (aiohttp.ClientConnectorError, aiohttp.ClientHttpProxyError) as error:
            raise NeverSent(_reason(error)) from error
        except aiohttp.ConnectionTimeoutError as error:
            raise NeverSent("no connection in time") from error
        except TimeoutError as error:
            raise Late(f"no reply came in {self._timeout_s:g} s") from error
        except (aiohttp.ClientResponseError, aiohttp.InvalidURL) as error:
            raise NoHttp("the reply is not HTTP, or its redirect leads nowhere") from error
        except (aiohttp.ClientError, OSError) as error:
            raise Cut("the connection ended before the reply did") from error

    async def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    def _opened(self) -> "aiohttp.ClientSession":
        import aiohttp

        # A connection that takes all the time that a reply may take was none: nothing was sent.
        connect_s = min(CONNECT_S, 0.9 * self._timeout_s)
        return aiohttp.ClientSession(
            # How many are under way at once is for the runner to say.
            connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=_IDLE_S),
            timeout=aiohttp.ClientTimeout(total=self._timeout_s, sock_connect=connect_s),
            headers=self._headers,
            cookie_jar=aiohttp.DummyCookieJar(),
        )


def _route(url: str) -> _Route:
    return _Route(proxy_of(url), _trusted() if urlsplit(url).scheme == "https" else True)


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
    if not named or proxy_bypass(parts.netloc):
        return None
    proxy = named if "://" in named else f"http://{named}"
    kind = urlsplit(proxy).scheme
    if kind not in ("http", "https"):
        raise CurateError(
            f"a proxy of the kind '{kind}' cannot be used",
            f"environment, for {parts.netloc}",
            "name one of http in HTTP_PROXY or HTTPS_PROXY, or add the server to NO_PROXY",
        )
    return proxy


def _reason(error: "aiohttp.ClientConnectorError | aiohttp.ClientHttpProxyError") -> str:
    """Say in a few words why there is no connection."""
    cause = getattr(error, "os_error", error)
    said = getattr(cause, "strerror", None) or getattr(cause, "message", "")
    number = getattr(cause, "errno", None) or 0
    if number > 0 and not isinstance(cause, ssl.SSLError):
        said = os.strerror(number)  # asyncio puts the address in its place
    return " ".join(str(said).split())[:200] or type(error).__name__
