"""The store: keys and replies."""

from hashlib import sha256

import pytest

from curation.records.messages import CurateError
from evaluation.replies.reply import Failure, FailureKind, Reply, Usage, reply_line
from evaluation.runner.index import reply_key
from evaluation.runner.store import EarlierCosts, Store

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
    """Keep replies with the tokens that their requests let expect."""
    store.put((reply, size, reply_line(reply)) for reply, size in replies)


def kept(number, model="m", used=None):
    key = bytes([number]) * 32
    return Reply("a", Usage(*used) if used else Usage(), request_id="r", model=model, key=key)


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
        put(store, (FULL, 7), (kept(2), None), (kept(3)._replace(text=None), 1))
        put(store, (FULL._replace(text="another"), 7))
    with Store(path, read_only=True) as store:
        keys = [bytes([at]) * 32 for at in (1, 2, 3)]
        assert store.find(keys) == {keys[0]: FULL, keys[1]: kept(2)}
        assert store.known(keys) == set(keys[:2])
    with Store(tmp_path / "none.sqlite", read_only=True) as store:
        assert (store.find(keys), store.known(keys), store.seen("m")) == ({}, set(), EarlierCosts())
    assert not (tmp_path / "none.sqlite").exists()


def test_what_replies_took_is_summed_by_model(tmp_path):
    """Of those alone of which everything is known."""
    with Store(tmp_path / "s.sqlite") as store:
        put(
            store,
            *[
                (kept(1, used=(12, 3)), 10),
                (kept(2, used=(25, 4)), 20),
                (kept(3, used=(99, 99)), None),
                (kept(4, used=(None, 99)), 99),
                (kept(5, "n", (1, 1)), 1),
            ],
        )
        assert store.seen("m") == EarlierCosts(2, 30, 37, 7)
        assert store.seen("x") == EarlierCosts()


def test_a_store_that_is_none_of_ours_is_refused(tmp_path):
    """Of another version, or damaged; what to do is said."""
    path = tmp_path / "s.sqlite"
    with Store(path) as store:
        store.database.execute("PRAGMA user_version = 1")
    with pytest.raises(CurateError, match="of version 1, not 2"):
        Store(path)
    path.write_bytes(b"nonsense" * 1000)
    with pytest.raises(CurateError, match="cannot be used"):
        Store(path)
