"""Where batches lie, which both of their commands have to find."""

from pathlib import Path

from curation.io.workspace import Workspace
from curation.model.errors import CurateError

FOLDER = "batches"
"""The folder of batches below that of evaluation."""


def default_folder(workspace: Workspace) -> Path:
    """Give the folder that holds a folder of batches for each model."""
    return workspace.exports_folder / "evaluation" / FOLDER


def model_folder(workspace: Workspace, model: str) -> Path:
    """Give a model's folder of batches, named so that any file system takes it."""
    name = "".join(sign if sign.isalnum() or sign in "._-" else "_" for sign in model)
    return default_folder(workspace) / (name.lstrip(".") or "model")


def only_folder(workspace: Workspace) -> Path:
    """Find the folder of batches where there is one alone.

    Raises:
        CurateError: If there is none, or there are several.
    """
    parent = default_folder(workspace)
    found = sorted(path for path in parent.glob("*") if path.is_dir()) if parent.is_dir() else []
    if len(found) == 1:
        return found[0]
    if not found:
        hint = "write them with 'curate evaluate batch write', or name their folder with --batches"
        raise CurateError("there are no batches to have results of", str(parent), hint)
    names = ", ".join(path.name for path in found)
    hint = "say of which these results are: --model NAME or --batches DIR"
    raise CurateError(f"there are batches of several models: {names}", str(parent), hint)
