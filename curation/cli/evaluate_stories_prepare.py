"""`curate evaluate stories prepare`: what models are asked to continue."""

from pathlib import Path

import click

from curation.cli.common import json_option, plural, print_json, workspace_option
from curation.cli.evaluate_stories_files import requests_file, stories_file, stories_option
from curation.cli.final import manifest_inputs
from curation.io.manifest import write_manifest
from curation.io.workspace import Workspace
from evaluation.requests import REQUESTS, write_requests
from evaluation.stories.continuing import FOLDER, continuation_requests
from evaluation.stories.prompts import continuation_prompts
from evaluation.stories.records import read_stories


@click.command("prepare")
@workspace_option
@stories_option
@click.option(
    "--prompts",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Prompts of your own (YAML), in place of the toolkit's five of the language.",
)
@click.option(
    "--prompt",
    "prompt_ids",
    multiple=True,
    metavar="ID",
    help="Only this prompt; may be given several times.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help=f"The file [default: exports/{FOLDER}/{REQUESTS}].",
)
@json_option
def command(
    workspace: Workspace,
    stories: Path | None,
    prompts: Path | None,
    prompt_ids: tuple[str, ...],
    out: Path | None,
    as_json: bool,
) -> None:
    """Write what models are asked to continue: every story of every set, with each prompt.

    Give the requests to 'curate evaluate run', or to a client of your own. A continuation is a
    text, so let the model write enough: 256 tokens or more, at the temperature that you would
    use it with. 'stories ask' makes of the replies what an evaluator is asked.

    \b
    Example: curate evaluate stories prepare
             curate evaluate run --requests exports/story_requests/requests.jsonl --model NAME
    """  # noqa: D301  # \b keeps click from wrapping the example
    source = stories_file(workspace, stories)
    asked = continuation_prompts(workspace.culture.language, prompts, prompt_ids)
    found = read_stories(source)
    path = requests_file(workspace, out, FOLDER)
    written = write_requests(path, continuation_requests(found, asked))
    ids = [prompt.id for prompt in asked]
    if out is None:
        inputs = [workspace.culture_file, source, *([prompts] if prompts else [])]
        write_manifest(
            path.parent,
            inputs=manifest_inputs(workspace, inputs),
            counts={"requests": written, "stories": len(found)},
            settings={"prompts": ids},
            files=[path],
        )
    if as_json:
        print_json({"requests": written, "stories": len(found), "prompts": ids, "file": str(path)})
        return
    click.echo(
        f"{written:,} requests in {path}: {len(found):,} stories in {len(ids)} "
        f"{plural('wording', len(ids))}."
    )
