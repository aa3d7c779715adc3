"""The store: keys, replies, and claims of those who live."""

import os
import sqlite3
import subprocess
import sys
import threading
import time
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.records.errors import CurateError
from evaluation.runner import store as module
from evaluation.runner.store import Kept, Seen, Store, reply_key

MESSAGES = [{"role": "user", "content": "Wer summt? 누가?"}]


def key(number: int) -> bytes:
    """Make a key."""
    return bytes([number]) * 32


def test_a_key_is_the_hash_of_canonical_json() -> None:
    """Written out by hand: sorted names, no blanks, signs as they are."""
    text = (
        '{"messages":[{"content":"Wer summt? 누가?","role":"user"}],"model":"m",'
        '"parameters":{"max_tokens":16,"temperature":0}}'
    )
    found = reply_key("m", {"temperature": 0, "max_tokens": 16}, MESSAGES)
    assert found == sha256(text.encode()).digest()


@given(
    st.dictionaries(st.text(min_size=1), st.integers() | st.text() | st.booleans(), min_size=1),
    st.randoms(),
)
def test_a_key_depends_on_what_is_sent_and_not_on_its_order(
    parameters: dict[str, object], draw: object
) -> None:
    """Every change of a parameter, the model or a message is another key."""
    names = list(parameters)
    draw.shuffle(names)  # type: ignore[attr-defined]
    found = reply_key("m", parameters, MESSAGES)
    assert reply_key("m", {name: parameters[name] for name in names}, MESSAGES) == found
    others = [
        reply_key("n", parameters, MESSAGES),
        reply_key("m", {}, MESSAGES),
        reply_key("m", parameters, [*MESSAGES, *MESSAGES]),
        reply_key("m", {**parameters, names[0]: [parameters[names[0]]]}, MESSAGES),
    ]
    assert len({found, *others}) == 5


def test_what_is_no_json_has_no_key() -> None:
    """Half of a surrogate pair cannot be sent; no more can a number that is none."""
    with pytest.raises(ValueError, match="surrogates"):
        reply_key("m", {}, [{"role": "user", "content": "\ud800"}])
    with pytest.raises(ValueError, match="not JSON compliant"):
        reply_key("m", {"temperature": float("nan")}, MESSAGES)


def test_replies_are_found_as_they_were_put(tmp_path: Path) -> None:
    """By another connection too, and the first reply to a key stays."""
    full = Kept(key(1), "m", "답\x00\n", 7, 5, 3, 0.25, "stop", '{"kind": "content_filter"}')
    bare = Kept(key(2), "m", "")
    with Store(tmp_path / "a" / "s.sqlite") as store:
        store.put([full, bare])
        store.put([Kept(key(1), "m", "another")])
    with Store(tmp_path / "a" / "s.sqlite", read_only=True) as store:
        assert store.find([key(1), key(2), key(3)]) == {key(1): full, key(2): bare}


def test_many_keys_are_found_at_once(tmp_path: Path) -> None:
    """More than SQLite takes in one query."""
    keys = [number.to_bytes(32, "big") for number in range(2500)]
    with Store(tmp_path / "s.sqlite") as store:
        store.put([Kept(item, "m", str(at)) for at, item in enumerate(keys)])
        found = store.find(keys)
        claims = store.claim(keys)
    assert [found[item].reply for item in keys] == [str(at) for at in range(2500)]
    assert (len(claims.known), claims.mine, claims.busy) == (2500, frozenset(), frozenset())


def test_what_replies_took_is_summed_by_model(tmp_path: Path) -> None:
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


def test_a_claim_is_given_once(tmp_path: Path) -> None:
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


def test_nobody_ends_the_claims_of_others(tmp_path: Path) -> None:
    """Letting go or putting what another one has claimed leaves the claim as it is."""
    with Store(tmp_path / "s.sqlite") as one, Store(tmp_path / "s.sqlite") as two:
        one.claim([key(1)])
        two.put([], let_go=[key(1)])
        assert two.claim([key(1)]).busy == {key(1)}


