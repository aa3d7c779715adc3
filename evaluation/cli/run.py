"""`curate evaluate run`: a model is asked the prepared requests."""

import json
import math
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import click

from curation.cli import options, terminal
from curation.files.workspace import Workspace
from curation.records.messages import counted, plural
from evaluation.cli import options as shared
from evaluation.requests import parse_shard
from evaluation.runner.backend import BACKENDS

_INTERRUPTED = 130
_MB = 1_000_000
_SERVERS = "openai"
"""The backend that asks servers."""
_INSPECT = "inspect"
_NAMED = (_SERVERS, "hf", _INSPECT)
"""Backends of several models."""
_WITHOUT_MODEL = [name for name in BACKENDS if name not in _NAMED]
"""Backends that answer by a rule."""


def _options(
    _context: click.Context, _option: click.Parameter, values: Sequence[str]
) -> dict[str, str]:
    found = {}
    for value in values:
        name, equals, text = value.partition("=")
        if not equals or not name or name in found:
            raise click.BadParameter(f"'{value}' is not written as NAME=VALUE, each name once")
        found[name] = text
    return found


def _extra(
    _context: click.Context, _option: click.Parameter, values: Sequence[str]
) -> dict[str, object]:
    """Parse further parameters; each value is JSON."""
    from evaluation.runner.backend import NOT_EXTRA

    found: dict[str, object] = {}
    for name, text in _options(_context, _option, values).items():
        if name in NOT_EXTRA:
            raise click.BadParameter(f"'{name}' is not set here")
        try:
            found[name] = json.loads(text, parse_constant=_refuse_constant)
        except ValueError as error:
            hint = f"put a text in quotes: '{name}=\"{text}\"'"
            raise click.BadParameter(f"the value of '{name}' is not JSON; {hint}") from error
    return found


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


def _finite(_context: click.Context, _option: click.Parameter, value: float | None) -> float | None:
    """Refuse infinity and what is no number."""
    if value is not None and not math.isfinite(value):
        raise click.BadParameter(f"{value} is not a number")
    return value


def _one_model(
    _context: click.Context, _option: click.Parameter, values: Sequence[str]
) -> str | None:
    """Refuse a second model, which would take the place of the first one."""
    if len(values) > 1:
        raise click.BadParameter(
            f"it was given {len(values)} times ({', '.join(values)}) and names one model; several "
            "go into a file: 'curate evaluate run --models models.yaml'"
        )
    return values[0] if values else None


