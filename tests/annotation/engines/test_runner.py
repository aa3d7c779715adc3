"""Sending what is missing."""

import threading
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import ClassVar

import pytest

from curation.annotation.engines import engine
from curation.annotation.engines.engine import (
    EngineFault,
    FaultKind,
    Memory,
    Reply,
    Service,
    TextToSend,
    batches,
    over_budget,
    send,
)
from curation.records.messages import CurateError


@dataclass
class Fake(Service):
    """An engine in this process, that fails as is asked for at each request."""

    faults: list[EngineFault | Exception | None] = field(default_factory=list)
    most_texts: ClassVar[int] = 3
    most_bytes: ClassVar[int] = 40
    name: ClassVar[str] = "deepl"
    is_free: ClassVar[bool] = False
    sent: list[tuple[str, ...]] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def signature(self, text):
        del text
        return "fake"

    def translate(self, texts, context):
        del context
        with self.lock:
            self.sent.append(tuple(texts))
            fault = self.faults.pop(0) if self.faults else None
        if fault is not None:
            raise fault
        return [Reply(text.upper(), len(text)) for text in texts]


def items(count, context=""):
    return [TextToSend(f"text{at}", context, 5) for at in range(count)]


def test_a_request_has_one_context_and_keeps_to_the_limits():
    """In texts and in bytes; a text that is too large alone is alone."""
    mixed = [
        *items(4, "a"),
        *items(2, "b"),
        TextToSend("x" * 60, "a", 60),
        TextToSend("y" * 30, "a", 30),
    ]
    found = batches(mixed, Fake())
    assert [[item.wire[:5] for item in batch] for batch in found] == [
        ["text0", "text1", "text2"],
        ["text3"],
        ["xxxxx"],
        ["yyyyy"],
        ["text0", "text1"],
    ]
    assert all(len({item.context for item in batch}) == 1 for batch in found)


def test_a_busy_engine_is_waited_for_longer_each_time(tmp_path, monkeypatch):
    """Until the run is stopped elsewhere: then it is not asked again."""
    waits, ends = [], []
    stopping = SimpleNamespace(
        wait=lambda pause: waits.append(pause) or bool(ends), set=lambda: None
    )
    monkeypatch.setattr(engine, "PAUSES", (1.0, 2.0))
    busy = Fake([EngineFault(FaultKind.BUSY, "busy", "later") for _ in range(9)])
    with Memory(tmp_path / "m.sqlite") as memory:
        run = engine._Run(busy, memory, engine.Outcome(), lambda _done: None)
        run.stop = stopping
        run._attempt(tuple(items(1)))
        assert (waits, len(busy.sent), run.outcome.stopped.what) == ([1.0, 2.0], 3, "busy")
        ends.append(True)
        run._attempt(tuple(items(1)))
        assert (waits, len(busy.sent)) == ([1.0, 2.0, 1.0], 4)


def test_what_is_too_large_is_halved_until_it_fits(tmp_path):
    """What is too large alone is left out, and a note says so."""
    large = EngineFault(FaultKind.TOO_LARGE, "large")
    engine = Fake([large, large])
    with Memory(tmp_path / "m.sqlite") as memory:
        outcome = send(items(3), engine, memory, 1)
    assert engine.sent[:3] == [("text0", "text1", "text2"), ("text0",), ("text1", "text2")]
    assert outcome.refused == ["text0"]
    assert (outcome.answered, outcome.stopped) == (2, None)


def test_after_three_requests_without_a_reply_no_more_is_risked(tmp_path):
    """Each may have been billed."""
    engine = Fake([EngineFault(FaultKind.UNANSWERED, "lost") for _ in range(9)])
    with Memory(tmp_path / "m.sqlite") as memory:
        outcome = send(items(15), engine, memory, 1)
        assert memory.unanswered() == (9, 45)
    assert (len(engine.sent), len(outcome.unanswered)) == (3, 9)


def test_a_budget_may_be_used_up(tmp_path):
    """To the last character, with what was billed before."""
    with Memory(tmp_path / "m.sqlite") as memory:
        memory.store("deepl", [("1", "text", "reply", 4)])
        assert over_budget(Fake(), 10, 6, memory) == ""
        assert "10 characters, 4 of them billed" in over_budget(Fake(), 10, 7, memory)


def test_a_fault_of_ours_is_not_swallowed(tmp_path):
    """It reaches the user as what it is."""
    with Memory(tmp_path / "m.sqlite") as memory:
        with pytest.raises(ZeroDivisionError):
            send(items(3), Fake([ZeroDivisionError()]), memory, 2)
        with pytest.raises(CurateError):
            send(items(3), Fake([CurateError("no key")]), memory, 2)
