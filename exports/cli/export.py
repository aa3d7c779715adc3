"""`curate export`: the benchmark, in every form that its users need."""

import click

from curation.cli.group import LazyGroup

_COMMANDS: dict[str, tuple[str, str]] = {
    "bank": ("exports.cli.data:bank", "Write the final bank, with each template's status."),
    "samples": ("exports.cli.data:samples", "Write the samples of the final bank."),
    "recipe": ("exports.cli.recipe:recipe", "Write how it was made, in one file to run again."),
    "package": ("exports.cli.package", "Write a release: data, card, tasks and survey; or a part."),
}


@click.group("export", cls=LazyGroup, lazy=_COMMANDS)
def command() -> None:
    """Write the benchmark in the formats that its users need, each folder with a manifest.

    Dropped templates are left out, and listed with the reason. Templates without a survey decision
    are included, with a note. The same workspace gives the same files. Errors of 'curate check',
    and settings of the survey that were changed after its decisions, do not stop an export: they
    are counted on the terminal and in the manifest.
    """
