"""The options that name the files of a survey, for every command that reads one."""

from collections.abc import Callable
from pathlib import Path

import click

from curation.cli.options import F

_PATH = click.Path(path_type=Path)
_MORE = (
    click.option(
        "--comprehension",
        type=_PATH,
        multiple=True,
        help="Answers to the comprehension questions, where they are in a file of their own.",
    ),
    click.option(
        "--mapping",
        "mappings",
        type=_PATH,
        multiple=True,
        help="How a file from a survey platform is read; one for all files, or one for each.",
    ),
    click.option(
        "--questionnaire",
        type=_PATH,
        help="The questions that were asked [default: responses/questionnaire.csv].",
    ),
)


def survey_input_options(*, required: bool) -> Callable[[F], F]:
    """Add `--survey`, `--comprehension`, `--mapping` and `--questionnaire`.

    The command receives them as `surveys`, `comprehension`, `mappings` and `questionnaire`.

    Args:
        required: Whether `--survey` has to be given.
    """
    survey = click.option(
        "--survey",
        "surveys",
        type=_PATH,
        multiple=True,
        required=required,
        help="Answers in normal form, published counts (JSON), or a simple table: rows of "
        "respondent, question and answer, a column a question, or counts; may be given several "
        "times.",
    )

    def add(function: F) -> F:
        for option in reversed((survey, *_MORE)):
            function = option(function)
        return function

    return add
