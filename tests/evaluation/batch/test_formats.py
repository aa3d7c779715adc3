"""Requests as batch files say them."""

import pytest

from curation.records.errors import CurateError
from evaluation.batch.formats import Format, Order, batch_item, custom_id
from evaluation.requests import Request

USER = {"role": "user", "content": "누구인가?"}
SYSTEM = {"role": "system", "content": "Be brief."}
PARAMETERS = {"temperature": 0.0, "max_tokens": 16}


def test_openais_item_is_a_call_with_its_body():
    """As the batch API and vLLM's run-batch read it."""
    order = Order(Format.OPENAI, "gpt-x", {**PARAMETERS, "seed": 1})
    assert batch_item(order, "r1", Request("r1", (SYSTEM, USER))) == {
        "custom_id": "r1",
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": {
            "model": "gpt-x",
            "messages": [SYSTEM, USER],
            "temperature": 0.0,
            "max_tokens": 16,
            "seed": 1,
        },
    }


def test_anthropics_item_has_the_systems_words_beside_the_messages():
    """All of them, from the beginning of the messages."""
    order = Order(Format.ANTHROPIC, "claude-x", PARAMETERS)
    other = {"role": "developer", "content": "One letter."}
    assert batch_item(order, "r1", Request("r1", (SYSTEM, other, USER))) == {
        "custom_id": "r1",
        "params": {
            "model": "claude-x",
            "temperature": 0.0,
            "max_tokens": 16,
            "system": "Be brief.\n\nOne letter.",
            "messages": [USER],
        },
    }
    assert "system" not in batch_item(order, "r1", Request("r1", (USER,)))["params"]


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        ((USER, SYSTEM), "Anthropic does not accept a 'system' message at that place"),
        (
            ({"role": "tool", "content": "x"},),
            "Anthropic does not accept a 'tool' message at that place",
        ),
        ((SYSTEM,), "there is no message besides the system's"),
    ],
)
def test_what_anthropic_cannot_be_told_is_refused(messages, said):
    """Not put elsewhere."""
    order = Order(Format.ANTHROPIC, "claude-x", PARAMETERS)
    with pytest.raises(ValueError, match=said):
        batch_item(order, "r1", Request("r1", messages))


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({}, "Anthropic needs the maximum number of tokens of a reply"),
        ({"max_tokens": 4, "seed": 1}, "'seed' cannot be asked for: Anthropic's protocol has none"),
        ({"max_tokens": 4, "stop": ["."]}, "'stop' cannot be asked for"),
    ],
)
def test_parameters_that_anthropic_does_not_take_are_refused(parameters, said):
    """Before anything is written; OpenAI takes them."""
    with pytest.raises(CurateError, match=said):
        Order(Format.ANTHROPIC, "claude-x", parameters)
    assert Order(Format.OPENAI, "gpt-x", parameters).parameters == parameters


def test_a_custom_id_is_the_requests_own_where_the_provider_takes_it():
    """Else a hash, always the same, of which no two are alike."""
    plain = "age-001a-002-amb-bsd-0-p1"
    odd = ["나이-001a", "a b", "x" * 65, "race/nation-001", "r.1", ""]
    for name in (plain, "x" * 64, *odd):
        assert custom_id(Format.OPENAI, name) == name
    assert custom_id(Format.ANTHROPIC, plain) == plain
    assert custom_id(Format.ANTHROPIC, "x" * 64) == "x" * 64
    hashed = [custom_id(Format.ANTHROPIC, name) for name in odd]
    assert hashed == [custom_id(Format.ANTHROPIC, name) for name in odd]
    assert len(set(hashed)) == len(odd)
    assert all(len(name) == 42 and name.startswith("h-") for name in hashed)
