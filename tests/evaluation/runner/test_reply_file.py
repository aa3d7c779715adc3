"""The file of replies: written line by line, cut_off, and read when a run is taken up."""

import gzip

import pytest

from curation.records.messages import CurateError
from evaluation.replies.reply import Failure, FailureKind, Reply, Usage, reply_line
from evaluation.runner.index import Asking, index_requests
from evaluation.runner.store import ReplyFile, Store, read_standing

OLD = b'{"request_id": "a", "model": "m", "reply": "x"}\n'


@pytest.fixture
def index(tmp_path, write_requests):
    """Three requests: r0, r1 and r2."""
    with index_requests(write_requests(tmp_path, "012"), Asking("m", {})) as index:
        yield index


def said(request_id, key, text="a", model="m", **more):
    return reply_line(Reply(text, request_id=request_id, model=model, key=key, **more))


@pytest.mark.parametrize(
    ("torn", "after"),
    [
        (b"", b""),
        (b'{"request_id": "b", "mod', b""),
        (b"{", b""),
        ('{"reply": "가'.encode()[:-1], b""),
        (b'{"x": "' + b"y" * 200_000, b""),
        (OLD.rstrip(b"\n"), OLD),
    ],
)
@pytest.mark.parametrize("before", [b"", OLD, OLD * 5000])
def test_a_torn_line_is_cut_off(tmp_path, before, torn, after):
    """And nothing else; a whole one that lacks its end gets it."""
    path = tmp_path / "replies.jsonl"
    path.write_bytes(before + torn)
    with ReplyFile(path) as file:
        assert file.cut_off == (0 if after else len(torn))
        file.append([b"one\n", b"two\n"])
    assert path.read_bytes() == before + after + b"one\ntwo\n"


def test_a_file_is_written_by_one_run(tmp_path):
    """A second one is refused until the first has ended."""
    path = tmp_path / "replies.jsonl"
    with ReplyFile(path), pytest.raises(CurateError, match="another run is writing"):
        ReplyFile(path)
    with ReplyFile(path) as file:
        file.append([b"x\n"])


def test_a_reply_under_the_same_key_is_done(tmp_path, index):
    """Of other models and requests nothing is said; a failure is no reply; the store gets all."""
    path = tmp_path / "replies.jsonl"
    first = Reply("a", Usage(1, 2), "stop", 0.5, request_id="r0", model="m", key=index.key(0))
    failure = Failure(FailureKind.SERVER, "no", 500)
    lines = [
        reply_line(first),
        said("r1", index.key(1), None, error=failure),
        said("r2", bytes(32), "c", "other"),
        said("r9", index.key(2), "d"),
    ]
    path.write_bytes(b"\n".join(lines) + b'{"torn')
    with Store(tmp_path / "s.sqlite") as store:
        found = read_standing(path, index, "m", store)
        keys = [index.key(at) for at in range(3)]
        assert store.find([*keys, bytes(32)]).keys() == {keys[0], keys[2], bytes(32)}
        assert store.find(keys)[keys[0]] == first
    assert list(found.done) == [1, 0, 0]
    assert (found.answered, found.others) == (1, 2)


def test_the_last_reply_counts(tmp_path, index):
    """As it does for whoever scores the file; a failure takes nothing back."""
    path = tmp_path / "replies.jsonl"
    right = {at: said(f"r{at}", index.key(at)) for at in range(3)}
    wrong = {at: said(f"r{at}", bytes(32), "b") for at in range(3)}
    failed = said("r0", index.key(0), None, error=Failure(FailureKind.SERVER, "no"))
    path.write_bytes(right[0] + failed + wrong[2] + right[2])
    assert list(read_standing(path, index, "m").done) == [1, 0, 1]
    path.write_bytes(right[0] + failed + right[1] + wrong[1] + wrong[2] + right[2])
    with pytest.raises(CurateError, match=r"1 request \(r1\) got a reply with a different prompt"):
        read_standing(path, index, "m")


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("{no", "the line is not JSON in UTF-8"),
        ("[]", "the line is not a JSON object"),
        ('{"request_id": "r", "model": "m", "reply": 3}', "neither text nor null"),
        ('{"request_id": "r", "reply": "x"}', "it has no text 'model'"),
        ('{"request_id": "r", "model": "m"}', "it has no 'reply'"),
    ],
)
def test_a_line_that_is_no_reply_is_refused(tmp_path, index, line, what):
    """With its number: whatever it was, it is not written past."""
    path = tmp_path / "replies.jsonl"
    path.write_bytes(OLD + line.encode() + b"\n" + OLD)
    with pytest.raises(CurateError) as refused:
        read_standing(path, index, "m")
    assert what in refused.value.what
    assert refused.value.where == f"{path}, line 2"
    path.write_bytes(gzip.compress(OLD))  # what is appended could not be read
    with pytest.raises(CurateError, match="the file is packed"):
        read_standing(path, index, "m")
