"""Everything that is said or read in a language, as data: one folder a language.

A folder is called by its code and holds a YAML file for each part; none of them must be there.
What an algorithm needs, and no list can tell, is named in it (`agreement`). A workspace may have a
file of its own for its language, with a section for each part.
"""

from curation.languages.general import AgreementTexts, General, Published, Replies
from curation.languages.language import (
    Language,
    LanguageOrCode,
    asked_unknown,
    available,
    between_sentences,
    calling_unknown,
    is_rtl,
    load,
    missing,
    name_and_code,
    name_in_english,
    received_words,
    reply_words,
    sample_words,
)

__all__ = [
    "AgreementTexts",
    "General",
    "Language",
    "LanguageOrCode",
    "Published",
    "Replies",
    "asked_unknown",
    "available",
    "between_sentences",
    "calling_unknown",
    "is_rtl",
    "load",
    "missing",
    "name_and_code",
    "name_in_english",
    "received_words",
    "reply_words",
    "sample_words",
]
