"""Starting a server: what can be said without one."""

import shutil
import socket
import stat
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from curation.annotation.labelstudio.serve import (
    BIN_VARIABLE,
    _offer_names,
    find_program,
    free_port,
    start,
)
from curation.cli.labelstudio import serve
from curation.records.messages import CurateError

pytestmark = pytest.mark.slow


def test_a_missing_program_is_said_with_the_command_that_installs_it(monkeypatch, tmp_path):
    """Whether it is looked for on the path or named."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(BIN_VARIABLE, raising=False)
    for named in ("", str(tmp_path / "gone")):
        monkeypatch.setenv(BIN_VARIABLE, named)
        with pytest.raises(CurateError) as caught:
            find_program()
        assert "pip install label-studio==" in caught.value.hint


def test_a_port_that_is_taken_is_refused():
    """The server would take another one silently."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(CurateError, match=f"port {port}"):
            free_port(port)
    assert 8080 <= free_port(None) < 8180


def program(folder, script):
    path = folder / "label-studio"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_it_is_started_quietly_and_for_this_machine_alone(tmp_path):
    """The host is given, and the four variables."""
    shown = 'echo "$@"; env | grep LABEL_STUDIO_ | sort'
    running = start(program(tmp_path, shown), 9999, tmp_path / "data")
    assert running.process.wait(60) == 0
    log = running.log.read_text()
    assert "start --no-browser --internal-host 127.0.0.1 --port 9999 --data-dir" in log
    for line in (
        "LABEL_STUDIO_COLLECT_ANALYTICS=false\n",
        "LABEL_STUDIO_LATEST_VERSION_CHECK=false\n",
        "LABEL_STUDIO_SENTRY_DSN=\n",
        "LABEL_STUDIO_FRONTEND_SENTRY_DSN=\n",
    ):
        assert line in log


def test_all_that_it_started_is_ended(tmp_path):
    """Its children too."""
    running = start(program(tmp_path, "sleep 60 & sleep 60"), 9999, tmp_path / "data")
    running.stop()
    assert running.process.returncode is not None
    running.stop()


class Anybody:
    """Lets everybody in, and gives their name as the cookie."""

    def log_in(self, name):
        return httpx.Cookies({"sessionid": name[0]}).jar


def test_a_name_is_all_that_an_annotator_needs():
    """It is a link, which logs in and leads to the tasks of this person alone."""
    people = {"Mina": 3, "Jun <b>": 4}
    page = _offer_names(Anybody(), "http://127.0.0.1:1", "A & B", people)
    with httpx.Client(base_url=page, trust_env=False) as browser:
        shown = browser.get("/").text
        assert "<h1>A &amp; B</h1>" in shown
        assert '<a href="/Mina">Mina</a>' in shown and '/Jun%20%3Cb%3E">Jun &lt;b&gt;</a>' in shown
        there = browser.get("/Jun%20%3Cb%3E")
        assert (there.status_code, there.cookies["sessionid"]) == (302, "J")
        assert there.headers["Location"] == "http://127.0.0.1:1/projects/4/data?labeling=1"
        assert [browser.get(path).status_code for path in ("/x", "/Mina/")] == [404] * 2
        foreign = {"Host": "example.org"}, {"Sec-Fetch-Site": "cross-site"}
        assert [browser.get("/Mina", headers=one).status_code for one in foreign] == [421, 403]


def test_without_label_studio_there_are_workbooks(monkeypatch, tmp_path):
    """Of each annotator one; where a kind has none, that is said."""
    shutil.copytree(Path(__file__).parents[3] / "templates_src" / "demo", tmp_path / "w")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(BIN_VARIABLE, raising=False)

    def served(*words):
        return CliRunner().invoke(serve, ["-w", str(tmp_path / "w"), *words])

    for kind, role in (("classify", "classify"), ("translate", "translate")):
        said = served(kind, "--annotator", "Mina", "--annotator", "Jun")
        assert said.exit_code == 0, said.output
        made = tmp_path / "w" / "annotations" / "sheets"
        for name in ("Mina", "Jun"):
            assert f"{role}-{name}.xlsx" in said.output
            assert (made / f"{role}-{name}.xlsx").exists()
    assert "is not installed" in str(served("consensus", "--annotator", "Mina").exception)
    assert served("--annotator", "Mina").exit_code == served("classify").exit_code == 2
