"""Where the bundled demo workspace lies."""

from importlib.resources import as_file, files
from pathlib import Path
from shutil import copytree

from curation.model.errors import CurateError

_WORKSPACE_PARTS = ("culture.yaml", "README.md", "templates_src", "responses")


def copy_demo(folder: Path) -> None:
    """Copy the demo workspace, as its people wrote it, to a folder that is new or empty.

    Raises:
        CurateError: If the folder holds something, or cannot be written to.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CurateError(
            f"{folder} is not empty", str(folder), "name a new folder: curate demo DIR"
        )
    packaged = files("curation") / "demo_workspace"
    # An editable install reads the workspace where it is written.
    source = packaged if packaged.is_dir() else Path(__file__).parents[2] / "templates_src/demo"
    try:
        with as_file(source) as path:
            folder.mkdir(parents=True, exist_ok=True)
            for name in _WORKSPACE_PARTS:
                part = path / name
                if part.is_dir():
                    copytree(part, folder / name)
                else:
                    (folder / name).write_bytes(part.read_bytes())
    except OSError as error:
        raise CurateError(f"cannot write {folder}: {error.strerror}", str(folder)) from error