@options.curate_command("run")
@options.section("Model")
@click.option(
    "--model",
    multiple=True,
    callback=_one_model,
    metavar="NAME",
    help="Name of the model on the server.",
)
@options.file_option(
    "--models",
    "models_file",
    help="File of several models with their settings (YAML), instead of --model and its options.",
)
@click.option(
    "--backend",
    "--via",
    type=click.Choice(BACKENDS),
    default=_SERVERS,
    metavar="NAME",
    help="What answers. openai: servers that speak its protocol; inspect: all providers and local "
    "models of Inspect (needs the extra 'inspect'), with --model as it names them, such as "
    "anthropic/claude-sonnet-4-5; hf: a Hugging Face model on this machine; "
    f"{', '.join(_WITHOUT_MODEL[:-1])} and {_WITHOUT_MODEL[-1]} need no model.",
)
@click.option(
    "--base-url",
    metavar="URL",
    help="Address of the server, such as http://localhost:8000/v1 [default: the provider's, "
    "else OPENAI_BASE_URL, else OpenAI's].",
)
@options.section("Cost")
@options.flag_option(
    "--batch",
    help="Ask through batches, at about half the price. With --via inspect, through those of "
    "the provider. Else the requests without a reply are written to batch files of OpenAI's "
    "form, beside --replies: upload them, or give them to 'vllm run-batch', and read the "
    "results with 'curate evaluate replies FILE...'.",
)
@options.flag_option("--dry-run", help="Estimate requests, tokens and cost; ask nothing.")
@options.file_option("--prices", help="File of prices of models (YAML), to compute the cost.")
@click.option(
    "--budget",
    type=click.FloatRange(0),
    callback=_finite,
    help="Spend at most so much in this run, in the currency of --prices.",
)
@options.section("What is asked")
@options.file_option(
    "--requests", help="File of requests [default: exports/evaluation/requests.jsonl]."
)
@click.option(
    "--shard",
    metavar="I/N",
    callback=lambda _context, _option, value: None if value is None else parse_shard(value),
    help="Only the I-th of N parts of the requests, such as 1/4. The parts do not overlap.",
)
@click.option("--limit", type=click.IntRange(1), help="Ask at most so many requests.")
@options.section("Server")
@click.option(
    "--provider",
    metavar="NAME",
    help="Provider of the server; it sets the address, key variable and special parameters: "
    "openai, anthropic, gemini, azure, openrouter, vllm, ollama or llama.cpp.",
)
@click.option(
    "--concurrency",
    type=click.IntRange(1, 4096),
    default=64,
    help="Number of requests at the same time.",
)
@options.repeated(
    "--option",
    "options",
    "NAME=VALUE",
    "Option of a backend other than openai",
    callback=_options,
)
@options.section("Parameters of the model")
@click.option(
    "--temperature",
    type=click.FloatRange(0),
    callback=_finite,
    help="Sampling temperature; sent only if given, as some models accept none.",
)
@click.option("--max-tokens", type=click.IntRange(1), help="Most tokens in a reply.")
@click.option(
    "--logprobs",
    type=click.IntRange(1, 20),
    metavar="N",
    help="Request the log-probabilities of the N likeliest tokens at each position, for "
    "'score --mode logprobs'.",
)
@options.repeated(
    "--extra",
    "extra",
    "NAME=JSON",
    "Additional parameter of the request, such as seed=1 (one higher in each epoch) or "
    "max_completion_tokens=16",
    callback=_extra,
)
@options.section("Kind of answer")
@options.flag_option(
    "--constrain",
    help="Have the server constrain each reply to a label of its request's choices, in the way "
    "of its provider: OpenAI's response_format, vLLM's structured_outputs or llama.cpp's "
    "grammar. An error if the provider cannot.",
)
@options.flag_option(
    "--then-ask",
    help="Ask in two turns: the model replies freely, and is then asked for the letter alone. "
    "That is another measurement: the model is called 'NAME (then asked)' in replies and "
    "scores. With --constrain only the second reply is constrained.",
)
@shared.language_option
@options.section("Files")
@options.file_option(
    "--replies",
    help="File to which replies are added [default: replies.jsonl beside the requests].",
)
@options.file_option(
    "--store",
    help="Store of all replies that were paid for; several runs may share it [default: "
    ".curate/replies.sqlite].",
)
@click.pass_context
def command(ctx: click.Context, /, workspace: Workspace, **given: Any) -> terminal.Taken:
    """Send the prepared requests to a model, and save its replies.

    The model is on a server with OpenAI's protocol: OpenAI, most other providers, or vLLM, SGLang
    or Ollama on your own machine. Set the key in OPENAI_API_KEY. Models of other providers are
    asked through Inspect (--via inspect).

    Each reply is saved when it arrives. If a run ends early (Ctrl-C, a failure, a budget), the same
    command continues it, and no reply is paid for twice. The exit status is 1 if requests have no
    reply yet.

    To ask several models, list them with their settings in a file (--models). They are asked one
    after the other, and share one file of replies. If one fails, the next ones are still asked. The
    file can also say what no option says: another variable with the key, how long to wait.

    \b
    Example: curate evaluate run --model my-model --base-url http://localhost:8000/v1 \\
               --temperature 0 --max-tokens 16
             curate evaluate run --model gpt-4o-mini --prices prices.yaml --dry-run
             curate evaluate run --models models.yaml
             curate evaluate run --model my-model --provider vllm --constrain
             curate evaluate run --via inspect --model anthropic/claude-haiku-4-5 --batch
             curate evaluate run --model gpt-4o-mini --max-tokens 16 --batch
    """  # noqa: D301  # \b keeps click from wrapping the example
    from evaluation.runner.asking import run

    _refuse_mixed(ctx, given)
    if given["models_file"] is not None:
        return _run_several(workspace, given)
    if given["batch"] and given["backend"] != _INSPECT:
        return _write_batches(workspace, given)
    wanted = _wanted(workspace, given)
    if sys.stderr.isatty():  # a million lines take a minute
        click.echo(f"Reading {wanted.requests} ...", err=True)
    try:
        ran = run(wanted, _note, _progress())
    finally:
        terminal.show_progress("", 1, 1)
    show = partial(_show if ran.estimate is None else _show_estimate, ran)
    if ran.interrupted and ran.tally.left:
        said = (
            f"Stopped: {ran.tally.left:,} of {ran.tally.requests:,} requests are left. All "
            "replies so far are saved; the same command continues."
        )
        ctx.call_on_close(partial(click.echo, said, err=True))
        return ran.as_dict(), _INTERRUPTED, show
    return ran.as_dict(), ran.error() or False, show


