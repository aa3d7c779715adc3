"""What the commands on exports do, from Python: results are records, and nothing is printed."""

import shutil
from concurrent.futures import ThreadPoolExecutor

import pytest

from curation.files.lock import writing
from curation.files.workspace import Workspace
from curation.records.messages import CurateError
from exports.data_files import demo
from exports.package_files import package


@pytest.fixture(scope="module")
def _demo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("library") / "demo"
    made = demo(folder)
    assert (made.workspace.root, len(made.decided.final.templates)) == (folder, 31)
    assert (made.samples.counts["samples"], made.samples.counts["test_samples"]) == (2112, 264)
    assert made.bank.folder == folder / "exports" / "bank"
    return folder


@pytest.fixture
def workspace(_demo, tmp_path):
    shutil.copytree(_demo, tmp_path / "demo")
    return Workspace(tmp_path / "demo")


def test_a_release_that_lies_elsewhere_is_made_by_one_writer(workspace, tmp_path):
    """It is recorded in the workspace; a draft is not, and needs no lock."""
    waiting = Workspace(workspace.root, wait=0)
    with ThreadPoolExecutor(1) as other, writing(workspace, "another"):
        made = other.submit(package, waiting, draft=True, out=tmp_path / "draft")
        assert made.result().path == tmp_path / "draft"
        refused = other.submit(package, waiting, out=tmp_path / "release")
        with pytest.raises(CurateError, match="another command is writing"):
            refused.result()
    assert not (tmp_path / "release").exists()
