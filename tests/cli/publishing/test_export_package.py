"""`curate export package`."""

import csv
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from curation.records.errors import CurateError
from exports import package_files

pytestmark = pytest.mark.slow


ROOT = Path(__file__).parents[3]
Curate = Callable[..., Any]
Listing = Callable[[Path], dict[str, str]]
Edit = Callable[..., None]


def rows(path: Path) -> list[dict[str, str]]:
    """Give the rows of a table."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_the_hash_of_the_samples_is_that_of_their_cells(curate: Curate, released: Path) -> None:
    """As the documentation says how to work it out."""
    curate("export", "samples", "-w", released, "--set", "all,test", "--format", "jsonl")
    recorded = rows(released / "releases.csv")[0]
    for name, key in (("samples", "samples_sha256"), ("test_samples", "test_samples_sha256")):
        found = sha256()
        path = released / "exports" / "samples" / f"{name}.jsonl"
        for line in path.read_text("utf-8").splitlines():
            for cell in json.loads(line).values():
                for text in cell if isinstance(cell, list) else [cell]:
                    found.update(f"{text}\x1f".encode())
            found.update(b"\x1e")
        assert found.hexdigest() == recorded[key]


def test_a_package_that_breaks_off_leaves_what_was_there(
    curate: Curate, released: Path, listing: Listing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the byte, with nothing half written beside it."""
    before = listing(released)

    def breaks(*_arguments: object) -> None:
        raise CurateError("the disk is full")

    monkeypatch.setattr(package_files, "write_survey", breaks)
    for options in ([], ["--zip"], ["--out", released / "exports" / "other"]):
        ran = curate("export", "package", "-w", released, *options)
        assert (ran.code, "the disk is full" in ran.err) == (1, True)
        assert listing(released) == before


def test_a_zip_is_the_same_on_two_machines(ready: Path, tmp_path: Path) -> None:
    """Whatever the place, the rights of new files, the time zone, the language and the clock."""
    made = []
    for number, (umask, zone, language) in enumerate(
        ((0o022, "UTC", "C"), (0o077, "Asia/Seoul", "C.UTF-8"))
    ):
        folder = tmp_path / f"place {number}" / ("deeper" * number) / "ws"
        shutil.copytree(ready, folder, copy_function=shutil.copyfile)
        target = tmp_path / f"{number}.zip"
        environment = {
            **{"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": str(number)},
            **{"TZ": zone, "LC_ALL": language, "LANG": language},
        }
        subprocess.run(
            [
                *(sys.executable, "-c", "from curation.cli.main import main; main()"),
                *("export", "package", "--zip", "-w", str(folder), "--out", str(target)),
            ],
            umask=umask,
            env=environment,
            check=True,
            capture_output=True,
        )
        made.append(target.read_bytes())
    assert made[0] == made[1]
    with ZipFile(tmp_path / "0.zip") as archive:
        entries = archive.infolist()
    assert [entry.filename for entry in entries] == sorted(entry.filename for entry in entries)
    assert {entry.filename.partition("/")[0] for entry in entries} == {"marevibbq-1.0"}
    assert {entry.date_time for entry in entries} == {(1980, 1, 1, 0, 0, 0)}
    assert {entry.external_attr >> 16 for entry in entries} == {0o100644}
