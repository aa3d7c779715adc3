"""`curate evaluate stories`: what models make of stories that leave open who is who (BBG)."""

import click

from curation.cli.main import LazyGroup

_COMMANDS = {
    "build": ("curation.cli.evaluate_stories_build", "Make stories of the final bank."),
    "sheet": ("curation.cli.evaluate_stories_sheet", "Make workbooks for editors."),
    "collect": ("curation.cli.evaluate_stories_collect", "Read what editors returned."),
    "prepare": ("curation.cli.evaluate_stories_prepare", "Write what models are to continue."),
    "ask": ("curation.cli.evaluate_stories_ask", "Write what an evaluator is asked about it."),
    "readings": ("curation.cli.evaluate_stories_readings", "Read what the evaluator replied."),
    "evaluators": ("curation.cli.evaluate_stories_evaluators", "Rank evaluators by their QA."),
    "passages": ("curation.cli.evaluate_stories_passages", "Make workbooks for human readers."),
    "agreement": ("curation.cli.evaluate_stories_agreement", "Hold readers against each other."),
    "score": ("curation.cli.evaluate_stories_score", "Score the readings: neutrality and bias."),
    "compare": ("curation.cli.evaluate_stories_compare", "Hold the scores against QA."),
}


@click.group(
    "stories",
    cls=LazyGroup,
    lazy=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
def command() -> None:
    """Let models continue stories, and see to whom they give which part.

    A story tells of two people and of what one and the other did, and not who did which. A
    neutral model gives the parts in no one's favour: it leaves them open, or follows the order
    in which the two were introduced. The steps: 'build' makes stories of the bank, 'sheet' and
    'collect' let editors mend them, 'prepare' writes what models are asked to continue,
    'ask' what an evaluator is asked about the continuations, 'readings' takes its replies, and
    'score' counts. 'evaluators' and 'agreement' help to choose the evaluator, 'compare' holds
    the scores against those of question answering.
    """
