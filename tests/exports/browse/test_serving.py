"""Serving the page: to this machine, and to the page alone."""

import http.client
import threading

import pytest

from exports.browse.serving import PageServer

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path):
    """A folder with a page, beside a file that is nobody's business."""
    page = tmp_path / "browse"
    (page / "data").mkdir(parents=True)
    (page / "index.html").write_text("<!doctype html>", encoding="utf-8")
    (page / "data" / "index.js").write_text("receive()", encoding="utf-8")
    (page / ".curate-lock.json").write_text("{}", encoding="utf-8")
    (page / "notes.txt").write_text("mine", encoding="utf-8")
    (tmp_path / "secret.js").write_text("secret", encoding="utf-8")
    (page / "data" / "link.js").symlink_to(tmp_path / "secret.js")
    return page


@pytest.fixture
def server(folder):
    with PageServer(folder) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.1,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join(60)


def ask(server, path, method="GET", **headers):
    """Ask for a path as it is written; gives the status and what came."""
    port = int(server.address.rstrip("/").rpartition(":")[2])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.putrequest(method, path, skip_host="Host" in headers)
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    answer = connection.getresponse()
    found = answer.status, answer.read()
    connection.close()
    return found


def test_the_page_and_its_chunks_are_sent(server):
    """At the address itself, and by their names."""
    assert server.address.startswith("http://127.0.0.1:")
    assert ask(server, "/") == (200, b"<!doctype html>")
    assert ask(server, "/index.html") == (200, b"<!doctype html>")
    assert ask(server, "/data/index.js?again=1") == (200, b"receive()")
    assert ask(server, "/data/index.js", "HEAD") == (200, b"")


NOTHING = (
    *("/data", "/data/", "/missing.js", "/../secret.js", "/%2e%2e/secret.js", "//secret.js"),
    *("/data/..%2f..%2fsecret.js", "/data\\..\\..\\secret.js", "/data/link.js"),
    *("/.curate-lock.json", "/notes.txt", "/data/index.js%00", f"/data/{'a' * 300}.js"),
)


def test_nothing_else_is_sent_and_nothing_written(server, folder):
    """No list of a folder, nothing outside of it, no hidden file, no link."""
    for path in NOTHING:
        assert ask(server, path)[0] == 404, path
    for method in ("POST", "PUT", "DELETE"):
        assert ask(server, "/index.html", method)[0] == 501
    assert (folder / "index.html").read_text("utf-8") == "<!doctype html>"


def test_another_name_of_the_host_is_refused(server):
    """A site that has its name point at this machine so reads nothing (DNS rebinding)."""
    for host in ("example.org", "127.0.0.1", "localhost", "127.0.0.1:1", ""):
        assert ask(server, "/", Host=host)[0] == 421
    port = server.address.rstrip("/").rpartition(":")[2]
    assert ask(server, "/", Host=f"localhost:{port}")[0] == 200


def test_another_site_loads_no_chunk(server):
    """A chunk is a script, which a browser would load for any site; a visit by a link is none."""
    for where, status in (("cross-site", 403), ("same-site", 403), ("same-origin", 200)):
        assert ask(server, "/data/index.js", Sec_Fetch_Site=where)[0] == status
    visit = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate"}
    assert ask(server, "/", **visit, Sec_Fetch_Dest="document")[0] == 200
    assert ask(server, "/", **visit, Sec_Fetch_Dest="iframe")[0] == 403
