"""What annotators read of suggested labels: in their language, or in English."""

from curation.annotation.suggestions.records import Suggestion
from curation.annotation.texts import FALLBACK
from curation.languages import LanguageOrCode, load
from curation.languages.prompts import SuggestTexts


def suggest_texts(language: LanguageOrCode) -> SuggestTexts:
    """The texts of the language of the culture, or English ones."""
    found = (load(code).suggest for code in (language, FALLBACK))
    return next(item for item in found if item is not None)


def said_of(suggestion: Suggestion, texts: SuggestTexts) -> str:
    """What an annotator reads of a suggestion."""
    parts = (f"{suggestion.label.value} ({suggestion.engine})", suggestion.reason)
    return f"{': '.join(filter(None, parts))}\n{texts.judge}"
