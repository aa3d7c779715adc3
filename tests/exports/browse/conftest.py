"""The demo after its survey, and a browser that opens pages of it."""

import shutil
from pathlib import Path

import pytest
from pages_in_browser import headless

from curation.files.workspace import Workspace


@pytest.fixture
def workspace(decided, tmp_path):
    return Workspace(Path(shutil.copytree(decided, tmp_path / "demo")))


@pytest.fixture(scope="module")
def browser():
    """A headless browser of this machine; tests are skipped where there is none."""
    with headless() as found:
        yield found
