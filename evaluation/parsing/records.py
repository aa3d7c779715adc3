"""What is said of a reply: the words that all of its rules share."""

from dataclasses import dataclass
from enum import StrEnum


class ReplyRule(StrEnum):
    """By which rule a reply was read, or why it was not.

    Read: `letter`, a label alone or beside the text of its choice; `text`, the text of a choice;
    `stated`, any of these as the verdict of a longer reply. Out-of-choice: the others.
    """

    LETTER = "letter"
    TEXT = "text"
    STATED = "stated"
    EMPTY = "empty"
    UNFINISHED = "unfinished"
    LONG = "long"
    SEVERAL = "several"
    CONTRADICTION = "contradiction"
    AMBIGUOUS = "ambiguous"
    NEGATION = "negation"
    HEDGE = "hedge"
    UNREADABLE = "unreadable"


READING_RULES = (ReplyRule.LETTER, ReplyRule.TEXT, ReplyRule.STATED)
"""The rules that read a choice; the others say why none was read."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reply says.

    Attributes:
        chosen: Positions of the choices that it names, from 0; None when it is out-of-choice.
        rule: By which rule it was read, or why it was not.
    """

    chosen: frozenset[int] | None
    rule: ReplyRule
