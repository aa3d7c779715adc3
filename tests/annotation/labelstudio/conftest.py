"""A real Label Studio server for tests that are marked `server`."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

import pytest
from made_once import CannotInstallError

from tests.annotation.labelstudio.venv import ROOT, TOKEN, prepare, running

DEMO = ROOT / "templates_src" / "demo"


@dataclass(frozen=True)
class Label:
    """A running server.

    Attributes:
        url: Its address.
        folder: Where its environment lies.
    """

    url: str
    folder: Path

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """Send a request; gives the JSON of the answer."""
        request = Request(  # noqa: S310  # a server of ours on loopback
            f"{self.url}{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Token {TOKEN}", "Content-Type": "application/json"},
        )
        try:
            with build_opener(ProxyHandler({})).open(request, timeout=120) as answer:
                data = answer.read()
        except HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.code} {error.read()[:300]!r}") from None
        return json.loads(data) if data else None

    def user(self, email: str) -> int:
        """Make a user, or find the one that has this address."""
        for known in self.ask("GET", "/api/users"):
            if known["email"] == email:
                return int(known["id"])
        made = self.ask("POST", "/api/users", {"email": email, "username": email.split("@")[0]})
        return int(made["id"])

    def tasks(self, project: int) -> dict[str, int]:
        """Give the tasks of a project by uid."""
        found = self.ask(
            "GET", f"/api/projects/{project}/export?exportType=JSON&download_all_tasks=1"
        )
        return {task["data"].get("uid", ""): task["id"] for task in found}

    def clear(self) -> None:
        """Take away all projects: nobody pushes where another workspace's has the same name."""
        for project in self.ask("GET", "/api/projects/")["results"]:
            self.ask("DELETE", f"/api/projects/{project['id']}/")

    def annotate(self, task: int, user: object, result: object, **more: object) -> int:
        """Store an annotation in somebody's name."""
        body = {"result": result, "completed_by": user, **more}
        return int(self.ask("POST", f"/api/tasks/{task}/annotations/", body)["id"])

    def environment(self, **more: str) -> dict[str, str]:
        """Give the environment of a command that speaks to the server."""
        return {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "LABEL_STUDIO_URL": self.url,
            "LABEL_STUDIO_API_KEY": TOKEN,
            **more,
        }

    def curate(self, *args: object, **more: str) -> "subprocess.CompletedProcess[str]":
        """Run a command as a user does; no traceback may be printed."""
        program = "from curation.cli.main import main; main()"
        done = subprocess.run(
            [sys.executable, "-c", program, *map(str, args)],
            env=self.environment(**more),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        assert TOKEN not in done.stdout + done.stderr
        return done

    def json(self, *args: object) -> Any:
        """Run a command that must succeed; gives what it printed."""
        done = self.curate(*args, "--json")
        assert done.returncode == 0, done.stderr + done.stdout
        return json.loads(done.stdout)


@pytest.fixture(scope="session")
def environment() -> Path:
    """The server's environment and fresh data; made when they are missing."""
    try:
        return prepare()
    except CannotInstallError as error:
        pytest.skip(f"no Label Studio server here: {error}")


def label_of(url: str, folder: Path) -> Label:
    """Give a server whose environment lies in a folder."""
    return Label(url, folder)


@pytest.fixture(scope="session")
def server(environment: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Label]:
    """A server on a copy of fresh data."""
    with running(environment, tmp_path_factory.mktemp("label-studio") / "data") as url:
        yield label_of(url, environment)


@pytest.fixture
def label_studio(server: Label) -> Label:
    """The server without the projects of other tests, whose workspaces are copies of one."""
    server.clear()
    return server


@pytest.fixture
def make_demo(tmp_path: Path) -> Callable[[str], Path]:
    """Copy the demo workspace as its people wrote it."""
    import shutil

    def copy(name: str) -> Path:
        folder = tmp_path / name
        shutil.copytree(DEMO, folder)
        return folder

    return copy
