"""`curate doctor`: what is in order, what is not, and nothing secret."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from exports import health

pytestmark = pytest.mark.slow  # Python asks the system for its name by a process
Curate = Callable[..., Any]
VARIABLES = (
    *("DEEPL_AUTH_KEY", "OPENAI_API_KEY", "LABEL_STUDIO_API_KEY"),
    *("LABEL_STUDIO_URL", "OPENAI_BASE_URL", "DEEPL_SERVER_URL"),
)


@pytest.fixture(autouse=True)
def _bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


class _Handler(BaseHTTPRequestHandler):
    asked: list[tuple[str, str]]
    status = 200

    def do_GET(self) -> None:
        self.asked.append((self.path, str(self.headers)))
        self.send_response(self.status)
        self.end_headers()
        self.wfile.write(b'{"release": "1.23.2"}')

    def log_message(self, *_args: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[tuple[str, type[_Handler]]]:
    """Run a server that tells what it was asked."""
    handler = type("Handler", (_Handler,), {"asked": []})
    with HTTPServer(("127.0.0.1", 0), handler) as served:
        thread = threading.Thread(target=served.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{served.server_port}", handler
        served.shutdown()
        thread.join()


def _is_installed() -> bool:
    try:
        metadata.version("curate-bbq")
    except metadata.PackageNotFoundError:
        return False
    return True


def _seen(curate: Curate, *args: str, code: int = 0) -> dict[str, dict[str, str]]:
    ran = curate("doctor", "--json", *args)
    assert ran.code == code, ran.err
    return {item["name"]: item for item in ran.json["seen"]}


def test_nothing_set_and_no_workspace_is_in_order(curate: Curate) -> None:
    """A missing optional part is no fault."""
    seen = _seen(curate)
    assert seen["Python"]["state"] == "ok"
    installed = "ok" if _is_installed() else "warning"
    assert seen["packages"]["state"] == installed
    assert {seen[name]["state"] for name in VARIABLES} == {"none"}
    assert seen["culture.yaml"]["state"] == "none"
    assert "curate init" in seen["culture.yaml"]["hint"]


def test_a_workspace_in_order_is_counted(curate: Curate, demo: Path) -> None:
    """Templates, findings and decisions."""
    seen = _seen(curate, "-w", str(demo))
    assert seen["culture.yaml"]["text"] == "Marevia, en to ko, version 1.0"
    assert seen["bank and groups"]["text"] == "40 templates: 0 errors, 0 warnings, 0 info"
    assert seen["decisions"]["state"] == "none"
    assert seen["disk"]["state"] == "ok"


def test_a_broken_workspace_is_broken(curate: Curate, demo: Path) -> None:
    """The exit status tells a script, and the error says where."""
    (demo / "decisions.csv").write_text("subject,stage\nx\n", "utf-8")
    seen = _seen(curate, "-w", str(demo), code=1)
    assert seen["decisions"]["state"] == "broken"
    (demo / "culture.yaml").write_text("culture: [", "utf-8")
    seen = _seen(curate, "-w", str(demo), code=1)
    assert seen["culture.yaml"]["state"] == "broken"
    assert "bank and groups" not in seen


def test_findings_break_a_workspace(curate: Curate, demo: Path) -> None:
    """Errors of the check, as 'curate check' counts them."""
    bank = demo / "templates_src" / "bank.csv"
    bank.write_text(bank.read_text("utf-8").replace("[N1]", "[N1", 1), "utf-8")
    seen = _seen(curate, "-w", str(demo), code=1)
    assert seen["bank and groups"]["state"] == "broken"
    assert "1 error" in seen["bank and groups"]["text"]


def test_little_room_is_said(monkeypatch: pytest.MonkeyPatch, curate: Curate, demo: Path) -> None:
    """A full disk loses replies."""
    monkeypatch.setattr(health.shutil, "disk_usage", lambda _path: _Usage())
    disk = _seen(curate, "-w", str(demo))["disk"]
    assert (disk["state"], disk["text"]) == ("warning", "0.5 GiB free")


class _Usage:
    free = 1 << 29


def test_a_key_is_never_shown(monkeypatch: pytest.MonkeyPatch, curate: Curate) -> None:
    """Neither whole nor in part, neither right nor wrong."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-abcdefgh12345678")
    monkeypatch.setenv("DEEPL_AUTH_KEY", "wrong\nkey-in-two-lines")
    ran = curate("doctor")
    assert ran.code == 1
    assert "set; for evaluate run" in ran.out
    assert "it holds characters that a key cannot have" in ran.out
    for secret in ("abcdefgh", "12345678", "wrong", "two-lines"):
        assert secret not in ran.out + ran.err


