"""`curate export samples`: the samples of the final bank."""

from collections.abc import Iterator
from pathlib import Path

import click

from curation.cli.common import (
    json_option,
    workspace_option,
)
from curation.cli.exporting import (
    FILE_OF_SET,
    SETS,
    Written,
    checked,
    final_samples,
    finish,
    format_option,
    names_of,
    out_option,
    refuse_faults,
)
from curation.io.atomic import staged_folder
from curation.io.tables import write_csv
from curation.io.workspace import Workspace
from curation.io.writers import write_table
from curation.model.published import SAMPLE_COLUMNS as PUBLISHED_SAMPLES
from curation.model.sample import SAMPLE_COLUMNS, Sample
from curation.stages.published import published_sample_rows

_PUBLISHED_FILE_OF_SET = {"all": "all_samples", "test": "test_samples"}


@click.command("samples")
@workspace_option
@click.option(
    "--set",
    "sets",
    callback=names_of(SETS),
    default="all",
    show_default=True,
    metavar="NAME[,NAME]",
    help="all: every filling (samples.*); test: one drawn for each pair (test_samples.*).",
)
@format_option
@click.option("--seed", type=int, help="Seed of the test set [default: samples.seed].")
@out_option
@json_option
def command(
    workspace: Workspace,
    sets: tuple[str, ...],
    formats: tuple[str, ...],
    seed: int | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Write the samples of the final bank.

    `kobbq` writes KoBBQ's published columns to kobbq/all_samples.tsv and
    kobbq/test_samples.tsv.
    """
    final, findings = checked(workspace)
    folder = out or workspace.exports_folder / "samples"
    drawn = workspace.culture.samples.seed if seed is None else seed
    refuse_faults(workspace, final, drawn if "test" in sets else None)
    counts: dict[str, int] = {}
    written: list[Path] = []
    with staged_folder(folder) as stage:
        for name in sets:
            for form in formats:
                made = final_samples(workspace, final, drawn if name == "test" else None)
                written.append(_sample_file(stage, name, form))
                counts[FILE_OF_SET[name]] = _write_samples(written[-1], form, made)
    files = [folder / path.relative_to(stage) for path in written]
    made_of = Written(folder, files, counts, drawn)
    finish(workspace, final, findings, made_of, as_json=as_json)


def _sample_file(folder: Path, name: str, form: str) -> Path:
    if form == "kobbq":
        return folder / "kobbq" / f"{_PUBLISHED_FILE_OF_SET[name]}.tsv"
    return folder / f"{FILE_OF_SET[name]}.{form}"


def _write_samples(path: Path, form: str, made: Iterator[Sample]) -> int:
    if form == "kobbq":
        return write_csv(path, PUBLISHED_SAMPLES, published_sample_rows(made), delimiter="\t")
    return write_table(path, form, SAMPLE_COLUMNS, made)
