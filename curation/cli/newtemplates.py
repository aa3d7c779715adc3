"""`curate new`: templates that are written for the culture."""

import click

from curation.cli.main import LazyGroup

_COMMANDS = {
    "sheet": ("curation.cli.new_sheet", "Make a workbook to write new templates in."),
    "collect": ("curation.cli.new_collect", "Check what was written and put it into the bank."),
}


@click.group(
    "new",
    cls=LazyGroup,
    lazy=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
def command() -> None:
    """Write new templates (NC) about stereotypes that the source does not have."""
