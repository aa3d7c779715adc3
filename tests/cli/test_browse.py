"""`curate browse`."""

import webbrowser

from exports.browse.serving import PageServer


def test_browse_opens_the_page(curate, filtered, monkeypatch):
    """By its address on disk; where there is no browser it says what to open."""
    opened = []
    monkeypatch.setattr(webbrowser, "open", lambda address: opened.append(address) or False)
    ran = curate("browse", "-w", filtered, "--open")
    address = (filtered / "exports" / "browse" / "index.html").resolve().as_uri()
    assert opened == [address]
    assert ran.code == 0
    assert "no browser could be started" in " ".join(ran.err.split())


def test_browse_serves_until_it_is_interrupted(curate, filtered, monkeypatch):
    """Ctrl-C ends it, and that is no error."""

    def interrupted(_server, poll_interval):
        raise KeyboardInterrupt

    monkeypatch.setattr(PageServer, "serve_forever", interrupted)
    ran = curate("browse", "-w", filtered, "--serve")
    assert ran.code == 0
    assert "The page is at http://127.0.0.1:" in ran.out
    assert ran.out.splitlines()[-1] == "Ctrl-C stops the server."
    assert ran.err == "\nEnded.\n"
    found = curate("browse", "-w", filtered, "--serve", "--json").json
    assert found["address"].startswith("http://127.0.0.1:")
