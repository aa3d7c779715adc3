"""Options that commands on models share: files, prompts, what is scored, where it is computed."""

import functools
import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from curation.cli.options import F
from evaluation.requests import MOST_EPOCHS, Orders, Shard, parse_shard

INTERVAL_NOTE = "* From fewer than 20 templates: compare such scores with care."
"""What is said below scores whose intervals are flagged."""

FILE = click.Path(dir_okay=False, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)
SEED = click.option(
    "--seed", type=int, default=42, show_default=True, help="Seed for drawing samples."
)
ALLOW = "--allow-incomplete"
_SET = ("temperature", "seed", "max_tokens", "max_completion_tokens")
_RESERVED = frozenset(
    ("model", "messages", "system", "stream", "n", "logprobs", "top_logprobs", *_SET)
)
_SAMPLES = click.option(
    "--samples",
    type=FILE,
    help="File of samples: from 'curate export samples', or as published by BBQ, MBBQ, EsBBQ, "
    "BharatBBQ, CBBQ or KoBBQ [default: the --set in exports/samples].",
)
_CONTROL = click.option(
    "--control/--no-control",
    default=None,
    help="Whether published samples are a control set, in which no person is of a stereotyped "
    "group: they have no scores of bias [default: as the people's names, else the file's name, "
    "tell].",
)
_LANGUAGE = click.option(
    "--language",
    metavar="CODE|FILE",
    help="Language of the prompts and replies: a code (pt), or a language file (pt.yaml), for "
    "use without a workspace [default: the language of the workspace, else of the package of the "
    "samples].",
)
_PROMPTS = (
    click.option(
        "--prompts",
        type=FILE,
        help="File of prompts: YAML, or KoBBQ's published TSV [default: the toolkit's five "
        "prompts in this language].",
    ),
    click.option(
        "--prompt",
        "prompt_ids",
        multiple=True,
        metavar="ID",
        help="Only this prompt; may be given several times.",
    ),
    click.option(
        "--orders",
        type=click.Choice([item.value for item in Orders]),
        help="Three orders of the choices: cyclic, or those that KoBBQ published [default: as "
        "the file of prompts says, else cyclic].",
    ),
)
_SCORING = (
    _SAMPLES,
    _CONTROL,
    _LANGUAGE,
    *_PROMPTS,
    click.option(
        "--requests",
        type=FILE,
        help="File of requests, if not every sample was asked with every prompt in every order "
        "[default: exports/evaluation/requests.jsonl, if it was prepared from these samples and "
        "no prompts or orders are named].",
    ),
    click.option(
        "--replies",
        type=FILE,
        multiple=True,
        help="File of replies (JSON lines); may be given several times.",
    ),
    click.option(
        "--predictions",
        type=FILE,
        multiple=True,
        help="File of published predictions, instead of samples and replies: KoBBQ's evaluation "
        "TSV, or UnifiedQA's JSON lines of BBQ; may be given several times.",
    ),
    click.option(
        "--model",
        help="Model of --predictions [default: from the file name; for JSON lines, each column "
        "of predictions].",
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
        help="Workbook in which a person parsed the unparsed replies; may be given several times.",
    ),
    click.option(
        "--second-reader",
        "second",
        type=FILE,
        multiple=True,
        help="File of a second reader's choices ('curate evaluate replies --second-reader'), for "
        "unparsed replies.",
    ),
    click.option(
        "--intervals/--no-intervals",
        default=True,
        show_default=True,
        help="Whether scores get intervals over templates.",
    ),
)
_SHOWN_ONLY = "intervals"
"""The option of scores that a page of replies has no use for."""
_ANSWERED = ("replies", "predictions")
SCORING_SECTIONS = {
    "What was asked": (
        "--samples",
        "--control",
        "--language",
        "--prompts",
        "--prompt",
        "--orders",
        "--requests",
        "--set",
    ),
    "What was answered": (
        "--replies",
        "--predictions",
        "--model",
        "--mode",
        "--filled",
        "--second-reader",
        "--allow-incomplete",
    ),
}
"""The options of `scoring_options` in the help, with `--allow-incomplete`."""
ANSWERED_SECTIONS = {
    title: tuple(name for name in names if name != ALLOW)
    for title, names in SCORING_SECTIONS.items()
}
"""The options of `answered_options`."""
PARAMETER_SECTION = {
    "Parameters of the model": (
        "--temperature",
        "--max-tokens",
        "--max-tokens-field",
        "--seed",
        "--logprobs",
        "--extra",
    )
}
"""Those of `parameter_options`."""


def add_options(function: F, options: Sequence[Callable[[Any], Any]]) -> F:
    """Add options to a command, shown in their order."""
    for option in reversed(options):
        function = option(function)
    return function


