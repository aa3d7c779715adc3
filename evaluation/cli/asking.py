"""`curate evaluate prepare`, `batch write`, `batch read` and `merge`: requests out, replies in."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from curation.cli.options import json_option, waiting_option
from curation.cli.terminal import finding_dict, print_findings, print_json
from curation.files.workspace import Workspace
from curation.records.wording import plural
from evaluation.cli.options import (
    FILE,
    FOLDER,
    epochs_option,
    language_option,
    one_model,
    parameter_options,
    parameters_of,
    prompt_options,
    samples_option,
    shard_option,
)

_MB = 1_000_000
_STORE = click.option(
    "--store",
    type=FILE,
    help="Every reply that was ever paid for [default: .curate/replies.sqlite].",
)


@click.command("prepare")
@waiting_option
@samples_option
@click.option(
    "--set",
    "kind",
    type=click.Choice(("test", "all")),
    default="test",
    show_default=True,
    help="Which exported samples, where --samples names none.",
)
@language_option
@prompt_options
@click.option("--limit", type=click.IntRange(1), help="Only so many samples, drawn by the seed.")
@click.option("--seed", type=int, default=42, show_default=True, help="Of the draw.")
@epochs_option
@shard_option
@click.option("--out", type=FILE, help="The file [default: exports/evaluation/requests.jsonl].")
@json_option
def prepare_command(workspace: Workspace, as_json: bool, **given: Any) -> None:
    """Write the requests: every sample, with each prompt, in three orders of its choices.

    Give them to 'curate evaluate run', or to a client of your own: each line has messages for
    the model; write its replies as {"request_id", "model", "reply"}, one a line. Samples may be
    those that BBQ, MBBQ, EsBBQ, BharatBBQ, CBBQ or KoBBQ publish; with --language, or --prompts,
    no workspace is needed.

    \b
    Example: curate evaluate prepare --set test --out requests.jsonl
             curate evaluate prepare --samples Age.jsonl --language en --out requests.jsonl
    """  # noqa: D301  # \b keeps click from wrapping the example
    from evaluation.qa.prepare import prepare

    found = prepare(workspace, **given)
    if as_json:
        shard = None if found.shard is None else str(found.shard)
        findings = list(map(finding_dict, found.findings))
        print_json({**asdict(found), "shard": shard, "findings": findings})
        return
    part = "" if found.shard is None else f", part {found.shard}"
    part += "" if found.epochs == 1 else f", {found.epochs} epochs"
    layout = "" if found.layout == "ours" else f" (layout {found.layout})"
    click.echo(
        f"{found.requests:,} requests in {found.file}: samples of {found.samples_file}{layout}, "
        f"{len(found.prompts)} {plural('prompt', len(found.prompts))}, "
        f"{found.orders.value} orders{part}."
    )
    print_findings(found.findings, err=True)


@click.command("write")
@waiting_option
@click.option(
    "--model",
    required=True,
    multiple=True,
    callback=one_model,
    metavar="NAME",
    help="The model, as the provider names it.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(("openai", "anthropic")),
    default="openai",
    show_default=True,
    help="Whose files: 'openai' is also for vLLM's run-batch.",
)
@click.option(
    "--requests", type=FILE, help="What is asked [default: exports/evaluation/requests.jsonl]."
)
@click.option(
    "--replies",
    type=FILE,
    help="Replies there are: their requests are left out "
    "[default: replies.jsonl beside the requests].",
)
@_STORE
@click.option(
    "--batches",
    type=FOLDER,
    help="The folder of this model's batches [default: exports/evaluation/batches/MODEL].",
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
def write_command(workspace: Workspace, as_json: bool, **given: Any) -> None:
    """Write the requests that have no reply as batch files.

    Requests are left out that have a reply in the file of replies or in the store, or are in
    batches whose results were not read yet: nothing is paid for twice. Upload the files as the
    provider says, and give what it returns to 'curate evaluate batch read'.

    \b
    Example: curate evaluate batch write --model gpt-4o-mini --max-tokens 16 --temperature 0
             curate evaluate batch write --model claude-3-5-haiku-latest --format anthropic \\
               --max-tokens 16
    """  # noqa: D301  # \b keeps click from wrapping the example
    from evaluation import batch
    from evaluation.batch.formats import LIMITS, Limits

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
        f"{report.waiting:,} wait for results of earlier batches, {report.written:,} written."
    )
    if report.shared:
        click.echo(f"{report.shared:,} of them say the same as another, which is asked for both.")
    for path, item in zip(paths, report.files, strict=True):
        held = f"{item.requests:,} {plural('request', item.requests)}, {item.size / _MB:.1f} MB"
        click.echo(f"  {path}: {held}")
    if report.files:
        click.echo("Upload them, and read what comes back with 'curate evaluate batch read FILE'.")
    elif report.waiting:
        click.echo("Nothing is left to write. Read the results, or write again with --again.")
    else:
        click.echo("Nothing is left to write.")


@click.command("read")
@click.argument("files", nargs=-1, required=True, type=FILE)
@waiting_option
@click.option("--model", help="Of which model's batches [default: those there are].")
@click.option(
    "--batches", type=FOLDER, help="The folder that 'curate evaluate batch write' wrote to."
)
@click.option(
    "--out",
    type=FILE,
    help="Where replies are appended [default: replies.jsonl beside the requests].",
)
@_STORE
@click.option(
    "--accept-model",
    "accepted",
    metavar="NAME",
    multiple=True,
    help="Another name by which the provider calls the model; may be given several times.",
)
@json_option
@click.pass_context
def read_command(
    ctx: click.Context,
    /,
    files: tuple[Path, ...],
    workspace: Workspace,
    batches: Path | None,
    out: Path | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Read results of batches: OpenAI's, also its files of errors, vLLM's, or Anthropic's.

    Every result becomes a line of the file of replies, in which nothing is doubled however often
    a file is read. The exit status is 1 while requests are left without a reply; write the next
    batches with the same 'curate evaluate batch write' as before: they hold only these.

    \b
    Example: curate evaluate batch read batch_6721_output.jsonl batch_6721_error.jsonl
    """  # noqa: D301  # \b keeps click from wrapping the example
    from evaluation import batch

    taken = batch.read(workspace, files, folder=batches, replies=out, **given)
    if as_json:
        print_json(taken.as_dict() | {"findings": list(map(finding_dict, taken.problems))})
    else:
        _show_taken(taken)
    if not taken.complete:
        ctx.exit(1)


