"""`curate evaluate stories`: what models make of stories that leave open who is who (BBG)."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curation.cli.group import LazyGroup
from curation.cli.options import (
    file_option,
    folder_option,
    json_option,
    names_of,
    note_language,
    path_option,
    waiting_option,
)
from curation.cli.terminal import echo_note, note, print_json, refusals, show_findings
from curation.files.workspace import Workspace
from curation.records.findings import has_errors
from curation.records.wording import plural
from evaluation import stories as library
from evaluation.cli.options import epochs_option

if TYPE_CHECKING:
    from evaluation.stories.building import Built

_SCORES = "evaluation.cli.stories_scores"
_COMMANDS = {
    "build": (f"{__name__}:build", "Make stories of the final bank."),
    "sheet": (f"{__name__}:sheet", "Make workbooks for editors."),
    "collect": (f"{__name__}:collect", "Read what editors returned."),
    "prepare": (f"{__name__}:prepare", "Write what models are to continue."),
    "ask": (f"{__name__}:ask", "Write what an evaluator is asked about it."),
    "readings": (f"{_SCORES}:readings", "Read what the evaluator replied."),
    "evaluators": (f"{_SCORES}:evaluators", "Rank evaluators by their QA."),
    "passages": (f"{_SCORES}:passages", "Make workbooks for human readers."),
    "agreement": (f"{_SCORES}:agreement", "Compare readers with one another."),
    "score": (f"{_SCORES}:score", "Score the readings: neutrality and bias."),
    "compare": (f"{_SCORES}:compare", "Compare the scores with those of QA."),
}
_RANGE = re.compile(r"(\d+)\.\.(\d+)")
_MOST = 1000
_FILE = click.Path(dir_okay=False, path_type=Path)

stories_option = file_option(
    "--stories", help="The stories [default: exports/stories/stories.csv]."
)


@click.group("stories", cls=LazyGroup, lazy=_COMMANDS)
def command() -> None:
    """Let models continue stories, and see which person they give which part.

    A story tells of two people and of what one and the other did, and not who did which. A
    neutral model gives the parts in no one's favour: it leaves them open, or follows the order
    in which the two were introduced. The steps: 'build' makes stories of the bank, 'sheet' and
    'collect' let editors correct them, 'prepare' writes what models are asked to continue,
    'ask' what an evaluator is asked about the continuations, 'readings' takes its replies, and
    'score' counts. 'evaluators' and 'agreement' help to choose the evaluator, 'compare' puts
    the scores beside those of question answering.
    """


def _seeds(_context: click.Context, _option: click.Parameter, value: str) -> tuple[int, ...]:
    """Parse `1..5` or `1,2,7`."""
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
@waiting_option
@click.option(
    "--seeds",
    callback=_seeds,
    default="1..5",
    show_default=True,
    help="Seeds of the evaluation sets, one filling of each story in each: 1..5 or 1,2,7.",
)
@click.option(
    "--fillings",
    type=click.Choice(["drawn", "all"]),
    default="drawn",
    show_default=True,
    help="drawn: one of each story for each seed; all: every one, in a set of its own.",
)
@click.option(
    "--leave-out-faulty", is_flag=True, help="Leave out stories with errors instead of refusing."
)
@click.option(
    "--as-published",
    is_flag=True,
    help="Write texts as BBG's own files have them, to compare with them: later sentences begin "
    "with small letters, 'the' is missing before words that change, questions keep their slots.",
)
@folder_option("--out", help="Folder to write to [default: exports/stories].")
@json_option
@click.pass_context
def build(ctx: click.Context, /, workspace: Workspace, as_json: bool, **given: Any) -> None:
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
    named = ctx.get_parameter_source("seeds") is not click.core.ParameterSource.DEFAULT
    if named and given["fillings"] == "all":
        raise click.UsageError("--seeds draws fillings: leave it out, or --fillings all")
    built = library.build(workspace, **given)
    if as_json:
        print_json(
            {
                "folder": built.folder,
                "counts": built.counts,
                "seeds": built.seeds,
                "faulty": built.faulty,
                "without_samples": built.without_samples,
                "findings": built.findings,
            }
        )
    else:
        _show_built(built)
    if built.folder is None:
        ctx.exit(1)


def _show_built(built: "Built") -> None:
    show_findings(built.findings)
    if built.without_samples:
        what = "without stories: not translated, or waiting for surveyed groups"
        echo_note(what, built.without_samples)
    if built.folder is None:
        click.echo("Nothing was written: fix the errors, or leave them out: --leave-out-faulty.")
        return
    if built.faulty:
        echo_note("left out for their errors", built.faulty)
    counts = built.counts
    click.echo(
        f"Wrote {counts['stories']:,} stories of {counts['templates']:,} templates in "
        f"{len(built.seeds)} sets, with two questions each, to {built.folder / 'stories.csv'}."
    )


@click.command("sheet")
@waiting_option
@click.option(
    "--editor",
    "editors",
    multiple=True,
    required=True,
    metavar="NAME",
    help="Who edits; may be given several times.",
)
@folder_option("--out", help="Where to write the workbooks [default: annotations/sheets].")
@json_option
def sheet(workspace: Workspace, editors: tuple[str, ...], out: Path | None, as_json: bool) -> None:
    """Make a workbook for each editor: a row a version of each story, to be corrected.

    It shows the story as the toolkit makes it and what may still tell who is who; an editor
    writes the whole text anew where it is to be changed. A workbook that may have been filled
    in is never written over.

    \b
    Example: curate evaluate stories sheet --editor Mina --editor Jun
    """  # noqa: D301  # \b keeps click from wrapping the example
    made = library.sheet(workspace, names_of(editors, "--editor"), out)
    note_language(workspace)
    if as_json:
        print_json(made)
        return
    for item in made.sheets:
        click.echo(f"{item.editor}: {item.file}")
    count = f"{made.stories} {'story' if made.stories == 1 else 'stories'}"
    click.echo(
        f"{count} in {made.rows} {plural('row', made.rows)} each. When they come back: "
        "curate evaluate stories collect FILE..."
    )


@click.command("collect")
@waiting_option
@click.argument("files", nargs=-1, required=True, type=_FILE, metavar="FILE...")
@json_option
@click.pass_context
def collect(
    ctx: click.Context, /, workspace: Workspace, files: tuple[Path, ...], as_json: bool
) -> None:
    """Read the workbooks that editors returned, and check the stories as they are then.

    What they changed goes to annotations/stories_overrides.csv, in the place of what the same
    editors returned earlier, and 'stories build' uses it. A change is not used when
    the bank now makes another story. Where two editors give one story two texts, neither is
    used until they agree. Nothing is written when a workbook has an error: a marked copy is.

    \b
    Example: curate evaluate stories collect returned/*.xlsx
    """  # noqa: D301  # \b keeps click from wrapping the example
    with refusals(as_json=as_json):
        found = library.collect(workspace, files)
    if as_json:
        print_json(found)
    else:
        show_findings(found.findings)
        click.echo(
            f"{found.changes} {plural('change', found.changes)} collected in {found.file}; "
            f"{found.edited} {plural('text', found.edited)} of the stories now "
            f"{'is' if found.edited == 1 else 'are'} an editor's."
        )
    if has_errors(found.findings):
        ctx.exit(1)


@click.command("prepare")
@waiting_option
@stories_option
@file_option(
    "--prompts", help="Prompts of your own (YAML), in place of the toolkit's five of the language."
)
@click.option(
    "--prompt",
    "prompt_ids",
    multiple=True,
    metavar="ID",
    help="Only this prompt; may be given several times.",
)
@click.option(
    "--paired/--crossed",
    default=True,
    show_default=True,
    help="Each set with a prompt of its own, the first with the first and so on, as BBG was run; "
    "or every set with every prompt.",
)
@epochs_option
@file_option("--out", help="The file [default: exports/story_requests/requests.jsonl].")
@json_option
def prepare(workspace: Workspace, paired: bool, as_json: bool, **given: Any) -> None:
    """Write what models are asked to continue: every story of every set.

    Give the requests to 'curate evaluate run', or to a client of your own. A continuation is a
    text, so let the model write enough: 256 tokens or more, at the temperature that you would
    use it with. 'stories ask' makes of the replies what an evaluator is asked.

    \b
    Example: curate evaluate stories prepare
             curate evaluate run --requests exports/story_requests/requests.jsonl --model NAME
    """  # noqa: D301  # \b keeps click from wrapping the example
    made = library.prepare(workspace, design="paired" if paired else "crossed", **given)
    if as_json:
        print_json(made)
        return
    prompts = f"{len(made.prompts)} {plural('prompt', len(made.prompts))}"
    epochs = "" if made.epochs == 1 else f", {made.epochs} epochs"
    click.echo(
        f"{made.requests:,} requests in {made.file}: {made.stories:,} stories of {made.sets} "
        f"{plural('set', made.sets)}, {prompts}, {made.design.value}{epochs}."
    )
    if made.unused:
        left = ", ".join(made.unused)
        note(f"Note: no set is left for {left}; with --crossed every set gets every prompt.")


@click.command("ask")
@waiting_option
@path_option(
    "--replies",
    multiple=True,
    required=True,
    help="The continuations, as models replied; may be given several times.",
)
@path_option(
    "--requests",
    help="What they were asked [default: requests.jsonl beside the replies, else in "
    "exports/story_requests].",
)
@stories_option
@file_option(
    "--prompts", help="Prompts of question answering of your own, in place of the toolkit's."
)
@click.option("--prompt", "prompt_id", metavar="ID", help="Which prompt [default: the first].")
@click.option(
    "--seed", type=int, default=42, show_default=True, help="Of the order of the choices."
)
@file_option("--out", help="The file [default: exports/story_readings/requests.jsonl].")
@json_option
@click.pass_context
def ask(ctx: click.Context, /, workspace: Workspace, as_json: bool, **given: Any) -> None:
    """Write what an evaluator model is asked: both questions about every whole story.

    A whole story is the seed and what a model made of it. The questions and their three choices
    are the benchmark's own, put as in question answering; the choices stand in one of the three
    cyclic orders, drawn for each request. Give the requests to 'curate evaluate run' with the
    evaluator as the model; 'stories readings' takes its replies.

    \b
    Example: curate evaluate stories ask --replies continued/replies.jsonl
             curate evaluate run --requests exports/story_readings/requests.jsonl --model JUDGE
    """  # noqa: D301  # \b keeps click from wrapping the example
    made = library.ask(workspace, **given)
    if as_json:
        print_json(made)
    else:
        show_findings(made.findings)
        click.echo(
            f"{made.requests:,} requests in {made.file}: two questions about "
            f"{made.continuations:,} continuations by {', '.join(made.models)}."
        )
    if has_errors(made.findings):
        ctx.exit(1)
