"""`curate evaluate merge`: the replies of several parts in one file."""

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
from curation.io.workspace import Workspace

_FILE = click.Path(dir_okay=False, path_type=Path)
_NAMED = 5


@click.command("merge")
@click.argument("replies", nargs=-1, required=True, type=_FILE)
@workspace_option
@click.option(
    "--requests",
    type=_FILE,
    help="All that was asked: shows that the parts together are whole.",
)
@click.option("--out", required=True, type=_FILE, help="The file for all replies.")
@click.option("--allow-incomplete", is_flag=True, help="Write although requests lack a reply.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    replies: tuple[Path, ...],
    workspace: Workspace,
    requests: Path | None,
    out: Path,
    allow_incomplete: bool,
    as_json: bool,
) -> None:
    """Join the replies of several parts or machines into one file.

    With --requests it is shown that every request has one reply of every model, and lines are
    written in the order of the requests; without, nobody knows what may be missing. A reply that
    stands twice is written once; two different replies of a model to one request are refused.

    \b
    Example: curate evaluate merge part1.jsonl part2.jsonl --requests requests.jsonl \\
               --out replies.jsonl
    """  # noqa: D301  # \b keeps click from wrapping the example
    from evaluation.merging import cover, read_parts, write_merged

    paths = list(dict.fromkeys(replies))
    merged = read_parts(paths)
    coverage = None if requests is None else cover(merged, requests)
    left = 0 if coverage is None else sum(map(len, coverage.missing.values()))
    refused = bool(left or merged.problems) and not allow_incomplete
    order = None if coverage is None else coverage.requests
    written = 0 if refused else write_merged(out, paths, merged, order)
    if as_json:
        print_json(_as_dict(merged, coverage, out, written))
    else:
        _show(merged, coverage, out, written, refused=refused)
    if refused:
        ctx.exit(1)


def _as_dict(merged: Any, coverage: Any, out: Path, written: int) -> dict[str, object]:
    return {
        "file": str(out),
        "written": written,
        "lines": merged.lines,
        "models": {model: len(places) for model, places in sorted(merged.models.items())},
        "requests": None if coverage is None else len(coverage.requests),
        "missing": None if coverage is None else coverage.missing,
        "doubled": merged.doubled,
        "overlap": merged.overlap,
        "failures_left_out": merged.failures,
        "findings": [finding_dict(item) for item in merged.problems],
    }


def _show(merged: Any, coverage: Any, out: Path, written: int, *, refused: bool) -> None:
    print_findings(merged.problems, err=True)
    for count, said in (
        (merged.overlap, "lines answer a request that another file has a line of"),
        (merged.doubled, "replies stand twice and are written once"),
        (merged.failures, "failures are left out: another line stands for them"),
    ):
        if count:
            click.echo(f"{count:,} {said}.")
    for model, names in (coverage.missing if coverage else {}).items():
        if names:
            count, failed = len(names), coverage.failed[model]
            more = ", ..." if count > _NAMED else ""
            click.echo(
                f"{model}: {count:,} of {len(coverage.requests):,} requests have no reply "
                f"({failed:,} failed): {', '.join(names[:_NAMED])}{more}",
                err=True,
            )
    if refused:
        click.echo(
            "Nothing was written.\n    -> name the files that are missing, ask again with 'curate "
            "evaluate run', or write what there is with --allow-incomplete",
            err=True,
        )
        return
    models = len(merged.models)
    said = f"{written:,} {plural('line', written)} of {models} {plural('model', models)} in {out}."
    if coverage is None:
        said += " Whether any is missing nobody knows without --requests."
    elif not any(coverage.missing.values()):
        said += f" Complete: all {len(coverage.requests):,} requests have a reply of each model."
    click.echo(said)
