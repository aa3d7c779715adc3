"""The translation memory."""

import pytest

from curation.annotation.engines.engine import Memory, reply_key
from curation.records.messages import CurateError


def test_a_key_depends_on_everything():
    """And no two of its parts can be taken for one another."""
    keys = {
        reply_key("a", "b", "c"),
        reply_key("ab", "", "c"),
        reply_key("a", "bc", ""),
        reply_key("a", "b", "c\n"),
    }
    assert len(keys) == 4
    assert reply_key("a", "b", "\ud800")


def test_what_is_stored_is_found_again(tmp_path):
    """By another process too, and however many are looked for at once."""
    path = tmp_path / "memory.sqlite"
    with Memory(path) as memory:
        memory.store("deepl", [(str(at), "text", f"reply {at}", 2) for at in range(1200)])
    with Memory(path, read_only=True) as memory:
        found = memory.find([str(at) for at in range(2000)])
        assert (len(found), found["7"]) == (1200, "reply 7")
        assert (memory.billed("deepl"), memory.billed("openai")) == (2400, 0)


def test_a_request_is_kept_whole_or_not_at_all(tmp_path):
    """One row that cannot be written takes the others with it."""
    with Memory(tmp_path / "memory.sqlite") as memory:
        broken = [("1", "text", "good", 1), ("2", None, "bad", 1)]
        with pytest.raises(CurateError):
            memory.store("deepl", broken)  # what the test is about
        assert memory.find(["1"]) == {}


def test_what_was_sent_without_a_reply_is_remembered(tmp_path):
    """Until the reply comes, or the request is refused."""
    with Memory(tmp_path / "memory.sqlite") as memory:
        memory.note_sent([("1", 10), ("2", 20), ("3", 30)])
        memory.store("deepl", [("1", "text", "reply", 10)])
        memory.forget_sent(["2"])
        assert memory.unanswered() == (1, 30)
        memory.forget_all_sent()
        assert memory.unanswered() == (0, 0)
