"""Folders of results: one writer at a time, and all of a result or the one before."""

import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest

from curation.files.atomic import staged_folder
from curation.files.lock import HELD, writing, writing_results
from curation.files.manifest import read_manifest, staged_results, verify_manifest
from curation.files.workspace import Workspace
from curation.records.messages import CurateError

AT_ONCE = Workspace(Path(), wait=0)
KILLED = """
import os, sys
from pathlib import Path
from curation.files.lock import writing_results
from curation.files.manifest import staged_results
folder, place = Path(sys.argv[1]), sys.argv[2]
moved = []
replace = Path.replace
def die_at_the_second(self, target):
    if self.suffix == ".csv" and place == "moving":
        moved.append(self)
        if len(moved) == 2:
            os._exit(9)
    return replace(self, target)
Path.replace = die_at_the_second
with writing_results(folder, "curate killed"), staged_results(folder, {}, {"run": 2}, {}) as stage:
    for name in "abc":
        (stage / f"{name}.csv").write_text("new")
    if place == "writing":
        os._exit(9)
"""


def write(folder, text, names="abcd"):
    with writing_results(folder, "curate this"), staged_results(folder, {}, {}, {}) as stage:
        for name in names:
            (stage / f"{name}.csv").write_text(text)


def texts(folder):
    return {path.name: path.read_text() for path in sorted(folder.glob("*.csv"))}


@contextmanager
def another_thread(folder, workspace=None):
    """Another thread writes results to a folder for as long as the block lasts."""
    began, end = threading.Event(), threading.Event()

    def hold():
        with writing_results(folder, "curate evaluate score", workspace):
            began.set()
            end.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    assert began.wait(60)
    try:
        yield
    finally:
        end.set()
        thread.join(60)


def test_outside_of_a_workspace_the_folder_is_locked_and_nothing_stays(tmp_path):
    """Who is second is told who writes; without a workspace nobody is stopped."""
    folder = tmp_path / "scores"
    with another_thread(folder):
        assert (folder / HELD).exists()
        with pytest.raises(CurateError) as refused, writing_results(folder, "second", AT_ONCE):
            pytest.fail("the block must not run")
        assert refused.value.what.startswith(
            "another command is writing to this folder: 'curate evaluate score' (process "
        )
        assert refused.value.where == str(folder)
        with writing_results(tmp_path / "other", "second", AT_ONCE):
            (tmp_path / "other" / "a.csv").write_text("whole")
    assert [path.name for path in sorted(tmp_path.rglob("*"))] == ["other", "a.csv"]


def test_in_a_workspace_it_is_the_lock_of_the_workspace(tmp_path):
    """Also of one that the command does not work with: who writes there finds it locked."""
    (tmp_path / "culture.yaml").write_text("culture: x")
    folder = tmp_path / "exports" / "scores"
    said = "writing to the workspace: 'curate evaluate score'"
    with another_thread(folder), pytest.raises(CurateError, match=said):
        write_in(tmp_path)
    with another_thread(folder, Workspace(tmp_path)), pytest.raises(CurateError):
        write_in(tmp_path)
    write_in(tmp_path)
    assert not folder.exists()


def write_in(root):
    """Take the lock of a workspace as other commands do."""
    with (
        writing(Workspace(root, wait=0), "second"),
        writing_results(root / "exports", "third", AT_ONCE),
    ):
        pass


def test_a_file_in_the_place_of_the_folder_is_for_the_writer_to_refuse(tmp_path):
    """Nothing can be locked there."""
    (tmp_path / "scores").write_text("a file")
    with writing_results(tmp_path / "scores", "this", AT_ONCE):
        pass
    with (
        pytest.raises(CurateError, match=r"cannot write .*below: Not a directory"),
        writing_results(tmp_path / "scores" / "below", "this", AT_ONCE),
    ):
        pytest.fail("the block must not run")


def test_what_stands_in_the_way_is_found_before_anything_is_moved(tmp_path):
    """A folder of the name of a table."""
    folder = tmp_path / "scores"
    write(folder, "old", "a")
    (folder / "b.csv").mkdir()
    with pytest.raises(CurateError, match=r"b\.csv is a folder there"):
        write(folder, "new", "ab")
    assert (folder / "a.csv").read_text() == "old"


def test_an_interrupt_while_files_are_moved_waits_for_the_last(tmp_path, monkeypatch):
    """Half of two results is none."""
    folder, replace, calls = tmp_path / "scores", Path.replace, []
    write(folder, "old")

    def interrupted(path, target):
        calls.append(target.name)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return replace(path, target)

    with pytest.raises(KeyboardInterrupt), staged_folder(folder, ["d.csv"]) as stage:
        for name in "abc":
            (stage / f"{name}.csv").write_text("new")
        monkeypatch.setattr(Path, "replace", interrupted)
    assert texts(folder) == dict.fromkeys(("a.csv", "b.csv", "c.csv"), "new")
    assert calls == ["a.csv", "b.csv", "b.csv", "c.csv"]
    assert [path.name for path in tmp_path.iterdir()] == ["scores"]


@pytest.mark.slow
@pytest.mark.parametrize("inside", [False, True], ids=["anywhere", "in a workspace"])
def test_a_command_that_is_killed_leaves_the_old_result(tmp_path, inside):
    """While it writes; killed while files change places, the next writer ends what it began."""
    if inside:
        (tmp_path / "culture.yaml").write_text("culture: x")
    folder = tmp_path / "mine" / "scores"
    write(folder, "old")
    old = dict.fromkeys(("a.csv", "b.csv", "c.csv", "d.csv"), "old")
    program = [sys.executable, "-c", KILLED, str(folder)]
    ended = subprocess.run([*program, "writing"], check=False, timeout=120)
    assert (ended.returncode, texts(folder), verify_manifest(folder)) == (9, old, [])
    with writing_results(folder, "curate next", AT_ONCE):
        assert texts(folder) == old
        assert [path.name for path in folder.parent.glob(".*")] == []
    ended = subprocess.run([*program, "moving"], check=False, timeout=120)
    assert ended.returncode == 9
    with writing_results(folder, "curate next", AT_ONCE):
        assert texts(folder) == dict.fromkeys(("a.csv", "b.csv", "c.csv"), "new")
        assert read_manifest(folder).counts == {"run": 2}
        assert verify_manifest(folder) == []
        assert [path.name for path in folder.parent.glob(".*")] == []
