"""A run from beginning to end: files and store opened, requests asked, counts given.

A file of models has several of them with their own settings, asked in one go.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from filelock import FileLock, Timeout
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from curation.files.tables import read_text
from curation.files.workspace import Workspace
from curation.records.messages import CurateError, Results, plural, refusal, refuse_unknown
from curation.records.settings import parse_settings
from curation.web import service_address
from evaluation.folders import stale
from evaluation.replies.reply import FailureKind
from evaluation.requests import REQUESTS, Shard
from evaluation.runner.backend import (
    BACKENDS,
    FIELD,
    NOT_EXTRA,
    Backend,
    BackendSettings,
    BatchBackend,
    as_json,
    equal_draws,
    keeps,
    open_backend,
    provider_of,
    served_by,
)
from evaluation.runner.index import RequestIndex, index_requests
from evaluation.runner.run import (
    AGAIN,
    Ending,
    Job,
    Price,
    Purse,
    RunCounts,
    estimate_run,
    load_price,
    run_requests,
)
from evaluation.runner.store import (
    REPLIES,
    STORE,
    ReplyFile,
    RunState,
    Store,
    read_standing,
)

_SERVERS = "openai"


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What is asked for.

    Attributes:
        workspace: The workspace.
        requests: The file of requests.
        replies: The file of replies.
        store: The store's file.
        backend: The backend's name.
        settings: What it is opened with.
        limit: The most requests that are asked; None for all.
        shard: Only this part of the requests.
        prices: A file of prices.
        own_price: The model's price, in place of one in the file.
        budget: The most that may be spent.
    """

    workspace: Workspace
    requests: Path
    replies: Path
    store: Path
    backend: str
    settings: BackendSettings
    limit: int | None = None
    shard: Shard | None = None
    prices: Path | None = None
    own_price: Price | None = None
    budget: float | None = None

    def price(self) -> Price | None:
        """Read the model's price.

        Raises:
            CurateError: If the file has none, or a budget could not be kept.
        """
        called, price = self.settings.called or self.backend, self.own_price
        if self.budget is not None and self.backend != _SERVERS:
            raise refusal("evaluation", "budget-backend", "--budget", called=called)
        if price is None and self.prices is not None:
            price = load_price(self.prices, called)
        if self.budget is not None and price is None:
            raise refusal("evaluation", "budget-price", "--budget", called=called)
        return price


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run of one model has done, or would do.

    Attributes:
        wanted: What was asked for.
        model: The model's name in replies.
        requests: How many requests there are.
        standing: What the file of replies said before; None where nothing could be begun.
        price: What the model costs.
        tally: Counts of what was asked.
        spent: What it cost.
        cut_off: Bytes of a line that a kill had left half written.
        estimate: What a run would take; None where it was not estimated.
        refused: Why nothing could be begun.
    """

    wanted: RunPlan
    model: str
    requests: int = 0
    standing: RunState | None = None
    price: Price | None = None
    tally: RunCounts = field(default_factory=RunCounts)
    spent: float = 0.0
    cut_off: int = 0
    estimate: Results | None = None
    refused: CurateError | None = None

    @property
    def interrupted(self) -> bool:
        """Whether the user stopped it."""
        return self.tally.ending is Ending.INTERRUPTED

    def as_dict(self) -> dict[str, object]:
        """The counts, as `--json` prints them."""
        if self.standing is None:
            return {"model": self.model}
        currency = None if self.price is None else self.price.currency
        found: dict[str, object] = {
            "model": self.model,
            "requests_file": str(self.wanted.requests),
            "replies_file": str(self.wanted.replies),
            "shard": None if self.wanted.shard is None else str(self.wanted.shard),
            "requests": self.requests,
            "before": self.standing.answered,
            "other_lines": self.standing.others,
            "currency": currency,
        }
        if self.estimate is not None:
            return {**found, **self.estimate, "dry_run": True}
        cost = None if self.price is None else round(self.spent, 6)
        return found | self.tally.as_dict() | {"cost": cost, "cut_off_bytes": self.cut_off}

    def error(self) -> CurateError | None:
        """Why requests are without a reply; None if none are, or a limit was set."""
        tally = self.tally
        if self.refused is not None:
            return self.refused
        if not tally.left or (tally.ending is Ending.LIMIT and not tally.failed):
            return None
        kinds = [f"{tally.failed[kind]:,} {kind}" for kind in _kinds(tally)]
        if tally.untried:
            kinds.append(f"{tally.untried:,} not tried")
        left = (
            f"{tally.left:,} of {tally.requests:,} {plural('request', tally.requests)} "
            f"left without a reply: {', '.join(kinds)}"
        )
        if tally.problem is not None:
            hint = tally.problem.hint or AGAIN
            return CurateError(f"the run stopped: {tally.problem.message}", left, hint)
        if tally.ending is Ending.BUDGET:
            return CurateError("the budget does not allow another request", left, AGAIN)
        if not tally.failed:
            return CurateError(left, "", AGAIN)
        kind = _kinds(tally)[0]
        request_id, failure = tally.examples[kind]
        advice = failure.hint if kind is FailureKind.MALFORMED else ""
        where = f"{request_id}: {kind}: {failure.message}"
        return CurateError(left, where, f"{advice}; then {AGAIN}" if advice else AGAIN)


def plan_run(
    workspace: Workspace,
    backend: str,
    settings: BackendSettings | None = None,
    *,
    requests: Path | None = None,
    replies: Path | None = None,
    store: Path | None = None,
    **others: Any,
) -> RunPlan:
    """Plan a run, by default with the workspace's own files.

    Args:
        workspace: The workspace.
        backend: The backend's name.
        settings: What it is opened with; by default the model has the backend's name.
        requests: The file of requests; None for `exports/evaluation/requests.jsonl`.
        replies: The file of replies; None for `replies.jsonl` beside the requests.
        store: The store's file; None for the workspace's.
        others: The further attributes of `RunPlan`.
    """
    asked = requests or workspace.exports_folder / "evaluation" / REQUESTS
    beside = replies or asked.with_name(REPLIES)
    kept = store or workspace.curate_folder / STORE
    opened = settings or BackendSettings(backend, workspace=workspace.root)
    return RunPlan(workspace, asked, beside, kept, backend, opened, **others)


Note = Callable[[str], None]
"""Takes what the user is to know meanwhile, a line without a full stop."""


def run(
    wanted: RunPlan,
    note: Note = lambda _line: None,
    progress: Callable[[RunCounts, Purse], None] | None = None,
) -> Ran:
    """Ask a model the requests that have no reply yet; each reply is written as it arrives.

    If a run ends early, the same call continues where it stopped, and nothing is paid twice. Where
    the settings are dry, what would be asked is counted and estimated; nothing is sent or written.

    Args:
        wanted: What is asked for.
        note: Called with messages for the user during the run.
        progress: Told how far the run is, some times a second.

    Raises:
        CurateError: If a file cannot be read or written, or the backend cannot be opened.
    """
    price, limit = wanted.price(), wanted.limit
    backend = open_backend(wanted.backend, wanted.settings)
    for finding in stale(wanted.workspace, wanted.requests):  # before anything is paid
        note(f"{finding.message}. To change that, {finding.hint}")
    turns = 2 if backend.asking.then_ask else 1
    if wanted.settings.dry:
        with _indexed(wanted, backend, note) as index, Store(wanted.store, read_only=True) as kept:
            standing = read_standing(wanted.replies, index, backend.model)
            purse = Purse(price, None, wanted.settings.most_output, standing.seen, turns)
            found = estimate_run(index, standing.done, kept, purse, limit)
            return Ran(wanted, backend.model, len(index), standing, price, estimate=found)
    with (
        _indexed(wanted, backend, note) as index,
        ReplyFile(wanted.replies) as file,
        _store(wanted, backend) as store,
    ):
        if file.cut_off:
            note(
                f"the last line of {file.path} was cut off ({file.cut_off:,} bytes) and was deleted"
            )
        standing = read_standing(wanted.replies, index, backend.model, store)
        purse = Purse(price, wanted.budget, wanted.settings.most_output, standing.seen, turns)
        tally = RunCounts(requests=len(index), before=standing.answered)
        shown = progress or (lambda _tally, _purse: None)
        job = Job(
            index=index,
            done=standing.done,
            backend=backend,
            store=store,
            file=file,
            purse=purse,
            concurrency=wanted.settings.concurrency,
            limit=limit,
            say=note,
            tick=lambda tally: shown(tally, purse),
        )
        run_requests(job, tally)
        counted = len(index), standing, price, tally, purse.spent, file.cut_off
        return Ran(wanted, backend.model, *counted)


_Any = Backend | BatchBackend


@contextmanager
def _store(wanted: RunPlan, backend: _Any) -> Iterator[Store | None]:
    """The store, with which one run at a time asks the same of a model: nothing is paid twice."""
    if not keeps(wanted.backend):
        yield None
        return
    asks = backend.model, asdict(backend.asking), str(wanted.requests.resolve()), wanted.shard
    digest = hashlib.sha256(json.dumps(asks, sort_keys=True, default=str).encode()).hexdigest()[:8]
    wanted.store.parent.mkdir(parents=True, exist_ok=True)
    held = FileLock(wanted.store.with_name(f".{wanted.store.name}-{digest}.lock"))
    try:
        held.acquire(timeout=0)
    except Timeout as error:
        raise refusal("evaluation", "run-asking", str(wanted.store), model=backend.model) from error
    except OSError:
        pass  # a file system without locks
    try:
        with Store(wanted.store) as store:
            yield store
    finally:
        held.release()


@contextmanager
def _indexed(wanted: RunPlan, backend: _Any, note: Note) -> Iterator[RequestIndex]:
    with index_requests(wanted.requests, backend.asking, wanted.shard) as index:
        parameters = backend.asking.parameters
        equal = equal_draws(index.epochs, parameters) if keeps(wanted.backend) else None
        if equal:
            note(equal)
        yield index


def _kinds(tally: RunCounts) -> list[str]:
    """The kinds of failures, the most frequent first."""
    return sorted(tally.failed, key=lambda kind: (-tally.failed[kind], kind))


_PAGE = "docs/evaluation-running.md"
_OWN_KEYS = {"seed", "max_completion_tokens"}  # which options have as --extra


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Parameters(_Part):
    """What is sent with every request; what is not here is not sent.

    Attributes:
        temperature: Of the draw.
        max_tokens: The most tokens of a reply.
        max_tokens_field: What that is called; by default as the provider calls it.
        seed: The seed of the draw.
        logprobs: How many log-probabilities of each token come back, 1 to 20.
        extra: Any other parameter by its name; what is JSON (`0.9`, `true`) is taken as such.
    """

    temperature: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    max_tokens: Annotated[int, Field(ge=1)] | None = None
    max_tokens_field: str | None = None
    seed: int | None = None
    logprobs: Annotated[int, Field(ge=1, le=20)] | None = None
    extra: Annotated[dict[str, Any], BeforeValidator(as_json)] = {}

    def sent(self, provider: str | None) -> dict[str, object]:
        """The parameters that are set, by their names on the wire.

        Raises:
            CurateError: If there is no provider of the name.
        """
        field = provider_of(provider).max_tokens_field if provider else FIELD
        named = {
            "temperature": self.temperature,
            self.max_tokens_field or field: self.max_tokens,
            "seed": self.seed,
            "logprobs": self.logprobs and True,
            "top_logprobs": self.logprobs,
        }
        return {name: value for name, value in named.items() if value is not None} | self.extra


class ModelEntry(_Part):
    """A model and how it is asked.

    Attributes:
        model: The model, as the server names it.
        name: What replies and scores call it; by default as `model`. Every name occurs once.
        provider: Whose server, as `--provider`.
        backend: What answers; `openai` are servers.
        base_url: The server's address.
        key_variable: The environment variable that holds the key; if it is given it must be set.
            Without it a server of your own at `base_url` is asked without a key.
        parameters: What is sent with every request.
        options: Options of another backend, by name.
        concurrency: Requests at once; by default as the command says.
        timeout: Seconds to wait for a reply; likewise.
        price: `input`, `output` (of a million tokens) and `currency`, instead of `--prices`.
    """

    model: Annotated[str, Field(min_length=1)]
    name: Annotated[str, Field(min_length=1)] | None = None
    provider: str | None = None
    backend: str = _SERVERS
    base_url: str = ""
    key_variable: str | None = None
    parameters: Parameters = Parameters()
    options: dict[str, str] = {}
    concurrency: Annotated[int, Field(ge=1, le=4096)] | None = None
    timeout: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    price: Price | None = None

    def plan(self, usual: RunPlan) -> RunPlan:
        """Plan its run.

        Args:
            usual: Files, limits, and settings that the model leaves open.

        Raises:
            CurateError: If a setting is none, or two do not go together.
        """
        refuse_unknown("backend", self.backend, BACKENDS)
        if self.provider is not None and self.backend != _SERVERS:
            raise refusal("evaluation", "models-provider", "provider", backend=self.backend)
        settings = replace(
            usual.settings,
            model=self.model,
            name=self.name if self.name and self.name != self.model else "",
            parameters=self.parameters.sent(self.provider),
            base_url=service_address(self.base_url, "base URL") if self.base_url else "",
            options=self.options,
            concurrency=self.concurrency or usual.settings.concurrency,
            timeout_s=self.timeout or usual.settings.timeout_s,
        )
        constrain = bool(usual.settings.constrain)
        settings = served_by(settings, self.provider, self.key_variable, constrain=constrain)
        return replace(usual, backend=self.backend, settings=settings, own_price=self.price)


class ModelsFile(_Part):
    """Several models, which are asked one after the other.

    Attributes:
        models: The models.
    """

    models: Annotated[tuple[ModelEntry, ...], Field(min_length=1)]


def plan_models(path: Path, usual: RunPlan) -> list[RunPlan]:
    """Plan the runs of all models of a file, for `run_models`.

    Args:
        path: YAML with the list `models`; see `ModelEntry`.
        usual: Files, limits, and settings that models leave open.

    Raises:
        CurateError: If a key is unknown, a value is none, two models have one name, a price is
            missing or of another currency than others where there is a budget.
    """
    entries = parse_settings(read_text(path), ModelsFile, path, _PAGE).models
    found = []
    for number, entry in enumerate(entries, start=1):
        try:
            taken = sorted((NOT_EXTRA | _OWN_KEYS) & entry.parameters.extra.keys())
            if taken:
                raise refusal("evaluation", "models-extra", "parameters", key=taken[0])
            found.append(entry.plan(usual))
        except CurateError as error:
            where = f"{path}, model {number} ({entry.name or entry.model})"
            where += f": {error.where}" if error.where else ""
            raise CurateError(error.what, where, error.hint) from error
    names = Counter(plan.settings.called for plan in found)
    for name, count in names.most_common(1):
        if count > 1:
            raise refusal("evaluation", "models-alike", str(path), count=count, called=name)
    if usual.budget is not None:
        prices = ((plan.price(), plan.settings.called) for plan in found)
        currencies = {price.currency: called for price, called in prices if price}
        if len(currencies) > 1:
            said = ", ".join(f"{key or 'none'} ({name})" for key, name in currencies.items())
            raise refusal("evaluation", "budget-currencies", str(path), named=said)
    return found


def run_models(
    wanted: Sequence[RunPlan],
    note: Note = lambda _line: None,
    progress: Callable[[RunCounts, Purse], None] | None = None,
) -> Iterator[Ran]:
    """Ask several models, one after the other; one that fails does not stop those after it.

    Nothing is sent where the settings are dry: then what would be asked is estimated.

    Args:
        wanted: What is asked of each.
        note: Called with messages for the user during the run.
        progress: Told how far a run is, some times a second.

    Yields:
        What came of each, as soon as it has ended. A model at which the user stopped is the last.
    """
    spent = 0.0
    for plan in wanted:
        name = plan.settings.called
        if plan.budget is not None:
            plan = replace(plan, budget=max(0.0, plan.budget - spent))
        try:
            ran = run(plan, lambda line, name=name: note(f"{name}: {line}"), progress)  # type: ignore[misc]
        except CurateError as error:
            ran = Ran(plan, name, refused=error)
        spent += ran.spent
        yield ran
        if ran.interrupted:
            return
