"""The file of a workspace that says what is said and read in its language: `languages/pt.yaml`."""

from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from curation.files.tables import read_text
from curation.languages import Language, load
from curation.records.codes import check_code
from curation.records.errors import CurateError
from curation.records.wrong_values import WrongValue

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
    there = _files_of(root / FOLDER, code)
    if len(there) > 1:
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
    by_code: dict[str, list[Path]] = {}
    for path in found_files(folder):
        by_code.setdefault(path.stem.lower(), []).append(path)
    for code, files in by_code.items():
        if len(files) > 1:
            _refuse_two(code, files, folder)


def _files_of(folder: Path, code: str) -> list[Path]:
    files = found_files(folder)
    names = dict.fromkeys((code.lower(), code.lower().split("-")[0]))
    of_names = ([path for path in files if path.stem.lower() == name] for name in names)
    return next(filter(None, of_names), [])


def language_of_file(path: Path) -> Language:
    """The language that a file is for, by its name, wherever the file is.

    Raises:
        CurateError: If the name is no code of a language, there is another file beside it for the
            same one, or it cannot be read.
    """
    try:
        check_code(path.stem.lower() if path.suffix.lower() in _SUFFIXES else path.name)
    except WrongValue as error:
        raise CurateError(
            f"the name {path.name} does not say which language it is for",
            str(path),
            "call it by the code of the language, such as pt.yaml or pt-br.yaml",
        ) from error
    text = read_text(path)
    same = [item for item in found_files(path.parent) if item.stem.lower() == path.stem.lower()]
    if len(same) > 1:
        _refuse_two(path.stem.lower(), same, path.parent)
    return replace(load(path.stem), code=path.stem, file=path, text=text)


def _refuse_two(code: str, files: list[Path], folder: Path) -> NoReturn:
    names = " and ".join(path.name for path in files)
    raise CurateError(
        f"two files are for the language '{code}': {names}",
        str(folder),
        f"keep one of them, {code}.yaml",
    )
