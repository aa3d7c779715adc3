"""The options of commands that score: what models were asked, and what they replied."""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from curation.cli.evaluate_inputs import prompt_options, samples_option
from curation.cli.evaluate_scoring import Wanted
from evaluation.bootstrap import DRAWS
from evaluation.score import SetKind


def scoring_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options; the command receives them together, as `wanted`."""

    @functools.wraps(function)
    def gathered(*args: Any, **kwargs: Any) -> Any:
        values = {name: kwargs.pop(name) for name in _NAMES}
        if bool(values["replies"]) == bool(values["predictions"]):
            raise click.UsageError("name either --replies FILE or --predictions FILE")
        kind = values.pop("set_")
        wanted = Wanted(kind=SetKind(kind) if kind else None, **values)
        return function(*args, wanted=wanted, **kwargs)

    result: Callable[..., Any] = gathered
    for option in reversed(_OPTIONS):
        result = option(result)
    return result


_NAMES = (
    *("samples", "prompts", "prompt_ids", "orders", "requests", "replies", "predictions"),
    *("model", "set_", "mode", "filled", "draws", "seed"),
)
_OPTIONS = (
    samples_option,
    prompt_options,
    click.option(
        "--requests",
        type=click.Path(dir_okay=False, path_type=Path),
        help="What was asked, where it was not every sample with every prompt in every order.",
    ),
    click.option(
        "--replies",
        type=click.Path(dir_okay=False, path_type=Path),
        multiple=True,
        help="What models replied (JSON lines); may be given several times.",
    ),
    click.option(
        "--predictions",
        type=click.Path(dir_okay=False, path_type=Path),
        multiple=True,
        help="KoBBQ's published evaluation TSV, with its column prediction, in place of samples "
        "and replies; may be given several times.",
    ),
    click.option("--model", help="The model of --predictions [default: as the file's name says]."),
    click.option(
        "--set",
        "set_",
        type=click.Choice([kind.value for kind in SetKind]),
        help="test: all rows pooled; all: each template scored, then averaged [default: all where "
        "a variant has more than one filling].",
    ),
    click.option(
        "--mode",
        type=click.Choice(["strict", "kobbq"]),
        default="strict",
        show_default=True,
        help="How replies are read: by the toolkit's rules, or as KoBBQ's script does.",
    ),
    click.option(
        "--filled",
        type=click.Path(dir_okay=False, path_type=Path),
        multiple=True,
        help="Workbook in which a person read what no rule could.",
    ),
    click.option(
        "--draws",
        type=click.IntRange(0),
        default=DRAWS,
        show_default=True,
        help="Draws of the bootstrap over templates; 0 for no intervals.",
    ),
    click.option("--seed", type=int, default=42, show_default=True, help="Of the draws."),
)
