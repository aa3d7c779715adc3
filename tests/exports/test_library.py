"""What the commands on exports do, from Python: results are records, and nothing is printed."""

import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from zipfile import ZipFile

import pytest

from curation.files.lock import writing
from curation.files.workspace import Workspace
from curation.records.errors import CurateError
from exports.data_files import bank, samples
from exports.demonstration import demo
from exports.differences import diff
from exports.harness.tasks import task_folder
from exports.hub_files import hub
from exports.package_files import package
from exports.releases import release_check
from exports.survey_files import survey_results
from exports.verification import verify

ROOT = Path(__file__).parents[2]
OUT = "occupation-009,manual,override,drop,not asked about,,,,,,,,,Kim Minsu,2026-01-01T00:00:00Z"


@pytest.fixture(scope="module")
def _demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library") / "demo"
    made = demo(folder)
    assert (made.workspace.root, len(made.decided.final.templates)) == (folder, 31)
    assert made.samples.written == {"samples": 2112, "test_samples": 264}
    assert made.bank.folder == folder / "exports" / "bank"
    return folder


@pytest.fixture
def workspace(_demo: Path, tmp_path: Path) -> Workspace:
    """The demo after its survey."""
    shutil.copytree(_demo, tmp_path / "demo")
    return Workspace(tmp_path / "demo")


def test_bank_and_samples(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    """Counts, what is undecided and what is doubtful are in the result."""
    made = samples(workspace, ["all", "test"], ["csv", "kobbq"])
    assert made.folder == workspace.exports_folder / "samples"
    assert made.written == {"samples": 2112, "test_samples": 264}
    assert made.counts["undecided"] == len(made.undecided) == 1
    assert (made.undecided, made.without_samples, made.findings) == (("occupation-009",), (), ())
    demo = ROOT / "exports" / "demo" / "samples" / "samples.csv"
    assert (made.folder / "samples.csv").read_bytes() == demo.read_bytes()
    assert (made.folder / "kobbq" / "test_samples.tsv").exists()
    of_bank = bank(workspace, ["csv"], out=workspace.root / "elsewhere")
    assert of_bank.written == {"variants": 66, "templates": 31}
    assert (workspace.root / "elsewhere" / "templates.csv").exists()
    assert capsys.readouterr() == ("", "")


def test_hub_and_package_tell_how_far_they_are(workspace: Workspace, tmp_path: Path) -> None:
    """Of planning and of writing, each up to its end."""

    def told(made: Callable[..., object], **wanted: object) -> dict[str, list[tuple[int, int]]]:
        works: dict[str, list[tuple[int, int]]] = {}
        made(
            workspace,
            out=tmp_path / made.__name__,
            progress=lambda what, done, all_: works.setdefault(what, []).append((done, all_)),
            **wanted,
        )
        return works

    for works in (told(hub), told(package, draft=True)):
        assert works.keys() >= {"Templates planned", "Templates written"}
        for steps in works.values():
            assert steps[0][0] == 0
            assert steps[-1][0] == steps[-1][1] > 0


def test_a_release_that_lies_elsewhere_is_made_by_one_writer(
    workspace: Workspace, tmp_path: Path
) -> None:
    """It is recorded in the workspace; a draft is not, and needs no lock."""
    waiting = Workspace(workspace.root, wait=0)
    with ThreadPoolExecutor(1) as other, writing(workspace, "another"):
        made = other.submit(package, waiting, draft=True, out=tmp_path / "draft")
        assert made.result().path == tmp_path / "draft"
        refused = other.submit(package, waiting, out=tmp_path / "release")
        with pytest.raises(CurateError, match="another command is writing"):
            refused.result()
    assert not (tmp_path / "release").exists()


def test_hub_and_tasks(workspace: Workspace) -> None:
    """Of the dataset folder it is told what is not stated; an unknown order is refused."""
    made = hub(workspace, ["test"])
    assert made.exported.written == {"test_samples": 264, "variants": 66, "survey_options": 254}
    assert all(item.key.startswith("release.") for item in made.not_stated)
    tasks = task_folder(workspace, "inspect")
    assert tasks.written == {"samples": 264, "requests": 3960}
    with pytest.raises(CurateError, match="holds another export"):
        task_folder(workspace, "inspect", out=made.exported.folder)


def test_survey_results(workspace: Workspace) -> None:
    """Attributes that say who somebody is are refused, whoever asks for them."""
    made = survey_results(workspace)
    assert (made.folder, made.hidden) == (workspace.exports_folder / "survey_results", 0)
    assert made.counts["questions"] > 0
    with pytest.raises(CurateError, match="'duration_s' is never published"):
        survey_results(workspace, respondents=True, attributes=["duration_s"])


@pytest.mark.slow
def test_a_release_is_checked_packed_verified_and_compared(
    workspace: Workspace, tmp_path: Path
) -> None:
    """Refused, a draft, then the release; the package is what the workspace gives."""
    found = release_check(workspace)
    assert found.has_errors
    assert "release-undecided" in set(found.to_frame()["rule"])
    refused = package(workspace)
    assert (refused.path, refused.findings) == (None, found.findings)
    draft = package(workspace, draft=True, out=tmp_path / "draft")
    assert (draft.draft, draft.recorded) == (True, False)
    with (workspace.root / "decisions.csv").open("a", encoding="utf-8") as stream:
        stream.write(f"{OUT}\n")
    workspace.refresh()
    made = package(workspace, as_zip=True)
    assert (made.path, made.recorded) == (workspace.exports_folder / "package.zip", True)
    assert made.counts["samples"] == 2080
    checked = verify(made.path, workspace, rebuild=True)
    assert (checked.findings, checked.manifest_known) == ((), True)
    assert checked.manifest_sha256 == made.manifest_sha256
    with ZipFile(made.path, "a") as archive:
        archive.writestr("marevibbq-1.0/added.txt", "more")
    assert list(verify(made.path).to_frame()["rule"]) == ["manifest-added"]
    changes = diff(tmp_path / "draft", workspace.root)
    rows = changes.to_frame()
    assert list(rows["category"]) == ["Occupation", "Total"]
    assert rows["samples_removed"].tolist() == [32, 32]
    assert str(rows["samples_removed"].dtype) == "int64"
