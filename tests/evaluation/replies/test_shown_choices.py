"""Which choices each request showed."""

import json

import pytest

from curation.records.messages import CurateError
from evaluation.replies.rows import load_asked

CHOICES = ["the potter", "the baker", "unknown"]


def load(tmp_path, *lines):
    path = tmp_path / "requests.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts), encoding="utf-8")
    return load_asked(path)


def request(name, **more):
    return {"request_id": name, "choices": CHOICES, **more}


def asking(layout, first="the potter"):
    content = layout.format(first, "the baker", "unknown")
    return [{"role": "user", "content": content}]


def test_requests_with_the_same_choices_share_a_list(tmp_path):
    """There may be a million requests, and few lists."""
    asked = load(tmp_path, request("q1"), request("q2", choices=["x", "y"]), request("q3"))
    assert asked.ids == ("q1", "q2", "q3")
    assert asked.choices == (tuple(CHOICES), ("x", "y"))
    assert asked.list_of.tolist() == [0, 1, 0]
    assert asked.labels == (None, None)


@pytest.mark.parametrize(
    ("more", "labels"),
    [
        ({}, None),
        ({"labels": ["A", "B", "C"]}, None),
        ({"labels": ["a", "b", "c"]}, None),
        ({"labels": ["1", "2", "3"]}, ("1", "2", "3")),
        ({"messages": asking("A: {}\nB: {}\nC: {}")}, None),
        ({"messages": asking("a) {}\nb) {}\nc) {}")}, None),
        ({"messages": asking("1. {}\n2. {}\n3. {}")}, ("1", "2", "3")),
        ({"messages": asking("Choose: {}, {} or {}")}, None),
        ({"messages": asking("1. {}\n2. {}\n3. {}"), "labels": ["x", "y", "z"]}, ("x", "y", "z")),
    ],
)
def test_labels_are_those_given_or_shown(tmp_path, more, labels):
    """Given ones come first; else the text of the request is looked at; else A, B, C."""
    assert load(tmp_path, request("q1", **more)).labels == (labels,)


def test_a_prompt_calls_its_choices_alike(tmp_path):
    """What most of its requests show holds for all of them."""
    shown = {"messages": asking("1. {}\n2. {}\n3. {}"), "prompt_id": "p"}
    hidden = {"messages": asking("{} {} {}"), "prompt_id": "p"}
    other = {"messages": asking("{} {} {}"), "prompt_id": "q"}
    asked = load(
        tmp_path,
        *(request(f"q{at}", **shown) for at in range(3)),
        request("q8", **hidden),
        request("q9", **other),
    )
    assert asked.labels == (("1", "2", "3"), None)
    assert asked.list_of[-2:].tolist() == [0, 1]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"choices": CHOICES}, "it has no text 'request_id'"),
        ({"request_id": "q1"}, "choices is not a list of texts"),
        ({"request_id": "q1", "choices": ["x"]}, "it shows fewer than two choices"),
        (request("q1", labels=["A", "B"]), "its labels are not different ones"),
        (request("q1", labels=["A", "B", "b"]), "its labels are not different ones"),
        (request("q1", labels=["A", "B", " "]), "its labels are not different ones"),
        (request("q1", messages=["x"]), "a message is not an object"),
        ("nonsense", "the line is not JSON"),
        (request("q0"), "request q0 occurs twice"),
    ],
)
def test_a_line_that_is_no_request_is_refused(tmp_path, line, message):
    with pytest.raises(CurateError, match=message) as caught:
        load(tmp_path, request("q0"), line)
    assert caught.value.where.endswith("requests.jsonl, line 2")
    assert caught.value.hint
