"""Writing beside and renaming."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from curation.files.atomic import _COMPLETE, atomic_text, staged_folder, sweep
from curation.files.codec import DECISIONS
from curation.records.messages import CurateError


def test_the_file_appears_when_all_is_written(tmp_path, monkeypatch):
    """Until the block ends the old content stands, and who may read it always does."""
    monkeypatch.setattr("curation.files.atomic._MASK", 0o007)
    path = tmp_path / "new" / "folder" / "file.txt"
    with atomic_text(path) as stream:
        stream.write("first\n")
    assert path.stat().st_mode & 0o777 == 0o660
    path.chmod(0o640)
    with atomic_text(path) as stream:
        stream.write("second\n")
        stream.flush()
        assert path.read_text() == "first\n"
    assert path.read_text() == "second\n"
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(path.parent.iterdir()) == [path]


def test_a_place_that_cannot_be_written_is_said(tmp_path):
    """A file where a folder should be is one line, no traceback."""
    (tmp_path / "file").write_text("x")
    with (
        pytest.raises(CurateError, match=r"cannot write .*below") as refused,
        atomic_text(tmp_path / "file" / "below"),
    ):
        pytest.fail("the block must not run")
    assert refused.value.hint == "check the folder's permissions and the free space"


def test_a_full_disk_is_said_and_leaves_the_old_file(tmp_path, monkeypatch):
    """When the disk is full at the last moment the old file stays and the user is told."""

    def full(_descriptor):
        raise OSError(28, "No space left on device")

    path = tmp_path / "file.txt"
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CurateError, match="No space left on device"), atomic_text(path) as stream:
        stream.write("new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_is_written_through(tmp_path):
    """What it leads to has the new content, and it stays a link; one to nothing is not read."""
    shared = tmp_path / "shared" / "ledger.csv"
    shared.parent.mkdir()
    shared.write_text("old")
    link = tmp_path / "ledger.csv"
    link.symlink_to(shared)
    with atomic_text(link) as stream:
        stream.write("new")
    assert link.is_symlink()
    assert shared.read_text() == "new"
    shared.unlink()
    with pytest.raises(CurateError, match="a link that leads to no file"):
        DECISIONS.read(link)  # it was not fetched, which is no empty ledger


def test_links_within_a_folder_are_written_through(tmp_path):
    """To a file and to a folder, also on another device; both stay links. One to itself is none."""
    other = Path("/dev/shm") if Path("/dev/shm").is_dir() else tmp_path  # noqa: S108
    with TemporaryDirectory(dir=other) as shared_name:
        shared, folder = Path(shared_name), tmp_path / "out"
        folder.mkdir()
        (folder / "card.md").symlink_to(shared / "card.md")
        (folder / "data").symlink_to(shared)
        (folder / "loop.csv").symlink_to("loop.csv")
        for text in ("old", "new"):
            with staged_folder(folder) as stage:
                (stage / "data").mkdir()
                for name in ("card.md", "loop.csv"):
                    (stage / name).write_text(text)
                (stage / "data" / "a.csv").write_text(text)
            assert [(shared / it).read_text() for it in ("card.md", "a.csv")] == [text, text]
        links = {path.name: path.is_symlink() for path in folder.iterdir()}
        assert links == {"card.md": True, "data": True, "loop.csv": False}
        assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_nothing_is_made_in_a_folder_before_all_is_written(tmp_path):
    """A command that cannot say that all is written leaves no folder of its own in it."""
    folder = tmp_path / "out"
    folder.mkdir()
    with pytest.raises(CurateError, match="cannot write"), staged_folder(folder) as stage:
        (stage / "data").mkdir()
        (stage / "data" / "a.csv").write_text("x")
        (stage / _COMPLETE).mkdir()  # in the way of the file that says it
    assert list(folder.iterdir()) == []
    with staged_folder(folder) as stage:
        (stage / "data").mkdir()
        (stage / "data" / "a.csv").write_text("x")
    assert (folder / "data" / "a.csv").read_text() == "x"


def test_what_a_killed_writer_was_putting_into_a_stage_goes_with_that_stage(tmp_path):
    """A complete folder is put into its place, but not where that is left over itself."""
    others = [f".all{number}.zip.abcdefgh.stage" for number in range(9)]  # found in any order
    for target in ("data", *others):
        stage = tmp_path / f".{target}.12345678.stage"
        stage.mkdir()
        (stage / "a.csv").write_text("whole")
        (stage / _COMPLETE).write_text("[]")
    for name in others:
        (tmp_path / name).mkdir()
    sweep(tmp_path, ())
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a.csv", "data"]
