"""`curate demo`."""

import re
import socket

import pytest
from csv_rows import read_rows
from doc_pages import finished_demo

import exports
from curation.files.workspace import Workspace

pytestmark = pytest.mark.slow


@pytest.fixture
def offline(monkeypatch):
    """Let every attempt to reach the network fail the test."""

    def refuse(*args, **_):
        pytest.fail(f"the network was used: {args}")

    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)


def shown(path, *columns):
    return [tuple(row[name] for name in columns) for row in read_rows(path)]


@pytest.mark.usefixtures("offline")
@pytest.mark.parametrize("language", ["en", pytest.param("es", marks=pytest.mark.nightly)])
def test_the_numbers_are_the_same_in_each_language(curate, warm, tmp_path, language):
    """What depends on no text: counts, decisions, roles, samples. A release is made of each."""
    korean, folder = finished_demo(warm), tmp_path / "demo"
    exports.demo(folder, language)
    evidence = ("subject", "rule", "outcome", "reason", "k", "n", "margin", "ci_low", "near")
    for name, columns in (
        ("decisions.csv", evidence),
        ("responses/targets.csv", ("category", "votes", "respondents", "equal_share", "role")),
        ("exports/samples/samples.csv", ("sample_id", "context_type", "question_type")),
        ("exports/filter/templates.csv", ("template_id", "status")),
    ):
        assert shown(folder / name, *columns) == shown(korean / name, *columns), name
    assert Workspace(folder).culture.language == language
    samples = (folder / "exports/samples/samples.csv").read_text(encoding="utf-8")
    assert not re.search("[\uac00-\ud7a3\\[\\]]", re.sub(r"\[\"|\"\]", "", samples))
    dropped = ("occupation-009", "--drop", "--by", "Mina", "--reason", "not asked", "-w", folder)
    assert curate("override", *dropped).code == 0
    assert curate("export", "package", "-w", folder, "--only", "hub").code == 0


@pytest.mark.nightly
@pytest.mark.usefixtures("offline")
def test_no_step_of_the_command_reaches_the_network(curate, tmp_path):
    """Reports, pages and models that answer by chance among them."""
    assert curate("demo", tmp_path / "demo", "--language", "en").code == 0
