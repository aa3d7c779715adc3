"""The folders of the bundled demo workspace and of the tutorial's files."""

from collections.abc import Sequence
from importlib.resources import as_file, files
from pathlib import Path
from shutil import copytree

from curation.records.errors import CurateError

_WORKSPACE_PARTS = ("culture.yaml", "README.md", "templates_src", "responses")


def copy_demo(folder: Path) -> None:
    """Copy the demo workspace, as its people wrote it, to a folder that is new or empty.

    Raises:
        CurateError: If the folder holds something, or cannot be written to.
    """
    _copy("demo", "demo_workspace", folder, _WORKSPACE_PARTS)


def copy_tutorial(folder: Path) -> list[str]:
    """Copy the files that the tutorial begins with to a folder that is new or empty.

    Returns:
        Their names.

    Raises:
        CurateError: If the folder holds something, or cannot be written to.
    """
    _copy("tutorial", "tutorial_files", folder)
    return sorted(path.name for path in folder.iterdir())


def _copy(name: str, package: str, folder: Path, parts: Sequence[str] = ()) -> None:
    """Copy a folder of `templates_src`, or some parts of it."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CurateError(
            f"{folder} is not empty", str(folder), "name a new folder: curate demo DIR"
        )
    packaged = files("curation") / package
    # An editable install reads them where they are written.
    source = packaged if packaged.is_dir() else Path(__file__).parents[2] / "templates_src" / name
    try:
        with as_file(source) as path:
            folder.mkdir(parents=True, exist_ok=True)
            every = [part for part in path.iterdir() if part.name != "__pycache__"]
            for part in [path / own for own in parts] or every:
                if part.is_dir():
                    copytree(part, folder / part.name)
                else:
                    (folder / part.name).write_bytes(part.read_bytes())
    except OSError as error:
        raise CurateError(f"cannot write {folder}: {error.strerror}", str(folder)) from error
