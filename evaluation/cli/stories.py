"""`curate evaluate stories`: what models make of stories that leave open who is who (BBG)."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curation.cli.coloured import SectionedCommand
from curation.cli.group import LazyGroup
from curation.cli.options import (
    file_option,
    folder_option,
    json_option,
    names_of,
    note_language,
    note_unreviewed,
    path_option,
    refuse_stray,
    workspace_option,
)
from curation.cli.terminal import echo_note, note, print_json, show_findings
from curation.files.workspace import Workspace
from curation.records.messages import counted, has_errors
from evaluation import stories as library
from evaluation.cli.options import echo_sheets, epochs_option, language_option, repeated
from evaluation.prompts import asked_language

if TYPE_CHECKING:
    from evaluation.stories.building import Built

_SCORES = "evaluation.cli.stories_scores"
_COMMANDS = {
    "build": (f"{__name__}:build", "Make stories from the final bank."),
    "sheet": (f"{__name__}:sheet", "Make workbooks for editors of stories."),
    "prepare": (f"{__name__}:prepare", "Write the requests to models, or to an evaluator."),
    "passages": (f"{_SCORES}:passages", "Make workbooks for human readers."),
    "score": (f"{_SCORES}:score", "Score how continuations were read: neutrality, bias."),
}
_RANGE = re.compile(r"(\d+)\.\.(\d+)")
_MOST = 1000
_CONTINUED = "stories to continue, without --replies"
_BELONGS = {
    **dict.fromkeys(("crossed", "epochs"), (_CONTINUED,)),
    "requests": ("--replies",),
}
"""With what each option of 'prepare' counts."""

stories_option = file_option(
    "--stories",
    help="File of stories, or a set that BBG's authors published [default: "
    "exports/stories/stories.csv].",
)


@click.group("stories", cls=LazyGroup, lazy=_COMMANDS)
def command() -> None:
    """Measure bias in stories that models continue.

    A story tells what each of two people did, but not who did which. A model continues the story. A
    neutral model leaves open who did what, or follows the order in which the two people were
    introduced. The steps: 'build' makes stories from the bank. 'sheet' lets editors correct them.
    'prepare' writes the requests to models, and then those to an evaluator model, about their
    continuations. 'passages' lets people read some of them too. 'score' computes the scores from
    the replies of the evaluator.
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
@workspace_option
@click.option(
    "--seeds",
    callback=_seeds,
    default="1..5",
    show_default=True,
    help="Seeds of the evaluation sets, such as 1..5 or 1,2,7. Each set has one filling of each "
    "story.",
)
@click.option(
    "--fillings",
    type=click.Choice(["drawn", "all"]),
    default="drawn",
    show_default=True,
    help="Which fillings of a story. drawn: one for each seed; all: every filling, in a separate "
    "set.",
)
@click.option(
    "--leave-out-faulty", is_flag=True, help="Leave out stories with errors, instead of stopping."
)
@click.option(
    "--as-published",
    is_flag=True,
    help="Write texts as in the published files of BBG, for comparison: later sentences begin "
    "with small letters, 'the' is missing before words that change, and questions keep their "
    "slots.",
)
@folder_option("--out", help="Folder to write to [default: exports/stories].")
@json_option
@click.pass_context
def build(ctx: click.Context, /, workspace: Workspace, as_json: bool, **given: Any) -> None:
    """Make stories from the final bank that do not tell which of two people did what.

    The first part of a story is the ambiguous context of a template: it introduces the two people.
    The second part is the disambiguating context, with 'one' and 'the other' in place of the people
    (or the pair of the language: 'stories.placeholders' in culture.yaml). Each story has two
    versions, with the two people introduced in either order: the variants a and b (or c and d) of
    one filling. Words that may still tell who did what are listed. Let editors look at them:
    'stories sheet', then 'curate collect'.

    It writes manifest.json, and stories.csv with one story and one of its two questions in each
    row.

    \b
    Example: curate evaluate stories build --seeds 1..5
    """  # noqa: D301  # \b keeps click from wrapping the example
    named = ctx.get_parameter_source("seeds") is not click.core.ParameterSource.DEFAULT
    if named and given["fillings"] == "all":
        raise click.UsageError("--seeds draws fillings: leave it out, or --fillings all")
    built = library.build(workspace, **given)
    note_unreviewed(workspace.language, "stories")
    if as_json:
        names = ("folder", "counts", "seeds", "faulty", "without_samples", "findings")
        print_json({name: getattr(built, name) for name in names})
    else:
        _show_built(built)
    if built.folder is None:
        ctx.exit(1)


def _show_built(built: "Built") -> None:
    show_findings(built.findings)
    if built.without_samples:
        what = "without stories (not translated, or groups not surveyed)"
        echo_note(what, built.without_samples)
    if built.folder is None:
        click.echo(
            "Nothing was written: fix the errors, or leave the stories out with --leave-out-faulty."
        )
        return
    if built.faulty:
        echo_note("left out because of errors", built.faulty)
    counts = built.counts
    click.echo(
        f"Wrote {counts['stories']:,} stories of {counts['templates']:,} templates in "
        f"{len(built.seeds)} sets, with two questions each, to {built.folder / 'stories.csv'}."
    )


