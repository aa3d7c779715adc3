"""A file of models: several of them with their own settings, asked in one go."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from curation.files.tables import read_text
from curation.records.errors import CurateError, refuse_unknown
from curation.records.settings_errors import parse_settings
from curation.records.wording import plural
from evaluation.runner.backend import BACKENDS, BackendSettings
from evaluation.runner.backends.openai import checked_address
from evaluation.runner.costs import Price
from evaluation.runner.providers import (
    FIELD,
    KEY,
    logprob_parameters,
    provider_of,
    with_provider,
)

_PAGE = "docs/evaluation-running.md"
_SERVERS = "openai"
_RESERVED = frozenset(
    (
        *("model", "messages", "stream", "n", "temperature", "seed"),
        *("max_tokens", "max_completion_tokens", "logprobs", "top_logprobs"),
    )
)


def _json(value: object) -> object:
    """Read texts of YAML as JSON where they are some: `0.9`, `true`; else they are texts."""
    if isinstance(value, dict):
        return {str(name): _json(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_json(item) for item in value]
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value, parse_constant=str)
    except ValueError:
        return value


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
    extra: Annotated[dict[str, Any], BeforeValidator(_json)] = {}

    def sent(self, field: str) -> dict[str, object]:
        """The parameters that are set, by their names on the wire."""
        named = {
            "temperature": self.temperature,
            self.max_tokens_field or field: self.max_tokens,
            "seed": self.seed,
            **logprob_parameters(self.logprobs),
        }
        return {name: value for name, value in named.items() if value is not None} | self.extra


class PriceOf(_Part):
    """Prices of a million tokens."""

    input: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    output: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    currency: str = ""


class ModelEntry(_Part):
    """A model and how it is asked.

    Attributes:
        model: The model, as the server names it.
        name: What replies and scores call it; by default as `model`.
        provider: Whose server; see `providers`.
        backend: What answers; `openai` are servers.
        base_url: The server's address.
        key_variable: The environment variable that holds the key.
        parameters: What is sent with every request.
        options: Options of another backend, by name.
        concurrency: Requests at once; by default as the command says.
        timeout: Seconds to wait for a reply; likewise.
        price: What the model costs.
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
    price: PriceOf | None = None


class _File(_Part):
    models: Annotated[tuple[ModelEntry, ...], Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """A model of a file, ready to be opened.

    Attributes:
        backend: The backend's name.
        settings: What it is opened with.
        price: What it costs; None where the file does not say.
        most_output: The most tokens of a reply.
    """

    backend: str
    settings: BackendSettings
    price: Price | None
    most_output: int | None


def read_models(path: Path, usual: BackendSettings) -> tuple[ModelSettings, ...]:
    """Read a file of models.

    Args:
        path: YAML with the list `models`; see `ModelEntry`.
        usual: Concurrency, time to wait, workspace and whether it is dry, where a model says
            nothing else.

    Raises:
        CurateError: If a key is unknown, a value is none, or two models have one name.
    """
    entries = parse_settings(read_text(path), _File, path, _PAGE).models
    found = []
    for number, entry in enumerate(entries, start=1):
        try:
            found.append(_settings(entry, usual))
        except CurateError as error:
            where = f"{path}, model {number} ({entry.name or entry.model})"
            where += f": {error.where}" if error.where else ""
            raise CurateError(error.what, where, error.hint) from error
    _refuse_one_name(path, found)
    return tuple(found)


def _settings(entry: ModelEntry, usual: BackendSettings) -> ModelSettings:
    refuse_unknown("backend", entry.backend, BACKENDS)
    taken = sorted(_RESERVED & entry.parameters.extra.keys())
    if taken:
        hint = "it has a key of its own beside 'extra', or none"
        raise CurateError(f"'{taken[0]}' is not set in 'extra'", "parameters", hint)
    field, price = FIELD, entry.price
    if entry.provider is not None:
        if entry.backend != _SERVERS:
            what = f"the backend '{entry.backend}' asks no server"
            raise CurateError(what, "provider", "leave one of both out")
        field = provider_of(entry.provider).max_tokens_field
    settings = replace(
        usual,
        model=entry.model,
        name=entry.name if entry.name and entry.name != entry.model else "",
        parameters=entry.parameters.sent(field),
        base_url=checked_address(entry.base_url, where="base_url") if entry.base_url else "",
        key_variable=entry.key_variable or ("" if entry.provider else KEY),
        needs_key=entry.key_variable is not None,
        options=entry.options,
        concurrency=entry.concurrency or usual.concurrency,
        timeout_s=entry.timeout or usual.timeout_s,
    )
    if entry.provider is not None:
        settings = with_provider(settings, entry.provider)
    cost = None if price is None else Price(price.input, price.output, price.currency)
    return ModelSettings(entry.backend, settings, cost, entry.parameters.max_tokens)


def _refuse_one_name(path: Path, found: Sequence[ModelSettings]) -> None:
    names = [item.settings.called for item in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        count = names.count(twice)
        raise CurateError(
            f"{count} models are called '{twice}', so their replies could not be distinguished",
            str(path),
            f"give {count - 1 or 1} of them another {plural('name', count - 1)}: 'name: ...'",
        )
