"""Options that commands on models share: files, prompts, what is scored, where it is computed."""

import functools
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from curation.cli import options
from curation.report.texts import typed
from evaluation.requests import MOST_EPOCHS

if TYPE_CHECKING:
    from evaluation.qa.scoring import ScoreInputs

INTERVAL_NOTE = "* From fewer than 20 templates: compare such scores with care."
"""What is said below scores whose intervals are flagged."""
TITLES = {
    "diff_bias_amb": "diff-bias amb",
    "max_bias_amb": "of max",
    "diff_bias_dis": "diff-bias dis",
    "max_bias_dis": "of max",
    "accuracy_amb": "acc amb",
    "accuracy_dis": "acc dis",
}
"""Short headings of scores, the result first."""

samples_option = options.path_option(
    "--samples",
    multiple=True,
    callback=lambda _context, _option, value: value[0] if len(value) == 1 else value or None,
    help="File or folder of samples: from 'curate export samples', as a set of the BBQ family "
    "publishes them, or in any layout with --mapping; may be given several times [default: the "
    "--set in exports/samples].",
)
mapping_option = options.file_option(
    "--mapping",
    help="File that says which columns of the samples or predictions say what: 'curate import "
    "samples --draft' writes it.",
)
language_option = click.option(
    "--language",
    metavar="CODE|FILE",
    help="Language of the prompts and replies: a code (pt), or a language file (pt.yaml), for "
    "use without a workspace [default: the language of the workspace, else of the package of the "
    "samples].",
)
prompts_option = options.file_option(
    "--prompts",
    help="File of prompts: YAML, or KoBBQ's published TSV [default: the toolkit's five prompts in "
    "this language].",
)
mode_option = click.option(
    "--mode",
    type=click.Choice(["strict", "kobbq", "logprobs"]),
    default="strict",
    help="How replies are parsed. strict: by the rules of the toolkit; kobbq: as KoBBQ's "
    "published script does, with its defects; logprobs: by the log-probabilities in the replies "
    "('run --logprobs').",
)
_ANSWERED = ("--replies FILE", "--predictions FILE")


def measured(
    row: Mapping[str, Any],
    name: str,
    note: str = "",
    *,
    digits: int = 3,
    ends: int = 3,
    sign: str = "",
    undefined: str = "undefined",
) -> str:
    """A number of a row, with the ends of its interval where it has one, flagged by a note."""
    value, low, high = (row.get(key) for key in (name, f"{name}_low", f"{name}_high"))
    if value is None or low is None or high is None:
        return typed(value, digits, sign, undefined)
    return f"{typed(value, digits)} [{typed(low, ends)}, {typed(high, ends)}]{'*' if note else ''}"


def echo_sheets(made: Mapping[str, Any], said: str) -> None:
    """Print the workbook of each person, and what is done with it."""
    for name, file in made["sheets"].items():
        click.echo(f"{name}: {file}")
    click.echo(f"{said} in each workbook. When they are filled in: curate collect FILE...")


epochs_option = click.option(
    "--epochs",
    type=click.IntRange(1, MOST_EPOCHS),
    default=1,
    help="Number of times each request is asked; each time is a separate request in the file.",
)


def _inputs(values: dict[str, Any]) -> "ScoreInputs":
    """Take what is scored out of the parameters of a command."""
    from evaluation.qa.metrics import SetKind
    from evaluation.qa.scoring import ScoreInputs

    found = {name: values.pop(name) for name in ScoreInputs.__dataclass_fields__ if name in values}
    if found["kind"]:
        found["kind"] = SetKind(found["kind"])
    filled = found["filled"]
    found["second"] = tuple(path for path in filled if path.suffix.lower() == ".csv")
    found["filled"] = tuple(path for path in filled if path not in found["second"])
    return ScoreInputs(**found)


UNANSWERED = (
    "name what models replied: --replies FILE, which 'curate evaluate run' says that it wrote, or "
    "--predictions FILE"
)
"""What is wrong where nothing is named that could be scored."""


def answered_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add what models were asked and answered, and how that is read.

    The command receives it together, as `answered`: a `ScoreInputs`, or None where neither replies
    nor predictions are named.
    """

    @options.section("What was answered")
    @options.path_option(
        "--replies",
        multiple=True,
        help="File of replies (JSON lines), or folder of such files; may be given several times.",
    )
    @options.file_option(
        "--predictions",
        multiple=True,
        help="File of published predictions, in a known layout or with --mapping, instead of "
        "replies; may be given several times. Add --samples if its rows only name samples.",
    )
    @mode_option
    @options.file_option(
        "--filled",
        multiple=True,
        help="What the unparsed replies say: a workbook in which a person parsed them, or the CSV "
        "file of a second reader ('curate evaluate replies'); may be given several times.",
    )
    @options.section("What was asked")
    @samples_option
    @mapping_option
    @language_option
    @prompts_option
    @options.file_option(
        "--requests",
        help="File of requests, if not every sample was asked with every prompt in every order "
        "[default: exports/evaluation/requests.jsonl, if it was prepared from these samples and "
        "no prompts are named].",
    )
    @click.option(
        "--set",
        "kind",
        type=click.Choice(["test", "all"]),
        help="How scores are averaged. test: over all rows; all: each template first, then over "
        "templates [default: all if a variant has more than one filling, else test].",
    )
    @functools.wraps(function)
    def gathered(*args: Any, **kwargs: Any) -> Any:
        if kwargs["replies"] and kwargs["predictions"]:
            raise click.UsageError("name --replies FILE or --predictions FILE, not both")
        is_answered = bool(kwargs["replies"] or kwargs["predictions"])
        names = set(kwargs)
        wanted = _inputs(kwargs)
        if not is_answered:
            belongs = dict.fromkeys(names - set(kwargs), _ANSWERED)
            options.refuse_stray(click.get_current_context(), belongs, ())
        return function(*args, answered=wanted if is_answered else None, **kwargs)

    return gathered


def incomplete_replies(tally: Any) -> tuple[tuple[int, str], ...]:
    """How many replies a filter stopped, or ended before they named a choice, with what to say."""
    return (
        (tally.content_filter, "Replies stopped by a content filter, parsed as they are"),
        (
            tally.cut_in_thoughts,
            "Replies that ended within the model's reasoning, without a choice",
        ),
    )
