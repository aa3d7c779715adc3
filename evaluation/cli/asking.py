"""`curate evaluate prepare` and `merge`: requests out, parts of replies into one file."""

from dataclasses import asdict
from typing import Any

import click

from curation.cli.coloured import SectionedCommand
from curation.cli.options import json_option, workspace_option
from curation.cli.terminal import (
    echo_counts,
    echo_fitting,
    finding_dict,
    print_findings,
    print_json,
)
from curation.files.workspace import Workspace
from curation.records.wording import plural
from evaluation.cli.options import (
    FILE,
    epochs_option,
    language_option,
    prompt_options,
    samples_option,
    shard_option,
)


@click.command(
    "prepare",
    cls=SectionedCommand,
    sections={
        "Which samples": ("--samples", "--control", "--set", "--limit", "--seed", "--shard"),
        "How they are asked": ("--language", "--prompts", "--prompt", "--orders", "--epochs"),
        "Files": ("--out",),
    },
)
@workspace_option
@samples_option
@click.option(
    "--set",
    "kind",
    type=click.Choice(("test", "all")),
    default="test",
    show_default=True,
    help="Which exported samples to use, without --samples.",
)
@language_option
@prompt_options
@click.option("--limit", type=click.IntRange(1), help="Draw only so many samples, by --seed.")
@click.option("--seed", type=int, default=42, show_default=True, help="Seed for drawing samples.")
@epochs_option
@shard_option
@click.option(
    "--out", type=FILE, help="File to write [default: exports/evaluation/requests.jsonl]."
)
@json_option
def prepare_command(workspace: Workspace, as_json: bool, **given: Any) -> None:
    """Write the requests: each sample, with each prompt, in three orders of its choices.

    Then send them with 'curate evaluate run', or with your own client: each line has the messages
    for the model. Save the replies as {"request_id", "model", "reply"}, one in each line. Samples
    can also be those published by BBQ, MBBQ, EsBBQ, BharatBBQ, CBBQ or KoBBQ. With --language or
    --prompts you need no workspace.

    \b
    Example: curate evaluate prepare --set test --out requests.jsonl
             curate evaluate prepare --samples Age.jsonl --language en --out requests.jsonl
    """  # noqa: D301  # \b keeps click from wrapping the example
    from evaluation.prompts import OWN_PROMPTS
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
    echo_fitting(
        f"{found.requests:,} {plural('request', found.requests)} in {found.file}: samples of "
        f"{found.samples_file}{layout}, {len(found.prompts)} "
        f"{plural('prompt', len(found.prompts))} ({found.prompt_set or 'your own'}), "
        f"{found.orders.value} orders{part}."
    )
    if found.layout != "ours" and found.prompt_set.startswith(OWN_PROMPTS):
        echo_fitting(
            "The prompts are the toolkit's own, not those that were published with these samples; "
            "--prompts FILE names others."
        )
    print_findings(found.findings, err=True)


@click.command("logs")
@click.argument("logs", nargs=-1, required=True, type=FILE)
@workspace_option
@click.option("--model", help="Name of the model [default: from the logs].")
@click.option(
    "--out",
    required=True,
    type=FILE,
    help="File of replies to write; an existing file is replaced.",
)
@json_option
def logs_command(workspace: Workspace, as_json: bool, **given: Any) -> None:
    """Convert logs of lm-eval or Inspect to a file of replies.

    LOGS are from tasks that 'curate export package --only lm-eval,inspect' wrote:
    samples_*.jsonl of lm-eval (--log_samples), .eval or .json of Inspect. 'curate evaluate score'
    and the other commands can then use the replies. Epochs are kept.

    \b
    Example: curate evaluate logs results/*/samples_*.jsonl --out replies.jsonl
             curate evaluate logs logs/*.eval --model my-model --out replies.jsonl
    """  # noqa: D301  # \b keeps click from wrapping the example
    from evaluation.replies.logs import read_logs

    found = read_logs(**given, workspace=workspace)
    if as_json:
        print_json(asdict(found))
        return
    epochs = "" if found.epochs == 1 else f" in {found.epochs} epochs"
    failed = f", {found.failed:,} failed" if found.failed else ""
    click.echo(
        f"{found.replies:,} replies of {', '.join(found.models)}{epochs}{failed}. In {found.file}"
    )


@click.command("merge")
@click.argument("replies", nargs=-1, required=True, type=FILE)
@workspace_option
@click.option("--requests", type=FILE, help="File of all requests, to check that none is missing.")
@click.option("--out", required=True, type=FILE, help="File of replies to write.")
@click.option("--allow-incomplete", is_flag=True, help="Write even if requests have no reply.")
@json_option
@click.pass_context
def merge_command(ctx: click.Context, /, workspace: Workspace, as_json: bool, **given: Any) -> None:
    """Merge the replies of several parts or machines into one file.

    With --requests, it is checked that every request has one reply of every model, and the lines
    are in the order of the requests. Without --requests, missing replies are not noticed. A
    duplicate reply is written once. Two different replies of a model to one request are an error.

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
    echo_counts(
        (found.overlap, "Lines that answer a request that another file answers too"),
        (found.doubled, "Duplicate replies, written once"),
        (found.failures_left_out, "Failures left out, as another line has the reply"),
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
            "Nothing was written.\n    -> add the missing files, ask again with 'curate evaluate "
            "run', or write the others with --allow-incomplete",
            err=True,
        )
        return
    models, written = len(found.models), found.written
    said = f"{written:,} {plural('line', written)} of {models} {plural('model', models)}"
    said += f" in {found.file}."
    if found.missing is None:
        said += " To check that none is missing, name --requests."
    elif not any(found.missing.values()):
        said += f" Complete: all {found.requests:,} requests have a reply of each model."
    click.echo(said)
