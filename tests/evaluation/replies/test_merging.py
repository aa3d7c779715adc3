"""Replies of parts become one file, which is shown to be whole."""

import json

import pytest

from curation.records.errors import CurateError
from evaluation.replies.merging import cover, read_parts, write_merged
from evaluation.requests import messages_hash


def reply(name, text="A", model="m", **more):
    """Make a line."""
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
    """Write requests with these names."""

    def write(*names):
        path = tmp_path / "requests.jsonl"
        messages = [{"role": "user", "content": "x"}]
        lines = [json.dumps({"request_id": name, "messages": messages}) for name in names]
        path.write_text("".join(f"{line}\n" for line in lines))
        return path

    return write


def merge(tmp_path, paths, order=None):
    """Merge; gives the lines that were written."""
    out = tmp_path / "all.jsonl"
    count = write_merged(out, paths, read_parts(paths), order)
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert count == len(lines)
    return lines


def test_missing_requests_are_named_for_each_model(files, requests):
    """A failure is no reply; requests stand in their order."""
    merged = read_parts(
        files([reply("r3"), reply("r1", None, error=FAILED)], [reply("r2", model="n")])
    )
    found = cover(merged, requests("r1", "r2", "r3"))
    assert found.missing == {"m": ["r1", "r2"], "n": ["r1", "r3"]}
    assert found.failed == {"m": 1, "n": 0}


@pytest.mark.parametrize(
    ("texts", "expected"),
    [((None, "A"), 1), (("A", None), 0), ((None, None), 1), ((None, "A", None, None), 1)],
)
def test_a_reply_stands_for_failures_and_a_later_failure_for_an_earlier(
    tmp_path, files, texts, expected
):
    """A run that was taken up again leaves such lines."""
    lines = [
        reply("r1", text, error=None if text else FAILED, n=at) for at, text in enumerate(texts)
    ]
    paths = files(lines)
    assert [line["n"] for line in merge(tmp_path, paths)] == [expected]
    assert read_parts(paths).failures == len(texts) - 1


def test_a_last_line_that_is_cut_off_is_left_out_and_said(tmp_path, files):
    """Any other line that is none is refused."""
    paths = files([reply("r1")], end='\n{"request_id": "r2", "mo')
    assert [item.rule for item in read_parts(paths).problems] == ["jsonl-torn-line"]
    assert merge(tmp_path, paths) == [reply("r1")]


def test_replies_to_other_messages_are_refused(files, requests):
    """Though their ids are those of the requests; lines that say nothing of it are taken."""
    right = f"{messages_hash([{'role': 'user', 'content': 'x'}]):016x}"
    asked = requests("r1", "r2", "r3")
    merged = read_parts(files([reply("r1", messages_hash=right), reply("r2"), reply("r3")]))
    assert not any(cover(merged, asked).missing.values())
    paths = files([reply("r1", messages_hash=right)], [reply("r2", messages_hash="ab" * 8)])
    with pytest.raises(
        CurateError, match="1 of 2 replies answer other requests with the same ids"
    ) as e:
        cover(read_parts(paths), asked)
    assert e.value.where == f"{paths[1]}, line 1"
