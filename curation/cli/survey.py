"""`curate survey`: what concerns the survey of the public."""

import click

from curation.cli.main import LazyGroup

_COMMANDS = {
    "build": ("curation.cli.survey_build", "Make questions, forms and a plan from the bank."),
    "inspect": ("curation.cli.survey_inspect", "Say what a file is, and draft its mapping."),
    "report": ("curation.cli.survey_report", "Report what the survey found, and how sure it is."),
    "simulate": ("curation.cli.survey_simulate", "Ask models the survey's own questions."),
}


@click.group(
    "survey",
    cls=LazyGroup,
    lazy=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
def command() -> None:
    """Ask the public which stereotypes and which groups are real.

    'curate filter' decides by the answers.
    """
