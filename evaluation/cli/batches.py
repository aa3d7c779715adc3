"""`curate evaluate batch`: requests as batch files, to the provider and back."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from curation.cli.coloured import SectionedCommand
from curation.cli.options import json_option, workspace_option
from curation.cli.terminal import (
    echo_counts,
    finding_dict,
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


_taking_options = _with(_TAKING)


@click.command(
    "write",
    cls=SectionedCommand,
    sections={
        "What is asked": ("--requests", "--replies", "--store", "--again"),
        "Model": ("--model",),
        **PARAMETER_SECTION,
        "Files": ("--batches", "--max-requests", "--max-mb"),
    },
)
@workspace_option
@click.option(
    "--model",
    required=True,
    multiple=True,
    callback=one_model,
    metavar="NAME",
    help="Name of the model at the provider.",
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
    help="Most requests in a file [default: 50000].",
)
@click.option(
    "--max-mb",
    type=click.FloatRange(0, min_open=True),
    help="Most megabytes in a file [default: 200].",
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
    are in earlier batches whose results were not read yet. So no request is paid for twice. Upload
    the files to the provider, or give them to 'vllm run-batch', and read the results with 'curate
    evaluate batch read'.

    \b
    Example: curate evaluate batch write --model gpt-4o-mini --max-tokens 16 --temperature 0
    """  # noqa: D301  # \b keeps click from wrapping the example
    from evaluation import batch
    from evaluation.runner.backend import equal_draws

    model, parameters, usual = given["model"], parameters_of(given), batch.Limits()
    size = usual.size if given["max_mb"] is None else round(given["max_mb"] * _MB)
    report = batch.write(
        workspace,
        model,
        parameters,
        **{name: given[name] for name in ("requests", "replies", "store", "again")},
        folder=given["batches"],
        limits=batch.Limits(given["max_requests"] or usual.requests, size),
    )
    if as_json:
        counts = {name: value for name, value in asdict(report).items() if name != "files"}
        files = [
            {"path": str(path), "requests": held, "size": size}
            for path, (held, size) in report.files.items()
        ]
        print_json({"model": model, **counts, "files": files})
        return
    click.echo(
        f"{report.requests:,} {plural('request', report.requests)} to {model}: "
        f"{report.before:,} had a reply, {report.from_store:,} had one in the store, "
        f"{report.waiting:,} are in earlier batches without results, {report.written:,} written."
    )
    equal = equal_draws(report.epochs, parameters)
    if equal:
        click.echo(wrapped(f"Note: {equal}.", "  "), err=True)
    if report.shared:
        click.echo(
            f"{report.shared:,} of them are equal to another request; it is asked once for both."
        )
    for path, (held, size) in report.files.items():
        said = f"{held:,} {plural('request', held)}, {size / _MB:.1f} MB"
        click.echo(f"  {path}: {said}")
    if report.files:
        click.echo("Upload them, and read the results: curate evaluate batch read FILE...")
    elif report.waiting:
        click.echo(
            "Nothing to write: all requests have a reply or are in earlier batches. Read "
            "their results, or write them again with --again."
        )
    else:
        click.echo("Nothing to write: all requests have a reply.")


@click.command("read")
@click.argument("files", nargs=-1, required=True, type=FILE)
@workspace_option
@click.option(
    "--model", help="Model of the batches; needed if there are batches of several models."
)
@click.option("--batches", type=FOLDER, help="Folder that 'curate evaluate batch write' wrote.")
@click.option(
    "--requests",
    type=FILE,
    help="File of requests, of which equal ones were asked once [default: "
    "exports/evaluation/requests.jsonl].",
)
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

    FILES are results of OpenAI (also its files of errors) or vLLM. You can read a file
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


def _show_taken(taken: Any) -> None:
    from evaluation.replies.files import shortened

    failed = sorted(taken.failed.items(), key=lambda item: (-item[1], item[0].value))
    kinds = ", ".join(f"{count:,} {kind.value}" for kind, count in failed)
    lacking = f", {taken.failed.total():,} failed ({kinds})" if kinds else ""
    click.echo(
        f"{taken.results:,} {plural('result', taken.results)} of {taken.model}: "
        f"{taken.replies:,} new, {taken.known:,} known before{lacking}. Replies: "
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
