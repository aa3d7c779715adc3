"""Replies in bulk: blocks read the fast way give what reading line by line gives."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curation.records.errors import CurateError
from evaluation.replies import files as reply_blocks
from evaluation.replies.files import Replies, read_blocks, read_replies

GOOD = [
    b'{"request_id": "q1", "model": "m", "reply": "A"}',
    b'{"model": "m", "reply": "B", "request_id": "q2", "usage": {"tokens": 3}, "x": [1, {}]}',
    '{"request_id": "q3", "model": "m", "reply": "정답은 A입니다", "x": "가"}'.encode(),
    b'{"request_id": "q4", "model": "m", "reply": "\\ud55c\\n\\"A\\" \\ud83d\\ude00"}',
    b'{"request_id": "q5", "model": "m", "reply": null, "error": "timeout"}',
    b'{"request_id": "q6", "model": "m", "error": {"type": "rate_limit", "code": 429}}',
    b'  {"request_id": "q7", "model": "k", "reply": ""}  ',
    b"",
    b"   ",
]
BAD = [
    b'{"request_id": "q8", "model": "m"}',
    b'{"request_id": "", "model": "m", "reply": "A"}',
    b'{"request_id": " ", "model": "m", "reply": "A"}',
    b'{"request_id": 8, "model": "m", "reply": "A"}',
    b'{"request_id": "q8", "model": null, "reply": "A"}',
    b'{"request_id": "q8", "model": "m", "reply": ["A"]}',
    b'{"request_id": "q8", "model": "m", "reply": "A"} {"request_id": "q9"}',
    b'{"request_id": "q8", "model": "m", "reply": "\xff"}',
    b'{"request_id": "q8", "model": "m", "reply": "A", "x": "\xff"}',
    b'{"request_id": "\\ud800", "model": "m", "reply": "A"}',
    b"[1]",
    b"3",
    b"nonsense",
    b'{"request_id": "q8", "model": "m", "reply": "A"',
]
ODD = [  # read by the strict way alone
    b'{"request_id": "q8", "model": "m", "reply": "\\ud800 A"}',
    b'{"request_id": "q8", "request_id": "q9", "model": "m", "reply": "A"}',
    b'{"request_id": "q8", "model": "m", "reply": "A", "x": NaN}',
]


def columns(path: Path) -> tuple[list[tuple[object, ...]], list[tuple[int | None, str]]]:
    """Read a file in blocks; gives its rows and findings."""
    rows: list[tuple[object, ...]] = []
    findings: list[tuple[int | None, str]] = []
    for table, problems in read_blocks(path):
        rows += zip(*(table.column(name).to_pylist() for name in table.column_names), strict=True)
        findings += [(item.row, item.rule) for item in problems]
    return rows, findings


@pytest.fixture(name="strict")
def fixture_strict(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Give a way to switch the fast way off."""
    return monkeypatch


def test_both_ways_read_the_same(tmp_path: Path, strict: pytest.MonkeyPatch) -> None:
    """Whatever the lines, the fast way gives what reading one by one does."""
    files = [tmp_path / name for name in ("good", "all", "odd")]
    files[0].write_bytes(b"\n".join([*GOOD, b""]))
    files[1].write_bytes(b"\n".join([*GOOD[:3], *BAD, *GOOD[3:], b""]))
    files[2].write_bytes(b"\r\n".join([*GOOD[:3], *ODD, b""]))
    fast = [columns(path) for path in files]
    strict.setattr(reply_blocks, "_parsed", lambda data: None)
    assert fast == [columns(path) for path in files]
    assert [len(rows) for rows, _ in fast] == [7, 7, 6]
    assert fast[1][1] == [(at, "jsonl-line") for at in range(4, 4 + len(BAD))]


def test_what_the_fast_way_reads_is_not_read_slowly(
    tmp_path: Path, strict: pytest.MonkeyPatch
) -> None:
    """A file without faults never needs the slow way except for failures."""
    path = tmp_path / "replies.jsonl"
    path.write_bytes(b"\n".join([*GOOD[:4], GOOD[6], b""]))

    def refuse(*_: object) -> None:
        raise AssertionError

    strict.setattr(reply_blocks, "_strict", refuse)
    assert len(columns(path)[0]) == 5


def test_a_reply_of_thoughts_alone_is_one_that_was_cut_off(
    tmp_path: Path, strict: pytest.MonkeyPatch
) -> None:
    """So that it is counted as unfinished, and an empty one as empty; both ways."""
    path = tmp_path / "replies.jsonl"
    cut = {"request_id": "c", "model": "m", "reply": "", "error": {"kind": "unfinished"}}
    empty = {"request_id": "e", "model": "m", "reply": "", "error": None}
    path.write_bytes(b"\n".join([*GOOD[:2], json.dumps(cut).encode(), json.dumps(empty).encode()]))
    fast = columns(path)
    assert [row[2] for row in fast[0]][2:] == ["<think>", ""]
    strict.setattr(reply_blocks, "_parsed", lambda data: None)
    assert columns(path) == fast


