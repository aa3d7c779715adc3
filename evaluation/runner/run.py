"""A run: requests asked many at once until none is left, or something ends it; what it costs."""

import asyncio
import difflib
import random
import signal
import threading
from array import array
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

from pydantic import ConfigDict, Field, RootModel
from pydantic.dataclasses import dataclass as validated

from curation.files.tables import read_text
from curation.records.messages import CurateError, Results, finding, refusal
from curation.records.settings import parse_settings
from curation.web import beside
from evaluation.replies.reply import Failure, FailureKind, Reply, Usage, reply_line
from evaluation.requests import Request, messages_hash, shown_labels
from evaluation.runner.backend import ALIKE, RETRIES, Backend, BatchBackend
from evaluation.runner.backends.completions import stem
from evaluation.runner.index import RequestIndex, keeps_to
from evaluation.runner.store import EarlierCosts, Recorder, ReplyFile, Store, write_replies

FIRST_PAUSE_S = 0.5
"""Seconds before a request is sent again for the first time; then twice as long."""
LONGEST_PAUSE_S = 30.0
"""The most of these."""
TICK_S = 0.25
"""Seconds between two reports of how far the run is."""
_CHUNK = 4096  # requests that are looked up together
AGAIN = "run the same command again: only what has no reply is asked"
"""What to do where a run leaves something."""


_MILLION = 1_000_000
_ENOUGH = 20
"""Replies of which tokens are known before they are taken as an estimate of others."""


@validated(frozen=True, config=ConfigDict(extra="forbid"))
class Price:
    """What a model costs.

    Attributes:
        input: Price of a million tokens that are sent.
        output: Price of a million tokens of replies.
        currency: Its name.
    """

    input: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    output: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    currency: str = ""

    def of(self, input_tokens: float, output_tokens: float) -> float:
        """The price of tokens."""
        return (self.input * input_tokens + self.output * output_tokens) / _MILLION

    def text(self, amount: float) -> str:
        """Write an amount, small ones with the digits that they need."""
        digits = 2 if amount >= 1 or amount == 0 else 4
        return f"{amount:,.{digits}f} {self.currency}".rstrip()


class _Prices(RootModel[dict[str, Price]]):
    """The whole file."""


def load_price(path: Path, model: str) -> Price:
    """Read a model's price from a file of prices (YAML).

    Args:
        path: By model's name, `input` and `output`: prices of a million tokens; and `currency`.
        model: The model.

    Raises:
        CurateError: If there is no such file, it does not have the model, or a price is none.
    """
    prices = parse_settings(read_text(path), _Prices, path, "docs/evaluation-running.md").root
    if model not in prices:
        near = difflib.get_close_matches(model, prices, n=1)
        key = "prices-near" if near else "prices-model"
        raise refusal("evaluation", key, str(path), model=model, near="".join(near))
    return prices[model]


