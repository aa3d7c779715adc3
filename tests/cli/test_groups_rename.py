"""`curate groups rename`: a group gets another name everywhere."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Curate = Callable[..., Any]
Listing = Callable[[Path], dict[str, str]]


def rename(curate: Curate, workspace: Path, *args: object) -> Any:
    """Rename a group, which must go well."""
    ran = curate("groups", "rename", "-w", workspace, *args, "--json")
    assert (ran.code, ran.err) == (0, "")
    return ran.json


def test_a_rename_that_breaks_off_is_completed_by_the_same_command(
    curate: Curate, workspace: Path, listing: Listing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever that is: what was asked is told first, and the check finds what is left to do."""
    kept = {path: path.read_bytes() for path in workspace.rglob("*") if path.is_file()}
    rename(curate, workspace, "Craft", "Potters", "Ceramists")
    wanted = listing(workspace)
    real = Path.replace
    for good in range(3):
        for path, data in kept.items():
            path.write_bytes(data)
        done: list[Path] = []

        def stop(self: Path, target: Path, done: list[Path] = done, good: int = good) -> Path:
            # Tables are written beside in two steps; only what takes a file's place counts.
            if not target.name.startswith("."):
                if len(done) == good:
                    raise OSError(28, "No space left on device")
                done.append(target)
            return real(self, target)

        with monkeypatch.context() as patch:
            patch.setattr(Path, "replace", stop)
            ran = curate("groups", "rename", "-w", workspace, "Craft", "Potters", "Ceramists")
        assert ran.code == 1
        assert "No space left" in ran.err
        assert [path.name for path in done] == ["culture.yaml", "groups.csv", "bank.csv"][:good]
        assert not list(workspace.rglob(".*.stage"))
        findings = curate("check", "-w", workspace, "--json").json["findings"]
        of_groups = {item["rule"] for item in findings if item["rule"].startswith("group-")}
        assert of_groups == (set(), {"group-renamed"}, {"group-unknown"})[good]
        rename(curate, workspace, "Craft", "Potters", "Ceramists")
        assert listing(workspace) == wanted