def test_blocks_end_with_a_line(tmp_path: Path, strict: pytest.MonkeyPatch) -> None:
    """However small the blocks, lines are whole and keep their numbers."""
    path = tmp_path / "replies.jsonl"
    path.write_bytes(b"\n".join([*GOOD, *BAD, *GOOD[:2], b'{"request_id": "t']))
    whole = columns(path)
    for size in (1, 7, 64, 300):
        strict.setattr(reply_blocks, "BLOCK", size)
        assert columns(path) == whole
    assert whole[1][-1] == (len(GOOD) + len(BAD) + 3, "jsonl-torn-line")


def test_errors_are_named_by_their_kind(tmp_path: Path) -> None:
    """A text is a kind; of an object its kind, type or code is; of nothing 'unknown'."""
    errors = ["timeout", {"kind": "cut"}, {"type": "t"}, {"code": 429}, {"why": 1}, None, "a\n b"]
    path = tmp_path / "replies.jsonl"
    lines = [
        json.dumps({"request_id": f"q{at}", "model": "m", "reply": None, "error": error})
        for at, error in enumerate(errors)
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    rows, findings = columns(path)
    assert [row[4] for row in rows] == [
        *("timeout", "cut", "t", "429", '{"why": 1}', "unknown", "a b")
    ]
    assert findings == []


def test_half_a_surrogate_pair_becomes_the_replacement_sign(tmp_path: Path) -> None:
    """No UTF-8 holds it; the reply is kept, and reads as no letter."""
    path = tmp_path / "replies.jsonl"
    path.write_bytes(ODD[0])
    assert columns(path)[0][0][2] == "\ufffd A"


def read(path: Path) -> Replies:
    """Read one file."""
    return read_replies([path])


def test_gzipped_files_are_read(tmp_path: Path) -> None:
    """By their content, not by their name; a damaged one is refused."""
    path = tmp_path / "replies.jsonl.gz"
    path.write_bytes(gzip.compress(b"\n".join(GOOD)))
    assert len(read(path).replies) == 7
    path.write_bytes(gzip.compress(b"\n".join(GOOD))[:-9])
    with pytest.raises(CurateError, match=r"replies\.jsonl\.gz is damaged"):
        read(path)


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    """Editors of some systems put one before the first line."""
    path = tmp_path / "replies.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD[0])
    assert read(path).replies[0].request_id == "q1"


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """In words."""
    with pytest.raises(CurateError, match=r"there is no file nowhere\.jsonl"):
        read(tmp_path / "nowhere.jsonl")
    with pytest.raises(CurateError, match="is a folder"):
        read(tmp_path)


def test_deep_objects_are_passed_over_or_named(tmp_path: Path) -> None:
    """Thousands of brackets in a key that nobody asks for crash nothing."""
    deep = b"[" * 100_000 + b"]" * 100_000
    path = tmp_path / "replies.jsonl"
    path.write_bytes(
        b'{"request_id": "q", "model": "m", "reply": "A", "x": ' + deep + b"}\n" + GOOD[0]
    )
    assert [item.request_id for item in read(path).replies][-1] == "q1"


LINES = st.lists(
    st.tuples(
        st.sampled_from(["q1", "q2", "q3"]),
        st.sampled_from(["m", "k"]),
        st.sampled_from(["A", "B", None]),
    ),
    min_size=1,
    max_size=12,
)


@given(lines=LINES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_the_reply_that_counts_is_found_as_one_by_one(
    tmp_path: Path, lines: list[tuple[str, str, str | None]]
) -> None:
    """The last reply counts, a failure never takes its place; order is that of first coming."""
    path = tmp_path / "replies.jsonl"
    keys = ("request_id", "model", "reply")
    path.write_text(
        "\n".join(json.dumps(dict(zip(keys, line, strict=True))) for line in lines), "utf-8"
    )
    wanted: dict[tuple[str, str], list[str]] = {}
    for request, model, reply in lines:
        wanted.setdefault((request, model), []).extend([] if reply is None else [reply])
    found = read(path)
    assert [((item.request_id, item.model), item.reply) for item in found.replies] == [
        (key, replies[-1] if replies else None) for key, replies in wanted.items()
    ]
    assert found.duplicates == sum(max(0, len(replies) - 1) for replies in wanted.values())
    several = [replies for replies in wanted.values() if len(replies) > 1]
    differ = sum(len(set(replies)) > 1 for replies in several)
    same = len(several) - differ
    said = [item.message for item in found.findings]
    assert len(said) == bool(differ) + bool(same)
    if differ:
        assert said[0].startswith(f"{differ} request{'s have' if differ > 1 else ' has'} two diff")
    if same:
        assert f"of {same} requests, 0 asked again" in said[-1]


def test_hashes_of_what_was_asked_are_read_either_way(
    tmp_path: Path, strict: pytest.MonkeyPatch
) -> None:
    """Of replies and of failures; null where a line has none."""
    path = tmp_path / "replies.jsonl"
    lines = [
        {"request_id": "q1", "model": "m", "reply": "A", "messages_hash": "00000000000000ab"},
        {"request_id": "q2", "model": "m", "reply": None, "messages_hash": "0f", "error": "cut"},
        {"request_id": "q3", "model": "m", "reply": "B"},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    fast = columns(path)
    assert [row[3] for row in fast[0]] == ["00000000000000ab", "0f", None]
    strict.setattr(reply_blocks, "_parsed", lambda data: None)
    assert columns(path) == fast
