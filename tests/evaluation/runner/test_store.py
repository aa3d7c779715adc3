"""The store: keys, replies, and claims of those who live."""

import os
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path

import pytest

from evaluation.runner import store as module
from evaluation.runner.store import Kept, Seen, Store, reply_key

MESSAGES = [{"role": "user", "content": "Wer summt? 누가?"}]


def key(number):
    """Make a key."""
    return bytes([number]) * 32


def test_a_key_is_the_hash_of_canonical_json():
    """Written out by hand: sorted names, no blanks, signs as they are."""
    text = (
        '{"messages":[{"content":"Wer summt? 누가?","role":"user"}],"model":"m",'
        '"parameters":{"max_tokens":16,"temperature":0}}'
    )
    found = reply_key("m", {"temperature": 0, "max_tokens": 16}, MESSAGES)
    assert found == sha256(text.encode()).digest()


def test_replies_are_found_as_they_were_put(tmp_path):
    """By another connection too, and the first reply to a key stays."""
    full = Kept(key(1), "m", "답\x00\n", 7, 5, 3, 0.25, "stop", '{"kind": "content_filter"}')
    bare = Kept(key(2), "m", "")
    with Store(tmp_path / "a" / "s.sqlite") as store:
        store.put([full, bare])
        store.put([Kept(key(1), "m", "another")])
    with Store(tmp_path / "a" / "s.sqlite", read_only=True) as store:
        assert store.find([key(1), key(2), key(3)]) == {key(1): full, key(2): bare}


def test_what_replies_took_is_summed_by_model(tmp_path):
    """Of those alone of which everything is known."""
    with Store(tmp_path / "s.sqlite") as store:
        store.put(
            [
                Kept(key(1), "m", "a", 10, 12, 3),
                Kept(key(2), "m", "b", 20, 25, 4),
                Kept(key(3), "m", "c", None, 99, 99),
                Kept(key(4), "m", "d", 99, None, 99),
                Kept(key(5), "n", "e", 1, 1, 1),
            ]
        )
        assert store.seen("m") == Seen(2, 30, 37, 7)
        assert store.seen("x") == Seen(0, 0, 0, 0)


def test_a_claim_is_given_once(tmp_path):
    """Until a reply is put, it is let go, or its owner leaves."""
    with Store(tmp_path / "s.sqlite") as one, Store(tmp_path / "s.sqlite") as two:
        first = one.claim([key(1), key(2), key(1)])
        assert (first.known, first.mine, first.busy) == ({}, {key(1), key(2)}, frozenset())
        second = two.claim([key(2), key(3)])
        assert (second.mine, second.busy) == ({key(3)}, {key(2)})
        assert one.claim([key(1)]).busy == {key(1)}
        reply = Kept(key(1), "m", "a")
        one.put([reply], let_go=[key(2)])
        third = two.claim([key(1), key(2)])
        assert (third.known, third.mine, third.busy) == ({key(1): reply}, {key(2)}, frozenset())
        two.leave()
        assert one.claim([key(2), key(3)]).mine == {key(2), key(3)}


@pytest.mark.slow
def test_claims_of_a_dead_process_are_taken_over(tmp_path):
    """At once, though they have not expired; a process that nobody has waited for is dead too."""
    path = tmp_path / "s.sqlite"
    program = (
        "import sys, os, signal\nfrom pathlib import Path\n"
        "from evaluation.runner.store import Store\n"
        "Store(Path(sys.argv[1])).claim([bytes([1]) * 32])\nos.kill(os.getpid(), signal.SIGKILL)"
    )
    root = str(Path(__file__).parents[3])
    process = subprocess.Popen([sys.executable, "-c", program, path], env={"PYTHONPATH": root})
    # Its end is seen, and it is not waited for.
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    with Store(path) as store:
        assert store.claim([key(1)]).mine == {key(1)}
    assert process.wait() == -9


@pytest.mark.parametrize(("age", "mine"), [(59.0, False), (61.0, True)])
def test_claims_of_a_silent_process_expire(tmp_path, monkeypatch, age, mine):
    """A minute after its last sign of life, though it still lives."""
    with Store(tmp_path / "s.sqlite") as one, Store(tmp_path / "s.sqlite") as two:
        one.claim([key(1)])
        now = time.time()
        monkeypatch.setattr(module.time, "time", lambda: now + age)
        assert bool(two.claim([key(1)]).mine) is mine
