"""What the steps of evaluation share: which samples, prompts and orders they are about."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from curation.io.workspace import Workspace
from curation.model.errors import CurateError
from evaluation.orders import Orders
from evaluation.prompts import PromptSet, bundled_prompts, read_prompts

F = TypeVar("F", bound=Callable[..., Any])

SETS = ("test", "all")
_FILE_OF_SET = {"test": "test_samples", "all": "samples"}
_ENDINGS = ("csv", "jsonl", "parquet", "tsv")


def samples_option(function: F) -> F:
    """Add `--samples FILE`; the command receives a path or None as `samples`."""
    return click.option(
        "--samples",
        type=click.Path(dir_okay=False, path_type=Path),
        help="The samples, as 'curate export samples' or KoBBQ's publication writes them "
        "[default: those of the set in exports/samples].",
    )(function)


def prompt_options(function: F) -> F:
    """Add `--prompts FILE`, `--prompt ID` and `--orders`; see `chosen_prompts`."""
    for option in (
        click.option(
            "--orders",
            type=click.Choice([item.value for item in Orders]),
            help="The three orders of the choices: the cyclic ones, or those that KoBBQ "
            "published [default: what the prompts' file says, else cyclic].",
        ),
        click.option(
            "--prompt",
            "prompt_ids",
            multiple=True,
            metavar="ID",
            help="Only this prompt; may be given several times.",
        ),
        click.option(
            "--prompts",
            type=click.Path(dir_okay=False, path_type=Path),
            help="The prompts: YAML, or KoBBQ's published TSV [default: the toolkit's own five "
            "in the workspace's language].",
        ),
    ):
        function = option(function)
    return function


def samples_file(workspace: Workspace, given: Path | None, name: str) -> Path:
    """Find the samples.

    Args:
        workspace: The workspace.
        given: A file that was named.
        name: Which set, `test` or `all`.

    Raises:
        CurateError: If none was named, and none was exported.
    """
    if given is not None:
        return given
    folder = workspace.exports_folder / "samples"
    for ending in _ENDINGS:
        path = folder / f"{_FILE_OF_SET[name]}.{ending}"
        if path.exists():
            return path
    raise CurateError(
        "there are no samples to ask about",
        str(folder),
        f"write them with 'curate export samples --set {name}', or name a file with --samples",
    )


def chosen_prompts(
    workspace: Workspace, given: Path | None, ids: Sequence[str], orders: str | None
) -> tuple[PromptSet, Orders]:
    """Give the prompts and the orders that were chosen.

    Raises:
        CurateError: If the prompts cannot be read, or there is none of an id.
    """
    found = read_prompts(given) if given else bundled_prompts(workspace.culture.language)
    if ids:
        found = found.only(ids)
    return found, Orders(orders) if orders else found.orders or Orders.CYCLIC
