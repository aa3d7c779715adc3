"""`curate doctor`: what is in order, what is not, and nothing secret."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib import metadata

import pytest

from exports import health

pytestmark = pytest.mark.slow  # Python asks the system for its name by a process
VARIABLES = (
    *("DEEPL_AUTH_KEY", "OPENAI_API_KEY", "LABEL_STUDIO_API_KEY"),
    *("LABEL_STUDIO_URL", "OPENAI_BASE_URL", "DEEPL_SERVER_URL"),
)


@pytest.fixture(autouse=True)
def _bare(monkeypatch, tmp_path):
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


class _Handler(BaseHTTPRequestHandler):
    asked: list[tuple[str, str]]
    status = 200

    def do_GET(self):
        self.asked.append((self.path, str(self.headers)))
        self.send_response(self.status)
        self.end_headers()

    def log_message(self, *_args):
        pass


@pytest.fixture
def server():
    handler = type("Handler", (_Handler,), {"asked": []})
    with HTTPServer(("127.0.0.1", 0), handler) as served:
        thread = threading.Thread(target=served.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{served.server_port}", handler
        served.shutdown()
        thread.join(60)


def _seen(curate, *args, code=0):
    ran = curate("doctor", "--json", *args)
    assert ran.code == code, ran.err
    return {item["name"]: item for item in ran.json["seen"]}


def test_a_key_is_never_shown(monkeypatch, curate):
    """Neither whole nor in part, neither right nor wrong."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-abcdefgh12345678")
    monkeypatch.setenv("DEEPL_AUTH_KEY", "wrong\nkey-in-two-lines")
    ran = curate("doctor")
    assert ran.code == 1
    assert "set; for evaluate run" in ran.out
    assert "DEEPL_AUTH_KEY holds no key" in ran.out
    for secret in ("abcdefgh", "12345678", "wrong", "two-lines"):
        assert secret not in ran.out + ran.err


def test_a_server_is_knocked_at_without_a_key(monkeypatch, curate, server):
    """Any answer will do; a password in an address is neither used nor shown."""
    address, handler = server
    monkeypatch.setenv("LABEL_STUDIO_URL", f"{address}/")
    monkeypatch.setenv("LABEL_STUDIO_API_KEY", "very-secret")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://me:hidden@127.0.0.1:9")
    seen = _seen(curate, code=1)
    assert seen["LABEL_STUDIO_URL"]["text"] == f"{address} answers with status 200"
    assert [path for path, _ in handler.asked] == ["/api/version"]
    assert "very-secret" not in handler.asked[0][1]
    assert seen["OPENAI_BASE_URL"]["state"] == "broken"
    assert "hidden" not in json.dumps(seen)


def test_packages_are_held_against_what_is_needed(monkeypatch, curate):
    """Missing, too old, of an extra."""
    versions = {"click": "8.2", "pandas": "1.0"}

    def version(name):
        try:
            return versions[name]
        except KeyError:
            raise metadata.PackageNotFoundError(name) from None

    needs = ["click>=8.1", "pandas>=2.2", "numpy", 'torch>=2.5; extra == "hf"']
    monkeypatch.setattr(health.metadata, "requires", lambda _name: needs)
    monkeypatch.setattr(health.metadata, "version", version)
    seen = _seen(curate, code=1)
    assert seen["packages"]["text"] == "pandas 1.0 (needs >=2.2); numpy is missing"
    assert seen["hf"]["state"] == "none"
    assert seen["hf"]["hint"] == "pip install 'curate-bbq[hf]'"
    versions.update(numpy="2", pandas="2.2", torch="2.4")
    seen = _seen(curate)
    assert seen["packages"]["text"] == "all 3 that are needed"
    assert seen["hf"]["text"].startswith("torch 2.4 (needs >=2.5); for models")
    versions["torch"] = "2.6"
    assert _seen(curate)["hf"]["state"] == "ok"
