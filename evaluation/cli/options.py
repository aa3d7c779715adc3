"""Options that commands on models share: files, prompts, what is scored, where it is computed."""

import functools
import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curation.cli.options import F, refuse_stray
from evaluation.requests import MOST_EPOCHS, Shard, parse_shard

if TYPE_CHECKING:
    from evaluation.qa.scoring import ScoreInputs

INTERVAL_NOTE = "* From fewer than 20 templates: compare such scores with care."
"""What is said below scores whose intervals are flagged."""

FILE = click.Path(dir_okay=False, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)
_SAMPLES = click.option(
    "--samples",
    multiple=True,
    type=click.Path(path_type=Path),
    callback=lambda _context, _option, value: value[0] if len(value) == 1 else value or None,
    help="File or folder of samples: from 'curate export samples', as a set of the BBQ family "
    "publishes them, or in any layout with --mapping; may be given several times [default: the "
    "--set in exports/samples].",
)
_MAPPING = click.option(
    "--mapping",
    type=FILE,
    help="File that says which columns of the samples or predictions say what: 'curate import "
    "samples --draft' writes it.",
)
_LANGUAGE = click.option(
    "--language",
    metavar="CODE|FILE",
    help="Language of the prompts and replies: a code (pt), or a language file (pt.yaml), for "
    "use without a workspace [default: the language of the workspace, else of the package of the "
    "samples].",
)
_PROMPTS = click.option(
    "--prompts",
    type=FILE,
    help="File of prompts: YAML, or KoBBQ's published TSV [default: the toolkit's five prompts in "
    "this language].",
)
_SCORING = (
    _SAMPLES,
    _MAPPING,
    _LANGUAGE,
    _PROMPTS,
    click.option(
        "--requests",
        type=FILE,
        help="File of requests, if not every sample was asked with every prompt in every order "
        "[default: exports/evaluation/requests.jsonl, if it was prepared from these samples and "
        "no prompts are named].",
    ),
    click.option(
        "--replies",
        type=click.Path(path_type=Path),
        multiple=True,
        help="File of replies (JSON lines), or folder of such files; may be given several times.",
    ),
    click.option(
        "--predictions",
        type=FILE,
        multiple=True,
        help="File of predictions, instead of samples and replies: as KoBBQ, BBQ, BharatBBQ or "
        "ImplicitBBQ publish them, or any with --mapping; may be given several times.",
    ),
    click.option(
        "--set",
        "kind",
        type=click.Choice(["test", "all"]),
        help="How scores are averaged. test: over all rows; all: each template first, then over "
        "templates [default: all if a variant has more than one filling, else test].",
    ),
    click.option(
        "--mode",
        type=click.Choice(["strict", "kobbq", "logprobs"]),
        default="strict",
        show_default=True,
        help="How replies are parsed. strict: by the rules of the toolkit; kobbq: as KoBBQ's "
        "script does; logprobs: by the log-probabilities in the replies ('run --logprobs').",
    ),
    click.option(
        "--filled",
        type=FILE,
        multiple=True,
        help="What the unparsed replies say: a workbook in which a person parsed them, or the CSV "
        "file of a second reader ('curate evaluate replies'); may be given several times.",
    ),
)
_ANSWERED = ("--replies FILE", "--predictions FILE")
ANSWERED_SECTIONS = {
    "What was answered": ("--replies", "--predictions", "--mode", "--filled"),
    "What was asked": (
        *("--samples", "--mapping", "--language", "--prompts", "--requests", "--set"),
    ),
}
"""The options of `scoring_options` and `answered_options` in the help."""
PARAMETER_SECTION = {
    "Parameters of the model": ("--temperature", "--max-tokens", "--logprobs", "--extra")
}
"""Those of `parameter_options`."""


def add_options(function: F, options: Sequence[Callable[[Any], Any]]) -> F:
    """Add options to a command, shown in their order."""
    for option in reversed(options):
        function = option(function)
    return function


def repeated(flag: str, name: str, metavar: str, text: str, **more: Any) -> Callable[[F], F]:
    """An option that may be given several times; the command receives a tuple as `name`."""
    text = f"{text}; may be given several times."
    return click.option(flag, name, multiple=True, metavar=metavar, help=text, **more)


def samples_option(function: F) -> F:
    """Add `--samples` and `--mapping`, which a command receives by these names."""
    return add_options(function, (_SAMPLES, _MAPPING))


def language_option(function: F) -> F:
    """Add `--language CODE`; the command receives a code or None as `language`."""
    return _LANGUAGE(function)


def prompts_option(function: F) -> F:
    """Add `--prompts FILE`; see `evaluation.prompts`."""
    return _PROMPTS(function)


def epochs_option(function: F) -> F:
    """Add `--epochs N`; the command receives a number as `epochs`."""
    return click.option(
        "--epochs",
        type=click.IntRange(1, MOST_EPOCHS),
        default=1,
        show_default=True,
        help="Number of times each request is asked; each time is a separate request in the file.",
    )(function)


