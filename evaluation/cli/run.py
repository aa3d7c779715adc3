"""`curate evaluate run`: a model is asked the prepared requests."""

import sys
from collections.abc import Sequence
from typing import Any

import click

from curation.cli.coloured import SectionedCommand
from curation.cli.options import F, json_option, workspace_option
from curation.cli.terminal import echo_counts, echo_fitting, print_json, table_lines
from curation.files.workspace import Workspace
from curation.records.wording import plural
from evaluation.cli.options import (
    FILE,
    PARAMETER_SECTION,
    add_options,
    finite,
    one_model,
    parameter_options,
    parameters_of,
    shard_option,
)
from evaluation.runner.backend import BACKENDS

_INTERRUPTED = 130
_SERVERS = "openai"
"""The backend that asks servers."""
_NAMED = (_SERVERS, "hf")
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


_FILES = (
    click.option(
        "--requests",
        type=FILE,
        help="File of requests [default: exports/evaluation/requests.jsonl].",
    ),
    click.option(
        "--replies",
        type=FILE,
        help="File to which replies are added [default: replies.jsonl beside the requests].",
    ),
    click.option(
        "--store",
        type=FILE,
        help="Store of all replies that were paid for; several runs may share it [default: "
        ".curate/replies.sqlite].",
    ),
    shard_option,
    click.option(
        "--ask-changed",
        is_flag=True,
        help="Ask again requests that were answered with another prompt or other parameters.",
    ),
)
_MODEL = (
    click.option(
        "--model",
        multiple=True,
        callback=one_model,
        metavar="NAME",
        help="Name of the model on the server.",
    ),
    click.option(
        "--models",
        "models_file",
        type=FILE,
        help="File of several models with their settings (YAML), instead of --model and its "
        "options.",
    ),
    click.option(
        "--provider",
        metavar="NAME",
        help="Provider of the server; it sets the address, key variable and special parameters: "
        "openai, anthropic, gemini, azure, openrouter, vllm, ollama or llama.cpp.",
    ),
    click.option(
        "--base-url",
        metavar="URL",
        help="Address of the server, such as http://localhost:8000/v1 [default: the provider's, "
        "else OPENAI_BASE_URL, else OpenAI's].",
    ),
    click.option(
        "--api-key-env",
        metavar="NAME",
        help="Environment variable with the key [default: the provider's, else OPENAI_API_KEY].",
    ),
)
_BACKEND = (
    click.option(
        "--backend",
        type=click.Choice(tuple(BACKENDS)),
        default="openai",
        show_default=True,
        metavar="NAME",
        help="What answers: 'openai' are servers that speak its protocol, 'hf' is a Hugging Face "
        f"model on this machine; {', '.join(_WITHOUT_MODEL[:-1])} and {_WITHOUT_MODEL[-1]} need "
        "no model.",
    ),
    click.option(
        "--option",
        "options",
        metavar="NAME=VALUE",
        multiple=True,
        callback=_options,
        help="Option of a backend other than openai; may be given several times.",
    ),
)
_RUNNING = (
    click.option(
        "--concurrency",
        type=click.IntRange(1, 4096),
        default=64,
        show_default=True,
        help="Number of requests at the same time.",
    ),
    click.option(
        "--timeout",
        type=click.FloatRange(0, min_open=True),
        default=300.0,
        show_default=True,
        callback=finite,
        help="Seconds to wait for a reply.",
    ),
    click.option(
        "--max-retries",
        type=click.IntRange(0),
        default=6,
        show_default=True,
        help="Number of times a failed request is sent again.",
    ),
    click.option("--limit", type=click.IntRange(1), help="Ask at most so many requests."),
    click.option(
        "--prices", type=FILE, help="File of prices of models (YAML), to compute the cost."
    ),
    click.option(
        "--budget",
        type=click.FloatRange(0),
        callback=finite,
        help="Spend at most so much in this run, in the currency of --prices.",
    ),
    click.option(
        "--dry-run", is_flag=True, help="Estimate requests, tokens and cost; ask nothing."
    ),
)


