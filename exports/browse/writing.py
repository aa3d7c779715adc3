"""Write the page: the index and all chunks of what is shown, beside the files that draw them.

The page is what a browser runs, as it is written, without a build step. A page of a benchmark has
its bank; a page of replies alone has only what the samples say.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curation.files.lock import writing
from curation.files.manifest import named_inputs, staged_results
from curation.files.workspace import Workspace
from curation.records.annotation import Annotation
from curation.records.messages import Progress, Results, silent
from curation.report.texts import base_style
from exports.browse.chunks import ChunkWriter, Shown, said_by_annotators
from exports.browse.questions import add_questions
from exports.browse.templates import (
    add_samples,
    add_templates,
    in_language,
    indexed,
    searched,
    start_index,
)
from exports.edition import Edition, open_edition
from exports.folders import EXPORT, made_from, refuse_foreign
from survey.bank import final_bank

if TYPE_CHECKING:
    from evaluation.qa.scoring import ScoreInputs

BROWSE = "browse"
"""What the manifest of a page says that it is, and the folder that it has by default."""
PAGE = "index.html"
"""The file that is opened; everything else is in the folders `page` and `data` beside it."""


def write_browse(
    workspace: Workspace,
    out: Path | None = None,
    *,
    answered: "ScoreInputs | None" = None,
    per_template: int | None = None,
    progress: Progress = silent,
) -> Results:
    """Write a page to look at a benchmark, by default to `exports/browse`.

    It shows the status of every template with the reason, its texts, labels, votes and samples, and
    replies of models. It opens from disk and needs no network.

    Args:
        workspace: The workspace; it need not have decided anything.
        out: The folder to write to.
        answered: What models replied, and to what; see `curate evaluate score`.
        per_template: Maximum number of samples of a template; `samples.per_template` by default.
        progress: Called with the progress of planning and writing.

    Returns:
        - `folder`, and `page`, the file in it that is to be opened;
        - `counts`: how many templates, samples and replies it shows, and the bytes of its data;
        - `findings`: templates that are in and cannot be filled, each with what is wrong, then what
          is wrong with replies, and what they lack;
        - `models` and `gone`, where there are replies; see `exports.browse.replies.add_replies`.

    Raises:
        CurateError: If a file cannot be read or written, there are more samples than
            `samples.limit`, or the folder holds what no such export wrote.
    """
    folder = out or workspace.exports_folder / BROWSE
    with writing(workspace, "curate browse", to=out):
        refuse_foreign(folder, BROWSE)
        answered = answered.prepared(workspace) if answered else None
        edition = open_edition(workspace, progress, per_template=per_template)
        edition.plan().refuse_large()
        shown = Shown(edition, said_by_annotators(workspace), answered, progress)
        shaped = {EXPORT: BROWSE, "version": workspace.culture.version, **edition.settings.bounds}
        counts: dict[str, int] = {}
        inputs = made_from(workspace)
        if answered is not None:
            from exports.browse.replies import files_read  # scores, which others do without

            inputs += files_read(workspace, answered)
        used = named_inputs(inputs, root=workspace.root)
        with staged_results(folder, used, counts, shaped) as stage:
            replied = write_page(shown, stage, counts)
    findings = (*shown.edition.faults(), *replied.get("findings", ()))
    told = {"folder": folder, "page": folder / PAGE, "counts": counts}
    return Results({**told, **replied, "findings": findings})


def write_page(shown: Shown, folder: Path, counts: dict[str, int]) -> dict[str, Any]:
    """Write the files of a page into an empty folder, without a manifest.

    Args:
        shown: What is shown.
        folder: Where to.
        counts: Gets how many templates, samples and replies it shows, and the bytes of its data.

    Returns:
        What came of the replies, as `add_replies` tells it, where there are any.

    Raises:
        CurateError: If a file cannot be read.
    """
    write_program(folder)
    writer = ChunkWriter(folder)
    index = start_index(shown)
    ranges = add_samples(writer, index, shown)
    add_templates(writer, shown, ranges)
    add_questions(writer, index, shown)
    replied: dict[str, Any] = {}
    if shown.answered is not None:
        from exports.browse.replies import add_replies  # scores, which others do without

        given = (writer, index, shown.workspace, shown.answered)
        replied = add_replies(*given, progress=shown.progress)
    # Each further part of the page adds its chunks here, and what filters need to the index.
    _finish(writer, index, counts)
    return replied


def _finish(writer: ChunkWriter, index: Mapping[str, Any], counts: dict[str, int]) -> None:
    writer.add("index", index)
    counts |= index["counts"]
    counts |= {"chunks": len(writer.sizes), "bytes": sum(writer.sizes.values())}


def write_program(folder: Path) -> None:
    """Write what a browser runs, and nothing of the data.

    The look that all pages of the toolkit share is one of the files, so the page needs nothing
    outside its folder.
    """
    here = files(__package__) / "page"
    (folder / "page").mkdir(parents=True)
    (folder / PAGE).write_bytes((here / PAGE).read_bytes())
    for item in here.iterdir():
        if item.name.endswith((".js", ".css")):
            (folder / "page" / item.name).write_bytes(item.read_bytes())
    (folder / "page" / "base.css").write_bytes(f"{base_style()}\n".encode())


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
    write_page(Shown(passed, said, progress=edition.progress), folder, {})


def labels_alone(annotations: Sequence[Annotation]) -> list[Annotation]:
    """The labels that a template was given, without who gave which.

    Not even a number joins the labels of one annotator: a team of three is known by name from the
    paper, and who differed from the others could be told. Reasons and remarks are left out too:
    they are free text, and may name people.
    """
    found = [Annotation(one.template_id, "", one.label) for one in annotations if one.label]
    return sorted(found, key=lambda one: (one.template_id, str(one.label)))


def view(
    workspace: Workspace,
    answered: "ScoreInputs",
    *,
    out: Path | None = None,
    progress: Progress = silent,
) -> Results:
    """Write a page of replies alone, by default to `exports/evaluation/view`.

    Args:
        workspace: The workspace; there need be none where samples are named, and prompts or a
            language.
        answered: What models replied, and to what; see `curate evaluate score`.
        out: The folder to write to.
        progress: Called with the progress.

    Returns:
        What `write_browse` gives.

    Raises:
        CurateError: If a file cannot be read or written, or the files do not fit together.
    """
    from evaluation.folders import result_folder
    from exports.browse.replies import add_replies, files_read

    folder = out or workspace.exports_folder / "evaluation" / "view"
    answered = answered.prepared(workspace)
    counts: dict[str, int] = {}
    inputs = files_read(workspace, answered)
    given = (workspace, folder, inputs, counts, {"mode": answered.mode})
    with result_folder(*given, command="evaluate report --view", what="page") as stage:
        write_program(stage)
        writer = ChunkWriter(stage)
        index = _index(writer, workspace, answered)
        replied = add_replies(writer, index, workspace, answered, progress=progress)
        _finish(writer, index, counts)
    return Results({"folder": folder, "page": folder / PAGE, "counts": counts, **replied})


def _index(writer: ChunkWriter, workspace: Workspace, answered: "ScoreInputs") -> dict[str, Any]:
    """The index: templates as the samples name them, of which nothing else is known.

    What is searched of them is written, too.
    """
    from evaluation.prompts import asked_language
    from exports.browse.replies import samples_asked

    beside = answered.samples if isinstance(answered.samples, Path) else answered.requests
    language = asked_language(workspace, answered.language, beside)
    templates: dict[str, dict[str, Any]] = {}
    for sample in samples_asked(workspace, answered):
        own = ("category", "label", "stereotype")
        known = {name: getattr(sample, name) for name in own} | {"samples": 0}
        found = templates.setdefault(sample.template_id, {"id": sample.template_id, **known})
        found["samples"] += 1
    rows = sorted(templates.values(), key=lambda row: (row["category"], row["id"]))
    texts = [searched((row["id"], row["category"], row["stereotype"])) for row in rows]
    writer.add("search", {"texts": texts})
    named = (answered.samples, *answered.predictions)
    files = [item.stem for item in named if isinstance(item, Path)]
    return {
        "bank": False,
        "title": files[0] if files else workspace.root.resolve().name,
        "version": "",
        **({} if language is None else in_language(language)),
        "counts": {
            "templates": len(rows),
            "samples": sum(row["samples"] for row in rows),
            "replies": 0,
        },
        **indexed(rows, sorted({row["label"] for row in rows}), {}),
    }
