"""`curate demo`."""

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow


Curate = Callable[..., Any]
Listing = Callable[[Path], dict[str, str]]


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every attempt to reach the network fail the test."""

    def refuse(*args: object, **_: object) -> None:
        pytest.fail(f"the network was used: {args}")

    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.mark.usefixtures("offline")
def test_the_whole_way_runs_offline(curate: Curate, tmp_path: Path) -> None:
    """Every step shows its command, and the benchmark and the ledger are there at the end."""
    folder = tmp_path / "new"
    ran = curate("demo", folder)
    assert ran.code == 0
    assert ran.out.count("\n$ curate ") == 9
    assert "30 templates kept, 5 dropped, 1 undecided; 130 decisions added" in ran.out
    said = " ".join(ran.out.split())
    assert said.endswith(f"{folder / 'README.md'} says what this data must not be used for.")
    for name in (
        *("decisions.csv", "exports/samples/samples.csv", "exports/samples/samples.jsonl"),
        *("exports/samples/kobbq/test_samples.tsv", "exports/bank/bank.csv", "README.md"),
    ):
        assert (folder / name).is_file()


def test_a_folder_that_holds_something_is_refused(
    curate: Curate, tmp_path: Path, listing: Listing
) -> None:
    """A second run does not touch what the first one made, or anything else."""
    folder = tmp_path / "new"
    assert curate("demo", folder).code == 0
    before = listing(tmp_path)
    ran = curate("demo", folder)
    assert (ran.code, ran.out, f"{folder} is not empty" in ran.err) == (1, "", True)
    (tmp_path / "file").write_text("")
    assert curate("demo", tmp_path / "file").code == 1
    (tmp_path / "file").unlink()
    assert listing(tmp_path) == before


def test_an_empty_folder_will_do(curate: Curate, tmp_path: Path) -> None:
    """It need not be new."""
    assert curate("demo", tmp_path).code == 0


def test_the_demo_is_the_bundled_workspace(
    curate: Curate, tmp_path: Path, demo: Path, listing: Listing
) -> None:
    """What people wrote is copied to the byte; the rest is derived beside it."""
    folder = tmp_path / "new"
    curate("demo", folder)
    assert listing(demo).items() <= listing(folder).items()


def test_two_demos_of_one_time_are_the_same(
    curate: Curate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, listing: Listing
) -> None:
    """With SOURCE_DATE_EPOCH every file comes out byte for byte, wherever it lies."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    folders = tmp_path / "one", tmp_path / "two" / "deeper"
    for folder in folders:
        assert curate("demo", folder).code == 0
    assert listing(folders[0]) == listing(folders[1])


def test_the_folder_has_a_name_of_its_own(
    curate: Curate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without one it lies beside where the command was run."""
    monkeypatch.chdir(tmp_path)
    assert curate("demo").code == 0
    assert (tmp_path / "curate-demo" / "decisions.csv").is_file()


def test_the_result_is_one_object(curate: Curate, tmp_path: Path) -> None:
    """With --json each step has its command and what it gave."""
    found = curate("demo", tmp_path / "new", "--json").json
    steps = {" ".join(step["command"]): step["result"] for step in found["steps"]}
    assert len(steps) == len(found["steps"]) - 1  # 'stats' is run before and after
    assert steps["curate filter --survey responses/responses.csv"]["templates"]["kept"] == 30
    assert steps["curate stats"]["rows"][-1]["templates"] == 31
    assert steps["curate status"]["undecided"] == ["occupation-009"]


def test_the_files_of_the_tutorial_are_written(
    curate: Curate, tmp_path: Path, listing: Listing
) -> None:
    """With --tutorial its files are copied to the byte; nothing is run, or written over."""
    bundled = Path(__file__).parents[2] / "templates_src" / "tutorial"
    ran = curate("demo", "--tutorial", tmp_path / "files")
    assert ran.code == 0
    assert "bbq, fill_in.py" in ran.out
    wanted = {name: data for name, data in listing(bundled).items() if "__pycache__" not in name}
    assert listing(tmp_path / "files") == wanted
    assert "bbq/Age.csv" in wanted
    again = curate("demo", "--tutorial", tmp_path / "files")
    assert (again.code, "is not empty" in again.err) == (1, True)
    found = curate("demo", "--tutorial", tmp_path / "more", "--json").json
    assert found["files"] == sorted({name.partition("/")[0] for name in wanted})
