"""Log-probabilities as answers."""

import pandas as pd
import pytest
from layouts import write_jsonl

from evaluation.replies.files import load_replies
from evaluation.replies.readings import read_many
from evaluation.replies.reply import logprobs_text, read_logprobs
from evaluation.replies.rows import parse_replies, rule_texts


@pytest.mark.parametrize(
    ("found", "labels", "position", "rule"),
    [
        ({"A": -0.5, "B": -1.5, "C": -3.0}, None, 0, "logprob"),
        ({" A": -2.5, "A": -4.5, "B": -3.0, "C": -3.5}, None, 0, "logprob"),
        ({"\u0120B": -0.1, "\u2581A": -2.0, "C": -9.0, "The": -3.0}, None, 1, "logprob"),
        ({"C": -0.5, "The": -1.0}, None, 2, "logprob_partial"),
        ({"A": -1.0, "B": -1.0, "C": -3.0}, None, None, "tie"),
        ({"A": -1.0, "B": -3.0, "C": -1.0}, None, None, "tie"),
        ({"The": -0.1, "Both": -3.0, "AB": -4.0}, None, None, "labels_missing"),
        ({"a": -0.1, "b": -3.0}, None, None, "labels_missing"),
        ({"1": -1.0, "2": -0.5, "3": -2.0}, ("1", "2", "3"), 1, "logprob"),
        ({}, None, None, "no_logprobs"),
        (None, None, None, "no_logprobs"),
    ],
)
def test_the_highest_label_is_the_answer(found, labels, position, rule):
    """Of a tie there is none; what is not there is named, and never guessed."""
    assert read_logprobs(logprobs_text(found), 3, labels) == (position, rule)
    assert rule in rule_texts("logprobs")


def test_replies_are_read_by_their_log_probabilities_alone(tmp_path):
    """From files and from a frame; a failure stays one, and text says nothing."""
    rows = [
        {
            "request_id": "a",
            "model": "m",
            "reply": "B",
            "logprobs": {"A": -0.1, "B": -2.0, "C": -3},
        },
        {"request_id": "b", "model": "m", "reply": "B", "logprobs": None},
        {"request_id": "c", "model": "m", "reply": None, "error": "cut"},
    ]
    path = write_jsonl(tmp_path / "replies.jsonl", rows)
    for given in ([path], pd.DataFrame(rows)):
        table = load_replies(given, logprobs=True)
        read = read_many(table.frame["reply"], [0] * 3, [("x", "y", "z")], mode="logprobs")
        assert read.positions.tolist() == [0, -1, -1]
        assert [read.names[at] for at in read.rules] == ["logprob", "no_logprobs", "missing"]


@pytest.mark.parametrize("told", [{"labels": ["a", "b", "c"]}, {}])
def test_labels_in_lower_case_are_looked_for_as_they_are_shown(tmp_path, told):
    """In a prompt with a, b, c the token `A` is no label, and begins other words."""
    content = "Who?\na: the potter\nb: the baker\nc: nobody knows\nAnswer:"
    request = {
        "request_id": "r",
        "prompt_id": "3",
        "messages": [{"role": "user", "content": content}],
        "choices": ["the potter", "the baker", "nobody knows"],
        **told,
    }
    requests = write_jsonl(tmp_path / "requests.jsonl", [request])
    found = {"b": -0.1, "A": -3.0, " a": -4.0, "c": -5.0}
    replies = pd.DataFrame([{"request_id": "r", "model": "m", "reply": "b", "logprobs": found}])
    [row] = parse_replies(requests, replies, mode="logprobs").to_frame().to_dict("records")
    assert (row["choice"], row["rule"]) == ("B", "logprob")