class Purse:
    """What a run has spent, and may spend.

    Args:
        price: The model's price; None where it is not known, and nothing is counted.
        budget: The most that may be spent; None for no bound.
        most_output: The most tokens of a reply, where that is set.
        seen: What earlier replies of the model to these requests took, to all turns.
        turns: In how many turns a request is asked; the second one sends the first reply, too.
    """

    def __init__(
        self,
        price: Price | None,
        budget: float | None,
        most_output: int | None,
        seen: EarlierCosts,
        turns: int = 1,
    ) -> None:
        self.price = price
        self._budget = budget
        self._most_output = most_output
        self._seen = seen
        self._turns = turns
        self._reserved = 0.0
        self.spent = 0.0

    def reserve(self, size: int) -> float | None:
        """Set aside what a request may cost at most; None if the budget does not allow it.

        Args:
            size: The tokens that its length lets expect.
        """
        if self.price is None:
            return 0.0
        sent, made, _ = self.expected(size)
        output = (made or 0) if self._most_output is None else self._most_output * self._turns
        amount = self.price.of(sent, output)
        self._reserved += amount
        if self.overdrawn:
            self.free(amount)
            return None
        return amount

    @property
    def overdrawn(self) -> bool:
        """Whether what is spent and what is set aside are more than the budget."""
        return self._budget is not None and self.spent + self._reserved > self._budget

    def expected(self, size: int, requests: int = 1) -> tuple[float, float | None, int]:
        """Expect of requests what earlier ones took.

        Args:
            size: The tokens that their lengths let expect.
            requests: How many they are.

        Returns:
            Tokens that are sent; tokens of replies, None where nothing tells; and from how many
            earlier replies, 0 for a rule of thumb.
        """
        seen = self._seen
        if seen.replies >= _ENOUGH:
            sent = size * seen.input_tokens / seen.size
            return sent, seen.output_tokens / seen.replies * requests, seen.replies
        made = None if self._most_output is None else self._most_output * requests
        sent = size * self._turns + (self._turns - 1) * (made or 0)
        return sent, None if made is None else made * self._turns, 0

    def free(self, reserved: float) -> None:
        """Back what was set aside for a request that has ended."""
        self._reserved -= reserved

    def spend(self, usage: Usage, otherwise: float) -> None:
        """Note what an attempt has cost.

        Args:
            usage: Its tokens as the server counts them.
            otherwise: What it costs where the server does not count.
        """
        used, made = usage.input_tokens, usage.output_tokens
        if used is None or made is None:
            self.spent += otherwise
        elif self.price is not None:
            self.spent += self.price.of(used, made)

    def learn(self, reply: Reply, size: int) -> None:
        """Note what a reply took, for those after it.

        Args:
            reply: The reply, to all turns.
            size: The tokens that the request's length lets expect.
        """
        if reply.text is not None:
            self._seen = self._seen.with_reply(reply.usage, size)


def estimate_run(
    index: RequestIndex,
    done: bytearray,
    store: Store,
    purse: Purse,
    limit: int | None,
) -> Results:
    """Count what a run would ask, and estimate what that takes.

    Gives how many requests without a reply in the file have one `in_store`, and how many are
    `to_ask`; their `input_tokens` and the `output_tokens` of their replies, None where nothing
    tells; the `cost` of both, None without prices; and from how many earlier replies that is
    (`estimated_from_replies`): 0 for a rule of thumb, and the most that replies may have.

    Args:
        index: The requests.
        done: By place, whether a request has a reply in the file.
        store: The store, which is only read.
        purse: What the model costs, and what its earlier replies took.
        limit: The most requests that would be asked.

    Raises:
        CurateError: If the store cannot be read.
    """
    sizes: dict[bytes, int] = {}  # of several requests that say the same one is sent
    in_store = 0
    places = (at for at in range(len(index)) if not done[at])
    while chunk := list(islice(places, _CHUNK)):
        known = store.known([index.key(at) for at in chunk])
        in_store += sum(index.key(at) in known for at in chunk)
        sizes |= {index.key(at): index.size(at) for at in chunk if index.key(at) not in known}
    asked = list(islice(sizes.values(), limit))
    sent, received, replies = purse.expected(sum(asked), len(asked))
    used, made = round(sent), None if received is None else round(received)
    cost = None if purse.price is None else purse.price.of(used, made or 0)
    return Results(
        {
            "in_store": in_store,
            "to_ask": len(asked),
            "input_tokens": used,
            "output_tokens": made,
            "cost": None if cost is None else round(cost, 6),
            "estimated_from_replies": replies,
        }
    )


class Ending(StrEnum):
    """Why a run ended: `done`, every request was tried; the others before that."""

    DONE = "done"
    STOPPED = "stopped"
    LIMIT = "limit"
    BUDGET = "budget"
    INTERRUPTED = "interrupted"


_MAYBE_BILLED = (FailureKind.TIMEOUT, FailureKind.CUT, FailureKind.MALFORMED)
_PRINTED = (
    *("from_store", "answered", "left", "untried", "failed", "content_filter", "cut_in_thoughts"),
    *("cut_at_max_tokens", "sent_again", "maybe_billed", "without_usage", "usage_refused"),
    *("input_tokens", "output_tokens", "reasoning_tokens", "ending"),
)


