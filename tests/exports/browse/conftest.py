"""The demo after its survey, and a browser that opens pages of it."""

import shutil
from pathlib import Path

import pytest
from pages_in_browser import headless

from curation.files.workspace import Workspace
from survey import filter

DEMO = Path(__file__).parents[3] / "templates_src" / "demo"


@pytest.fixture(scope="session")
def decided(tmp_path_factory):
    """The demo, decided by its survey; not to be changed."""
    folder = tmp_path_factory.mktemp("decided") / "demo"
    shutil.copytree(DEMO, folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1767225600")
        filter(Workspace(folder), [folder / "responses" / "responses.csv"])
    return folder


@pytest.fixture
def workspace(decided, tmp_path):
    return Workspace(Path(shutil.copytree(decided, tmp_path / "demo")))


@pytest.fixture(scope="module")
def browser():
    """A headless browser of this machine; tests are skipped where there is none."""
    with headless() as found:
        yield found
