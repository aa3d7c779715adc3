"""What answers requests: one protocol for servers, one for models in this process.

A module that offers a backend is in `evaluation.runner.backends`, has
`open_backend(settings) -> Backend | BatchBackend` and a line in `BACKENDS`; `KEEPS = False` where
its replies cost nothing or depend on more than model, parameters and messages, so that they are
not stored; `DRAWS = True` where replies are drawn although no temperature is set. The runner knows
nothing else of it: it keeps replies, counts failures, shares the work, and asks again where a
failure says that this may help.
"""

import importlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict

from curation.records.messages import CurateError, finding, own_yaml, refusal, refuse_unknown
from evaluation.replies.reply import Reply
from evaluation.requests import THEN_ASKED, Request
from evaluation.runner.index import Asking

ALIKE = 20
"""Requests in a row that end with a failure of one kind before a run stops."""
RETRIES = 6
"""How often a request is sent again."""


def as_json(value: object) -> object:
    """Read texts as JSON where they are some (`0.9`, `true`), within lists and objects, too."""
    if isinstance(value, dict):
        return {str(name): as_json(item) for name, item in value.items()}
    if isinstance(value, list):
        return [as_json(item) for item in value]
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value, parse_constant=str)
    except ValueError:
        return value


class Answering(Protocol):
    """Has replies to requests, in one way or another.

    Attributes:
        model: The model's name in replies.
        asking: How it asks: model, parameters, and what else a reply depends on. Part of its key.
    """

    model: str
    asking: Asking


@runtime_checkable
class Backend(Answering, Protocol):
    """Answers requests one by one, many at once: a server."""

    async def ask(self, request: Request, first: str | None = None) -> Reply:
        """Answer a request, once; a failure is a reply too, not an exception.

        Args:
            request: The request.
            first: Its reply to the first turn, in the second of two.
        """
        ...

    async def close(self) -> None:
        """Release all resources."""
        ...


@runtime_checkable
class BatchBackend(Answering, Protocol):
    """Answers several requests at a time and nothing meanwhile: a model here, another program.

    Attributes:
        batch_size: How many requests are best asked together.
    """

    batch_size: int

    def ask_many(self, requests: Sequence[Request], say: Callable[[str], None]) -> Sequence[Reply]:
        """Answer requests, one reply each in their order.

        Args:
            requests: The requests.
            say: Tells the user a line.
        """
        ...

    def close(self) -> None:
        """Release all resources."""
        ...


@dataclass(frozen=True, slots=True)
class BackendSettings:
    """The settings with which a backend is opened.

    Attributes:
        model: The model's name.
        parameters: Body parameters (`temperature`, `max_tokens`, `seed`, extra ones), as given.
        concurrency: Requests at once.
        base_url: The server's address; empty for the client's own default.
        key_variable: The environment variable that holds the key.
        needs_key: Whether servers are asked with a key alone, wherever they are.
        name: What replies call the model; empty for the model's own name.
        timeout_s: Seconds to wait for one reply.
        dry: Whether nothing will be asked; then neither a key nor a model is needed.
        options: Whatever else the backend reads, by name (`--option NAME=VALUE`).
        workspace: The workspace.
        constrain: The form in which servers have a reply constrained to a label; empty for none.
        then_ask: What is asked in a second turn; empty for one turn. See `Asking`.
    """

    model: str
    parameters: Mapping[str, object] = field(default_factory=dict)
    concurrency: int = 64
    base_url: str = ""
    key_variable: str = "OPENAI_API_KEY"
    needs_key: bool = False
    name: str = ""
    timeout_s: float = 300.0
    dry: bool = False
    options: Mapping[str, str] = field(default_factory=dict)
    workspace: Path = Path()
    constrain: str = ""
    then_ask: str = ""

    def __post_init__(self) -> None:
        if self.key_variable and not _VARIABLE.fullmatch(self.key_variable):
            # It may be the key itself, and is not shown.
            raise refusal("evaluation", "key-variable", "environment")

    @property
    def called(self) -> str:
        """What the model is called."""
        return self.name or self.model

    @property
    def measured(self) -> str:
        """What replies call the model: replies to a second turn measure something else."""
        return f"{self.called}{THEN_ASKED}" if self.then_ask else self.called

    @property
    def most_output(self) -> int | None:
        """The most tokens of a reply, whatever the server calls that; None where it is not set."""
        names = "max_tokens", "max_completion_tokens"
        found = (self.parameters.get(name) for name in names)
        return next((most for most in found if isinstance(most, int)), None)

    def asking(self) -> Asking:
        """How a server is asked."""
        return Asking(
            self.model,
            self.parameters,
            draws_unset=True,
            constrain=self.constrain,
            then_ask=self.then_ask,
        )


_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_BACKENDS = "evaluation.runner.backends"
BACKENDS: dict[str, str] = {
    "openai": f"{_BACKENDS}.completions:OpenaiBackend",
    "hf": f"{_BACKENDS}.hf:LocalModel",
    "inspect": f"{_BACKENDS}.inspect:InspectModel",
    "oracle": f"{_BACKENDS}.baselines:oracle",
    "uniform": f"{_BACKENDS}.baselines:uniform",
    "always-biased": f"{_BACKENDS}.baselines:always_biased",
    "always-counter-biased": f"{_BACKENDS}.baselines:always_counter_biased",
    "always-unknown": f"{_BACKENDS}.baselines:always_unknown",
    "always-first": f"{_BACKENDS}.baselines:always_first",
}
"""By name the module of a backend, imported when it is used; after a colon what opens it."""


