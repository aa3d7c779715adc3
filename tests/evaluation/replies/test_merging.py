"""Replies of parts become one file, which is shown to be whole."""

import gzip
import json

import pytest
from layouts import write_jsonl

from curation.records.messages import CurateError
from evaluation.replies.merging import merge
from evaluation.requests import messages_hash


def reply(name, text="A", model="m", **more):
    return {"request_id": name, "model": model, "reply": text, **more}


FAILED = {"kind": "server", "message": "no"}


@pytest.fixture
def files(tmp_path):
    """Write files of replies; gives their paths."""

    def write(*parts, end="\n"):
        paths = []
        for number, lines in enumerate(parts, start=1):
            path = tmp_path / f"part{number}.jsonl"
            path.write_text("\n".join(json.dumps(line) for line in lines) + end)
            paths.append(path)
        return paths

    return write


@pytest.fixture
def requests(tmp_path):
    def write(*names):
        messages = [{"role": "user", "content": "x"}]
        lines = ({"request_id": name, "messages": messages} for name in names)
        return write_jsonl(tmp_path / "requests.jsonl", lines)

    return write


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_missing_requests_are_named_for_each_model(tmp_path, files, requests):
    """A failure is no reply; requests and missing ones stand in their order."""
    paths = files(
        [reply("r3"), reply("r1", None, error=FAILED), reply("r4")],
        [reply("r2", "B", model="n"), reply("r4", None, error=FAILED)],
    )
    asked, out = requests("r4", "r1", "r2", "r3"), tmp_path / "all.jsonl"
    found = merge(paths, out, asked)
    assert (found.refused, found.written, out.exists()) == (True, 0, False)
    assert found.missing == {"m": ["r1", "r2"], "n": ["r4", "r1", "r3"]}
    assert (found.failed, found.models) == ({"m": 1, "n": 0}, {"m": 3, "n": 1})
    assert (found.lines, found.overlap, found.failures_left_out, found.doubled) == (5, 1, 1, 0)
    found = merge(paths, out, asked, allow_incomplete=True)
    assert [(line["model"], line["request_id"]) for line in lines(out)] == [
        ("m", "r4"), ("m", "r1"), ("m", "r3"), ("n", "r2"),
    ]  # fmt: skip
    assert (found.written, found.requests) == (4, 4)


def test_what_parts_say_alike_is_written_once(tmp_path, files):
    """Two replies that differ are refused, and so are the same letters to other messages."""
    one = [reply("r2"), reply("r1", messages_hash="ab" * 8)]
    paths = files(one, [reply("r1", n=2), reply("r3", "B")])
    out = tmp_path / "all.jsonl"
    found = merge(paths, out)
    assert lines(out) == [*one, reply("r3", "B")]
    assert (found.doubled, found.overlap, found.missing) == (1, 1, None)
    for other in (reply("r1", "B"), reply("r1", messages_hash="cd" * 8)):
        paths = files(one, [other])
        with pytest.raises(CurateError, match="1 request has two different replies") as caught:
            merge(paths, out)
        assert caught.value.where == f"the first: {paths[0]}, line 2 and {paths[1]}, line 1"


def test_a_last_line_that_is_cut_off_is_left_out_and_said(tmp_path, files):
    """Any other line that is none is refused, and so is a file whose lines cannot be copied."""
    paths = files([reply("r1")], end='\n{"request_id": "r2", "mo')
    out = tmp_path / "all.jsonl"
    assert merge(paths, out).refused
    found = merge(paths, out, allow_incomplete=True)
    assert [item.rule for item in found.findings] == ["jsonl-torn-line"]
    assert lines(out) == [reply("r1")]
    paths[0].write_text("{}\n")
    with pytest.raises(CurateError, match="it has no 'reply'") as caught:
        merge(paths, out)
    assert caught.value.where == f"{paths[0]}, line 1"
    paths[0].write_bytes(gzip.compress(b"{}"))
    with pytest.raises(CurateError, match="the file is packed"):
        merge(paths, out)


def test_replies_to_other_messages_are_refused(tmp_path, files, requests):
    """Though their ids are those of the requests; lines that say nothing of it are taken."""
    right = f"{messages_hash([{'role': 'user', 'content': 'x'}]):016x}"
    asked, out = requests("r1", "r2", "r3"), tmp_path / "all.jsonl"
    paths = files([reply("r1", messages_hash=right), reply("r2"), reply("r3")])
    assert merge(paths, out, asked).written == 3
    paths = files([reply("r1", messages_hash=right)], [reply("r2", messages_hash="ab" * 8)])
    with pytest.raises(
        CurateError, match="1 of 2 replies answer other requests with the same ids"
    ) as e:
        merge(paths, out, asked)
    assert e.value.where == f"{paths[1]}, line 1"
    with pytest.raises(CurateError, match="m: 1 reply answers none of the requests: r9"):
        merge(files([reply("r9")]), out, asked)
    asked.write_text(asked.read_text() * 2)
    with pytest.raises(CurateError, match="request r1 occurs twice"):
        merge(paths, out, asked)
