"""What editors and readers of stories returned, for `curate collect`."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from curation.cli.collect import Taken
from curation.cli.terminal import fields_of, show_findings
from curation.files.workspace import Workspace
from curation.records.wording import plural
from evaluation import stories
from evaluation.cli.stories_scores import show_agreement

if TYPE_CHECKING:
    from evaluation.stories.building import CollectedEdits


def edits(workspace: Workspace, files: Sequence[Path]) -> Taken:
    """Collect the workbooks of editors, and check the corrected stories."""
    found = stories.collect(workspace, files)
    return fields_of(found), found.findings, partial(_show_edits, found)


def _show_edits(found: "CollectedEdits") -> None:
    show_findings(found.findings)
    click.echo(
        f"{found.changes} {plural('change', found.changes)} collected in {found.file}; "
        f"{found.edited} {plural('text', found.edited)} of the stories now from an editor."
    )


def passages(workspace: Workspace, files: Sequence[Path]) -> Taken:
    """Collect the workbooks of readers, and compare the readers with one another."""
    found = stories.agreement(workspace, files)
    return fields_of(found), found.findings, partial(show_agreement, found)
