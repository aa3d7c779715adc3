"""`curate export` of tasks for the harnesses of others."""

from typing import Any

import click

from curation.cli.coloured import SectionedCommand
from curation.cli.options import bounds_options, json_option, workspace_option
from curation.files.workspace import Workspace
from evaluation.cli.options import epochs_option, prompt_options
from exports.cli.options import out_option, show
from exports.harness.tasks import task_folder

_kind_option = click.option(
    "--set",
    "kind",
    type=click.Choice(("test", "all")),
    default="test",
    show_default=True,
    help="Which fillings. test: one filling drawn for each pair of variants; all: every filling.",
)


@click.command(
    "lm-eval",
    cls=SectionedCommand,
    sections={
        "Which samples": ("--set", "--per-template", "--proper-names"),
        "How they are asked": ("--prompts", "--prompt", "--orders", "--epochs"),
        "Files": ("--out",),
    },
)
@workspace_option
@_kind_option
@bounds_options
@prompt_options
@epochs_option
@out_option
@json_option
def lm_eval(workspace: Workspace, kind: str, as_json: bool, **wanted: Any) -> None:
    """Write the benchmark as tasks of the Language Model Evaluation Harness (lm-eval).

    The folder exports/lm_eval runs without this toolkit and offline. It has all requests as text,
    the rules that parse replies, the scores with their standard errors, and a README.md with the
    commands. There are two kinds of tasks: by the reply that a model writes, and by the likeliest
    letter. For the same replies, the scores are equal to those of 'curate evaluate score'.

    \b
    Example: curate export lm-eval
             curate export lm-eval --prompts prompts.yaml --out tasks
    """  # noqa: D301  # \b keeps click from wrapping the example
    made = task_folder(workspace, "lm_eval", kind, **wanted)
    show(made, as_json=as_json, sampled=kind == "test")


@click.command(
    "inspect",
    cls=SectionedCommand,
    sections={
        "Which samples": ("--set", "--per-template", "--proper-names"),
        "How they are asked": ("--prompts", "--prompt", "--orders", "--epochs"),
        "Files": ("--out",),
    },
)
@workspace_option
@_kind_option
@bounds_options
@prompt_options
@epochs_option
@out_option
@json_option
def inspect(workspace: Workspace, kind: str, as_json: bool, **wanted: Any) -> None:
    """Write the benchmark as a task of Inspect.

    The folder exports/inspect runs without this toolkit and offline. It has all requests as text,
    the rules that parse replies, the scores with their standard errors (overall, by category and by
    label), and a README.md with the commands. For the same replies, the scores are equal to those
    of 'curate evaluate score'.

    \b
    Example: curate export inspect
             curate export inspect --set all --out tasks
    """  # noqa: D301  # \b keeps click from wrapping the example
    made = task_folder(workspace, "inspect", kind, **wanted)
    show(made, as_json=as_json, sampled=kind == "test")
