"""Everything that is said or read in a language, as data: one folder a language.

A folder is called by its code and holds a YAML file for each part; none of them must be there.
What an algorithm needs, and no list can tell, is named in it (`agreement`). A workspace may have a
file of its own for its language, with a section for each part.
"""

from curation.languages.general import AgreementTexts as AgreementTexts
from curation.languages.general import General as General
from curation.languages.general import Published as Published
from curation.languages.general import Replies as Replies
from curation.languages.language import Language as Language
from curation.languages.language import LanguageOrCode as LanguageOrCode
from curation.languages.language import asked_unknown as asked_unknown
from curation.languages.language import available as available
from curation.languages.language import between_sentences as between_sentences
from curation.languages.language import calling_unknown as calling_unknown
from curation.languages.language import is_rtl as is_rtl
from curation.languages.language import load as load
from curation.languages.language import missing as missing
from curation.languages.language import name_and_code as name_and_code
from curation.languages.language import name_in_english as name_in_english
from curation.languages.language import received_words as received_words
from curation.languages.language import reply_words as reply_words
from curation.languages.language import sample_words as sample_words