def _progress() -> Callable[[Any, Any], None]:
    """What shows how far a run is: requests, tokens, cost, failures, and the time left."""
    started = time.monotonic()

    def show(tally: Any, purse: Any) -> None:
        failed = tally.failed.total()
        said, tried = ["Requests"], tally.answered + failed
        if tally.input_tokens or tally.output_tokens:
            said.append(f"{tally.input_tokens:,} + {tally.output_tokens:,} tokens")
        if purse.price is not None:
            said.append(purse.price.text(purse.spent))
        said += [f"{failed:,} failed"] * bool(failed)
        said += [f"{tally.sent_again:,} sent again"] * bool(tally.sent_again)
        if tried:
            minutes = (time.monotonic() - started) / tried * (tally.left - failed) / 60
            said.append(f"{minutes:,.0f} min left")
        terminal.show_progress(", ".join(said), tally.replied + failed, tally.requests)

    return show


def _note(line: str) -> None:
    click.echo(f"Note: {line}.", err=True)


_OF_ONE = (
    *("model", "provider", "base_url", "temperature", "max_tokens", "logprobs", "extra"),
    *("backend", "options", "batch"),
)
"""What a file of models says of each."""
_ASKED_NOW = ("shard", "limit", "prices", "budget", "dry_run")
"""What counts for requests that are asked, and not for batch files, which hold all of them."""


def _refuse_mixed(ctx: click.Context, given: dict[str, Any]) -> None:
    """Refuse options that do not go together."""
    if given["models_file"] is not None:
        options.refuse_stray(
            ctx, dict.fromkeys(_OF_ONE, ("one model: the file of --models says it",)), ()
        )
        return
    if given["batch"] and given["backend"] not in (_SERVERS, _INSPECT):
        raise click.UsageError("--batch is for servers and --via inspect")
    if given["batch"] and given["then_ask"]:
        raise click.UsageError("--then-ask needs the first reply, and is not for --batch")
    if given["language"] and not given["then_ask"]:
        raise click.UsageError("--language is for the second turn of --then-ask")
    if given["batch"] and given["backend"] == _SERVERS:
        options.refuse_stray(ctx, dict.fromkeys(_ASKED_NOW, ("a run, without --batch",)), ())
    if not given["model"] and given["backend"] in _NAMED:
        raise click.UsageError("name the model: --model NAME")


def _wanted(workspace: Workspace, given: dict[str, Any]) -> Any:
    """Put options together."""
    from evaluation.runner.asking import ModelEntry, Parameters, plan_run
    from evaluation.runner.backend import BackendSettings

    settings = BackendSettings(
        model="",
        concurrency=given["concurrency"],
        dry=given["dry_run"],
        workspace=workspace.root,
        constrain="schema" if given["constrain"] else "",
        then_ask=_then_ask(workspace, given) if given["then_ask"] else "",
    )
    named = ("requests", "replies", "store", "shard", "prices", "budget", "limit")
    plan = plan_run(workspace, _SERVERS, settings, **{name: given[name] for name in named})
    if given["models_file"] is not None:
        return plan
    names = ("temperature", "max_tokens", "logprobs", "extra")
    entry = ModelEntry.model_construct(
        model=given["model"] or "",
        parameters=Parameters.model_construct(**{name: given[name] for name in names}),
        base_url=given["base_url"] or "",
        options=given["options"] | ({"batch": "true"} if given["batch"] else {}),
        **{name: given[name] for name in ("provider", "backend")},
    )
    return entry.plan(plan)


