"""`curate demo`: the whole way on the bundled demo culture."""

import shlex
from collections.abc import Sequence
from pathlib import Path

import click

from curation.cli import main as entry
from curation.cli.terminal import echo_fitting
from curation.files.demo import DEMO_LANGUAGE, copy_demo, copy_tutorial
from curation.records.errors import CurateError

_STEPS = (
    ("Check templates, groups and settings.", ["check"]),
    ("Count templates and samples before the survey.", ["stats"]),
    (
        "Decide by the survey which templates are kept (120 simulated respondents).",
        ["filter", "--survey", "responses/responses.csv"],
    ),
    ("Count the templates and samples that are kept.", ["stats"]),
    ("Show the stage of each template, and open tasks.", ["status"]),
    ("Show why a template is kept, and its groups.", ["explain", "home_region-005"]),
    ("Show how a sample was made.", ["explain", "age-001b-001-dis-bsd"]),
    (
        "Write the benchmark: all samples, and a test set.",
        ["export", "samples", "--set", "all,test", "--format", "csv,jsonl,kobbq"],
    ),
    ("Write the final bank, with the decision on every template.", ["export", "bank"]),
)


@click.command("demo")
@click.argument("folder", metavar="[DIR]", default="curate-demo", type=click.Path(path_type=Path))
@click.option(
    "--language",
    default=DEMO_LANGUAGE,
    show_default=True,
    help="Language of its texts: en, es or ko.",
)
@click.option(
    "--tutorial",
    is_flag=True,
    help="Only write the files that the tutorial starts with into DIR; run nothing.",
)
def command(folder: Path, language: str, tutorial: bool) -> None:
    """Run all steps on the bundled demo culture, offline, in seconds.

    DIR (default: curate-demo) becomes a workspace of an invented culture, with texts in Korean,
    English or Spanish. You can continue to work in it. Each step is printed with its command.
    """
    if tutorial:
        names = copy_tutorial(folder)
        click.echo(f"The files of the tutorial are in {folder}: {', '.join(names)}.")
        return
    copy_demo(folder, language)
    click.echo(
        f"A workspace of the invented culture Marevia is now in {folder}.\n"
        "Each step below is a command that you can run yourself in that folder."
    )
    for number, (text, arguments) in enumerate(_STEPS, start=1):
        click.secho(f"\n{number}. {text}", bold=True)
        click.secho(f"$ curate {shlex.join(arguments)}\n", fg="cyan")
        _run(folder, arguments)
    click.secho("\nDone.", bold=True)
    echo_fitting(
        f"Look at {folder / 'exports'} and {folder / 'decisions.csv'}, change something in "
        f"{folder / 'templates_src' / 'bank.csv'}, and run the steps again. "
        f"{folder / 'README.md'} says what this data must not be used for."
    )


def _run(folder: Path, arguments: Sequence[str]) -> None:
    """Run a command as a person in the folder would."""
    placed = [str(folder / part) if part.startswith("responses/") else part for part in arguments]
    status = entry.cli.main(
        args=[*placed, "-w", str(folder)], prog_name="curate", standalone_mode=False
    )
    if status:
        raise CurateError(
            f"a step of the demo failed: curate {shlex.join(arguments)}",
            str(folder),
            "please report this",
        )
