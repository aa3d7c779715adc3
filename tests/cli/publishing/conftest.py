"""The demo workspace, ready to be released."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curation.cli.main import main

OUT = "occupation-009,manual,override,drop,not asked about,,,,,,,,,Kim Minsu,2026-01-01T00:00:00Z"


def run(*args: object) -> object:
    """Run a command and give its exit status."""
    with pytest.raises(SystemExit) as left:
        main([str(arg) for arg in args])
    return left.value.code


@pytest.fixture(scope="session")
def _ready(_filtered: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ready") / "demo"
    shutil.copytree(_filtered, folder)
    with (folder / "decisions.csv").open("a", encoding="utf-8") as stream:
        stream.write(f"{OUT}\n")
    return folder


@pytest.fixture(scope="session")
def _released(_ready: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("released") / "demo"
    shutil.copytree(_ready, folder)
    assert run("export", "package", "-w", folder) == 0
    return folder


@pytest.fixture
def ready(_ready: Path, tmp_path: Path) -> Path:
    """A copy of the demo with every template decided."""
    folder = tmp_path / "ready"
    shutil.copytree(_ready, folder)
    return folder


@pytest.fixture
def released(_released: Path, tmp_path: Path) -> Path:
    """A copy of the demo after its first release, with the package in exports/package."""
    folder = tmp_path / "released"
    shutil.copytree(_released, folder)
    return folder


@pytest.fixture(scope="session")
def edit() -> Callable[[Path, str, str], None]:
    """Replace a text of a file, which must be there."""

    def replace(path: Path, old: str, new: str, count: Any = -1) -> None:
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new, count), encoding="utf-8")

    return replace
