"""Options that become parameters of every request to a model."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from curation.cli.common import F

_SET = ("temperature", "seed", "max_tokens", "max_completion_tokens")
_RESERVED = frozenset(("model", "messages", "system", "stream", "n", *_SET))


def _extra(
    _context: click.Context, _option: click.Parameter, values: Sequence[str]
) -> dict[str, object]:
    """Read further parameters; each value is JSON."""
    found: dict[str, object] = {}
    for value in values:
        name, sign, text = value.partition("=")
        if not sign or not name:
            raise click.BadParameter(f"'{value}' is not written as NAME=VALUE")
        if name in _RESERVED or name in found:
            why = "is given twice" if name in found else "is not set here"
            raise click.BadParameter(f"'{name}' {why}")
        try:
            found[name] = json.loads(text, parse_constant=_refuse_constant)
        except ValueError as error:
            hint = f"put a text in quotes: '{name}=\"{text}\"'"
            raise click.BadParameter(f"the value of '{name}' is no JSON; {hint}") from error
    return found


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


def _finite(_context: click.Context, _option: click.Parameter, value: float | None) -> float | None:
    if value is not None and not math.isfinite(value):
        raise click.BadParameter(f"{value} is no number")
    return value


_OPTIONS: Sequence[Callable[[Any], Any]] = (
    click.option(
        "--temperature",
        type=click.FloatRange(0),
        callback=_finite,
        help="Sent only if it is given: some models take none.",
    ),
    click.option("--max-tokens", type=click.IntRange(1), help="The most tokens of a reply."),
    click.option(
        "--max-tokens-field",
        type=click.Choice(("max_tokens", "max_completion_tokens")),
        default="max_tokens",
        show_default=True,
        help="What that is called for this model.",
    ),
    click.option("--seed", type=int, help="Sent with every request; not every model heeds it."),
    click.option(
        "--extra",
        metavar="NAME=JSON",
        multiple=True,
        callback=_extra,
        help="Another parameter of the request; may be given several times.",
    ),
)


def parameter_options(function: F) -> F:
    """Add the options; see `parameters_of` for what the command receives."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def parameters_of(given: Mapping[str, Any]) -> dict[str, object]:
    """Give the parameters that were chosen, by their names on the wire."""
    named = {
        "temperature": given["temperature"],
        given["max_tokens_field"]: given["max_tokens"],
        "seed": given["seed"],
    }
    sent = {name: value for name, value in named.items() if value is not None}
    return {**sent, **given["extra"]}
