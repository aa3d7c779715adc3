"""Write the page: the index and all chunks of what is shown, beside the files that draw them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from curation.files.lock import writing
from curation.files.manifest import staged_results
from curation.files.workspace import Workspace
from curation.records.findings import Finding
from curation.records.progress import Progress, silent
from evaluation.qa.scoring import ScoreInputs
from exports.browse.chunks import ChunkWriter
from exports.browse.page import page_files
from exports.browse.questions import add_questions
from exports.browse.replies import Replied, add_replies, files_read
from exports.browse.samples import add_samples
from exports.browse.shown import Shown, said_by_annotators
from exports.browse.templates import add_templates, start_index
from exports.edition import open_edition
from exports.folders import EXPORT, refuse_foreign
from survey.bank import TALLIES, manifest_inputs

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
    replied: Replied | None = None

    @property
    def page(self) -> Path:
        """The file to open in a browser."""
        return self.folder / PAGE


def write_browse(
    workspace: Workspace,
    out: Path | None = None,
    *,
    answered: ScoreInputs | None = None,
    per_template: int | None = None,
    proper_names: int | None = None,
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
        proper_names: Proper names of each person; `samples.proper_names` by default.
        progress: Called with the progress of planning and writing.

    Raises:
        CurateError: If a file cannot be read or written, there are more samples than
            `samples.limit`, or the folder holds what no such export wrote.
    """
    folder = out or workspace.exports_folder / BROWSE
    with writing(workspace, _COMMAND, to=out):
        refuse_foreign(folder, BROWSE)
        settings = workspace.culture.samples.with_bounds(per_template, proper_names)
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
                *(files_read(workspace, answered) if answered else ()),
            ),
        )
        with staged_results(folder, inputs, counts, shaped) as stage:
            written = write_page(shown, stage)
            counts |= written.counts
    found = () if written.replied is None else written.replied.findings
    return Browse(folder, counts, (*shown.edition.faults(), *found), written.replied)


@dataclass(frozen=True, slots=True)
class Written:
    """The files of a page.

    Attributes:
        counts: How many templates, samples and replies it shows, and the bytes of its data.
        replied: What came of the replies, where there are any.
    """

    counts: Mapping[str, int]
    replied: Replied | None = None


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
