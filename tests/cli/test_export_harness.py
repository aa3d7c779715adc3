"""`curate export lm-eval` and `curate export inspect`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curation.files.workspace import Workspace
from exports.edition import Edition
from exports.harness import inspect, lm_eval
from exports.harness.measure.rows import DATA
from exports.harness.requests import tasks_of, write_data
from survey.bank import final_bank

Curate = Callable[..., Any]
Listing = Callable[[Path], dict[str, str]]
NAMES = {"lm-eval": "lm_eval", "inspect": "inspect"}
both = pytest.mark.parametrize("name", NAMES)


def lines(path: Path) -> list[dict[str, Any]]:
    """Read JSON lines."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.mark.parametrize(
    ("name", "harness"), [("lm-eval", lm_eval), ("inspect", inspect)], ids=["lm-eval", "inspect"]
)
def test_a_package_writes_what_the_command_writes(
    curate: Curate, filtered: Path, tmp_path: Path, listing: Listing, name: str, harness: Any
) -> None:
    """The same bytes, except for the manifest, which the package writes."""
    curate("export", name, "-w", filtered, "--out", tmp_path / "command")
    about = (tmp_path / "command" / "README.md").read_text("utf-8")
    assert r"of The curate developers (templates\_src/demo of the toolkit)." in about
    workspace = Workspace(filtered)
    (tmp_path / "part").mkdir()
    tasks = tasks_of(Edition(workspace, final_bank(workspace)))
    written = write_data(tmp_path / "part" / DATA, tasks)
    counts = harness.write_folder(tmp_path / "part", tasks, written)
    assert (counts["samples"], counts["requests"]) == (264, 3960)
    (tmp_path / "command" / "manifest.json").unlink()
    assert listing(tmp_path / "part") == listing(tmp_path / "command")
