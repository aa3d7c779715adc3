"""`curate evaluate`: models on the benchmark."""

import click

from curation.cli.main import LazyGroup

_COMMANDS: dict[str, tuple[str, str]] = {
    "prepare": ("curation.cli.evaluate_prepare", "Write the requests: samples x prompts x orders."),
    "run": ("curation.cli.evaluate_run", "Ask a model the requests, many at once."),
    "batch": ("curation.cli.evaluate_batch", "Ask through batch files, at half the price."),
    "merge": ("curation.cli.evaluate_merge", "Join the replies of several parts."),
    "replies": ("curation.cli.evaluate_replies", "Show how replies are read, by which rule."),
    "score": ("curation.cli.evaluate_score", "Score replies: accuracy, bias, out-of-choice."),
    "compare": ("curation.cli.evaluate_compare", "Test whether scores differ."),
    "report": ("curation.cli.evaluate_report", "Write the report: page, pictures and tables."),
    "stories": ("curation.cli.evaluate_stories", "The same steps for continued stories."),
    "occupations": ("curation.cli.evaluate_occupations", "Occupations against labour statistics."),
}


@click.group(
    "evaluate",
    cls=LazyGroup,
    lazy=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
def command() -> None:
    """Run models on an exported benchmark, and say what can be said of them.

    The steps: 'prepare' writes requests, 'run' asks a model, 'replies' shows how its replies are
    read, 'score' counts, 'compare' tests, 'report' draws. 'stories' and 'occupations' are the
    same steps for the two other families of measures.
    """