def _all_options(function: F) -> F:
    options = (*_FILES, *_MODEL, parameter_options, *_BACKEND, *_RUNNING)
    return add_options(function, options)


@click.command(
    "run",
    cls=SectionedCommand,
    sections={
        "What is asked": ("--requests", "--shard", "--limit", "--ask-changed"),
        "Model": ("--model", "--models", "--backend", "--option"),
        "Server": ("--provider", "--base-url", "--api-key-env"),
        **PARAMETER_SECTION,
        "Cost": ("--dry-run", "--prices", "--budget"),
        "Speed and failures": (
            "--concurrency",
            "--timeout",
            "--max-retries",
        ),
        "Files": ("--replies", "--store"),
    },
)
@workspace_option
@_all_options
@json_option
@click.pass_context
def command(ctx: click.Context, /, workspace: Workspace, as_json: bool, **given: Any) -> None:
    """Send the prepared requests to a model, and save its replies.

    The model is on a server with OpenAI's protocol: OpenAI, most other providers, or vLLM, SGLang
    or Ollama on your own machine. Set the key in OPENAI_API_KEY.

    Each reply is saved when it arrives. If a run ends early (Ctrl-C, a failure, a budget), the same
    command continues it, and no reply is paid for twice. The exit status is 1 if requests have no
    reply yet.

    To ask several models, list them with their settings in a file (--models). They are asked one
    after the other, and share one file of replies. If one fails, the next ones are still asked.

    \b
    Example: curate evaluate run --model my-model --base-url http://localhost:8000/v1 \\
               --temperature 0 --max-tokens 16
             curate evaluate run --model gpt-4o-mini --prices prices.yaml --dry-run
             curate evaluate run --models models.yaml
    """  # noqa: D301  # \b keeps click from wrapping the example
    from evaluation.runner.asking import estimate, run
    from evaluation.runner.progress import Progress

    _refuse_mixed(ctx, given)
    if given["models_file"] is not None:
        _run_several(ctx, workspace, given, as_json=as_json)
        return
    wanted = _wanted(workspace, given)
    if given["dry_run"]:
        found = estimate(wanted, _note)
        if as_json:
            print_json(found.as_dict())
        else:
            _show_estimate(found)
        return
    if sys.stderr.isatty():  # a million lines take a minute
        click.echo(f"Reading {wanted.requests} ...", err=True)
    ran = run(wanted, _note, lambda purse: Progress(sys.stderr, purse))
    if as_json:
        print_json(ran.as_dict())
    else:
        _show(ran)
    _end(ctx, ran)


def _note(line: str) -> None:
    click.echo(f"Note: {line}.", err=True)


_OF_ONE = {
    "model": "--model",
    "provider": "--provider",
    "base_url": "--base-url",
    "api_key_env": "--api-key-env",
    "temperature": "--temperature",
    "max_tokens": "--max-tokens",
    "max_tokens_field": "--max-tokens-field",
    "seed": "--seed",
    "logprobs": "--logprobs",
    "extra": "--extra",
    "backend": "--backend",
    "options": "--option",
}
"""Options that say of one model what a file of models says of each."""


def _refuse_mixed(ctx: click.Context, given: dict[str, Any]) -> None:
    """Refuse options that do not go together."""
    if given["models_file"] is not None:
        default = click.core.ParameterSource.DEFAULT
        for name, option in _OF_ONE.items():
            if ctx.get_parameter_source(name) not in (None, default):
                raise click.UsageError(
                    f"{option} does not go with --models: say it of each model in that file"
                )
        return
    if given["budget"] is not None and given["prices"] is None:
        raise click.UsageError("--budget needs --prices")
    if given["provider"] and given["backend"] != _SERVERS:
        raise click.UsageError("--provider is for servers, not for --backend " + given["backend"])
    if not given["model"] and given["backend"] in _NAMED:
        raise click.UsageError("name the model: --model NAME")


