"""The mapping that was written with a form, for a file that answers the form."""

from collections.abc import Mapping as Map
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from curation.model.errors import CurateError
from survey.mapping import Mapping, QuestionPart, ReadPart, load_mapping
from survey.readers.hints import Hints
from survey.readers.recognise import Described, Recognised

_FORM = "form"
_JOINT = "all.mapping.yaml"
"""How one file with the answers to all forms is read."""


@dataclass(frozen=True, slots=True)
class Built:
    """Mappings of forms that a file answers.

    Attributes:
        paths: The mappings that read it: one, or several of which a person has to choose.
        forms: The forms that it answers, as far as it tells.
        beside: Mappings of the forms in other sheets of the workbook.
        mapping: The one that reads it, for this file; None where it is not there or not told.
    """

    paths: tuple[Path, ...] = ()
    forms: tuple[str, ...] = ()
    beside: tuple[Path, ...] = ()
    mapping: Mapping | None = None


def built_mapping(
    described: Described,
    recognised: Recognised,
    read: ReadPart,
    hints: Hints,
    folder: Path,
    sheets: Sequence[str] = (),
) -> Built:
    """Find what was written with the forms that a file answers.

    Args:
        described: The columns.
        recognised: The platform.
        read: How the file was read.
        hints: What is known of the forms that were built.
        folder: The folder of the built forms.
        sheets: All sheets of a workbook.
    """
    there = set(described.titles)
    whole = {name: columns for name, columns in hints.forms.items() if columns <= there}
    names = _answered(described, read, hints.forms, whole)
    if not names:
        return Built(tuple(_existing(folder, sorted(_largest(whole)))))
    folders = {name.rpartition("/")[0] for name in names}
    stem = f"{folders.pop()}/{_JOINT}" if len(names) > 1 else f"{names[0]}.mapping.yaml"
    path = folder / stem
    mapping = _loaded(path)
    if mapping is None:
        return Built(tuple(_existing(folder, names)))
    forms = tuple(name.rpartition("/")[2] for name in names)
    asked = tuple(part for part in mapping.questions if _is_there(part, forms, there))
    own = {"preset": recognised.preset, "read": read, "questions": asked}
    # A file without the columns of forms that nobody answered is read by the rest of it alone.
    paths = (path,) if len(asked) == len(mapping.questions) else ()
    platform = names[0].rpartition("/")[0]
    others = [f"{platform}/{sheet}" for sheet in sheets if sheet != read.sheet]
    beside = _existing(folder, [name for name in others if name in hints.forms])
    return Built(paths, forms, tuple(beside), mapping.model_copy(update=own))


def _is_there(part: QuestionPart, forms: Sequence[str], there: set[str]) -> bool:
    """Say whether a question is one of some forms, or has its columns in the file at least."""
    return not set(part.asked.get(_FORM, forms)).isdisjoint(forms) or set(part.places()) <= there


def _answered(
    described: Described,
    read: ReadPart,
    every: Map[str, frozenset[str]],
    whole: Map[str, frozenset[str]],
) -> list[str]:
    """Give the forms that a file answers: by its sheet, by its column, or by all its columns."""
    by_name = {name.rpartition("/")[2]: name for name in every}
    if read.sheet in by_name and by_name[read.sheet] in whole:
        return [by_name[read.sheet]]
    if _FORM in described.titles:
        stated = [value for value in described.values(_FORM) if value]
        named = [by_name.get(value, "") for value in sorted(stated)]
        return named if all(name in whole for name in named) else []
    return _largest(whole) if len(_largest(whole)) == 1 else []


def _largest(forms: Map[str, frozenset[str]]) -> list[str]:
    """Give the forms none of which is a part of another."""
    return [
        name
        for name, columns in forms.items()
        if not any(columns < others for others in forms.values())
    ]


def _existing(folder: Path, names: Sequence[str]) -> list[Path]:
    paths = [folder / f"{name}.mapping.yaml" for name in names]
    return [path for path in paths if path.exists()]


def _loaded(path: Path) -> Mapping | None:
    """Read a mapping; None where there is none, or somebody has spoilt it."""
    if not path.exists():
        return None
    try:
        return load_mapping(path)
    except CurateError:
        return None
