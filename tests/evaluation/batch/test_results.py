"""Results of batches, read line by line."""

import json
from pathlib import Path

import yaml

from evaluation.batch.reading import read_results

TABLE = yaml.safe_load((Path(__file__).parent / "results.yaml").read_text(encoding="utf-8"))


def read(tmp_path, *objects, end="\n"):
    """Read a file of results."""
    path = tmp_path / "out.jsonl"
    path.write_text("\n".join(map(json.dumps, objects)) + end, encoding="utf-8")
    return read_results([path])


def done(name, text="A"):
    """Make a result."""
    choice = {"message": {"content": text}, "finish_reason": "stop"}
    return {"custom_id": name, "response": {"choices": [choice]}}


def failed(name):
    """Make a failure."""
    return {"custom_id": name, "response": {"status_code": 500, "body": None}}


def test_results_are_replies_or_failures_of_kinds(tmp_path):
    """Every row of the table."""
    for value, text, kind, *tokens in TABLE["openai"]:
        read_back = read(tmp_path, {"custom_id": "r1", **value})
        assert not read_back.problems
        reply = read_back.found["r1"]
        assert (reply.text, reply.kind or reply.finish_reason) == (text, kind), value
        if tokens:
            assert [[reply.usage.input_tokens, reply.usage.output_tokens]] == tokens


def test_a_line_that_is_no_result_is_named(tmp_path):
    """The others are read."""
    for value in TABLE["no result"]:
        found = read(tmp_path, done("r0"), value, done("r2"))
        assert list(found.found) == ["r0", "r2"]
        assert [problem.row for problem in found.problems] == [2], value


def test_secrets_stay_out_of_messages(tmp_path):
    """A provider may repeat the key."""
    error = {"message": "Incorrect API key provided: sk-abcdef1234567890"}
    line = {"custom_id": "r1", "response": {"status_code": 500, "body": {"error": error}}}
    assert "abcdef" not in str(read(tmp_path, line).found["r1"].error)


def test_of_several_results_the_first_reply_counts(tmp_path):
    """A failure never stands for a reply."""
    found = read(tmp_path, failed("r0"), done("r0", "A"), done("r0", "B"), failed("r0"))
    assert found.found["r0"].text == "A"
    assert found.doubled == 3
