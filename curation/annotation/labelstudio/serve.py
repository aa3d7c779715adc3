"""Start a Label Studio server on this machine, seen by nobody else."""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

from curation.records.messages import CurateError

BIN_VARIABLE = "LABEL_STUDIO_BIN"
HOST = "127.0.0.1"
QUIET: Mapping[str, str] = {
    "LABEL_STUDIO_COLLECT_ANALYTICS": "false",
    "LABEL_STUDIO_LATEST_VERSION_CHECK": "false",
    "LABEL_STUDIO_SENTRY_DSN": "",
    "LABEL_STUDIO_FRONTEND_SENTRY_DSN": "",
}
"""With these it makes no connection to the outside."""
_INSTALL = (
    "python3 -m venv ~/label-studio && ~/label-studio/bin/pip install label-studio==1.23.2 && "
    f"export {BIN_VARIABLE}=~/label-studio/bin/label-studio"
)
_WORKBOOKS = (
    "without it the same tasks are in workbooks: curate classify sheet --annotator NAME; then "
    "curate translate sheet --translator NAME"
)
_FIRST_PORT = 8080
_START = 300.0  # seconds; the first start of all makes the database
_STOP = 15.0


def find_program() -> Path:
    """The program: the one that the environment names, or one on the path.

    Raises:
        CurateError: If there is none.
    """
    named = os.environ.get(BIN_VARIABLE, "").strip()
    found = shutil.which(str(Path(named).expanduser()) if named else "label-studio")
    if found is None:
        what = "Label Studio is not installed" if not named else f"there is no program {named}"
        hint = f"{_WORKBOOKS}; or install it in a virtual environment of its own: {_INSTALL}"
        raise CurateError(what, f"environment variable {BIN_VARIABLE}" if named else "", hint)
    return Path(found)


def free_port(wanted: int | None) -> int:
    """A port that nothing listens on; Label Studio would move to another silently.

    Args:
        wanted: The port; one from 8080 on by default.

    Raises:
        CurateError: If it is taken.
    """
    if wanted is not None:
        if not _is_free(wanted):
            raise CurateError(
                f"something else listens on port {wanted}", f"--port {wanted}", "name another"
            )
        return wanted
    for port in range(_FIRST_PORT, _FIRST_PORT + 100):
        if _is_free(port):
            return port
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
                what = f"Label Studio ended with status {self.process.returncode}"
                raise CurateError(what, str(self.log), "the end of this file says why")
            try:
                with opener.open(f"{self.url}/health", timeout=5) as answer:
                    if answer.status == 200:
                        return
            except (URLError, OSError):
                tick(0.5)
        self.stop()
        raise CurateError("Label Studio did not answer in time", str(self.log), "see this file")

    def wait(self) -> int:
        """Wait until it ends; gives its status."""
        return self.process.wait()

    def stop(self) -> None:
        """End it and whatever it has started."""
        if self.process.poll() is not None:
            return
        for number, patience in ((signal.SIGTERM, _STOP), (signal.SIGKILL, _STOP)):
            try:
                os.killpg(self.process.pid, number)
                self.process.wait(patience)
            except ProcessLookupError:
                break
            except subprocess.TimeoutExpired:
                continue
            else:
                break


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
        what = f"cannot start Label Studio: {error.strerror}"
        where = str(error.filename or data)
        raise CurateError(what, where, "check the folder and the program") from error
    return Running(port, process, log)
