"""`curate browse`."""

import webbrowser
from pathlib import Path

import pytest

from exports.browse.serving import PageServer
from tests.cli.conftest import Curate


def test_browse_says_what_it_wrote_and_what_to_open(curate: Curate, filtered: Path) -> None:
    """The number of templates and samples, the size, and the file."""
    ran = curate("browse", "-w", filtered)
    folder = filtered / "exports" / "browse"
    assert (ran.code, ran.err) == (0, "")
    first, second = ran.out.splitlines()
    assert first == f"Wrote 40 templates and 2,112 samples to {folder} (0.1 MB)."
    assert second == f"Open {folder / 'index.html'} in a browser; it works offline."
    assert (folder / "index.html").is_file()


def test_browse_as_json(curate: Curate, filtered: Path, tmp_path: Path) -> None:
    """One object: folder, page, counts and findings."""
    found = curate("browse", "-w", filtered, "--out", tmp_path / "page", "--json").json
    assert found["folder"] == str(tmp_path / "page")
    assert found["page"] == str(tmp_path / "page" / "index.html")
    assert found["findings"] == []
    assert {name: found["counts"][name] for name in ("templates", "kept", "samples")} == {
        "templates": 40,
        "kept": 30,
        "samples": 2112,
    }


def test_browse_without_a_decision(curate: Curate, demo: Path) -> None:
    """A workspace before its survey has a page too."""
    found = curate("browse", "-w", demo, "--json").json
    assert found["counts"]["undecided"] + found["counts"]["excluded"] == 40
    assert found["counts"]["kept"] == 0


def test_browse_where_there_is_no_workspace(curate: Curate, tmp_path: Path) -> None:
    """It is refused as by every command."""
    ran = curate("browse", "-w", tmp_path / "none")
    assert ran.code == 1
    assert "culture.yaml" in ran.err


def test_browse_opens_the_page(
    curate: Curate, filtered: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its address on disk; where there is no browser it says what to open."""
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda address: opened.append(address) or False)
    ran = curate("browse", "-w", filtered, "--open")
    address = (filtered / "exports" / "browse" / "index.html").resolve().as_uri()
    assert opened == [address]
    assert ran.code == 0
    assert "no browser could be started" in " ".join(ran.err.split())


def test_browse_serves_until_it_is_interrupted(
    curate: Curate, filtered: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C ends it, and that is no error."""

    def interrupted(_server: PageServer) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(PageServer, "serve", interrupted)
    ran = curate("browse", "-w", filtered, "--serve")
    assert ran.code == 0
    assert "The page is at http://127.0.0.1:" in ran.out
    assert ran.out.splitlines()[-1] == "Ctrl-C stops the server."
    assert ran.err == "\nEnded.\n"
    found = curate("browse", "-w", filtered, "--serve", "--json").json
    assert found["address"].startswith("http://127.0.0.1:")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--port", "8000"), "--port belongs to --serve"),
        (("--serve", "--port", "70000"), "70000 is not in the range 0<=x<=65535"),
        (("collct",), "No such command 'collct'. Did you mean 'collect'?"),
        (("--out", "here", "collect"), "write --out after 'collect'"),
    ],
)
def test_wrong_usage_is_said(curate: Curate, options: tuple[str, ...], said: str) -> None:
    """Nothing that a user wrote counts for nothing."""
    ran = curate("browse", *options)
    assert ran.code == 2
    assert said in ran.err
