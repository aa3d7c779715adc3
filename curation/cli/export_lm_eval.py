"""`curate export lm-eval`: tasks of the Language Model Evaluation Harness."""

import click

from curation.cli.export_harness import Given, export, harness_options
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
