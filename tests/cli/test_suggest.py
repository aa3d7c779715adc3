"""`curate classify suggest`: suggested labels, by rules and by a model on this machine."""

from collections.abc import Callable
from typing import Any

import pytest
from csv_rows import edit_rows

from curation.annotation.suggestions import read_suggestions
from curation.files.workspace import Workspace
from tests.annotation.engines import loopback_openai
from tests.annotation.engines.conftest import served

Server = Callable[..., Any]
ONE, TWO = "craft-001", "craft-002"


@pytest.fixture
def bank(workspace):
    """A workspace with two templates of a source, and groups that people have worked on."""

    def as_of_a_source(row):
        target = "Bakers" if row["template_id"] == ONE else '["Bakers", "Weavers"]'
        named = {"source": "demo", "source_id": row["template_id"]}
        return {"label": "", "target_groups": target, **named}

    edit_rows(workspace / "templates_src" / "bank.csv", as_of_a_source)
    return workspace


@pytest.fixture
def model_server(monkeypatch):
    """Start a server; the environment names its key alone."""
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with served(monkeypatch, loopback_openai, "OPENAI_API_KEY") as start:
        yield start


def rows(folder):
    found = read_suggestions(Workspace(folder)).values()
    return [(item.template_id, item.label.value, item.engine) for item in found]


def asked_of(server):
    texts = [body["messages"][0]["content"] for body in server.bodies]
    return [ONE if "They hum" in text else TWO for text in texts]


def answer(question):
    return "TM\nOf weavers." if "They hum" in question else "Who can tell?"


@pytest.mark.slow
def test_a_model_is_asked_once(curate, bank, model_server, monkeypatch):
    """A reply that names no label gives no suggestion, is counted, and is not paid for again."""
    server = model_server(answer=answer)
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    culture = bank / "culture.yaml"
    settings = culture.read_text(encoding="utf-8")
    culture.write_text(f"{settings}translation: {{model: small, price: 2000}}\n", encoding="utf-8")
    model = ("-w", bank, "--engine", "openai")
    ran = curate("classify", "suggest", *model, "--estimate", "--json")
    characters = ran.json["characters"]
    assert (ran.json["to_send"], ran.json["known"], server.bodies) == (2, 0, [])
    assert ran.json["price"] == pytest.approx(characters * 2000 / 1_000_000)
    ran = curate("classify", "suggest", *model, "--json")
    assert ran.code == 0
    assert (
        f" 2 questions, {characters:,} characters, {ran.json['characters'] / 500:.2f}." in ran.err
    )
    assert sorted(asked_of(server)) == [ONE, TWO]
    assert {body["model"] for body in server.bodies} == {"small"}
    found = {name: ran.json[name] for name in ("known", "requests", "unreadable", "characters")}
    assert found == {"known": 0, "requests": 2, "unreadable": 1, "characters": characters}
    assert ran.json["without"] == [{"template_id": TWO, "why": "the model's reply names no label"}]
    assert rows(bank) == [(ONE, "TM", "openai:small")]
    ran = curate("classify", "suggest", *model, "--json")
    assert (ran.json["known"], ran.json["requests"], ran.json["unreadable"]) == (2, 0, 1)
    assert len(server.bodies) == 2
    culture.write_text(f"{settings}translation: {{model: large}}\n", encoding="utf-8")
    other = curate("classify", "suggest", *model, "--json")
    assert (other.json["known"], len(server.bodies)) == (0, 4)