def _end(ctx: click.Context, ran: Any) -> None:
    """Leave with the status that says whether every request has a reply."""
    if ran.tally.ending.value == "interrupted" and ran.tally.left:
        click.echo(
            f"Stopped: {ran.tally.left:,} of {ran.tally.requests:,} requests are left. All "
            "replies so far are saved; the same command continues.",
            err=True,
        )
        ctx.exit(_INTERRUPTED)
    error = ran.error()
    if error is not None:
        raise error


def _wanted(workspace: Workspace, given: dict[str, Any]) -> Any:
    """Put options together."""
    from evaluation.runner.asking import plan_run
    from evaluation.runner.backend import BackendSettings
    from evaluation.runner.providers import FIELD, KEY, provider_of, with_provider
    from evaluation.runner.run import Limits

    provider = given["provider"]
    field = provider_of(provider).max_tokens_field if provider else FIELD
    settings = BackendSettings(
        model=given["model"] or "",
        parameters=parameters_of(given, field),
        concurrency=given["concurrency"],
        base_url=given["base_url"] or "",
        key_variable=given["api_key_env"] or ("" if provider else KEY),
        needs_key=given["api_key_env"] is not None,
        timeout_s=given["timeout"],
        dry=given["dry_run"],
        options=given["options"],
        workspace=workspace.root,
    )
    if provider:
        settings = with_provider(settings, provider)
    named = ("requests", "replies", "store", "shard", "prices", "budget")
    return plan_run(
        workspace,
        given["backend"],
        settings,
        limits=Limits(given["concurrency"], given["max_retries"], given["limit"]),
        most_output=given["max_tokens"],
        again=given["ask_changed"],
        **{name: given[name] for name in named},
    )


def _run_several(
    ctx: click.Context, workspace: Workspace, given: dict[str, Any], *, as_json: bool
) -> None:
    from evaluation.runner.progress import Progress
    from evaluation.runner.several import Several, estimate_models, plan_models, run_models

    wanted = plan_models(given["models_file"], _wanted(workspace, given))
    if given["dry_run"]:
        found = estimate_models(wanted, _note)
    else:
        done = []
        for item in run_models(wanted, _note, lambda purse: Progress(sys.stderr, purse)):
            done.append(item)
            if item.error is not None:
                click.echo(_problem(item.model, item.error), err=True)
        untried = tuple(plan.settings.called for plan in wanted[len(done) :])
        found = Several(tuple(done), untried)
    if as_json:
        print_json(found.as_dict())
    else:
        _show_several(found, wanted[0].replies)
    if found.interrupted:
        ctx.exit(_INTERRUPTED)
    if found.failed:
        ctx.exit(1)


def _problem(model: str, error: Any) -> str:
    where = f"\n    {error.where}" if error.where else ""
    hint = f"\n    -> {error.hint}" if error.hint else ""
    return f"{model}: {error.what}{where}{hint}"


def _show_several(found: Any, replies: Any) -> None:
    """Show a line for each model; what is not known is a dash."""
    dry = any(item.foreseen is not None for item in found.models)
    header: tuple[str, ...]
    if dry:
        header = ("model", "requests", "to ask", "tokens sent", "received", "cost")
        rows = [_foreseen_cells(item) for item in found.models]
    else:
        header = ("model", "requests", "replies", "left", "tokens", "cost", "ended")
        rows = [_ran_cells(item) for item in found.models]
        rows += [[name, *"-----", "not tried"] for name in found.untried]
    click.echo("\n".join(table_lines(header, rows)))
    if dry:
        for item in found.failed:
            click.echo(_problem(item.model, item.error), err=True)
        click.echo("Nothing was sent. Tokens and cost are estimates.")
        return
    for item in found.models:
        if item.ran is not None:
            echo_counts(*((n, f"{item.model}: {said}") for n, said in _counts(item.ran.tally)))
    count = len(found.models) + len(found.untried)
    whole = count - len(found.failed) - len(found.untried)
    click.echo(
        f"{whole} of {count} {plural('model', count)} replied to all requests. Replies: {replies}"
    )


