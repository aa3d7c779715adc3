"""`curate evaluate prepare`: what models are to be asked."""

from collections.abc import Iterator
from pathlib import Path

import click

from curation.cli.common import json_option, print_json, workspace_option
from curation.cli.evaluate_inputs import (
    SETS,
    chosen_prompts,
    prompt_options,
    samples_file,
    samples_option,
)
from curation.io.workspace import Workspace
from evaluation.prepare import make_requests
from evaluation.requests import REQUESTS, write_requests
from evaluation.samples import read_samples
from evaluation.sampling import drawn
from evaluation.shards import Shard, in_shard, parse_shard


def _shard(_context: click.Context, _option: click.Parameter, value: str | None) -> Shard | None:
    return None if value is None else parse_shard(value)


@click.command("prepare")
@workspace_option
@samples_option
@click.option(
    "--set",
    "set_",
    type=click.Choice(SETS),
    default="test",
    show_default=True,
    help="Which exported samples, where --samples names none.",
)
@prompt_options
@click.option("--limit", type=click.IntRange(1), help="Only so many samples, drawn by the seed.")
@click.option("--seed", type=int, default=42, show_default=True, help="Of the draw.")
@click.option(
    "--shard",
    metavar="I/N",
    callback=_shard,
    help="Only the I-th of N parts, which have no request in common and together have all.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help=f"The file [default: exports/evaluation/{REQUESTS}].",
)
@json_option
def command(
    workspace: Workspace,
    samples: Path | None,
    set_: str,
    prompts: Path | None,
    prompt_ids: tuple[str, ...],
    orders: str | None,
    limit: int | None,
    seed: int,
    shard: Shard | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Write the requests: every sample, with each prompt, in three orders of its choices.

    Give them to 'curate evaluate run', or to a client of your own: each line has messages for
    the model; write its replies as {"request_id", "model", "reply"}, one a line.

    \b
    Example: curate evaluate prepare --set test --out requests.jsonl
    """  # noqa: D301  # \b keeps click from wrapping the example
    source = samples_file(workspace, samples, set_)
    found, kind = chosen_prompts(workspace, prompts, prompt_ids, orders)
    asked = read_samples(source)
    if limit is not None:
        asked = drawn(asked, sum(1 for _ in read_samples(source)), limit, seed)
    target = out or workspace.exports_folder / "evaluation" / REQUESTS
    target.parent.mkdir(parents=True, exist_ok=True)
    requests = make_requests(asked, found.prompts, kind)
    written = write_requests(target, _part(requests, shard))
    if as_json:
        print_json(
            {
                "requests": written,
                "samples_file": str(source),
                "prompts": [prompt.id for prompt in found.prompts],
                "orders": kind.value,
                "shard": None if shard is None else str(shard),
                "file": str(target),
            }
        )
        return
    part = "" if shard is None else f", part {shard}"
    click.echo(
        f"{written:,} requests in {target}: samples of {source}, {len(found.prompts)} "
        f"{'prompt' if len(found.prompts) == 1 else 'prompts'}, {kind.value} orders{part}."
    )


def _part(
    requests: Iterator[dict[str, object]], shard: Shard | None
) -> Iterator[dict[str, object]]:
    if shard is None:
        return requests
    return (item for item in requests if in_shard(str(item["request_id"]), shard))