def shard_option(function: F) -> F:
    """Add `--shard I/N`; the command receives a `Shard` or None as `shard`."""
    return click.option(
        "--shard",
        metavar="I/N",
        callback=_shard,
        help="Only the I-th of N parts of the requests, such as 1/4. The parts do not overlap.",
    )(function)


def _shard(_context: click.Context, _option: click.Parameter, value: str | None) -> Shard | None:
    return None if value is None else parse_shard(value)


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


def scoring_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add what is scored, and how; the command receives it together, as `wanted`.

    That is None for a report of stories or occupations alone.
    """

    @functools.wraps(function)
    def gathered(*args: Any, answered: "ScoreInputs | None", **kwargs: Any) -> Any:
        if answered is None and not (kwargs.get("stories") or kwargs.get("occupations")):
            raise click.UsageError(UNANSWERED)
        return function(*args, wanted=answered, **kwargs)

    return answered_options(gathered)


def answered_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add what models were asked and answered, and how that is read.

    The command receives it together, as `answered`: a `ScoreInputs`, or None where neither replies
    nor predictions are named.
    """

    @functools.wraps(function)
    def gathered(*args: Any, **kwargs: Any) -> Any:
        if kwargs["replies"] and kwargs["predictions"]:
            raise click.UsageError("name --replies FILE or --predictions FILE, not both")
        is_answered = bool(kwargs["replies"] or kwargs["predictions"])
        names = set(kwargs)
        wanted = _inputs(kwargs)
        if not is_answered:
            belongs = dict.fromkeys(names - set(kwargs), _ANSWERED)
            refuse_stray(click.get_current_context(), belongs, ())
        return function(*args, answered=wanted if is_answered else None, **kwargs)

    return add_options(gathered, _SCORING)


def _extra(
    _context: click.Context, _option: click.Parameter, values: Sequence[str]
) -> dict[str, object]:
    """Parse further parameters; each value is JSON."""
    from evaluation.runner.backend import NOT_EXTRA

    found: dict[str, object] = {}
    for value in values:
        name, equals, text = value.partition("=")
        if not equals or not name:
            raise click.BadParameter(f"'{value}' is not written as NAME=VALUE")
        if name in NOT_EXTRA or name in found:
            why = "is given twice" if name in found else "is not set here"
            raise click.BadParameter(f"'{name}' {why}")
        try:
            found[name] = json.loads(text, parse_constant=_refuse_constant)
        except ValueError as error:
            hint = f"put a text in quotes: '{name}=\"{text}\"'"
            raise click.BadParameter(f"the value of '{name}' is not JSON; {hint}") from error
    return found


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


def finite(_context: click.Context, _option: click.Parameter, value: float | None) -> float | None:
    """Refuse infinity and what is no number."""
    if value is not None and not math.isfinite(value):
        raise click.BadParameter(f"{value} is not a number")
    return value


def one_model(
    _context: click.Context, _option: click.Parameter, values: Sequence[str]
) -> str | None:
    """Refuse a second model, which would take the place of the first one."""
    if len(values) > 1:
        raise click.BadParameter(
            f"it was given {len(values)} times ({', '.join(values)}) and names one model; several "
            "go into a file: 'curate evaluate run --models models.yaml'"
        )
    return values[0] if values else None


def parameter_options(function: F) -> F:
    """Add the parameters of every request; see `parameters_of` for what the command receives."""
    options = (
        click.option(
            "--temperature",
            type=click.FloatRange(0),
            callback=finite,
            help="Sampling temperature; sent only if given, as some models accept none.",
        ),
        click.option("--max-tokens", type=click.IntRange(1), help="Most tokens in a reply."),
        click.option(
            "--logprobs",
            type=click.IntRange(1, 20),
            metavar="N",
            help="Request the log-probabilities of the N likeliest tokens at each position, for "
            "'score --mode logprobs'.",
        ),
        click.option(
            "--extra",
            metavar="NAME=JSON",
            multiple=True,
            callback=_extra,
            help="Additional parameter of the request, such as seed=1 (one higher in each epoch) "
            "or max_completion_tokens=16; may be given several times.",
        ),
    )
    return add_options(function, options)


def parameters_of(given: Mapping[str, Any], field: str = "max_tokens") -> dict[str, object]:
    """The parameters that were chosen, by their names on the wire.

    Args:
        given: The options.
        field: What the most tokens of a reply are called where no option says it.
    """
    from evaluation.runner.backend import logprob_parameters

    named = {
        "temperature": given["temperature"],
        field: given["max_tokens"],
        **logprob_parameters(given["logprobs"]),
    }
    sent = {name: value for name, value in named.items() if value is not None}
    return {**sent, **given["extra"]}


def show_unlike(lines: Sequence[str]) -> None:
    """Say first of all in what the sides of a comparison differ besides their samples."""
    from curation.cli.terminal import echo_fitting

    for line in lines:
        echo_fitting(f"Not measured alike: {line}.")
