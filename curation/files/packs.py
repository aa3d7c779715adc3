"""The file of a workspace that says what is said and read in its language: `languages/pt.yaml`."""

from dataclasses import replace
from pathlib import Path

from curation.files.tables import read_text
from curation.languages import Language, load
from curation.records.errors import CurateError

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
        names = " and ".join(path.name for path in there)
        raise CurateError(
            f"two files are for the language '{code}': {names}",
            str(root / FOLDER),
            f"keep one of them, {code}.yaml",
        )
    if not there:
        return replace(load(code), code=code, file=root / FOLDER / f"{code}.yaml")
    return replace(load(code), code=code, file=there[0], text=read_text(there[0]))


def found_files(folder: Path) -> list[Path]:
    """The files in a folder of languages, of which each language should have one at most."""
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in _SUFFIXES)


def _files_of(folder: Path, code: str) -> list[Path]:
    files = found_files(folder)
    names = dict.fromkeys((code.lower(), code.lower().split("-")[0]))
    of_names = ([path for path in files if path.stem.lower() == name] for name in names)
    return next(filter(None, of_names), [])
