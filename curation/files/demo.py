"""The folders of the bundled demo workspace and of the tutorial's files."""

from collections.abc import Sequence
from pathlib import Path
from shutil import copytree

from curation.files.atomic import HELD, staged_folder
from curation.files.lock import writing_results
from curation.records.errors import CurateError

_WORKSPACE_PARTS = ("culture.yaml", "README.md", "templates_src", "responses")
DEMO_LANGUAGE = "ko"
"""The language of the demo's own files; in another one some of them are others."""


def copy_demo(folder: Path, language: str = DEMO_LANGUAGE) -> None:
    """Copy the demo workspace, as its people wrote it, to a folder that is new or empty.

    Args:
        folder: The folder.
        language: The language of its texts. Templates, questions and answers are the same in each.

    Raises:
        CurateError: If the folder holds something, or cannot be written to, or there is no demo in
            the language.
    """
    others = _packaged("demo_languages")
    known = sorted([DEMO_LANGUAGE, *(it.name for it in others.iterdir() if it.is_dir())])
    if language not in known:
        raise CurateError(
            f"the demo has no texts in '{language}'",
            "--language",
            f"name one of {', '.join(known)}",
        )
    over = None if language == DEMO_LANGUAGE else others / language
    _copy(folder, _packaged("demo"), _WORKSPACE_PARTS, over)


def copy_tutorial(folder: Path) -> list[str]:
    """Copy the files that the tutorial begins with to a folder that is new or empty.

    Returns:
        Their names.

    Raises:
        CurateError: If the folder holds something, or cannot be written to.
    """
    _copy(folder, _packaged("tutorial"))
    return sorted(path.name for path in folder.iterdir())


def _packaged(name: str) -> Path:
    """A folder of `templates_src`: in the package, or where an editable install has it."""
    packaged = Path(__file__).parents[1] / "templates_src" / name
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / "templates_src" / name


def _copy(folder: Path, source: Path, parts: Sequence[str] = (), over: Path | None = None) -> None:
    """Copy a folder, or some parts of it, with what lies over it, all or nothing."""
    every = [path for path in source.iterdir() if path.name != "__pycache__"]
    wanted = [source / own for own in parts] or every
    wanted += [] if over is None else over.iterdir()
    with writing_results(folder, "curate demo"):
        if folder.exists() and (
            not folder.is_dir() or any(path.name != HELD for path in folder.iterdir())
        ):
            raise CurateError(
                f"{folder} is not empty", str(folder), "name a new folder: curate demo DIR"
            )
        with staged_folder(folder) as stage:
            for part in wanted:
                if part.is_dir():
                    copytree(part, stage / part.name, dirs_exist_ok=True)
                else:
                    (stage / part.name).write_bytes(part.read_bytes())