def _ran_cells(item: Any) -> list[str]:
    ran = item.ran
    if ran is None:
        return [item.model, *"-----", "failed"]
    tally, price = ran.tally, ran.purse.price
    tokens = tally.input_tokens + tally.output_tokens
    unknown = tally.unmetered and not tokens
    return [
        item.model,
        f"{tally.requests:,}",
        f"{tally.replied:,}",
        f"{tally.left:,}",
        "-" if unknown else f"{tokens:,}",
        "-" if price is None else price.text(ran.purse.spent),
        tally.ending.value,
    ]


def _foreseen_cells(item: Any) -> list[str]:
    found = item.foreseen
    if found is None:
        return [item.model, *"-----"]
    estimate, price = found.estimate, found.price
    made = "-" if estimate.output_tokens is None else f"{estimate.output_tokens:,}"
    return [
        item.model,
        f"{found.requests:,}",
        f"{estimate.to_ask:,}",
        f"{estimate.input_tokens:,}",
        made,
        "-" if estimate.cost is None else price.text(estimate.cost),
    ]


def _show(ran: Any) -> None:
    tally, price = ran.tally, ran.purse.price
    echo_fitting(
        f"{tally.requests:,} {plural('request', tally.requests)} to {ran.model}: "
        f"{tally.before:,} had a reply, {tally.from_store:,} had one in the store, "
        f"{tally.answered:,} answered now, {tally.left:,} without a reply. Replies: "
        f"{ran.wanted.replies}"
    )
    if tally.input_tokens or tally.output_tokens:
        cost = "" if price is None else f" Cost: {price.text(ran.purse.spent)}."
        thought = f" ({tally.reasoning_tokens:,} for reasoning)" if tally.reasoning_tokens else ""
        made = f"{tally.output_tokens:,} received{thought}"
        click.echo(f"Tokens: {tally.input_tokens:,} sent, {made}.{cost}")
    echo_counts(
        *_counts(tally),
        (ran.standing.others, "Lines of other models or requests, left unchanged"),
    )


def _counts(tally: Any) -> tuple[tuple[int, str], ...]:
    """Return what decides how far scores and bills can be trusted."""
    return (
        (tally.filtered, "Replies stopped by a content filter, parsed as they are"),
        (tally.unfinished, "Replies that ended within the model's reasoning, without a choice"),
        (tally.cut_short, "Replies that ended at --max-tokens, parsed as they are"),
        (tally.retries, "Retries of requests"),
        (tally.unsure, "Attempts without a reply that may have been billed"),
        (tally.unmetered, "Replies without a count of tokens"),
        (tally.miscounted, "Replies with an impossible count of tokens, taken as unknown"),
    )


def _show_estimate(found: Any) -> None:
    estimate, price = found.estimate, found.price
    echo_fitting(
        f"{found.requests:,} {plural('request', found.requests)} to {found.model}: "
        f"{found.standing.answered:,} have a reply, {estimate.in_store:,} have one in the store, "
        f"{estimate.to_ask:,} would be asked. Nothing was sent."
    )
    basis = (
        f"from {estimate.replies:,} earlier replies"
        if estimate.replies
        else "assuming 4 ASCII characters, or 1.5 others, for each token"
    )
    made = "" if estimate.output_tokens is None else f", {estimate.output_tokens:,} received"
    bound = "" if estimate.replies or not made else " at most"
    click.echo(f"Estimated tokens: {estimate.input_tokens:,} sent{made}{bound} ({basis}).")
    if estimate.cost is not None:
        only = "" if made else ", without the replies: set --max-tokens"
        click.echo(f"Estimated cost: {price.text(estimate.cost)}{only}.")
