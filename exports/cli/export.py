"""`curate export`: the benchmark, in every form that its users need."""

import click

from curation.cli.group import LazyGroup

_COMMANDS: dict[str, tuple[str, str]] = {
    "bank": ("exports.cli.data:bank", "Write the final bank, and where each template stands."),
    "samples": ("exports.cli.data:samples", "Write the samples of the final bank."),
    "hub": ("exports.cli.data:hub", "Write a dataset folder for the Hugging Face hub."),
    "lm-eval": ("exports.cli.tasks:lm_eval", "Write tasks for lm-eval, ready to run."),
    "inspect": ("exports.cli.tasks:inspect", "Write a task for Inspect, ready to run."),
    "survey": ("exports.cli.survey", "Write the survey's results, fit to be published."),
    "package": ("exports.cli.release:package", "Write everything of a release at once."),
}


@click.group("export", cls=LazyGroup, lazy=_COMMANDS)
def command() -> None:
    """Write the benchmark in the forms that its users need, each folder with a manifest.

    What the ledger dropped is left out, and listed with its reason; templates that the
    survey has not decided yet are in, and a note says so. The same workspace gives the same bytes.
    Errors that 'curate check' finds are counted on standard error and in the manifest, and so
    are settings of the survey that were changed after its decisions: neither stops an export.
    """
