"""The store: keys and replies."""

from hashlib import sha256

import pytest

from curation.records.messages import CurateError
from evaluation.replies.reply import Failure, FailureKind, Reply, Usage, reply_line
from evaluation.runner.index import reply_key
from evaluation.runner.store import Store

MESSAGES = [{"role": "user", "content": "Wer summt? 누가?"}]
FULL = Reply(
    "답\x00\n\u2028",
    Usage(5, 3, 2),
    "stop",
    0.25,
    Failure(FailureKind.CONTENT_FILTER, "no", 400),
    "Hm.",
    "other",
    {"A": -0.5},
    "r1",
    "m",
    bytes([1]) * 32,
    7,
)


def put(store, *replies):
    store.put((reply, reply_line(reply)) for reply in replies)


def kept(number):
    return Reply("a", request_id="r", model="m", key=bytes([number]) * 32)


def test_a_key_is_the_hash_of_canonical_json():
    """Written out by hand: sorted names, no blanks, signs as they are."""
    text = (
        '{"messages":[{"content":"Wer summt? 누가?","role":"user"}],"model":"m",'
        '"parameters":{"max_tokens":16,"temperature":0}'
    )
    body = {"model": "m", "temperature": 0, "messages": MESSAGES, "max_tokens": 16}
    assert reply_key(body) == sha256(f"{text}}}".encode()).digest()
    own = text.replace('"parameters"', '"own":"r1","parameters"')
    assert reply_key(body, "r1") == sha256(f"{own}}}".encode()).digest()


def test_replies_are_found_as_they_were_put(tmp_path):
    """By another connection too; the first reply to a key stays, and failures are not kept."""
    path = tmp_path / "a" / "s.sqlite"
    with Store(path) as store:
        put(store, FULL, kept(2), kept(3)._replace(text=None))
        put(store, FULL._replace(text="another"))
    with Store(path, read_only=True) as store:
        keys = [bytes([at]) * 32 for at in (1, 2, 3)]
        assert store.find(keys) == {keys[0]: FULL, keys[1]: kept(2)}
        assert store.known(keys) == set(keys[:2])
    with Store(tmp_path / "none.sqlite", read_only=True) as store:
        assert (store.find(keys), store.known(keys)) == ({}, set())
    assert not (tmp_path / "none.sqlite").exists()


def test_a_store_that_is_none_of_ours_is_refused(tmp_path):
    """Of another version, or damaged; what to do is said."""
    path = tmp_path / "s.sqlite"
    with Store(path) as store:
        store.database.execute("PRAGMA user_version = 1")
    with pytest.raises(CurateError, match="of version 1, not 3"):
        Store(path)
    path.write_bytes(b"nonsense" * 1000)
    with pytest.raises(CurateError, match="cannot be used"):
        Store(path)
