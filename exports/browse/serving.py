"""Serve a page on this machine, to browsers of this machine alone."""

import functools
from http import HTTPStatus
from pathlib import Path
from urllib.parse import unquote, urlsplit

from curation.annotation.labelstudio.serve import HOST, LocalHandler, LocalServer
from curation.records.messages import CurateError, refusal

_KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}
"""The files of a page by their endings; no others are sent."""


class PageServer(LocalServer):
    """Serves the files of a page: `serve_forever` until `shutdown` is called, or it is interrupted.

    Args:
        folder: The folder of the page.
        port: The port to listen at; a free one by default.

    Raises:
        CurateError: If there is no page, or the port cannot be listened at.
    """

    def __init__(self, folder: Path, port: int = 0) -> None:
        if not (folder / "index.html").is_file():
            raise CurateError("there is no page to serve", str(folder), "write it: curate browse")
        try:
            super().__init__((HOST, port), functools.partial(_Handler, folder.resolve()))
        except (OSError, OverflowError) as error:
            why = getattr(error, "strerror", None) or error
            raise refusal("exports", "page-port", why=why, port=str(port)) from error

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://{HOST}:{self.server_port}/"


class _Handler(LocalHandler):
    """Sends files of one folder, and nothing else."""

    def __init__(self, folder: Path, *arguments: object) -> None:
        self.folder = folder
        super().__init__(*arguments)  # type: ignore[arg-type]  # what the server gives

    def answer(self) -> None:
        """Send a file."""
        found = self._file()
        if found is None:
            self.send_error(HTTPStatus.NOT_FOUND)
        else:
            self.send(*found)

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
