"""Results of every provider, read line by line."""

import json
from pathlib import Path

import yaml

from evaluation.batch.reading import read_results

TABLE = yaml.safe_load((Path(__file__).parent / "results.yaml").read_text(encoding="utf-8"))


def read(tmp_path, *objects, end="\n"):
    """Read a file of results."""
    path = tmp_path / "out.jsonl"
    path.write_text("\n".join(map(json.dumps, objects)) + end, encoding="utf-8")
    return read_results(path)


def test_results_are_replies_or_failures_of_kinds(tmp_path):
    """Every row of the table."""
    for provider in ("openai", "anthropic"):
        for value, text, kind, *tokens in TABLE[provider]:
            result = value if provider == "openai" else {"result": value}
            read_back = read(tmp_path, {"custom_id": "r1", **result})
            assert not read_back.problems
            outcome = read_back.found["r1"].outcome
            error = outcome.error and outcome.error.kind.value
            assert (outcome.text, error or outcome.finish_reason) == (text, kind), value
            if tokens:
                assert [[outcome.usage.input_tokens, outcome.usage.output_tokens]] == tokens


def test_a_line_that_is_no_result_is_named(tmp_path, lines):
    """The others are read."""
    for value in TABLE["no result"]:
        found = read(tmp_path, lines["done"]("r0"), value, lines["done"]("r2"))
        assert list(found.found) == ["r0", "r2"]
        assert [problem.row for problem in found.problems] == [2], value


def test_secrets_stay_out_of_messages(tmp_path):
    """A provider may repeat the key."""
    error = {"message": "Incorrect API key provided: sk-abcdef1234567890"}
    line = {"custom_id": "r1", "response": {"status_code": 500, "body": {"error": error}}}
    assert "abcdef" not in read(tmp_path, line).found["r1"].outcome.error.message


def test_of_several_results_the_first_reply_counts(tmp_path, lines):
    """A failure never stands for a reply."""
    done, failed = lines["done"], lines["failed"]
    found = read(tmp_path, failed("r0"), done("r0", "A"), done("r0", "B"), failed("r0"))
    assert found.found["r0"].outcome.text == "A"
    assert found.doubled == 3
