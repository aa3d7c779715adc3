"""`curate evaluate stories ask`: what an evaluator is asked about whole stories."""

from pathlib import Path

import click

from curation.cli.common import (
    count_findings,
    finding_dict,
    json_option,
    print_findings,
    print_json,
    workspace_option,
)
from curation.cli.evaluate_stories_files import (
    answered_requests,
    requests_file,
    stories_file,
    stories_option,
)
from curation.cli.final import manifest_inputs
from curation.io.manifest import write_manifest
from curation.io.workspace import Workspace
from curation.model.errors import CurateError
from curation.model.findings import has_errors
from evaluation.prompts import Prompt, bundled_prompts, read_prompts
from evaluation.requests import REQUESTS, write_requests
from evaluation.stories import continuing
from evaluation.stories.continuing import (
    Continuations,
    read_continuation_requests,
    read_continuations,
)
from evaluation.stories.reading import FOLDER, reading_requests
from evaluation.stories.records import read_stories


@click.command("ask")
@workspace_option
@click.option(
    "--replies",
    type=click.Path(path_type=Path),
    multiple=True,
    required=True,
    help="The continuations, as models replied; may be given several times.",
)
@click.option(
    "--requests",
    type=click.Path(path_type=Path),
    help="What they were asked [default: requests.jsonl beside the replies, else in "
    f"exports/{continuing.FOLDER}].",
)
@stories_option
@click.option(
    "--prompts",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Prompts of question answering of your own, in place of the toolkit's.",
)
@click.option("--prompt", "prompt_id", metavar="ID", help="Which prompt [default: the first].")
@click.option(
    "--seed", type=int, default=42, show_default=True, help="Of the order of the choices."
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help=f"The file [default: exports/{FOLDER}/{REQUESTS}].",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    replies: tuple[Path, ...],
    requests: Path | None,
    stories: Path | None,
    prompts: Path | None,
    prompt_id: str | None,
    seed: int,
    out: Path | None,
    as_json: bool,
) -> None:
    """Write what an evaluator model is asked: both questions about every whole story.

    A whole story is the seed and what a model made of it. The questions and their three choices
    are the benchmark's own, put as in question answering; the choices stand in one of the three
    cyclic orders, drawn for each request. Give the requests to 'curate evaluate run' with the
    evaluator as the model; 'stories readings' takes its replies.

    \b
    Example: curate evaluate stories ask --replies continued/replies.jsonl
             curate evaluate run --requests exports/story_readings/requests.jsonl --model JUDGE
    """  # noqa: D301  # \b keeps click from wrapping the example
    source = stories_file(workspace, stories)
    asked = answered_requests(workspace, requests, replies[0], continuing.FOLDER, "prepare")
    prompt = _prompt(workspace, prompts, prompt_id)
    seeds = read_stories(source)
    found = read_continuations(replies, read_continuation_requests(asked), seeds)
    path = requests_file(workspace, out, FOLDER)
    if path.resolve() == asked.resolve():
        raise CurateError(
            "the requests for readings would take the place of those for continuations",
            str(path),
            "name another file with --out",
        )
    written = write_requests(path, reading_requests(found.stories, seeds, prompt, seed))
    if out is None:
        inputs = [source, asked, *replies, *([prompts] if prompts else [])]
        write_manifest(
            path.parent,
            inputs=manifest_inputs(workspace, inputs),
            counts={"requests": written, "continuations": len(found.stories)},
            settings={"seed": seed, "prompt": prompt.id},
            files=[path],
        )
    _tell(found, written, prompt, path, as_json=as_json)
    if has_errors(found.findings):
        ctx.exit(1)


def _prompt(workspace: Workspace, path: Path | None, name: str | None) -> Prompt:
    known = read_prompts(path) if path else bundled_prompts(workspace.culture.language)
    return (known.only([name]) if name else known).prompts[0]


def _tell(found: Continuations, written: int, prompt: Prompt, path: Path, *, as_json: bool) -> None:
    models = sorted({item.model for item in found.stories})
    if as_json:
        print_json(
            {
                "requests": written,
                "continuations": len(found.stories),
                "models": models,
                "prompt": prompt.id,
                "file": str(path),
                "findings": [finding_dict(item) for item in found.findings],
            }
        )
        return
    if found.findings:
        print_findings(found.findings)
        click.echo(count_findings(found.findings))
    click.echo(
        f"{written:,} requests in {path}: two questions about {len(found.stories):,} continuations "
        f"by {', '.join(models)}."
    )
