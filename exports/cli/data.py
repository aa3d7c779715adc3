"""`curate export` of the data: bank, samples, dataset folder."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from curation.cli.coloured import SectionedCommand
from curation.cli.options import bounds_options, json_option, workspace_option
from curation.cli.terminal import fitting, progress_of_each
from curation.files.workspace import Workspace
from curation.records.wording import plural
from exports import data_files
from exports.cli.options import out_option, show
from exports.control import NAMES
from exports.data_files import EXPORT_FORMATS, SETS, TEXTS


def _names_of(allowed: Sequence[str]) -> Callable[[click.Context, click.Parameter, str], Any]:
    """Read names joined by commas, each one of those allowed."""

    def read(_context: click.Context, _option: click.Parameter, value: str) -> tuple[str, ...]:
        names = tuple(dict.fromkeys(part.strip() for part in value.split(",") if part.strip()))
        unknown = [name for name in names if name not in allowed]
        if unknown or not names:
            raise click.BadParameter(f"'{value}': name one or more of {', '.join(allowed)}")
        return names

    return read


_format_option = click.option(
    "--format",
    "formats",
    callback=_names_of(EXPORT_FORMATS),
    default="csv",
    show_default=True,
    metavar="NAME[,NAME...]",
    help=f"File formats: one or more of {', '.join(EXPORT_FORMATS)}.",
)


_NOT_THE_BENCHMARK = {
    "machine": "Note: this is a machine-translated baseline for comparison, not the benchmark; "
    "its README.md says so",
    "control": "Note: this is a control set for comparison, not the benchmark. Names were "
    "inserted by rule: check control_templates.csv",
}


@click.command("bank")
@workspace_option
@_format_option
@out_option
@json_option
def bank(workspace: Workspace, formats: tuple[str, ...], out: Path | None, as_json: bool) -> None:
    """Write the final bank, with the status of every template and its reason.

    `kobbq` writes KoBBQ's 38 published columns to kobbq/templates.tsv.
    """
    show(data_files.bank(workspace, formats, out=out), as_json=as_json, sampled=False)


@click.command(
    "samples",
    cls=SectionedCommand,
    sections={
        "Which samples": ("--set", "--per-template", "--proper-names", "--seed", "--leave-out"),
        "Texts": ("--text", "--names"),
        "Files": ("--format", "--out"),
    },
)
@workspace_option
@click.option(
    "--set",
    "sets",
    callback=_names_of(SETS),
    default="all",
    show_default=True,
    metavar="NAME[,NAME]",
    help="Which fillings. all: every filling (samples.*); test: one filling drawn for each pair "
    "of variants (test_samples.*).",
)
@_format_option
@bounds_options
@click.option("--seed", type=int, help="Seed for drawing samples [default: samples.seed].")
@click.option(
    "--text",
    type=click.Choice(TEXTS),
    default="own",
    show_default=True,
    help="Texts of the samples. own: the final bank; machine: only machine translation, as a "
    "baseline; control: the final bank with names in place of its groups.",
)
@click.option(
    "--names",
    type=click.IntRange(1),
    default=NAMES,
    show_default=True,
    help="Number of names for each of the two people in a control set.",
)
@click.option(
    "--leave-out",
    "left_out",
    metavar="TEMPLATE",
    multiple=True,
    help="Leave this template out of a control set, because names do not fit; may be given "
    "several times.",
)
@out_option
@json_option
def samples(
    workspace: Workspace,
    sets: tuple[str, ...],
    formats: tuple[str, ...],
    as_json: bool,
    **wanted: Any,
) -> None:
    """Write the samples of the final bank.

    `kobbq` writes KoBBQ's published columns to kobbq/all_samples.tsv and
    kobbq/test_samples.tsv.

    If there are more samples than samples.limit, nothing is written. 'curate stats' then shows the
    templates with the most samples; draw some of each template with --per-template.

    --text machine writes a machine-translated baseline, to compare with the benchmark (KoBBQ,
    section 5.1): machine_translated_samples.* in exports/machine_translated, with a card. It is not
    a benchmark, and never part of a release.

    --text control writes a control set, as in MBBQ: the same templates with names of people in
    place of groups. Check exports/control/control_templates.csv: it has one filling of each
    template, and the templates that are left out, with the reason.
    """
    made = data_files.samples(
        workspace,
        sets,
        formats,
        **wanted,
        progress=progress_of_each(),
    )
    show(made, as_json=as_json)
    if wanted["text"] != "own" and not as_json:
        click.echo(_NOT_THE_BENCHMARK[wanted["text"]], err=True)


@click.command("hub")
@workspace_option
@click.option(
    "--set",
    "sets",
    callback=_names_of(SETS),
    default="all,test",
    show_default=True,
    metavar="NAME[,NAME]",
    help="Which fillings. all: every filling (configuration samples); test: one filling drawn "
    "for each pair of variants (configuration test).",
)
@bounds_options
@out_option
@json_option
def hub(workspace: Workspace, sets: tuple[str, ...], as_json: bool, **wanted: Any) -> None:
    """Write a dataset folder for the Hugging Face hub: data, dataset card and metadata.

    \b
    test, samples, templates, survey   Parquet files, loaded by these names
    README.md                          the dataset card
    croissant.json, CITATION.cff       the same for machines
    checksums.txt                      hashes, for 'sha256sum -c'

    The card is filled in from the workspace: the steps that templates went through, the thresholds
    of the decisions, the survey, agreement of annotators, known limits, and sources with their
    licences. Write what only you know under 'release' in culture.yaml. Keys that are empty there
    are 'not stated' in the card, and listed. Answers of single respondents are not written.

    \b
    Example: curate export hub
             hf upload NAME exports/hub . --repo-type dataset
    """  # noqa: D301  # \b keeps click from wrapping the example
    from exports.hub_files import hub as write  # reports and metadata, which others do without

    made = write(workspace, sets, **wanted, progress=progress_of_each())
    show(made.exported, as_json=as_json, not_stated=made.not_stated)
    if made.not_stated:
        count = len(made.not_stated)
        click.echo(
            f"Note: {count} {plural('key', count)} of culture.yaml "
            f"{'is' if count == 1 else 'are'} empty; the card says 'not stated':",
            err=True,
        )
        width = max(len(item.key) for item in made.not_stated)
        for item in made.not_stated:
            line = f"    {item.key:{width}}  {item.what}"
            click.echo(fitting(line, " " * (width + 6), err=True), err=True)