@pytest.mark.slow
def test_claims_of_a_dead_process_are_taken_over(tmp_path: Path) -> None:
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
def test_claims_of_a_silent_process_expire(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, age: float, mine: bool
) -> None:
    """A minute after its last sign of life, though it still lives."""
    with Store(tmp_path / "s.sqlite") as one, Store(tmp_path / "s.sqlite") as two:
        one.claim([key(1)])
        now = time.time()
        monkeypatch.setattr(module.time, "time", lambda: now + age)
        assert bool(two.claim([key(1)]).mine) is mine


def test_a_sign_of_life_keeps_claims(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However old they are."""
    with Store(tmp_path / "s.sqlite") as one, Store(tmp_path / "s.sqlite") as two:
        one.claim([key(1)])
        now = time.time()
        monkeypatch.setattr(module.time, "time", lambda: now + 55)
        one.beat()
        monkeypatch.setattr(module.time, "time", lambda: now + 110)
        assert two.claim([key(1)]).busy == {key(1)}


def test_another_machine_is_judged_by_its_signs_of_life_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its process numbers mean nothing here."""
    with Store(tmp_path / "s.sqlite") as one, Store(tmp_path / "s.sqlite") as two:
        monkeypatch.setattr(module, "_place", lambda: "elsewhere")
        monkeypatch.setattr(module.os, "getpid", lambda: 2**22 + 1)  # no process has it
        one.claim([key(1)])
        monkeypatch.setattr(module, "_place", lambda: "here")
        assert two.claim([key(1)]).busy == {key(1)}


def test_many_threads_claim_everything_once(tmp_path: Path) -> None:
    """Each with a connection of its own, opened at the same time."""
    keys = [number.to_bytes(32, "big") for number in range(400)]
    found: list[bytes] = []
    start = threading.Barrier(6)

    def work() -> None:
        start.wait()
        with Store(tmp_path / "s.sqlite") as store:
            for at in range(0, len(keys), 8):
                found.extend(store.claim(keys[at : at + 8]).mine)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == keys


def test_only_reading_makes_no_file(tmp_path: Path) -> None:
    """And knows nothing where there is none."""
    with Store(tmp_path / "a" / "s.sqlite", read_only=True) as store:
        assert store.find([key(1)]) == {}
        assert store.seen("m") == Seen(0, 0, 0, 0)
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    """With what to do; it stays as it is."""
    path = tmp_path / "s.sqlite"
    path.write_bytes(b"something else entirely" * 50)
    with pytest.raises(CurateError, match="not a database") as refused:
        Store(path)
    assert refused.value.where == str(path)
    assert "delete it" in refused.value.hint
    assert path.read_bytes() == b"something else entirely" * 50


def test_a_store_of_another_version_is_refused(tmp_path: Path) -> None:
    """It is not guessed what it means."""
    path = tmp_path / "s.sqlite"
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 7")
    database.close()
    with pytest.raises(CurateError, match="of version 7, not 1"):
        Store(path)


def test_a_failed_write_leaves_the_store_usable(tmp_path: Path) -> None:
    """All or nothing: of a bad row and a good one neither is kept."""
    good = Kept(key(1), "m", "a")
    with Store(tmp_path / "s.sqlite") as store:
        with pytest.raises(CurateError, match="cannot be used"):
            store.put([good, Kept(key(2), None, "b")])  # type: ignore[arg-type]
        assert store.find([key(1)]) == {}
        store.put([good])
        assert store.find([key(1)]) == {key(1): good}


def test_a_store_of_before_is_read_and_grows(tmp_path: Path) -> None:
    """One without the column that was added last holds what it held, for readers and writers."""
    path = tmp_path / "store.sqlite"
    with Store(path) as store:
        store.put([Kept(key(1), "m", "A", error=None)])
    with sqlite3.connect(path) as database:
        database.execute("ALTER TABLE replies DROP COLUMN more")
    database.close()
    with Store(path, read_only=True) as store:
        assert store.find([key(1)]) == {key(1): Kept(key(1), "m", "A")}
    with Store(path) as store:
        store.put([Kept(key(2), "m", "B", more='{"reasoning": "Hm."}')])
        assert store.find([key(1), key(2)])[key(2)].more == '{"reasoning": "Hm."}'