def samples_option(function: F) -> F:
    """Add `--samples FILE` and `--control`, which a command receives as `samples` and `control`."""
    return add_options(function, (_SAMPLES, _CONTROL))


def language_option(function: F) -> F:
    """Add `--language CODE`; the command receives a code or None as `language`."""
    return _LANGUAGE(function)


def prompt_options(function: F) -> F:
    """Add `--prompts FILE`, `--prompt ID` and `--orders`; see `evaluation.prompts`."""
    return add_options(function, _PROMPTS)


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


def scoring_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add what is scored, and how; the command receives it together, as `wanted`."""

    @functools.wraps(function)
    def gathered(*args: Any, **kwargs: Any) -> Any:
        from evaluation.qa.metrics import SetKind
        from evaluation.qa.scoring import ScoreInputs

        values = {name: kwargs.pop(name) for name in ScoreInputs.__dataclass_fields__}
        if bool(values["replies"]) == bool(values["predictions"]):
            raise click.UsageError("name either --replies FILE or --predictions FILE")
        if values["kind"]:
            values["kind"] = SetKind(values["kind"])
        return function(*args, wanted=ScoreInputs(**values), **kwargs)

    return add_options(gathered, _SCORING)


def answered_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add what models were asked and answered, for a page that shows it.

    The command receives it together, as `answered`: a `ScoreInputs`, or None where neither replies
    nor predictions are named.
    """

    @functools.wraps(function)
    def gathered(*args: Any, **kwargs: Any) -> Any:
        from evaluation.qa.metrics import SetKind
        from evaluation.qa.scoring import ScoreInputs

        fields = ScoreInputs.__dataclass_fields__
        values = {name: kwargs.pop(name) for name in fields if name != _SHOWN_ONLY}
        if all(values[name] for name in _ANSWERED):
            raise click.UsageError("name either --replies FILE or --predictions FILE")
        if not any(values[name] for name in _ANSWERED):
            _refuse_alone(click.get_current_context(), values)
            return function(*args, answered=None, **kwargs)
        if values["kind"]:
            values["kind"] = SetKind(values["kind"])
        return function(*args, answered=ScoreInputs(**values), **kwargs)

    options = [item for item in _SCORING if _name(item) != _SHOWN_ONLY]
    return add_options(gathered, options)


def _name(option: Callable[[Any], Any]) -> str:
    """What a command receives an option as."""

    def command() -> None:
        """Take the option."""

    option(command)
    (made,) = command.__click_params__  # type: ignore[attr-defined]
    return str(made.name)


def _refuse_alone(context: click.Context, values: Mapping[str, Any]) -> None:
    """Refuse options on replies without any."""
    for option in context.command.params:
        source = context.get_parameter_source(option.name or "")
        if option.name in values and source is ParameterSource.COMMANDLINE:
            raise click.UsageError(
                f"{max(option.opts, key=len)} says what models were asked or how they are read: "
                "name their replies too, with --replies FILE or --predictions FILE"
            )


def _extra(
    _context: click.Context, _option: click.Parameter, values: Sequence[str]
) -> dict[str, object]:
    """Parse further parameters; each value is JSON."""
    found: dict[str, object] = {}
    for value in values:
        name, equals, text = value.partition("=")
        if not equals or not name:
            raise click.BadParameter(f"'{value}' is not written as NAME=VALUE")
        if name in _RESERVED or name in found:
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
            "--max-tokens-field",
            type=click.Choice(("max_tokens", "max_completion_tokens")),
            help="Name of the parameter for --max-tokens [default: that of --provider, else "
            "max_tokens].",
        ),
        click.option(
            "--seed",
            type=int,
            help="Seed that is sent with every request, one higher in each epoch; not every "
            "model uses it.",
        ),
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
            help="Additional parameter of the request; may be given several times.",
        ),
    )
    return add_options(function, options)


def parameters_of(given: Mapping[str, Any], field: str = "max_tokens") -> dict[str, object]:
    """The parameters that were chosen, by their names on the wire.

    Args:
        given: The options.
        field: What the most tokens of a reply are called where no option says it.
    """
    from evaluation.runner.providers import logprob_parameters

    named = {
        "temperature": given["temperature"],
        given["max_tokens_field"] or field: given["max_tokens"],
        "seed": given["seed"],
        **logprob_parameters(given["logprobs"]),
    }
    sent = {name: value for name, value in named.items() if value is not None}
    return {**sent, **given["extra"]}


def show_unlike(lines: Sequence[str]) -> None:
    """Say first of all in what the sides of a comparison differ besides their samples."""
    from curation.cli.terminal import echo_fitting

    for line in lines:
        echo_fitting(f"Not measured alike: {line}.")
