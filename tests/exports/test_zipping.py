"""ZIP files that are opened with care."""

from types import SimpleNamespace
from zipfile import ZipFile

import pytest

from curation.records.messages import CurateError
from exports.folders import opened, write_zip

pytestmark = pytest.mark.slow


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
    twice = (["top/a", "top/a"], *([name, "top/a"] for name in ("top//a", "./top/a", "top/./a")))
    for names, said in (
        *((one, "leads outside") for one in out),
        *((one, "twice") for one in twice),
    ):
        path = made_of(tmp_path / "1.zip", *names)
        with pytest.raises(CurateError, match=said), opened(path):
            pass
    with pytest.raises(CurateError, match="twice"), opened(made_of(path, "top/a/", "top/a")):
        pass


def test_what_is_no_archive_is_refused(tmp_path):
    path = tmp_path / "1.zip"
    for content in (b"", b"no archive", b"PK\x03\x04 cut off"):
        path.write_bytes(content)
        with pytest.raises(CurateError, match=r"1\.zip is not a ZIP file"), opened(path):
            pass
    with pytest.raises(CurateError, match="there is no file"), opened(tmp_path / "2.zip"):
        pass


def test_what_there_is_no_room_for_is_not_unpacked(folder, tmp_path, monkeypatch):
    """Neither by size nor by number."""
    write_zip(tmp_path / "1.zip", folder, "top")
    monkeypatch.setattr("exports.folders._MOST", 2)
    with pytest.raises(CurateError, match="holds more than 2 files"), opened(tmp_path / "1.zip"):
        pass
    monkeypatch.setattr("exports.folders._MOST", 3)
    with opened(tmp_path / "1.zip"):
        pass
    room = SimpleNamespace(free=100)
    monkeypatch.setattr("exports.folders.shutil.disk_usage", lambda _: room)
    with pytest.raises(CurateError, match="more than there is room"), opened(tmp_path / "1.zip"):
        pass
