"""Label Studio's SDK over the one client of HTTP: its own would follow redirects, token and all."""

import weakref

import httpx

from curation.web import Caller, Client, NoReply

_MOST_BYTES = 1 << 30  # of a project's export
_UNPACKED = ("content-encoding", "content-length", "transfer-encoding")


class Unanswered(Exception):
    """A request without a reply.

    Attributes:
        reply: Why there is none.
    """

    def __init__(self, reply: NoReply) -> None:
        super().__init__(reply.said)
        self.reply = reply


class Transport(httpx.BaseTransport):
    """Hands requests of the SDK to the client; arguments as of `client`."""

    def __init__(self, url: str, timeout_s: float) -> None:
        self._caller = Caller(Client(url, {}, timeout_s, _MOST_BYTES))
        weakref.finalize(self, self._caller.close)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request, once.

        Raises:
            Unanswered: If there is no reply.
        """
        waits = request.extensions.get("timeout", {}).get("read")
        headers = {name: text for name, text in request.headers.items() if name not in _UNPACKED}
        answer = self._caller.send(request.method, str(request.url), request.read(), headers, waits)
        if isinstance(answer, NoReply):
            raise Unanswered(answer)
        found = [(name, text) for name, text in answer.headers.items()]
        kept = [item for item in found if item[0].lower() not in _UNPACKED]
        return httpx.Response(answer.status, headers=kept, content=answer.body)


def client(url: str, timeout_s: float) -> httpx.Client:
    """What the SDK asks a server with.

    Args:
        url: The address.
        timeout_s: Seconds to wait for a reply, where a request says nothing else.
    """
    return httpx.Client(timeout=timeout_s, transport=Transport(url, timeout_s))
