"""`curate categories`: the merges of categories."""

import click

from curation.cli.main import LazyGroup

_COMMANDS = {
    "apply": ("curation.cli.categories_apply", "Apply the merges of culture.yaml to the bank."),
}


@click.group(
    "categories",
    cls=LazyGroup,
    lazy=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
def command() -> None:
    """Keep the bank to the categories of culture.yaml."""
