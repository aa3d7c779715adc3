"""A file of models: several of them with their own settings, asked in one go."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from curation.files.tables import read_text
from curation.records.errors import CurateError, refuse_unknown
from curation.records.settings_errors import parse_settings
from curation.records.wording import plural
from evaluation.runner.asking import Note, Ran, RunPlan, run, silent
from evaluation.runner.backend import BACKENDS
from evaluation.runner.backends.openai import checked_address
from evaluation.runner.costs import Price, Purse
from evaluation.runner.providers import (
    FIELD,
    NOT_EXTRA,
    logprob_parameters,
    provider_of,
    served_by,
)
from evaluation.runner.tally import Tally

_PAGE = "docs/evaluation-running.md"
_SERVERS = "openai"
_OWN_KEYS = {"seed", "max_completion_tokens"}  # which options have as --extra


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
            found.append(_plan(entry, usual))
        except CurateError as error:
            where = f"{path}, model {number} ({entry.name or entry.model})"
            where += f": {error.where}" if error.where else ""
            raise CurateError(error.what, where, error.hint) from error
    names = Counter(plan.settings.called for plan in found)
    for name, count in names.most_common(1):
        if count > 1:
            raise CurateError(
                f"{count} models are called '{name}', so their replies could not be distinguished",
                str(path),
                f"give {count - 1} of them another {plural('name', count - 1)}: 'name: ...'",
            )
    if usual.budget is not None:
        _refuse_unpriced(path, found)
    return found


def _plan(entry: ModelEntry, usual: RunPlan) -> RunPlan:
    refuse_unknown("backend", entry.backend, BACKENDS)
    taken = sorted((NOT_EXTRA | _OWN_KEYS) & entry.parameters.extra.keys())
    if taken:
        hint = "it has a key of its own beside 'extra', or none"
        raise CurateError(f"'{taken[0]}' is not set in 'extra'", "parameters", hint)
    field = FIELD
    if entry.provider is not None:
        if entry.backend != _SERVERS:
            what = f"the backend '{entry.backend}' asks no server"
            raise CurateError(what, "provider", "leave one of both out")
        field = provider_of(entry.provider).max_tokens_field
    settings = replace(
        usual.settings,
        model=entry.model,
        name=entry.name if entry.name and entry.name != entry.model else "",
        parameters=entry.parameters.sent(field),
        base_url=checked_address(entry.base_url, where="base_url") if entry.base_url else "",
        options=entry.options,
        concurrency=entry.concurrency or usual.settings.concurrency,
        timeout_s=entry.timeout or usual.settings.timeout_s,
    )
    constrain = bool(usual.settings.constrain)
    settings = served_by(settings, entry.provider, entry.key_variable, constrain=constrain)
    return replace(
        usual,
        backend=entry.backend,
        settings=settings,
        limits=replace(usual.limits, concurrency=settings.concurrency),
        own_price=entry.price,
        most_output=entry.parameters.max_tokens,
    )


def _refuse_unpriced(path: Path, found: Sequence[RunPlan]) -> None:
    """Refuse a budget that cannot be kept: a model without a price, or of another currency."""
    currencies: dict[str, str] = {}
    for plan in found:
        name = plan.settings.called
        price = plan.price(name)
        if plan.backend != _SERVERS:
            what = f"a budget is kept for servers alone, and '{name}' is of another backend"
            raise CurateError(what, str(path), "run it separately, with --limit")
        if price is None:
            hint = (
                "write it as 'price: {input: 0.15, output: 0.6, currency: USD}', or give --prices"
            )
            raise CurateError(f"a budget needs the price of '{name}'", str(path), hint)
        currencies.setdefault(price.currency, name)
    if len(currencies) > 1:
        named = ", ".join(f"{key or 'none'} ({name})" for key, name in currencies.items())
        raise CurateError(
            f"one budget cannot limit prices in several currencies: {named}",
            str(path),
            "give all prices in one currency, or run the models of each currency separately",
        )


def run_models(
    wanted: Sequence[RunPlan],
    note: Note = silent,
    progress: Callable[[Tally, Purse], None] | None = None,
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
        named = partial(_named, name, note)
        try:
            ran = run(plan, named, progress)
        except CurateError as error:
            ran = Ran(plan, name, refused=error)
        spent += ran.spent
        yield ran
        if ran.interrupted:
            return


def _named(name: str, note: Note, line: str) -> None:
    """Say of which model a note is."""
    note(f"{name}: {line}")
