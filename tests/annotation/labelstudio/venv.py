"""A Label Studio server in a virtual environment of its own, made once and kept for later runs."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from made_once import locked, make_environment, place, run

from curation.annotation.labelstudio.serve import QUIET, free_port, start

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
    """Run a server on a copy of the fresh data, as the toolkit does; gives its address."""
    shutil.copytree(folder / "fresh", data)
    server = start(folder / "venv" / "bin" / "label-studio", free_port(None), data)
    try:
        server.wait_until_up()
        yield server.url
    finally:
        server.stop()
