"""`curate export hub`: a dataset folder for the Hugging Face hub."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from curation.cli.common import json_option, plural, workspace_option
from curation.cli.exporting import SETS, Written, checked, finish, names_of, out_option
from curation.cli.final import Final
from curation.cli.hub_facts import gather
from curation.io.atomic import staged_folder
from curation.io.workspace import Workspace
from curation.publish.hub import write_folder
from curation.publish.ours import EXPORT, refuse_foreign
from curation.publish.unstated import Unstated, unstated

_NAME = "hub"


@click.command(_NAME)
@workspace_option
@click.option(
    "--set",
    "sets",
    callback=names_of(SETS),
    default="all,test",
    show_default=True,
    metavar="NAME[,NAME]",
    help="all: every filling (configuration samples); test: one drawn for each pair (test).",
)
@out_option
@json_option
def command(workspace: Workspace, sets: tuple[str, ...], out: Path | None, as_json: bool) -> None:
    """Write a dataset folder: data, dataset card and metadata, for the Hugging Face hub.

    \b
    test, samples, templates, survey   one Parquet file each, loaded by these names
    README.md                          the dataset card
    croissant.json, CITATION.cff       the same for machines
    checksums.txt                      hashes, for 'sha256sum -c'

    The card is filled from the workspace: what the templates went through, the thresholds that
    the decisions were made with, the survey, agreement of annotators, known limits, sources with
    their licences. What only you know stands under 'release' in culture.yaml; what is missing
    there is 'not stated' in the card, and listed here with its key. No answer of a single
    respondent is written.

    \b
    Example: curate export hub
             hf upload NAME exports/hub . --repo-type dataset
    """  # noqa: D301  # \b keeps click from wrapping the example
    final, findings = checked(workspace)
    refuse_foreign(folder := out or workspace.exports_folder / _NAME, _NAME)
    made = gather(workspace, final, sets)
    with staged_folder(folder) as stage:
        counts = write_folder(stage, made.facts, made.data)
        files = [path for path in sorted(stage.rglob("*")) if path.is_file()]
        written = [folder / path.relative_to(stage) for path in files]
    missing = unstated(workspace.culture, surveyed=made.facts.survey is not None)
    made_of = Written(
        folder,
        written,
        counts,
        seed=workspace.culture.samples.seed,
        shaped={EXPORT: _NAME, "sets": sorted(sets)},
        told={"not_stated": [asdict(item) for item in missing]},
    )
    finish(workspace, final, findings, made_of, as_json=as_json)
    _say(missing)


def write_hub(
    workspace: Workspace, final: Final, folder: Path, sets: Sequence[str] = SETS
) -> dict[str, int]:
    """Write the dataset folder, but for its manifest.

    Args:
        workspace: The workspace.
        final: What is left of its bank.
        folder: A folder that is new or empty.
        sets: `test`, `all`, or both.

    Returns:
        How many rows each configuration has, by what they are called.

    Raises:
        CurateError: If a template cannot be filled, no template gives samples, or a file cannot
            be read or written.
    """
    made = gather(workspace, final, sets)
    return write_folder(folder, made.facts, made.data)


def _say(missing: Sequence[Unstated]) -> None:
    """List on standard error what culture.yaml leaves open."""
    if not missing:
        return
    count = len(missing)
    click.echo(
        f"Note: {count} {plural('key', count)} of culture.yaml {'is' if count == 1 else 'are'} "
        "empty; the card says 'not stated':",
        err=True,
    )
    width = max(len(item.key) for item in missing)
    for item in missing:
        click.echo(f"    {item.key:{width}}  {item.what}", err=True)
