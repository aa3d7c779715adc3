"""`curate demo`."""

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow


Curate = Callable[..., Any]


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every attempt to reach the network fail the test."""

    def refuse(*args: object, **_: object) -> None:
        pytest.fail(f"the network was used: {args}")

    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.mark.usefixtures("offline")
def test_the_whole_way_runs_offline(curate: Curate, tmp_path: Path) -> None:
    """Every step shows its command, and the benchmark and the ledger are there at the end."""
    folder = tmp_path / "new"
    ran = curate("demo", folder)
    assert ran.code == 0
    assert ran.out.count("\n$ curate ") == 9
    assert "30 templates kept, 5 dropped, 1 undecided; 130 decisions added" in ran.out
    said = " ".join(ran.out.split())
    assert said.endswith(f"{folder / 'README.md'} says what this data must not be used for.")
    for name in (
        *("decisions.csv", "exports/samples/samples.csv", "exports/samples/samples.jsonl"),
        *("exports/samples/kobbq/test_samples.tsv", "exports/bank/bank.csv", "README.md"),
    ):
        assert (folder / name).is_file()
