"""Read `culture.yaml`, which people write, and the categories that the toolkit adds to it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from curation.files.codec import Codec
from curation.files.tables import read_text
from curation.languages import Language, load
from curation.records.bank import category_name
from curation.records.culture import Category, Culture
from curation.records.messages import CurateError, refusal
from curation.records.settings import WrongValue, check_code, parse_settings
from curation.records.survey import QuestionKind


@dataclass(frozen=True, slots=True)
class AddedCategory:
    """A category that the toolkit added; fields are the columns of `categories.csv`.

    Attributes:
        category: The category.
        question: How its stereotypes are asked about, `select_all` or `choice`; empty as in the
            category that it was split off, else `choice`.
        split_from: The one that its templates had before, where the survey asked about them.
    """

    category: str
    question: QuestionKind | None = None
    split_from: str = ""


CATEGORIES = Codec(
    AddedCategory,
    "write a category, how it is asked about, and the one that it was split off",
    key=("category",),
    words={"question": (QuestionKind.SELECT_ALL, QuestionKind.CHOICE)},
)
"""The table `categories.csv`."""


def with_added(culture: Culture, added: Iterable[AddedCategory], file: str) -> Culture:
    """The settings with the categories that the toolkit added.

    One that `culture.yaml` names too has what is written of it there. One that `culture.yaml`
    merges into another is no category any more.

    Args:
        culture: The settings.
        added: The categories; one may be split off an earlier one.
        file: Their file, for messages.

    Raises:
        CurateError: If one cannot be in an id, or was split off no category.
    """
    known = {item.id: item for item in culture.categories}
    for row in added:
        name, before = category_name(row.category), category_name(row.split_from)
        origin = known.get(before)
        if before and (origin is None or before == name):
            told = {"category": name, "origin": before}
            raise refusal("curation", "category-origin", f"{file}, column split_from", **told)
        own = known.get(name)
        if own is None:
            try:
                own = Category(id=name)
            except ValueError as error:
                what = f"'{name}' cannot be a category"
                raise CurateError(what, f"{file}, column category", CATEGORIES.hint) from error
            if origin is None and culture.category_of_source(own.id) != own.id:
                continue
        update: dict[str, object] = {"split_from": before or own.split_from}
        if "question" not in own.model_fields_set:
            update["question"] = row.question or (origin or own).question
        known[own.id] = own.model_copy(update=update)
    return culture.model_copy(update={"categories": tuple(known.values())})


def load_culture(path: Path) -> Culture:
    """Read the settings of a workspace.

    Raises:
        CurateError: If there is no such file, it is no YAML, or a setting is wrong or unknown.
    """
    if not path.exists():
        raise refusal("curation", "workspace-missing", path, folder=path.parent)
    return parse_settings(read_text(path), Culture, path)


FOLDER = "languages"
"""The folder of a workspace, or of a published package, that holds such files."""
_SUFFIXES = (".yaml", ".yml")


def own_language(root: Path, code: str) -> Language:
    """A language with what a workspace says of it, over what the toolkit has.

    A code with a region or a script has the file of its own name, else that of the language.

    Args:
        root: The workspace.
        code: The code of the language.

    Raises:
        CurateError: If there are two files for it, or its file cannot be read.
    """
    files, small = _by_code(root / FOLDER), code.lower()
    there = files.get(small) or files.get(small.split("-")[0], [])
    _refuse_two(code, there, root / FOLDER)
    if not there:
        return replace(load(code), code=code, file=root / FOLDER / f"{code}.yaml")
    return replace(load(code), code=code, file=there[0], text=read_text(there[0]))


def found_files(folder: Path) -> list[Path]:
    """The files in a folder of languages, of which each language should have one at most."""
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in _SUFFIXES)


def refuse_two(folder: Path) -> None:
    """Refuse a folder in which two files are for one language.

    Raises:
        CurateError: If there are any, with the names of both.
    """
    for code, files in _by_code(folder).items():
        _refuse_two(code, files, folder)


def _by_code(folder: Path) -> dict[str, list[Path]]:
    """The files in a folder of languages, by the code in small letters."""
    found: dict[str, list[Path]] = {}
    for path in found_files(folder):
        found.setdefault(path.stem.lower(), []).append(path)
    return found


def language_of_file(path: Path) -> Language:
    """The language that a file is for, by its name, wherever the file is.

    Raises:
        CurateError: If the name is no code of a language, there is another file beside it for the
            same one, or it cannot be read.
    """
    code = path.stem.lower()
    try:
        check_code(code if path.suffix.lower() in _SUFFIXES else path.name)
    except WrongValue as error:
        raise refusal("curation", "language-file-name", path) from error
    text = read_text(path)
    _refuse_two(code, _by_code(path.parent).get(code, []), path.parent)
    return replace(load(path.stem), code=path.stem, file=path, text=text)


def _refuse_two(code: str, files: list[Path], folder: Path) -> None:
    if len(files) > 1:
        names = " and ".join(path.name for path in files)
        raise refusal("curation", "language-twice", folder, language=code, names=names)
