"""What is said of a reply: the words that all of its rules share."""

from dataclasses import dataclass
from enum import StrEnum


class ReplyRule(StrEnum):
    """By which rule a reply was read, or why it was not.

    Read: `letter`, letters alone or beside the text of their choices; `text`, the exact text of
    choices, or a part of a name that no other one has; `none`, a word such as 'none'; `stated`,
    any of these after words such as 'the answer is'. Out-of-choice: the others.
    """

    LETTER = "letter"
    TEXT = "text"
    NONE = "none"
    STATED = "stated"
    EMPTY = "empty"
    UNFINISHED = "unfinished"
    SEVERAL = "several"
    CONTRADICTION = "contradiction"
    AMBIGUOUS = "ambiguous"
    NEGATION = "negation"
    HEDGE = "hedge"
    UNREADABLE = "unreadable"


READING_RULES = (ReplyRule.LETTER, ReplyRule.TEXT, ReplyRule.NONE, ReplyRule.STATED)
"""The rules that read a choice; the others say why none was read."""

LONGEST_CHOICE = 100
"""Characters of a choice up to which readings do not depend on its length."""

Sets = dict[frozenset[int], ReplyRule]
"""By the positions of the choices that a reading names, the rule that it is by."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model replied to a request; fields as in `replies.jsonl`.

    Attributes:
        request_id: The request.
        model: The model.
        reply: The text; None where the call failed.
    """

    request_id: str
    model: str
    reply: str | None


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reply says.

    Attributes:
        chosen: Positions of the choices that it names, from 0; None when it is out-of-choice.
        rule: By which rule it was read, or why it was not.
    """

    chosen: frozenset[int] | None
    rule: ReplyRule
