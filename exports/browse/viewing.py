"""The page of replies alone, for samples and replies without a bank."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curation import __version__
from curation.files.workspace import Workspace
from curation.languages import is_rtl, name_and_code
from curation.records.messages import Finding, Progress, silent
from evaluation.folders import result_folder
from evaluation.prompts import asked_language
from evaluation.qa.scoring import ScoreInputs
from exports.browse.chunks import ChunkWriter
from exports.browse.replies import Replied, add_replies, files_read, samples_asked
from exports.browse.templates import FORMAT, indexed
from exports.browse.writing import PAGE, write_program

_COMMAND = "evaluate report --view"


@dataclass(frozen=True, slots=True)
class View:
    """A page of replies that was written.

    Attributes:
        folder: Its folder.
        counts: How many templates, samples and replies it shows, and the bytes of its data.
        replied: What came of the replies.
    """

    folder: Path
    counts: Mapping[str, int]
    replied: Replied

    @property
    def page(self) -> Path:
        """The file to open in a browser."""
        return self.folder / PAGE

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong with the replies, and what they lack."""
        return self.replied.findings


def view(
    workspace: Workspace,
    answered: ScoreInputs,
    *,
    out: Path | None = None,
    progress: Progress = silent,
) -> View:
    """Write a page to look at replies, by default to `exports/evaluation/view`.

    Args:
        workspace: The workspace; there need be none where samples are named, and prompts or a
            language.
        answered: What models replied, and to what; see `curate evaluate score`.
        out: The folder to write to.
        progress: Called with the progress.

    Raises:
        CurateError: If a file cannot be read or written, or the files do not fit together.
    """
    folder = out or workspace.exports_folder / "evaluation" / "view"
    answered = answered.prepared(workspace)
    counts: dict[str, int] = {}
    inputs = files_read(workspace, answered)
    given = (workspace, folder, inputs, counts, {"mode": answered.mode})
    with result_folder(*given, command=_COMMAND, what="page") as stage:
        write_program(stage)
        writer = ChunkWriter(stage)
        index = _index(workspace, answered)
        replied = add_replies(writer, index, workspace, answered, progress=progress)
        writer.add("search", {"texts": _searched(index)})
        writer.add("index", index)
        counts |= index["counts"]
        counts |= {"chunks": len(writer.sizes), "bytes": writer.size}
    return View(folder, counts, replied)


def _index(workspace: Workspace, answered: ScoreInputs) -> dict[str, Any]:
    """The index: templates as the samples name them, of which nothing else is known."""
    beside = answered.samples if isinstance(answered.samples, Path) else answered.requests
    language = asked_language(workspace, answered.language, beside)
    templates: dict[str, dict[str, Any]] = {}
    for sample in samples_asked(workspace, answered):
        own = ("category", "label", "stereotype")
        known = {name: getattr(sample, name) for name in own} | {"samples": 0}
        found = templates.setdefault(sample.template_id, {"id": sample.template_id, **known})
        found["samples"] += 1
    rows = sorted(templates.values(), key=lambda row: (row["category"], row["id"]))
    named = (answered.samples, *answered.predictions)
    files = [item.stem for item in named if isinstance(item, Path)]
    return {
        "format": FORMAT,
        "tool": f"curate {__version__}",
        "bank": False,
        "fingerprint": "",
        "ledger": 0,
        "title": files[0] if files else workspace.root.resolve().name,
        "version": "",
        "language": "" if language is None else language.code,
        "language_name": "" if language is None else name_and_code(language),
        "direction": "rtl" if language is not None and is_rtl(language) else "ltr",
        "source_language": "",
        "source_language_name": "",
        "source_direction": "ltr",
        "unknown": "",
        "counts": {
            "templates": len(rows),
            "samples": sum(row["samples"] for row in rows),
            "replies": 0,
        },
        **indexed(rows, sorted({row["label"] for row in rows}), {}),
    }


def _searched(index: Mapping[str, Any]) -> list[str]:
    """Of each template what is searched, as those of a bank are."""
    wanted = [
        index["templates"]["columns"].index(name) for name in ("id", "category", "stereotype")
    ]
    rows = index["templates"]["rows"]
    texts = ("\n".join(row[at] for at in wanted) for row in rows)
    return [unicodedata.normalize("NFC", text).lower() for text in texts]
