"""What each rule of reading replies says, in a sentence, in the order in which they are tried."""

from collections.abc import Mapping

from curation.model.reply import ReplyRule
from evaluation.answers import Mode
from evaluation.filled import PERSON
from evaluation.kobbq_reading import KobbqRule

_PERSON = {PERSON: "a person read it"}
_STRICT: Mapping[str, str] = {
    ReplyRule.LETTER: "a letter, alone or beside the exact text of its choice",
    ReplyRule.TEXT: "exactly the text of a choice",
    ReplyRule.NONE: "a word such as 'none', for the choice that stands for it",
    ReplyRule.STATED: "a letter or text after words such as 'the answer is'",
    ReplyRule.EMPTY: "nothing but white space or thoughts",
    ReplyRule.UNFINISHED: "cut off within its thoughts",
    ReplyRule.SEVERAL: "more than one choice",
    ReplyRule.CONTRADICTION: "the letter of one choice and the text of another",
    ReplyRule.AMBIGUOUS: "two ways to read it, or two different statements",
    ReplyRule.NEGATION: "it says what is not so",
    ReplyRule.HEDGE: "'maybe', 'or', 'not sure', a condition or a question",
    ReplyRule.UNREADABLE: "anything else",
}
_KOBBQ: Mapping[str, str] = {
    KobbqRule.LETTER: "begins with A, B or C, and holds one of these letters alone",
    KobbqRule.LETTER_TEXT: "begins with A, B or C, and has something after a colon or bracket",
    KobbqRule.SEVERAL: "begins with A, B or C, and names two choices after it",
    KobbqRule.TEXT: "the text of a choice, up to the first full stop or line end",
    KobbqRule.BOLD: "any of these within bold type",
    KobbqRule.ANSWER: "any of these after '답은' or '답:'",
    KobbqRule.QUOTE: "any of these after a quotation mark",
    KobbqRule.MARK: "one letter alone before a colon or bracket, anywhere",
    KobbqRule.RAW: "the whole reply is a choice",
    KobbqRule.UNREAD: "anything else",
}


def rule_texts(mode: Mode) -> dict[str, str]:
    """Give the rules of a mode in their order, each with its sentence; a person's comes first."""
    rules = _STRICT if mode == "strict" else _KOBBQ
    return {**_PERSON, **{str(name): text for name, text in rules.items()}}
