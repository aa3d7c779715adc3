"""`curate evaluate stories build`: stories that leave open who is who, from the final bank."""

import re
from collections.abc import Sequence
from pathlib import Path

import click

from curation.cli.common import (
    count_findings,
    echo_note,
    finding_dict,
    json_option,
    print_findings,
    print_json,
    workspace_option,
)
from curation.cli.evaluate_stories_make import (
    Made,
    filled_stories,
    make_stories,
    overrides_file,
)
from curation.cli.final import TALLIES, manifest_inputs
from curation.io.atomic import staged_folder
from curation.io.manifest import write_manifest
from curation.io.workspace import Workspace
from curation.model.findings import has_errors
from evaluation.stories.records import STORIES, Story, write_stories

_RANGE = re.compile(r"(\d+)\.\.(\d+)")
_MOST = 1000


def _seeds(_context: click.Context, _option: click.Parameter, value: str) -> tuple[int, ...]:
    """Read `1..5` or `1,2,7`."""
    found: list[int] = []
    for part in value.split(","):
        match = _RANGE.fullmatch(part.strip())
        if match:
            first, last = int(match[1]), int(match[2])
            found += range(first, min(last, first + _MOST) + 1)
        elif part.strip().isdecimal():
            found.append(int(part))
        else:
            raise click.BadParameter(f"'{value}': write 1..5 or 1,2,7")
    if not 0 < len(set(found)) <= _MOST:
        raise click.BadParameter(f"'{value}': name between 1 and {_MOST} seeds")
    return tuple(dict.fromkeys(found))


@click.command("build")
@workspace_option
@click.option(
    "--seeds",
    callback=_seeds,
    default="1..5",
    show_default=True,
    help="Seeds of the evaluation sets, one filling of each story in each: 1..5 or 1,2,7.",
)
@click.option(
    "--leave-out-faulty", is_flag=True, help="Leave out stories with errors instead of refusing."
)
@click.option(
    "--as-published",
    is_flag=True,
    help="Write texts as BBG's own files have them, to compare with them: later sentences begin "
    "with small letters, and 'the' is missing before words that change.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder to write to [default: exports/stories].",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    seeds: tuple[int, ...],
    leave_out_faulty: bool,
    as_published: bool,
    out: Path | None,
    as_json: bool,
) -> None:
    """Make stories of the final bank, in which nothing tells who of the two did what.

    The first part is a template's ambiguous context, which introduces the two people; in the
    second, the disambiguating context, 'one' and 'the other' (or the language's own pair, see
    'stories.placeholders' in culture.yaml) stand for them by order of first mention. Each
    story has two versions, in which the two are introduced in either order: the variants a and
    b (c and d) of one filling. What may still tell them apart is listed; let editors look at
    it with 'stories sheet', and 'stories collect' what they change.

    Writes stories.csv, one story with one of its two questions a row, and manifest.json.

    \b
    Example: curate evaluate stories build --seeds 1..5
    """  # noqa: D301  # \b keeps click from wrapping the example
    made = make_stories(workspace, published=as_published)
    pairs, faulty = made.without_faults()
    refused = has_errors(made.findings) and not leave_out_faulty
    folder = out or workspace.exports_folder / "stories"
    stories: list[Story] = []
    if not refused:
        stories = list(filled_stories(workspace, pairs, seeds))
        _write(workspace, folder, stories, seeds, faulty, as_published)
    if as_json:
        print_json(_as_dict(made, stories, faulty, seeds, None if refused else folder))
    else:
        _show(made, stories, faulty, seeds, folder, refused)
    if refused:
        ctx.exit(1)


def _counts(stories: Sequence[Story], faulty: Sequence[str]) -> dict[str, int]:
    return {
        "rows": len(stories),
        "stories": len({(item.story_id, item.seed) for item in stories}),
        "templates": len({item.template_id for item in stories}),
        "edited": len({(item.template_id, item.version) for item in stories if item.edited}),
        "left_out": len(faulty),
    }


def _write(
    workspace: Workspace,
    folder: Path,
    stories: Sequence[Story],
    seeds: Sequence[int],
    faulty: Sequence[str],
    as_published: bool,
) -> None:
    with staged_folder(folder) as stage:
        write_stories(stage / STORIES, stories)
    inputs = (
        workspace.culture_file,
        workspace.bank_file,
        workspace.groups_file,
        workspace.ledger_file,
        workspace.targets_file,
        workspace.responses_folder / TALLIES,
        overrides_file(workspace),
    )
    settings: dict[str, object] = {
        "language": workspace.culture.language,
        "unknown": workspace.culture.unknown,
        "seeds": list(seeds),
        "left_out": list(faulty),
        "as_published": as_published,
    }
    write_manifest(
        folder,
        manifest_inputs(workspace, inputs),
        _counts(stories, faulty),
        settings,
        [folder / STORIES],
    )


def _as_dict(
    made: Made,
    stories: Sequence[Story],
    faulty: Sequence[str],
    seeds: Sequence[int],
    folder: Path | None,
) -> dict[str, object]:
    return {
        "folder": None if folder is None else str(folder),
        "counts": _counts(stories, faulty),
        "seeds": list(seeds),
        "faulty": list(faulty),
        "without_samples": list(made.waiting),
        "findings": [finding_dict(item) for item in made.findings],
    }


def _show(
    made: Made,
    stories: Sequence[Story],
    faulty: Sequence[str],
    seeds: Sequence[int],
    folder: Path,
    refused: bool,
) -> None:
    if made.findings:
        print_findings(made.findings)
        click.echo(count_findings(made.findings))
    if made.waiting:
        echo_note("without stories: not translated, or waiting for surveyed groups", made.waiting)
    if refused:
        click.echo("Nothing was written: mend the errors, or leave them out: --leave-out-faulty.")
        return
    if faulty:
        echo_note("left out for their errors", faulty)
    counts = _counts(stories, faulty)
    click.echo(
        f"Wrote {counts['stories']:,} stories of {counts['templates']:,} templates in "
        f"{len(seeds)} sets, with two questions each, to {folder / STORIES}."
    )
