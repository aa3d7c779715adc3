"""`curate export` of the data: bank and samples."""

from pathlib import Path
from typing import Any

import click

from curation.cli.coloured import SectionedCommand
from curation.cli.options import bounds_option, json_option, workspace_option
from curation.cli.terminal import print_json, progress_of_each
from curation.files.workspace import Workspace
from exports import data_files
from exports.cli.options import exported_dict, names_of, out_option, show
from exports.data_files import EXPORT_FORMATS, TEXTS
from exports.edition import SETS

_format_option = click.option(
    "--format",
    "formats",
    callback=names_of(EXPORT_FORMATS),
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
    made = data_files.bank(workspace, formats, out=out)
    if as_json:
        print_json(exported_dict(made))
    else:
        show(made, sampled=False)


@click.command(
    "samples",
    cls=SectionedCommand,
    sections={
        "Which samples": ("--set", "--per-template", "--leave-out"),
        "Texts": ("--text",),
        "Files": ("--format", "--out"),
    },
)
@workspace_option
@click.option(
    "--set",
    "sets",
    callback=names_of(SETS),
    default="all",
    show_default=True,
    metavar="NAME[,NAME]",
    help="Which fillings. all: every filling (samples.*); test: one filling drawn for each pair "
    "of variants (test_samples.*).",
)
@_format_option
@bounds_option
@click.option(
    "--text",
    type=click.Choice(TEXTS),
    default="own",
    show_default=True,
    help="Texts of the samples. own: the final bank; machine: only machine translation, as a "
    "baseline; control: the final bank with names in place of its groups.",
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
    if as_json:
        print_json(exported_dict(made))
        return
    show(made)
    if wanted["text"] != "own":
        click.echo(_NOT_THE_BENCHMARK[wanted["text"]], err=True)
