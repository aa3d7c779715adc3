"""Providers of models, as data: addresses, keys, and what each of them does otherwise."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, RootModel

from curation.records.errors import CurateError, refuse_unknown
from curation.records.settings_errors import parse_settings
from evaluation.runner.backend import BackendSettings

FIELD = "max_tokens"
"""What the most tokens of a reply are called where nobody says otherwise."""
KEY = "OPENAI_API_KEY"
"""The environment variable that holds the key where nobody says otherwise."""
_FILE = "providers.yaml"
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


class _Providers(RootModel[dict[str, Provider]]):
    """The whole file."""


@cache
def providers() -> Mapping[str, Provider]:
    """Every provider, by the name that `--provider` takes."""
    file = files("evaluation.runner") / _FILE
    text = file.read_text(encoding="utf-8")
    return parse_settings(text, _Providers, Path(_FILE), ours=True).root


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
        hint = "leave --constrain out, and have it asked: curate evaluate prepare --answer json"
        raise CurateError(f"{name} cannot constrain a reply to labels", "--constrain", hint)
    settings = replace(settings, constrain=found.constrain if constrain else "")
    if name is None:
        return replace(settings, key_variable=key_variable or KEY, needs_key=needed)
    for parameter in settings.parameters:
        if parameter in found.ignores:
            hint = "leave it out"
            raise CurateError(f"{name} ignores '{parameter}' without an error", "", hint)
    for parameter, most in found.most.items():
        value = settings.parameters.get(parameter)
        if isinstance(value, (int, float)) and value > most:
            what = (
                f"{name} accepts '{parameter}' up to {most:g}, and would reduce {value:g} to that"
            )
            raise CurateError(what, "", f"give {most:g} or less")
    url = settings.base_url or found.base_url
    if not url:
        hint = f"give yours, of the form {found.address}"
        raise CurateError(f"{name} has an address for each customer", "base URL", hint)
    return replace(
        settings,
        base_url=url,
        key_variable=key_variable or found.key_variable,
        needs_key=needed or found.needs_key,
    )


def logprob_parameters(count: int | None) -> dict[str, object]:
    """The parameters that ask for log-probabilities of so many tokens at each place."""
    return {} if count is None else {"logprobs": True, "top_logprobs": count}
