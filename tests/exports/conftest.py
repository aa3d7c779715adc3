"""The demo after its survey."""

import shutil
from pathlib import Path

import pytest

from curation.files.workspace import Workspace
from survey import filter

DEMO = Path(__file__).parents[2] / "templates_src" / "demo"


@pytest.fixture(scope="session")
def decided(tmp_path_factory):
    """The demo, decided by its survey; not to be changed."""
    folder = tmp_path_factory.mktemp("decided") / "demo"
    shutil.copytree(DEMO, folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1767225600")
        filter(Workspace(folder), [folder / "responses" / "responses.csv"])
    return folder
