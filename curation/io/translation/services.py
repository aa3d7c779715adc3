"""Find an engine by its name."""

from pathlib import Path

from curation.io.translation.engine import Service
from curation.io.translation.glossary import read_glossary
from curation.model.culture import Culture
from curation.model.errors import CurateError

ENGINES = ("deepl", "openai", "pseudo", "file")
"""The names of the engines."""


def service_for(name: str, culture: Culture, root: Path, file: Path | None = None) -> Service:
    """Give an engine with a workspace's settings; no key is needed yet.

    Args:
        name: Of the engine.
        culture: The settings.
        root: The workspace, which the glossary's path starts from.
        file: Translations, for the engine `file`.

    Raises:
        CurateError: If a setting does not fit the engine, or a file cannot be read.
    """
    settings = culture.translation
    if name == "pseudo":
        from curation.io.translation.pseudo_engine import PseudoService

        return PseudoService(culture.language)
    if name == "file":
        from curation.io.translation.file_engine import read_translations

        if file is None:
            raise CurateError(
                "the engine 'file' needs a file", "--file", "name a CSV file or a workbook"
            )
        return read_translations(file)
    glossary = read_glossary(root / settings.glossary) if settings.glossary else None
    if name == "openai":
        from curation.io.translation.openai_engine import OpenaiService

        return OpenaiService(settings, culture.source_language, culture.language, glossary)
    from curation.io.translation.deepl_engine import DeeplService

    return DeeplService(settings, culture.source_language, culture.language, glossary)
