"""Folders that an export may be written to."""

from zipfile import ZipFile

import pytest

from curation.files.manifest import staged_results
from curation.records.messages import CurateError
from exports import folders
from exports.folders import EXPORT, opened, refuse_foreign


@pytest.fixture
def exported(tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "a.csv").write_text("x", encoding="utf-8")
    with staged_results(folder, {}, {}, {EXPORT: "some"}, [folder / "a.csv"]):
        pass
    return folder


def test_a_new_an_empty_and_our_own_folder_may_be_written_to(tmp_path, exported):
    """With what version control keeps in it."""
    refuse_foreign(tmp_path / "new", "some")
    (tmp_path / "empty" / ".git").mkdir(parents=True)
    (tmp_path / "empty" / "data" / "of a killed command").mkdir(parents=True)
    refuse_foreign(tmp_path / "empty", "some")
    (exported / ".git").mkdir()
    (exported / ".git" / "config").write_text("x", encoding="utf-8")
    refuse_foreign(exported, "some")


def test_what_is_not_ours_is_refused(tmp_path, exported):
    """A file, another export, a folder of others, and files of others in an export."""
    file = tmp_path / "file"
    file.write_text("x", encoding="utf-8")
    others = tmp_path / "others"
    others.mkdir()
    (others / "thesis.doc").write_text("x", encoding="utf-8")
    for path, kind, what in (
        (file, "some", "file is a file"),
        (exported, "other", "out holds another export"),
        (others, "some", "others holds files that no export wrote"),
    ):
        with pytest.raises(CurateError, match=what):
            refuse_foreign(path, kind)
    for name in ("b.txt", "c.txt"):
        (exported / name).write_text("x", encoding="utf-8")
    with pytest.raises(CurateError, match=r"out holds b\.txt and 1 more files, which no export"):
        refuse_foreign(exported, "some")


def test_an_export_is_not_written_through_a_link(tmp_path, exported):
    """What lies behind it belongs to somebody else."""
    (tmp_path / "elsewhere").mkdir()
    (exported / "test").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CurateError, match="out holds test, which no export wrote"):
        refuse_foreign(exported, "some")


def test_an_archive_of_the_largest_size_is_unpacked_and_none_above_it(tmp_path, monkeypatch):
    """What it would unpack to is what its list says."""
    path = tmp_path / "a.zip"
    with ZipFile(path, "w") as archive:
        archive.writestr("top/a.csv", "x" * 100)
    monkeypatch.setattr(folders, "_LARGEST", 100)
    with opened(path) as folder:
        assert [item.name for item in folder.iterdir()] == ["a.csv"]
    monkeypatch.setattr(folders, "_LARGEST", 99)
    with pytest.raises(CurateError, match="would unpack to more than 64 GiB"), opened(path):
        pass
