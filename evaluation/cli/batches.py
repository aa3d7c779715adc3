"""`curate evaluate batch`: requests as batch files, to the provider and back."""

import shlex
from collections.abc import Callable, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any

import click

from curation.cli.coloured import SectionedCommand
from curation.cli.options import json_option, waiting_option
from curation.cli.terminal import (
    echo_counts,
    finding_dict,
    given_options,
    print_findings,
    print_json,
    wrapped,
)
from curation.files.workspace import Workspace
from curation.records.wording import plural
from evaluation.cli.options import (
    FILE,
    FOLDER,
    PARAMETER_SECTION,
    one_model,
    parameter_options,
    parameters_of,
)

_MB = 1_000_000
_STORE = click.option(
    "--store",
    type=FILE,
    help="Store of all replies that were paid for [default: .curate/replies.sqlite].",
)
_WHERE = (
    click.option(
        "--model", help="Model of the batches; needed if there are batches of several models."
    ),
    click.option("--batches", type=FOLDER, help="Folder that 'curate evaluate batch write' wrote."),
    click.option(
        "--api-key-env",
        "key_variable",
        metavar="NAME",
        help="Environment variable with the key [default: OPENAI_API_KEY or ANTHROPIC_API_KEY, "
        "by the format].",
    ),
)


_TAKING = (
    click.option(
        "--out",
        "replies",
        type=FILE,
        help="File to which replies are added [default: replies.jsonl beside the requests].",
    ),
    _STORE,
    click.option(
        "--accept-model",
        "accepted",
        metavar="NAME",
        multiple=True,
        help="Another name of the model at the provider; may be given several times.",
    ),
)


def _with(options: Sequence[Any]) -> Callable[[Any], Any]:
    def add(function: Any) -> Any:
        for option in reversed(options):
            function = option(function)
        return function

    return add


def _echo_next(what: str, command: str) -> None:
    """Print the command that comes next, with the places that this one was given."""
    shared = ("--workspace", "--model", "--batches", "--api-key-env")
    given = given_options(click.get_current_context(), shared)
    click.echo(f"{what}: {shlex.join([*command.split(), *chain.from_iterable(given)])}")


_where_options, _taking_options = _with(_WHERE), _with(_TAKING)


@click.command(
    "write",
    cls=SectionedCommand,
    sections={
        "What is asked": ("--requests", "--replies", "--store", "--again"),
        "Model": ("--model", "--format"),
        **PARAMETER_SECTION,
        "Files": ("--batches", "--max-requests", "--max-mb"),
    },
)
@waiting_option
@click.option(
    "--model",
    required=True,
    multiple=True,
    callback=one_model,
    metavar="NAME",
    help="Name of the model at the provider.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(("openai", "anthropic")),
    default="openai",
    show_default=True,
    help="Format of the batch files; 'openai' is also for vLLM's run-batch.",
)
@click.option(
    "--requests", type=FILE, help="File of requests [default: exports/evaluation/requests.jsonl]."
)
@click.option(
    "--replies",
    type=FILE,
    help="File of existing replies; their requests are left out [default: replies.jsonl beside "
    "the requests].",
)
@_STORE
@click.option(
    "--batches",
    type=FOLDER,
    help="Folder for the batch files of this model [default: exports/evaluation/batches/MODEL].",
)
@parameter_options
@click.option(
    "--max-requests",
    type=click.IntRange(1),
    help="Most requests in a file [default: 50000; for Anthropic 100000].",
)
@click.option(
    "--max-mb",
    type=click.FloatRange(0, min_open=True),
    help="Most megabytes in a file [default: 200; for Anthropic 256].",
)
@click.option(
    "--again",
    is_flag=True,
    help="Also write requests of earlier batches whose results were not read.",
)
@json_option
def write_command(workspace: Workspace, as_json: bool, **given: Any) -> None:
    """Write the requests without a reply to batch files.

    Requests are left out if they have a reply, in the file of replies or in the store, or if they
    are in earlier batches whose results were not read yet. So no request is paid for twice. Send
    the files with 'curate evaluate batch send'. Or upload them yourself, and give the results to
    'curate evaluate batch read'.

    \b
    Example: curate evaluate batch write --model gpt-4o-mini --max-tokens 16 --temperature 0
             curate evaluate batch write --model claude-3-5-haiku-latest --format anthropic \\
               --max-tokens 16
    """  # noqa: D301  # \b keeps click from wrapping the example
    from evaluation import batch
    from evaluation.batch.formats import LIMITS, Limits
    from evaluation.runner.backend import equal_draws

    order = batch.Order(batch.Format(given["format_"]), given["model"], parameters_of(given))
    usual = LIMITS[order.format]
    size = usual.size if given["max_mb"] is None else round(given["max_mb"] * _MB)
    report = batch.write(
        workspace,
        order,
        **{name: given[name] for name in ("requests", "replies", "store", "again")},
        folder=given["batches"],
        limits=Limits(given["max_requests"] or usual.requests, size),
    )
    paths = [f"{report.folder}/{item.name}" for item in report.files]
    if as_json:
        print_json({"model": order.model, **asdict(report), "paths": paths})
        return
    click.echo(
        f"{report.requests:,} {plural('request', report.requests)} to {order.model}: "
        f"{report.before:,} had a reply, {report.from_store:,} had one in the store, "
        f"{report.waiting:,} are in earlier batches without results, {report.written:,} written."
    )
    equal = equal_draws(report.epochs, order.parameters)
    if equal:
        click.echo(wrapped(f"Note: {equal}.", "  "), err=True)
    if report.alike:
        note = (
            f"Note: {report.alike:,} requests in earlier batches get the reply of another "
            "request with the same messages, because their batch was written when equal requests "
            "were asked once. Read its results. For separate replies, start again with another "
            "folder (--batches) and file (--replies)."
        )
        click.echo(wrapped(note, "  "), err=True)
    if report.shared:
        click.echo(
            f"{report.shared:,} of them are equal to another request; it is asked once for both."
        )
    for path, item in zip(paths, report.files, strict=True):
        held = f"{item.requests:,} {plural('request', item.requests)}, {item.size / _MB:.1f} MB"
        click.echo(f"  {path}: {held}")
    if report.files:
        _echo_next("Send them", "curate evaluate batch send")
    elif report.waiting:
        click.echo(
            "Nothing to write: all requests have a reply or are in earlier batches. Read "
            "their results, or write them again with --again."
        )
    else:
        click.echo("Nothing to write: all requests have a reply.")


