"""Servers on this machine for its browsers alone; Label Studio with names in place of accounts.

Nobody else on the network is answered. What a site in the same browser asks for is refused too: by
the name of the host, which a site can point at this machine (DNS rebinding), and by what the
browser says of where the request comes from, for a chunk is a script that any site could load.
"""

import hashlib
import html
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from http.cookiejar import CookieJar
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import quote, unquote, urlencode
from urllib.request import HTTPCookieProcessor, ProxyHandler, Request, build_opener

from curation.annotation.labelstudio.answers import kind_of
from curation.annotation.labelstudio.client import Server, connect
from curation.annotation.labelstudio.push import push_tasks
from curation.annotation.labelstudio.store import load_state, state_file
from curation.files.atomic import write_file
from curation.files.workspace import Workspace
from curation.records.annotation import person_key
from curation.records.messages import CurateError, Results, refusal

BIN_VARIABLE = "LABEL_STUDIO_BIN"
HOST = "127.0.0.1"
QUIET: Mapping[str, str] = {
    "LABEL_STUDIO_COLLECT_ANALYTICS": "false",
    "LABEL_STUDIO_LATEST_VERSION_CHECK": "false",
    "LABEL_STUDIO_SENTRY_DSN": "",
    "LABEL_STUDIO_FRONTEND_SENTRY_DSN": "",
}
"""With these it makes no connection to the outside."""
_NAMES = (HOST, "localhost")
_HEADERS = {
    "Cache-Control": "no-store",  # what is sent may be another thing the next time
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_OWN = ("same-origin", "none")
"""What a browser says of a request that comes from the page, or from its user."""
_FIRST_PORT = 8080
_START = 300.0  # seconds; the first start of all makes the database
_STOP = 15.0


def find_program(*, needed: bool = True) -> Path | None:
    """The program: the one that the environment names, or one on the path.

    Args:
        needed: Whether there has to be one; else None where none is installed.

    Raises:
        CurateError: If there is none.
    """
    named = os.environ.get(BIN_VARIABLE, "").strip()
    found = shutil.which(str(Path(named).expanduser()) if named else "label-studio")
    if found is None and not (needed or named):
        return None
    if found is None:
        where, way = f"environment variable {BIN_VARIABLE}", "named" if named else "none"
        words = {"program": named, "way": way, "variable": BIN_VARIABLE}
        raise refusal(__package__, "serve-program", where if named else "", **words)
    return Path(found)


def free_port(wanted: int | None) -> int:
    """A port that nothing listens on; Label Studio would move to another silently.

    Args:
        wanted: The port; one from 8080 on by default.

    Raises:
        CurateError: If it is taken.
    """
    ports = range(_FIRST_PORT, _FIRST_PORT + 100) if wanted is None else [wanted]
    if found := next(filter(_is_free, ports), None):
        return found
    if wanted is not None:
        raise refusal("curation", "port-taken", f"--port {wanted}", port=wanted)
    raise CurateError("no port from 8080 on is free", hint="name one: --port 9000")


def _is_free(port: int) -> bool:
    """Say whether nothing listens there, on this machine's own address or on all."""
    for host in (HOST, "0.0.0.0"):  # noqa: S104  # tried and closed at once, never listened on
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError:
                return False
    return True


@dataclass(slots=True)
class Running:
    """A server that was started.

    Attributes:
        port: Where it listens.
        process: The process, first of a group of its own.
        log: What it prints.
    """

    port: int
    process: subprocess.Popen[bytes]
    log: Path

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://{HOST}:{self.port}"

    def wait_until_up(self, tick: Callable[[float], None] = time.sleep) -> None:
        """Wait until it answers.

        Raises:
            CurateError: If it ends, or does not answer in time.
        """
        opener = build_opener(ProxyHandler({}))
        started = time.monotonic()
        while time.monotonic() - started < _START:
            if self.process.poll() is not None:
                raise self.ended("")
            try:
                with opener.open(f"{self.url}/health", timeout=5) as answer:
                    if answer.status == 200:
                        return
            except OSError:
                tick(0.5)
        self.stop()
        raise CurateError("Label Studio did not answer in time", str(self.log), "see this file")

    def ended(self, how: str = "by itself ") -> CurateError:
        """What is said where it ended though nobody had it stopped."""
        status = self.process.returncode
        return refusal(__package__, "serve-ended", str(self.log), how=how, status=status)

    def stop(self) -> None:
        """End it and whatever it has started."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            if self.process.poll() is None:
                with suppress(ProcessLookupError, subprocess.TimeoutExpired):
                    os.killpg(self.process.pid, number)
                    self.process.wait(_STOP)


def start(program: Path, port: int, data: Path) -> Running:
    """Start a server.

    Args:
        program: Label Studio.
        port: A free port.
        data: Where it keeps its data.

    Raises:
        CurateError: If the folder cannot be written to, or the program cannot be run.
    """
    log = data / "curate-serve.log"
    arguments = ["--no-browser", "--internal-host", HOST, "--port", str(port)]
    try:
        data.mkdir(parents=True, exist_ok=True)
        with log.open("wb") as stream:
            process = subprocess.Popen(  # noqa: S603  # the program that the user has installed
                [str(program), "start", *arguments, "--data-dir", str(data)],
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=subprocess.STDOUT,
                env={**os.environ, **QUIET},
                start_new_session=True,
            )
    except OSError as error:
        where = str(error.filename or data)
        raise refusal(__package__, "serve-unstarted", where, why=error.strerror) from error
    return Running(port, process, log)


class LocalServer(ThreadingHTTPServer):
    """Answers each request in a thread of its own."""

    def handle_error(self, *_arguments: object) -> None:
        """Say nothing of a browser that left before all was sent."""


class LocalHandler(BaseHTTPRequestHandler):
    """Answers browsers of this machine, and asks `answer` what with."""

    server_version, sys_version = "curate", ""
    protocol_version = "HTTP/1.1"
    timeout = 60

    def answer(self) -> None:
        """Send what is asked for."""
        raise NotImplementedError

    def do_GET(self) -> None:
        """Answer what may ask."""
        port = self.connection.getsockname()[1]
        hosts = {f"{name}:{port}" for name in _NAMES} | (set(_NAMES) if port == 80 else set())
        # Whether a user follows a link to the page, from wherever it stands.
        asked = [self.headers.get(f"Sec-Fetch-{name}") for name in ("Mode", "Dest")]
        is_own = self.headers.get("Sec-Fetch-Site", "none") in _OWN
        if self.headers.get("Host", "") not in hosts:
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
        elif not is_own and asked != ["navigate", "document"]:
            self.send_error(HTTPStatus.FORBIDDEN)
        else:
            self.answer()

    do_HEAD = do_GET

    def send(self, kind: str, content: bytes) -> None:
        """Send content of a kind; of a request for the head alone what would be sent."""
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def end_headers(self) -> None:
        """Add what every answer says."""
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_arguments: object) -> None:
        """Say nothing: the terminal is the user's."""


class Accounts:
    """Accounts that nobody has to know of: whoever has a name is logged in by it.

    Args:
        url: The server.
        data: Its folder; what the accounts are opened with is kept there, for its owner alone.

    Raises:
        CurateError: If the server lets nobody in, or the folder cannot be written to.
    """

    def __init__(self, url: str, data: Path) -> None:
        self._url, path = url, data / "curate-accounts.json"
        if path.exists():
            self._secret, self.key = json.loads(path.read_text(encoding="utf-8"))
            return
        self._secret = secrets.token_hex(16)
        # A run that ended before the token was kept has left an account that gives no other.
        cookies = self.log_in(f"curate {self._secret[:8]}")
        self.key = str(self._asked(cookies, "POST", "/api/token/")["token"])
        write_file(path, json.dumps([self._secret, self.key]))
        path.chmod(0o600)

    def log_in(self, name: str) -> CookieJar:
        """Log somebody in, whose account is made at the first time; gives the cookies.

        Raises:
            CurateError: If the server does not let them in.
        """
        cookies = CookieJar()
        person = hashlib.sha256(person_key(name).encode()).hexdigest()[:12]
        said = {"email": f"{person}@localhost", "password": self._secret, "persist_session": "on"}
        for way in ("login", "signup"):
            page = f"{self._url}/user/{way}/"
            self._open(cookies, page)
            form = urlencode({**said, "csrfmiddlewaretoken": _csrf(cookies)}).encode()
            with self._open(cookies, page, form) as answer:
                if answer.url != page:  # it leads on
                    break
        else:
            raise refusal(__package__, "serve-shut", self._url, person=name)
        if way == "signup":
            user = self._asked(cookies, "GET", "/api/current-user/whoami")["id"]
            self._asked(cookies, "PATCH", f"/api/users/{user}/", first_name=name)
        return cookies

    def _asked(self, cookies: CookieJar, method: str, path: str, **body: str) -> dict[str, object]:
        headers = {"X-CSRFToken": _csrf(cookies), "Content-Type": "application/json"}
        request = Request(  # noqa: S310  # a server of ours on loopback
            f"{self._url}{path}", json.dumps(body).encode(), headers, method=method
        )
        with self._open(cookies, request) as answer:
            found: dict[str, object] = json.loads(answer.read())
        return found

    def _open(self, cookies: CookieJar, asked: Request | str, form: bytes | None = None) -> Any:
        opener = build_opener(ProxyHandler({}), HTTPCookieProcessor(cookies))
        try:
            return opener.open(asked, form, timeout=60)
        except OSError as error:
            where = asked if isinstance(asked, str) else asked.full_url
            raise refusal(__package__, "serve-silent", where, why=error) from None


def _csrf(cookies: CookieJar) -> str:
    return next((one.value or "" for one in cookies if one.name == "csrftoken"), "")


def offer_tasks(
    workspace: Workspace, kind: str, names: Sequence[str], running: Running, data: Path
) -> tuple[str, Results, Server]:
    """Send tasks to a server on this machine, and offer them to people who have a name alone.

    Args:
        workspace: The workspace.
        kind: The kind of task.
        names: Who annotates; those of an earlier time come besides.
        running: The server.
        data: Its folder.

    Returns:
        The address of the page on which they choose their name, as long as this process runs; what
        became of the tasks; and the server, as one who may pull from it.

    Raises:
        CurateError: If the tasks cannot be sent.
    """
    accounts = Accounts(running.url, data)
    server = connect(running.url, accounts.key)
    allotted = load_state(state_file(workspace)).kind(kind).allotted
    of_all = kind_of(kind).decides or "" in allotted
    pushed = push_tasks(workspace, kind, annotators=() if of_all else names, server=server)
    found = {item["annotator"]: item["project"] for item in pushed["projects"]}
    projects = dict.fromkeys(names, found[""]) if of_all else found
    title = f"{workspace.culture.culture} {kind}"
    return _offer_names(accounts, running.url, title, projects), pushed, server


def _offer_names(accounts: Accounts, url: str, title: str, people: Mapping[str, int]) -> str:
    """Offer a page of names; each is a link that logs in, and leads to the tasks."""
    links = (f'<li><a href="/{quote(one, "")}">{html.escape(one)}</a>' for one in people)
    head = html.escape(title)
    page = f"<!doctype html><meta charset=utf-8><title>{head}</title>"
    page += f"<h1>{head}</h1><ul dir=auto>{''.join(links)}</ul>"

    class Names(LocalHandler):
        def answer(self) -> None:
            name = unquote(self.path.removeprefix("/"))
            if not name:
                self.send("text/html; charset=utf-8", page.encode())
            elif name not in people:
                self.send_error(HTTPStatus.NOT_FOUND)
            else:
                cookies = accounts.log_in(name)
                self.send_response(HTTPStatus.FOUND)
                for one in cookies:
                    self.send_header("Set-Cookie", f"{one.name}={one.value}; Path=/; SameSite=Lax")
                self.send_header("Location", f"{url}/projects/{people[name]}/data?labeling=1")
                self.send_header("Content-Length", "0")
                self.end_headers()

    server = LocalServer((HOST, free_port(None)), Names)
    Thread(target=server.serve_forever, daemon=True).start()
    return f"http://{HOST}:{server.server_port}/"
