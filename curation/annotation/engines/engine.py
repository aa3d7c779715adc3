"""What every translation engine offers and needs, and the run that sends what is missing.

It sends in batches, by a few workers; each reply is kept as soon as it is there.
"""

import hashlib
import json
import queue
import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from curation.files.handles import SqliteFile
from curation.files.tables import read_table
from curation.languages import LanguageOrCode
from curation.records.bank import Group
from curation.records.culture import TranslationSettings
from curation.records.messages import CurateError, counted, shortened
from curation.slots.protection import escape
from curation.web import Caller, Client, NoReply, Scrubber, meaning, service_address

_TAG = re.compile(r"<[^<>]*>")
_AGAIN = "run the same command again: only what is missing is sent"


class Reply(NamedTuple):
    """One text as it came back, and the characters billed for it; None where that is not said."""

    text: str
    billed: int | None


class FaultKind(StrEnum):
    """What a failed request means for the run.

    `stop`: nothing more can be sent. `busy`: refused unread, and may be sent again.
    `too_large`: refused unread, and may be sent in parts. `unanswered`: it may have been read
    and billed, so it is not sent again in the same run.
    """

    STOP = "stop"
    BUSY = "busy"
    TOO_LARGE = "too_large"
    UNANSWERED = "unanswered"


class EngineFault(CurateError):
    """A request that failed.

    Args:
        kind: What it means for the run.
        what: What happened, one line; never holds a key.
        hint: What to do, one line.
        billed: Whether a request that stops the run may have been billed.
    """

    def __init__(self, kind: FaultKind, what: str, hint: str = "", *, billed: bool = False) -> None:
        super().__init__(what, hint=hint)
        self.kind = kind
        self.billed = billed or kind is FaultKind.UNANSWERED


class Service:
    """An engine with its settings; where it says nothing else, one that sends and bills nothing.

    Several workers may ask it at one time.

    Attributes:
        name: Of the engine.
        is_free: Whether it bills nothing.
        most_texts: How many texts one request holds.
        most_bytes: How many bytes the body of one request holds.
        sees_context: Whether a reply depends on the context of its text.
    """

    name: ClassVar[str]
    is_free: ClassVar[bool] = True
    most_texts: ClassVar[int] = 500
    most_bytes: ClassVar[int] = 1 << 24
    sees_context: ClassVar[bool] = True

    def signature(self, text: str) -> str:
        """Every option that the reply to a text depends on, but the text and its context."""
        raise NotImplementedError

    def size(self, texts: Sequence[str], context: str) -> int:
        """The bytes of a request's body."""
        return sum(map(len, texts)) + len(context)

    def prepare(self) -> None:
        """Do once what requests need, such as a glossary, before the first of them.

        Raises:
            CurateError: If a key is missing, or the engine refuses.
        """
        self.key()

    def key(self) -> str:
        """The key; empty for an engine that needs none.

        Raises:
            CurateError: If it is missing.
        """
        return ""

    def left(self) -> int | None:
        """The characters that the account may still use; None where the engine sets no limit.

        Raises:
            CurateError: If a key is missing, or the engine refuses it.
        """
        return None

    def translate(self, texts: Sequence[str], context: str) -> Sequence[Reply | None]:
        """Translate texts (XML with slots as tags `x`), in order; None for one without a reply.

        Raises:
            EngineFault: If that failed.
        """
        raise NotImplementedError

    def fault(self, what: int | str | None, message: str = "") -> EngineFault:
        """What a failure means for the run, as `curation.web.meaning` says, without the key.

        Args:
            what: The HTTP status, or what happened where there is none.
            message: What the engine says itself.
        """
        said = Scrubber(self.key()).clean(message)
        known = meaning(self.name, what, message=said, again=_AGAIN)
        kind = FaultKind(known["kind"])
        return EngineFault(kind, known["what"], known["hint"], billed=known["billed"])

    def close(self) -> None:
        """Let the connections go; they are opened again when they are used."""


Glossary = tuple[tuple[str, str], ...]
"""Words and their translations, in order; empty without a glossary."""


