"""A Label Studio server in a virtual environment of its own, made once and kept for later runs."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

from made_once import CannotInstallError, locked, make_environment, place, run

from curation.annotation.labelstudio.serve import QUIET

VERSION = "1.23.2"
ROOT = Path(__file__).parents[3]
EMAIL, PASSWORD = "admin@example.com", "adminpass123"  # of a server of ours
TOKEN = "0123456789abcdef" * 2 + "01234567"


def cache_folder() -> Path:
    """Give where server and fresh data are kept."""
    return place("labelstudio", VERSION)


_FRESH = """
import sys
from label_studio import server
from label_studio.core.argparser import parse_input_args
server._setup_env()
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
call_command("check")
settings.MIGRATION_MODULES = dict.fromkeys(app.label for app in apps.get_app_configs())
call_command("migrate", run_syncdb=True)
settings.MIGRATION_MODULES = {}
call_command("migrate", fake=True)
server._create_user(parse_input_args(sys.argv[1:]), {})
"""
"""Makes the tables of today at once: going through all their earlier forms takes ten times as long.

The check imports whatever has a table.
"""


def prepare() -> Path:
    """Make the environment and the fresh data where they are missing; gives the folder.

    Raises:
        CannotInstallError: If that cannot be done here.
    """
    folder = cache_folder()
    wanted, complete = [f"label-studio=={VERSION}"], folder / "complete"
    with locked(folder):
        if not complete.exists() or not {*wanted} <= {*complete.read_text("utf-8").splitlines()}:
            shutil.rmtree(folder, ignore_errors=True)
            make_environment(folder / "venv", wanted, 900)
            (folder / "fresh").mkdir()
            account = ["--username", EMAIL, "--password", PASSWORD, "--user-token", TOKEN]
            command = [
                str(folder / "venv" / "bin" / "python"),
                "-c",
                _FRESH,
                "init",
                "-q",
                *account,
            ]
            data = {"LABEL_STUDIO_BASE_DATA_DIR": str(folder / "fresh")}
            run([*command, "--enable-legacy-api-token"], 300, {**QUIET, **data})
            complete.write_text("\n".join(wanted), "utf-8")
    return folder


@contextmanager
def running(folder: Path, data: Path) -> Iterator[str]:
    """Run a server on a copy of the fresh data; gives its address."""
    shutil.copytree(folder / "fresh", data)
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
            process.wait(20)


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
