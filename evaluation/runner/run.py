"""A run: requests asked many at once until none is left, or something ends it."""

import asyncio
import random
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace

from evaluation.loop import complete
from evaluation.requests import Request, messages_hash
from evaluation.runner.backend import Backend, BatchBackend, Failure, FailureKind, Outcome
from evaluation.runner.batching import Batching
from evaluation.runner.costs import Purse
from evaluation.runner.feed import Feed, Item
from evaluation.runner.index import RequestIndex
from evaluation.runner.recorder import Recorder, Save
from evaluation.runner.replied import same_model
from evaluation.runner.reply_file import ReplyFile, kept_of, reply_line
from evaluation.runner.store import Store
from evaluation.runner.tally import Ending, Tally

ALIKE = 20
"""Requests in a row that end with a failure of one kind before the run stops."""
FIRST_PAUSE_S = 0.5
"""Seconds before a request is sent again for the first time; then twice as long."""
LONGEST_PAUSE_S = 30.0
"""The most of these."""
TICK_S = 0.25
"""Seconds between two reports of how far the run is."""
_LEAST_CHUNK = 64
_AGAIN = "run the same command again: only what has no reply is asked"


@dataclass(frozen=True, slots=True)
class Limits:
    """How a run asks.

    Attributes:
        concurrency: Requests at once.
        max_retries: How often a request is sent again.
        limit: The most requests that are asked; None for all.
    """

    concurrency: int = 64
    max_retries: int = 6
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """What a run works on.

    Attributes:
        index: The requests.
        done: By place, whether a request has a reply.
        backend: What answers.
        store: The store; None for a backend whose replies cost nothing.
        file: The file of replies.
        purse: Counts and bounds the cost.
        limits: How it asks.
        say: Tells the user a line.
        tick: Told how far the run is, some times a second.
        asked: The model as servers are asked for it; empty for what replies call it.
    """

    index: RequestIndex
    done: bytearray
    backend: Backend | BatchBackend
    store: Store | None
    file: ReplyFile
    purse: Purse
    limits: Limits = Limits()
    say: Callable[[str], None] = lambda _line: None
    tick: Callable[[Tally], None] = lambda _tally: None
    asked: str = ""


def run_requests(job: Job, tally: Tally) -> None:
    """Ask every request that has no reply.

    At the end, however it comes about, everything that was answered is in the store and in the
    file, and nothing is claimed.

    Args:
        job: What to do.
        tally: Counts what was done, as it is done; why the run ended is there, too.

    Raises:
        CurateError: If the store or the file cannot be written.
    """
    complete(_run(job, tally))


async def _run(job: Job, tally: Tally) -> None:
    offered = job.backend
    if isinstance(offered, BatchBackend):
        backend: Backend = Batching(offered)
        # While one batch is answered the next one gathers.
        least = max(job.limits.concurrency, 2 * offered.batch_size)
        job = replace(job, limits=replace(job.limits, concurrency=least))
    else:
        backend = offered
    recorder = Recorder(job.store, job.file)
    run = _Run(job, tally, backend, recorder)
    try:
        with run.interruptible():
            await run.work()
    finally:
        try:
            await recorder.finish()
        finally:
            await backend.close()