@dataclass
class RunCounts:
    """Counts of a run.

    Attributes:
        requests: The requests that a reply is wanted to.
        before: Those that the file of replies had one to.
        from_store: Replies that the store had.
        answered: Replies of this run.
        failed: Requests without a reply, by kind.
        examples: The first failure of each kind, with its request.
        content_filter: Replies that a content filter stopped.
        cut_in_thoughts: Replies that ended within the model's thoughts.
        cut_at_max_tokens: Replies that ended at the most tokens.
        sent_again: How often a request was sent again.
        maybe_billed: Attempts that may have been billed though no reply came of them.
        without_usage: Replies of this run without a count of tokens.
        usage_refused: Replies whose count of tokens cannot be, and is not taken.
        input_tokens: Tokens sent by this run, as the server counts them.
        output_tokens: Tokens of its replies.
        reasoning_tokens: Those of their thoughts, as far as the server counts them apart.
        ending: Why it ended.
        problem: What stopped it.
    """

    requests: int = 0
    before: int = 0
    from_store: int = 0
    answered: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    examples: dict[str, tuple[str, Failure]] = field(default_factory=dict)
    content_filter: int = 0
    cut_in_thoughts: int = 0
    cut_at_max_tokens: int = 0
    sent_again: int = 0
    maybe_billed: int = 0
    without_usage: int = 0
    usage_refused: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int = 0
    ending: Ending = Ending.DONE
    problem: Failure | None = None

    @property
    def replied(self) -> int:
        """Requests that have a reply."""
        return self.before + self.from_store + self.answered

    @property
    def left(self) -> int:
        """Requests that have none."""
        return self.requests - self.replied

    @property
    def untried(self) -> int:
        """Requests that have none and were not tried to the end in this run."""
        return self.left - self.failed.total()

    def as_dict(self) -> dict[str, object]:
        """The counts, as `--json` prints them."""
        found: dict[str, object] = {name: getattr(self, name) for name in _PRINTED}
        found["failed"] = dict(sorted(self.failed.items()))
        found["problem"] = None if self.problem is None else self.problem.as_dict()
        return found

    def attempt(self, reply: Reply) -> None:
        """Count the tokens of an attempt, and those without a known price."""
        used, made = reply.usage.input_tokens, reply.usage.output_tokens
        self.input_tokens += used or 0
        self.output_tokens += made or 0
        self.reasoning_tokens += reply.usage.reasoning_tokens or 0
        self.usage_refused += reply.usage.refused
        self.maybe_billed += reply.kind in _MAYBE_BILLED and None in (used, made)

    def add(self, reply: Reply) -> None:
        """Count what came of a request, once it is written."""
        if reply.text is None:
            assert reply.error is not None  # noqa: S101  # no text and no error: a fault of ours
            failed = reply.error.kind
            self.failed[failed] += 1
            self.examples.setdefault(failed, (reply.request_id, reply.error))
            return
        self.answered += 1
        kind = reply.kind
        self.content_filter += kind is FailureKind.CONTENT_FILTER
        self.cut_in_thoughts += kind is FailureKind.UNFINISHED
        self.cut_at_max_tokens += reply.cut and kind is not FailureKind.UNFINISHED
        if reply.usage.input_tokens is None or reply.usage.output_tokens is None:
            self.without_usage += 1


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
        concurrency: Requests at once.
        limit: The most requests that are asked; None for all.
        say: Tells the user a line.
        tick: Told how far the run is, some times a second.
        retries: How often a request is sent again.
    """

    index: RequestIndex
    done: bytearray
    backend: Backend | BatchBackend
    store: Store | None
    file: ReplyFile
    purse: Purse
    concurrency: int = 64
    limit: int | None = None
    say: Callable[[str], None] = lambda _line: None
    tick: Callable[[RunCounts], None] = lambda _tally: None
    retries: int = RETRIES


def unknown(
    index: RequestIndex,
    places: Iterable[int],
    store: Store | None,
    file: ReplyFile,
    tally: RunCounts,
    model: str,
) -> Iterator[int]:
    """Yield the requests whose reply is not in the store; the others get it in the file.

    Args:
        index: The requests.
        places: Those that have no reply in the file.
        store: The store.
        file: The file of replies.
        tally: Counts the replies of the store.
        model: What the file calls the model.

    Raises:
        CurateError: If something cannot be read or written.
    """
    wanted = iter(places)
    while part := list(islice(wanted, _CHUNK)):
        kept = {} if store is None else store.find([index.key(at) for at in part])
        lines = []
        for at in part:
            reply = kept.get(index.key(at))
            if reply is not None:
                lines.append(reply_line(answering(reply, index.request(at), reply.key, model)))
        file.append(lines)
        tally.from_store += len(lines)
        yield from (at for at in part if index.key(at) not in kept)


def answering(reply: Reply, request: Request, key: bytes, model: str) -> Reply:
    """Say of a reply which request it answers, and who gave it."""
    asked = messages_hash(request.messages)
    return reply._replace(request_id=request.request_id, model=model, key=key, asked=asked)


def run_requests(job: Job, tally: RunCounts) -> None:
    """Ask every request that has no reply.

    At the end, however it comes about, everything that was answered is in the store and in the
    file.

    Args:
        job: What to do.
        tally: Counts what was done, as it is done; why the run ended is there, too.

    Raises:
        CurateError: If the store or the file cannot be written.
    """
    if isinstance(job.backend, BatchBackend):
        _run_batches(job, job.backend, tally)
    else:
        complete(_Run(job, job.backend, tally).work())
    if tally.ending is Ending.DONE and tally.left and job.limit is not None:
        tried = tally.answered + tally.failed.total()
        tally.ending = Ending.LIMIT if tried >= job.limit else Ending.DONE
    job.tick(tally)


def _turns(job: Job) -> Iterator[Iterator[int]]:
    """The places of what is to be asked: first all that differ, then what says the same as one.

    The reply of the latter is then in the store, and the file does not depend on the timing.
    """
    index, done = job.index, job.done
    later = index.repeats() if job.store is not None else bytes(len(index))
    for turn in range(2):
        yield (at for at in range(len(index)) if later[at] == turn and not done[at])


def _run_batches(job: Job, backend: BatchBackend, tally: RunCounts) -> None:
    """Ask several requests at a time, in this thread; what is under way at a Ctrl-C is lost."""
    watch, index, left = _Watch(job, tally), job.index, job.limit
    known = job.store, job.file, tally, backend.model
    try:
        for places in _turns(job):
            wanted = iter(array("L", unknown(index, places, *known))[:left])
            while not watch.stopped and (part := list(islice(wanted, backend.batch_size))):
                left = None if left is None else left - len(part)
                _answer(job, backend, part, watch)
                job.tick(tally)
    except KeyboardInterrupt:
        watch.stop(Ending.INTERRUPTED)
    finally:
        backend.close()
        job.file.sync()


def _answer(job: Job, backend: BatchBackend, places: Sequence[int], watch: "_Watch") -> None:
    """Have a batch answered, and write what came; whatever a backend fails at stops the run."""
    index, requests = job.index, [job.index.request(at) for at in places]
    try:
        replies = list(zip(places, requests, backend.ask_many(requests, job.say), strict=True))
    except CurateError:
        raise
    except Exception as error:  # noqa: BLE001  # said as the failure that stops the run
        said = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        hint = "what was answered is kept; run the same command again for the rest"
        failure = Reply(None, error=Failure(FailureKind.BACKEND, said, stops=True, hint=hint))
        replies = [(at, request, failure) for at, request in zip(places, requests, strict=True)]
    written: list[tuple[Reply, bool]] = []
    for at, request, answer in replies:
        if answer.error is not None and not answer.error.sent:
            canceled = answer.kind is FailureKind.CANCELED
            watch.stop(Ending.INTERRUPTED if canceled else Ending.STOPPED)
            continue
        watch.judge(answer)
        watch.tell(answer, request)
        reply = answering(answer, request, index.key(at), backend.model)
        written.append((reply, True))
        watch.tally.attempt(reply)
        watch.tally.add(reply)
        job.purse.spend(reply.usage, 0.0)
    write_replies(job.store, job.file, written)


class _Watch:
    """What is said of replies, and at which of them a run stops.

    Args:
        job: What the run works on.
        tally: Says why it ended.

    Attributes:
        stopped: Whether nothing more is asked.
    """

    def __init__(self, job: Job, tally: RunCounts) -> None:
        self.job, self.tally, self.stopped = job, tally, False
        self._alike: tuple[str | None, int] = None, 0
        self._told: set[str] = set()

    def stop(self, ending: Ending, problem: Failure | None = None) -> None:
        """Ask nothing more; what is under way is waited for."""
        if not self.stopped or ending is Ending.INTERRUPTED:
            self.tally.ending, self.tally.problem = ending, problem
        self.stopped = True

    def judge(self, reply: Reply) -> None:
        """Stop the run where every other request would fail alike."""
        error = reply.error
        if reply.text is not None or error is None:
            self._alike = None, 0
            return
        if error.stops:
            self.stop(Ending.STOPPED, error)
            return
        kind, count = self._alike
        self._alike = error.kind, count + 1 if kind is error.kind else 1
        if self._alike[1] >= ALIKE:
            message = f"{ALIKE} requests in a row failed in the same way: {error.message}"
            self.stop(Ending.STOPPED, replace(error, message=message, hint=error.hint or AGAIN))

    def tell(self, reply: Reply, request: Request) -> None:
        """Say at the first reply that has it what would spoil all of them."""
        asking = self.job.backend.asking
        asked, served = asking.model, reply.served
        if served is not None and stem(asked) != stem(served):
            self._once("reply-served", asked=asked, served=served)
        if reply.kind is FailureKind.UNFINISHED:
            self._once("reply-unfinished")
        if reply.kind is FailureKind.EMPTY and reply.reasoning:
            self._once("reply-thoughts")
        whole = reply.text is not None and reply.error is None
        if whole and reply.logprobs is None and asking.parameters.get("logprobs"):
            self._once("reply-logprobs")
        if asking.constrain and whole and not keeps_to(reply.text or "", shown_labels(request)):
            self._once("reply-free")
        if reply.usage.refused:
            self._once("reply-usage")

    def _once(self, key: str, **words: str) -> None:
        line = finding("evaluation", key, "", **words).message
        if line not in self._told:
            self._told.add(line)
            self.job.say(line)


class _Run(_Watch):
    """One run of a server, under way."""

    def __init__(self, job: Job, backend: Backend, tally: RunCounts) -> None:
        super().__init__(job, tally)
        self._backend = backend
        self._recorder = Recorder(job.store, job.file)
        self._left = job.limit
        # A reply that is not written yet keeps its place, so that a kill loses a few at most.
        self._room = asyncio.Semaphore(2 * job.concurrency)
        self._stopping = asyncio.Event()
        self._workers: list[asyncio.Task[None]] = []
        self._random = random.Random()  # noqa: S311  # spreads attempts, guards nothing

    async def work(self) -> None:
        """Ask until there is nothing left to ask, and close the connections.

        Raises:
            CurateError: If something cannot be read or written.
        """
        ticker = asyncio.create_task(self._tick())
        try:
            with self._interruptible():
                try:
                    for places in _turns(self.job):
                        await self._ask_all(places)
                finally:
                    ticker.cancel()
                    await self._recorder.finish()
        finally:
            await self._backend.close()

    async def _ask_all(self, places: Iterable[int]) -> None:
        """Ask some requests, unless their replies are in the store, and wait until all is written.

        Raises:
            CurateError: If something cannot be read or written.
        """
        job = self.job
        known = job.index, places, job.store, job.file, self.tally, self._backend.model
        wanted = iter(array("L", unknown(*known)))
        count = min(job.concurrency, len(job.index))
        self._workers = [asyncio.create_task(self._work(wanted)) for _ in range(count)]
        results = await asyncio.gather(*self._workers, return_exceptions=True)
        for result in results:
            if isinstance(result, Exception):
                raise result
        await self._recorder.flush()

    @contextmanager
    def _interruptible(self) -> Iterator[None]:
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
        if self.tally.ending is Ending.INTERRUPTED:
            for worker in self._workers:
                worker.cancel()
            return
        self.job.say("stopping: waiting for what is under way (Ctrl-C again does not wait)")
        self.stop(Ending.INTERRUPTED)

    def stop(self, ending: Ending, problem: Failure | None = None) -> None:
        """Ask nothing more; what is under way is waited for."""
        super().stop(ending, problem)
        self._stopping.set()

    async def _work(self, places: Iterator[int]) -> None:
        """Ask one request after the other."""
        try:
            while True:
                await self._room.acquire()
                at = None if self._stopping.is_set() or self._left == 0 else next(places, None)
                reserved = None
                if at is not None:
                    reserved = self.job.purse.reserve(self.job.index.size(at))
                    if reserved is None:
                        self.stop(Ending.BUDGET)
                if at is None or reserved is None:
                    self._room.release()
                    return
                if self._left is not None:
                    self._left -= 1
                await self._ask(at, reserved)
        except Exception:
            self.stop(Ending.STOPPED)
            raise

    async def _ask(self, at: int, reserved: float) -> None:
        """Ask a request until there is a reply or no use in asking, and write what came."""
        index = self.job.index
        request, size = index.request(at), index.size(at)
        try:
            reply = await self._turns(request, reserved)
        except asyncio.CancelledError:
            self.tally.maybe_billed += 1
            self._room.release()
            raise
        finally:
            self.job.purse.free(reserved)
        error = reply.error
        if error is not None and not error.sent and not error.stops:
            self._room.release()
            return
        self.job.purse.learn(reply, size)
        self.judge(reply)
        self.tell(reply, request)
        self._write(answering(reply, request, index.key(at), self._backend.model))

    def _write(self, reply: Reply) -> None:
        """Have something written; it counts when it is."""

        def written(future: "asyncio.Future[None]") -> None:
            self._room.release()
            if future.cancelled() or future.exception() is not None:
                self.stop(Ending.STOPPED)
            else:
                self.tally.add(reply)

        self._recorder.save(reply).add_done_callback(written)

    async def _turns(self, request: Request, reserved: float) -> Reply:
        """Ask in one turn, or in two: the first reply is in the store before the second turn.

        So it is not paid again, whatever happens between the two. A first reply that is cut off
        has no conclusion: nothing more is asked, and no choice is read.
        """
        asking, store = self._backend.asking, self.job.store
        if not asking.then_ask:
            return await self._patiently(request, reserved)
        each = reserved / 2  # of a turn whose tokens the server does not count
        key = asking.first.key(request)
        known = {} if store is None else await asyncio.to_thread(store.find, [key])
        first = known.get(key)
        if first is None:
            first = await self._patiently(request, each)
            if first.text is None:
                return first
            named = answering(first, request, key, asking.model)
            await self._recorder.save(named, listed=False)
        if first.error is not None or first.finish_reason == "length":
            cut = Failure(FailureKind.UNFINISHED, "the first of two turns was cut off")
            return first._replace(text="", error=first.error or cut, first=first.text)
        second = await self._patiently(request, each, first.text)
        return second._replace(first=first.text, usage=first.usage + second.usage)

    async def _patiently(
        self, request: Request, reserved: float, first: str | None = None
    ) -> Reply:
        """Ask, and again where that may help: later from time to time, or when it is said."""
        sent = 0
        while True:
            reply = await self._backend.ask(request, first)
            error = reply.error
            again = error is not None and reply.text is None and error.again
            self.tally.attempt(reply)
            given = reply.text or reply.finish_reason or reply.kind in _MAYBE_BILLED
            self.job.purse.spend(reply.usage, reserved if given else 0.0)
            if error is None or not again:
                return reply
            if self.job.purse.overdrawn:
                self.stop(Ending.BUDGET)
                return reply
            sent += error.sent
            if sent > self.job.retries:
                return reply
            if await self._stops_within(self._pause(error, sent)):
                return reply
            self.tally.sent_again += error.sent

    def _pause(self, error: Failure, sent: int) -> float:
        """The seconds to wait before another attempt, spread so that not all come at once."""
        if error.wait_s is None:
            longest = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0 ** (sent - 1))
            return longest * self._random.uniform(0.5, 1.0)
        return error.wait_s + self._random.uniform(0.0, min(1.0, 0.1 * error.wait_s + 0.02))

    async def _stops_within(self, seconds: float) -> bool:
        """Wait; says whether the run stops before the time is over."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), seconds)
        return self._stopping.is_set()

    async def _tick(self) -> None:
        while True:
            self.job.tick(self.tally)
            await asyncio.sleep(TICK_S)


def complete(coroutine: Coroutine[Any, Any, None]) -> None:
    """Carry out a coroutine to its end, in a notebook too.

    A notebook has a loop of its own under way in the thread of its cells, in which no other one
    can be started: there the coroutine runs in a thread beside it, and an interrupt ends it.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(coroutine)
        return
    ended = threading.Event()

    async def work() -> None:
        try:
            await coroutine
        finally:
            ended.set()

    begun = beside(work())
    try:
        begun.result()
    except KeyboardInterrupt:
        begun.cancel()
        ended.wait()  # what is under way is written, or lost, before files are let go of
        raise
