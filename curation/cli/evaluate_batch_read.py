"""`curate evaluate batch read`: results of batches into the file of replies."""

from pathlib import Path
from typing import Any

import click

from curation.cli.common import (
    finding_dict,
    json_option,
    plural,
    print_findings,
    print_json,
    workspace_option,
)
from curation.cli.evaluate_batch_files import model_folder, only_folder
from curation.io.workspace import Workspace
from curation.model.errors import CurateError

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("read")
@click.argument("files", nargs=-1, required=True, type=_FILE)
@workspace_option
@click.option("--model", help="Of which model's batches [default: those there are].")
@click.option(
    "--batches",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder that 'curate evaluate batch write' wrote to.",
)
@click.option(
    "--out",
    type=_FILE,
    help="Where replies are appended [default: replies.jsonl beside the requests].",
)
@click.option(
    "--store",
    type=_FILE,
    help="Every reply that was ever paid for [default: .curate/replies.sqlite].",
)
@click.option(
    "--accept-model",
    "accepted",
    metavar="NAME",
    multiple=True,
    help="Another name by which the provider calls the model; may be given several times.",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    files: tuple[Path, ...],
    workspace: Workspace,
    model: str | None,
    batches: Path | None,
    out: Path | None,
    store: Path | None,
    accepted: tuple[str, ...],
    as_json: bool,
) -> None:
    """Read results of batches: OpenAI's, also its files of errors, vLLM's, or Anthropic's.

    Every result becomes a line of the file of replies, in which nothing is doubled however often
    a file is read. The exit status is 1 while requests are left without a reply; write the next
    batches with the same 'curate evaluate batch write' as before: they hold only these.

    \b
    Example: curate evaluate batch read batch_6721_output.jsonl batch_6721_error.jsonl
    """  # noqa: D301  # \b keeps click from wrapping the example
    from evaluation.batch.folder import read_rounds
    from evaluation.batch.reading import take_results
    from evaluation.store import FILE as STORE
    from evaluation.store import Store

    folder = batches or (model_folder(workspace, model) if model else only_folder(workspace))
    rounds = read_rounds(folder)
    if not rounds:
        hint = "name the folder that 'curate evaluate batch write' wrote to with --batches"
        raise CurateError("there are no batches here", str(folder), hint)
    replies = out or _beside(rounds[-1].requests_file)
    with Store(store or workspace.curate_folder / STORE) as kept:
        taken = take_results(files, rounds, replies, kept, accepted)
    if as_json:
        print_json(_as_dict(taken, rounds[0].order.model, replies))
    else:
        _show(taken, rounds[0].order.model, replies)
    if not taken.complete:
        ctx.exit(1)


def _beside(requests: Path) -> Path:
    from evaluation.runner.reply_file import FILE as REPLIES

    return requests.with_name(REPLIES)


def _as_dict(taken: Any, model: str, replies: Path) -> dict[str, object]:
    return {
        "model": model,
        "replies_file": str(replies),
        "results": taken.results,
        "replies": taken.replies,
        "known": taken.known,
        "failed": {kind.value: count for kind, count in sorted(taken.failed.items())},
        "content_filter": taken.filtered,
        "doubled": taken.doubled,
        "unknown": taken.unknown,
        "missing": taken.missing,
        "waiting": taken.waiting,
        "findings": [finding_dict(item) for item in taken.problems],
    }


def _show(taken: Any, model: str, replies: Path) -> None:
    from evaluation.batch.reading import counted, example

    failed = f", {taken.failed.total():,} failed ({counted(taken.failed)})" if taken.failed else ""
    click.echo(
        f"{taken.results:,} {plural('result', taken.results)} of {model}: {taken.replies:,} new "
        f"replies, {taken.known:,} known before{failed}. In {replies}"
    )
    for count, said in (
        (taken.filtered, "replies were stopped by a content filter; they count as they are"),
        (taken.doubled, "results are left out: an earlier one has the same custom id"),
    ):
        if count:
            click.echo(f"{count:,} {said}.")
    print_findings(taken.problems, err=True)
    if taken.unknown:
        count = len(taken.unknown)
        what = f"{count:,} {plural('result', count)} of no request of these batches left out"
        click.echo(f"{what}: {example(taken.unknown)}", err=True)
    for name, count in taken.waiting.items():
        click.echo(f"{count:,} {plural('request', count)} wait for the results of {name}", err=True)
    if taken.missing:
        count = len(taken.missing)
        click.echo(
            f"{count:,} {plural('request', count)} left without a reply: {example(taken.missing)}"
            "\n    -> write them again: the same 'curate evaluate batch write' as before writes "
            "only what has no reply",
            err=True,
        )