class _Run:
    """One run, under way."""

    def __init__(self, job: Job, tally: Tally, backend: Backend, recorder: Recorder) -> None:
        self._job = job
        self._tally = tally
        self._backend = backend
        self._recorder = recorder
        self._limits = job.limits
        chunk = max(_LEAST_CHUNK, 2 * self._limits.concurrency)
        limit = self._limits.limit
        name = backend.model
        self._feed = Feed(job.index, job.done, recorder, tally, chunk, limit, job.say, name)
        # A reply that is not written yet keeps its place, so that a kill loses a few at most.
        self._room = asyncio.Semaphore(2 * self._limits.concurrency)
        self._stopping = asyncio.Event()
        self._workers: list[asyncio.Task[None]] = []
        self._alike: tuple[FailureKind | None, int] = None, 0
        self._broken: BaseException | None = None
        self._told: set[str] = set()
        self._random = random.Random()  # noqa: S311  # spreads attempts, guards nothing

    async def work(self) -> None:
        """Ask until there is nothing left to ask.

        Raises:
            CurateError: If something cannot be read or written.
        """
        count = min(self._limits.concurrency, len(self._job.index))
        self._workers = [asyncio.create_task(self._work()) for _ in range(count)]
        ticker = asyncio.create_task(self._tick())
        try:
            results = await asyncio.gather(*self._workers, return_exceptions=True)
        finally:
            ticker.cancel()
            await self._feed.close()
        for result in results:
            if isinstance(result, Exception):
                raise result
        if self._broken is not None:
            raise self._broken
        await self._recorder.flush()
        if self._tally.ending is Ending.DONE and self._feed.limited and self._tally.left:
            self._tally.ending = Ending.LIMIT
        self._job.tick(self._tally)

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """End in order at the first Ctrl-C or SIGTERM, and at once at the second."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        loop = asyncio.get_running_loop()
        held = []
        for number in (signal.SIGINT, signal.SIGTERM):
            with suppress(NotImplementedError):  # Windows: Ctrl-C ends the loop as it does
                loop.add_signal_handler(number, self._interrupt)
                held.append(number)
        try:
            yield
        finally:
            for number in held:
                loop.remove_signal_handler(number)

    def _interrupt(self) -> None:
        if self._tally.ending is Ending.INTERRUPTED:
            for worker in self._workers:
                worker.cancel()
            return
        self._job.say("stopping: waiting for what is under way (Ctrl-C again does not wait)")
        self._stop(Ending.INTERRUPTED)

    def _stop(self, ending: Ending, problem: Failure | None = None) -> None:
        """Ask nothing more; what is under way is waited for."""
        if not self._stopping.is_set() or ending is Ending.INTERRUPTED:
            self._tally.ending, self._tally.problem = ending, problem
        self._stopping.set()
        self._feed.end()

    async def _work(self) -> None:
        """Ask one request after the other."""
        try:
            while not self._stopping.is_set():
                await self._room.acquire()
                item = await self._feed.next()
                if item is None:
                    self._room.release()
                    return
                reserved = self._job.purse.reserve(item.size)
                if reserved is None:
                    self._room.release()
                    self._stop(Ending.BUDGET)
                    return
                await self._ask(item, reserved)
        except Exception:
            self._stop(Ending.STOPPED)
            raise

    async def _ask(self, item: Item, reserved: float) -> None:
        """Ask a request until there is a reply or no use in asking, and write what came."""
        try:
            outcome = await self._patiently(item.request, item.size, reserved)
        except asyncio.CancelledError:
            self._tally.unsure += 1
            raise
        finally:
            self._job.purse.free(reserved)
        error = outcome.error
        if error is not None and not error.sent and not error.stops:
            self._write(item, Save(let_go=item.key), None)
            return
        self._judge(outcome)
        self._tell(outcome)
        request = item.request
        asked = messages_hash(request.messages)
        line = reply_line(request.request_id, self._backend.model, item.key, outcome, asked)
        if outcome.text is None:
            save = Save((line,), let_go=item.key)
        else:
            save = Save((line,), kept_of(item.key, item.size, self._backend.model, outcome))
        self._write(item, save, outcome)

    def _write(self, item: Item, save: Save, outcome: Outcome | None) -> None:
        """Have something written; it counts when it is."""

        def written(future: "asyncio.Future[object]") -> None:
            self._room.release()
            self._feed.settle()
            problem = None if future.cancelled() else future.exception()
            if problem is not None:
                self._broken = self._broken or problem
                self._stop(Ending.STOPPED)
            elif outcome is not None:
                self._tally.add(item.request.request_id, outcome)

        self._recorder.save(save).add_done_callback(written)

    async def _patiently(self, request: Request, size: int, reserved: float) -> Outcome:
        """Ask, and again where that may help: later from time to time, or when it is said."""
        sent = 0
        while True:
            outcome = await self._backend.ask(request)
            error = outcome.error
            again = error is not None and outcome.text is None and error.again
            self._tally.attempt(outcome)
            self._job.purse.spend(
                outcome.usage, size, reserved if outcome.text or outcome.finish_reason else 0.0
            )
            if error is None or not again:
                return outcome
            sent += error.sent
            if sent > self._limits.max_retries:
                return outcome
            if await self._stops_within(self._pause(error, sent)):
                return outcome
            self._tally.retries += error.sent

    def _pause(self, error: Failure, sent: int) -> float:
        """The seconds to wait before another attempt, spread so that not all come at once."""
        if error.wait_s is None:
            longest = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0 ** (sent - 1))
            return longest * self._random.uniform(0.5, 1.0)
        if error.wait_s == 0:
            return 0.0
        return error.wait_s + self._random.uniform(0.0, min(1.0, 0.1 * error.wait_s + 0.02))

    async def _stops_within(self, seconds: float) -> bool:
        """Wait; says whether the run stops before the time is over."""
        if seconds > 0:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), seconds)
        return self._stopping.is_set()

    def _judge(self, outcome: Outcome) -> None:
        """Stop the run where every other request would fail alike."""
        error = outcome.error
        if outcome.text is not None or error is None:
            self._alike = None, 0
            return
        if error.stops:
            self._stop(Ending.STOPPED, error)
            return
        kind, count = self._alike
        self._alike = error.kind, count + 1 if kind is error.kind else 1
        if self._alike[1] >= ALIKE:
            message = f"{ALIKE} requests in a row failed in the same way: {error.message}"
            self._stop(Ending.STOPPED, replace(error, message=message, hint=error.hint or _AGAIN))

    def _tell(self, outcome: Outcome) -> None:
        """Say at the first reply that has it what would spoil all of them."""
        asked, served = self._job.asked or self._backend.model, outcome.served
        if served is not None and served not in self._told and not same_model(asked, served):
            self._told.add(served)
            self._job.say(f"'{asked}' was asked, and replies name the model '{served}'")
        kind = None if outcome.error is None else outcome.error.kind
        if kind is FailureKind.UNFINISHED and kind not in self._told:
            self._told.add(kind)
            self._job.say(
                "a reply ended within the model's thoughts: no choice can be read of it; "
                "allow more with --max-tokens, or turn thoughts off"
            )
        if kind is FailureKind.EMPTY and outcome.reasoning and kind not in self._told:
            self._told.add(kind)
            self._job.say(
                "a reply has all its words in the model's thoughts and none in its text: it is no "
                "reply; check the server's parser of thoughts, or turn thoughts off"
            )
        wanted = self._backend.parameters.get("logprobs")
        bare = outcome.text is not None and outcome.error is None and outcome.logprobs is None
        if wanted and bare and "logprobs" not in self._told:
            self._told.add("logprobs")
            self._job.say("a reply came without the log-probabilities that were asked for")
        if outcome.usage.refused and "usage" not in self._told:
            self._told.add("usage")
            self._job.say(
                "a count of tokens is impossible (negative, too large or not a number): "
                "it counts as unknown"
            )

    async def _tick(self) -> None:
        while True:
            self._job.tick(self._tally)
            await asyncio.sleep(TICK_S)
