"""`curate demo`."""

import csv
import re
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import exports

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
    assert ran.out.count("\n$ curate ") == 11
    assert "30 templates kept, 5 dropped, 1 undecided; 130 decisions added" in ran.out
    said = " ".join(ran.out.split())
    assert said.endswith(f"{folder / 'README.md'} says what this data must not be used for.")
    for name in (
        *("decisions.csv", "exports/samples/samples.csv", "exports/samples/samples.jsonl"),
        *("exports/samples/kobbq/test_samples.tsv", "exports/bank/bank.csv", "README.md"),
    ):
        assert (folder / name).is_file()


def shown(path: Path, *columns: str) -> list[tuple[str, ...]]:
    """Some columns of a table."""
    with path.open(encoding="utf-8", newline="") as stream:
        return [tuple(row[name] for name in columns) for row in csv.DictReader(stream)]


@pytest.fixture(scope="module")
def korean(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo in its first language."""
    return exports.demo(tmp_path_factory.mktemp("ko") / "demo").workspace.root


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_numbers_are_the_same_in_each_language(
    curate: Curate, korean: Path, tmp_path: Path, language: str
) -> None:
    """What depends on no text: counts, decisions, roles, samples. A release is made of each."""
    folder = tmp_path / "demo"
    made = exports.demo(folder, language)
    evidence = ("subject", "rule", "outcome", "reason", "k", "n", "margin", "ci_low", "near")
    for name, columns in (
        ("decisions.csv", evidence),
        ("responses/targets.csv", ("category", "votes", "respondents", "equal_share", "role")),
        ("exports/samples/samples.csv", ("sample_id", "context_type", "question_type")),
        ("exports/filter/templates.csv", ("template_id", "status")),
    ):
        assert shown(folder / name, *columns) == shown(korean / name, *columns), name
    assert made.workspace.culture.language == language
    samples = (folder / "exports/samples/samples.csv").read_text(encoding="utf-8")
    assert not re.search("[\uac00-\ud7a3\\[\\]]", re.sub(r"\[\"|\"\]", "", samples))
    dropped = ("occupation-009", "--drop", "--by", "Mina", "--reason", "not asked", "-w", folder)
    assert curate("override", *dropped).code == 0
    assert curate("export", "package", "-w", folder, "--only", "hub").code == 0


def test_a_language_without_a_demo_is_refused(curate: Curate, tmp_path: Path) -> None:
    """The languages that there are, and nothing is written."""
    ran = curate("demo", tmp_path / "new", "--language", "fr")
    assert (ran.code, (tmp_path / "new").exists()) == (1, False)
    assert "the demo has no texts in 'fr'" in ran.err
    assert "name one of en, es, ko" in ran.err
