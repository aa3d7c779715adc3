"""Options that say where a command computes: in this process, or on a Dask cluster."""

import functools
from collections.abc import Callable
from typing import Any

import click

_DASK = "dask"


def executor_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--executor` and `--scheduler`; the command receives an address or None, `scheduler`."""

    @functools.wraps(function)
    def gathered(*args: Any, executor: str, scheduler: str | None, **kwargs: Any) -> Any:
        if (executor == _DASK) != bool(scheduler):
            raise click.UsageError("--executor dask and --scheduler ADDRESS go together")
        return function(*args, scheduler=scheduler or None, **kwargs)

    result: Callable[..., Any] = gathered
    for option in (
        click.option(
            "--scheduler",
            metavar="ADDRESS",
            help="The scheduler of the cluster, such as tcp://host:8786, or the JSON file that it "
            "wrote.",
        ),
        click.option(
            "--executor",
            type=click.Choice(("local", _DASK)),
            default="local",
            show_default=True,
            help="Where it is computed: in this process, or on the workers of a Dask cluster. "
            "The result is the same.",
        ),
    ):
        result = option(result)
    return result
