"""`curate evaluate`: models on the benchmark, and its groups of commands."""

import click

from curation.cli.main import LazyGroup

_SCORING = "evaluation.cli.scoring"
_COMMANDS = {
    "Ask models": {
        "plan": ("evaluation.cli.plan", "Find how many templates and prompts are needed."),
        "prepare": ("evaluation.cli.prepare", "Write requests: samples x prompts x orders."),
        "run": ("evaluation.cli.run", "Send the requests to a model; save replies."),
    },
    "Parse and score": {
        "replies": ("evaluation.cli.replies", "Read replies in; show how they are parsed."),
        "score": (f"{_SCORING}:score_command", "Score replies: accuracy, bias, out-of-choice."),
        "compare": ("evaluation.cli.compare", "Test whether scores differ."),
        "report": (f"{_SCORING}:report_command", "Write a report, or a page with each reply."),
    },
    "Other measures": {
        "stories": ("evaluation.cli.stories", "Measure bias in stories that models continue."),
        "occupations": (
            "evaluation.cli.occupations",
            "Compare occupations with labour statistics.",
        ),
    },
}


@click.group("evaluate", lazy=_COMMANDS, cls=LazyGroup)
def command() -> None:
    """Run models on an exported benchmark, and score them.

    The steps: 'plan' says how much is needed to see a difference. 'prepare' writes requests. 'run'
    sends them to a model. 'replies' reads in replies that came another way (batches, logs, parts),
    and shows how replies are parsed. 'score' computes the scores. 'compare' tests differences.
    'report' writes a report, or a page with each reply. 'stories' and 'occupations' have the same
    steps for two other kinds of measures.
    """