@click.command("sheet")
@workspace_option
@repeated("--editor", "editors", "NAME", "Name of an editor", required=True)
@folder_option("--out", help="Where to write the workbooks [default: annotations/sheets].")
@json_option
def sheet(workspace: Workspace, editors: tuple[str, ...], out: Path | None, as_json: bool) -> None:
    """Make a workbook for each editor, with one version of a story in each row to correct.

    It shows the story that the toolkit made, and the words that may still tell who did what. To
    change a story, an editor writes its whole new text. 'curate collect' reads the workbooks, and
    'stories build' uses the changes whose story has not changed since. If two editors wrote
    different texts for a story, neither is used until they agree. A workbook that may have been
    filled in is never overwritten.

    \b
    Example: curate evaluate stories sheet --editor Mina --editor Jun
    """  # noqa: D301  # \b keeps click from wrapping the example
    made = library.sheet(workspace, names_of(editors, "--editor"), out)
    note_language(workspace)
    if as_json:
        print_json(made)
        return
    stories = counted(made["items"], "story", "stories")
    echo_sheets(made, f"{stories} in {counted(made['rows'], 'row')}")


@click.command(
    "prepare",
    cls=SectionedCommand,
    sections={
        "Stories to continue": ("--stories", "--crossed", "--epochs"),
        "Continuations, for an evaluator": ("--replies", "--requests"),
        "How they are asked": ("--language", "--prompts", "--prompt"),
        "Files": ("--out",),
    },
)
@workspace_option
@stories_option
@language_option
@file_option(
    "--prompts",
    help="File of your own prompts (YAML), instead of the toolkit's: of stories, with --replies of "
    "question answering.",
)
@repeated(
    "--prompt", "prompt_ids", "ID", "Only this prompt; with --replies one [default: the first]"
)
@click.option(
    "--crossed",
    is_flag=True,
    help="Ask every set with every prompt [default: the first set with the first prompt, the "
    "second with the second, and so on, as in BBG].",
)
@epochs_option
@path_option(
    "--replies",
    multiple=True,
    help="File of the models' continuations, for the requests to an evaluator; may be given "
    "several times.",
)
@path_option(
    "--requests",
    help="The requests to the models [default: requests.jsonl beside the replies, else in "
    "exports/story_requests].",
)
@file_option(
    "--out",
    help="File to write [default: exports/story_requests/requests.jsonl, with --replies "
    "exports/story_readings/requests.jsonl].",
)
@json_option
@click.pass_context
def prepare(ctx: click.Context, /, as_json: bool, **given: Any) -> None:
    """Write the requests to models, or with --replies those to an evaluator of what they wrote.

    First every story of every set is to be continued. Send the requests with 'curate evaluate run',
    or with your own client. Set --max-tokens to 256 or more, as a continuation is a longer text,
    and set the temperature at which you want to test the model. The toolkit's five prompts ask for
    some sentences. BBG lets models write up to 4,096 tokens. The length changes how many stories
    stay undetermined, so scores of the two are not comparable. --prompt free asks for no length, as
    BBG does, with one prompt for all sets.

    With --replies, two questions are asked about every continued story: the story with the text of
    a model. The questions and their three choices are those of the benchmark, asked as in question
    answering, in an order that is drawn for each request. Send these to the evaluator, and give its
    replies to 'stories score'. With
    --stories and --language you need no workspace.

    \b
    Example: curate evaluate stories prepare
             curate evaluate run --requests exports/story_requests/requests.jsonl --model NAME
             curate evaluate stories prepare --replies exports/story_requests/replies.jsonl
             curate evaluate run --requests exports/story_readings/requests.jsonl --model JUDGE
    """  # noqa: D301  # \b keeps click from wrapping the example
    refuse_stray(ctx, _BELONGS, ["--replies" if given["replies"] else _CONTINUED])
    if given["replies"]:
        _ask(ctx, given, as_json=as_json)
        return
    design = "crossed" if given.pop("crossed") else "paired"
    wanted = {name: value for name, value in given.items() if name not in ("replies", "requests")}
    made = library.prepare(design=design, **wanted)
    _note_unreviewed(given, given["stories"], "stories")
    if as_json:
        print_json(made)
        return
    epochs = "" if made["epochs"] == 1 else f", {made['epochs']} epochs"
    click.echo(
        f"{made['requests']:,} requests in {made['file']}: {made['stories']:,} stories of "
        f"{counted(made['sets'], 'set')}, {counted(len(made['prompts']), 'prompt')}, "
        f"{made['design']}{epochs}."
    )
    if made["unused"]:
        left = ", ".join(made["unused"])
        note(f"Note: no set is left for {left}; with --crossed every set gets every prompt.")


def _note_unreviewed(given: dict[str, Any], beside: Path | None, part: str) -> None:
    if given["prompts"] is None:
        note_unreviewed(asked_language(given["workspace"], given["language"], beside), part)


def _ask(ctx: click.Context, given: dict[str, Any], *, as_json: bool) -> None:
    """Write the requests to an evaluator."""
    ids = given.pop("prompt_ids")
    if len(ids) > 1:
        raise click.UsageError("an evaluator is asked with one prompt: name one --prompt")
    names = ("workspace", "replies", "requests", "stories", "language", "prompts", "out")
    made = library.ask(**{name: given[name] for name in names}, prompt_id=next(iter(ids), None))
    _note_unreviewed(given, given["replies"][0], "prompts")
    if as_json:
        print_json(made)
    else:
        show_findings(made["findings"])
        click.echo(
            f"{counted(made['requests'], 'request')} in {made['file']}: two questions about "
            f"{counted(made['continuations'], 'continuation')} by {', '.join(made['models'])}."
        )
    if has_errors(made["findings"]):
        ctx.exit(1)