def _then_ask(workspace: Workspace, given: Mapping[str, Any]) -> str:
    """What is asked in the second turn, in the language of the requests."""
    from evaluation.folders import QUESTIONS, requests_file
    from evaluation.prompts import answer_text, asked_language

    requests = requests_file(workspace, QUESTIONS, given["requests"])
    return answer_text("letter", asked_language(workspace, given["language"], requests))


def _run_several(workspace: Workspace, given: dict[str, Any]) -> terminal.Taken:
    from evaluation.runner.asking import plan_models, run_models

    wanted = plan_models(given["models_file"], _wanted(workspace, given))
    done = []
    for ran in run_models(wanted, _note, _progress()):
        terminal.show_progress("", 1, 1)
        done.append((ran, ran.error()))
        if done[-1][1] is not None:
            click.echo(_problem(ran.model, done[-1][1]), err=True)
    untried = [plan.settings.called for plan in wanted[len(done) :]]
    failed = [ran.model for ran, error in done if error is not None]
    models = [
        {**ran.as_dict(), "error": error and [error.what, error.where, error.hint]}
        for ran, error in done
    ]
    value = {"models": models, "untried": untried, "failed": failed}
    several = [ran for ran, _ in done]
    status = _INTERRUPTED if any(ran.interrupted for ran in several) else bool(failed)
    show = partial(_show_several, several, untried, len(failed), wanted[0].replies)
    return value, status, show


def _problem(model: str, error: Any) -> str:
    where = f"\n    {error.where}" if error.where else ""
    hint = f"\n    -> {error.hint}" if error.hint else ""
    return f"{model}: {error.what}{where}{hint}"


def _show_several(done: Sequence[Any], untried: Sequence[str], failed: int, replies: Any) -> None:
    """Show a line for each model; what is not known is a dash."""
    header: tuple[str, ...] = ("model", "requests", "replies", "left", "tokens", "cost", "ended")
    dry = any(ran.wanted.settings.dry for ran in done)
    if dry:
        header = ("model", "requests", "to ask", "tokens sent", "received", "cost")
    rows = [_cells(ran, len(header)) for ran in done]
    rows += [[name, *"-----", "not tried"] for name in untried]
    terminal.echo_table(header, rows)
    if dry:
        click.echo("Nothing was sent. Tokens and cost are estimates.")
        return
    for ran in done:
        for count, said in _counts(ran.tally):
            terminal.echo_counts((count, f"{ran.model}: {said}"))
    count = len(done) + len(untried)
    click.echo(
        f"{len(done) - failed} of {count} {plural('model', count)} replied to all requests. "
        f"Replies: {replies}"
    )


def _cells(ran: Any, count: int) -> list[str]:
    tally, estimate, price = ran.tally, ran.estimate, ran.price
    cells: tuple[Any, ...]
    if ran.refused is not None:
        cells = (None,) * (count - 2) + ("failed" if count == 7 else None,)
    elif estimate is not None:
        cost = None if price is None else price.text(estimate.cost)
        cells = (ran.requests, estimate.to_ask, estimate.input_tokens, estimate.output_tokens, cost)
    else:
        tokens = tally.input_tokens + tally.output_tokens
        unknown = tally.without_usage and not tokens
        cost = None if price is None else price.text(ran.spent)
        cells = (ran.requests, tally.replied, tally.left, None if unknown else tokens, cost)
        cells = (*cells, tally.ending.value)
    return [ran.model, *(_cell(value) for value in cells)]


def _cell(value: object) -> str:
    return "-" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


