"""SurveyMonkey: questions in row 1, going on where it is empty, and their options in row 2."""

from dataclasses import replace

from curation.languages import received_words
from survey.mapping import RespondentPart
from survey.platforms.recognise import Described, Head, Recognised, Start
from survey.readers.frames import Frame, plain

_RESPONDENT = frozenset(received_words("surveymonkey_respondent"))
_COLLECTOR = frozenset(received_words("surveymonkey_collector"))


def recognise(head: Head) -> Recognised | None:
    """Say whether the file is from SurveyMonkey."""
    first, second = head.row(1), head.row(2)
    if len(first) < 3 or len(second) != len(first) or second[0]:
        return None
    reasons = []
    if first[0].casefold() in _RESPONDENT:
        reasons.append(f"the first column is '{first[0]}'")
    if first[1].casefold() in _COLLECTOR:
        reasons.append(f"the second column is '{first[1]}'")
    if not reasons:
        return None
    going_on = sum(not cell and bool(option) for cell, option in zip(first, second, strict=True))
    reasons.append(f"row 2 holds options, {going_on} of them under an empty cell of row 1")
    return Recognised("surveymonkey", tuple(reasons), header_rows=2)


def prepare(frame: Frame) -> Frame:
    """Name the columns `question [option]`, the question going on where its cell is empty."""
    titles, going_on = [], ""
    for question, *options in zip(*frame.heads, strict=True):
        going_on = plain(question) or going_on
        option = plain("".join(options[:1]))
        titles.append(f"{going_on} [{option}]" if option else going_on)
    return replace(frame, titles=tuple(titles))


def start(described: Described) -> Start:
    """Begin a mapping: a chosen option's column holds its text, all else is empty."""
    own = []
    for title, texts in zip(described.titles, described.texts, strict=True):
        if texts[1:2] != ("",):
            break
        own.append(title)
    submitted = described.first(*received_words("surveymonkey_submitted"))
    return Start(
        respondent=RespondentPart(id=described.titles[0], submitted=submitted),
        selected=("label",),
        not_selected=("",),
        missing=("",),
        joined=(", ",),
        known=frozenset(own[1:]),
    )
