"""`curate export inspect`: the benchmark as tasks of Inspect."""

import click

from curation.cli.export_harness import Given, export, harness_options
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
