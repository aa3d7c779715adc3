"""`curate evaluate batch write`: requests without a reply as batch files."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from curation.cli.common import json_option, plural, print_json, workspace_option
from curation.cli.evaluate_batch_files import FOLDER, model_folder
from curation.cli.evaluate_parameters import parameter_options, parameters_of
from curation.io.workspace import Workspace
from curation.model.errors import CurateError

_FILE = click.Path(dir_okay=False, path_type=Path)
_MB = 1_000_000


@click.command("write")
@workspace_option
@click.option("--model", required=True, help="The model, as the provider names it.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(("openai", "anthropic")),
    default="openai",
    show_default=True,
    help="Whose files: 'openai' is also for vLLM's run-batch.",
)
@click.option(
    "--requests", type=_FILE, help="What is asked [default: exports/evaluation/requests.jsonl]."
)
@click.option(
    "--replies",
    type=_FILE,
    help="Replies there are: their requests are left out "
    "[default: replies.jsonl beside the requests].",
)
@click.option(
    "--store",
    type=_FILE,
    help="Every reply that was ever paid for [default: .curate/replies.sqlite].",
)
@click.option(
    "--batches",
    type=click.Path(file_okay=False, path_type=Path),
    help=f"The folder of this model's batches [default: exports/evaluation/{FOLDER}/MODEL].",
)
@parameter_options
@click.option(
    "--max-requests",
    type=click.IntRange(1),
    help="The most requests of a file [default: 50000; for Anthropic 100000].",
)
@click.option(
    "--max-mb",
    type=click.FloatRange(0, min_open=True),
    help="The most megabytes of a file [default: 200; for Anthropic 256].",
)
@click.option(
    "--again",
    is_flag=True,
    help="Write requests again that are in batches whose results were not read.",
)
@json_option
def command(workspace: Workspace, as_json: bool, **given: Any) -> None:
    """Write the requests that have no reply as batch files.

    Requests are left out that have a reply in the file of replies or in the store, or are in
    batches whose results were not read yet: nothing is paid for twice. Upload the files as the
    provider says, and give what it returns to 'curate evaluate batch read'.

    \b
    Example: curate evaluate batch write --model gpt-4o-mini --max-tokens 16 --temperature 0
             curate evaluate batch write --model claude-3-5-haiku-latest --format anthropic \\
               --max-tokens 16
    """  # noqa: D301  # \b keeps click from wrapping the example
    from evaluation.batch.formats import Format, Order

    order = Order(Format(given["format_"]), given["model"], parameters_of(given))
    report = _write(workspace, order, given)
    if as_json:
        found = asdict(report)
        folder = None if report.folder is None else str(report.folder)
        files = [str(folder) + "/" + item.name for item in report.files]
        print_json({"model": order.model, **found, "folder": folder, "paths": files})
    else:
        _show(report, order.model)


def _write(workspace: Workspace, order: Any, given: dict[str, Any]) -> Any:
    from evaluation.batch.formats import LIMITS, Limits
    from evaluation.batch.writing import Plan, write_batches
    from evaluation.requests import REQUESTS
    from evaluation.runner.index import index_requests
    from evaluation.runner.reply_file import FILE as REPLIES
    from evaluation.runner.reply_file import read_standing
    from evaluation.store import FILE as STORE
    from evaluation.store import Store

    requests = given["requests"] or workspace.exports_folder / "evaluation" / REQUESTS
    usual = LIMITS[order.format]
    size = usual.size if given["max_mb"] is None else round(given["max_mb"] * _MB)
    plan = Plan(
        order=order,
        limits=Limits(given["max_requests"] or usual.requests, size),
        folder=given["batches"] or model_folder(workspace, order.model),
        replies=given["replies"] or requests.with_name(REPLIES),
        again=given["again"],
    )
    store = given["store"] or workspace.curate_folder / STORE
    with index_requests(requests, order.model, order.parameters) as index, Store(store) as kept:
        if not len(index):
            hint = "write them with 'curate evaluate prepare'"
            raise CurateError("there is no request", str(requests), hint)
        standing = read_standing(plan.replies, index, order.model, kept.put)
        if standing.changed:
            raise CurateError(
                f"{standing.changed:,} {plural('request', standing.changed)} "
                f"({standing.example}) got a reply with another prompt or other parameters than "
                "now",
                str(plan.replies),
                "name another file with --replies",
            )
        return write_batches(plan, index, standing.done, kept)


def _show(report: Any, model: str) -> None:
    click.echo(
        f"{report.requests:,} {plural('request', report.requests)} to {model}: "
        f"{report.before:,} had a reply, {report.from_store:,} had one in the store, "
        f"{report.waiting:,} wait for results of earlier batches, {report.written:,} written."
    )
    if report.shared:
        click.echo(f"{report.shared:,} of them say the same as another, which is asked for both.")
    for item in report.files:
        click.echo(
            f"  {report.folder / item.name}: {item.requests:,} "
            f"{plural('request', item.requests)}, {item.size / _MB:.1f} MB"
        )
    if report.files:
        click.echo("Upload them, and read what comes back with 'curate evaluate batch read FILE'.")
    elif report.waiting:
        click.echo("Nothing is left to write. Read the results, or write again with --again.")
    else:
        click.echo("Nothing is left to write.")