@click.command("send")
@waiting_option
@_where_options
@click.option(
    "--base-url",
    metavar="URL",
    help="Address of the server [default: OPENAI_BASE_URL, else the provider's].",
)
@click.option("--limit", "most", type=click.IntRange(1), help="Send at most so many files.")
@click.option(
    "--sent",
    "known",
    metavar="FILE=BATCH",
    multiple=True,
    help="The batch of a file that you sent yourself; may be given several times.",
)
@click.option(
    "--not-sent",
    metavar="FILE",
    multiple=True,
    help="Send this file again: an earlier command was interrupted while sending it, and the "
    "provider does not have it.",
)
@json_option
def send_command(
    workspace: Workspace,
    as_json: bool,
    batches: Path | None,
    base_url: str | None,
    key_variable: str | None,
    known: tuple[str, ...],
    **given: Any,
) -> None:
    """Send the batch files to OpenAI or Anthropic, each file once.

    Only this command costs money. The batch of each file is recorded beside the files. If the
    command was interrupted, run it again: it first asks the provider which files have arrived, and
    does not send them again.

    \b
    Example: curate evaluate batch write --model gpt-4o-mini --max-tokens 16
             curate evaluate batch send
             curate evaluate batch fetch --until-done
    """  # noqa: D301  # \b keeps click from wrapping the example
    from evaluation.batch.sending import Server, send
    from evaluation.batch.services import named_batch

    found = send(
        workspace,
        folder=batches,
        server=Server(base_url, key_variable),
        known=dict(map(named_batch, known)),
        note=lambda text: click.echo(text, err=True),
        **given,
    )
    if as_json:
        print_json(
            {
                "model": found.model,
                "requests": found.requests,
                "sent": {str(item.path): item.batch for item in found.sent},
                "adopted": {str(item.path): item.batch for item in found.adopted},
                "before": {str(item.path): item.batch for item in found.before},
                "left": list(map(str, found.left)),
            }
        )
        return
    files = len(found.sent)
    click.echo(
        f"{files:,} {plural('file', files)} with {found.requests:,} "
        f"{plural('request', found.requests)} sent to {found.model}; "
        f"{len(found.before) + len(found.adopted):,} sent before, {len(found.left):,} not sent."
    )
    if found.left:
        click.echo("Send the others with the same command.")
    else:
        _echo_next("Get the results", "curate evaluate batch fetch --until-done")


