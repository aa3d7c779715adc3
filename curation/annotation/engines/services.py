"""The engine that a name stands for, with a workspace's settings."""

from collections.abc import Callable, Mapping
from pathlib import Path

from curation.annotation.engines.deepl_engine import DeeplService
from curation.annotation.engines.engine import (
    Glossary,
    Service,
    glossary_of_groups,
    read_glossary,
)
from curation.annotation.engines.file_engine import read_translations
from curation.annotation.engines.openai_engine import OpenaiService
from curation.annotation.engines.pseudo_engine import PseudoService
from curation.files.workspace import Workspace
from curation.records.errors import CurateError, refuse_unknown

GROUPS = "groups"
"""What `translation.glossary` says in place of a file: the names of `groups.csv`."""


def _deepl(workspace: Workspace, _file: Path | None) -> Service:
    culture = workspace.culture
    glossary = _glossary(workspace)
    return DeeplService(culture.translation, culture.source_language, workspace.language, glossary)


def _openai(workspace: Workspace, _file: Path | None) -> Service:
    settings, glossary = workspace.culture.translation, _glossary(workspace)
    return OpenaiService(settings, workspace.source_language, workspace.language, glossary)


def _pseudo(workspace: Workspace, _file: Path | None) -> Service:
    return PseudoService(workspace.culture.language)


def _from_file(_workspace: Workspace, file: Path | None) -> Service:
    if file is None:
        what = "the engine 'file' needs a file"
        raise CurateError(what, "--file", "name a CSV file or a workbook")
    return read_translations(file)


ENGINES: Mapping[str, Callable[[Workspace, Path | None], Service]] = {
    "deepl": _deepl,
    "openai": _openai,
    "pseudo": _pseudo,
    "file": _from_file,
}
"""How each engine is opened, by its name; another one is a class like these, and a line here."""


def service_for(name: str, workspace: Workspace, file: Path | None = None) -> Service:
    """An engine with a workspace's settings; no key is needed yet.

    Args:
        name: Of the engine.
        workspace: The workspace.
        file: Translations, for the engine `file`.

    Raises:
        CurateError: If there is no such engine, a setting does not fit it, or a file cannot be
            read.
    """
    refuse_unknown("translation engine", name, tuple(ENGINES))
    return ENGINES[name](workspace, file)


def _glossary(workspace: Workspace) -> Glossary | None:
    wanted = workspace.culture.translation.glossary
    if wanted == GROUPS:
        return glossary_of_groups(workspace.groups)
    return read_glossary(workspace.root / wanted) if wanted else None
