"""Serve a page on this machine, to browsers of this machine alone.

Nobody else on the network is answered. What a site in the same browser asks for is refused too: by
the name of the host, which a site can point at this machine (DNS rebinding), and by what the
browser says of where the request comes from, for a chunk is a script that any site could load.
"""

import functools
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from curation.files.atomic import Closing
from curation.records.messages import CurateError

HOST = "127.0.0.1"
_NAMES = (HOST, "localhost")
_KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}
"""The files of a page by their endings; no others are sent."""
_HEADERS = {
    "Cache-Control": "no-store",  # the page is written again while it is looked at
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_OWN = ("same-origin", "none")
"""What a browser says of a request that comes from the page, or from its user."""


class PageServer(Closing):
    """Serves the files of a page, until it is closed.

    Args:
        folder: The folder of the page.
        port: The port to listen at; a free one by default.

    Raises:
        CurateError: If there is no page, or the port cannot be listened at.
    """

    def __init__(self, folder: Path, port: int = 0) -> None:
        if not (folder / "index.html").is_file():
            raise CurateError("there is no page to serve", str(folder), "write it: curate browse")
        handler = functools.partial(_Handler, folder.resolve())
        try:
            self._server = _Server((HOST, port), handler)
        except (OSError, OverflowError) as error:
            why = getattr(error, "strerror", None) or error
            raise CurateError(
                f"cannot listen at port {port}: {why}",
                hint="name another one, or none for a free one: --serve",
            ) from error

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://{HOST}:{self._server.server_port}/"

    def serve(self) -> None:
        """Answer until `stop` is called, or the program is interrupted."""
        self._server.serve_forever(poll_interval=0.1)

    def stop(self) -> None:
        """End `serve`, from another thread."""
        self._server.shutdown()

    def close(self) -> None:
        """Free the port."""
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    """Answers each request in a thread of its own."""

    def handle_error(self, *_arguments: object) -> None:
        """Say nothing of a browser that left before all was sent."""


class _Handler(BaseHTTPRequestHandler):
    """Sends files of one folder, and nothing else."""

    server_version, sys_version = "curate", ""
    protocol_version = "HTTP/1.1"
    timeout = 60

    def __init__(self, folder: Path, *arguments: object) -> None:
        self.folder = folder
        super().__init__(*arguments)  # type: ignore[arg-type]  # what the server gives

    def do_GET(self) -> None:
        """Send a file."""
        self._answer(self.wfile.write)

    def do_HEAD(self) -> None:
        """Say what would be sent."""
        self._answer(None)

    def _answer(self, send: Callable[[bytes], object] | None) -> None:
        port = self.connection.getsockname()[1]
        hosts = {f"{name}:{port}" for name in _NAMES} | (set(_NAMES) if port == 80 else set())
        # Whether a user follows a link to the page, from wherever it stands.
        asked = [self.headers.get(f"Sec-Fetch-{name}") for name in ("Mode", "Dest")]
        is_own = self.headers.get("Sec-Fetch-Site", "none") in _OWN
        if self.headers.get("Host", "") not in hosts:
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
        elif not is_own and asked != ["navigate", "document"]:
            self.send_error(HTTPStatus.FORBIDDEN)
        elif (found := self._file()) is None:
            self.send_error(HTTPStatus.NOT_FOUND)
        else:
            kind, content = found
            self.send_response(HTTPStatus.OK)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if send is not None:
                send(content)

    def _file(self) -> tuple[str, bytes] | None:
        """The file that is asked for, with its kind; None where the page has no such file."""
        try:
            name = unquote(urlsplit(self.path).path).removeprefix("/") or "index.html"
            if "\0" in name or "\\" in name:
                return None
            path = (self.folder / name).resolve()  # a link would lead elsewhere
            inside = path.is_relative_to(self.folder)
            hidden = any(part.startswith(".") for part in Path(name).parts)
            found = inside and not hidden and path.suffix in _KINDS and path.is_file()
            return (_KINDS[path.suffix], path.read_bytes()) if found else None
        except (OSError, ValueError):  # an address that is none, a name that no folder can have
            return None

    def end_headers(self) -> None:
        """Add what every answer says."""
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_arguments: object) -> None:
        """Say nothing: the terminal is the user's."""