@dataclass
class ServerService(Service):
    """An engine on a server, which bills what it translates.

    Attributes:
        settings: What to ask for.
        server: The address that paths stand behind.
    """

    settings: TranslationSettings
    _caller: Caller | None = field(default=None, init=False, repr=False)
    _opening: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)
    is_free: ClassVar[bool] = False

    @property
    def server(self) -> str:
        """Its address."""
        raise NotImplementedError

    def headers(self) -> dict[str, str]:
        """What is sent with every request.

        Raises:
            CurateError: If a key is missing.
        """
        return {}

    def prepare(self) -> None:
        """Look at key and address, before a text is noted as sent.

        Raises:
            CurateError: If a key is missing, or the address is none.
        """
        super().prepare()
        self._opened()

    def _opened(self) -> tuple[str, Caller]:
        """The address, and who calls it."""
        where, such = f"the server of {self.name}", "http://localhost:5000"
        server = service_address(self.server, where, such)
        with self._opening:
            if self._caller is None:
                timeout = float(self.settings.timeout)
                self._caller = Caller(Client(server, self.headers(), timeout))
            return server, self._caller

    def call(self, path: str, body: Mapping[str, object] | None = None) -> Any:
        """Send a body as JSON, or ask for what is at a path.

        Returns:
            The JSON of the reply; None where it is none.

        Raises:
            EngineFault: If there is no reply, or the server refuses.
            CurateError: If a key is missing, or the address is none.
        """
        (server, caller), data = self._opened(), None
        if body is not None:
            data = json.dumps(body).encode()
        method, headers = "GET" if data is None else "POST", {"Content-Type": "application/json"}
        answer = caller.send(method, f"{server}{path}", data, headers)
        if isinstance(answer, NoReply):
            raise self.fault(answer.cause, answer.said)
        try:
            value = json.loads(answer.body)
        except (ValueError, RecursionError):
            value = None
        if not 200 <= answer.status < 300:
            raise self.refused(answer.status, value)
        return value

    def refused(self, status: int, value: Any) -> EngineFault:
        """What a refusal means, of which the server says why as `message` or `error`."""
        found = value if isinstance(value, dict) else {}
        said = found.get("error", found.get("message"))
        said = said.get("message") if isinstance(said, dict) else said
        return self.fault(status, str(said or "no reason given"))

    def close(self) -> None:
        """Let the connections go."""
        if self._caller is not None:
            self._caller.close()
            self._caller = None


@dataclass
class OfLanguages(ServerService):
    """An engine that translates, with the workspace's settings.

    Attributes:
        source: ISO 639-1 code of the source texts, or their language.
        target: The culture's language.
        glossary: Words with fixed translations.
    """

    source: LanguageOrCode
    target: LanguageOrCode
    glossary: Glossary = ()


WITHOUT_KEY = (
    "; or without a key: --engine FILE uses translations that you have, 'curate translate sheet' "
    "is for translating by hand, --engine pseudo for a trial"
)
"""What a translation can be done with where there is no key."""


def glossary_part(glossary: Glossary, texts: Sequence[str]) -> Glossary:
    """The entries whose source occurs in texts as they are sent, in whatever case.

    On others a reply does not depend: a new entry sends no text again but those that have it.
    """
    text = "\n".join(_TAG.sub("", one) for one in texts).casefold()
    return tuple(entry for entry in glossary if escape(entry[0]).casefold() in text)


def glossary_digest(glossary: Glossary) -> str:
    """A hash of the entries, whatever their order; empty for none."""
    data = json.dumps(sorted(glossary), ensure_ascii=False)
    return hashlib.sha256(data.encode()).hexdigest() if glossary else ""


def glossary_of_groups(groups: Iterable[Group]) -> Glossary:
    """What people call groups that the source calls by their keys.

    A key is what the source calls a group. What is called differently in two categories is left
    out, for a text does not say which is meant.
    """
    named: dict[str, str] = {}
    several: set[str] = set()
    for group in groups:
        is_named = group.group != group.key and not group.same_as
        if is_named and named.setdefault(group.key, group.group) != group.group:
            several.add(group.key)
    return tuple((key, name) for key, name in named.items() if key not in several)


def read_glossary(path: Path) -> Glossary:
    """Read a glossary.

    Raises:
        CurateError: If it cannot be read, a cell is empty, or a word occurs twice.
    """
    entries = read_table(path, required=("source", "target")).pairs("source", "target")
    for source, target in entries.items():
        if any(ord(char) < 32 for char in source + target):
            what = f"'{source.splitlines()[0]}': an entry of the glossary holds a line break or tab"
            raise CurateError(what, str(path))
    return tuple(entries.items())


_SCHEMA = """
CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, engine TEXT NOT NULL, text TEXT NOT NULL, reply TEXT NOT NULL,
    billed INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sent (key TEXT PRIMARY KEY, characters INTEGER NOT NULL) WITHOUT ROWID;
"""


