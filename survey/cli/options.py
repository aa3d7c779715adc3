"""The options that name the files of a survey."""

from curation.cli.options import F, path_option

_INPUTS = (
    path_option(
        "--survey",
        "surveys",
        multiple=True,
        required=True,
        help="File of answers: in normal form, published counts (JSON), an export of a survey "
        "platform (with --mapping), or a simple table; may be given several times.",
    ),
    path_option(
        "--comprehension",
        multiple=True,
        help="Answers to the comprehension questions, if they are in a separate file.",
    ),
    path_option(
        "--mapping",
        "mappings",
        multiple=True,
        help="Mapping by which a file from a survey platform is read; one for all files, or one "
        "for each.",
    ),
    path_option(
        "--questionnaire",
        help="The questions that were asked [default: responses/questionnaire.csv].",
    ),
)


def survey_input_options(function: F) -> F:
    """Add `--survey`, `--comprehension`, `--mapping` and `--questionnaire`.

    The command receives them as `surveys`, `comprehension`, `mappings` and `questionnaire`.
    """
    for option in reversed(_INPUTS):
        function = option(function)
    return function
