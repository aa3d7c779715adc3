"""Starting a server: what can be said without one."""

import socket
import stat
from pathlib import Path

import pytest

from curation.annotation.labelstudio.serve import BIN_VARIABLE, find_program, free_port, start
from curation.records.messages import CurateError

pytestmark = pytest.mark.slow


def test_a_missing_program_is_said_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whether it is looked for on the path or named."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(BIN_VARIABLE, raising=False)
    for named in ("", str(tmp_path / "gone")):
        monkeypatch.setenv(BIN_VARIABLE, named)
        with pytest.raises(CurateError) as caught:
            find_program()
        assert "pip install label-studio==" in caught.value.hint


def test_a_port_that_is_taken_is_refused() -> None:
    """The server would take another one silently."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(CurateError, match=f"port {port}"):
            free_port(port)
    assert 8080 <= free_port(None) < 8180


def program(folder: Path, script: str) -> Path:
    """Write a program."""
    path = folder / "label-studio"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_it_is_started_quietly_and_for_this_machine_alone(tmp_path: Path) -> None:
    """The host is given, and the four variables."""
    shown = 'echo "$@"; env | grep LABEL_STUDIO_ | sort'
    running = start(program(tmp_path, shown), 9999, tmp_path / "data")
    assert running.wait() == 0
    log = running.log.read_text()
    assert "start --no-browser --internal-host 127.0.0.1 --port 9999 --data-dir" in log
    for line in (
        "LABEL_STUDIO_COLLECT_ANALYTICS=false\n",
        "LABEL_STUDIO_LATEST_VERSION_CHECK=false\n",
        "LABEL_STUDIO_SENTRY_DSN=\n",
        "LABEL_STUDIO_FRONTEND_SENTRY_DSN=\n",
    ):
        assert line in log


def test_all_that_it_started_is_ended(tmp_path: Path) -> None:
    """Its children too."""
    running = start(program(tmp_path, "sleep 60 & sleep 60"), 9999, tmp_path / "data")
    running.stop()
    assert running.process.returncode is not None
    running.stop()
