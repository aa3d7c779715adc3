"""The page of replies alone, for samples and replies without a bank."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curation import __version__
from curation.files.workspace import Workspace
from curation.languages import Language, is_rtl, name_and_code
from curation.records.findings import Finding
from curation.records.progress import Progress, silent
from curation.records.sample import Sample
from evaluation.folders import result_folder
from evaluation.language import asked_language
from evaluation.qa.scoring import ScoreInputs
from exports.browse.chunks import ChunkWriter, table
from exports.browse.replies import Replied, add_replies, files_read, samples_asked
from exports.browse.templates import COLUMNS, FORMAT
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
    templates: dict[str, _Template] = {}
    for sample in samples_asked(workspace, answered):
        templates.setdefault(sample.template_id, _Template(sample)).samples += 1
    order = sorted(templates.items(), key=lambda item: (item[1].category, item[0]))
    categories: dict[str, int] = {}
    for _, item in order:
        categories[item.category] = categories.get(item.category, 0) + 1
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
        "direction": _direction(language),
        "source_language": "",
        "source_language_name": "",
        "source_direction": "ltr",
        "unknown": "",
        "counts": {
            "templates": len(order),
            "samples": sum(item.samples for _, item in order),
            "replies": 0,
        },
        "categories": [
            {"id": name, "name": name, "templates": count} for name, count in categories.items()
        ],
        "labels": sorted({item.label for _, item in order}),
        "groups": [],
        "templates": table(COLUMNS, _rows(order)),
        "models": [],
        "rules": [],
    }


def _searched(index: Mapping[str, Any]) -> list[str]:
    """Of each template what is searched, as those of a bank are."""
    wanted = [
        index["templates"]["columns"].index(name) for name in ("id", "category", "stereotype")
    ]
    rows = index["templates"]["rows"]
    texts = ("\n".join(row[at] for at in wanted) for row in rows)
    return [unicodedata.normalize("NFC", text).lower() for text in texts]


def _direction(language: Language | None) -> str:
    return "rtl" if language is not None and is_rtl(language) else "ltr"


class _Template:
    """What samples say of their template."""

    def __init__(self, sample: Sample) -> None:
        self.category = sample.category
        self.label = sample.label
        self.stereotype = sample.stereotype
        self.samples = 0


def _rows(templates: Iterable[tuple[str, _Template]]) -> Iterator[list[object]]:
    """Yield rows of the index; what needs a bank is empty."""
    for name, item in templates:
        known: dict[str, object] = {
            **dict.fromkeys(("status", "reason", "differs"), ""),
            **{column: [] for column in ("groups", "questions", "variants", "targets")},
            **dict.fromkeys(("chunk", "disagree", "evidence", "bias", "decisive")),
            "near": False,
            "sample_chunks": 0,
            "replies": 0,
            "id": name,
            "category": item.category,
            "label": item.label,
            "stereotype": item.stereotype,
            "samples": item.samples,
        }
        yield [known[column] for column in COLUMNS]