def _show(ran: Any) -> None:
    tally, price = ran.tally, ran.price
    terminal.echo_fitting(
        f"{tally.requests:,} {plural('request', tally.requests)} to {ran.model}: "
        f"{tally.before:,} had a reply, {tally.from_store:,} had one in the store, "
        f"{tally.answered:,} answered now, {tally.left:,} without a reply. Replies: "
        f"{ran.wanted.replies}"
    )
    if tally.input_tokens or tally.output_tokens:
        cost = "" if price is None else f" Cost: {price.text(ran.spent)}."
        thought = f" ({tally.reasoning_tokens:,} for reasoning)" if tally.reasoning_tokens else ""
        made = f"{tally.output_tokens:,} received{thought}"
        click.echo(f"Tokens: {tally.input_tokens:,} sent, {made}.{cost}")
    terminal.echo_counts(
        *_counts(tally),
        (ran.standing.others, "Lines of other models or requests, left unchanged"),
    )


def _counts(tally: Any) -> tuple[tuple[int, str], ...]:
    """Return what decides how far scores and bills can be trusted."""
    return (
        *shared.incomplete_replies(tally),
        (tally.cut_at_max_tokens, "Replies that ended at --max-tokens, parsed as they are"),
        (tally.sent_again, "Retries of requests"),
        (tally.maybe_billed, "Attempts without a reply that may have been billed"),
        (tally.without_usage, "Replies without a count of tokens"),
        (tally.usage_refused, "Replies with an impossible count of tokens, taken as unknown"),
    )


def _show_estimate(found: Any) -> None:
    estimate, price = found.estimate, found.price
    terminal.echo_fitting(
        f"{found.requests:,} {plural('request', found.requests)} to {found.model}: "
        f"{found.standing.answered:,} have a reply, {estimate.in_store:,} have one in the store, "
        f"{estimate.to_ask:,} would be asked. Nothing was sent."
    )
    basis = (
        f"from {estimate.estimated_from_replies:,} earlier replies"
        if estimate.estimated_from_replies
        else "assuming 4 ASCII characters, or 1.5 others, for each token"
    )
    made = "" if estimate.output_tokens is None else f", {estimate.output_tokens:,} received"
    bound = "" if estimate.estimated_from_replies or not made else " at most"
    click.echo(f"Estimated tokens: {estimate.input_tokens:,} sent{made}{bound} ({basis}).")
    if estimate.cost is not None:
        only = "" if made else ", without the replies: set --max-tokens"
        click.echo(f"Estimated cost: {price.text(estimate.cost)}{only}.")


def _write_batches(workspace: Workspace, given: dict[str, Any]) -> terminal.Taken:
    """Write the requests without a reply to batch files.

    Requests are left out that have a reply, in the file of replies or in the store, or are in
    batches whose results were not read yet: no request is paid for twice.
    """
    from evaluation import batch

    wanted = _wanted(workspace, given)
    value = {"model": given["model"], **batch.write(wanted)}
    return value, False, partial(_show_batches, value, wanted.settings.parameters)


def _show_batches(report: Mapping[str, Any], parameters: Mapping[str, object]) -> None:
    from evaluation.runner.backend import equal_draws

    click.echo(
        f"{report['requests']:,} {plural('request', report['requests'])} to {report['model']}: "
        f"{report['before']:,} had a reply, {report['from_store']:,} had one in the store, "
        f"{report['waiting']:,} are in earlier batches without results, "
        f"{report['written']:,} written."
    )
    equal = equal_draws(report["epochs"], parameters)
    if equal:
        click.echo(terminal.wrapped(f"Note: {equal}.", "  "), err=True)
    if report["shared"]:
        click.echo(
            f"{report['shared']:,} of them are equal to another request; it is asked once for both."
        )
    for file in report["files"]:
        said = f"{counted(file['requests'], 'request')}, {file['size'] / _MB:.1f} MB"
        click.echo(f"  {file['path']}: {said}")
    if report["files"]:
        click.echo("Upload them, and read the results: curate evaluate replies FILE...")
    elif report["waiting"]:
        click.echo(
            "Nothing to write: all requests have a reply or are in earlier batches. Read "
            "their results with 'curate evaluate replies FILE...', or delete the batch files."
        )
    else:
        click.echo("Nothing to write: all requests have a reply.")