@click.command(
    "fetch",
    cls=SectionedCommand,
    sections={
        "Model and server": ("--model", "--api-key-env", "--accept-model"),
        "Waiting": ("--until-done", "--every"),
        "Files": ("--batches", "--out", "--store"),
    },
)
@waiting_option
@_where_options
@_taking_options
@click.option("--until-done", is_flag=True, help="Wait until every batch is done.")
@click.option(
    "--every",
    type=click.FloatRange(1),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="Seconds between two checks, with --until-done.",
)
@json_option
@click.pass_context
def fetch_command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    as_json: bool,
    batches: Path | None,
    key_variable: str | None,
    until_done: bool,
    every: float,
    **given: Any,
) -> None:
    """Check the batches that were sent, and add the results of those that are done.

    The results are saved beside the batch files, and added to the file of replies. The exit status
    is 1 if a batch is not done or a request has no reply. Ctrl-C only stops the waiting: the
    batches continue.

    \b
    Example: curate evaluate batch fetch
             curate evaluate batch fetch --until-done --every 300
    """  # noqa: D301  # \b keeps click from wrapping the example
    from evaluation.batch.sending import Server, fetch

    found = fetch(
        workspace,
        folder=batches,
        server=Server(None, key_variable),
        every_s=every if until_done else None,
        note=lambda text: click.echo(text, err=True),
        **given,
    )
    taken = found.taken
    if as_json:
        states = {
            str(item.path): {"batch": item.batch, "status": item.state and item.state.status}
            for item in found.batches
        }
        result = None if taken is None else taken.as_dict()
        problems = [] if taken is None else list(map(finding_dict, taken.problems))
        print_json(
            {
                "model": found.model,
                "batches": states,
                "unsent": list(map(str, found.unsent)),
                "results": result,
                "findings": problems,
            }
        )
    else:
        _show_fetched(found)
    if not found.complete:
        ctx.exit(1)


@click.command("read")
@click.argument("files", nargs=-1, required=True, type=FILE)
@waiting_option
@click.option(
    "--model", help="Model of the batches; needed if there are batches of several models."
)
@click.option("--batches", type=FOLDER, help="Folder that 'curate evaluate batch write' wrote.")
@_taking_options
@json_option
@click.pass_context
def read_command(
    ctx: click.Context,
    /,
    files: tuple[Path, ...],
    workspace: Workspace,
    batches: Path | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Add results of batches that you downloaded to the file of replies.

    FILES are results of OpenAI (also its files of errors), vLLM or Anthropic. You can read a file
    again: no reply is added twice. The exit status is 1 if requests have no reply. To write batches
    of only these requests, run the same 'curate evaluate batch write' again.

    \b
    Example: curate evaluate batch read batch_6721_output.jsonl batch_6721_error.jsonl
    """  # noqa: D301  # \b keeps click from wrapping the example
    from evaluation import batch

    taken = batch.read(workspace, files, folder=batches, **given)
    if as_json:
        print_json(taken.as_dict() | {"findings": list(map(finding_dict, taken.problems))})
    else:
        _show_taken(taken)
    if not taken.complete:
        ctx.exit(1)


def _show_fetched(found: Any) -> None:
    if found.taken is not None:
        _show_taken(found.taken)
    elif not found.batches:
        click.echo("The results of all batch files were already read.")
    if found.running:
        count = found.running
        click.echo(f"{count:,} {'batch' if count == 1 else 'batches'} not done yet.", err=True)
    again = [*(item.path for item in found.batches if item.state.lost), *found.unsent]
    if again:
        names = ", ".join(path.name for path in dict.fromkeys(again))
        click.echo(
            f"Batch files without results: {names}\n    -> send them: curate evaluate batch send",
            err=True,
        )


def _show_taken(taken: Any) -> None:
    from evaluation.replies.files import shortened

    kinds = ", ".join(f"{count:,} {kind.value}" for kind, count in taken.most_failed())
    failed = f", {taken.failed.total():,} failed ({kinds})" if kinds else ""
    click.echo(
        f"{taken.results:,} {plural('result', taken.results)} of {taken.model}: "
        f"{taken.replies:,} new, {taken.known:,} known before{failed}. Replies: "
        f"{taken.replies_file}"
    )
    echo_counts(
        (taken.filtered, "Replies stopped by a content filter, parsed as they are"),
        (taken.unfinished, "Replies that ended within the model's reasoning, without a choice"),
        (taken.doubled, "Results left out, as an earlier one has the same custom id"),
    )
    print_findings(taken.problems, err=True)
    if taken.unknown:
        count = len(taken.unknown)
        what = (
            f"{count:,} {plural('result', count)} left out, of requests that are not in these "
            "batches"
        )
        click.echo(f"{what}: {shortened(taken.unknown)}", err=True)
    for name, count in taken.waiting.items():
        click.echo(f"{count:,} {plural('request', count)} wait for the results of {name}", err=True)
    if taken.missing:
        count = len(taken.missing)
        click.echo(
            f"{count:,} {plural('request', count)} left without a reply: "
            f"{shortened(taken.missing)}\n    -> write them again with the same 'curate evaluate "
            "batch write'; it writes only these",
            err=True,
        )