def reply_key(signature: str, context: str, text: str) -> str:
    """Hash what a reply depends on."""
    data = json.dumps([signature, context, text], ensure_ascii=False)
    return hashlib.sha256(data.encode("utf-8", "surrogatepass")).hexdigest()


class Memory(SqliteFile):
    """Replies by key; used by several threads at once, each write a transaction.

    Args:
        path: The SQLite file; it is made when something is first written.
        read_only: Whether nothing will be written: a file that is not there stays so.
        what: What it is to the user.

    Raises:
        CurateError: If the file is damaged or cannot be written.
    """

    def __init__(
        self, path: Path, *, read_only: bool = False, what: str = "the translation memory"
    ) -> None:
        super().__init__(
            path,
            what,
            hint="check the folder's permissions and the free space",
            damaged="it is damaged: restore a copy, or delete it; its texts are then billed again",
            wait_s=30,
            read_only=read_only,
        )
        if self.database is not None:
            with self.opening() as database:
                database.execute("PRAGMA journal_mode=WAL")
                database.execute("PRAGMA synchronous=FULL")
                database.executescript(_SCHEMA)

    def find(self, keys: Sequence[str]) -> dict[str, str]:
        """The replies that are known, by key."""
        if self.database is None:
            return {}
        with self.using():
            return dict(self.select("SELECT key, reply FROM replies WHERE key IN", keys))

    def billed(self, engine: str) -> int:
        """The characters that an engine has billed so far."""
        query = "SELECT 0, COALESCE(SUM(billed), 0) FROM replies WHERE engine = ?"
        return self._numbers(query, engine)[1]

    def unanswered(self) -> tuple[int, int]:
        """How many texts were sent without a reply, and their characters."""
        return self._numbers("SELECT COUNT(*), COALESCE(SUM(characters), 0) FROM sent")

    def _numbers(self, query: str, *values: str) -> tuple[int, int]:
        if self.database is None:
            return 0, 0
        with self.using() as database:
            one, two = database.execute(query, values).fetchone()
        return int(one), int(two)

    def note_sent(self, items: Iterable[tuple[str, int]]) -> None:
        """Note keys with their characters, before they are sent."""
        with self.writing() as database:
            database.executemany("INSERT OR REPLACE INTO sent VALUES (?, ?)", items)

    def forget_sent(self, keys: Iterable[str]) -> None:
        """Take back the note on keys that were refused unread."""
        with self.writing() as database:
            database.executemany("DELETE FROM sent WHERE key = ?", ((key,) for key in keys))

    def forget_all_sent(self) -> None:
        """Take back every note, once it has been said."""
        with self.writing() as database:
            database.execute("DELETE FROM sent")

    def store(self, engine: str, items: Sequence[tuple[str, str, str, int]]) -> None:
        """Keep the replies of one request, all or none: key, text, reply, billed characters."""
        rows = [(key, engine, *more) for key, *more in items]
        with self.writing() as database:
            database.executemany("INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?, ?)", rows)
            database.executemany("DELETE FROM sent WHERE key = ?", ((row[0],) for row in rows))


def over_budget(service: Service, budget: int | None, characters: int, memory: Memory) -> str:
    """Say that a budget or the account's quota would be exceeded; empty where it would not.

    Args:
        service: The engine.
        budget: Characters that may be billed in all; None without a budget.
        characters: Those that are to be sent.
        memory: What knows what was billed.
    """
    if service.is_free:
        return ""
    reasons = []
    left = service.left()
    if left is not None and characters > left:
        reasons.append(f"the account has {left:,} characters left")
    spent = memory.billed(service.name)
    if budget is not None and spent + characters > budget:
        reasons.append(f"the budget is {budget:,} characters, {spent:,} of them billed so far")
    sent = f"{characters:,} characters are to be sent"
    return f"{sent}, and {' and '.join(reasons)}" if reasons else ""


def price_of(characters: int, settings: TranslationSettings) -> Fraction | None:
    """The price of characters; None where no price is stated."""
    return None if settings.price is None else settings.price * characters / 1_000_000


def cost_text(characters: int, settings: TranslationSettings, *, free: bool = False) -> str:
    """What characters cost, in words."""
    if free:
        return f"{characters:,} characters, free of charge"
    price = price_of(characters, settings)
    if price is None:
        return f"{characters:,} characters"
    return f"{characters:,} characters, {float(price):,.2f} {settings.currency}".rstrip()


PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0)
"""Seconds between one and the next attempt at a request that was refused unread."""
_MOST_UNANSWERED = 3
_NAMED, _SHOWN = 3, 40
_SLOT = re.compile(r"<x id[^<>]*>(?:[^<>]*</x>)?")


class TextToSend(NamedTuple):
    """A text to send, with its context and the characters that it should cost."""

    wire: str
    context: str
    characters: int


@dataclass
class Outcome:
    """What came of a run.

    Attributes:
        requests: Requests that were answered.
        answered: Texts in them.
        billed: Characters that the engine says it billed.
        stopped: Why the run ended early; None when it did not.
        unanswered: What was sent without a reply, and may have been billed.
        reason: What happened to the last of them.
        refused: Texts that the engine does not take, such as one larger than a request.
    """

    requests: int = 0
    answered: int = 0
    billed: int = 0
    stopped: EngineFault | None = None
    unanswered: list[TextToSend] = field(default_factory=list)
    reason: EngineFault | None = None
    refused: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Listener:
    """Receives the progress of a run, and answers its questions.

    Attributes:
        tell: Takes a line.
        progress: Told how many texts of how many were answered, from any thread; both are the
            same when a round is over.
        confirm: Asked before a budget or a quota is exceeded; nobody can be where it is None.
    """

    tell: Callable[[str], None] = lambda _line: None
    progress: Callable[[int, int], None] = lambda _done, _all: None
    confirm: Callable[[str], bool] | None = None


def tell_unanswered(memory: Memory, listener: Listener, what: str = "text") -> None:
    """Say once what an earlier run sent without a reply, and may be billed twice."""
    texts, characters = memory.unanswered()
    if texts:
        listener.tell(
            f"Note: an earlier run ended before the reply to {counted(texts, what)}; "
            f"{characters:,} characters may have been billed for them, and will be again."
        )
        memory.forget_all_sent()


def problem_of(outcome: Outcome, what: str, refused_hint: str) -> CurateError | None:
    """Why not everything was sent and answered; None when it was.

    Args:
        outcome: What came of it.
        what: What was sent, one of them.
        refused_hint: What to do about what the engine does not take.
    """
    if outcome.stopped is not None:
        return outcome.stopped
    if outcome.unanswered and outcome.reason is not None:
        texts = [f"'{_shown(item.wire)}'" for item in outcome.unanswered]
        characters = sum(item.characters for item in outcome.unanswered)
        said = f"{counted(len(texts), what)} without a reply: {shortened(texts, _NAMED)}"
        where = f"{characters:,} characters that may have been billed"
        return CurateError(f"{outcome.reason.what}: {said}", where, outcome.reason.hint)
    if outcome.refused:
        count = counted(len(outcome.refused), what)
        return CurateError(f"the engine refuses {count}", "", refused_hint)
    return None


def _shown(wire: str) -> str:
    text = _SLOT.sub("[...]", wire)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


Batch = tuple[TextToSend, ...]


def batches(items: Iterable[TextToSend], service: Service) -> list[Batch]:
    """Divide items into requests: one context each, within the engine's limits.

    An item that is too large alone is a batch of its own.
    """
    by_context: dict[str, list[TextToSend]] = {}
    for item in items:
        by_context.setdefault(item.context, []).append(item)
    made: list[Batch] = []
    for context, members in by_context.items():
        batch: list[TextToSend] = []
        for item in members:
            larger = [*(member.wire for member in batch), item.wire]
            full = len(larger) > service.most_texts
            if batch and (full or service.size(larger, context) > service.most_bytes):
                made.append(tuple(batch))
                batch = []
            batch.append(item)
        made.append(tuple(batch))
    return made


