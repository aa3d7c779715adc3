"""The engines by name; each is imported when it is used."""

from pathlib import Path

from curation.annotation.engines.engine import Service, read_glossary
from curation.languages import LanguageOrCode
from curation.records.culture import Culture
from curation.records.errors import CurateError, refuse_unknown

ENGINES = ("deepl", "openai", "file", "pseudo")
"""Their names."""


def service_for(
    name: str,
    culture: Culture,
    root: Path,
    file: Path | None = None,
    languages: tuple[LanguageOrCode, LanguageOrCode] | None = None,
) -> Service:
    """An engine with a workspace's settings; no key is needed yet.

    Args:
        name: Of the engine.
        culture: The settings.
        root: The workspace, which the glossary's path starts from.
        file: Translations, for the engine `file`.
        languages: That of the source and the culture's, with what the workspace says of them; by
            default what the toolkit has of the codes.

    Raises:
        CurateError: If there is no such engine, a setting does not fit it, or a file cannot be
            read.
    """
    refuse_unknown("translation engine", name, ENGINES)
    settings = culture.translation
    source, target = languages or (culture.source_language, culture.language)
    if name == "pseudo":
        from curation.annotation.engines.pseudo_engine import PseudoService

        return PseudoService(culture.language)
    if name == "file":
        from curation.annotation.engines.file_engine import read_translations

        if file is None:
            raise CurateError(
                "the engine 'file' needs a file", "--file", "name a CSV file or a workbook"
            )
        return read_translations(file)
    glossary = read_glossary(root / settings.glossary) if settings.glossary else None
    if name == "openai":
        from curation.annotation.engines.openai_engine import OpenaiService

        return OpenaiService(settings, source, target, glossary)
    from curation.annotation.engines.deepl_engine import DeeplService

    return DeeplService(settings, culture.source_language, target, glossary)
