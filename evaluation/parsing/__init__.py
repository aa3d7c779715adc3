"""Which choices a model's reply names: read by a few named rules, or not at all.

A reply is read as a whole, or by what it states as its answer. Whatever is left over, a
negation, a second letter where one choice is asked for or a word that merely begins with a
letter, makes it out-of-choice: a wrong reading would end in a score, an unread reply is counted.

The rules stand in a fixed order, each in a module of its name: `thoughts` and `normal` take off
what is no part of the reply; `letter`, `text`, words for none of them (`rules`) and, for lists of
them, `items` read it as a whole; `stated` reads what a longer one states; `negation` and `hedge`
say why another is not read. The words of languages are data (`curation.languages`), and `phrases`
makes patterns of them.
"""

from evaluation.parsing.letter import choice_letters
from evaluation.parsing.reader import (
    choice_cores,
    may_be_letter,
    read_reply,
    read_whole,
    reply_core,
)
from evaluation.parsing.records import LONGEST_CHOICE, READING_RULES, Reading, Reply, ReplyRule

__all__ = [
    "LONGEST_CHOICE",
    "READING_RULES",
    "Reading",
    "Reply",
    "ReplyRule",
    "choice_cores",
    "choice_letters",
    "may_be_letter",
    "read_reply",
    "read_whole",
    "reply_core",
]
