"""Folders that an export may be written to, and ZIP files that are opened with care."""

from zipfile import ZipFile

import pytest
from ods import spoil

from curation.files.manifest import staged_results
from curation.records.messages import CurateError
from exports.folders import EXPORT, opened, refuse_foreign, write_zip


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
    """A file, another export, a folder of others, and in an export files and links of others."""
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
    (exported / "test").symlink_to(others)
    with pytest.raises(CurateError, match="out holds test, which no export wrote"):
        refuse_foreign(exported, "some")
    for name in ("b.txt", "c.txt"):
        (exported / name).write_text("x", encoding="utf-8")
    with pytest.raises(CurateError, match=r"out holds b\.txt and 2 more files, which no export"):
        refuse_foreign(exported, "some")


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "made"
    (made / "b").mkdir(parents=True)
    (made / "b" / "가.txt").write_text("한글", encoding="utf-8")
    (made / "a.txt").write_text("x" * 1000, encoding="utf-8")
    (made / "manifest.json").write_text("{}", encoding="utf-8")
    return made


def test_an_archive_is_opened_at_its_one_folder(folder, tmp_path):
    """And a folder as it is; what was unpacked is gone afterwards."""
    write_zip(tmp_path / "1.zip", folder, "top")
    with opened(tmp_path / "1.zip") as inside:
        assert (inside / "b" / "가.txt").read_text("utf-8") == "한글"
        assert inside.name == "top"
    assert not inside.exists()
    with opened(folder) as same:
        assert same == folder


def made_of(path, *names):
    with ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, name)
    return path


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_names_that_lead_out_or_stand_twice_are_refused(tmp_path):
    """Before anything is unpacked: one would be written over the other, in two spellings too."""
    out = (["../out.txt"], ["/etc/out.txt"], ["a/../../out.txt"], ["a\\..\\b"])
    twice = ([name, "top/a"] for name in ("top/a", "top//a", "./top/a", "top/./a", "top/a/"))
    for names, said in (
        *((one, "leads outside") for one in out),
        *((one, "twice") for one in twice),
    ):
        path = made_of(tmp_path / "1.zip", *names)
        with pytest.raises(CurateError, match=said), opened(path):
            pass


def test_what_is_no_archive_is_refused(tmp_path, folder):
    """Nor one with a wrong byte."""
    path = tmp_path / "1.zip"
    write_zip(path, folder, "top")
    spoil(path)
    for content in (path.read_bytes(), b"", b"no archive", b"PK\x03\x04 cut off"):
        path.write_bytes(content)
        with pytest.raises(CurateError, match=r"1\.zip is not a ZIP file"), opened(path):
            pass
    with pytest.raises(CurateError, match="there is no file"), opened(tmp_path / "2.zip"):
        pass
