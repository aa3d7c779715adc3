"""The index of requests."""

import json

import pytest

from curation.records.messages import CurateError
from evaluation.requests import Request, Shard
from evaluation.runner.index import Asking, index_requests, reply_key, token_estimate


def line(request_id, text):
    messages = [{"role": "user", "content": text}]
    return json.dumps({"request_id": request_id, "messages": messages, "choices": ["a", "b"]})


def test_requests_are_found_by_place_and_by_id(tmp_path):
    """Whatever lines stand between them, and in whatever order they are asked for."""
    path = tmp_path / "requests.jsonl"
    names = [f"r{at}" for at in range(200)]
    path.write_text("\n\n".join(line(name, f"질문 {name}") for name in names), encoding="utf-8")
    with index_requests(path, Asking("m", {"temperature": 0})) as index:
        assert len(index) == 200
        assert index.find(["r199", "x", "r0", "r57"]) == [199, None, 0, 57]
        messages = ({"role": "user", "content": "질문 r57"},)
        assert index.request(57) == Request("r57", messages, ("a", "b"))
        assert index.request(3).request_id == "r3"
        assert index.key(57) == reply_key({"model": "m", "temperature": 0, "messages": messages})


def test_of_requests_that_are_drawn_none_has_the_key_of_another(tmp_path):
    """Their ids are part of it; else those that say the same share one. Parts have the same."""
    path = tmp_path / "requests.jsonl"
    names = [f"가{at}" for at in range(60)]
    path.write_text("\n".join(line(name, f"q{int(name[1:]) % 20}") for name in names), "utf-8")
    keys = {}
    for number in (1, 2, 3):
        part = Shard(number, 3)
        with index_requests(path, Asking("m", {"temperature": 1}), part) as index:
            keys |= {index.request(at).request_id: index.key(at) for at in range(len(index))}
            assert not any(index.repeats())
    assert len(set(keys.values())) == len(keys) == 60
    messages = [{"role": "user", "content": "q5"}]
    assert keys["가25"] == reply_key({"model": "m", "temperature": 1, "messages": messages}, "가25")
    with index_requests(path, Asking("m", {"temperature": 0})) as index:
        assert index.repeats() == bytes([0] * 20 + [1] * 40)


@pytest.mark.parametrize(
    ("text", "what", "where"),
    [
        ("{", "the line is not JSON in UTF-8", "line 2"),
        ("[]", "the line is not a JSON object", "line 2"),
        ('{"request_id": "b"}', "it has no 'messages'", "line 2"),
        (line("", "x"), "it has no text 'request_id'", "line 2"),
        (line("b", "\ud800"), "the request 'b' cannot be sent", "line 2"),
        (line("a", "other"), "the request 'a' occurs twice", "lines 1 and 2"),
    ],
)
def test_a_bad_line_is_refused_before_anything_is_asked(tmp_path, text, what, where):
    path = tmp_path / "requests.jsonl"
    path.write_text(f"{line('a', 'x')}\n{text}\n", encoding="utf-8")
    with pytest.raises(CurateError) as refused:
        index_requests(path, Asking("m", {}))
    assert what in refused.value.what
    assert refused.value.where == f"{path}, {where}"


def test_tokens_are_guessed_by_script():
    """Four characters of ASCII, one and a half others, to a token; rounded up."""
    texts = ({"role": "system", "content": "x" * 40}, {"role": "user", "content": "가" * 30})
    assert token_estimate(texts) == 10 + 20 + 1
    assert token_estimate([{"role": "user", "content": ""}]) == 1
