"""A Label Studio server in a virtual environment of its own, made once and kept for later runs.

The environment holds what `curate` needs too, so that commands can be run by it where the tests'
own environment lacks the SDK.
"""

import os
import shutil
import socket
import subprocess
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

from made_once import CannotInstallError, install, locked, make_environment, place, run

from curation.annotation.labelstudio.serve import QUIET

VERSION = "1.23.2"
ROOT = Path(__file__).parents[3]
EMAIL, PASSWORD = "admin@example.com", "adminpass123"  # of a server of ours
TOKEN = "0123456789abcdef" * 2 + "01234567"


def cache_folder() -> Path:
    """Give where server and migrated data are kept."""
    return place("labelstudio", VERSION)


def prepare() -> Path:
    """Make the environment and the migrated data where they are missing; gives the folder.

    Raises:
        CannotInstallError: If that cannot be done here.
    """
    folder = cache_folder()
    with locked(folder):
        if not (folder / "venv" / "complete").exists():
            _install(folder)
        if not (folder / "migrated" / "complete").exists():
            _migrate(folder)
    return folder


def _install(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [f"label-studio=={VERSION}", *project["dependencies"]]
    make_environment(folder / "venv", wanted, 900)
    (folder / "venv" / "complete").touch()


def with_pytest(folder: Path) -> Path:
    """Give the environment's Python once it has pytest too.

    Raises:
        CannotInstallError: If it cannot be installed here.
    """
    python = folder / "venv" / "bin" / "python"
    with locked(folder):
        if not list((folder / "venv").glob("lib/*/site-packages/pytest")):
            install(python, ["pytest"], 300)
    return python


def _migrate(folder: Path) -> None:
    data = folder / "migrated"
    shutil.rmtree(data, ignore_errors=True)
    data.mkdir()
    account = ["--username", EMAIL, "--password", PASSWORD, "--user-token", TOKEN]
    program = str(folder / "venv" / "bin" / "label-studio")
    options = ["-q", "--data-dir", str(data), *account, "--enable-legacy-api-token"]
    run([program, "init", *options], 300, QUIET)
    (data / "complete").touch()


@contextmanager
def running(folder: Path, data: Path) -> Iterator[str]:
    """Run a server on a copy of the migrated data; gives its address."""
    shutil.copytree(folder / "migrated", data)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    program = folder / "venv" / "bin" / "label-studio"
    options = ["--no-browser", "--internal-host", "127.0.0.1", "--port", str(port)]
    with (data / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [str(program), "start", *options, "--data-dir", str(data)],
            env={**os.environ, **QUIET},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        url = f"http://127.0.0.1:{port}"
        _wait(process, url)
        yield url
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(process: "subprocess.Popen[bytes]", url: str) -> None:
    opener = build_opener(ProxyHandler({}))
    end = time.monotonic() + 900
    while time.monotonic() < end and process.poll() is None:
        try:
            with opener.open(f"{url}/health", timeout=5):
                return
        except (URLError, OSError):
            time.sleep(0.3)
    raise CannotInstallError(f"the server does not answer (status {process.poll()})")
