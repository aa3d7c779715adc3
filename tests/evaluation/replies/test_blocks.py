"""Replies in bulk: blocks read the fast way give what reading line by line gives."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from layouts import write_jsonl

from evaluation.replies import files as reply_files
from evaluation.replies.files import load_replies, read_blocks

GOOD = [
    b'{"request_id": "q1", "model": "m", "reply": "A", "key": "%s"}' % (b"0f" * 32),
    b'{"model": "m", "reply": "B", "request_id": "q2", "usage": {"tokens": 3}, "x": [1, {}]}',
    '{"request_id": "q3", "model": "m", "reply": "정답은 A입니다", "x": "가"}'.encode(),
    b'{"request_id": "q4", "model": "m", "reply": "\\ud55c\\n\\"A\\" \\ud83d\\ude00"}',
    b'{"request_id": "q5", "model": "m", "reply": null, "error": "timeout"}',
    b'{"request_id": "q6", "model": "m", "error": {"type": "rate_limit", "code": 429}}',
    b'  {"request_id": "q7", "model": "k", "reply": ""}  ',
    b'{"request_id": "q8", "model": "k", "reply": "B. The", "finish_reason": "length"}',
    b'{"request_id": "q9", "model": "k", "reply": "B", "finish_reason": "MAX_TOKENS"}',
    b'{"request_id": "q10", "model": "k", "reply": "", "finish_reason": "length", '
    b'"error": {"kind": "unfinished"}}',
    b'{"request_id": "q11", "model": "k", "reply": "B", "error": {"kind": "content_filter"}}',
    b'{"request_id": "q12", "model": "k", "reply": null, "error": {"kind": "cut", "status": 2}}',
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
    b'{"request_id": "q8", "model": "m", "reply": "A", "key": 3}',
    b'{"request_id": "q8", "model": "m", "reply": "A", "key": "00ff"}',
]


def columns(path):
    """Read a file in blocks; gives its rows and findings."""
    rows = []
    findings = []
    for table, problems in read_blocks(path, placed=True):
        rows += zip(*(table.column(name).to_pylist() for name in table.column_names), strict=True)
        findings += [(item.row, item.rule) for item in problems]
    return rows, findings


def test_both_ways_read_the_same(tmp_path, monkeypatch):
    """Whatever the lines, the fast way gives what reading one by one does."""
    files = [tmp_path / name for name in ("good", "all", "odd", "keys", "ours")]
    files[0].write_bytes(b"\n".join([*GOOD, b""]))
    files[1].write_bytes(b"\n".join([*GOOD[:3], *BAD, *GOOD[3:], b""]))
    files[2].write_bytes(b"\r\n".join([*GOOD[:3], *ODD, b""]))
    files[3].write_bytes(b"\n".join([GOOD[0], ODD[-1], b""]))
    files[4].write_bytes(b"\n".join([*GOOD[:4], *GOOD[6:9], *GOOD[9:12]]))
    fast = [columns(path) for path in files]
    monkeypatch.setattr(reply_files, "_parsed", lambda _block, placed: None)
    assert fast == [columns(path) for path in files]
    for path, (rows, _) in zip(files, fast, strict=True):
        for *_, number, offset in rows:
            data = path.read_bytes()
            assert data[:offset].count(b"\n") == number - 1
            assert data[offset - 1 : offset] in (b"", b"\n")
    assert [len(rows) for rows, _ in fast] == [12, 12, 8, 2, 10]
    assert fast[1][1] == [(at, "jsonl-line") for at in range(4, 4 + len(BAD))]


def test_a_bad_line_alone_is_found(tmp_path):
    """A block is read the fast way only where each of its lines has the keys of a reply."""
    path = tmp_path / "replies"
    for line in (*BAD, b'{"model": "m", "reply": "A"}'):
        path.write_bytes(b"\n".join([GOOD[1], line]))
        read = load_replies([path])
        assert (len(read.frame), [item.row for item in read.findings]) == (1, [2]), line


def test_blocks_end_with_a_line(tmp_path, monkeypatch):
    """However small the blocks, lines are whole and keep their numbers."""
    path = tmp_path / "replies.jsonl"
    path.write_bytes(b"\n".join([*GOOD, *BAD, *GOOD[:2], b'{"request_id": "t']))
    whole = columns(path)
    for size in (1, 7, 64, 300):
        monkeypatch.setattr(reply_files, "BLOCK", size)
        assert columns(path) == whole
    assert whole[1][-1] == (len(GOOD) + len(BAD) + 3, "jsonl-torn-line")


def test_errors_are_named_by_their_kind(tmp_path):
    """A text is a kind; of an object its kind is; of anything else 'unknown'."""
    errors = ["timeout", {"kind": "cut"}, {"code": 429}, None, "a\n b"]
    failed = {"model": "m", "reply": None}
    lines = [{"request_id": f"q{at}", **failed, "error": it} for at, it in enumerate(errors)]
    rows, findings = columns(write_jsonl(tmp_path / "replies.jsonl", lines))
    assert [row[4] for row in rows] == ["timeout", "cut", "unknown", "unknown", "a b"]
    assert findings == []


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
def test_the_reply_that_counts_is_found_as_one_by_one(tmp_path, lines):
    """The last reply counts, a failure never takes its place; order is that of first coming."""
    keys = ("request_id", "model", "reply")
    told = (dict(zip(keys, line, strict=True)) for line in lines)
    path = write_jsonl(tmp_path / "replies.jsonl", told)
    wanted = {}
    for request, model, reply in lines:
        wanted.setdefault((request, model), []).extend([] if reply is None else [reply])
    found = load_replies([path])
    read = found.frame[list(keys)].astype(object)
    assert list(read.where(read.notna(), None).itertuples(index=False, name=None)) == [
        (*key, replies[-1] if replies else None) for key, replies in wanted.items()
    ]
    assert found.duplicates == sum(max(0, len(replies) - 1) for replies in wanted.values())
    several = [replies for replies in wanted.values() if len(replies) > 1]
    differ = sum(len(set(replies)) > 1 for replies in several)
    said = [item.message for item in found.findings]
    assert len(said) == bool(differ) + (differ < len(several))
    if differ:
        assert said[0].startswith(f"{differ} request{'s have' if differ > 1 else ' has'} two diff")
