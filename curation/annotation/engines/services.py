"""The engine that a name stands for, with a workspace's settings."""

from pathlib import Path

from curation.annotation.engines.deepl_engine import DeeplService
from curation.annotation.engines.engine import Service, read_glossary
from curation.annotation.engines.file_engine import read_translations
from curation.annotation.engines.openai_engine import OpenaiService
from curation.annotation.engines.pseudo_engine import PseudoService
from curation.files.workspace import Workspace
from curation.records.errors import CurateError, refuse_unknown

ENGINES = ("deepl", "openai", "pseudo", "file")
"""The names of the engines."""


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
    refuse_unknown("translation engine", name, ENGINES)
    culture = workspace.culture
    settings = culture.translation
    if name == "pseudo":
        return PseudoService(culture.language)
    if name == "file":
        if file is None:
            raise CurateError(
                "the engine 'file' needs a file", "--file", "name a CSV file or a workbook"
            )
        return read_translations(file)
    glossary = read_glossary(workspace.root / settings.glossary) if settings.glossary else None
    if name == "openai":
        return OpenaiService(settings, workspace.source_language, workspace.language, glossary)
    return DeeplService(settings, culture.source_language, workspace.language, glossary)
