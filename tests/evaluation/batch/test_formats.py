"""Requests as batch files say them."""

import pytest

from curation.records.errors import CurateError
from evaluation.batch.formats import Format, Order, batch_item, custom_id
from evaluation.requests import Request

USER = {"role": "user", "content": "누구인가?"}
SYSTEM = {"role": "system", "content": "Be brief."}
PARAMETERS = {"temperature": 0.0, "max_tokens": 16}


def test_items_are_as_the_providers_read_them():
    """OpenAI's and vLLM's are calls; Anthropic's have the system's words beside the messages."""
    order = Order(Format.OPENAI, "gpt-x", {**PARAMETERS, "seed": 1})
    assert batch_item(order, "r1", Request("r1", (SYSTEM, USER))) == {
        "custom_id": "r1",
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": {"model": "gpt-x", "messages": [SYSTEM, USER], **PARAMETERS, "seed": 1},
    }
    order = Order(Format.ANTHROPIC, "claude-x", PARAMETERS)
    other = {"role": "developer", "content": "One letter."}
    said = {"model": "claude-x", **PARAMETERS, "messages": [USER]}
    assert batch_item(order, "r1", Request("r1", (SYSTEM, other, USER))) == {
        "custom_id": "r1",
        "params": {**said, "system": "Be brief.\n\nOne letter."},
    }
    assert batch_item(order, "r1", Request("r1", (USER,)))["params"] == said


def test_what_anthropic_cannot_be_told_is_refused():
    """Messages at a place where it has none, and parameters, which OpenAI takes."""
    order = Order(Format.ANTHROPIC, "claude-x", PARAMETERS)
    for messages in ((USER, SYSTEM), ({"role": "tool", "content": "x"},), (SYSTEM,)):
        with pytest.raises(ValueError, match=r"Anthropic|besides the system's"):
            batch_item(order, "r1", Request("r1", messages))
    for parameters in ({}, {"max_tokens": 4, "seed": 1}, {"max_tokens": 4, "stop": ["."]}):
        with pytest.raises(CurateError):
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
