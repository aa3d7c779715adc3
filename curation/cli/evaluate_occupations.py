"""`curate evaluate occupations`: who is given which occupation, against labour statistics."""

import click

from curation.cli.main import LazyGroup

_COMMANDS = {
    "ratios": ("curation.cli.evaluate_occupations_ratios", "Make ratios of labour statistics."),
    "items": ("curation.cli.evaluate_occupations_items", "Write items and requests of a task."),
    "survey": ("curation.cli.evaluate_occupations_survey", "Ask people the same items."),
    "score": ("curation.cli.evaluate_occupations_score", "Score replies: M_B, M_R, M_S."),
}


@click.group(
    "occupations",
    cls=LazyGroup,
    lazy=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
def command() -> None:
    """Let models say who has which occupation, and hold it against labour statistics.

    A model that knows nothing but a person's gender or age is to pick one of two occupations, or
    that it cannot be known. Three measures say how it picks: whether it treats the two groups
    alike (M_B), how often it refuses (M_R), and whether it leans as the real ratios do (M_S). The
    steps: 'ratios' makes the real ratios, 'items' writes what is asked, 'curate evaluate run'
    asks a model, 'survey' asks people, 'score' counts.
    """
