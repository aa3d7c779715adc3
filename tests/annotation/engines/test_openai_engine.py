"""A model behind OpenAI's protocol, against a server on this machine."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from curation.annotation.engines.engine import EngineFault, FaultKind, Memory, TextToSend, send
from curation.annotation.engines.openai_engine import OpenaiService
from curation.records.culture import TranslationSettings
from curation.records.messages import CurateError
from tests.annotation.engines import loopback_openai as loopback
from tests.annotation.engines.conftest import served

Server = Callable[..., Any]


@pytest.fixture
def model_server(monkeypatch):
    """Start a server; the environment names it and its key."""
    with served(monkeypatch, loopback, "OPENAI_API_KEY", "OPENAI_BASE_URL") as start:
        yield start


def service(**settings):
    made = TranslationSettings.model_validate({"model": "small", **settings})
    return OpenaiService(made, "en", "ko")


def test_a_model_has_to_be_named():
    """There is no default: what is good today is gone tomorrow."""
    with pytest.raises(CurateError, match="no model is named"):
        OpenaiService(TranslationSettings(), "en", "ko")


def test_the_prompt_holds_all_that_is_wished_for():
    """Register, instructions and glossary; they are part of the question."""
    settings = TranslationSettings(
        model="small", formality="more", instructions=("Write plainly.",)
    )
    engine = OpenaiService(settings, "en", "ko", (("potter", "옹기장이"),))
    for part in (
        "from English (en) to Korean (ko)",
        "formal register",
        "Write plainly.",
        "potter = 옹기장이",
    ):
        assert part in engine.prompt(["the potter"])
    assert "옹기장이" not in engine.prompt(["the baker"])
    assert engine.signature("potter") != engine.signature("baker")


@pytest.mark.slow
def test_every_failure_is_told_apart(model_server):
    """By whether the request may be sent again; a quota that is used up has a code of its own."""
    for fault, kind, *code in [
        (401, FaultKind.STOP),
        (404, FaultKind.STOP),
        (413, FaultKind.TOO_LARGE),
        (429, FaultKind.BUSY),
        (429, FaultKind.STOP, "insufficient_quota"),
        (503, FaultKind.BUSY),
        (504, FaultKind.UNANSWERED),
        ("drop", FaultKind.UNANSWERED),
        ("I cannot help with that.", FaultKind.TOO_LARGE),
        ('{"translations": ["one", "too many"]}', FaultKind.TOO_LARGE),
        ('{"translations": [1]}', FaultKind.TOO_LARGE),
    ]:
        server = model_server(faults={1: fault}, code="".join(code))
        client = service()
        with pytest.raises(EngineFault) as caught:
            client.translate(["text"], "")
        client.close()
        assert caught.value.kind is kind
        assert len(server.bodies) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("said", "asked", "billed"),
    [
        ({1: '{"translations": []}'}, ["0123", "01", "23"], 48),
        ({1: "I cannot.", 2: '{"translations": ["one"]}'}, ["0123", "01", "23", "0", "1"], 60),
        ({1: '{"translations": ["a", null, "c", ""]}'}, ["0123", "1", "3"], 36),
    ],
)
def test_only_what_an_answer_lacks_is_asked_for_again(model_server, tmp_path, said, asked, billed):
    """In parts where it may be any; what a useless answer cost is counted."""
    server = model_server(faults=said)
    items = [TextToSend(f"text {at}", "", 6) for at in range(4)]
    with Memory(tmp_path / "memory.sqlite") as memory:
        outcome = send(items, service(), memory, 1)
        assert (memory.billed("openai"), memory.unanswered()) == (billed, (0, 0))
    assert (outcome.stopped, outcome.unanswered, outcome.refused) == (None, [], [])
    assert (outcome.answered, outcome.billed) == (4, billed)
    sent = [json.loads(body["messages"][1]["content"])["texts"] for body in server.bodies]
    assert ["".join(text[-1] for text in texts) for texts in sent] == asked
    assert {body["temperature"] for body in server.bodies} == {0}


@pytest.mark.slow
def test_a_text_that_a_model_never_translates_is_left_to_people(model_server, tmp_path):
    """The others are asked for, and it is said that it was paid for."""
    server = model_server(faults={1: "No.", 3: "No."})
    items = [TextToSend(f"text {at}", "", 6) for at in range(2)]
    with Memory(tmp_path / "memory.sqlite") as memory:
        outcome = send(items, service(), memory, 1)
        assert memory.unanswered() == (1, 6)
    assert (outcome.answered, outcome.refused, len(server.bodies)) == (1, ["text 1"], 3)


@pytest.mark.slow
def test_a_model_that_takes_no_temperature_is_asked_without_one(model_server, tmp_path):
    """Nothing was read or billed when the first request was refused."""
    server = model_server(faults={1: "no temperature"})
    with Memory(tmp_path / "memory.sqlite") as memory:
        outcome = send([TextToSend("text", "", 4)], service(), memory, 1)
        assert (outcome.answered, memory.billed("openai"), memory.unanswered()) == (1, 4, (0, 0))
    assert [body.get("temperature") for body in server.bodies] == [0, None]


@pytest.mark.slow
def test_a_server_of_ones_own_may_want_no_key(model_server, monkeypatch):
    """Without an address there has to be one."""
    model_server()
    monkeypatch.setenv("OPENAI_API_KEY", " ")
    service().prepare()
    monkeypatch.setenv("OPENAI_BASE_URL", "http://me:pw@127.0.0.1:9")
    with pytest.raises(CurateError, match="an address must hold no name"):
        service().prepare()  # before a text is noted as sent, which may have been billed
    monkeypatch.delenv("OPENAI_BASE_URL")
    with pytest.raises(CurateError, match="OPENAI_API_KEY is not set"):
        service().prepare()
