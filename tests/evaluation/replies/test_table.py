"""Replies in bulk, as a frame of compact columns."""

import json

import numpy as np
import pandas as pd
import pytest

from curation.records.messages import CurateError
from evaluation.replies.files import OtherMessages, load_replies


def write(path, *lines):
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join([*texts, ""]), encoding="utf-8")
    return path


def line(request, reply, model="m", **more):
    return {"request_id": request, "model": model, "reply": reply, **more}


def read(folder, *lines):
    return load_replies([write(folder / "replies.jsonl", *lines)])


def rows(table):
    frame = table.frame.astype(object)
    return [tuple(None if pd.isna(cell) else cell for cell in row) for row in frame.to_numpy()]


def test_what_counts_and_what_is_said(tmp_path):
    """Last replies, failures, duplicates, damaged and torn lines."""
    path = write(
        tmp_path / "r.jsonl",
        line("q1", "A"),
        line("q1", None),
        "nonsense",
        line("q2", None),
        line("q2", "B"),
        line("q2", "C"),
    )
    path.write_text(path.read_text("utf-8") + '{"request_id": "q3"', "utf-8")
    table = load_replies([path])
    assert rows(table) == [("q1", "m", "A", None), ("q2", "m", "C", None)]
    assert [(item.rule, item.row) for item in table.findings] == [
        ("jsonl-line", 3),
        ("jsonl-torn-line", 7),
        ("replies-second", 6),
    ]
    assert table.duplicates == 1


def test_other_columns_of_a_frame_may_hold_anything():
    """Of a notebook: what a client gave, bytes, and numbers that are no column of ours."""
    told = {"raw": [object(), b"\xff"], "count": [2**70, None], 0: [1j, {1, 2}]}
    frame = pd.DataFrame([line("q1", "A"), line("q2", None, error="quota")]).assign(at="now")
    table = load_replies(frame.join(pd.DataFrame(told)))
    assert rows(table) == [("q1", "m", "A", None), ("q2", "m", None, "quota")]


def test_replies_to_other_messages_are_refused(tmp_path):
    """With the file and line of the first, and how many; failures and unknown ones are none."""
    first = write(tmp_path / "a.jsonl", line("q1", "A", messages_hash=f"{1:016x}"))
    second = write(
        tmp_path / "b.jsonl",
        line("q2", "A"),
        line("q3", None, messages_hash=f"{3:016x}", error="cut"),
        line("q4", "A", "k", messages_hash=f"{4:016x}"),
        line("q4", "A", messages_hash=f"{4:016x}"),
        line("q5", "A", messages_hash=f"{5:016x}"),
    )
    table = load_replies([first, second])
    right = np.array([1, 2, 9, 4, 4, 0], np.uint64)
    for asked in (right, np.array([1, 2, 9, 4, 6, 7], np.uint64)):
        other = OtherMessages()
        other.add(table.frame, table.asked, asked)
        if asked is right:
            other.refuse(table.paths, "do it")
    with pytest.raises(CurateError) as caught:
        other.refuse(table.paths, "do it")
    assert caught.value.what == (
        "2 of 4 replies answer other requests with the same ids: the messages differ: q4, q5"
    )
    assert caught.value.where == f"{second}, line 4"
    assert caught.value.hint == "do it"


def test_a_second_reply_to_the_same_epoch_is_an_error(tmp_path):
    """Two that differ are refused by name and line; one that occurs twice is counted."""
    found = read(
        tmp_path,
        line("q-p1", "A"),
        line("q-p1-e2", "B"),
        line("q-p1-e2", "A"),
        line("r-p1", "A"),
        line("r-p1", "A"),
    )
    assert found.frame["reply"].tolist() == ["A", "A", "A"]
    assert found.duplicates == 2
    second, twice = found.findings
    assert (second.rule, second.severity.value, second.row) == ("replies-second", "error", 3)
    path = tmp_path / "replies.jsonl"
    assert second.message == (
        "1 request has two different replies of one model in one epoch: q-p1-e2 (m); the first in "
        f"{path}, line 2 and {path}, line 3"
    )
    assert twice.rule == "replies-duplicate"
    assert twice.message.endswith("r-p1 (m)")


@pytest.mark.parametrize(("name", "digits"), [("key", 64), ("messages_hash", 16)])
def test_what_was_asked_with_other_parameters_or_messages_is_an_error(tmp_path, name, digits):
    """Which of two different replies counts nobody said, in one file and in two."""
    one, other = {name: "a" * digits}, {name: "b" * digits}
    found = read(tmp_path, line("q-p1", "A", **one), line("q-p1", "B", **other))
    assert [item.rule for item in found.findings] == ["replies-second"]
    paths = [
        write(tmp_path / f"{reply}.jsonl", line("q-p1", reply, **asked))
        for reply, asked in (("A", one), ("B", other))
    ]
    assert [item.rule for item in load_replies(paths).findings] == ["replies-second"]