def open_backend(name: str, settings: BackendSettings) -> Backend | BatchBackend:
    """Open a backend.

    Raises:
        CurateError: If there is none of the name, or it cannot be opened with these settings.
    """
    refuse_unknown("backend", name, BACKENDS)
    if settings.then_ask and name != "openai":
        raise CurateError("--then-ask is for servers", "--backend", "leave one of both out")
    if settings.constrain and name not in ("openai", "inspect"):
        raise refusal("evaluation", "constrain-labels", "--constrain", backend=name)
    module, _, opener = BACKENDS[name].partition(":")
    found = getattr(importlib.import_module(module), opener or "open_backend")
    backend: Backend | BatchBackend = found(settings)
    return backend


def equal_draws(epochs: int, parameters: Mapping[str, object]) -> str | None:
    """What to say of epochs whose replies may all be the same; None where they are drawn.

    Args:
        epochs: In how many epochs requests are asked.
        parameters: What is sent with each; without a temperature a server takes one of its own.
    """
    temperature = parameters.get("temperature")
    if epochs < 2 or temperature not in (None, 0):
        return None
    why = "the temperature is 0" if temperature == 0 else "no temperature is set and it may be 0"
    return finding("evaluation", "run-epochs", "", epochs=epochs, why=why).message


def keeps(name: str) -> bool:
    """Say whether a backend's replies are stored."""
    module = importlib.import_module(BACKENDS[name].partition(":")[0])
    return bool(getattr(module, "KEEPS", True))


def refuse_other_options(settings: BackendSettings, known: Sequence[str]) -> None:
    """Refuse options that are not read.

    Raises:
        CurateError: If there is one.
    """
    for name in settings.options:
        if name not in known:
            hint = f"the options are: {', '.join(known)}" if known else "leave it out"
            raise CurateError(f"the backend has no option '{name}'", "--option", hint)


def no_extra(extra: str, what: str, error: ImportError) -> CurateError:
    """The error where an extra is not installed: what needs which module."""
    where = f"the extra '{extra}' is not installed"
    told = {"what": what, "module": error.name or extra, "extra": extra}
    return refusal("evaluation", "extra-lacking", where, **told)


FIELD = "max_tokens"
"""What the most tokens of a reply are called where nobody says otherwise."""
KEY = "OPENAI_API_KEY"
"""The environment variable that holds the key where nobody says otherwise."""
NOT_EXTRA = frozenset(
    (
        *("model", "messages", "system", "stream", "n"),
        *("temperature", "max_tokens", "logprobs", "top_logprobs"),
    )
)
"""Parameters that are no extra ones: they have an option or a key of their own, or none."""


class Provider(BaseModel):
    """A provider.

    Attributes:
        title: Its name.
        base_url: Its address; empty where everybody has one of their own.
        address: The form of that one.
        key_variable: The environment variable that holds the key.
        needs_key: Whether nothing is answered without a key.
        max_tokens_field: What it calls the most tokens of a reply.
        ignores: Parameters that it passes over.
        most: By parameter the most that it takes; more would be cut to that without a word.
        logprobs: Whether it gives log-probabilities; `some`: of some models.
        constrain: The form in which it has a reply constrained to a label; empty if it cannot.
        note: What else is to know.
        page: Documentation in which this was read; empty where none was.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    base_url: str = ""
    address: str = ""
    key_variable: str
    needs_key: bool = False
    max_tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    ignores: tuple[str, ...] = ()
    most: dict[str, float] = {}
    logprobs: Literal["yes", "no", "some", "unknown"] = "unknown"
    constrain: str = ""
    note: str = ""
    page: str = ""


@cache
def providers() -> Mapping[str, Provider]:
    """Every provider, by the name that `--provider` takes."""
    told = own_yaml(Path(__file__).with_name("providers.yaml").read_text(encoding="utf-8"))
    return {name: Provider(**said) for name, said in told.items()}


def provider_of(name: str) -> Provider:
    """A provider by its name.

    Raises:
        CurateError: If there is none of the name.
    """
    refuse_unknown("provider", name, providers())
    return providers()[name]


def served_by(
    settings: BackendSettings,
    name: str | None,
    key_variable: str | None = None,
    *,
    constrain: bool = False,
) -> BackendSettings:
    """Put what a provider needs into settings that leave it open.

    Args:
        settings: The address empty where it is the provider's.
        name: The provider; None for OpenAI's protocol at any address.
        key_variable: The environment variable with the key; None for the provider's.
        constrain: Whether replies are constrained to labels; any address is asked as OpenAI.

    Raises:
        CurateError: If there is none of the name, it wants an address, or it would pass over a
            parameter or a constraint: a reply would be kept under what had no effect.
    """
    needed = key_variable is not None
    found = provider_of(name or "openai")
    if constrain and not found.constrain:
        raise refusal("evaluation", "constrain-provider", "--constrain", provider=name)
    settings = replace(settings, constrain=found.constrain if constrain else "")
    if name is None:
        return replace(settings, key_variable=key_variable or KEY, needs_key=needed)
    for parameter in settings.parameters:
        if parameter in found.ignores:
            raise refusal("evaluation", "provider-ignores", provider=name, parameter=parameter)
    for parameter, most in found.most.items():
        value = settings.parameters.get(parameter)
        if isinstance(value, (int, float)) and value > most:
            told = {"provider": name, "parameter": parameter, "most": float(most)}
            raise refusal("evaluation", "provider-most", **told, value=float(value))
    url = settings.base_url or found.base_url
    if not url:
        told = {"provider": name, "form": found.address}
        raise refusal("evaluation", "provider-address", "base URL", **told)
    return replace(
        settings,
        base_url=url,
        key_variable=key_variable or found.key_variable,
        needs_key=needed or found.needs_key,
    )
