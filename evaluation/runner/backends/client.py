"""The client of HTTP: one request and its whole reply, with the least that this takes.

What a reply says is read in `completions`. Connections are kept open and used again. Each call is
one attempt: who asks again is the runner, which counts. No redirect is followed, for a benchmark
and a key are for the server that was named alone; and no reply is read beyond a bound.
"""

import os
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from curation.records.errors import CurateError
from evaluation.replies.reply import Failure, FailureKind

TYPE_CHECKING = False
if TYPE_CHECKING:
    import aiohttp

CONNECT_S = 10.0
"""Seconds to wait for a connection."""
MOST_BYTES = 64 << 20
"""The most bytes of a reply, unpacked: far more than a model writes."""
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


class Client:
    """Connections to a server, opened when they are used.

    It is used in one event loop, in which it is also closed. Proxies are those that the
    environment names (`HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY`). Certificates are
    those of the system and of certifi, or those that `SSL_CERT_FILE` or `SSL_CERT_DIR` names.

    Args:
        url: The address that requests are sent to.
        headers: Sent with every request.
        timeout_s: Seconds from the beginning of a request to the last byte of its reply: one
            that comes a byte at a time ends then, too.

    Raises:
        CurateError: If the environment names a proxy of a kind that is not known.
    """

    def __init__(self, url: str, headers: Mapping[str, str], timeout_s: float) -> None:
        self._proxy = proxy_of(url)
        self._trusted = _trusted() if urlsplit(url).scheme == "https" else True
        self._headers = dict(headers)
        self._timeout_s = timeout_s
        self._session: aiohttp.ClientSession | None = None

    async def post(self, url: str, data: bytes) -> Answer | Failure:
        """Send a request, once.

        Args:
            url: The address.
            data: The body.

        Returns:
            The whole reply, or why there is none.
        """
        import aiohttp

        session = self._session = self._session or self._opened()
        try:
            async with session.post(
                url, data=data, proxy=self._proxy, ssl=self._trusted, allow_redirects=False
            ) as reply:
                return await _answer(reply)
        except (aiohttp.ClientConnectorError, aiohttp.ClientHttpProxyError) as error:
            return _unreached(url, _reason(error))
        except aiohttp.ConnectionTimeoutError:
            return _unreached(url, "no connection in time")
        except TimeoutError:
            said = f"no reply came in {self._timeout_s:g} s"
            return Failure(FailureKind.TIMEOUT, said, again=True)
        except (aiohttp.ClientResponseError, aiohttp.InvalidURL):
            return Failure(FailureKind.MALFORMED, "the reply is not HTTP", again=True)
        except (aiohttp.ClientError, OSError):
            said = "the connection ended before the reply did"
            return Failure(FailureKind.CUT, said, again=True)

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


async def _answer(reply: "aiohttp.ClientResponse") -> Answer | Failure:
    """Read a reply to its end, unless it leads elsewhere or is longer than any reply."""
    if 300 <= reply.status < 400:
        place = urlsplit(reply.headers.get("Location", ""))
        where = f"{place.scheme}://{place.hostname}" if place.hostname else "another address"
        return Failure(
            FailureKind.REFUSED,
            f"the server sends requests on to {where} ({reply.status}), where nothing is sent",
            reply.status,
            stops=True,
            hint="if that server is meant, name its address with --base-url",
        )
    parts: list[bytes] = []
    size = 0
    async for part in reply.content.iter_any():
        parts.append(part)
        size += len(part)
        if size > MOST_BYTES:
            reply.close()
            said = f"the reply is longer than {MOST_BYTES >> 20} MB"
            return Failure(FailureKind.MALFORMED, said)
    return Answer(reply.status, reply.headers, b"".join(parts))


def _unreached(url: str, why: str) -> Failure:
    parts = urlsplit(url)
    said = f"{parts.scheme}://{parts.netloc} cannot be reached ({why})"
    return Failure(FailureKind.CONNECTION, said, again=True, sent=False)


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
