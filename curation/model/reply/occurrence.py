"""Whether a choice's text can be in a reply at all: quicker to tell than reading it.

Where none is, a reply means the same whatever the choices are: "The answer is B" is read once
for thousands of lists.
"""

import re

from curation.model.reply.forms import verb_stem
from curation.model.reply.normal import normalised, text_key, unmarked, without_article
from curation.model.reply.thoughts import without_thoughts

_DECORATED = re.compile(r"[*_`~<>{}$\\]")
LONGEST_CHOICE = 100
"""Signs of a choice up to which readings do not hang on its length."""


def reply_core(reply: str) -> str | None:
    """Give the letters and figures of a reply, in which the core of a choice can be looked for.

    Returns:
        None where decoration is left within, so that nobody can tell in which order they stand.
    """
    given = without_thoughts(reply)
    if given is None:
        return ""
    text = unmarked(normalised(given))
    return None if _DECORATED.search(text) else _signs(text.casefold())


def choice_core(choice: str) -> str:
    """Give what every form of a choice's text holds: no article, no ending of a verb."""
    return _signs(verb_stem(without_article(text_key(choice))))


def _signs(text: str) -> str:
    return "".join(sign for sign in text if sign.isalnum())
