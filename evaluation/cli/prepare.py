"""`curate evaluate prepare`: the requests to models, about samples or stories."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import click

from curation.cli import options, terminal
from curation.files.workspace import Workspace
from curation.records.messages import Results, counted, plural
from evaluation.cli import options as shared
from evaluation.prompts import ANSWERS, COMPLETION, OWN_PROMPTS, asked_language
from evaluation.requests import Orders

_STORIES = "stories"
_SAMPLES, _CONTINUED = "samples", "stories to continue, without --replies"
_BELONGS = {
    **dict.fromkeys(("mapping", "limit", "answer", "orders"), (_SAMPLES,)),
    "epochs": (_SAMPLES, _CONTINUED),
    "crossed": (_CONTINUED,),
    "replies": ("--set stories",),
}
"""With what each option counts."""


@options.curate_command("prepare")
@options.section("Which samples")
@shared.samples_option
@shared.mapping_option
@click.option(
    "--set",
    "kind",
    type=click.Choice(("test", "all", _STORIES)),
    default="test",
    help="Which exported samples to use, without --samples; stories: those of 'evaluate stories "
    "build', or in the one file of --samples.",
)
@click.option("--limit", type=click.IntRange(1), help="Draw only so many samples.")
@options.section("Stories")
@options.flag_option(
    "--crossed",
    help="Ask every set of stories with every prompt [default: the first set with the first "
    "prompt, the second with the second, and so on, as in BBG].",
)
@options.path_option(
    "--replies",
    multiple=True,
    help="File of the models' continuations, for the requests to an evaluator; may be given "
    "several times. The requests to the models are beside it, or in exports/story_requests.",
)
@options.section("How they are asked")
@shared.language_option
@shared.prompts_option
@options.repeated("--prompt", "prompt_ids", "ID", "Only this prompt")
@click.option(
    "--answer",
    type=click.Choice((*ANSWERS, COMPLETION)),
    help='Ask for the answer as a letter alone, or as JSON ({"answer": "A"}), in a sentence '
    "added to each prompt. The prompts are then called '1_letter' or '1_json' [default: the "
    "prompts as they are]. completion: ask for the rest of each template's "
    "context, with and without the name of the set, to see whether models know it by heart.",
)
@click.option(
    "--orders",
    type=click.Choice([item.value for item in Orders]),
    help="Three orders of the choices: cyclic, or those that KoBBQ published [default: as the "
    "file of prompts says, else cyclic].",
)
@shared.epochs_option
@options.section("Files")
@options.file_option(
    "--out",
    help="File to write [default: requests.jsonl in exports/evaluation; of stories in "
    "exports/story_requests, with --replies in exports/story_readings].",
)
@click.pass_context
def command(ctx: click.Context, /, workspace: Workspace, **given: Any) -> terminal.Taken:
    """Write the requests: each sample, with each prompt, in three orders of its choices.

    Then send them with 'curate evaluate run', or with your own client: each line has the messages
    for the model. Save the replies as {"request_id", "model", "reply"}, one in each line. Samples
    can also be those published by BBQ, MBBQ, EsBBQ, BharatBBQ, CBBQ or KoBBQ. With --language or
    --prompts you need no workspace.

    With --set stories, every story of every set is to be continued; --samples may name a set that
    BBG's authors published. Set --max-tokens to 256 or more, as a continuation is a longer text,
    and set the temperature at which you want to test the model. The toolkit's five prompts ask for
    some sentences. BBG lets models write up to 4,096 tokens. The length changes how many stories
    stay undetermined, so scores of the two are not comparable. --prompt free asks for no length, as
    BBG does, with one prompt for all sets.

    With --replies, two questions are then asked about every continued story: the story with the
    text of a model. The questions and their three choices are those of the benchmark, asked as in
    question answering with one prompt (the first, or --prompt), in an order that is drawn for each
    request. Send these to the evaluator, and give its replies to 'stories score'.

    \b
    Example: curate evaluate prepare --set test --out requests.jsonl
             curate evaluate prepare --samples Age.jsonl --language en --out requests.jsonl
             curate evaluate prepare --set stories
             curate evaluate prepare --set stories --replies exports/story_requests/replies.jsonl
    """  # noqa: D301  # \b keeps click from wrapping the example
    if given["kind"] == _STORIES:
        options.refuse_stray(
            ctx, _BELONGS, ["--set stories", *[_CONTINUED] * (not given["replies"])]
        )
        return _prepare_stories(workspace, given)
    options.refuse_stray(ctx, _BELONGS, [_SAMPLES])
    from evaluation.qa.prepare import prepare

    wanted = {name: value for name, value in given.items() if name not in ("crossed", "replies")}
    found = prepare(workspace, **wanted)
    if given["prompts"] is None:
        options.note_unreviewed(
            asked_language(workspace, given["language"], found.samples_file), "prompts"
        )
    return found, False, partial(_show_questions, found, completion=given["answer"] == COMPLETION)


def _show_questions(found: Results, *, completion: bool) -> None:
    part = "" if found.epochs == 1 else f", {found.epochs} epochs"
    layout = "" if found.layout == "ours" else f" (layout {found.layout})"
    if completion:
        terminal.echo_fitting(
            f"{found.requests:,} requests in {found.file}: the beginnings of "
            f"{found.requests // 2:,} samples of {found.samples_file}{layout}, with and without "
            "the name of the set. Score the replies with 'curate evaluate score --requests "
            f"{found.file} --replies FILE'."
        )
        return
    terminal.echo_fitting(
        f"{found.requests:,} {plural('request', found.requests)} in {found.file}: samples of "
        f"{found.samples_file}{layout}, {len(found.prompts)} "
        f"{plural('prompt', len(found.prompts))} ({found.prompt_set or 'your own'}), "
        f"{found.orders.value} orders{part}."
    )
    if found.layout != "ours" and found.prompt_set.startswith(OWN_PROMPTS):
        terminal.echo_fitting(
            "The prompts are the toolkit's own, not those that were published with these samples; "
            "--prompts FILE names others."
        )
    terminal.print_findings(found.findings, err=True)


def _prepare_stories(workspace: Workspace, given: Mapping[str, Any]) -> terminal.Taken:
    """Write the requests to continue stories, or those to an evaluator of what models wrote."""
    from evaluation import stories as library

    replies, ids, file = given["replies"], given["prompt_ids"], given["samples"]
    if isinstance(file, tuple):
        raise click.UsageError("--set stories takes one file of --samples")
    if replies and len(ids) > 1:
        raise click.UsageError("an evaluator is asked with one prompt: name one --prompt")
    wanted = {name: given[name] for name in ("language", "prompts", "out")} | {"stories": file}
    if replies:
        made = library.ask(workspace, replies, prompt_id=next(iter(ids), None), **wanted)
    else:
        design = "crossed" if given["crossed"] else "paired"
        wanted |= {"prompt_ids": ids, "epochs": given["epochs"], "design": design}
        made = library.prepare(workspace, **wanted)
    if given["prompts"] is None:
        beside, part = (replies[0], "prompts") if replies else (file, _STORIES)
        options.note_unreviewed(asked_language(workspace, given["language"], beside), part)
    show = _show_evaluator if replies else _show_stories
    return made, made.get("findings", False), partial(show, made)


def _show_stories(made: Mapping[str, Any]) -> None:
    epochs = "" if made["epochs"] == 1 else f", {made['epochs']} epochs"
    click.echo(
        f"{made['requests']:,} requests in {made['file']}: {made['stories']:,} stories of "
        f"{counted(made['sets'], 'set')}, {counted(len(made['prompts']), 'prompt')}, "
        f"{made['design']}{epochs}."
    )
    if made["unused"]:
        left = ", ".join(made["unused"])
        terminal.note(
            f"Note: no set is left for {left}; with --crossed every set gets every prompt."
        )


def _show_evaluator(made: Mapping[str, Any]) -> None:
    terminal.show_findings(made["findings"])
    click.echo(
        f"{counted(made['requests'], 'request')} in {made['file']}: two questions about "
        f"{counted(made['continuations'], 'continuation')} by {', '.join(made['models'])}."
    )
