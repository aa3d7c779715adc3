"""`curate evaluate compare`: whether scores differ by more than chance."""

import click

from curation.cli.main import LazyGroup

_COMMANDS = {
    "groups": ("curation.cli.evaluate_compare_groups", "Categories and labels of each model."),
    "models": ("curation.cli.evaluate_compare_models", "Two models on the same requests."),
    "benchmarks": (
        "curation.cli.evaluate_compare_benchmarks",
        "Two benchmarks, or a test set and the entire set.",
    ),
}


@click.group(
    "compare",
    cls=LazyGroup,
    lazy=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
def command() -> None:
    """Test whether scores differ by more than chance, with corrections for many tests.

    The folders to compare are those that 'curate evaluate score --out' writes. What is tested
    are the scores of single templates (or of prompts, with --unit prompt).
    """
