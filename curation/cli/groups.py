"""`curate groups`: the demographic groups, edited in a workbook, and renamed."""

import click

from curation.cli.main import LazyGroup

_COMMANDS = {
    "sheet": ("curation.cli.groups_sheet", "Make a workbook of the groups."),
    "collect": ("curation.cli.groups_collect", "Check an edited workbook and take it over."),
    "rename": ("curation.cli.groups_rename", "Give a group another name everywhere."),
}


@click.group(
    "groups",
    cls=LazyGroup,
    lazy=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
def command() -> None:
    """Edit groups.csv in a workbook, with its rules held to, and rename groups."""
