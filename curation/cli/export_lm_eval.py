"""`curate export lm-eval`: tasks of the Language Model Evaluation Harness."""

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
from curation.publish.harness.lm_eval import write_folder


@click.command("lm-eval")
@harness_options
def command(workspace: Workspace, given: Given, as_json: bool) -> None:
    """Write the benchmark as tasks of the Language Model Evaluation Harness (lm-eval).

    To exports/lm_eval: a folder that runs where this toolkit is not installed, without a
    network. It holds every request in words, the rules by which replies are read, the scores with
    their standard errors, and a README.md with the commands. Both scores are there: by the reply
    that a model writes, and by the likeliest letter. For the same replies the scores are those of
    'curate evaluate score'.

    \b
    Example: curate export lm-eval
             curate export lm-eval --prompts prompts.yaml --out tasks
    """  # noqa: D301  # \b keeps click from wrapping the example
    export(workspace, "lm_eval", write_folder, given, as_json=as_json)


def write_lm_eval(
    workspace: Workspace, final: Final, folder: Path, wanted: Wanted | None = None
) -> dict[str, int]:
    """Write the task folder, without a manifest.

    Args:
        workspace: The workspace.
        final: What is left of its bank.
        folder: To write to, fresh.
        wanted: What is to be asked; by default the test set with the toolkit's own prompts.

    Returns:
        Counts of samples, requests and tasks.

    Raises:
        CurateError: If the toolkit has no prompts in the workspace's language, something cannot be
            read, or a file cannot be written.
    """
    return write_folder(folder, *asked_of(workspace, final, wanted or wanted_by_default(workspace)))
