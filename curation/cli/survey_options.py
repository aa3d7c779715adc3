"""The options that name the files of a survey, for every command that reads one."""

from collections.abc import Callable
from pathlib import Path

import click

from curation.cli.common import F


def survey_input_options(*, required: bool) -> Callable[[F], F]:
    """Add `--survey`, `--comprehension`, `--mapping` and `--questionnaire`.

    The command receives them as `surveys`, `comprehension`, `mappings` and `questionnaire`.

    Args:
        required: Whether `--survey` has to be given.
    """
    path = click.Path(path_type=Path)
    options = (
        click.option(
            "--survey",
            "surveys",
            type=path,
            multiple=True,
            required=required,
            help="Answers in normal form (CSV) or published counts (JSON); may be given several "
            "times.",
        ),
        click.option(
            "--comprehension",
            type=path,
            multiple=True,
            help="Answers to the comprehension questions, where they are in a file of their own.",
        ),
        click.option(
            "--mapping",
            "mappings",
            type=path,
            multiple=True,
            help="How a file from a survey platform is read; one for all files, or one for each.",
        ),
        click.option(
            "--questionnaire",
            type=path,
            help="The questions that were asked [default: responses/questionnaire.csv].",
        ),
    )

    def add(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return add
