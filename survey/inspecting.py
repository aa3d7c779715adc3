"""A received survey file: what it is, and a draft of the mapping by which it is read."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from curation.files.lock import writing
from curation.files.workspace import Workspace
from curation.records.errors import CurateError
from curation.records.frames import frame
from survey.mapping import TO_DO, ReadPart, save_mapping
from survey.questionnaire import read_questionnaire
from survey.readers.hints import About
from survey.readers.inspection import Inspection, Seen, inspect_file
from survey.readers.opening import open_file

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Inspected:
    """A file that was inspected.

    Attributes:
        found: All that was found out.
        target: The mapping that was to be written.
        written: Whether the draft was; an earlier mapping is left as it is.
        needs_none: Whether the filter reads the file so without being given a mapping.
    """

    found: Inspection
    target: Path
    written: bool
    needs_none: bool

    def to_frame(self) -> "pd.DataFrame":
        """The columns of the file: a column a field of `Seen`.

        `filled` and `distinct` are `int64`, `sample` holds tuples of texts, and the others texts.
        """
        return frame(self.found.columns, Seen, filled="int64", distinct="int64")


def inspect(
    workspace: Workspace,
    file: Path | str,
    *,
    questionnaire: Path | str | None = None,
    out: Path | str | None = None,
    dry_run: bool = False,
    sheet: str | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
) -> Inspected:
    """Recognise a received survey file, and draft its mapping.

    Args:
        workspace: The workspace.
        file: The file.
        questionnaire: The questions that were asked; the workspace's by default.
        out: The draft to write; `responses/mapping.yaml` by default.
        dry_run: Whether to write nothing.
        sheet: Sheet of a workbook.
        encoding: Encoding of a text file, where it cannot be told.
        delimiter: Delimiter of a text file; `tab` for a tab.

    Raises:
        CurateError: If a file cannot be read or written, needs no mapping, or there is a mapping
            already where `out` names one.
    """
    stated = {"sheet": sheet, "encoding": encoding, "delimiter": delimiter}
    path = Path(questionnaire) if questionnaire else workspace.questionnaire_file
    if not path.exists():
        raise CurateError(
            "there is no questionnaire to match the columns with",
            str(path),
            "make one with 'curate survey build', or name it with --questionnaire FILE",
        )
    read = ReadPart.model_validate({key: value for key, value in stated.items() if value})
    culture = workspace.culture
    opened = open_file(Path(file), read, culture.language, culture.survey.files)
    questions = read_questionnaire(path, workspace.book)
    forms = workspace.responses_folder / "forms"
    about = About.of(culture, workspace.language)
    found = inspect_file(opened, questions, forms, about)
    needs_none = found.is_settled and read == ReadPart()  # the filter is not told how to open it
    target = Path(out) if out else workspace.responses_folder / "mapping.yaml"
    if dry_run:
        return Inspected(found, target, written=False, needs_none=needs_none)
    with writing(workspace, "curate filter --draft", to=target):
        if target.exists():
            if out:
                hint = "delete it, or name another file"
                raise CurateError(f"{target.name} is there already", str(target), hint)
            return Inspected(found, target, written=False, needs_none=needs_none)
        heading = "".join(f"# {line}\n" for line in _heading(found))
        save_mapping(target, found.draft.mapping, heading)
    return Inspected(found, target, written=True, needs_none=needs_none)


def _heading(found: Inspection) -> Iterator[str]:
    """The comment above a draft: what the file is, its columns, what is left to do."""
    yield f"Draft of how {Path(found.frame.file).name} is read. Look through it before you use it."
    yield f"Recognised: {found.recognised.preset} ({'; '.join(found.recognised.reasons)})."
    for line in found.to_do:
        yield _one_line(f"{TO_DO}: {line}")
    yield from map(_one_line, found.draft.suggested)
    yield "Columns:"
    for seen in found.columns:
        yield _one_line(f"  {_described(seen)}")


def _described(seen: Seen) -> str:
    told = f"{seen.place} by {seen.how}" if seen.place and seen.how else seen.place or seen.how
    return ": ".join(filter(None, (seen.shown_title, told, " | ".join(seen.sample))))


def _one_line(text: str) -> str:
    return " ".join(text.split()) if not text.startswith("  ") else "  " + " ".join(text.split())
