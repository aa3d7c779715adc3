"""`curate survey`: what concerns the survey of the public."""

import click

from curation.cli.main import LazyGroup

_COMMANDS = {
    "build": ("survey.cli.build", "Make questions, forms and a plan from the bank."),
    "inspect": ("survey.cli.inspect", "Say what a file is, and draft its mapping."),
    "report": ("survey.cli.report", "Report what the survey found, and how sure it is."),
    "simulate": ("evaluation.cli.simulate", "Ask models the survey's own questions."),
}


@click.group("survey", cls=LazyGroup, lazy=_COMMANDS)
def command() -> None:
    """Ask the public which stereotypes are widely known, and of which groups.

    'curate filter' decides by the answers.
    """
