"""`curate demo`: the whole way on the bundled demo culture."""

import io
import json
import shlex
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import click

from curation.cli import main as entry
from curation.cli import options, terminal
from curation.initial import DEMO_LANGUAGE, copy_demo, copy_tutorial
from curation.records.messages import refusal

_REPLIES = "exports/evaluation/replies.jsonl"
_STEPS = {
    "classify sheet --annotator Mina": "Annotate: a workbook for an annotator; all labels are in "
    "the bank already.",
    "translate sheet": "Translate: a workbook for a translator; all texts are translated already.",
    "check": "Check labels and texts.",
    "filter --survey responses/responses.csv": "Filter: decide by the survey which templates are "
    "kept (120 simulated respondents).",
    "survey report": "Report the survey.",
    "export samples --set all,test --format csv,jsonl,kobbq": "Export the benchmark: all samples, "
    "and a test set.",
    "export bank": "Export the final bank, with the decision on every template.",
    "evaluate prepare": "Evaluate: prepare the requests for models.",
    "evaluate run --backend always-biased --model always-biased": "Ask a model: here one without a "
    "network, which always follows the stereotype.",
    "evaluate run --backend uniform --model uniform": "And one that answers at random.",
    f"evaluate report --replies {_REPLIES}": "Report their scores, with figures.",
    f"browse --replies {_REPLIES}": "Browse: a page that shows all of it.",
}
"""By command what it does."""
_FIRST = ("classify sheet", "translate sheet", "filter --survey", "evaluate run", "evaluate report")
"""Commands of which the first line is the result; of the others it is the last one."""


@options.curate_command("demo", workspace=False)
@click.argument("folder", metavar="[DIR]", default="curate-demo", type=click.Path(path_type=Path))
@click.option(
    "--language",
    default=DEMO_LANGUAGE,
    help="Language of its texts: en, es or ko.",
)
@options.flag_option(
    "--tutorial",
    help="Only write the files that the tutorial starts with into DIR; run nothing.",
)
def command(folder: Path, language: str, tutorial: bool, as_json: bool) -> None:
    """Run all steps on the bundled demo culture, offline, in seconds.

    DIR (default: curate-demo) becomes a workspace of an invented culture, with texts in Korean,
    English or Spanish. You can continue to work in it. Each step is printed with its command.
    """
    if tutorial:
        names = copy_tutorial(folder)
        if as_json:
            terminal.print_json({"folder": str(folder), "files": names})
            return
        click.echo(f"The files of the tutorial are in {folder}: {', '.join(names)}.")
        return
    copy_demo(folder, language)
    if as_json:
        steps = [
            {"command": ["curate", *step], "result": json.loads(_run(folder, [*step, "--json"]))}
            for step in map(str.split, _STEPS)
        ]
        terminal.print_json({"folder": str(folder), "steps": steps})
        return
    click.echo(
        f"A workspace of the invented culture Marevia is now in {folder}.\n"
        "Each step below is a command that you can run yourself in that folder."
    )
    for number, (step, text) in enumerate(_STEPS.items(), start=1):
        click.secho(f"\n{number}. {text}", bold=True)
        click.secho(f"$ curate {step}", fg="cyan")
        printed = _run(folder, step.split()).rstrip().splitlines()
        click.echo(printed[0 if step.startswith(_FIRST) else -1])
    place = "" if folder.resolve() == Path.cwd() else f" -w {shlex.quote(str(folder))}"
    click.secho(f"\nLook at the page: curate browse --open{place}", bold=True)
    click.echo(f"Why a template was dropped: curate explain age-006{place}")
    terminal.echo_fitting(
        f"Change something in {folder / 'templates_src' / 'bank.csv'}, and run the steps again. "
        f"{folder / 'README.md'} says what this data must not be used for."
    )


def _run(folder: Path, arguments: Sequence[str]) -> str:
    """Run a command as a person in the folder would; gives what it prints.

    Raises:
        CurateError: If it fails.
    """
    own = ("responses/", "exports/")
    placed = [str(folder / part) if part.startswith(own) else part for part in arguments]
    printed, told = io.StringIO(), io.StringIO()
    with redirect_stdout(printed), redirect_stderr(told):
        status = entry.cli.main(
            args=[*placed, "-w", str(folder)], prog_name="curate", standalone_mode=False
        )
    if status:
        click.echo(printed.getvalue() + told.getvalue())
        raise refusal("exports", "demo-step", str(folder), arguments=shlex.join(arguments))
    return printed.getvalue()
