"""Where the steps of stories find what earlier ones wrote."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from curation.io.workspace import Workspace
from curation.model.errors import CurateError
from evaluation.requests import REQUESTS
from evaluation.stories.records import STORIES

F = TypeVar("F", bound=Callable[..., Any])


def stories_option(function: F) -> F:
    """Add `--stories FILE`; the command receives a path or None as `stories`."""
    return click.option(
        "--stories",
        type=click.Path(dir_okay=False, path_type=Path),
        help=f"The stories [default: exports/stories/{STORIES}].",
    )(function)


def stories_file(workspace: Workspace, given: Path | None) -> Path:
    """Find the stories.

    Raises:
        CurateError: If none were named and none built.
    """
    path = given or workspace.exports_folder / "stories" / STORIES
    if given is None and not path.exists():
        raise CurateError(
            "there are no stories yet",
            str(path),
            "make them with 'curate evaluate stories build', or name a file with --stories",
        )
    return path


def requests_file(workspace: Workspace, out: Path | None, folder: str) -> Path:
    """Give where requests are written to."""
    return out or workspace.exports_folder / folder / REQUESTS


def answered_requests(
    workspace: Workspace, given: Path | None, replies: Path, folder: str, command: str
) -> Path:
    """Find the requests that replies answer: those named, beside the replies, or in the exports.

    Raises:
        CurateError: If there are none.
    """
    if given is not None:
        return given
    usual = workspace.exports_folder / folder / REQUESTS
    for path in (replies.with_name(REQUESTS), usual):
        if path.exists():
            return path
    raise CurateError(
        "there are no requests that these replies could answer",
        str(usual),
        f"name them with --requests FILE; 'curate evaluate stories {command}' makes them",
    )