def send(
    items: Sequence[TextToSend],
    service: Service,
    memory: Memory,
    workers: int,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
    outcome: Outcome | None = None,
) -> Outcome:
    """Send items and keep what comes back.

    Args:
        items: What is missing; each text with its context once.
        service: The engine.
        memory: Where replies are kept, each request a transaction.
        workers: Requests under way at one time.
        progress: Told how many texts of how many were answered, from any thread; both are the
            same when the run is over.
        outcome: What came of earlier items, to which this is added.

    Raises:
        CurateError: If the memory cannot be written, or a key is missing.
    """
    outcome = outcome or Outcome()
    before = outcome.answered
    run = _Run(service, memory, outcome, lambda done: progress(done - before, len(items)))
    for batch in batches(items, service):
        run.queue.put(batch)
    count = min(workers, run.queue.qsize())
    threads = [threading.Thread(target=run.work, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            while thread.is_alive():
                thread.join(0.2)
    except KeyboardInterrupt:
        # What is under way is paid for: wait for it.
        run.stop.set()
        for thread in threads:
            thread.join()
        raise
    finally:
        service.close()
    if run.error is not None:
        raise run.error
    progress(len(items), len(items))
    return outcome


class _Run:
    """What the workers of one run share."""

    def __init__(
        self, service: Service, memory: Memory, outcome: Outcome, progress: Callable[[int], None]
    ) -> None:
        self.service, self.memory = service, memory
        self.outcome, self.progress = outcome, progress
        self.queue: queue.SimpleQueue[Batch] = queue.SimpleQueue()
        self.stop = threading.Event()
        self.lock = threading.Lock()
        self.error: Exception | None = None
        self.silent = 0
        self.lost: dict[str, int] = {}  # what replies may have cost in which a text was missing

    def work(self) -> None:
        """Send batches until none is left or the run is stopped."""
        try:
            while not self.stop.is_set():
                self._attempt(self.queue.get_nowait())
        except queue.Empty:
            return
        except Exception as error:  # noqa: BLE001  # handed to the main thread, which raises it
            self.error = self.error or error
            self.stop.set()

    def _attempt(self, batch: Batch) -> None:
        for pause in (*PAUSES, None):
            try:
                missing = self._once(batch)
            except EngineFault as fault:
                if fault.kind is not FaultKind.BUSY:
                    self._failed(batch, fault)
                    return
                if pause is None:
                    self._failed(batch, EngineFault(FaultKind.STOP, fault.what, fault.hint))
                elif self.stop.wait(pause):
                    return
            else:
                # Nobody knows which replies are theirs, or the engine left them out.
                if missing and len(batch) == 1:
                    self._failed(missing, self.service.fault("short"))
                elif len(missing) == len(batch):
                    self._halve(batch)
                else:
                    for item in missing:
                        self.queue.put((item,))
                return

    def _once(self, batch: Batch) -> Batch:
        """Send a batch once and keep the replies; gives what has none."""
        signed = self.service.signature
        keys = [reply_key(signed(item.wire), item.context, item.wire) for item in batch]
        counted = [(key, item.characters) for key, item in zip(keys, batch, strict=True)]
        if not self.service.is_free:
            self.memory.note_sent(counted)
        try:
            sent, context = [item.wire for item in batch], batch[0].context
            if self.service.size(sent, context) > self.service.most_bytes:
                raise EngineFault(FaultKind.TOO_LARGE, "a text is too large for one request")
            replies = self.service.translate(sent, context)
        except EngineFault as fault:
            if not fault.billed and not self.service.is_free:
                self.memory.forget_sent(keys)
            raise
        rows, missing = [], []
        for key, item, reply in zip(keys, batch, replies, strict=True):
            # What an engine does not say is counted as it was estimated.
            billed = item.characters if reply is None or reply.billed is None else reply.billed
            if reply is None:
                self.lost[key] = billed + self.lost.get(key, 0)
                missing.append(item)
            else:
                rows.append((key, item.wire, reply.text, billed + self.lost.pop(key, 0)))
        self.memory.store(self.service.name, rows)
        with self.lock:
            self.outcome.requests += 1
            self.outcome.answered += len(rows)
            self.outcome.billed += sum(billed for *_, billed in rows)
            self.progress(self.outcome.answered)
        return tuple(missing)

    def _halve(self, batch: Batch) -> None:
        middle = len(batch) // 2
        self.queue.put(batch[:middle])
        self.queue.put(batch[middle:])

    def _failed(self, batch: Batch, fault: EngineFault) -> None:
        with self.lock:
            if fault.kind is FaultKind.TOO_LARGE:
                if len(batch) == 1:
                    self.outcome.refused.append(batch[0].wire)
                else:
                    self._halve(batch)
                return
            if fault.billed:
                self.outcome.unanswered += batch
                self.outcome.reason = fault
            if fault.kind is FaultKind.STOP:
                self.outcome.stopped = self.outcome.stopped or fault
                self.stop.set()
                return
            self.silent += 1
            if self.silent >= _MOST_UNANSWERED:
                self.stop.set()
