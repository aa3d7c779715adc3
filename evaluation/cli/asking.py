"""`curate evaluate prepare`: samples to requests."""

from typing import Any

import click

from curation.cli.coloured import SectionedCommand
from curation.cli.options import file_option, json_option, note_unreviewed, workspace_option
from curation.cli.terminal import (
    echo_fitting,
    fields_of,
    print_findings,
    print_json,
)
from curation.files.workspace import Workspace
from curation.records.messages import plural
from evaluation.cli.options import (
    epochs_option,
    language_option,
    mapping_option,
    prompts_option,
    samples_option,
)
from evaluation.prompts import ANSWERS, OWN_PROMPTS, asked_language
from evaluation.requests import Orders


@click.command(
    "prepare",
    cls=SectionedCommand,
    sections={
        "Which samples": ("--samples", "--mapping", "--set", "--limit"),
        "How they are asked": (
            *("--language", "--prompts", "--prompt", "--answer", "--orders", "--epochs"),
        ),
        "Files": ("--out",),
    },
)
@workspace_option
@samples_option
@mapping_option
@click.option(
    "--set",
    "kind",
    type=click.Choice(("test", "all")),
    default="test",
    show_default=True,
    help="Which exported samples to use, without --samples.",
)
@language_option
@prompts_option
@click.option(
    "--prompt",
    "prompt_ids",
    multiple=True,
    metavar="ID",
    help="Only this prompt; may be given several times.",
)
@click.option(
    "--answer",
    type=click.Choice(ANSWERS),
    help='Ask for the answer as a letter alone, or as JSON ({"answer": "A"}), in a sentence '
    "added to each prompt. The prompts are then called '1_letter' or '1_json' [default: the "
    "prompts as they are].",
)
@click.option(
    "--orders",
    type=click.Choice([item.value for item in Orders]),
    help="Three orders of the choices: cyclic, or those that KoBBQ published [default: as the "
    "file of prompts says, else cyclic].",
)
@click.option("--limit", type=click.IntRange(1), help="Draw only so many samples.")
@epochs_option
@file_option("--out", help="File to write [default: exports/evaluation/requests.jsonl].")
@json_option
def command(workspace: Workspace, as_json: bool, **given: Any) -> None:
    """Write the requests: each sample, with each prompt, in three orders of its choices.

    Then send them with 'curate evaluate run', or with your own client: each line has the messages
    for the model. Save the replies as {"request_id", "model", "reply"}, one in each line. Samples
    can also be those published by BBQ, MBBQ, EsBBQ, BharatBBQ, CBBQ or KoBBQ. With --language or
    --prompts you need no workspace.

    \b
    Example: curate evaluate prepare --set test --out requests.jsonl
             curate evaluate prepare --samples Age.jsonl --language en --out requests.jsonl
    """  # noqa: D301  # \b keeps click from wrapping the example
    from evaluation.qa.prepare import prepare

    found = prepare(workspace, **given)
    if given["prompts"] is None:
        note_unreviewed(asked_language(workspace, given["language"], found.samples_file), "prompts")
    if as_json:
        print_json({name: it for name, it in fields_of(found).items() if name != "shard"})
        return
    part = "" if found.epochs == 1 else f", {found.epochs} epochs"
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
