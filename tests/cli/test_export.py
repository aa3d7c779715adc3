"""`curate export`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Curate = Callable[..., Any]
Listing = Callable[[Path], dict[str, str]]


def test_a_full_disk_leaves_the_old_export(
    curate: Curate, filtered: Path, listing: Listing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Old files stay whole and no temporary one lies beside them."""
    curate("export", "samples", "-w", filtered)
    before = listing(filtered)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    ran = curate("export", "samples", "-w", filtered, "--seed", "1", "--set", "all,test")
    assert (ran.code, "No space left on device" in ran.err) == (1, True)
    assert listing(filtered) == before