def _show_taken(taken: Any) -> None:
    from evaluation.replies.files import shortened

    kinds = ", ".join(f"{count:,} {kind.value}" for kind, count in taken.most_failed())
    failed = f", {taken.failed.total():,} failed ({kinds})" if kinds else ""
    click.echo(
        f"{taken.results:,} {plural('result', taken.results)} of {taken.model}: "
        f"{taken.replies:,} new replies, {taken.known:,} known before{failed}. "
        f"In {taken.replies_file}"
    )
    _echo_counts(
        (taken.filtered, "replies were stopped by a content filter; they count as they are"),
        (
            taken.unfinished,
            "replies ended within the model's thoughts: no choice can be read of them",
        ),
        (taken.doubled, "results are left out: an earlier one has the same custom id"),
    )
    print_findings(taken.problems, err=True)
    if taken.unknown:
        count = len(taken.unknown)
        what = f"{count:,} {plural('result', count)} of no request of these batches left out"
        click.echo(f"{what}: {shortened(taken.unknown)}", err=True)
    for name, count in taken.waiting.items():
        click.echo(f"{count:,} {plural('request', count)} wait for the results of {name}", err=True)
    if taken.missing:
        count = len(taken.missing)
        click.echo(
            f"{count:,} {plural('request', count)} left without a reply: "
            f"{shortened(taken.missing)}"
            "\n    -> write them again: the same 'curate evaluate batch write' as before writes "
            "only what has no reply",
            err=True,
        )


def _echo_counts(*counted: tuple[int, str]) -> None:
    """Say counts that are not 0, a line each."""
    for count, said in counted:
        if count:
            click.echo(f"{count:,} {said}.")


@click.command("merge")
@click.argument("replies", nargs=-1, required=True, type=FILE)
@waiting_option
@click.option(
    "--requests", type=FILE, help="All that was asked: shows that the parts together are whole."
)
@click.option("--out", required=True, type=FILE, help="The file for all replies.")
@click.option("--allow-incomplete", is_flag=True, help="Write although requests lack a reply.")
@json_option
@click.pass_context
def merge_command(ctx: click.Context, /, workspace: Workspace, as_json: bool, **given: Any) -> None:
    """Join the replies of several parts or machines into one file.

    With --requests it is shown that every request has one reply of every model, and lines are
    written in the order of the requests; without, nobody knows what may be missing. A reply that
    occurs twice is written once; two different replies of a model to one request are refused.

    \b
    Example: curate evaluate merge part1.jsonl part2.jsonl --requests requests.jsonl \\
               --out replies.jsonl
    """  # noqa: D301  # \b keeps click from wrapping the example
    from evaluation.replies.merging import merge

    found = merge(**given, workspace=workspace)
    if as_json:
        shown = {name: value for name, value in asdict(found).items() if name not in _NOT_SHOWN}
        print_json({**shown, "findings": list(map(finding_dict, found.findings))})
    else:
        _show_merged(found)
    if found.refused:
        ctx.exit(1)


_NOT_SHOWN = ("failed", "refused")


def _show_merged(found: Any) -> None:
    from evaluation.replies.files import shortened

    print_findings(found.findings, err=True)
    _echo_counts(
        (found.overlap, "lines answer a request that another file has a line of"),
        (found.doubled, "replies occur twice and are written once"),
        (found.failures_left_out, "failures are left out: another line stands for them"),
    )
    for model, names in (found.missing or {}).items():
        if names:
            click.echo(
                f"{model}: {len(names):,} of {found.requests:,} requests have no reply "
                f"({found.failed[model]:,} failed): {shortened(names)}",
                err=True,
            )
    if found.refused:
        click.echo(
            "Nothing was written.\n    -> name the files that are missing, ask again with 'curate "
            "evaluate run', or write what there is with --allow-incomplete",
            err=True,
        )
        return
    models, written = len(found.models), found.written
    said = f"{written:,} {plural('line', written)} of {models} {plural('model', models)}"
    said += f" in {found.file}."
    if found.missing is None:
        said += " Whether any is missing nobody knows without --requests."
    elif not any(found.missing.values()):
        said += f" Complete: all {found.requests:,} requests have a reply of each model."
    click.echo(said)
