"""`curate evaluate run`: a model is asked the prepared requests."""

import sys
from collections.abc import Sequence
from typing import Any

import click

from curation.cli.options import F, json_option, workspace_option
from curation.cli.terminal import print_json
from curation.files.workspace import Workspace
from curation.records.wording import plural
from evaluation.cli.options import (
    FILE,
    add_options,
    executor_options,
    finite,
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
        help="What is asked [default: exports/evaluation/requests.jsonl].",
    ),
    click.option(
        "--replies",
        type=FILE,
        help="Where replies are appended [default: replies.jsonl beside the requests].",
    ),
    click.option(
        "--store",
        type=FILE,
        help="Every reply that was ever paid for; runs may share it "
        "[default: .curate/replies.sqlite].",
    ),
    shard_option,
    click.option(
        "--ask-changed",
        is_flag=True,
        help="Ask again what got its reply with another prompt or other parameters.",
    ),
)
_MODEL = (
    click.option("--model", default="", help="The model, as the server names it."),
    click.option(
        "--base-url",
        "base_urls",
        metavar="URL",
        multiple=True,
        help="A server, such as http://localhost:8000/v1; several share the work "
        "[default: OPENAI_BASE_URL, else OpenAI's].",
    ),
    click.option(
        "--api-key-env",
        metavar="NAME",
        default="OPENAI_API_KEY",
        show_default=True,
        help="The environment variable that holds the key.",
    ),
)
_BACKEND = (
    click.option(
        "--backend",
        type=click.Choice(tuple(BACKENDS)),
        default="openai",
        show_default=True,
        help="What answers: 'openai' are servers that speak its protocol, 'hf' is a Hugging Face "
        "model on this machine, the others need no model.",
    ),
    click.option(
        "--option",
        "options",
        metavar="NAME=VALUE",
        multiple=True,
        callback=_options,
        help="An option of another backend; may be given several times.",
    ),
)
_RUNNING = (
    click.option(
        "--concurrency",
        type=click.IntRange(1, 4096),
        default=64,
        show_default=True,
        help="Requests at once.",
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
        help="How often a request is sent again.",
    ),
    click.option("--limit", type=click.IntRange(1), help="Ask so many requests at most."),
    click.option("--prices", type=FILE, help="What models cost (YAML), to count the cost."),
    click.option(
        "--budget",
        type=click.FloatRange(0),
        callback=finite,
        help="Spend so much at most in this run, in the currency of --prices.",
    ),
    click.option("--dry-run", is_flag=True, help="Count and price what would be asked."),
)


def _all_options(function: F) -> F:
    options = (*_FILES, *_MODEL, parameter_options, *_BACKEND, executor_options, *_RUNNING)
    return add_options(function, options)


@click.command("run")
@workspace_option
@_all_options
@json_option
@click.pass_context
def command(ctx: click.Context, /, workspace: Workspace, as_json: bool, **given: Any) -> None:
    """Ask a model the prepared requests, many at once.

    The model is behind a server that speaks OpenAI's protocol: OpenAI itself, most providers,
    or vLLM, SGLang or Ollama on a machine of your own. The key is read from OPENAI_API_KEY.

    Each reply is written as it arrives. Whatever ends a run (Ctrl-C, a failure, a budget), the
    same command goes on where it ended, and pays for nothing twice. The exit status is 1 while
    requests are left without a reply.

    \b
    Example: curate evaluate run --model my-model --base-url http://localhost:8000/v1 \\
               --temperature 0 --max-tokens 16
             curate evaluate run --model gpt-4o-mini --prices prices.yaml --dry-run
    """  # noqa: D301  # \b keeps click from wrapping the example
    from evaluation.runner.asking import estimate, run
    from evaluation.runner.progress import Progress

    _refuse_mixed(given)
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


