"""`curate survey`: what concerns the survey of the public."""

import click

from curation.cli.main import LazyGroup

_COMMANDS = {
    "build": ("survey.cli.build", "Make the questions, forms and plan of the survey."),
    "report": ("survey.cli.report", "Write a report of the survey's results."),
    "simulate": ("evaluation.cli.simulate", "Ask models the questions of the survey."),
}


@click.group("survey", cls=LazyGroup, lazy=_COMMANDS)
def command() -> None:
    """Ask the public which stereotypes are widely known, and of which groups.

    'curate filter' decides by the answers.
    """
