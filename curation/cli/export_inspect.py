"""`curate export inspect`: the benchmark as tasks of Inspect."""

from pathlib import Path

import click

from curation.cli.export_harness import (
    Given,
    Wanted,
    asked_of,
    export,
    harness_options,
    wanted_by_default,
)
from curation.cli.final import Final
from curation.io.workspace import Workspace
from curation.publish.harness.inspect import write_folder


@click.command("inspect")
@harness_options
def command(workspace: Workspace, given: Given, as_json: bool) -> None:
    """Write the benchmark as a task of Inspect.

    To exports/inspect: a folder that runs where this toolkit is not installed, without a
    network. It holds every request in words, the rules by which replies are read, the scores with
    their standard errors, overall and by category and label, and a README.md with the commands.
    For the same replies the scores are those of 'curate evaluate score'.

    \b
    Example: curate export inspect
             curate export inspect --set all --out tasks
    """  # noqa: D301  # \b keeps click from wrapping the example
    export(workspace, "inspect", write_folder, given, as_json=as_json)


def write_inspect(
    workspace: Workspace, final: Final, folder: Path, wanted: Wanted | None = None
) -> dict[str, int]:
    """Write the task folder, without a manifest.

    Args:
        workspace: The workspace.
        final: What is left of its bank.
        folder: To write to, fresh.
        wanted: What is to be asked; by default the test set with the toolkit's own prompts.

    Returns:
        Counts of samples and requests.

    Raises:
        CurateError: If the toolkit has no prompts in the workspace's language, something cannot be
            read, or a file cannot be written.
    """
    return write_folder(folder, *asked_of(workspace, final, wanted or wanted_by_default(workspace)))