def _refuse_mixed(given: dict[str, Any]) -> None:
    """Refuse options that do not go together."""
    if given["budget"] is not None and given["prices"] is None:
        raise click.UsageError("--budget needs --prices")
    if not given["model"] and given["backend"] in _NAMED:
        raise click.UsageError("name the model: --model NAME")
    if given["scheduler"] and given["backend"] == _SERVERS:
        raise click.UsageError(
            "servers need no cluster, only --concurrency and several --base-url; a model on the "
            "workers is --backend hf"
        )


def _end(ctx: click.Context, ran: Any) -> None:
    """Leave with the status that says whether every request has a reply."""
    if ran.tally.ending.value == "interrupted" and ran.tally.left:
        click.echo(
            f"Stopped: {ran.tally.left:,} of {ran.tally.requests:,} requests are left. Nothing "
            "that was answered is lost; the same command goes on.",
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
    from evaluation.runner.run import Limits

    settings = BackendSettings(
        model=given["model"],
        parameters=parameters_of(given),
        concurrency=given["concurrency"],
        base_urls=given["base_urls"],
        key_variable=given["api_key_env"],
        timeout_s=given["timeout"],
        dry=given["dry_run"],
        options=given["options"],
        workspace=workspace.root,
    )
    named = ("requests", "replies", "store", "shard", "prices", "budget", "scheduler")
    return plan_run(
        workspace,
        given["backend"],
        settings,
        limits=Limits(given["concurrency"], given["max_retries"], given["limit"]),
        most_output=given["max_tokens"],
        again=given["ask_changed"],
        **{name: given[name] for name in named},
    )


def _show(ran: Any) -> None:
    tally, price = ran.tally, ran.purse.price
    click.echo(
        f"{tally.requests:,} {plural('request', tally.requests)} to {ran.model}: "
        f"{tally.before:,} had a reply, {tally.from_store:,} had one in the store, "
        f"{tally.answered:,} answered now, {tally.left:,} without. In {ran.wanted.replies}"
    )
    if tally.input_tokens or tally.output_tokens:
        cost = "" if price is None else f" Cost: {price.text(ran.purse.spent)}."
        thought = f" ({tally.reasoning_tokens:,} of thoughts)" if tally.reasoning_tokens else ""
        made = f"{tally.output_tokens:,} received{thought}"
        click.echo(f"Tokens: {tally.input_tokens:,} sent, {made}.{cost}")
    for count, said in (
        (tally.filtered, "replies were stopped by a content filter; they count as they are"),
        (
            tally.unfinished,
            "replies ended within the model's thoughts: no choice can be read of them",
        ),
        (tally.cut_short, "replies ended at the most tokens; they count as they are"),
        (tally.retries, "times a request was sent again"),
        (tally.unsure, "attempts ended without a reply and may have been billed"),
        (tally.unmetered, "replies came without a count of tokens"),
        (tally.miscounted, "counts of tokens cannot be, and are taken as unknown"),
        (ran.standing.others, "lines of other models or requests are left as they are"),
    ):
        if count:
            click.echo(f"{count:,} {said}.")


def _show_estimate(found: Any) -> None:
    estimate, price = found.estimate, found.price
    click.echo(
        f"{found.requests:,} {plural('request', found.requests)} to {found.model}: "
        f"{found.standing.answered:,} have a reply, {estimate.in_store:,} have one in the store, "
        f"{estimate.to_ask:,} would be asked. Nothing was sent."
    )
    basis = (
        f"as {estimate.replies:,} earlier replies took"
        if estimate.replies
        else "by rule of thumb: 4 characters of ASCII or 1.5 others to a token"
    )
    made = "" if estimate.output_tokens is None else f", {estimate.output_tokens:,} received"
    bound = "" if estimate.replies or not made else " at most"
    click.echo(f"Estimated tokens: {estimate.input_tokens:,} sent{made}{bound} ({basis}).")
    if estimate.cost is not None:
        only = "" if made else ", replies not counted: set --max-tokens"
        click.echo(f"Estimated cost: {price.text(estimate.cost)}{only}.")
