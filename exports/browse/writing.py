"""Write the page: the index and all chunks of what is shown, beside the files that draw them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from curation.files.lock import writing
from curation.files.manifest import staged_results
from curation.files.workspace import Workspace
from curation.records.annotation import Annotation
from curation.records.messages import Finding, Progress, silent
from exports.browse.chunks import ChunkWriter
from exports.browse.page import page_files
from exports.browse.questions import add_questions
from exports.browse.shown import Shown, said_by_annotators
from exports.browse.templates import add_samples, add_templates, start_index
from exports.edition import Edition, open_edition
from exports.folders import EXPORT, refuse_foreign
from survey.bank import TALLIES, final_bank, manifest_inputs

if TYPE_CHECKING:
    from evaluation.qa.scoring import ScoreInputs
    from exports.browse.replies import Replied

BROWSE = "browse"
"""What the manifest of a page says that it is, and the folder that it has by default."""
PAGE = "index.html"
"""The file that is opened."""
_COMMAND = "curate browse"


@dataclass(frozen=True, slots=True)
class Browse:
    """A page that was written.

    Attributes:
        folder: Its folder.
        counts: How many templates, samples and replies it shows, and the bytes of its data.
        findings: Templates that are in and cannot be filled, each with what is wrong; then what
            is wrong with replies, and what they lack.
        replied: What came of the replies, where there are any.
    """

    folder: Path
    counts: Mapping[str, int]
    findings: tuple[Finding, ...]
    replied: "Replied | None" = None

    @property
    def page(self) -> Path:
        """The file to open in a browser."""
        return self.folder / PAGE


def write_browse(
    workspace: Workspace,
    out: Path | None = None,
    *,
    answered: "ScoreInputs | None" = None,
    per_template: int | None = None,
    progress: Progress = silent,
) -> Browse:
    """Write a page to look at a benchmark, by default to `exports/browse`.

    It shows the status of every template with the reason, its texts, labels, votes and samples, and
    replies of models. It opens from disk and needs no network.

    Args:
        workspace: The workspace; it need not have decided anything.
        out: The folder to write to.
        answered: What models replied, and to what; see `curate evaluate score`.
        per_template: Maximum number of samples of a template; `samples.per_template` by default.
        progress: Called with the progress of planning and writing.

    Raises:
        CurateError: If a file cannot be read or written, there are more samples than
            `samples.limit`, or the folder holds what no such export wrote.
    """
    folder = out or workspace.exports_folder / BROWSE
    with writing(workspace, _COMMAND, to=out):
        refuse_foreign(folder, BROWSE)
        settings = workspace.culture.samples.with_bounds(per_template)
        answered = answered.prepared(workspace) if answered else None
        edition = open_edition(workspace, settings, progress)
        edition.plan().refuse_large()
        shown = Shown(edition, said_by_annotators(workspace), answered, progress)
        shaped = {EXPORT: BROWSE, "version": workspace.culture.version, **edition.drawing.bounds}
        counts: dict[str, int] = {}
        inputs = manifest_inputs(
            workspace,
            (
                workspace.culture_file,
                workspace.bank_file,
                workspace.groups_file,
                workspace.ledger_file,
                workspace.targets_file,
                workspace.responses_folder / TALLIES,
                *_answers(workspace, answered),
            ),
        )
        with staged_results(folder, inputs, counts, shaped) as stage:
            written = write_page(shown, stage)
            counts |= written.counts
    found = () if written.replied is None else written.replied.findings
    return Browse(folder, counts, (*shown.edition.faults(), *found), written.replied)


def _answers(workspace: Workspace, answered: "ScoreInputs | None") -> Sequence[Path]:
    if answered is None:
        return ()
    from exports.browse.replies import files_read

    return files_read(workspace, answered)


@dataclass(frozen=True, slots=True)
class Written:
    """The files of a page.

    Attributes:
        counts: How many templates, samples and replies it shows, and the bytes of its data.
        replied: What came of the replies, where there are any.
    """

    counts: Mapping[str, int]
    replied: "Replied | None" = None


def write_page(shown: Shown, folder: Path) -> Written:
    """Write the files of a page into an empty folder, without a manifest.

    Args:
        shown: What is shown.
        folder: Where to.

    Raises:
        CurateError: If a file cannot be read.
    """
    write_program(folder)
    writer = ChunkWriter(folder)
    index = start_index(shown)
    ranges = add_samples(writer, index, shown)
    add_templates(writer, shown, ranges)
    add_questions(writer, index, shown)
    replied = None
    if shown.answered is not None:
        from exports.browse.replies import add_replies  # scores, which others do without

        given = (writer, index, shown.workspace, shown.answered)
        replied = add_replies(*given, progress=shown.progress)
    # Each further part of the page adds its chunks here, and what filters need to the index.
    writer.add("index", index)
    counts: dict[str, int] = index["counts"]
    return Written({**counts, "chunks": len(writer.sizes), "bytes": writer.size}, replied)


def write_program(folder: Path) -> None:
    """Write what a browser runs, and nothing of the data."""
    for name, content in page_files().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def write_released(edition: Edition, passed_on: Path, folder: Path) -> None:
    """Write the page of a release into a folder that is not there yet.

    Args:
        edition: What is released.
        passed_on: The part of its workspace that is passed on, as a workspace.
        folder: Where to write.

    Raises:
        CurateError: If a file cannot be read or written.
    """
    public = Workspace(passed_on)
    # The same templates are retained in both, so that what was planned holds.
    passed = replace(edition, workspace=public, final=final_bank(public))
    said = labels_alone(said_by_annotators(edition.workspace))
    write_page(Shown(passed, said, progress=edition.progress, released=True), folder)


def labels_alone(annotations: Sequence[Annotation]) -> list[Annotation]:
    """The labels that a template was given, without who gave which.

    Not even a number joins the labels of one annotator: a team of three is known by name from the
    paper, and who differed from the others could be told. Reasons and remarks are left out too:
    they are free text, and may name people.
    """
    found = [Annotation(one.template_id, "", one.label) for one in annotations if one.label]
    return sorted(found, key=lambda one: (one.template_id, str(one.label)))
