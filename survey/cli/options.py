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
        help="Answers to the comprehension questions, if they are in a separate file.",
    ),
    click.option(
        "--mapping",
        "mappings",
        type=_PATH,
        multiple=True,
        help="Mapping by which a file from a survey platform is read; one for all files, or one "
        "for each.",
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
        help="File of answers: in normal form, published counts (JSON), an export of a survey "
        "platform (with --mapping), or a simple table; may be given several times.",
    )

    def add(function: F) -> F:
        for option in reversed((survey, *_MORE)):
            function = option(function)
        return function

    return add