def test_a_server_is_knocked_at_without_a_key(
    monkeypatch: pytest.MonkeyPatch, curate: Curate, server: tuple[str, type[_Handler]]
) -> None:
    """Any answer will do; a password in an address is neither used nor shown."""
    address, handler = server
    monkeypatch.setenv("LABEL_STUDIO_URL", f"{address}/")
    monkeypatch.setenv("LABEL_STUDIO_API_KEY", "very-secret")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://me:hidden@127.0.0.1:9")
    seen = _seen(curate, code=1)
    assert seen["LABEL_STUDIO_URL"]["text"] == f"{address} answers, release 1.23.2"
    assert [path for path, _ in handler.asked] == ["/api/version"]
    assert "very-secret" not in handler.asked[0][1]
    assert seen["OPENAI_BASE_URL"]["state"] == "broken"
    assert "hidden" not in json.dumps(seen)


@pytest.mark.parametrize(
    ("status", "state"), [(401, "ok"), (404, "ok"), (500, "broken"), (503, "broken")]
)
def test_a_refusal_is_an_answer(
    monkeypatch: pytest.MonkeyPatch,
    curate: Curate,
    server: tuple[str, type[_Handler]],
    status: int,
    state: str,
) -> None:
    """A server that wants a key is there; one that fails is not."""
    address, handler = server
    handler.status = status
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    seen = _seen(curate, code=int(state == "broken"))
    assert seen["OPENAI_BASE_URL"]["state"] == state


def test_offline_asks_nobody(
    monkeypatch: pytest.MonkeyPatch, curate: Curate, server: tuple[str, type[_Handler]]
) -> None:
    """The address is only looked at."""
    address, handler = server
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    assert _seen(curate, "--offline")["OPENAI_BASE_URL"]["text"] == f"{address}, not asked"
    assert handler.asked == []


def test_nobody_there_is_broken(monkeypatch: pytest.MonkeyPatch, curate: Curate) -> None:
    """With what to do."""
    monkeypatch.setenv("DEEPL_SERVER_URL", "http://127.0.0.1:9")
    seen = _seen(curate, code=1)["DEEPL_SERVER_URL"]
    assert "does not answer" in seen["text"]
    assert seen["hint"]


def test_packages_are_held_against_what_is_needed(
    monkeypatch: pytest.MonkeyPatch, curate: Curate
) -> None:
    """Missing, too old, of an extra."""
    versions = {"click": "8.2", "pandas": "1.0"}

    def version(name: str) -> str:
        try:
            return versions[name]
        except KeyError:
            raise metadata.PackageNotFoundError(name) from None

    needs = ["click>=8.1", "pandas>=2.2", "numpy", 'torch>=2.5; extra == "hf"']
    monkeypatch.setattr(health.metadata, "requires", lambda _name: needs)
    monkeypatch.setattr(health.metadata, "version", version)
    seen = _seen(curate, code=1)
    assert seen["packages"]["text"] == "numpy is missing; pandas 1.0 (needs >=2.2)"
    assert seen["hf"]["state"] == "none"
    assert "pip install 'curate-bbq[hf]'" in seen["hf"]["text"]
    versions.update(numpy="2", pandas="2.2", torch="2.4")
    seen = _seen(curate, code=1)
    assert seen["packages"]["text"] == "all 3 that are needed"
    assert seen["hf"]["text"] == "torch 2.4 (needs >=2.5)"
    versions["torch"] = "2.6"
    assert _seen(curate)["hf"]["text"] == "torch 2.6"
