"""`curate verify`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from curation.files.manifest import read_manifest, verify_manifest
from exports.zipping import write_zip

pytestmark = pytest.mark.slow


Curate = Callable[..., Any]
Edit = Callable[..., None]


@pytest.fixture
def package(released: Path) -> Path:
    """The package of the first release."""
    return released / "exports" / "package"


def rules(ran: Any) -> list[tuple[str, str]]:
    """Give the findings of a run: rule and file."""
    return [(item["rule"], item["file"]) for item in ran.json["findings"]]


def test_one_changed_byte_in_any_file_is_found(package: Path) -> None:
    """Every file of the package in turn: the finding names it and no other."""
    names = sorted(read_manifest(package).files)
    assert len(names) > 40
    for name in names:
        path = package / name
        content = path.read_bytes()
        path.write_bytes(bytes([content[0] ^ 1]) + content[1:] if content else b"x")
        found = verify_manifest(package)
        assert [(item.rule, item.file) for item in found] == [("manifest-changed", name)]
        path.write_bytes(content)
    assert verify_manifest(package) == []


@pytest.mark.parametrize("name", ["lm_eval/__pycache__/utils.cpython-311.pyc", ".git/hooks/x"])
def test_a_zip_holds_nothing_that_is_not_looked_at(
    curate: Curate, package: Path, tmp_path: Path, name: str
) -> None:
    """Python would run the bytecode in place of the program that was verified."""
    target = tmp_path / "release.zip"
    write_zip(target, package, "top")
    with ZipFile(target, "a") as archive:
        archive.writestr(f"top/{name}", "x")
    ran = curate("verify", target, "--json")
    assert (ran.code, rules(ran)) == (1, [("manifest-added", name)])
