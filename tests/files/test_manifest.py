"""The manifest of an exported folder."""

import json
from fractions import Fraction

import pytest

from curation import __version__
from curation.files.manifest import (
    DATA_FORMAT,
    named_inputs,
    read_manifest,
    staged_results,
    verify_manifest,
)
from curation.records.messages import CurateError

EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def write_manifest(folder, inputs, counts, settings, files=None):
    """Record files that are there: all of them, but the manifest, where none are named."""
    every = [path for path in folder.rglob("*") if path != folder / "manifest.json"]
    kept = [path for path in every if path.is_file()] if files is None else files
    with staged_results(folder, inputs, counts, settings, kept):
        pass


@pytest.fixture
def inputs(tmp_path):
    folder = tmp_path / "workspace"
    folder.mkdir()
    (folder / "bank.csv").write_bytes(b"abc")
    (folder / "groups.csv").write_bytes(b"")
    return {"templates_src/bank.csv": folder / "bank.csv", "groups": folder / "groups.csv"}


@pytest.fixture
def export(tmp_path, inputs):
    """An exported folder with a folder in it, and its manifest."""
    folder = tmp_path / "export"
    (folder / "parts").mkdir(parents=True)
    (folder / "samples.csv").write_bytes(b"abc")
    (folder / "parts" / "manifest.json").write_bytes(b"")
    settings = {"seed": 42, "share": Fraction(2, 3), "set": "전체", "formats": ("csv",), "no": None}
    write_manifest(folder, inputs, {"samples": 8, "templates": 1}, settings)
    return folder


def test_the_manifest_says_what_the_folder_was_made_from(export):
    """It holds tool, format, hashes of inputs and files, counts and settings, keys in order."""
    nothing, three = {"sha256": EMPTY, "size": 0}, {"sha256": ABC, "size": 3}
    content = {
        "counts": {"samples": 8, "templates": 1},
        "data_format": DATA_FORMAT,
        "files": {"parts/manifest.json": nothing, "samples.csv": three},
        "inputs": {"groups": nothing, "templates_src/bank.csv": three},
        "settings": {"formats": ["csv"], "no": None, "seed": 42, "set": "전체", "share": "2/3"},
        "tool": "curate",
        "tool_version": __version__,
    }
    text = json.dumps(content, ensure_ascii=False, indent=2)
    assert (export / "manifest.json").read_text("utf-8") == f"{text}\n"


def test_every_change_is_found(export):
    """A changed, a missing and an added file are one finding each, in order of their names."""
    assert verify_manifest(export) == []
    (export / "samples.csv").write_bytes(b"abd")
    (export / "parts" / "manifest.json").unlink()
    (export / "parts" / "new.csv").write_bytes(b"abc")
    findings = verify_manifest(export)
    assert [(item.rule, item.file) for item in findings] == [
        ("manifest-missing", "parts/manifest.json"),
        ("manifest-added", "parts/new.csv"),
        ("manifest-changed", "samples.csv"),
    ]
    assert all(item.severity == "error" and item.hint for item in findings)


def test_files_of_an_earlier_export_go_where_nobody_has_changed_them(export, inputs):
    """What this one wrote stays, and so does what is somebody's work."""
    (export / "old.csv").write_bytes(b"abc")
    write_manifest(export, inputs, {}, {})
    (export / "parts" / "manifest.json").write_bytes(b"mine")
    write_manifest(export, inputs, {}, {}, files=[export / "samples.csv"])
    left = {path.relative_to(export).as_posix() for path in export.rglob("*") if path.is_file()}
    assert left == {"manifest.json", "samples.csv", "parts/manifest.json"}
    assert read_manifest(export).files.keys() == {"samples.csv"}


def test_what_version_control_and_python_put_there_is_seen_on_demand(export):
    """An archive holds none of it, so that there it is looked at."""
    names = [".git/config", "parts/__pycache__/x.cpython-311.pyc"]
    for name in names:
        (export / name).parent.mkdir()
        (export / name).write_text("x", encoding="utf-8")
    assert verify_manifest(export) == []
    assert [item.file for item in verify_manifest(export, everything=True)] == names


def test_a_folder_without_manifest_is_refused(tmp_path):
    """Verifying what was never written by the tool is an error, not a clean bill."""
    with pytest.raises(CurateError, match=r"there is no manifest\.json"):
        verify_manifest(tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"files": {"a.csv": "abc"}}, r"files\.a\.csv"),
        ({"counts": {"samples": "many"}}, r"counts\.samples"),
        ({"tool": None}, "tool"),
        ({"data_format": DATA_FORMAT + 1}, f"data format {DATA_FORMAT + 1}"),
        (None, "the file: Invalid JSON"),
    ],
)
def test_a_manifest_of_another_shape_names_the_key(export, change, message):
    """What cannot be read, or is of a later format, is refused by its key; so is half a file."""
    path = export / "manifest.json"
    whole = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**whole, **change}) if change else '{"tool": "cur', "utf-8")
    with pytest.raises(CurateError, match=message) as refused:
        read_manifest(export)
    assert refused.value.where == str(path)


def test_an_input_that_is_gone_stops_the_manifest(export, tmp_path):
    """A manifest without one of its inputs is not written; the old one stays."""
    before = (export / "manifest.json").read_bytes()
    with pytest.raises(CurateError, match=r"cannot read gone\.csv"):
        write_manifest(export, {"gone": tmp_path / "gone.csv"}, {}, {})
    assert (export / "manifest.json").read_bytes() == before


def test_nothing_outside_a_folder_is_taken_away(tmp_path):
    """Whatever an earlier manifest, which somebody may have changed, says was written."""
    folder, own = tmp_path / "out", tmp_path / "own.txt"
    folder.mkdir()
    own.write_text("mine", encoding="utf-8")
    (folder / "a.csv").write_text("mine", encoding="utf-8")
    write_manifest(folder, {}, {}, {})
    text = (folder / "manifest.json").read_text("utf-8")
    (folder / "manifest.json").write_text(text.replace("a.csv", "../own.txt"), encoding="utf-8")
    write_manifest(folder, {}, {}, {}, [folder / "a.csv"])
    assert own.exists()


def test_a_link_that_was_added_is_found(tmp_path):
    """Also one to a folder, and one to nothing."""
    (tmp_path / "a.csv").write_text("x", encoding="utf-8")
    write_manifest(tmp_path, {}, {}, {})
    (tmp_path / "nowhere").symlink_to(tmp_path / "none")
    (tmp_path / "folder").symlink_to(tmp_path.parent)
    found = verify_manifest(tmp_path)
    assert [(item.rule, item.where) for item in found] == [
        ("manifest-added", "folder"),
        ("manifest-added", "nowhere"),
    ]


def test_files_are_named_alike_wherever_they_lie(tmp_path):
    """By their place in the workspace, else by name; of two with one name none hides the other."""
    names = ("here/a/replies.jsonl", "here/b/replies.jsonl", "other/replies.jsonl")
    one, two, other = files = [tmp_path / name for name in names]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    gone = tmp_path / "gone.csv"
    assert named_inputs([one, gone, two, one], kind="replies") == {
        "replies: replies.jsonl": one,
        "replies: replies.jsonl (2)": two,
    }
    assert named_inputs([two, other], root=tmp_path / "here") == {
        "b/replies.jsonl": two,
        "replies.jsonl": other,
    }
