"""The words by which replies of models are read in a language."""

import re

from pydantic import field_validator, model_validator

from curation.languages.general import Part
from curation.records.settings import WrongValue

_SIGN = re.compile(r"[()\[\]|]")
_CLOSED = {")": "(", "]": "["}
_LONGEST = 300


def check_phrase(phrase: str, where: tuple[str | int, ...] = ()) -> None:
    """Refuse a phrase whose notation cannot be read.

    Args:
        phrase: The phrase.
        where: The keys that lead to it, for the message.

    Raises:
        WrongValue: If it is empty or may be nothing, is very long, or a bracket is not closed or
            opened.
    """
    fault = _fault(phrase)
    if fault:
        short = phrase if len(phrase) <= 40 else f"{phrase[:39]}..."
        raise WrongValue(f"the phrase '{short}' {fault[0]}", fault[1], where)


def _fault(phrase: str) -> tuple[str, str] | None:
    is_open: list[str] = []
    sure = ""  # what is in no round bracket
    for part in re.split(f"({_SIGN.pattern})", phrase):
        if part in _CLOSED.values():
            is_open.append(part)
        elif part in _CLOSED:
            if not is_open or is_open.pop() != _CLOSED[part]:
                return (
                    f"closes with {part} a bracket that was not opened",
                    f"open it with {_CLOSED[part]}",
                )
        elif part == "|" and not is_open:
            return "has | outside of brackets", "write [one|other], or two phrases"
        elif "(" not in is_open:
            sure += part
    if is_open:
        return f"opens {is_open[-1]} and does not close it", "close it"
    if not sure.strip("- |"):
        return "is empty", "write words, or take it out"
    return ("is too long", "write it as several phrases") if len(phrase) > _LONGEST else None


class Published(Part):
    """Words that a published script for the language reads replies by.

    Attributes:
        leads: What stands before an answer.
        endings: Ends of a reply, and what is put in their place.
    """

    leads: tuple[str, ...]
    endings: dict[str, str]


class Replies(Part):
    """What replies say in a language; phrases in small letters, and no list must be there.

    Attributes:
        answers: What an answer or a choice is called: 'answer', 'option'.
        copulas: Words between that and the choice: 'is', 'would be'.
        leads: What says without them that a choice follows: 'I choose', 'it is'.
        right: What says after a choice that it is the answer: 'is correct'.
        endings: What may be written after a choice and changes nothing.
        joining: Words between choices: 'and'.
        negations: What says that it is not so.
        hedges: What leaves an answer open, an 'or' among them, or makes it that of others.
        withdrawals: What takes an answer back where it begins a sentence: 'wait'.
        reasons: Words that begin or end a reason: 'because'.
        articles: What may stand before a name.
        unknown: Other texts of the choice that says that nobody can know.
        none: The word for none of the choices, where one of them stands for that.
        script: The letters of its script, as in a pattern's class; none for a Latin one.
        published: Of a published script.
    """

    answers: tuple[str, ...] = ()
    copulas: tuple[str, ...] = ()
    leads: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    joining: tuple[str, ...] = ()
    negations: tuple[str, ...] = ()
    hedges: tuple[str, ...] = ()
    withdrawals: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    articles: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    none: str = ""
    script: str = ""
    published: Published | None = None

    @field_validator("script")
    @classmethod
    def _class_of_letters(cls, value: str) -> str:
        try:
            re.compile(f"[{value}]" if value else "")
        except re.error as error:
            raise WrongValue(
                f"'{value}' is not a list of letters: {error.msg}", "write letters, such as a-zA-Z"
            ) from error
        return value

    @model_validator(mode="after")
    def _phrases(self) -> "Replies":
        for name, phrases in self:
            if isinstance(phrases, tuple) and name != "unknown":
                for at, phrase in enumerate(phrases):
                    check_phrase(phrase, (name, at))
        return self
